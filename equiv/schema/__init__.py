"""Schemas and the facts that they promise."""
