"""DuckDB: its reader, engine and schema loader."""
