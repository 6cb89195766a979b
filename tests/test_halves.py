"""The rules half is pure: it imports the standard library, pydantic and itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CODE = """
import sys
import referee.certainty, referee.explain, referee.games, referee.match, referee.moves, referee.notation
import referee.commands.judge
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_the_rules_need_no_pixels_and_no_web() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "pydantic" in loaded
    assert loaded & {"cv2", "numpy", "PIL", "flask", "calibration", "web", "samples", "tests"} == set()
