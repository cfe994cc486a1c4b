"""Functions in FROM, and aggregates that the algebra lacks, as symbols of core trees.

Rows of a function in FROM are numbered: they are those up to a number, which is a symbol of the function's
arguments, as is each column of the row of a number.  An aggregate is a symbol of what is gathered of its
rows, a sum or a list of ``CORE_ELEMENT``s, as :mod:`equiv.dialects.typed.lowering.bags` argues: each stands
for a row's arguments, and for the keys of an ORDER BY within the call.

The tree that SQLite runs has such a source as ``exp.Table`` whose ``this`` is the call, and such an ORDER BY
as ``exp.Order`` in the place of the last argument, which it has as ``this``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from sqlglot import exp

from equiv.cells import Cell
from equiv.core.building import call, column, derived, named, numbered, outputs, select
from equiv.core.claims.blocks import base_column, feeds, is_integer_literal, is_padded, source_of
from equiv.core.claims.value_types import collation, conforms, is_binary
from equiv.core.connection import RunnerError
from equiv.core.functions.catalogue import with_subtypes
from equiv.core.functions.symbols import compute_symbol
from equiv.core.functions.table import SETS, function_of, uncall
from equiv.core.functions.traits import (
    MOST_ARGUMENTS,
    TEXTS,
    CallForm,
    Function,
    FunctionSort,
    Nulls,
    OrderDependence,
)
from equiv.core.model import Context, Domain, Schema
from equiv.core.query import UnsupportedError
from equiv.core.recursion import ColumnSymbol, under_claims
from equiv.core.single_values import Calculator
from equiv.facts import Fact
from equiv.names import UniqueNames, is_same

_CELL, _TEXT = ColumnSymbol("ANY", "affinity BLOB"), ColumnSymbol("TEXT", "affinity BLOB", nulls="SURE_")
_COUNT = ColumnSymbol("WHOLE", "affinity NONE", nulls="STRICT_")
_OF_SETS = {
    "type": _TEXT,
    "fullkey": _TEXT,
    "path": _TEXT,
    "id": ColumnSymbol("WHOLE", "affinity BLOB", nulls="SURE_"),
    "parent": ColumnSymbol("WHOLE", "affinity BLOB"),
}
"""Columns of which more is known than that they are values; https://sqlite.org/json1.html#jeach."""


def without_idle_orders(tree: exp.Expression) -> None:
    """Take the ORDER BY from aggregates in whose value no order shows, in place."""
    for node, function in _aggregates(tree):
        if function.order is OrderDependence.NO and (order := _order(node)) is not None:
            order.replace(order.this)


def with_symbols_of_rows(
    tree: exp.Expression, schema: Schema
) -> tuple[exp.Expression, tuple[Fact, ...]] | None:
    """The tree in which symbols stand for functions in FROM and for aggregates that the algebra lacks.

    Returns:
        The tree, and the facts by which the arguments of aggregates hold what their types say; None if it
        would be the same tree.

    Raises:
        UnsupportedError: symbols cannot stand for one of these.
    """
    calls_any = any(_is_unknown(*each) for each in _aggregates(tree))
    if not (calls_any or any(_functions(tree)) or any(_searches(tree))):
        return None
    found, facts, ctx = tree.copy(), dict[Fact, None](), under_claims(schema)
    names = UniqueNames(each.alias_or_name for each in found.find_all(exp.Table, exp.Subquery, exp.CTE))
    sources = list(_functions(found))
    for source in sources:
        source.replace(_rows(source, names))
    searches = list(_searches(found))
    if searches and not _finds_rowids(found, ctx):
        raise UnsupportedError("Match", "MATCH beside an equation of a rowid that may be of no integer")
    for search in searches:
        search.replace(_search(search, schema))
    calls = [(node, function) for node, function in _aggregates(found) if _is_unknown(node, function)]
    # Inner ones first: an argument moves with its call.
    for node, function in reversed(calls):
        _replace(node, function, ctx, facts)
    return found, tuple(facts)


def with_first_rows(tree: exp.Expression, schema: Schema) -> exp.Expression:
    """The tree of which data is made.

    What stands first in a document stands for its rows, and for what MATCH finds what LIKE does.
    """
    found = tree.copy()
    for search in list(_searches(found)):
        text = exp.Literal.string(f"%{search.expressions[0].name}%")
        found_in: exp.Expression = exp.false()
        for each in _read_by(search, schema):
            found_in = exp.Or(this=found_in, expression=exp.Like(this=each, expression=text.copy()))
        search.replace(found_in)
    for source in list(_functions(found)):
        document, *path = source.this.expressions
        start = path[0].name if path and isinstance(path[0], exp.Literal) else "$"
        place = "[0][0]" if source.this.name.endswith("TREE") else "[0]"
        first = call("JSON_EXTRACT", document, exp.Literal.string(f"{start}{place}"))
        rows = derived(select([named(first.copy(), each) for each in SETS[source.this.name]]), source.alias)
        rows.set("lateral", True)
        source.replace(rows)
    return found


