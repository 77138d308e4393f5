"""The stores behind the ports: Redis, Qdrant, PostgreSQL, and the bundled servers that run them."""
