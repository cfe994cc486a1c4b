"""The nodes of DuckDB's trees and plans, as JSON has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Tree = dict[str, Any]


def nodes(tree: object) -> Iterator[Tree]:
    """All nodes of a tree."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield found
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
