"""Schemas from SQLite's DDL and files, and DDL from schemas."""
