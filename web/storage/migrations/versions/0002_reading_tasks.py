"""Photographs being read."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reading_tasks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("photo_id", sa.String(length=32), nullable=False),
        sa.Column("deck", sa.String(length=200), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("entry_id", sa.String(length=32), nullable=True),
        sa.Column("table_id", sa.String(length=32), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_reading_tasks_entry_id_entries"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["photo_id"], ["photos.id"], name=op.f("fk_reading_tasks_photo_id_photos"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_reading_tasks_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading_tasks")),
    )
    with op.batch_alter_table("reading_tasks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reading_tasks_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_reading_tasks_entry_id"), ["entry_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_reading_tasks_photo_id"), ["photo_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_reading_tasks_table_id"), ["table_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("reading_tasks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reading_tasks_table_id"))
        batch_op.drop_index(batch_op.f("ix_reading_tasks_photo_id"))
        batch_op.drop_index(batch_op.f("ix_reading_tasks_entry_id"))
        batch_op.drop_index(batch_op.f("ix_reading_tasks_created_at"))

    op.drop_table("reading_tasks")
