"""The journal's schema, as Alembic revisions.

`REVISIONS` lists them oldest first: the last is the one this version of Loci works with. It stands here by hand so that
a database that is up to date is known as such without loading Alembic.
"""

REVISIONS = ("0001", "0002", "0003")
