"""SQLite's own catalogue of functions: of which of them nothing is known but that they are functions.

``pragma_function_list`` has all that the core's SQLite can call, with flags.  A scalar function without a row
in the table is a symbol if it is deterministic: a function of the values of its arguments, and no more.

What functions of JSON give has a *subtype* besides its value, by which others of them tell JSON from a text:
``json_array(json('[1]'))`` is ``[[1]]``, of a column that holds ``[1]`` it is ``["[1]"]``.  So a call with
such calls for arguments is one symbol, of what these are called on; and where it does not show whether an
argument has a subtype, nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, reduce
from operator import and_

from sqlglot import exp

from equiv.core.connection import Connection
from equiv.core.functions.table import INSTANTS, call_text, function_of, rows_named, uncall
from equiv.core.functions.traits import CallForm, FunctionSort, Solved
from equiv.core.model import Schema
from equiv.graphs import grouped_by

_DETERMINISTIC, _READS_SUBTYPES = 0x800, 0x100000
"""Flags of ``sqlite3_create_function``."""

_OPERATORS: dict[type[exp.Expression], str] = {exp.JSONExtract: "->", exp.JSONExtractScalar: "->>"}
_WITHOUT = (
    exp.Literal,
    exp.HexString,
    exp.Null,
    exp.Boolean,
    exp.Parameter,
    exp.Connector,
    exp.Not,
    exp.Predicate,
)
"""Expressions that have no subtype, whatever is in them."""


class Known(StrEnum):
    """The knowledge of a function, operator, cast or type that proofs have."""

    MODELLED = "modelled"
    SYMBOL = "a symbol"
    REFUSED = "refused"


def knowledge(name: str, count: int, *, is_scalar: bool = True) -> Known:
    """The knowledge of proofs about an SQLite function, by its name and number of arguments (-1: any)."""
    rows = [row for row in rows_named(name) if row.is_call == is_scalar and (count < 0 or row.takes(count))]
    if rows:
        row = rows[0]
        if row.form is CallForm.NONE and row.sort is FunctionSort.AGGREGATE:
            return Known.SYMBOL
        if not row.is_fixed or row.form is CallForm.NONE:
            return Known.REFUSED
        is_symbol = is_scalar and row.form is CallForm.CALL and row.solved is Solved.AS_WRITTEN
        return Known.SYMBOL if is_symbol else Known.MODELLED
    return Known.SYMBOL if is_scalar and is_deterministic(name) else Known.REFUSED


def is_deterministic(name: str) -> bool:
    """Whether SQLite does not deny that its arguments fix a scalar function's value."""
    return bool(_flags(name) & _DETERMINISTIC) or name.upper() in {row.spelling for row in INSTANTS}


def is_unrepeatable(name: str) -> bool:
    """Whether a function's value is not fixed by the database and the frozen instant."""
    rows = rows_named(name)
    return not (all(row.is_fixed for row in rows) if rows else is_deterministic(name))


