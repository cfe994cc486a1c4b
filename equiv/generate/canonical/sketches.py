"""Sketches of databases: atoms of tables, cells that are equal, conditions that hold, just fail, or are NULL.

A query's body with its variables frozen (Chandra and Merlin, 1977) is the sketch in which each use of a
table is an atom, each equality an equation of cells, and each other condition holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice

from sqlglot import exp

from equiv.core.reading.goals import All, Goal, Leaf, Opposite, SameValue, SlotColumn, Some
from equiv.core.reading.queries import Tally

COPY = 1000
"""The n-th copy of an atom has its number and n times this."""

MAX_WAYS = 6
"""In so many ways at most goals with alternatives are made to hold."""

Wanted = bool | None
"""The truth value that a condition should have; None is NULL."""


@dataclass(frozen=True)
class Wish:
    """A condition over cells of atoms, and the truth value that it should have."""

    leaf: Leaf
    """Over slots; ``places`` are the cells of atoms that stand for its places, in order."""
    places: tuple[SlotColumn, ...]
    wanted: Wanted

    @property
    def node(self) -> exp.Expr:
        """The condition over cells of atoms."""
        return moved(self.leaf.node, dict(zip(self.leaf.places, self.places, strict=True)))


@dataclass(frozen=True)
class Sketch:
    """A database up to the choice of values."""

    atoms: tuple[int, ...]
    """The number of an atom is, modulo :data:`COPY`, that of its slot."""
    sames: tuple[tuple[SlotColumn, SlotColumn], ...] = ()
    apart: tuple[tuple[SlotColumn, SlotColumn], ...] = ()
    wishes: tuple[Wish, ...] = ()

    def with_same(self, *sames: tuple[SlotColumn, SlotColumn]) -> Sketch:
        """The sketch with more equal cells."""
        return replace(self, sames=(*self.sames, *sames))

    def copied(self, slots: Collection[int], shared: Collection[SlotColumn], turn: int) -> Sketch:
        """The sketch with one more atom for each of some atoms, on which the same conditions hold.

        Args:
            slots: the atoms that are copied.
            shared: cells that the copies share with the atoms.
            turn: the number of the copy.
        """

        def move(place: SlotColumn) -> SlotColumn:
            return (place[0] + turn * COPY, place[1]) if place[0] in slots else place

        chosen = [atom for atom in self.atoms if atom in slots]
        sames = [(move(a), move(b)) for a, b in self.sames if a[0] in slots or b[0] in slots]
        apart = [(move(a), move(b)) for a, b in self.apart if a[0] in slots or b[0] in slots]
        wishes = [
            replace(wish, places=tuple(map(move, wish.places)))
            for wish in self.wishes
            if any(place[0] in slots for place in wish.places)
        ]
        return replace(
            self,
            atoms=(*self.atoms, *(atom + turn * COPY for atom in chosen)),
            sames=(*self.sames, *sames, *((place, move(place)) for place in shared if place[0] in slots)),
            apart=(*self.apart, *apart),
            wishes=(*self.wishes, *wishes),
        )

    def beside(self, other: Sketch, turn: int) -> Sketch:
        """Both sketches, the other's atoms apart from this one's."""

        def move(place: SlotColumn) -> SlotColumn:
            return place[0] + turn * COPY, place[1]

        wishes = (replace(wish, places=tuple(map(move, wish.places))) for wish in other.wishes)
        return Sketch(
            (*self.atoms, *(atom + turn * COPY for atom in other.atoms)),
            (*self.sames, *((move(a), move(b)) for a, b in other.sames)),
            (*self.apart, *((move(a), move(b)) for a, b in other.apart)),
            (*self.wishes, *wishes),
        )

    def without(self, slots: Collection[int]) -> Sketch:
        """The sketch without some atoms, and without what is said of them."""
        return Sketch(
            tuple(atom for atom in self.atoms if atom not in slots),
            tuple(pair for pair in self.sames if not {place[0] for place in pair} & set(slots)),
            tuple(pair for pair in self.apart if not {place[0] for place in pair} & set(slots)),
            tuple(wish for wish in self.wishes if not {place[0] for place in wish.places} & set(slots)),
        )


def moved(node: exp.Expr, places: dict[SlotColumn, SlotColumn]) -> exp.Expr:
    """A grounded expression with its cells replaced by others; such as have no place stay."""

    def swap(part: exp.Expr) -> exp.Expr:
        if isinstance(part, exp.Column) and part.table[1:].isdigit():
            slot, name = places.get((int(part.table[1:]), part.name), (int(part.table[1:]), part.name))
            return exp.column(name, table=f"s{slot}", quoted=True)
        return part

    return node.transform(swap)


def is_small(goals: Iterable[Goal], most: int) -> bool:
    """Whether goals consist of at most so many conditions."""
    open_, seen = list(goals), 0
    while open_ and seen <= most:
        seen += 1
        match open_.pop():
            case All(parts) | Some(parts):
                open_ += parts[: most + 1]
            case Opposite(part):
                open_.append(part)
            case _:
                pass
    return seen <= most


def sketches(atoms: Iterable[int], goals: Iterable[tuple[Goal, Wanted]]) -> Iterator[Sketch]:
    """The ways to give goals their truth values, :data:`MAX_WAYS` at most."""
    start = Sketch(tuple(sorted(set(atoms))))
    return islice(_ways(start, list(goals)), MAX_WAYS)


def _ways(sketch: Sketch, goals: list[tuple[Goal, Wanted]]) -> Iterator[Sketch]:
    if not goals:
        yield sketch
        return
    (goal, wanted), rest = goals[0], goals[1:]
    match goal:
        case Opposite(part):
            yield from _ways(sketch, [(part, None if wanted is None else not wanted), *rest])
        case All(parts) | Some(parts) if not parts:
            yield from _ways(sketch, rest)
        case All(parts) if wanted is not True:
            # Each part fails in turn, the others hold.
            for victim in parts:
                yield from _ways(sketch, [*((p, wanted if p is victim else True) for p in parts), *rest])
        case Some(parts) if wanted:
            for chosen in parts:
                yield from _ways(sketch, [(chosen, True), *rest])
        case All(parts) | Some(parts):
            yield from _ways(sketch, [*((part, wanted) for part in parts), *rest])
        case SameValue(left, right) if wanted:
            yield from _ways(sketch.with_same((left, right)), rest)
        case SameValue(left, right):
            yield from _ways(replace(sketch, apart=(*sketch.apart, (left, right))), rest)
        case Leaf():
            wish = Wish(goal, goal.places, wanted)
            yield from _ways(replace(sketch, wishes=(*sketch.wishes, wish)), rest)


def tallied(sketch: Sketch, tallies: Iterable[tuple[Tally, bool]], copies: int) -> Sketch | None:
    """A sketch in which groups of so many rows have conditions on aggregates hold or fail.

    Each aggregate becomes an expression over the cells of its rows.  None if one has no such form.
    """
    for tally, _ in tallies:
        base = [atom for atom in tally.slots if atom in sketch.atoms]
        for turn in range(1, copies):
            if not any(slot + turn * COPY in sketch.atoms for slot in base):
                sketch = sketch.copied(base, tally.keys, turn)
    wishes: list[Wish] = []
    apart: list[tuple[SlotColumn, SlotColumn]] = []
    for tally, wanted in tallies:
        apart += _counted_apart(tally, copies) if wanted else ()
        turns = [{slot: slot + turn * COPY for slot in tally.slots} for turn in range(copies)]
        node = _expanded(tally, turns)
        if node is None:
            return None
        places = tuple(dict.fromkeys((int(c.table[1:]), c.name) for c in node.find_all(exp.Column)))
        if places:
            wishes.append(Wish(Leaf(node.sql(), places, node), places, wanted))
        # A condition on the number of rows alone has no cells; the run of the query shows whether it holds.
    return replace(sketch, wishes=(*sketch.wishes, *wishes), apart=(*sketch.apart, *apart))


def _counted_apart(tally: Tally, copies: int) -> Iterator[tuple[SlotColumn, SlotColumn]]:
    """The cells of a group's rows that are counted once each where they are equal."""
    for call in tally.calls:
        if call.distinct and isinstance(call.argument, exp.Column):
            slot, name = int(call.argument.table[1:]), call.argument.name
            cells = [(slot + turn * COPY, name) for turn in range(copies)]
            yield from combinations(cells, 2)


