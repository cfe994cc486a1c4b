"""From the tree that DuckDB parses to a typed tree, printed back as DuckDB reads it."""
