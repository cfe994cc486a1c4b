"""The conditions of a query as goals over *slots*: one slot for each use of a base table.

A row combination assigns one row to each slot; it reaches the answer of a
query, as a rule, if every goal of the query holds for it.  Goals steer the
choice of rows and nothing else, so they may be approximate: an aggregate
stands for its argument, a derived column for what it is computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from equiv.schema.model import Schema
from equiv.sql import to_sql

Place = tuple[int, str]
"""A slot's number and a column's name: one cell of a row combination."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A condition without AND, OR and NOT; columns are written ``s<slot>.<column>``."""

    sql: str
    places: tuple[Place, ...]
    node: exp.Expression = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Same:
    """Two places hold equal values."""

    left: Place
    right: Place


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Some:
    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Opposite:
    part: Goal


Goal = Leaf | Same | All | Some | Opposite


@dataclass
class Slots:
    """Numbers the uses of base tables, so that the n-th use of a table is one slot for both queries."""

    tables: list[str] = field(default_factory=list)
    _numbers: dict[tuple[str, int], int] = field(default_factory=dict)

    def number(self, table: str, use: int) -> int:
        """The slot of the ``use``-th use of a table."""
        if (table, use) not in self._numbers:
            self._numbers[table, use] = len(self.tables)
            self.tables.append(table)
        return self._numbers[table, use]


class Opaque(Exception):
    """An expression depends on something that is no cell: a count, a window, a recursive CTE."""


_MAX_DEPTH = 8


class Reader:
    """Reads the goals of one resolved tree.

    Attributes:
        leaves: every leaf read so far, those inside CASE and the like included.
        opaque: conditions that depend on counts or windows.
    """

    def __init__(self, tree: exp.Query, schema: Schema, slots: Slots) -> None:
        self.tree = tree
        self.leaves: list[Leaf] = []
        self.opaque: list[exp.Expression] = []
        self.slot_of: dict[str, int] = {}
        self._of_groups: list[Goal] = []
        self._derived: dict[str, exp.Expression] = {}
        self._visited: set[int] = set()
        ctes = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}
        uses: dict[str, int] = {}
        for node in tree.walk(bfs=False):
            if isinstance(node, exp.Table):
                table = schema.table(node.name)
                if node.name in ctes:
                    self._derived[node.alias_or_name] = ctes[node.name]
                elif table is not None:
                    uses[table.name] = uses.get(table.name, -1) + 1
                    self.slot_of[node.alias_or_name] = slots.number(table.name, uses[table.name])
            elif isinstance(node, exp.Subquery) and node.alias:
                self._derived[node.alias] = node.this

    def goals(self) -> tuple[Goal, ...]:
        """The conjuncts that a row combination should satisfy."""
        return tuple(dict.fromkeys(_conjuncts(self._block(self.tree))))

    def asides(self) -> tuple[Goal, ...]:
        """Conditions that choose a value or a group, not a row: in CASE, IIF, FILTER, HAVING.

        To be called after :meth:`goals`.
        """
        found: list[Goal | None] = [*self._of_groups]
        for select in self.tree.find_all(exp.Select):
            order = select.args.get("order")
            for part in (*select.expressions, *(order.expressions if order else ())):
                found += [self._goal(node) for node in _conditions(part)]
        return tuple(dict.fromkeys(goal for goal in found if goal is not None))

    def place(self, column: exp.Column) -> Place | None:
        """The cell that a column reference reads, or None if it is a derived column."""
        slot = self.slot_of.get(column.table)
        return None if slot is None else (slot, column.name)

    def ground(self, node: exp.Expression, depth: int = 0) -> exp.Expression:
        """A copy of an expression over cells alone.

        Raises:
            Opaque: it depends on something else.
        """
        if depth > _MAX_DEPTH:
            raise Opaque

        def swap(part: exp.Expression) -> exp.Expression:
            match part:
                case exp.Column():
                    return self._trace(part, depth)
                case exp.Window() | exp.Exists():
                    raise Opaque
                case exp.Filter():
                    return self.ground(part.this, depth)
                case exp.Anonymous() if str(part.this).upper() == "TOTAL":
                    return self.ground(part.expressions[0], depth)
                case exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
                    inner = part.this
                    return self.ground(inner.expressions[0] if isinstance(inner, exp.Distinct) else inner, depth)
                case exp.AggFunc():
                    raise Opaque
                case exp.Query():
                    return self.ground(_output(part), depth + 1)
            return part

        return node.transform(swap)

    def _trace(self, column: exp.Column, depth: int) -> exp.Expression:
        place = self.place(column)
        if place is not None:
            return exp.column(place[1], table=f"s{place[0]}", quoted=True)
        query = self._derived.get(column.table)
        if query is None:
            raise Opaque
        return self.ground(_output(query, column.name), depth + 1)

    def _block(self, query: exp.Expression | None) -> Goal:
        """What the rows behind a query satisfy."""
        while isinstance(query, exp.Subquery):
            query = query.this
        if query is None or id(query) in self._visited:
            return All(())
        self._visited.add(id(query))
        if isinstance(query, exp.SetOperation):
            return _all((self._block(query.left), self._block(query.right)))
        parts: list[Goal | None] = []
        joins = query.args.get("joins") or ()
        origin = query.args.get("from_")
        for source in (*((origin.this,) if origin else ()), *(join.this for join in joins)):
            parts.append(self._block(self._derived.get(source.alias_or_name)))
        parts += [self._goal(join.args.get("on")) for join in joins]
        if query.args.get("where"):
            parts.append(self._goal(query.args["where"].this))
        if query.args.get("having"):
            parts += self._having(query.args["having"].this)
        parts += [self._block(sub) for part in query.expressions for sub in part.find_all(exp.Subquery)]
        return _all(parts)

    def _having(self, condition: exp.Expression) -> Iterator[Goal]:
        """The goals of a HAVING; what it asks of aggregates is no goal, since no single row can meet it."""
        for node in condition.flatten() if isinstance(condition, exp.And) else (condition,):
            goal = self._goal(node)
            if goal is not None and node.find(exp.AggFunc) is None:
                yield goal
            elif goal is not None:
                self._of_groups.append(goal)

    def _goal(self, node: exp.Expression | None) -> Goal | None:
        match node:
            case None:
                return None
            case exp.And():
                return _all((self._goal(node.left), self._goal(node.right)))
            case exp.Or():
                parts = tuple(p for p in (self._goal(node.left), self._goal(node.right)) if p is not None)
                return Some(parts) if len(parts) > 1 else next(iter(parts), None)
            case exp.Not():
                inner = self._goal(node.this)
                return None if inner is None else Opposite(inner)
            case exp.Exists():
                return self._block(node.this)
            case exp.In() if node.args.get("query"):
                query = node.args["query"]
                link = exp.EQ(this=node.this.copy(), expression=_output(query).copy())
                return _all((self._leaf(link), self._block(query)))
        goal = _all((self._leaf(node), *(self._block(sub) for sub in node.find_all(exp.Subquery))))
        return None if goal == All(()) else goal

    def _leaf(self, node: exp.Expression) -> Goal | None:
        try:
            grounded = self.ground(node)
        except Opaque:
            self.opaque.append(node)
            return None
        match grounded:
            case exp.EQ(this=exp.Column() as left, expression=exp.Column() as right):
                return Same(place_of(left), place_of(right))
        places = tuple(dict.fromkeys(place_of(column) for column in grounded.find_all(exp.Column)))
        if not places:
            return None
        leaf = Leaf(to_sql(grounded), places, grounded)
        self.leaves.append(leaf)
        return leaf


