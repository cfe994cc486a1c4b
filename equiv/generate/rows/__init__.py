"""Rows that satisfy the facts."""
