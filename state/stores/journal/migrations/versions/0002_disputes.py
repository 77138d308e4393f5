"""Disputes, successors, corrections: what replaced or corrected what, who raised a dispute, slots of several values."""

from alembic import op

revision = "0002"
down_revision = "0001"

_SUCCESSORS = (
    "ALTER TABLE memories ADD COLUMN superseded_by text",
    # A successor that no longer stands is taken only where there is no other.
    """
    UPDATE memories AS old SET superseded_by = (
        SELECT successor.memory_id FROM memories AS successor
        WHERE successor.user_id = old.user_id AND successor.supersedes = old.memory_id
        ORDER BY successor.status IN ('active', 'superseded') DESC, successor.mentioned_ms, successor.memory_id LIMIT 1
    )
    WHERE status = 'superseded'
    """,
    # What was checked only after its successor named nobody; it was judged beside the one from whose time on it ended.
    """
    UPDATE memories AS old SET superseded_by = (
        SELECT successor.memory_id FROM memories AS successor
        WHERE successor.user_id = old.user_id AND successor.memory_id <> old.memory_id
          AND old.receipt -> 'neighbours' ? successor.memory_id
          AND coalesce(successor.valid_from_ms, successor.mentioned_ms) = old.valid_to_ms
        ORDER BY successor.slot IS NOT DISTINCT FROM old.slot DESC, successor.memory_id LIMIT 1
    )
    WHERE status = 'superseded' AND superseded_by IS NULL
    """,
    "ALTER TABLE memories DROP COLUMN supersedes",
    # The memory that the user said is wrong when they said this one.
    "ALTER TABLE memories ADD COLUMN corrects text",
)

_DISPUTES = (
    # When a reply last asked about it.
    "ALTER TABLE memories ADD COLUMN raised_ms bigint",
    # The replies after which the user knew of an open dispute: it came up with them, or they asked.
    """
    CREATE TABLE dispute_raises (
        user_id    text   NOT NULL,
        memory_id  text   NOT NULL,
        session_id text   NOT NULL,
        turn_id    text   NOT NULL,
        at_ms      bigint NOT NULL,
        PRIMARY KEY (user_id, memory_id, session_id, turn_id),
        FOREIGN KEY (user_id, memory_id) REFERENCES memories ON DELETE CASCADE
    )
    """,
    "UPDATE memories SET opposes = '[]' WHERE status <> 'disputed' AND opposes <> '[]'",
    # Disputes about memories that have left since wait to be judged again.
    """
    WITH now AS (SELECT (extract(epoch FROM transaction_timestamp()) * 1000)::bigint AS ms),
    opened AS (
        UPDATE memories SET status = 'pending', opposes = '[]', version = version + 1, updated_ms = now.ms,
                            attempts = 0, due_ms = now.ms
        FROM now
        WHERE status = 'disputed' AND NOT EXISTS (
            SELECT FROM memories AS opposed
            WHERE opposed.user_id = memories.user_id AND memories.opposes ? opposed.memory_id
              AND opposed.status = 'active'
        )
        RETURNING user_id, memory_id, now.ms
    )
    INSERT INTO memory_events (user_id, memory_id, at_ms, actor, from_status, to_status, reason)
    SELECT user_id, memory_id, ms, 'curator', 'disputed', 'pending',
           'opened again: what it contradicts does not stand any more'
    FROM opened
    """,
    # Slots of one value that hold several for a user who said so.
    """
    CREATE TABLE user_slots (
        user_id text   NOT NULL,
        slot    text   NOT NULL,
        at_ms   bigint NOT NULL,
        PRIMARY KEY (user_id, slot)
    )
    """,
)

_INDEXES = (
    "DROP INDEX memories_in_slot",
    "CREATE INDEX memories_in_slot ON memories (user_id, slot)",
    "CREATE INDEX memories_superseded_by ON memories (user_id, superseded_by) WHERE superseded_by IS NOT NULL",
    "CREATE INDEX memories_disputed ON memories (user_id) WHERE status = 'disputed'",
    "DROP INDEX memories_to_judge",
    """
    CREATE INDEX memories_to_judge ON memories (due_ms)
    WHERE status = 'pending'
       OR ((receipt ->> 'provisional')::boolean
           AND (status IN ('active', 'disputed') OR (status = 'rejected' AND receipt ->> 'grounded' = 'unsupported')))
    """,
    "CREATE INDEX memory_mentions_by_candidate ON memory_mentions (user_id, mention_id)",
)


def upgrade() -> None:
    """Turn the link between a memory and its successor around, and add what disputes need."""
    for statement in (*_SUCCESSORS, *_DISPUTES, *_INDEXES):
        op.execute(statement)
