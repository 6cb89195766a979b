"""`python -m samples.table`."""

import sys

from samples.table.command import main

sys.exit(main())
