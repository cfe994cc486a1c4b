"""Name resolution with SQLite's own rules."""
