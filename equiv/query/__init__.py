"""Queries: from text to a resolved tree, and claims about trees."""
