"""One query of a pair as conditions on rows and on groups of rows, for databases constructed from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from equiv.core.functions.nodes import function_of
from equiv.core.functions.traits import Form, Order, Sort
from equiv.core.reading.conditions import NotOfCellsError, Reader
from equiv.core.reading.goals import All, Goal, Leaf, Opposite, Place, Same, Some, conjuncts

GROUP = "g"
"""The source of a tally's placeholders: ``g.0`` is its first aggregate."""


@dataclass(frozen=True)
class Call:
    """An aggregate of a tally; without an argument it is ``COUNT(*)``."""

    name: str
    distinct: bool
    argument: exp.Expr | None


@dataclass(frozen=True)
class Tally:
    """A condition on aggregates of a group of rows: of a HAVING, or of a subquery that a condition reads."""

    sql: str
    node: exp.Expr = field(compare=False)
    """The condition; aggregates are columns ``g.<n>``, cells are ``s<slot>.<column>``."""
    calls: tuple[Call, ...] = field(compare=False)
    slots: frozenset[int]
    """The slots whose rows are aggregated."""
    keys: tuple[Place, ...]
    """The cells that the rows of a group share."""


@dataclass(frozen=True)
class Side:
    """One query: what its row combinations and its groups satisfy.

    Attributes:
        goals: conditions that a row combination meets to reach the answer.
        inner: conditions within negated subqueries: they are met by the rows that keep others out.
        asides: conditions that choose a value or a group, not a row.
        tallies: conditions on groups.
        slots: the slots of the query.
        hidden: the slots of negated subqueries.
    """

    goals: tuple[Goal, ...] = ()
    inner: tuple[Goal, ...] = ()
    asides: tuple[Goal, ...] = ()
    tallies: tuple[Tally, ...] = ()
    slots: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()


def side_of(reader: Reader, goals: tuple[Goal, ...], asides: tuple[Goal, ...]) -> Side:
    """The side of a query that has been read."""
    hidden = frozenset(slot for node in _negated(reader.tree) for slot in _slots_under(node, reader))
    plain: list[Goal] = []
    inner: list[Goal] = []
    for goal in goals:
        if isinstance(goal, Opposite) and hidden & _slots_of(goal):
            inner += conjuncts(goal.part)
        else:
            plain.append(goal)
    return Side(
        tuple(plain),
        tuple(dict.fromkeys(inner)),
        asides,
        tuple(_tallies(reader)),
        frozenset(reader.slot_of.values()),
        hidden,
    )


def _negated(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a query whose rows keep others out."""
    for node in tree.find_all(exp.Not):
        inner = node.this.unnest() if isinstance(node.this, exp.Paren) else node.this
        if isinstance(inner, exp.Exists) or (isinstance(inner, exp.In) and inner.args.get("query")):
            yield inner


def _slots_under(node: exp.Expr, reader: Reader) -> Iterator[int]:
    for table in node.find_all(exp.Table):
        if table.alias_or_name in reader.slot_of:
            yield reader.slot_of[table.alias_or_name]


def _slots_of(goal: Goal) -> set[int]:
    match goal:
        case Leaf(places=places):
            return {slot for slot, _ in places}
        case Same(left, right):
            return {left[0], right[0]}
        case All(parts) | Some(parts):
            return set().union(*map(_slots_of, parts))
        case Opposite(part):
            return _slots_of(part)


def _tallies(reader: Reader) -> Iterator[Tally]:
    for select in reader.tree.find_all(exp.Select):
        having = select.args.get("having")
        if having is not None:
            for part in having.this.flatten() if isinstance(having.this, exp.And) else (having.this,):
                yield from _tally(part, select, reader)
        where = select.args.get("where")
        for part in _conjuncts_of(where.this) if where is not None else ():
            subquery = part.find(exp.Subquery)
            inner = subquery.unnest() if subquery is not None else None
            if isinstance(inner, exp.Select) and isinstance(part, exp.Binary):
                yield from _tally(part, inner, reader)


def _conjuncts_of(node: exp.Expr) -> Iterator[exp.Expr]:
    return node.flatten() if isinstance(node, exp.And) else iter((node,))


def _tally(node: exp.Expr, select: exp.Select, reader: Reader) -> Iterator[Tally]:
    """The tally of a condition on the groups of a SELECT, if each of its aggregates is known."""
    calls: list[Call] = []
    copy = node.copy()
    for subquery in list(copy.find_all(exp.Subquery)):
        inner = subquery.unnest()
        if isinstance(inner, exp.Select) and len(inner.expressions) == 1 and inner.find(exp.AggFunc):
            output = inner.expressions[0].unalias().copy()
            if subquery is copy:
                return
            subquery.replace(exp.paren(output))
    try:
        grounded = _grounded(copy, calls, reader)
    except NotOfCellsError:
        return
    if not calls:
        return
    slots = frozenset(_slots_read(select, reader, 0))
    group = select.args.get("group")
    keys = tuple(
        place
        for part in (group.expressions if group else ())
        if isinstance(part, exp.Column) and (place := reader.place(part)) is not None
    )
    told = [f"{c.name} {c.distinct} {c.argument.sql() if c.argument else '*'}" for c in calls]
    yield Tally(f"{grounded.sql()} {told}", grounded, tuple(calls), slots, keys)


def _grounded(node: exp.Expr, calls: list[Call], reader: Reader) -> exp.Expr:
    def swap(part: exp.Expr) -> exp.Expr:
        function = function_of(part)
        if (
            function is not None
            and function.sort is Sort.AGGREGATE
            and not isinstance(part.parent, exp.Window)
        ):
            if function.form is not Form.AGGREGATE or function.order is not Order.NO:
                raise NotOfCellsError
            calls.append(_call(part, function.name, reader))
            return exp.column(str(len(calls) - 1), table=GROUP, quoted=True)
        if isinstance(part, exp.Column):
            return reader.ground(part)
        if isinstance(part, exp.Query | exp.Window | exp.Filter | exp.Exists):
            raise NotOfCellsError
        return part

    return node.transform(swap)


def _call(node: exp.Expr, name: str, reader: Reader) -> Call:
    inner = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    distinct = isinstance(inner, exp.Distinct)
    if distinct:
        inner = inner.expressions[0]
    if inner is None or isinstance(inner, exp.Star):
        return Call(name, False, None)
    return Call(name, distinct, reader.ground(inner))


def _slots_read(select: exp.Expr, reader: Reader, depth: int) -> Iterator[int]:
    """The slots of the sources of a SELECT, those of its derived tables included."""
    if depth > 6 or not isinstance(select, exp.Select):
        return
    origin = select.args.get("from_")
    joins = select.args.get("joins") or ()
    for source in (*((origin.this,) if origin else ()), *(join.this for join in joins)):
        slot = reader.slot_of.get(source.alias_or_name)
        if slot is not None:
            yield slot
        else:
            derived = reader.derived(source.alias_or_name)
            while isinstance(derived, exp.Subquery):
                derived = derived.this
            if derived is not None:
                yield from _slots_read(derived, reader, depth + 1)
