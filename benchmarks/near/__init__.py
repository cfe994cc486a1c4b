"""Near misses: random queries, and small changes to queries and databases."""