def _expanded(tally: Tally, turns: list[dict[int, int]]) -> exp.Expr | None:
    """A tally over the rows of a group of known size; None if an aggregate has no such form."""
    values = []
    for call in tally.calls:
        rows: list[exp.Expr] = []
        for turn in turns:
            if call.argument is not None:
                cells = {
                    (int(c.table[1:]), c.name): (turn.get(int(c.table[1:]), int(c.table[1:])), c.name)
                    for c in call.argument.find_all(exp.Column)
                }
                rows.append(exp.paren(moved(call.argument, cells)))
        value = _aggregated(call.name, rows, len(turns))
        if value is None:
            return None
        values.append(value)

    def swap(part: exp.Expr) -> exp.Expr:
        if isinstance(part, exp.Column) and part.table == "g":
            return exp.paren(values[int(part.name)].copy())
        return part

    return tally.node.transform(swap)


def _aggregated(name: str, rows: list[exp.Expr], count: int) -> exp.Expr | None:
    """An aggregate of a group as an expression over its rows; None if it has no such form."""
    match name:
        case "COUNT":
            # Values are apart unless something makes them equal.
            return exp.Literal.number(count)
        case "SUM" | "TOTAL" | "AVG":
            total = rows[0]
            for row in rows[1:]:
                total = exp.Add(this=total, expression=row)
            if name == "AVG":
                return exp.Div(this=exp.paren(total), expression=exp.Literal.number(f"{count}.0"))
            return total
        case "MIN" | "MAX" if len(rows) == 1:
            return rows[0]
        case "MIN":
            return exp.Least(this=rows[0], expressions=rows[1:])
        case "MAX":
            return exp.Greatest(this=rows[0], expressions=rows[1:])
    return None
