"""Brings a database to the schema this version works with, once, whoever comes first.

The check is one query and needs no Alembic. Only an older database loads it, and upgrades inside one transaction that
holds an advisory lock: a second server that starts at the same moment waits, and finds the work done.
"""

import threading
from importlib import resources
from typing import Any

import psycopg

from state.errors import StoreMismatch
from state.stores.journal.migrations import REVISIONS

LOCK = 0x4C6F6369  # "Loci": any number that all of our servers agree on
_LOCK_SECONDS = 60

# Alembic keeps the context a revision runs in as a variable of the process.
_alembic = threading.Lock()


def check_revision(revision: str | None) -> bool:
    """Say whether a schema is up to date; raise StoreMismatch where it is none of ours or of a later version."""
    if revision is not None and revision not in REVISIONS:
        raise StoreMismatch(
            f"The journal in PostgreSQL has schema {revision}, which this version of Loci does not know "
            f"(it goes up to {REVISIONS[-1]}): start the version of Loci that wrote it, or a newer one."
        )
    return revision == REVISIONS[-1]


def migrate(url: str, **connect: Any) -> None:
    """Bring the database at `url` to the last revision. Blocks; `connect` goes to psycopg as it is.

    Raises StoreMismatch where the database is ahead of this version, psycopg.Error where it cannot be reached.
    """
    with psycopg.connect(url, **connect) as connection:
        present = connection.execute("SELECT to_regclass('alembic_version') IS NOT NULL").fetchone()
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if present == (True,) else None
    if not check_revision(row[0] if row else None):
        with _alembic:
            _upgrade(url, connect)


def _upgrade(url: str, connect: dict[str, Any]) -> None:
    # Here and not above: both take most of a second to load, and a database that is up to date needs neither.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415
    from sqlalchemy import create_engine  # noqa: PLC0415
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    # psycopg reads the URL itself: SQLAlchemy has its own rules for sockets and parameters.
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url, **connect), poolclass=NullPool)
    config = Config()
    with resources.as_file(resources.files("state.stores.journal.migrations")) as folder:
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        try:
            with engine.begin() as connection:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
                if not check_revision(MigrationContext.configure(connection).get_current_revision()):
                    config.attributes["connection"] = connection
                    command.upgrade(config, "head")
        except DBAPIError as error:
            raise (error.orig if isinstance(error.orig, psycopg.Error) else error) from error
