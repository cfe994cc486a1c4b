"""Claims about a resolved tree: its values, NULLs, sources and results."""
