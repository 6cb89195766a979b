"""``python -m samples``: print our decks, draw them again, render photographs."""

import sys

from samples.cli import main

if __name__ == "__main__":
    sys.exit(main())
