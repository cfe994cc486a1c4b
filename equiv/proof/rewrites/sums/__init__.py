"""Aggregates by a few primitives."""
