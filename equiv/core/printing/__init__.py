"""Trees as SQL for SQLite."""
