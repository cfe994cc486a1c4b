"""PostgreSQL as a dialect, on an embedded server of its own."""
