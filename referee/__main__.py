"""Lets the package run as a program: `python -m referee`."""

import sys

from referee.cli import main

sys.exit(main())
