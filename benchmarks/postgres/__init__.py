"""Measures on PostgreSQL: queries and their core translations on the same rows."""
