"""`python -m calibration`."""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only cost time

from calibration.cli import main

if __name__ == "__main__":
    sys.exit(main())
