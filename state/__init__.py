"""What is known: records, ports, settings, errors and the stores that keep them."""
