"""Typed trees as queries of the core, exactly, wherever the engine does not raise an error.

Calls mean what PostgreSQL says, unless the dialect lowers those of a schema of its own.
"""
