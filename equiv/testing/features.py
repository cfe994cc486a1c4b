"""Features of SQL: the ones that random queries may use, and the ones that a query does use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from sqlglot import exp

from equiv.dialects.registry import reference
from equiv.errors import InputError


class Feature(StrEnum):
    """A part of SQL that random queries may use (closed list)."""

    JOINS = "joins"
    """Several row sources in one FROM, with inner and cross joins."""
    OUTER_JOINS = "outer_joins"
    """LEFT, RIGHT and FULL JOIN."""
    AGGREGATES = "aggregates"
    """COUNT, SUM and the like, with DISTINCT, FILTER and CASE in them."""
    GROUPS = "groups"
    """GROUP BY."""
    HAVING = "having"
    """HAVING, with or without GROUP BY."""
    SUBQUERIES = "subqueries"
    """EXISTS, IN (SELECT …) and scalar subqueries, correlated or not."""
    DERIVED_TABLES = "derived_tables"
    """Queries in FROM."""
    CTES = "ctes"
    """WITH."""
    SET_OPERATIONS = "set_operations"
    """UNION, UNION ALL, INTERSECT, EXCEPT."""
    WINDOWS = "windows"
    """Window functions."""
    DISTINCT = "distinct"
    """SELECT DISTINCT."""
    ORDER = "order"
    """ORDER BY at the end of a query."""
    LIMIT = "limit"
    """LIMIT and OFFSET."""


ALL = frozenset(Feature)

Features = frozenset[Feature]


def features_named(names: Iterable[str]) -> Features:
    """The features of some names.

    Raises:
        InputError: there is no such feature.
    """
    known = {str(feature): feature for feature in Feature}
    if isinstance(names, str):
        raise InputError(f"features takes a sequence of names, not a single str: {names!r}")
    asked = list(map(str, names))
    if unknown := [name for name in asked if name not in known]:
        raise InputError(f"unknown feature {unknown[0]!r}; choose among {', '.join(known)}")
    return frozenset(known[name] for name in asked)


def features_of(sql: str) -> Features:
    """The features that a query uses.

    Raises:
        GrammarError: it cannot be read.
    """
    return frozenset(feature for node in reference().parse(sql).walk() for feature in _of_node(node))


def uses_only(sql: str, allowed: Features) -> bool:
    """Whether a query uses none but some features."""
    return allowed == ALL or features_of(sql) <= allowed


_NODES: tuple[tuple[tuple[type[exp.Expr], ...], Feature], ...] = (
    ((exp.Window,), Feature.WINDOWS),
    ((exp.Group,), Feature.GROUPS),
    ((exp.Having,), Feature.HAVING),
    ((exp.CTE,), Feature.CTES),
    ((exp.SetOperation,), Feature.SET_OPERATIONS),
    ((exp.Limit, exp.Offset), Feature.LIMIT),
)
"""Features that a node shows wherever it stands."""


def _of_node(node: exp.Expr) -> Iterator[Feature]:
    yield from (feature for kinds, feature in _NODES if isinstance(node, kinds))
    match node:
        case exp.Join():
            yield Feature.OUTER_JOINS if node.text("side") else Feature.JOINS
        case exp.AggFunc():
            if not isinstance(node.parent, exp.Window):
                yield Feature.AGGREGATES
        case exp.Order():
            if isinstance(node.parent, exp.Query):
                yield Feature.ORDER
        case exp.Select():
            if node.args.get("distinct"):
                yield Feature.DISTINCT
            yield from _of_place(node)


def _of_place(select: exp.Select) -> Iterator[Feature]:
    """Where a SELECT stands."""
    node: exp.Expr | None = select.parent
    while isinstance(node, exp.SetOperation | exp.Subquery):
        above = node.parent
        if isinstance(node, exp.Subquery) and isinstance(above, exp.From | exp.Join):
            yield Feature.DERIVED_TABLES
            return
        node = above
    if node is not None and not isinstance(node, exp.CTE):
        yield Feature.SUBQUERIES
