"""Whether what SQLite answers here is what it answers under its own default limits, too.

``SUBSTR(x, start)`` without a length takes the longest text that its connection allows for one: with a start
far before the text, it ends before the text begins or within it by that limit.  Here the limit is lower.
"""

from __future__ import annotations

from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.model import REFERENCE
from equiv.core.runner import Failure, Limits
from equiv.dialects.crossing.session import gold_side
from equiv.dialects.protocol import Session

_ENDS_BY_THE_LIMIT = "substr"


def stands_by_default(
    pair: Pair, session: Session, pred: tuple[Row, ...], gold: tuple[Row, ...], caps: Limits
) -> bool:
    """Whether both queries return these rows under SQLite's default limit of a text's length, too.

    No text comes near it: a query that has answered here made none that is longer than the lower limit.
    """
    schemas = pair.schema.sides or (pair.schema, pair.schema)
    sides = (schemas[0], session, pair.pred, pred), (schemas[1], gold_side(session), pair.gold, gold)
    return all(
        _same_by_default(side, query.sql, rows, caps)
        for schema, side, query, rows in sides
        if schema.dialect == REFERENCE and _ENDS_BY_THE_LIMIT in query.sql.lower()
    )


def _same_by_default(session: Session, sql: str, rows: tuple[Row, ...], caps: Limits) -> bool:
    with session.core.with_default_length():
        found = session.run(sql, caps)
    return not isinstance(found, Failure) and found.rows == rows