def symbol_of(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    """Name and arguments of a call in the algebra; what reads subtypes has calls inside it in its name."""
    found = uncall(node)
    return found if found is None or not _reads_subtypes(found[0]) else _with_nested(*found)


def with_subtypes(name: str, arguments: list[exp.Expression]) -> tuple[str, list[exp.Expression]]:
    """The text of a call with ``?`` for each value that it is of; what reads subtypes has calls within."""
    read = _with_nested(name, arguments) if _reads_subtypes(name) else (name, list(arguments))
    return call_text(read[0], len(read[1])), read[1]


def _with_nested(name: str, arguments: list[exp.Expression]) -> tuple[str, list[exp.Expression]]:
    text, leaves = call_text(name, len(arguments)), list[exp.Expression]()
    parts = text.split("?")
    for at, argument in enumerate(arguments):
        inner = _called(argument)
        if inner is not None and _may_give_subtype(inner[0]):
            shown, below = _with_nested(*inner)
            parts[at] += f"({shown})"
            leaves += below
        else:
            parts[at] += "?"
            leaves.append(argument)
    return "".join(parts), leaves


def hides_subtype(tree: exp.Expression, schema: Schema) -> str:
    """The function of a resolved tree of which it does not show whether an argument has a subtype; or ''."""
    stored = _stored(tree, schema)
    for node in tree.find_all(exp.Anonymous):
        given = [each.this if isinstance(each, exp.Order) else each for each in node.expressions]
        given = [each.expressions[0] if isinstance(each, exp.Distinct) else each for each in given]
        if _reads_subtypes(node.name) and not all(_shows(each, stored) for each in given):
            return node.name
    return ""


def _stored(tree: exp.Expression, schema: Schema) -> set[tuple[str, str]]:
    """The columns, by the alias of their source, that are columns of tables, or of derived ones of these."""
    ctes = {each.alias: each.this for each in tree.find_all(exp.CTE)}
    bodies = [(each.alias, each.this) for each in tree.find_all(exp.Subquery)]
    found = set[tuple[str, str]]()
    for source in tree.find_all(exp.Table):
        table = schema.table(source.name)
        if source.name in ctes:
            bodies.append((source.alias, ctes[source.name]))
        elif table is not None:
            found |= {(source.alias, column.name) for column in table.columns if not column.generated}
    while True:
        more = {
            (alias, each.alias)
            for alias, body in bodies
            for each in (body.expressions if isinstance(body, exp.Select) else ())
            if isinstance(each.this, exp.Column) and (each.this.text("table"), each.this.name) in found
        }
        if more <= found:
            return found
        found |= more


def _shows(argument: exp.Expression, stored: Collection[tuple[str, str]]) -> bool:
    inner = _called(argument)
    # What it reads of subtypes itself is asked about where it stands.
    return (inner is not None and _may_give_subtype(inner[0])) or _has_none(argument, stored)


def _has_none(node: exp.Expression, stored: Collection[tuple[str, str]]) -> bool:
    """Whether the value of an expression has no subtype: functions of JSON give it, and some hand it on."""
    if isinstance(node, exp.Column):
        return (node.text("table"), node.name) in stored
    if isinstance(node, _WITHOUT):
        return True
    inner, row = _called(node), function_of(node)
    if isinstance(node, exp.Query | exp.Subquery) or (inner is not None and _may_give_subtype(inner[0])):
        return False
    if row is not None and not row.passes and row.sort is not FunctionSort.WINDOW:
        return True
    return all(_has_none(each, stored) for each in node.iter_expressions())


def _reads_subtypes(name: str) -> bool:
    return name.upper() in _readers()


def _may_give_subtype(name: str) -> bool:
    return name.upper().startswith(("JSON", "->"))


def _called(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    sign = _OPERATORS.get(type(node))
    return uncall(node) if sign is None else (sign, [node.this, node.expression])


def _flags(name: str) -> int:
    """The flags that all functions of a name have; all flags if SQLite has none of that name."""
    return reduce(and_, (each.flags for each in _catalogue().get(name.upper(), ())), -1)


@cache
def _readers() -> frozenset[str]:
    return frozenset(each.name.upper() for each in entries() if each.flags & _READS_SUBTYPES)


@cache
def _catalogue() -> dict[str, list[FunctionEntry]]:
    return grouped_by(lambda entry: entry.name.upper(), [each for each in entries() if each.is_scalar])


@dataclass(frozen=True, slots=True)
class FunctionEntry:
    """A function of the core's SQLite, as ``pragma_function_list`` has it."""

    name: str
    is_scalar: bool
    count: int
    """The number of its arguments; below 0: any, or any from some number on."""
    flags: int


@cache
def entries() -> tuple[FunctionEntry, ...]:
    """The functions of the core's SQLite, by name."""
    listed = "SELECT DISTINCT name, type = 's', narg, flags FROM pragma_function_list ORDER BY 1, 3"
    with closing(Connection()) as connection:
        return tuple(FunctionEntry(name, bool(one), *rest) for name, one, *rest in connection.execute(listed))
