"""Which turns bore a forgotten memory, so that its words are not quoted from there; turns are found by id alone."""

from alembic import op

revision = "0003"
down_revision = "0002"

_STATEMENTS = (
    # Of what was forgotten before, nobody knows any more where it was said.
    "ALTER TABLE forgotten ADD COLUMN session_id text",
    "ALTER TABLE forgotten ADD COLUMN turn_ids text[] NOT NULL DEFAULT '{}'",
    "CREATE INDEX turns_by_id ON turns (user_id, turn_id)",
)


def upgrade() -> None:
    """Add where forgotten memories were said."""
    for statement in _STATEMENTS:
        op.execute(statement)
