"""The language that every dialect is read into, and SQLite, on which it runs."""
