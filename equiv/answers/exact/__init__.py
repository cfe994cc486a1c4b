"""Arithmetic without rounding and overflow."""
