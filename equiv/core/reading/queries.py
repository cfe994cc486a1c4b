"""The parts of two queries that test data is made from: tables, columns, goals, literals, groups, counts.

Common table expressions are written out where they are read, so that each reading has rows of its own.  A
column is given values by which a comparison with others is met exactly: ``a = b + 4``, ``x - y > 30`` or
``strftime('%Y', a) - strftime('%Y', b) >= 18`` hold between columns whose pools have nothing to do with one
another.  Solved for one column, each gives an expression over the others; what it yields on their pools goes
into that column's pool.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from sqlglot import exp

from equiv.core.functions.table import function_of
from equiv.core.functions.traits import CallForm, FunctionSort, LiteralStyle, OrderDependence
from equiv.core.model import Schema
from equiv.core.reading.goals import (
    All,
    ConditionReader,
    Goal,
    Leaf,
    NotOfCellsError,
    Opposite,
    SameValue,
    SlotColumn,
    Slots,
    Some,
    conjuncts,
    place_of,
    sames_in,
)
from equiv.core.reading.hints import (
    Hint,
    hints_in,
    literal_value,
    mentions_of_text,
    own_hints,
    solved_columns,
)

GROUP = "g"
"""The source of a tally's placeholders: ``g.0`` is its first aggregate."""


@dataclass(frozen=True)
class TallyCall:
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
    calls: tuple[TallyCall, ...] = field(compare=False)
    slots: frozenset[int]
    """The slots whose rows are aggregated."""
    keys: tuple[SlotColumn, ...]
    """The cells that the rows of a group share."""


@dataclass(frozen=True)
class SideConditions:
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


