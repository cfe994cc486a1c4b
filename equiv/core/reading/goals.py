"""Goals, read from a query's conditions: what is wanted of a *row combination*, a row for each slot.

A slot is one use of a base table in a query.  A row combination reaches the
answer of a query, as a rule, if every goal of the query holds for it.  Goals
steer the choice of rows and nothing else, so they may be approximate.

An aggregate stands for its argument and a derived column for what it is
computed from; what depends on counts, windows or recursion is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS
from equiv.core.functions.table import function_of
from equiv.core.functions.traits import CallForm, Function, FunctionSort, OrderDependence
from equiv.core.model import Schema
from equiv.core.printing import to_sql

SlotColumn = tuple[int, str]
"""A slot's number and a column's name: one cell of a row combination."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A condition without AND, OR and NOT; columns are written ``s<slot>.<column>``."""

    sql: str
    places: tuple[SlotColumn, ...]
    node: exp.Expr = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SameValue:
    """Two places hold equal values."""

    left: SlotColumn
    right: SlotColumn


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one part holds."""

    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Opposite:
    """The part does not hold."""

    part: Goal


Goal = Leaf | SameValue | All | Some | Opposite


def place_of(column: exp.Column) -> SlotColumn:
    """The place that a grounded column names."""
    return int(column.table[1:]), column.name


def all_of(parts: Iterable[Goal | None]) -> Goal:
    """One goal for several, flat; None stands for no goal."""
    found = [goal for part in parts if part is not None for goal in conjuncts(part)]
    return found[0] if len(found) == 1 else All(tuple(found))


def conjuncts(goal: Goal) -> Iterator[Goal]:
    """The goals that a goal consists of, however its conjunctions nest."""
    if isinstance(goal, All):
        for part in goal.parts:
            yield from conjuncts(part)
    else:
        yield goal


def sames_in(goal: Goal) -> Iterator[SameValue]:
    """The equalities between columns inside a goal."""
    match goal:
        case SameValue():
            yield goal
        case All(parts) | Some(parts):
            for part in parts:
                yield from sames_in(part)
        case Opposite(part):
            yield from sames_in(part)


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


class NotOfCellsError(Exception):
    """An expression depends on something that is not a cell: a count, a window, a recursive CTE."""


_MAX_DEPTH = 8
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)


class ConditionReader:
    """Reads the goals of one resolved tree.

    Attributes:
        leaves: every leaf read so far, those inside CASE and the like included.
        opaque: conditions that depend on counts or windows.
        sums: for bounds on a SUM, that twice its argument meets the bound.
        extremes: conditions on a MIN or MAX of a group.
    """

    def __init__(self, tree: exp.Expr, schema: Schema, slots: Slots) -> None:
        self.tree = tree
        self.leaves: list[Leaf] = []
        self.opaque: list[exp.Expr] = []
        self.sums: list[Leaf] = []
        self.extremes: list[Goal] = []
        self.slot_of: dict[str, int] = {}
        self._of_groups: list[Goal] = []
        self._derived: dict[str, exp.Expr] = {}
        self._visited: set[int] = set()
        self._count_is_one = False
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
        return tuple(dict.fromkeys(conjuncts(self._block(self.tree))))

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

    @property
    def of_groups(self) -> tuple[Goal, ...]:
        """The goals that a HAVING asks of aggregates, each read as one over a single row."""
        return tuple(self._of_groups)

    def derived(self, source: str) -> exp.Expr | None:
        """The query that a source stands for, or None if it is a base table."""
        return self._derived.get(source)

    def place(self, column: exp.Column) -> SlotColumn | None:
        """The cell that a column reference reads, or None if it is a derived column."""
        slot = self.slot_of.get(column.table)
        return None if slot is None else (slot, column.name)

    def ground(self, node: exp.Expr, depth: int = 0) -> exp.Expr:
        """A copy of an expression over cells alone.

        Raises:
            NotOfCellsError: it depends on something else.
        """
        if depth > _MAX_DEPTH:
            raise NotOfCellsError

        def swap(part: exp.Expr) -> exp.Expr:
            match part:
                case exp.Column():
                    return self._trace(part, depth)
                case exp.Window() | exp.Exists():
                    raise NotOfCellsError
                case exp.Filter():
                    return self.ground(part.this, depth)
                case exp.Query():
                    return self.ground(_output(part), depth + 1)
            function = function_of(part)
            if function is not None and function.sort in (FunctionSort.AGGREGATE, FunctionSort.WINDOW):
                return self._of_one(part, function, depth)
            return part

        return node.transform(swap)

    def _of_one(self, call: exp.Expr, function: Function, depth: int) -> exp.Expr:
        """An aggregate over one row as an expression over its cells."""
        if function.name == "COUNT" and self._count_is_one:
            return exp.Literal.number(1)
        if (
            function.name == "COUNT"
            or function.form is not CallForm.AGGREGATE
            or function.order is not OrderDependence.NO
        ):
            raise NotOfCellsError
        inner = call.expressions[0] if isinstance(call, exp.Anonymous) else call.this
        return self.ground(inner.expressions[0] if isinstance(inner, exp.Distinct) else inner, depth)

    def _trace(self, column: exp.Column, depth: int) -> exp.Expr:
        place = self.place(column)
        if place is not None:
            return exp.column(place[1], table=f"s{place[0]}", quoted=True)
        query = self._derived.get(column.table)
        if query is None:
            raise NotOfCellsError
        return self.ground(_output(query, column.name), depth + 1)

    def _block(self, query: exp.Expr | None) -> Goal:
        """The goals that the rows behind a query satisfy."""
        while isinstance(query, exp.Subquery):
            query = query.this
        if query is None or id(query) in self._visited:
            return All(())
        self._visited.add(id(query))
        if isinstance(query, exp.SetOperation):
            sides = (self._block(query.left), self._block(query.right))
            links = () if isinstance(query, exp.Union) else self._links(_outputs(query.left), query.right)
            return all_of((*sides, *links))
        joins = query.args.get("joins") or ()
        origin = query.args.get("from_")
        sources = (*((origin.this,) if origin else ()), *(join.this for join in joins))
        parts: list[Goal | None] = [
            self._block(self._derived.get(source.alias_or_name)) for source in sources
        ]
        parts += [self._goal(join.args.get("on")) for join in joins]
        if query.args.get("where"):
            parts.append(self._goal(query.args["where"].this))
        if query.args.get("having"):
            parts += self._having(query.args["having"].this)
        parts += [self._block(sub) for part in query.expressions for sub in part.find_all(exp.Subquery)]
        return all_of(parts)

    def _having(self, condition: exp.Expr) -> Iterator[Goal]:
        """The goals of a HAVING; what it asks of aggregates is no goal, since no single row can meet it."""
        for node in condition.flatten() if isinstance(condition, exp.And) else (condition,):
            goal = self._goal(node)
            if goal is None or node.find(exp.AggFunc) is None:
                yield from () if goal is None else (goal,)
            elif isinstance(node, COMPARISONS) and node.find(exp.Sum):
                self.sums += self._equal_halves(node)
                self._of_groups.append(goal)
            else:
                self._of_groups.append(goal)
                self.extremes += [goal] if node.find(exp.Min, exp.Max) else []

    def _equal_halves(self, node: exp.Expr) -> Iterator[Leaf]:
        """The goals by which two equal rows bring a sum exactly to its bound."""
        doubled = exp.EQ(this=node.this.copy(), expression=node.expression.copy())
        for total in list(doubled.find_all(exp.Sum)):
            total.replace(exp.Mul(this=total.this.copy(), expression=exp.Literal.number(2)))
        leaf = self._leaf(doubled)
        if isinstance(leaf, Leaf):
            yield leaf

    def _goal(self, node: exp.Expr | None) -> Goal | None:
        match node:
            case None:
                return None
            case exp.And():
                return all_of((self._goal(node.left), self._goal(node.right)))
            case exp.Or():
                parts = tuple(p for p in (self._goal(node.left), self._goal(node.right)) if p is not None)
                return Some(parts) if len(parts) > 1 else next(iter(parts), None)
            case exp.Not():
                inner = self._goal(node.this)
                return None if inner is None else Opposite(inner)
            case exp.Exists():
                return self._block(node.this)
            case exp.In() if node.args.get("query"):
                left = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
                return all_of((*self._links(left, node.args["query"]), self._block(node.args["query"])))
        goal = all_of((self._leaf(node), *(self._block(sub) for sub in node.find_all(exp.Subquery))))
        return None if goal == All(()) else goal

    def _links(self, left: list[exp.Expr], query: exp.Expr) -> Iterator[Goal | None]:
        """The goals that make expressions equal to a row of a query, for IN, INTERSECT and EXCEPT."""
        for part, output in zip(left, _outputs(query), strict=False):
            yield self._leaf(exp.EQ(this=part.unalias().copy(), expression=output.unalias().copy()))

    def _leaf(self, node: exp.Expr) -> Goal | None:
        try:
            grounded = self.ground(node)
        except NotOfCellsError:
            self.opaque.append(node)
            goal = self._of_one_row(node)
            if goal is None:
                return None
            grounded = goal
        match grounded:
            case exp.EQ(this=exp.Column() as left, expression=exp.Column() as right):
                return SameValue(place_of(left), place_of(right))
        places = tuple(dict.fromkeys(place_of(column) for column in grounded.find_all(exp.Column)))
        if not places:
            return None
        assert isinstance(grounded, exp.Expression)
        leaf = Leaf(to_sql(grounded), places, grounded)
        self.leaves.append(leaf)
        return leaf

    def _of_one_row(self, node: exp.Expr) -> exp.Expr | None:
        """A condition with counts as one on a group of one row: SUM(x) / COUNT(y) > 4 as a condition on x."""
        self._count_is_one = True
        try:
            return self.ground(node)
        except NotOfCellsError:
            return None
        finally:
            self._count_is_one = False


def _outputs(query: exp.Expr) -> list[exp.Expr]:
    """The projections of a query; of its first operand if it is compound."""
    while isinstance(query, exp.Subquery | exp.SetOperation):
        query = query.this
    return query.expressions if isinstance(query, exp.Select) else []


def _output(query: exp.Expr, name: str = "") -> exp.Expr:
    """The expression of a query's first or named output.

    Raises:
        NotOfCellsError: there is none.
    """
    for output in _outputs(query):
        if not name or output.alias_or_name == name:
            found: exp.Expr = output.unalias()
            return found
    raise NotOfCellsError


def _conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """The topmost conditions inside an expression; CASE x WHEN y counts as x = y."""
    for part in node.walk(prune=lambda n: isinstance(n, (*_CONDITIONS, exp.Subquery))):
        if isinstance(part, _CONDITIONS) and not isinstance(part, exp.Exists):
            yield part
        elif isinstance(part, exp.Case) and part.this is not None:
            for branch in part.args["ifs"]:
                yield exp.EQ(this=part.this.copy(), expression=branch.this.copy())
