"""The journal: sessions and turns, memories and their events, tasks, index outbox, ledger, leases."""

from alembic import op

revision = "0001"
down_revision = None

_TABLES = (
    """
    CREATE TABLE sessions (
        user_id      text   NOT NULL,
        session_id   text   NOT NULL,
        last_ordinal bigint NOT NULL DEFAULT 0,
        last_at_ms   bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (user_id, session_id)
    )
    """,
    """
    CREATE TABLE turns (
        user_id      text    NOT NULL,
        session_id   text    NOT NULL,
        turn_id      text    NOT NULL,
        ordinal      bigint  NOT NULL CHECK (ordinal > 0),
        role         text    NOT NULL CHECK (role IN ('user', 'assistant')),
        text         text    NOT NULL,
        at_ms        bigint  NOT NULL,
        time_zone    text    NOT NULL,
        reply_to     text,
        abandoned    boolean NOT NULL DEFAULT false,
        distilled_ms bigint,
        archived_ms  bigint,
        PRIMARY KEY (user_id, session_id, turn_id),
        UNIQUE (user_id, session_id, ordinal),
        FOREIGN KEY (user_id, session_id) REFERENCES sessions
    )
    """,
    # `due_ms` is when a memory that waits for its verdict is judged next, after so many `attempts` of no avail.
    """
    CREATE TABLE memories (
        user_id        text    NOT NULL,
        memory_id      text    NOT NULL,
        session_id     text    NOT NULL,
        kind           text    NOT NULL,
        text           text    NOT NULL,
        status         text    NOT NULL
                       CHECK (status IN ('pending', 'active', 'disputed', 'superseded', 'rejected')),
        evidence       jsonb   NOT NULL,
        mentioned_ms   bigint  NOT NULL,
        time_zone      text    NOT NULL,
        slot           text,
        single_valued  boolean NOT NULL,
        weight         double precision NOT NULL,
        event_start_ms bigint,
        event_end_ms   bigint,
        valid_from_ms  bigint,
        valid_to_ms    bigint,
        supersedes     text,
        opposes        jsonb   NOT NULL,
        mentions       integer NOT NULL,
        citations      integer NOT NULL,
        version        integer NOT NULL,
        receipt        jsonb,
        created_ms     bigint  NOT NULL,
        updated_ms     bigint  NOT NULL,
        attempts       integer NOT NULL DEFAULT 0,
        due_ms         bigint  NOT NULL,
        PRIMARY KEY (user_id, memory_id)
    )
    """,
    """
    CREATE TABLE memory_events (
        event_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id     text   NOT NULL,
        memory_id   text   NOT NULL,
        at_ms       bigint NOT NULL,
        actor       text   NOT NULL,
        from_status text,
        to_status   text,
        reason      text   NOT NULL
    )
    """,
    # Ids that no write brings back: the same words of the same turn make the same id.
    """
    CREATE TABLE forgotten (
        user_id   text   NOT NULL,
        memory_id text   NOT NULL,
        at_ms     bigint NOT NULL,
        PRIMARY KEY (user_id, memory_id)
    )
    """,
    # One row for each candidate that turned out to be this memory again: a repeated write counts once.
    """
    CREATE TABLE memory_mentions (
        user_id    text   NOT NULL,
        memory_id  text   NOT NULL,
        mention_id text   NOT NULL,
        at_ms      bigint NOT NULL,
        PRIMARY KEY (user_id, memory_id, mention_id),
        FOREIGN KEY (user_id, memory_id) REFERENCES memories ON DELETE CASCADE
    )
    """,
    # One row for each reply that cites this memory: a repeated write counts once.
    """
    CREATE TABLE memory_citations (
        user_id     text   NOT NULL,
        memory_id   text   NOT NULL,
        session_id  text   NOT NULL,
        citation_id text   NOT NULL,
        at_ms       bigint NOT NULL,
        PRIMARY KEY (user_id, memory_id, session_id, citation_id),
        FOREIGN KEY (user_id, memory_id) REFERENCES memories ON DELETE CASCADE
    )
    """,
    # `said_ms` is when the turn was said that last changed the task: an older turn, distilled late, changes nothing.
    """
    CREATE TABLE tasks (
        user_id    text   NOT NULL,
        task_id    text   NOT NULL,
        session_id text   NOT NULL,
        title      text   NOT NULL,
        state      text   NOT NULL CHECK (state IN ('open', 'blocked', 'done', 'cancelled')),
        updated_ms bigint NOT NULL,
        step       integer,
        steps      integer,
        due_ms     bigint,
        said_ms    bigint NOT NULL,
        PRIMARY KEY (user_id, task_id)
    )
    """,
    """
    CREATE TABLE task_events (
        event_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id   text   NOT NULL,
        task_id   text   NOT NULL,
        change_id text   NOT NULL,
        at_ms     bigint NOT NULL,
        actor     text   NOT NULL,
        task      jsonb  NOT NULL,
        evidence  jsonb  NOT NULL,
        UNIQUE (user_id, task_id, change_id),
        FOREIGN KEY (user_id, task_id) REFERENCES tasks ON DELETE CASCADE
    )
    """,
    "CREATE SEQUENCE outbox_revision",
    """
    CREATE TABLE outbox (
        user_id   text   NOT NULL,
        memory_id text   NOT NULL,
        revision  bigint NOT NULL DEFAULT nextval('outbox_revision'),
        PRIMARY KEY (user_id, memory_id)
    )
    """,
    """
    CREATE TABLE ledger (
        position          bigint  GENERATED ALWAYS AS IDENTITY,
        user_id           text    NOT NULL,
        entry_id          text    NOT NULL,
        session_id        text    NOT NULL,
        node              text    NOT NULL,
        model             text    NOT NULL,
        prompt_tokens     bigint  NOT NULL,
        completion_tokens bigint  NOT NULL,
        latency_ms        bigint  NOT NULL,
        at_ms             bigint  NOT NULL,
        estimated         boolean NOT NULL,
        PRIMARY KEY (user_id, entry_id)
    )
    """,
    """
    CREATE TABLE leases (
        name     text   PRIMARY KEY,
        owner    text   NOT NULL,
        until_ms bigint NOT NULL
    )
    """,
)

