"""Equality of normal forms."""
