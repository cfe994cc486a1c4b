"""Typed trees of queries, as an engine resolves them, and the trees of the core that mean the same."""