_INDEXES = (
    "CREATE UNIQUE INDEX one_active_in_slot ON memories (user_id, slot) WHERE status = 'active' AND single_valued",
    "CREATE INDEX memories_in_slot ON memories (user_id, slot) WHERE status = 'active'",
    "CREATE INDEX memories_by_time ON memories (user_id, mentioned_ms DESC)",
    """
    CREATE INDEX memories_to_judge ON memories (due_ms)
    WHERE status = 'pending' OR (status IN ('active', 'disputed') AND (receipt ->> 'provisional')::boolean)
    """,
    "CREATE INDEX memory_events_of ON memory_events (user_id, memory_id)",
    "CREATE INDEX memories_of_session ON memories (user_id, session_id)",
    "CREATE INDEX sessions_by_id ON sessions (session_id)",
    "CREATE INDEX sessions_by_last ON sessions (last_at_ms)",
    """
    CREATE INDEX turns_in_session ON turns (user_id, session_id, ordinal)
    WHERE archived_ms IS NULL AND NOT abandoned
    """,
    """
    CREATE INDEX turns_to_distil ON turns (at_ms)
    WHERE role = 'user' AND distilled_ms IS NULL AND NOT abandoned
    """,
    "CREATE INDEX tasks_by_last ON tasks (user_id, updated_ms DESC) WHERE state IN ('open', 'blocked')",
    "CREATE INDEX ledger_by_position ON ledger (user_id, position)",
)


def upgrade() -> None:
    """Create the tables and their indexes."""
    for statement in (*_TABLES, *_INDEXES):
        op.execute(statement)
