"""What a reader of a verdict should know of queries and schema besides it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.typed import remarks as typed
from equiv.verdict import Remark, RemarkKind

_UNBOUNDED = frozenset(("number", "float", "date", "timestamp"))


def remarks_on(schema: Schema, pred: Query | Broken, gold: Query | Broken) -> Iterator[Remark]:
    """The remarks of typed dialects, and on values of parameters, materialised views and rows of tables."""
    for side, query in (("pred", pred), ("gold", gold)):
        if isinstance(query, Query) and _UNBOUNDED & {*query.parameter_types}:
            text = "parameters stand for any value but NaN, infinity and years beyond 0001 to 9999"
            yield Remark(RemarkKind.DIALECT, side, text)
    trees = [query.tree for query in (pred, gold) if isinstance(query, Query) and query.tree is not None]
    read = {table.name for tree in trees for table in tree.find_all(exp.Table)}
    times = (table.earlier for table in schema.tables if table.earlier and table.name in read)
    for view in sorted({earlier.views[0] for earlier in times}):
        held = "holds the rows of its query when it was last refreshed; its tables are taken to have kept"
        yield Remark(RemarkKind.DIALECT, "schema", f"{view} {held} their constraints then")
    for table in schema.tables:
        if table.remark and table.name in read:
            yield Remark(RemarkKind.DIALECT, "schema", f"{table.name}: {table.remark}")
    yield from typed.remarks_on(schema, pred, gold)
