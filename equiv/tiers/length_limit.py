"""Whether what SQLite answers here is what it answers under its own default limits, too.

``SUBSTR(x, start)`` without a length takes the longest text that its connection allows for one: with a start
far before the text, it ends before the text begins or within it by that limit.  Here the limit is lower.
"""

from __future__ import annotations

from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.model import REFERENCE
from equiv.core.runner import Failure, Guarded, Limits, Result, Values
from equiv.dialects.crossing.session import gold_side
from equiv.dialects.protocol import Session

_ENDS_BY_THE_LIMIT = "substr"


def run_by_default(engine: Guarded, sql: str, caps: Limits, values: Values = ()) -> Result | Failure:
    """The result of an untrusted query under SQLite's default limit of a text's length.

    It runs under the lower limit first: a query that has answered there made no text that is longer.
    """
    found = engine.run(sql, caps, values)
    if isinstance(found, Failure) or _ENDS_BY_THE_LIMIT not in sql.lower():
        return found
    return _by_default(engine, sql, caps, values)


def stands_by_default(
    pair: Pair, session: Session, pred: tuple[Row, ...], gold: tuple[Row, ...], caps: Limits
) -> bool:
    """Whether both queries return these rows under SQLite's default limit of a text's length, too."""
    schemas = pair.schema.sides or (pair.schema, pair.schema)
    sides = (schemas[0], session, pair.pred, pred), (schemas[1], gold_side(session), pair.gold, gold)
    return all(
        _same_by_default(side, query.sql, rows, caps)
        for schema, side, query, rows in sides
        if schema.dialect == REFERENCE and _ENDS_BY_THE_LIMIT in query.sql.lower()
    )


def _same_by_default(session: Session, sql: str, rows: tuple[Row, ...], caps: Limits) -> bool:
    found = _by_default(session.core, sql, caps)
    return not isinstance(found, Failure) and found.rows == rows


def _by_default(engine: Guarded, sql: str, caps: Limits, values: Values = ()) -> Result | Failure:
    with engine.with_default_length():
        return engine.run(sql, caps, values)
