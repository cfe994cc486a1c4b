"""What two queries say that bears on test data: tables, columns, goals, literals, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from equiv.generate.conditions import Goal, Leaf, Opaque, Place, Reader, Same, Slots, All, Opposite, Some
from equiv.generate.hints import Hint, hints_in, literal_value
from equiv.generate.mentions import mentions_of_text
from equiv.schema.model import Schema

ColumnKey = tuple[str, str]
"""A table's and a column's name, as the schema spells them."""

LARGEST_COUNT = 60
"""Constants above this do not set a number of rows."""

_TIME_FUNCTIONS = frozenset(("date", "datetime", "time", "julianday", "unixepoch", "strftime", "timediff"))
_TIME_NODES = (exp.TimeToStr, exp.TsOrDsToTimestamp, exp.TsOrDsToDate, exp.Date, exp.Datetime, exp.Time)
_NUMERIC_NODES = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Sum, exp.Avg, exp.Abs, exp.Round, exp.Neg)
_NUMERIC_CASTS = ("INT", "INTEGER", "BIGINT", "REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL")


@dataclass
class Reading:
    """Both queries of a pair, read for the sake of test data."""

    slots: Slots = field(default_factory=Slots)
    goals: tuple[tuple[Goal, ...], ...] = ()
    """The conjuncts of each query."""
    asides: tuple[Goal, ...] = ()
    hints: dict[ColumnKey, list[Hint]] = field(default_factory=lambda: defaultdict(list))
    counts: set[int] = field(default_factory=set)
    """Numbers of rows at which a query may change its answer."""
    mentioned: dict[str, dict[str, None]] = field(default_factory=dict)
    """Per table the columns that a query names, in order."""
    dated: set[ColumnKey] = field(default_factory=set)
    """Columns that a date function reads."""
    numeric: set[ColumnKey] = field(default_factory=set)
    """Columns that arithmetic reads."""
    equal: list[tuple[ColumnKey, ColumnKey]] = field(default_factory=list)
    """Columns that a query compares with one another."""

    @cached_property
    def rotated(self) -> bool:
        """Whether some table has several slots, so that they may be paired differently."""
        return len(set(self.slots.tables)) < len(self.slots.tables)

    def key(self, place: Place) -> ColumnKey:
        """The column that a place belongs to."""
        return self.slots.tables[place[0]], place[1]


def read_pair(queries: Iterable[tuple[str, exp.Query | None]], schema: Schema) -> Reading:
    """Read two queries, each given as SQL text and, unless unsupported, its resolved tree."""
    reading = Reading()
    goals: list[tuple[Goal, ...]] = []
    for sql, tree in queries:
        if tree is None:
            goals.append(())
            mentions_of_text(sql, schema, reading.mentioned, reading.hints)
        else:
            goals.append(_read_tree(tree, schema, reading))
    reading.goals = tuple(goals)
    for table in reading.slots.tables:
        reading.mentioned.setdefault(table, {})
    return reading


def _read_tree(tree: exp.Query, schema: Schema, reading: Reading) -> tuple[Goal, ...]:
    reader = Reader(tree, schema, reading.slots)
    goals = reader.goals()
    asides = reader.asides()
    reading.asides += asides
    for column in tree.find_all(exp.Column):
        place = reader.place(column)
        if place is not None:
            key = reading.key(place)
            reading.mentioned.setdefault(key[0], {})[key[1]] = None
            _note_use(column, key, reading)
    for leaf in reader.leaves:
        _note_leaf(leaf, reading)
    _note_functions(tree, reader, reading)
    for goal in (*goals, *asides):
        reading.equal += [(reading.key(same.left), reading.key(same.right)) for same in sames_in(goal)]
    reading.counts |= set(_row_numbers(tree, reader.opaque))
    return goals


def _note_leaf(leaf: Leaf, reading: Reading) -> None:
    for place, hint in hints_in(leaf.node):
        _add_hint(reading, place, hint)
    match leaf.node:
        case exp.Binary(this=exp.Column(), expression=exp.Column()):
            reading.equal.append((reading.key(leaf.places[0]), reading.key(leaf.places[-1])))


def _note_functions(tree: exp.Query, reader: Reader, reading: Reading) -> None:
    """Literals in functions of the output, such as INSTR(tags, 'x')."""
    for select in tree.find_all(exp.Select):
        for output in select.expressions:
            for call in output.find_all(exp.Func):
                if isinstance(call, exp.AggFunc | exp.Case | exp.If) or not call.find(exp.Literal):
                    continue
                try:
                    grounded = reader.ground(call)
                except Opaque:
                    continue
                for place, hint in hints_in(grounded):
                    _add_hint(reading, place, hint)


def _add_hint(reading: Reading, place: Place, hint: Hint) -> None:
    known = reading.hints[reading.key(place)]
    if hint not in known:
        known.append(hint)


def _note_use(column: exp.Column, key: ColumnKey, reading: Reading) -> None:
    """Whether dates or numbers are expected of a column, by the nodes above it."""
    node = column.parent
    for _ in range(4):
        match node:
            case exp.Anonymous() if str(node.this).lower() in _TIME_FUNCTIONS:
                reading.dated.add(key)
            case exp.Cast() if node.to.this.value in _NUMERIC_CASTS:
                reading.numeric.add(key)
            case _ if isinstance(node, _TIME_NODES):
                reading.dated.add(key)
            case _ if isinstance(node, _NUMERIC_NODES):
                reading.numeric.add(key)
            case None | exp.Predicate() | exp.Select() | exp.If() | exp.Count():
                return
        node = node.parent if node is not None else None


def _row_numbers(tree: exp.Query, opaque: Iterable[exp.Expression]) -> Iterator[int]:
    bounds = [node.expression for node in tree.find_all(exp.Limit, exp.Offset)]
    for literal in (*bounds, *(part for node in opaque for part in node.find_all(exp.Literal))):
        if isinstance(literal, exp.Literal) and not literal.is_string:
            value = literal_value(literal)
            if isinstance(value, int) and 0 < value <= LARGEST_COUNT:
                yield value


def sames_in(goal: Goal) -> Iterator[Same]:
    """The equalities between columns inside a goal."""
    match goal:
        case Same():
            yield goal
        case All(parts) | Some(parts):
            for part in parts:
                yield from sames_in(part)
        case Opposite(part):
            yield from sames_in(part)
