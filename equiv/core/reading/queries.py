"""The parts of two queries that test data is made from: tables, columns, goals, literals, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from equiv.core.functions.nodes import function_of
from equiv.core.model import Schema
from equiv.core.reading.common_tables import with_rows_of_their_own
from equiv.core.reading.computed import solved
from equiv.core.reading.conditions import NotOfCellsError, Reader, Slots
from equiv.core.reading.goals import Goal, Leaf, Place, place_of, sames_in
from equiv.core.reading.hints import Hint, hints_in, literal_value
from equiv.core.reading.mentions import mentions_of_text
from equiv.core.reading.sides import Side, side_of

ColumnKey = tuple[str, str]
"""A table's and a column's name, as the schema spells them."""

LARGEST_COUNT = 60
"""Constants above this do not set a number of rows."""

LARGEST_PRODUCT = 2000
"""Constants above this are no numbers of rows that a join is made to reach."""

MAX_HINTS = 60
"""Literals of one column that are looked at."""

MAX_COMPUTED = 6
"""Expressions that one column is compared with and that are evaluated for its pool."""

_MOST_DECIMALS = 12
_NUMERIC_CASTS = ("INT", "INTEGER", "BIGINT", "REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL")


@dataclass
class Reading:
    """Both queries of a pair, read for the sake of test data."""

    slots: Slots = field(default_factory=Slots)
    goals: tuple[tuple[Goal, ...], ...] = ()
    """The conjuncts of each query."""
    sides: tuple[Side, ...] = ()
    """Each query by itself; one without a resolved tree is empty."""
    asides: tuple[Goal, ...] = ()
    sums: tuple[Leaf, ...] = ()
    """Goals for a row of which two copies bring a SUM to its bound."""
    extremes: tuple[Goal, ...] = ()
    """Conditions on a MIN or MAX."""
    hints: dict[ColumnKey, list[Hint]] = field(default_factory=lambda: defaultdict(list))
    counts: set[int] = field(default_factory=set)
    """Numbers of rows at which a query may change its answer."""
    large: set[int] = field(default_factory=set)
    """Numbers of rows beyond these that can still be reached: by joining many rows with many."""
    grouped: bool = False
    """Whether there is a GROUP BY."""
    groupings: dict[tuple[ColumnKey, ...], None] = field(default_factory=dict)
    """The columns of each GROUP BY, in order."""
    counted: dict[ColumnKey, None] = field(default_factory=dict)
    """The columns of COUNT(DISTINCT …)."""
    cut: bool = False
    """Whether there is a LIMIT or OFFSET."""
    mentioned: dict[str, dict[str, None]] = field(default_factory=dict)
    """Per table the columns that a query names, in order."""
    dated: set[ColumnKey] = field(default_factory=set)
    """Columns that a date function reads."""
    numeric: set[ColumnKey] = field(default_factory=set)
    """Columns that arithmetic reads."""
    variants: dict[ColumnKey, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    """For a column the formats of texts that functions which read it change."""
    ordered: set[ColumnKey] = field(default_factory=set)
    """Columns by which rows are ordered, or whose extreme is sought: ties on them hide differences."""
    equal: list[tuple[ColumnKey, ColumnKey]] = field(default_factory=list)
    """Columns that a query compares with one another."""
    computed: dict[ColumnKey, list[exp.Expr]] = field(default_factory=lambda: defaultdict(list))
    """For a column, expressions over other columns that comparisons hold it against."""

    def key(self, place: Place) -> ColumnKey:
        """The column that a place belongs to."""
        return self.slots.tables[place[0]], place[1]


def read_pair(queries: Iterable[tuple[str, exp.Expr | None]], schema: Schema) -> Reading:
    """Read two queries, each given as SQL text and, unless unsupported, its resolved tree."""
    reading = Reading()
    goals: list[tuple[Goal, ...]] = []
    for sql, tree in queries:
        if tree is None:
            goals.append(())
            reading.sides += (Side(),)
            mentions_of_text(sql, schema, reading.mentioned, reading.hints)
            for table in reading.mentioned:
                reading.slots.number(table, 0)
        else:
            goals.append(_read_tree(tree, schema, reading))
    reading.goals = tuple(goals)
    for table in reading.slots.tables:
        reading.mentioned.setdefault(table, {})
    return reading


def _read_tree(tree: exp.Expr, schema: Schema, reading: Reading) -> tuple[Goal, ...]:
    tree = with_rows_of_their_own(tree)
    reader = Reader(tree, schema, reading.slots)
    goals = reader.goals()
    asides = reader.asides()
    reading.asides += asides
    of_groups = set(reader.of_groups)
    reading.sides += (side_of(reader, goals, tuple(goal for goal in asides if goal not in of_groups)),)
    reading.sums += tuple(reader.sums)
    reading.extremes += tuple(reader.extremes)
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
    numbers = set(_row_numbers(tree, reader.opaque))
    reading.counts |= {number for number in numbers if number <= LARGEST_COUNT}
    reading.large |= {number for number in numbers if number > LARGEST_COUNT}
    for node in tree.find_all(exp.Group, exp.Distinct):
        places = (reader.place(column) for column in node.find_all(exp.Column))
        keys = tuple(reading.key(place) for place in places if place is not None)
        if isinstance(node, exp.Group):
            reading.grouped = True
            reading.groupings[keys] = None
        elif isinstance(node.parent, exp.Count):
            reading.counted.update(dict.fromkeys(keys))
    reading.cut |= tree.find(exp.Limit, exp.Offset) is not None
    return goals


def _note_leaf(leaf: Leaf, reading: Reading) -> None:
    for place, hint in hints_in(leaf.node):
        _add_hint(reading, place, hint)
    for place, value in solved(leaf.node):
        known = reading.computed[reading.key(place)]
        if len(known) < MAX_COMPUTED and value not in known:
            known.append(value)
    match leaf.node:
        case exp.Binary(this=exp.Column(), expression=exp.Column()):
            reading.equal.append((reading.key(leaf.places[0]), reading.key(leaf.places[-1])))


def _note_functions(tree: exp.Expr, reader: Reader, reading: Reading) -> None:
    """Literals in functions of the output, such as INSTR(tags, 'x')."""
    for select in tree.find_all(exp.Select):
        for output in select.expressions:
            for call in output.find_all(exp.Func):
                if isinstance(call, exp.AggFunc | exp.Case | exp.If) or not call.find(exp.Literal):
                    continue
                try:
                    grounded = reader.ground(call)
                except NotOfCellsError:
                    continue
                for place, hint in (*hints_in(grounded), *_lost_by_rounding(grounded)):
                    _add_hint(reading, place, hint)


def _lost_by_rounding(call: exp.Expr) -> Iterator[tuple[Place, Hint]]:
    """For what ROUND reads, a number with one decimal more than it keeps, exact in binary."""
    if isinstance(call, exp.Round) and call.args.get("decimals") is not None:
        digits = call.text("decimals")
        if digits.isdigit() and int(digits) <= _MOST_DECIMALS:
            for column in call.find_all(exp.Column):
                yield place_of(column), Hint(0.5 ** (int(digits) + 1))


def _add_hint(reading: Reading, place: Place, hint: Hint) -> None:
    known = reading.hints[reading.key(place)]
    if len(known) < MAX_HINTS and hint not in known:
        known.append(hint)


def _note_use(column: exp.Column, key: ColumnKey, reading: Reading) -> None:
    """Whether dates or numbers are expected of a column, by the nodes above it."""
    for node in _ancestors(column, 4):
        function = function_of(node)
        if function is not None and function.variants:
            reading.variants[key] |= dict.fromkeys(function.variants)
        match node:
            case exp.Cast() if node.to.this.value in _NUMERIC_CASTS:
                reading.numeric.add(key)
            case exp.Ordered() | exp.Min() | exp.Max():
                reading.ordered.add(key)
            case _ if function is not None and function.reads_time:
                reading.dated.add(key)
            case _ if function is not None and function.reads_number:
                reading.numeric.add(key)
            case exp.Predicate() | exp.Select() | exp.If() | exp.Count():
                return


def _ancestors(node: exp.Expr, levels: int) -> Iterator[exp.Expr]:
    parent = node.parent
    while parent is not None and levels:
        yield parent
        parent, levels = parent.parent, levels - 1


def _row_numbers(tree: exp.Expr, opaque: Iterable[exp.Expr]) -> Iterator[int]:
    bounds = [node.expression for node in tree.find_all(exp.Limit, exp.Offset)]
    for literal in (*bounds, *(part for node in opaque for part in node.find_all(exp.Literal))):
        if isinstance(literal, exp.Literal) and not literal.is_string:
            value = literal_value(literal)
            if isinstance(value, int) and 0 < value <= LARGEST_PRODUCT:
                yield value
