"""What is true of a resolved tree: of its values, NULLs, sources and results."""
