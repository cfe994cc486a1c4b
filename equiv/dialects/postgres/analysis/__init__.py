"""PostgreSQL's own analysis of a query, read as a typed tree and printed back as text that means it."""
