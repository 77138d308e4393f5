"""Other memory libraries over the same sets, with the same embedder, each in an environment of its own."""
