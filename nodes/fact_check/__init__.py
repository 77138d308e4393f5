"""The gate before long-term memory: distill, screen, verify."""
