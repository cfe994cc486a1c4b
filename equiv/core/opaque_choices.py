"""The exception for a query whose free choices cannot be exposed."""

from __future__ import annotations


class Opaque(Exception):  # noqa: N818 - a condition of the query, not an error
    """The query has a choice that cannot be laid open.

    Attributes:
        why: one line; the text of the whole names the construct as well.
    """

    def __init__(self, node: str, why: str) -> None:
        super().__init__(f"{node}: {why}")
        self.why = why
