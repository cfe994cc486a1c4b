"""What a reader of a verdict should know of queries and schema besides it."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.typed import remarks as typed
from equiv.verdict import Remark, RemarkKind

_UNBOUNDED = frozenset(("number", "float", "date", "timestamp"))


def remarks_on(schema: Schema, pred: Query | Broken, gold: Query | Broken) -> Iterator[Remark]:
    """The remarks of typed dialects, and one on the values of parameters."""
    for side, query in (("pred", pred), ("gold", gold)):
        if isinstance(query, Query) and _UNBOUNDED & {*query.parameter_types}:
            text = "parameters stand for any value but NaN, infinity and years beyond 0001 to 9999"
            yield Remark(RemarkKind.DIALECT, side, text)
    yield from typed.remarks_on(schema, pred, gold)
