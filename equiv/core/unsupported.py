"""The refusal of a query that an engine takes and that has no resolved tree, or no meaning here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Why a query has no tree: the node's class name, and one line."""

    node: str
    why: str

    def __str__(self) -> str:
        return f"{self.node}: {self.why}"


class UnsupportedError(Exception):
    """A query that SQLite takes but that has no resolved tree.

    Attributes:
        node: the class name of the node, or the name of the construct.
        why: one line.
    """

    def __init__(self, node: str, why: str) -> None:
        super().__init__(f"{node}: {why}")
        self.node = node
        self.why = why
