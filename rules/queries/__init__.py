"""Rules for queries, their sources and their clauses."""
