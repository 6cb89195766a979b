"""The subcommands of `python -m referee`, a module each: `add_to(subparsers)` and `run(arguments)`."""
