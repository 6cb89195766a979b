"""Lets the package run as a program: `python -m referee`."""

import os
import sys

# Many small matrix products: a second thread costs more than it brings, several times more on a busy machine.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from referee.cli import main  # noqa: E402 - the numbers above are read when NumPy is loaded

sys.exit(main())
