"""How Loci is wired and served."""
