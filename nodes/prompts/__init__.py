"""Prompts as typed functions, each beside the model its answer is read into."""
