"""PIVOT and UNPIVOT whose columns the text says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.scope import Node, Scope, Visible
from equiv.dialects.duckdb.resolving.tree import NotDistinct, Qualified, Unpivoted, comparison
from equiv.dialects.duckdb.resolving.types import BOOLEAN, VARCHAR, DuckType
from equiv.dialects.typed import tree as t

_MOST = 40
"""Columns that a PIVOT makes."""


def pivoted(node: Node, scope: Scope) -> t.FromSource:
    """The source that a PIVOT or UNPIVOT is.

    Raises:
        UnsupportedError: its columns hang on rows, or it is of a form that is not known.
    """
    from equiv.dialects.duckdb.resolving.sources import from_clause

    item, shown = from_clause(node["source"], scope)
    shown = [each for each in shown if each.plain is not None]
    names = [each.name.lower() for each in shown]
    if item is None or len(set(names)) < len(names):
        raise UnsupportedError("Pivot", "of columns with one name")
    if node.get("unpivot_names"):
        return _unpivoted(node, item, shown, scope)
    return _pivoted(node, item, shown, scope)


def _pivoted(node: Node, item: t.FromItem, shown: Sequence[Visible], scope: Scope) -> t.FromSource:
    """A row for each group, and a column for each combination of values and each aggregate."""
    within = scope.over(shown)
    keys = [_entries(each, within) for each in node["pivots"]]
    aggregates = [(_alias(each), each) for each in node["aggregates"]]
    used = {name for each in (*node["pivots"], *node["aggregates"]) for name in _columns_in(each)}
    grouped = [str(each).lower() for each in node.get("groups") or ()]
    left = [
        each for each in shown if (each.name.lower() in grouped if grouped else each.name.lower() not in used)
    ]
    if grouped and len(left) != len(grouped):
        raise UnsupportedError("Pivot", "grouped by what is no column")
    targets = [t.ResultColumn(_plain(each), each.name) for each in left]
    combinations = list(product(*keys))
    if not combinations or not aggregates or len(combinations) * len(aggregates) > _MOST:
        raise UnsupportedError("Pivot", "of no value, no aggregate, or of many")
    for entries in combinations:
        for alias, each in aggregates:
            parts = [entry[0] for entry in entries]
            parts += [alias] if alias or len(aggregates) > 1 else []
            targets.append(
                t.ResultColumn(_filtered(each, [entry[1] for entry in entries], within), "_".join(parts))
            )
    inner = Qualified(
        tuple(targets), (item,), None, t.GroupBy(tuple(map(_plain, left))) if left else None, None,
        distinct=False, distinct_on=(), order=(), limit=None, ctes=(), aggregates=True,
    )  # fmt: skip
    names = tuple(each.name for each in targets)
    return t.DerivedTable(
        next(scope.session.numbers), str(node.get("alias") or "unnamed_pivot"), names, inner
    )


def _plain(shown: Visible) -> t.Expr:
    assert shown.plain is not None
    return shown.plain


def _alias(node: Node) -> str:
    return str(node.get("alias") or "")


def _entries(pivot: Node, scope: Scope) -> list[tuple[str, t.Expr]]:
    """The name of each value that a column is pivoted on, and the condition that a row has it."""
    from equiv.dialects.duckdb.resolving.expressions import converted, resolved

    if pivot.get("pivot_enum") or pivot.get("subquery") or len(pivot["pivot_expressions"]) != 1:
        raise UnsupportedError("Pivot", "on several columns at once, an enumeration or a subquery")
    if not pivot.get("entries"):
        raise UnsupportedError("Pivot", "on the values that rows have")
    # The values are compared as texts.
    subject = converted(resolved(pivot["pivot_expressions"][0], scope), VARCHAR, written=True)
    found: list[tuple[str, t.Expr]] = []
    for entry in pivot["entries"]:
        value = entry.get("star_expr")
        if value is None or value["class"] != "CONSTANT" or value["literal"]["kind"] == "NULL_LITERAL":
            raise UnsupportedError("Pivot", "on what is no constant")
        text = str(value["literal"]["text"])
        constant = t.TypedConstant(VARCHAR, text)
        test = t.IsDistinct(BOOLEAN, comparison("=", subject, constant), subject, constant)
        found.append((_alias(entry) or _alias(value) or text, NotDistinct(BOOLEAN, "not", (test,))))
    return found


def _filtered(node: Node, tests: Sequence[t.Expr], scope: Scope) -> t.Expr:
    from equiv.dialects.duckdb.resolving.expressions import resolved

    found = resolved(node, scope)
    if not isinstance(found, t.AggregateCall) or found.filter is not None:
        raise UnsupportedError("Pivot", "USING what is no plain aggregate")
    test = tests[0] if len(tests) == 1 else t.Logic(BOOLEAN, "and", tuple(tests))
    return t.AggregateCall(
        found.type, found.routine, found.arguments, found.star, found.distinct, found.order, test
    )


def _columns_in(node: object) -> Iterator[str]:
    """The names of the columns that a part of a tree mentions, in lower case."""
    if isinstance(node, list):
        for each in node:
            yield from _columns_in(each)
    elif isinstance(node, dict):
        if node.get("class") == "COLUMN_REF":
            yield str(node["column_names"][-1]).lower()
        for each in node.values():
            yield from _columns_in(each)


def _unpivoted(node: Node, item: t.FromItem, shown: Sequence[Visible], scope: Scope) -> t.FromSource:
    """A row for each row and column that is named, with the column's name and the row's value there."""
    from equiv.dialects.duckdb.resolving.expressions import places, unified

    pivot, *others = node["pivots"]
    value_names, name_names = node["unpivot_names"], pivot.get("unpivot_names") or []
    if others or len(value_names) != 1 or len(name_names) != 1:
        raise UnsupportedError("Unpivot", "into several columns")
    at = {each.name.lower(): place for place, each in enumerate(shown)}
    chosen = [_unpivot_entry(entry, at) for entry in pivot["entries"]]
    if not chosen:
        raise UnsupportedError("Unpivot", "of no column")
    kept = [place for place in range(len(shown)) if place not in {each for _, each in chosen}]
    fields = [each.plain for each in shown if isinstance(each.plain, t.SourceColumn)]
    if not isinstance(item, t.TableUse | t.DerivedTable | t.CommonTableUse) or len(fields) < len(shown):
        raise UnsupportedError("Unpivot", "of a join")
    values = [_plain(shown[place]) for _, place in chosen]
    kind = _type_of(values[0])
    if len(values) > 1:
        kind, same = unified(values, f"COALESCE({places(len(values))})", scope)
        if same != values:
            raise UnsupportedError("Unpivot", "of columns of several types")
    columns = (*(shown[place].name for place in kept), str(name_names[0]), str(value_names[0]))
    return Unpivoted(
        next(scope.session.numbers), str(node.get("alias") or "unnamed_pivot"), columns, item, tuple(fields),
        tuple(kept), tuple(chosen), kind, bool(node.get("include_nulls")),
    )  # fmt: skip


def _type_of(value: t.Expr) -> DuckType:
    assert isinstance(value.type, DuckType)
    return value.type


def _unpivot_entry(entry: Node, at: dict[str, int]) -> tuple[str, int]:
    """The name that an entry of UNPIVOT shows, and the place of its column."""
    node = entry.get("star_expr")
    if node is None or node["class"] != "COLUMN_REF" or len(node["column_names"]) != 1:
        raise UnsupportedError("Unpivot", "of what is no column")
    name = str(node["column_names"][0])
    if name.lower() not in at:
        raise UnsupportedError("Unpivot", f"of {name}, which is no column")
    if _alias(entry) or _alias(node):
        raise UnsupportedError("Unpivot", "with an alias of a column")
    return name, at[name.lower()]
