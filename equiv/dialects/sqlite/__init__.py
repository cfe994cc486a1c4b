"""SQLite: its text, read into the core's trees, and its schemas."""
