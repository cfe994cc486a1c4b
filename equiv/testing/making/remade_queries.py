"""Queries made of a query: with another around it, in another text, or smaller.

A query around it has its column in the place of one of theirs.  What holds of a column need not hold of an
outer one, which has one value for all rows of the query; a rewrite that forgets to ask whose column it is
goes wrong here, and hardly anywhere else.  Another text of the same query is what a near miss is compared
with, since that need not have its shape.  Smaller ones, one part less each, are tried to find the smallest
that still shows a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import cast

from sqlglot import exp

from equiv.core.lexer import GrammarError
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.dialects.registry import reference
from equiv.names import quoted

_OUTER = "around"
"""The alias of the table around, which no query should use."""


def within(queries: Sequence[exp.Expression], schema: Schema) -> Iterator[tuple[str, ...]]:
    """Texts of some queries, each within the same query over a table of theirs; all in one way at a time.

    A column of the table stands, as that of the row around, in the place of what the queries read of
    one of its rows: everywhere, or only in conditions.

    Args:
        queries: resolved trees, which are left as they are.
        schema: has their tables.
    """
    has_one_column = all(len(query.selects) == 1 for query in queries if isinstance(query, exp.Query))
    made = set[tuple[str, ...]]()
    for (table, place, column), only in product(_read(queries[0], schema), (False, True)):
        parts = [_with_outer(query, table, place, column, only_conditions=only) for query in queries]
        texts = tuple(to_sql(part) for part in parts if part is not None)
        if len(texts) == len(queries) and texts not in made:
            made.add(texts)
            for form in _forms(table, column, has_one_column=has_one_column):
                yield tuple(form.format(text) for text in texts)


def _aliases(query: exp.Expression, table: str) -> list[str]:
    return [each.alias_or_name for each in query.find_all(exp.Table) if each.name == table]


def _read(query: exp.Expression, schema: Schema) -> list[tuple[str, int, str]]:
    """Tables that a query reads, with the place of one of their sources and a column that it reads there."""
    names = {table.name for table in query.find_all(exp.Table) if schema.table(table.name) is not None}
    read = {
        (name, place, column.name)
        for name in names
        for place, alias in enumerate(_aliases(query, name))
        for column in query.find_all(exp.Column)
        if column.text("table") == alias
    }
    return sorted(read)


def _with_outer(
    query: exp.Expression, table: str, place: int, column: str, *, only_conditions: bool
) -> exp.Expression | None:
    """The query with an outer column for its own of one source; None if it has none there."""
    copy = query.copy()
    alias = _aliases(copy, table)[place : place + 1]
    places = [
        each
        for each in copy.find_all(exp.Column)
        if [each.text("table")] == alias
        and each.name == column
        and (not only_conditions or each.find_ancestor(exp.Where, exp.Join, exp.Having) is not None)
    ]
    for each in places:
        each.set("table", exp.to_identifier(_OUTER))
    return copy if places else None


def _forms(table: str, column: str, *, has_one_column: bool) -> Iterator[str]:
    """Queries with a place for another one, in braces."""
    key = f"{_OUTER}.{quoted(column)}".replace("{", "{{").replace("}", "}}")
    source = f"FROM {quoted(table)} AS {_OUTER}".replace("{", "{{").replace("}", "}}")
    yield f"SELECT {key} {source} WHERE EXISTS ({{}})"
    yield f"SELECT {key}, (SELECT COUNT(*) FROM ({{}}) AS counted) AS n {source}"
    if has_one_column:
        yield f"SELECT {key}, ({{}}) AS v {source}"
        yield f"SELECT {key} {source} WHERE {key} IN ({{}})"


_AFTER = "WHERE|JOIN|LEFT|RIGHT|FULL|CROSS|GROUP|ORDER|ON|LIMIT|UNION|EXCEPT|INTERSECT"
TABLE = re.compile(rf"\b(FROM|JOIN) (\w+)(?: AS (\w+))?(?= (?:{_AFTER})\b|\)|$)")
CONDITION = re.compile(r"\b(WHERE|HAVING|ON) ")

Disguise = Callable[[str, Random], str]


def disguised(sql: str, random: Random) -> str:
    """The query with its rows said otherwise; order at top level may be lost."""
    for _ in range(random.choice((1, 1, 2))):
        sql = random.choice(DISGUISES)(sql, random)
    return sql


def _with_tables_replaced(
    sql: str, pattern: re.Pattern[str], random: Random, make: Callable[[re.Match[str]], str]
) -> str:
    places = list(pattern.finditer(sql))
    if not places:
        return sql
    place = random.choice(places)
    return sql[: place.start()] + make(place) + sql[place.end() :]


def _wrapped_table(sql: str, random: Random) -> str:
    """A table as a derived one."""
    names = set(re.findall(r"\b(\w+) AS \(", sql))
    inner = random.choice(
        ("SELECT * FROM {0}", "SELECT * FROM {0} WHERE 1 = 1", "SELECT * FROM {0} WHERE NOT 1 = 0")
    )

    def make(place: re.Match[str]) -> str:
        word, table, alias = place.groups()
        return place[0] if table in names else f"{word} ({inner.format(table)}) AS {alias or table}"

    return _with_tables_replaced(sql, TABLE, random, make)


def _idle_condition(sql: str, random: Random) -> str:
    return _with_tables_replaced(
        sql, CONDITION, random, lambda m: f"{m[1]} {random.choice(('1 = 1', '1', 'NOT 1 = 0'))} AND "
    )


DISGUISES: tuple[Disguise, ...] = (
    lambda sql, random: f"SELECT * FROM ({sql}) AS w",
    lambda sql, random: f"WITH w AS ({sql}) SELECT * FROM w" if not sql.startswith("WITH") else sql,
    lambda sql, random: f"SELECT * FROM ({sql}) AS w WHERE EXISTS (SELECT 1)",
    lambda sql, random: f"SELECT DISTINCT * FROM ({sql}) AS w" if "DISTINCT" in sql else sql,
    _wrapped_table,
    _wrapped_table,
    _idle_condition,
)


_CLAUSES = ("with_", "where", "having", "group", "order", "limit", "offset", "distinct")


def reduced(sql: str, is_wanted: Callable[[str], bool], most: int) -> str:
    """The smallest query found by leaving parts out, one after the other, of which a test still holds.

    Args:
        sql: a query of which it holds.
        is_wanted: the test.
        most: how often it may be made.
    """
    seen = {sql}
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in smaller_queries(sql):
            if smaller in seen:
                continue
            if len(seen) > most:
                return sql
            seen.add(smaller)
            if is_wanted(smaller):
                sql, is_smaller = smaller, True
                break
    return sql


def smaller_queries(sql: str) -> Iterator[str]:
    """Texts with one part of a query left out, larger parts first; not all of them are queries."""
    try:
        tree = reference().parse(sql)
    except (GrammarError, RecursionError):
        return
    for inner in list(tree.find_all(exp.Select, exp.SetOperation))[1:]:
        yield to_sql(cast(exp.Expression, inner.copy()))
    for place, node in enumerate(list(tree.walk(bfs=True))):
        for number in range(len(list(_without(node)))):
            changed = tree.copy()
            twin = list(changed.walk(bfs=True))[place]
            new = list(_without(twin))[number]()
            try:
                text = to_sql(_replaced(changed, twin, new))
            except (AttributeError, KeyError, TypeError, ValueError):
                continue
            if len(text) < len(sql):
                yield text


def _replaced(tree: exp.Expression, node: exp.Expr, new: exp.Expr | None) -> exp.Expression:
    """The tree after a change in place (``new`` is None), or with another node at a place."""
    if new is None:
        return tree
    if node is tree:
        return cast(exp.Expression, new)
    node.replace(new)
    return tree


def _without(node: exp.Expr) -> Iterator[Callable[[], exp.Expr | None]]:
    """Ways to make a node smaller: each gives what stands in its place, or changes it and gives None."""
    match node:
        case exp.SetOperation():
            yield node.this.copy
            yield node.expression.copy
        case exp.Select():
            yield from (_dropper(node, name) for name in _CLAUSES if node.args.get(name))
            yield from (_item_dropper(node, "joins", n) for n in range(len(node.args.get("joins") or ())))
            yield from _fewer(node)
            yield from _body(node)
        case exp.Join() if node.text("side"):
            yield _dropper(node, "side")
        case exp.Connector() | exp.Binary():
            yield node.this.copy
            yield node.expression.copy
        case exp.Not() | exp.Paren() | exp.Alias() | exp.Func() | exp.Cast() | exp.Neg() | exp.Filter():
            if isinstance(node.this, exp.Expression) and not isinstance(node.this, exp.Star):
                yield node.this.copy
        case exp.Group() | exp.Order() | exp.In():
            yield from _fewer(node)
    if isinstance(node, exp.SetOperation):
        yield from (_dropper(node, name) for name in _CLAUSES if node.args.get(name))
    if isinstance(node, exp.Case | exp.If):
        default = node.args.get("default") or node.args.get("false")
        if default is not None:
            yield default.copy


def _fewer(node: exp.Expr) -> Iterator[Callable[[], exp.Expr | None]]:
    if len(node.expressions) > 1:
        yield from (_item_dropper(node, "expressions", number) for number in range(len(node.expressions)))


def _body(select: exp.Select) -> Iterator[Callable[[], exp.Expr | None]]:
    """The query in FROM in place of the one around it."""
    clause = select.args.get("from_")
    if clause is not None and isinstance(clause.this, exp.Subquery):
        yield clause.this.this.copy


def _dropper(node: exp.Expr, name: str) -> Callable[[], None]:
    return lambda: node.set(name, None)


def _item_dropper(node: exp.Expr, name: str, number: int) -> Callable[[], None]:
    def drop() -> None:
        node.set(name, [each for n, each in enumerate(node.args[name]) if n != number])

    return drop
