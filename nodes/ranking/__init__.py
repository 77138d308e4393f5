"""How memories are ranked: what makes one relevant, how it fades, what it weighs, and which are left out."""
