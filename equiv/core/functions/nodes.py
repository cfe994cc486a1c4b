"""SQLite's functions as sqlglot nodes, and back, and what their table says of a node or a name.

A function that has a node class of its own is read as that; every other is ``exp.Anonymous`` with its name
in upper case.  MIN and MAX of several arguments, no aggregates, are ``exp.Least`` and ``exp.Greatest``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from sqlglot import exp

from equiv.core.functions.table import TABLE
from equiv.core.functions.traits import Form, Function, Sort

CALLS: Mapping[str, Function] = MappingProxyType(
    {row.name: row for row in TABLE if row.is_call or row.sort is Sort.INSTANT}
)
"""Functions that are evaluated row by row, by their names in the algebra."""

AGGREGATES: Mapping[str, Function] = MappingProxyType(
    {row.name: row for row in TABLE if row.sort is Sort.AGGREGATE}
)
SYNONYMS: Mapping[str, str] = MappingProxyType({second: row.name for row in TABLE for second in row.synonyms})
"""First names by second ones."""

_TRIM_SIDES = {"LTRIM": "LEADING", "RTRIM": "TRAILING"}
_NAMED: dict[str, list[Function]] = {}
for _row in TABLE:
    if _row.sort is not Sort.INSTANT:
        _NAMED.setdefault(_row.name, []).append(_row)
_BY_NODE = {row.node: row for row in TABLE if row.node is not None and row.name not in _TRIM_SIDES}
_OF_NODE = {**_BY_NODE, exp.TsOrDsToTimestamp: CALLS["STRFTIME"]}
_READ = frozenset(
    row.node
    for row in _BY_NODE.values()
    if row.sort is Sort.WINDOW or (row.places and row.sort is not Sort.OPERATOR)
)
"""The node classes that a call by name is read as."""
_READS_SUBTYPES = ("JSON", "SUBTYPE")
"""How the names of functions start whose values do not depend on the values of their arguments alone."""


def names(claim: Callable[[Function], bool]) -> frozenset[str]:
    """The names in the algebra of what is evaluated row by row and has a trait."""
    return frozenset(name for name, row in CALLS.items() if claim(row))


def nodes(claim: Callable[[Function], bool]) -> tuple[type[exp.Expression], ...]:
    """The node classes of the functions that have a trait."""
    return tuple(node for node, row in _OF_NODE.items() if claim(row))


def rows_named(name: str) -> Sequence[Function]:
    """The functions that SQLite calls by a name."""
    upper = name.upper()
    return _NAMED.get(SYNONYMS.get(upper, upper), ())


def named(name: str, count: int) -> Function | None:
    """The function that SQLite calls by a name with so many arguments, or None if the table has none."""
    return next((row for row in rows_named(name) if row.takes(count)), None)


def function_of(node: object) -> Function | None:
    """The function or operator that a node calls, or None if it is no call or the table has none."""
    if isinstance(node, exp.Anonymous):
        return named(node.name, len(node.expressions))
    if isinstance(node, exp.Trim):
        return CALLS[_trim_name(node)]
    return _OF_NODE.get(type(node))


def calls_of(root: exp.Expression) -> Iterable[Function]:
    """The functions and operators that a tree calls, as often as it does."""
    return (row for row in map(function_of, root.walk()) if row is not None)


def is_unrepeatable(name: str) -> bool:
    """Whether a function's value is not fixed by the database and the frozen instant."""
    return not all(row.is_fixed for row in rows_named(name))


def is_sayable(name: str, count: int) -> bool:
    """Whether a scalar function's value depends on the database and its arguments' values alone."""
    row = named(name, count)
    if row is None:
        return not name.upper().startswith(_READS_SUBTYPES)
    return row.form is not Form.NONE


def unrepeatable_call(name: str) -> str:
    """Why a query that calls an unrepeatable function is unsupported."""
    return f"{name} is not fixed by the database"


def call_text(name: str, count: int) -> str:
    """The SQL text of a call by its name in the algebra, with ``?`` for its arguments."""
    row = CALLS.get(name)
    if row is None or row.sort is not Sort.OPERATOR:
        return f"{name}({', '.join('?' * count)})"
    if count == 1:
        return "- ?" if name == "NEG" else f"{name} ?"
    return f"? {name} ?" + " ESCAPE ?" * (count - 2)


def call(name: str, arguments: list[exp.Expression]) -> exp.Expression:
    """The node of a call by name; an unknown name or number of arguments gives ``exp.Anonymous``."""
    row = named(name, len(arguments))
    if row is None:
        upper = name.upper()
        return exp.Anonymous(this=SYNONYMS.get(upper, upper), expressions=arguments)
    if row.name == "STRFTIME" and len(arguments) == 2:
        return exp.TimeToStr(this=exp.TsOrDsToTimestamp(this=arguments[1]), format=arguments[0])
    if row.name in _TRIM_SIDES:
        trim = dict(zip(("this", "expression"), arguments, strict=False))
        return exp.Trim(**trim, position=_TRIM_SIDES[row.name])
    if row.node is None or row.node not in _READ or not _fits(row, len(arguments)):
        return exp.Anonymous(this=row.name, expressions=arguments)
    if row.places[-1:] == ("expressions",):
        return row.node(this=arguments[0], expressions=arguments[1:])
    return row.node(**dict(zip(row.places, arguments, strict=False)))


def _fits(row: Function, count: int) -> bool:
    """Whether the places of a node hold so many arguments; a node with places needs one."""
    return bool(count) == bool(row.places) and (
        count <= len(row.places) or row.places[-1:] == ("expressions",)
    )


def uncall(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    """The name and the arguments that a function node stands for, or None if it is no function node."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        return special(node)
    row = _BY_NODE.get(type(node))
    if row is None or row.sort in (Sort.OPERATOR, Sort.INSTANT):
        return None
    if node.args.get("expressions"):
        return row.name, [node.this, *node.expressions]
    values = [node.args.get(place) for place in row.places]
    return row.name, [value for value in values if isinstance(value, exp.Expression)]


def _uncall_time(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    moment = node.this.this if isinstance(node.this, exp.TsOrDsToTimestamp) else node.this
    return "STRFTIME", [node.args["format"], moment]


def _trim_name(node: exp.Expression) -> str:
    sides = {side: name for name, side in _TRIM_SIDES.items()}
    return sides.get(str(node.args.get("position")), "TRIM")


def _uncall_trim(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    arguments = [node.this, node.args.get("expression")]
    return _trim_name(node), [a for a in arguments if a is not None]


def _uncall_anonymous(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    return str(node.this), list(node.expressions)


_SPECIAL: dict[type, Callable[[exp.Expression], tuple[str, list[exp.Expression]]]] = {
    exp.TimeToStr: _uncall_time,
    exp.Trim: _uncall_trim,
    exp.Anonymous: _uncall_anonymous,
}
