"""What is done: one verb a file, depending on ports only."""
