"""The pictures of the documentation: curves of decay, and the figures that the benches wrote."""
