"""SQLite's grammar: from tokens to sqlglot nodes."""
