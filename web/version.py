"""The version of the project, as `pyproject.toml` has it."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]
