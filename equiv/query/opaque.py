"""The refusal of whatever lays the free choices of a query open."""

from __future__ import annotations


class Opaque(Exception):  # noqa: N818 - a condition of the query, not an error
    """The query has a choice that cannot be laid open."""
