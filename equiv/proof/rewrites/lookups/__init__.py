"""Rows that a key finds."""
