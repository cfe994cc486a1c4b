"""Exact set match (ESM): the clauses of two queries compared as sets, as Spider's evaluation does.

Source: Spider (arXiv 1809.08887, section 6, "exact matching"; ``eval_exact_match`` and its parts in
``evaluation.py``), and what ESM+ (arXiv 2407.07313, sections 3.1 to 3.3 and appendix A.1) says of it.
Reproduced with its faults: join conditions, DISTINCT outside aggregates and the value of LIMIT do not
count; AND and OR are only counted, so that parentheses do not matter; foreign keys are read as the keys
they refer to; tables are known by name, so that two uses of one are the same.  A query outside its
grammar is not read, and so matches nothing; see :mod:`equiv.eval.metrics.switches`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.core.query import Query
from equiv.eval.metrics.switches import is_read, stars_in
from equiv.graphs import components

Keys = Mapping[tuple[str, str], str]
"""Columns by table and name, each as the one that its foreign keys lead to."""


@dataclass(frozen=True, slots=True)
class Block:
    """The clauses of one SELECT, each in the form in which it is compared."""

    select: Counter[str]
    conditions: Counter[str]
    connectives: frozenset[str]
    group: Counter[str]
    having: tuple[tuple[str, ...], tuple[str, ...]]
    """GROUP BY with its tables, and the conditions in order: compared where there is a GROUP BY."""
    order: tuple[str, tuple[str, ...], bool] | None
    """Direction, terms, and whether there is a LIMIT; None without ORDER BY."""
    keywords: frozenset[str]
    tables: tuple[str, ...]
    then: tuple[str, Block] | None = None
    """The set operation that follows, and its other operand."""


def matches(pred: Block | None, gold: Block | None) -> bool:
    """Whether both were read and every clause agrees."""
    return pred is not None and pred == gold


def block_of(query: Query, schema: Schema) -> Block | None:
    """The clauses of a query; None if Spider's tool would not read it."""
    if query.tree is None or not is_read(query):
        return None
    tree = query.tree.copy()
    _name_columns(tree, _keys(schema))
    block = _compound(tree)
    return replace(block, keywords=block.keywords | {f"{stars_in(query.sql)} *"})


def _keys(schema: Schema) -> Keys:
    """Each column with the representative of those that foreign keys tie together."""
    links = [
        ((table.name.lower(), child.lower()), (key.parent.lower(), parent.lower()))
        for table in schema.tables
        for key in table.foreign_keys
        for child, parent in zip(key.columns, key.parent_columns, strict=False)
    ]
    tied = components(dict.fromkeys(place for link in links for place in link), links)
    return {place: min(map(".".join, group)) for group in tied for place in group}


def _name_columns(tree: exp.Expression, keys: Keys) -> None:
    """Write every column as table and name, its foreign keys followed, and every table without alias."""
    bases = {t.alias_or_name: t.name.lower() for t in tree.find_all(exp.Table)}
    for column in tree.find_all(exp.Column):
        table = bases.get(column.table, column.table.lower())
        name = keys.get((table, column.name.lower()), f"{table}.{column.name.lower()}")
        column.set("table", exp.to_identifier(name.partition(".")[0]))
        column.set("this", exp.to_identifier(name.partition(".")[2]))
    for source in tree.find_all(exp.Table):
        source.set("alias", None)
    for projection in list(tree.find_all(exp.Alias)):
        projection.replace(projection.this)


def _compound(tree: exp.Expression) -> Block:
    """A SELECT with the set operations after it, the first one outermost."""
    operands: list[tuple[str, exp.Expression]] = []
    order = tree.args.get("order"), tree.args.get("limit")
    while isinstance(tree, exp.SetOperation):
        operands.insert(0, (type(tree).__name__.lower(), tree.expression))
        tree = tree.this
    last = (operands[-1][1] if operands else tree) if any(order) else None
    if last is not None:
        last.set("order", order[0])
        last.set("limit", order[1])
    found = None
    for number in range(len(operands), 0, -1):
        name, operand = operands[number - 1]
        found = (name, _block(operand, found))
    return _block(tree, found)


def _block(select: exp.Expression, then: tuple[str, Block] | None) -> Block:
    conditions, connectives = _flat(select.args.get("where"))
    having, outer = _flat(select.args.get("having"))
    keys = [_text(key) for key in _expressions(select.args.get("group"))]
    order = select.args.get("order")
    limited = select.args.get("limit") is not None
    terms = tuple(_text(term.this) for term in _expressions(order))
    direction = "desc" if order is not None and order.expressions[-1].args.get("desc") else "asc"
    return Block(
        Counter(_text(expression) for expression in select.expressions),
        Counter(map(_text, conditions)),
        frozenset(connectives),
        Counter(key.rpartition(".")[2] for key in keys),
        (tuple(keys), (*map(_text, having), *outer)) if keys else ((), ()),
        (direction, terms, limited) if terms else None,
        _keywords(select, [*conditions, *having], {*connectives, *outer}, direction if terms else "")
        | (frozenset({then[0]}) if then else frozenset()),
        tuple(sorted(_sources(select))),
        then,
    )


def _sources(select: exp.Expression) -> list[str]:
    start = select.args.get("from_")
    nodes = [] if start is None else [start.this, *(join.this for join in select.args.get("joins") or ())]
    return [node.name.lower() if isinstance(node, exp.Table) else _text(node) for node in nodes]


def _expressions(clause: exp.Expression | None) -> list[exp.Expression]:
    return [] if clause is None else list(clause.expressions)


def _text(node: exp.Expression) -> str:
    return to_sql(node)


def _flat(clause: exp.Expression | None) -> tuple[list[exp.Expression], list[str]]:
    """The conditions of a clause in order, and the connectives between them, without parentheses."""
    if clause is None:
        return [], []
    conditions: list[exp.Expression] = []
    connectives: list[str] = []

    def walk(node: exp.Expression) -> None:
        if isinstance(node, exp.And | exp.Or):
            walk(node.this)
            connectives.append(type(node).__name__.lower())
            walk(node.expression)
        else:
            conditions.append(node)

    walk(clause.this)
    return conditions, connectives


CONTENT: tuple[tuple[str, Callable[[exp.Expression], bool]], ...] = (
    ("not", lambda node: isinstance(node, exp.Not)),
    ("in", lambda node: isinstance(node.this if isinstance(node, exp.Not) else node, exp.In)),
    ("like", lambda node: isinstance(node.this if isinstance(node, exp.Not) else node, exp.Like)),
)
"""Keywords that conditions bring."""


def _keywords(
    select: exp.Expression, conditions: list[exp.Expression], connectives: set[str], direction: str
) -> frozenset[str]:
    found = {name for name in ("where", "group", "having", "limit") if select.args.get(name) is not None}
    found |= {"order", direction} if direction else set()
    found |= connectives & {"or"}
    found |= {name for name, holds in CONTENT if any(map(holds, conditions))}
    return frozenset(found)
