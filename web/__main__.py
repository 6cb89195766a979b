"""`python -m web`."""

import sys

from web.cli import main

if __name__ == "__main__":
    sys.exit(main())
