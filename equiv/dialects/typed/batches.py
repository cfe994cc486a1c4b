"""Rows in batches for the statements of a script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equiv.cells import Row

_FEW = 100
_BATCH = 200


def in_batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one, as a person reads them; those of a populated database many at a time."""
    size = 1 if len(rows) <= _FEW else _BATCH
    return (rows[start : start + size] for start in range(0, len(rows), size))
