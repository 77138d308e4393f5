"""What Alembic runs around the revisions: the connection comes from `state.stores.migrate`, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