def side_of(reader: ConditionReader, goals: tuple[Goal, ...], asides: tuple[Goal, ...]) -> SideConditions:
    """The side of a query that has been read."""
    hidden = frozenset(slot for node in _negated(reader.tree) for slot in _slots_under(node, reader))
    plain: list[Goal] = []
    inner: list[Goal] = []
    for goal in goals:
        if isinstance(goal, Opposite) and hidden & _slots_of(goal):
            inner += conjuncts(goal.part)
        else:
            plain.append(goal)
    return SideConditions(
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


def _slots_under(node: exp.Expr, reader: ConditionReader) -> Iterator[int]:
    for table in node.find_all(exp.Table):
        if table.alias_or_name in reader.slot_of:
            yield reader.slot_of[table.alias_or_name]


def _slots_of(goal: Goal) -> set[int]:
    match goal:
        case Leaf(places=places):
            return {slot for slot, _ in places}
        case SameValue(left, right):
            return {left[0], right[0]}
        case All(parts) | Some(parts):
            return set().union(*map(_slots_of, parts))
        case Opposite(part):
            return _slots_of(part)


def _tallies(reader: ConditionReader) -> Iterator[Tally]:
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


def _tally(node: exp.Expr, select: exp.Select, reader: ConditionReader) -> Iterator[Tally]:
    """The tally of a condition on the groups of a SELECT, if each of its aggregates is known."""
    calls: list[TallyCall] = []
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


def _grounded(node: exp.Expr, calls: list[TallyCall], reader: ConditionReader) -> exp.Expr:
    def swap(part: exp.Expr) -> exp.Expr:
        function = function_of(part)
        if (
            function is not None
            and function.sort is FunctionSort.AGGREGATE
            and not isinstance(part.parent, exp.Window)
        ):
            if function.form is not CallForm.AGGREGATE or function.order is not OrderDependence.NO:
                raise NotOfCellsError
            calls.append(_call(part, function.name, reader))
            return exp.column(str(len(calls) - 1), table=GROUP, quoted=True)
        if isinstance(part, exp.Column):
            return reader.ground(part)
        if isinstance(part, exp.Query | exp.Window | exp.Filter | exp.Exists):
            raise NotOfCellsError
        return part

    return node.transform(swap)


def _call(node: exp.Expr, name: str, reader: ConditionReader) -> TallyCall:
    inner = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    distinct = isinstance(inner, exp.Distinct)
    if distinct:
        inner = inner.expressions[0]
    if inner is None or isinstance(inner, exp.Star):
        return TallyCall(name, False, None)
    return TallyCall(name, distinct, reader.ground(inner))


def _slots_read(select: exp.Expr, reader: ConditionReader, depth: int) -> Iterator[int]:
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


ColumnKey = tuple[str, str]
"""A table's and a column's name, as the schema spells them."""

LARGEST_COUNT = 104
"""Constants above this do not set a number of rows."""

LARGEST_PRODUCT = 2000
"""Constants above this are not numbers of rows that a join is made to reach."""

MAX_HINTS = 60
"""Literals of one column that are looked at."""

MAX_COMPUTED = 6
"""Expressions that one column is compared with and that are evaluated for its pool."""

_MOST_DECIMALS, _LONGEST = 12, 300
_NUMERIC_CASTS = ("INT", "INTEGER", "BIGINT", "REAL", "FLOAT", "DOUBLE", "NUMERIC", "DECIMAL")


@dataclass
class PairReading:
    """Both queries of a pair, read for the sake of test data."""

    slots: Slots = field(default_factory=Slots)
    goals: tuple[tuple[Goal, ...], ...] = ()
    """The conjuncts of each query."""
    sides: tuple[SideConditions, ...] = ()
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

    def key(self, place: SlotColumn) -> ColumnKey:
        """The column that a place belongs to."""
        return self.slots.tables[place[0]], place[1]


def read_pair(
    queries: Iterable[tuple[str, exp.Expr | None]], schema: Schema, texts: Iterable[str] = ()
) -> PairReading:
    """Read two queries, each given as SQL text and, unless unsupported, its resolved tree.

    Args:
        queries: both.
        schema: the tables.
        texts: further texts whose literals may be values of the columns that they name.
    """
    reading = PairReading()
    goals: list[tuple[Goal, ...]] = []
    for sql, tree in queries:
        if tree is None:
            goals.append(())
            reading.sides += (SideConditions(),)
            mentions_of_text(sql, schema, reading.mentioned, reading.hints)
            for table in reading.mentioned:
                reading.slots.number(table, 0)
        else:
            goals.append(_read_tree(tree, schema, reading))
    reading.goals = tuple(goals)
    for text in texts:
        mentions_of_text(text, schema, reading.mentioned, reading.hints)
    for table in reading.slots.tables:
        reading.mentioned.setdefault(table, {})
    return reading


def _read_tree(tree: exp.Expr, schema: Schema, reading: PairReading) -> tuple[Goal, ...]:
    tree = _with_rows_of_their_own(tree)
    reader = ConditionReader(tree, schema, reading.slots)
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
            _note_use(column, place, reading)
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


def _note_leaf(leaf: Leaf, reading: PairReading) -> None:
    for place, hint in hints_in(leaf.node):
        _add_hint(reading, place, hint)
    for place, value in solved_columns(leaf.node):
        known = reading.computed[reading.key(place)]
        if len(known) < MAX_COMPUTED and value not in known:
            known.append(value)
    match leaf.node:
        case exp.Binary(this=exp.Column(), expression=exp.Column()):
            reading.equal.append((reading.key(leaf.places[0]), reading.key(leaf.places[-1])))


def _note_functions(tree: exp.Expr, reader: ConditionReader, reading: PairReading) -> None:
    """Literals in functions of the output and of keys, such as INSTR(tags, 'x')."""
    for select in tree.find_all(exp.Select):
        group = select.args.get("group")
        for shown in (*select.expressions, *([] if group is None else group.expressions)):
            for call in shown.find_all(exp.Func):
                if isinstance(call, exp.AggFunc | exp.Case | exp.If) or not call.find(exp.Literal):
                    continue
                try:
                    grounded = reader.ground(call)
                except NotOfCellsError:
                    continue
                for place, hint in (*hints_in(grounded), *_lost(grounded)):
                    _add_hint(reading, place, hint)


def _lost(call: exp.Expr) -> Iterator[tuple[SlotColumn, Hint]]:
    """For ROUND numbers with one decimal more than it keeps, exact in binary; for SUBSTR a longer text."""
    match call:
        case exp.Round(args={"decimals": exp.Literal(this=kept)}) if kept.isdigit():
            half = 0.5 ** (int(kept) + 1)
            hints = [Hint(half), Hint(-half)] if int(kept) <= _MOST_DECIMALS else []
        case exp.Substring(args={"start": exp.Literal(this=first), "length": exp.Literal(this=kept)}):
            end = int(first) + int(kept) if f"{first}{kept}".isdigit() else 0
            hints = [Hint(end, LiteralStyle.LENGTH)] if 0 < end <= _LONGEST else []
        case _:
            hints = []
    for column in call.find_all(exp.Column) if hints else ():
        yield from ((place_of(column), hint) for hint in hints)


def _add_hint(reading: PairReading, place: SlotColumn, hint: Hint) -> None:
    known = reading.hints[reading.key(place)]
    if len(known) < MAX_HINTS and hint not in known:
        known.append(hint)


def _note_use(column: exp.Column, place: SlotColumn, reading: PairReading) -> None:
    """Whether dates, numbers or patterns are expected of a column, by the nodes above it."""
    below: exp.Expr = column
    key = reading.key(place)
    for node in _ancestors(column, 4):
        function = function_of(node)
        for hint in own_hints(node):
            _add_hint(reading, place, hint)
        if function is not None:
            reading.variants[key] |= dict.fromkeys(function.variants)
            if function.style is LiteralStyle.PATTERN and (below.arg_key == "expression" or below.index == 1):
                reading.variants[key] |= dict.fromkeys(("{}%", "_"))
        below = node
        match node:
            case exp.Cast() if node.to.this.value in _NUMERIC_CASTS:
                reading.numeric.add(key)
            case exp.Ordered() | exp.Min() | exp.Max():
                reading.ordered.add(key)
            case exp.Collate():
                # Before 'a' byte by byte, and behind it whatever the case of letters.
                reading.variants[key]["B{}"] = None
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


_MOST_TABLES = 32
"""A query that would read more tables stays as it is."""
_DEEPEST = 16


def _with_rows_of_their_own(tree: exp.Expr) -> exp.Expr:
    """The query with every common table expression in the places that read it, if one of them is read twice.

    ``WITH c AS (…) SELECT … FROM c AS a JOIN c AS b ON a.year = b.year + 1`` asks for two different rows of
    what ``c`` reads.  Recursive expressions, and what grows large, are left alone.
    """
    definitions = list(tree.find_all(exp.CTE))
    bodies = {cte.alias: cte.this for cte in definitions}
    if len(bodies) < len(definitions) or any(clause.recursive for clause in tree.find_all(exp.With)):
        return tree
    readings = Counter(table.name for table in tree.find_all(exp.Table))
    if all(readings[name] < 2 for name in bodies) or _size(tree, bodies) > _MOST_TABLES:
        return tree
    copy = tree.copy()
    for clause in list(copy.find_all(exp.With)):
        clause.pop()
    numbers = count()
    reading = [table for table in copy.find_all(exp.Table) if table.name in bodies]
    while reading:
        table = reading.pop()
        body = _with_own_aliases(bodies[table.name], f"equiv_{next(numbers)}")
        alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name, quoted=True))
        reading += [inner for inner in body.find_all(exp.Table) if inner.name in bodies]
        table.replace(exp.Subquery(this=body, alias=alias))
    return copy


