"""SQLite's grammar of function calls: arguments, FILTER, OVER and window definitions."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.table import call, is_unrepeatable, unrepeatable_call
from equiv.core.lexer import Cursor
from equiv.dialects.sqlite.grammar.expressions import closed_list, expression, expressions, name

_FRAMES = ("ROWS", "RANGE", "GROUPS")


def function_call(cursor: Cursor, called: str) -> exp.Expression:
    """Read a call from its opening parenthesis on, with DISTINCT, FILTER and OVER."""
    cursor.expect("(")
    if is_unrepeatable(called):
        cursor.fail("Func", unrepeatable_call(called.upper()))
    found = call(called, _arguments(cursor, called))
    if cursor.take("FILTER", "("):
        cursor.expect("WHERE")
        found = exp.Filter(this=found, expression=exp.Where(this=expression(cursor)))
        cursor.expect(")")
    return _over(cursor, found) if cursor.take("OVER") else found


def _arguments(cursor: Cursor, called: str) -> list[exp.Expression]:
    """The arguments; ``COUNT()`` is ``COUNT(*)``."""
    if cursor.take("*", ")") or (called.upper() == "COUNT" and cursor.take(")")):
        return [exp.Star()]
    distinct = cursor.take("DISTINCT")
    if not distinct:
        cursor.take("ALL")
    arguments = closed_list(cursor)
    if distinct and arguments:
        arguments[0] = exp.Distinct(expressions=[arguments[0]])
    return arguments


def _over(cursor: Cursor, function: exp.Expression) -> exp.Expression:
    if not cursor.take("("):
        return exp.Window(this=function, alias=name(cursor))
    return exp.Window(this=function, **window(cursor))


def window(cursor: Cursor) -> dict[str, object]:
    """Read a window definition after its opening parenthesis: the args of an ``exp.Window``."""
    from equiv.dialects.sqlite.grammar.queries import order_by

    parts: dict[str, object] = {}
    if not cursor.at(")") and cursor.word not in ("PARTITION", "ORDER", *_FRAMES):
        parts["alias"] = name(cursor)
    if cursor.take("PARTITION", "BY"):
        parts["partition_by"] = expressions(cursor)
    parts["order"] = order_by(cursor)
    if cursor.word in _FRAMES:
        parts["spec"] = _frame(cursor)
    cursor.expect(")")
    return parts


def _frame(cursor: Cursor) -> exp.Expression:
    kind = cursor.advance().word
    if cursor.take("BETWEEN"):
        start = _bound(cursor)
        cursor.expect("AND")
        end = _bound(cursor)
    else:
        start, end = _bound(cursor), ("CURRENT ROW", None)
    exclude = None
    if cursor.take("EXCLUDE"):
        words = [cursor.advance().word]
        if words[0] in ("NO", "CURRENT"):
            words.append(cursor.advance().word)
        exclude = None if words[0] == "NO" else exp.var(" ".join(words))
    return exp.WindowSpec(
        kind=kind, start=start[0], start_side=start[1], end=end[0], end_side=end[1], exclude=exclude
    )


def _bound(cursor: Cursor) -> tuple[object, str | None]:
    if cursor.take("CURRENT", "ROW"):
        return "CURRENT ROW", None
    start = "UNBOUNDED" if cursor.take("UNBOUNDED") else expression(cursor)
    return start, cursor.advance().word
