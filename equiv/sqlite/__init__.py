"""SQLite, the reference engine: its grammar, its functions, and the engine itself."""