def place_of(column: exp.Column) -> Place:
    """The place that a grounded column names."""
    return int(column.table[1:]), column.name


def _output(query: exp.Expression, name: str = "") -> exp.Expression:
    """The expression of a query's first or named output; of its first operand if it is compound."""
    while isinstance(query, exp.Subquery | exp.SetOperation):
        query = query.this
    if not isinstance(query, exp.Select):
        raise Opaque
    for output in query.expressions:
        if not name or output.alias_or_name == name:
            return output.unalias()
    raise Opaque


def _all(parts: Iterable[Goal | None]) -> Goal:
    found = [goal for part in parts if part is not None for goal in _conjuncts(part)]
    return found[0] if len(found) == 1 else All(tuple(found))


def _conjuncts(goal: Goal) -> Iterator[Goal]:
    if isinstance(goal, All):
        for part in goal.parts:
            yield from _conjuncts(part)
    else:
        yield goal


def _conditions(node: exp.Expression) -> Iterator[exp.Expression]:
    """The topmost conditions inside an expression; CASE x WHEN y counts as x = y."""
    for part in node.walk(prune=lambda n: isinstance(n, exp.Predicate | exp.Connector | exp.Not | exp.Subquery)):
        if isinstance(part, exp.Predicate | exp.Connector | exp.Not) and not isinstance(part, exp.Exists):
            yield part
        elif isinstance(part, exp.Case) and part.this is not None:
            for branch in part.args["ifs"]:
                yield exp.EQ(this=part.this.copy(), expression=branch.this.copy())
