"""The README tells the truth: its examples run, and it names every game, command, fault, rule and option."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import COMMANDS
from referee.decks import Game
from referee.options import CatAndMouseOptions, IfItFitsOptions
from referee.rulebook import RetakeReason, Violation

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_run(command: str, tmp_path: Path) -> None:
    words = [word.replace("build/", f"{tmp_path}/") for word in shlex.split(command)]
    assert words[0] == ".venv/bin/python"
    done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or "--out" in words


def test_set_up_commands_name_files_that_exist() -> None:
    commands = [line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")]
    assert len(commands) == 2
    for name in re.findall(r"\S+\.(?:txt|jpg)", " ".join(commands)):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("violation", list(Violation))
def test_every_fault_is_documented_with_its_rule(violation: Violation) -> None:
    rows = [line for line in README.splitlines() if f"`{violation.value}`" in line]
    assert any(str(violation.rule_id.value) in row for row in rows)


def test_every_game_command_option_and_advice_is_documented() -> None:
    options = [*CatAndMouseOptions.model_fields, *IfItFitsOptions.model_fields]
    commands = [f"referee {module.__name__.rsplit('.', 1)[1]}" for module in COMMANDS]
    named = [*(f"`{game.value}`" for game in Game), *commands, *options, *(f"`{reason}`" for reason in RetakeReason)]
    assert [name for name in named if name not in README] == []


def test_modules_named_exist() -> None:
    for name in re.findall(r"`(referee/[\w/]+\.py)`", README):
        assert (ROOT / name).exists(), name
