"""Rows of terms: sources, rows that a key fixes, EXISTS, DISTINCT, and terms over the same rows."""
