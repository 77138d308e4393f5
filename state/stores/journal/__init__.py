"""The journal in PostgreSQL: what is stored, by which rules, and its schema."""