def _searches(tree: exp.Expression) -> Iterator[exp.Expression]:
    """The calls of MATCH."""
    return (each for each in tree.find_all(exp.Anonymous) if each.name == "MATCH")


def _read_by(search: exp.Expression, schema: Schema) -> list[exp.Expression]:
    """The columns that a call of MATCH reads."""
    place = search.expressions[1]
    source = source_of(place)
    table = None if source is None else schema.table(source.name)
    assert table is not None
    names = [each.name for each in table.columns if not each.hidden]
    names = names if is_same(place.name, table.name) else [place.name]
    return [column(place.text("table"), name) for name in names]


def _finds_rowids(tree: exp.Expression, ctx: Context) -> bool:
    """Whether what rowids of FTS5 tables are equal to is never NULL and always an integer.

    Beside MATCH, FTS5 takes ``rowid = 2.0`` and ``rowid = NULL`` for no condition at all, and SQLite puts a
    constant in the place of a column that is equal to it.
    """
    compared = [each for each in tree.walk() if isinstance(each, exp.EQ | exp.NullSafeEQ | exp.In)]
    pairs = [pair for each in compared for pair in _equated(each)]
    known = [each for pair in pairs for each in pair if _is_rowid(each, ctx, searched=True)]
    while known:
        of_known = [other for one, other in (*pairs, *((b, a) for a, b in pairs)) if one in known]
        if not all(_is_whole(each) or _is_rowid(each, ctx) for each in of_known):
            return False
        if all(_is_whole(each) or each in known for each in of_known):
            return True
        known += [each for each in of_known if not _is_whole(each)]
    return True


def _equated(node: exp.Expression) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """What a comparison, or IN, holds against each other, value by value."""
    query = node.args.get("query")
    others = [node.expression] if query is None and not isinstance(node, exp.In) else node.expressions
    for other in others if query is None else [query]:
        yield from zip(_fields(node.this), _fields(other), strict=False)


def _fields(node: exp.Expression) -> list[exp.Expression]:
    if isinstance(node, exp.Subquery):
        return [each.this for each in outputs(node.this)]
    return list(node.expressions) if isinstance(node, exp.Tuple) else [node]