def _size(tree: exp.Expr, bodies: dict[str, exp.Expr]) -> int:
    """The number of tables that a query reads once everything is written out; capped."""
    known: dict[str, int] = {}

    def weight(node: exp.Expr, depth: int) -> int:
        if depth > _DEEPEST:
            return _MOST_TABLES + 1
        total = 0
        for table in node.find_all(exp.Table):
            if table.find_ancestor(exp.With) is not None and node is tree:
                continue
            body = bodies.get(table.name)
            if body is not None and table.name not in known:
                known[table.name] = weight(body, depth + 1)
            total += 1 if body is None else known[table.name]
        return min(total, _MOST_TABLES + 1)

    return weight(tree, 0)


def _with_own_aliases(body: exp.Expr, prefix: str) -> exp.Expr:
    """A copy of a query, each of whose sources has another alias."""
    copy: exp.Expr = body.copy()
    for clause in list(copy.find_all(exp.With)):
        clause.pop()
    sources = [node for node in copy.find_all(exp.Table, exp.Subquery) if node.alias_or_name]
    known = {node.alias_or_name: f"{prefix}_{node.alias_or_name}" for node in sources}
    for node in sources:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(known[node.alias_or_name], quoted=True)))
    for column in copy.find_all(exp.Column):
        if column.table in known:
            column.set("table", exp.to_identifier(known[column.table], quoted=True))
    return copy
