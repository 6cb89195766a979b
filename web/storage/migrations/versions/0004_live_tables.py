"""Live tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "live_tables",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("moment", sa.String(length=20), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("log", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_live_tables_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live_tables")),
    )
    with op.batch_alter_table("live_tables", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_live_tables_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_live_tables_table_id"), ["table_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("live_tables", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_live_tables_table_id"))
        batch_op.drop_index(batch_op.f("ix_live_tables_created_at"))

    op.drop_table("live_tables")
