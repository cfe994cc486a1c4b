"""What a reader of a verdict on a typed dialect should know of queries and schema besides it."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.verdict import Remark, RemarkKind

_MOST = 5
_MAY_FAIL = (
    "rows may make it raise an error (a division by zero, a cast, a second row of a subquery) or meet NaN, "
    "infinity, the text 'now' or a year beyond 0001 to 9999; what is said holds where they do neither"
)


def remarks_on(schema: Schema, pred: Query | Broken, gold: Query | Broken) -> Iterator[Remark]:
    """A remark on a query that may fail, and on things of a schema's source that were passed over."""
    for side, query in (("pred", pred), ("gold", gold)):
        if isinstance(query, Query) and query.may_fail:
            yield Remark(RemarkKind.NO_ERROR, side, _MAY_FAIL)
    for note in schema.notes[:_MOST]:
        yield Remark(RemarkKind.DIALECT, "schema", note)
    if len(schema.notes) > _MOST:
        yield Remark(RemarkKind.DIALECT, "schema", f"{len(schema.notes) - _MOST} more were passed over")
