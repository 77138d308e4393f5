"""Pure functions over text: time expressions, tokens, grounding."""
