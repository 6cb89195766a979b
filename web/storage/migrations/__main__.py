"""Write a migration that takes the newest schema to the models: `python -m web.storage.migrations "what changes"`."""

from __future__ import annotations

import sys

from alembic import command

from web.storage.database import alembic_config, make_engine


def main(words: list[str]) -> int:
    """Compare the models with a fresh database and write what differs."""
    if not words:
        print(__doc__)
        return 2
    with make_engine("sqlite://").connect() as connection:
        config = alembic_config(connection)
        command.upgrade(config, "head")
        command.revision(config, " ".join(words), autogenerate=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
