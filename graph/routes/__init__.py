"""The HTTP routes beside the graph endpoint."""
