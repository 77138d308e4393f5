"""The journal's schema, as Alembic revisions."""