def _is_whole(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and is_integer_literal(node)


def _is_rowid(node: exp.Expression, ctx: Context, *, searched: bool = False) -> bool:
    """Whether an operand is a rowid and never NULL; ``searched``: whether it may be one of an FTS5 table."""
    if not isinstance(node, exp.Column):
        return False
    base = base_column(node, ctx)
    if base is not None:
        is_its = base[0].rowid_alias == base[1].name and (searched or not is_padded(node))
        return is_its and (base[0].is_searched or not searched)
    fed = [_is_rowid(each, ctx, searched=searched) for each in feeds(node) or ()]
    return any(fed) if searched else bool(fed) and all(fed) and not is_padded(node)


def _search(search: exp.Expression, schema: Schema) -> exp.Expression:
    """A symbol of what is sought and of the texts of the row."""
    read = _read_by(search, schema)
    source = source_of(search.expressions[1])
    assert source is not None
    shown = f"{source.name}.{search.expressions[1].name} MATCH {{0}}"
    kind = ColumnSymbol("WHOLE", "affinity NONE")
    return kind.of(shown, ["any"] * (1 + len(read)), [search.expressions[0], *read])


def _functions(tree: exp.Expression) -> Iterator[exp.Expression]:
    """The sources that are functions."""
    return (each for each in tree.find_all(exp.Table) if isinstance(each.this, exp.Anonymous))


def _rows(source: exp.Expression, names: UniqueNames) -> exp.Expression:
    """The rows of a function in FROM."""
    arguments, alias = source.this.expressions, names.fresh("numbers")
    name, within = source.this.name, column(alias, "n")
    shown = f"{name}({', '.join(f'{{{at}}}' for at in range(len(arguments)))})"
    kinds, columns = ["any"] * len(arguments), SETS[name]
    at = f"{shown} at {{{len(arguments)}}}"
    cells = [
        _OF_SETS.get(each, _CELL).of(f"{each} of {at}", [*kinds, "whole"], [*arguments, within])
        for each in columns
    ]
    last = _COUNT.of(f"rows of {shown}", kinds, arguments)
    asked = f"{name}({', '.join(f'?{at + 1}' for at in range(len(arguments)))})"
    for what, cell in zip(columns, cells, strict=True):
        _let_compute(cell, f"(SELECT {what} FROM {asked} LIMIT 1 OFFSET ?{len(arguments) + 1} - 1)")
    _let_compute(last, f"(SELECT COUNT(*) FROM {asked})")
    rows = derived(numbered(alias, cells, columns, exp.LTE(this=within, expression=last)), source.alias)
    rows.set("lateral", True)
    return rows


def _let_compute(symbol: exp.Expression, expression: str) -> None:
    """Let a symbol have the value that SQLite computes; NULL where it raises an error."""

    def compute(given: tuple[Cell, ...]) -> tuple[Cell]:
        try:
            return (_SQLITE.value(expression, given),)
        except (RunnerError, OverflowError):
            return (None,)

    compute_symbol(symbol.expressions[0].name, compute)


_SQLITE = Calculator()


def _aggregates(tree: exp.Expression) -> Iterator[tuple[exp.Expression, Function]]:
    for node in tree.walk():
        function = function_of(node)
        if (
            function is not None
            and function.sort is FunctionSort.AGGREGATE
            and isinstance(node, exp.Expression)
        ):
            yield node, function


def _order(node: exp.Expression) -> exp.Order | None:
    """The ORDER BY within a call of an aggregate."""
    _, arguments = uncall(node) or ("", [])
    return arguments[-1] if arguments and isinstance(arguments[-1], exp.Order) else None


def _is_unknown(node: exp.Expression, function: Function) -> bool:
    return function.form is CallForm.NONE or _order(node) is not None


def _replace(node: exp.Expression, function: Function, ctx: Context, facts: dict[Fact, None]) -> None:
    """Put a symbol in the place of a call of an aggregate, its FILTER and OVER within."""
    order, (_, arguments) = _order(node), uncall(node) or ("", [])
    arguments = [each.this if each is order else each for each in arguments]
    is_distinct = isinstance(arguments[0], exp.Distinct)
    if is_distinct:
        arguments[0] = arguments[0].expressions[0]
    keys = [] if order is None else [each for each in order.expressions if each.find(exp.Column) is not None]
    if is_distinct and not all(_is_identical(each, ctx, facts) for each in arguments):
        raise UnsupportedError("Distinct", f"equal values that may differ in {function.name}(DISTINCT …)")
    # Rows that such keys do not order have identical arguments.
    sorted_by = [each.this for each in keys]
    is_bag = function.order is OrderDependence.NO or all(
        isinstance(each, exp.Literal) or (each in sorted_by and _is_identical(each, ctx, facts))
        for each in arguments
    )
    text, values = with_subtypes(function.name, arguments)
    values += [_without_collation(each.this) for each in keys]
    if len(values) >= MOST_ARGUMENTS:
        raise UnsupportedError("AggFunc", f"{function.name} of many arguments")
    ways = ", ".join(f"?{_way(each, ctx)}" for each in keys)
    name, _, inside = text.removesuffix(")").partition("(")
    shown = f"{name}({'DISTINCT ' * is_distinct}{inside}{f' ORDER BY {ways}' * bool(keys)})"
    places = count()
    element = call("ELEMENT", *(each.copy() for each in values))
    gathered: exp.Expression = exp.Distinct(expressions=[element]) if is_distinct else element
    gathered = exp.Sum(this=gathered) if is_bag else exp.GroupConcat(this=gathered)
    whole = _with_filter(node, arguments[0].copy() if function.nulls is Nulls.NOTHING else None)
    node.replace(gathered)
    sort = "TEXT" if function.results == TEXTS else "ANY"
    kind = ColumnSymbol(sort, "affinity NONE", nulls=_NULLS.get(function.nulls, ""))
    signature = re.sub(r"\?", lambda _: f"{{{next(places)}}}", shown)
    whole = gathered if whole is node else whole
    marker = exp.Null()
    whole.replace(marker)
    marker.replace(kind.of(signature, ["any"] * len(values), (whole,)))


_NULLS = {Nulls.NEVER: "SURE_", Nulls.NOTHING: "EXACT_"}


def _with_filter(node: exp.Expression, value: exp.Expression | None) -> exp.Expression:
    """A call with its FILTER and OVER; without the rows whose value is NULL, if one is given."""
    if value is not None:
        is_there = exp.Not(this=exp.Is(this=value, expression=exp.Null()))
        if isinstance(node.parent, exp.Filter):
            where = node.parent.expression
            where.set("this", exp.And(this=where.this, expression=is_there))
        else:
            node.replace(around := exp.Filter(expression=exp.Where(this=is_there)))
            around.set("this", node)
    while isinstance(node.parent, exp.Filter | exp.Window) and node.arg_key == "this":
        node = node.parent
    return node


def _is_identical(node: exp.Expression, ctx: Context, facts: dict[Fact, None]) -> bool:
    """Whether values of an expression that are equal are identical, by facts that are added."""
    claims = (conforms(node, domain, ctx) for domain in (Domain.TEXT, Domain.INTEGER))
    held = next((claim for claim in claims if claim is not None), None)
    if held is None or not is_binary(node, ctx):
        return False
    facts.update(dict.fromkeys(held))
    return True


def _without_collation(node: exp.Expression) -> exp.Expression:
    return _without_collation(node.this) if isinstance(node, exp.Collate) else node


def _way(key: exp.Expression, ctx: Context) -> str:
    """The manner in which a key orders.

    Raises:
        UnsupportedError: its collation is not known.
    """
    sequence = collation(key.this, ctx)
    if sequence is None:
        raise UnsupportedError("Collate", "the collation of a key in an aggregate")
    first = key.args.get("nulls_first")
    nulls = "" if first is None else f" NULLS {'FIRST' if first else 'LAST'}"
    named = "" if sequence in ("", "BINARY") else f" COLLATE {sequence}"
    return f"{named}{' DESC' * bool(key.args.get('desc'))}{nulls}"
