"""What Alembic runs around the revisions: `migrate` hands in the connection, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
