"""Qdrant behind the long-term memory: the collection, and Qdrant Edge with a client's method names."""
