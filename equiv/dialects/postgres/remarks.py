"""What a reader of a verdict should know of a schema besides it."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.model import Schema
from equiv.verdict import Remark, RemarkKind

_MOST = 5


def remarks_on(schema: Schema) -> Iterator[Remark]:
    """A remark on each thing of a schema's source that was passed over, and how many more there are."""
    for note in schema.notes[:_MOST]:
        yield Remark(RemarkKind.DIALECT, "schema", note)
    if len(schema.notes) > _MOST:
        yield Remark(RemarkKind.DIALECT, "schema", f"{len(schema.notes) - _MOST} more were passed over")
