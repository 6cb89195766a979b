"""Photographs of lessons."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_photos",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("lesson_id", sa.String(length=32), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["lesson_id"], ["lessons.id"], name=op.f("fk_lesson_photos_lesson_id_lessons"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lesson_photos")),
    )
    with op.batch_alter_table("lesson_photos", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_lesson_photos_lesson_id"), ["lesson_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("lesson_photos", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_lesson_photos_lesson_id"))

    op.drop_table("lesson_photos")
