"""Window functions, as aggregates over a copy of the rows of the block, or as choices.

ROW_NUMBER numbers the rows of the block, a choice where keys tie.  RANK, DENSE_RANK and aggregates over a
whole partition, or over the rows up to the current one and its peers, are aggregates over a copy of the
block's rows.  A frame of ROWS needs an order that distinguishes the rows of a partition.

A frame may have bounds at an offset from the current row: in rows, groups of peers, or values.  Where the
rows of a partition are distinguished, each row is a group of peers, and an offset of GROUPS is one of ROWS:
https://sqlite.org/windowfunctions.html section 2.2.

LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE and NTILE read a row by its place.  Where an order leaves ties,
such a function picks among them, one pick for all rows of the partition: the algebra has no such choice.
So the order must distinguish the rows of a partition, or tied rows must look alike in what is read;
then the row is the first of those before it, or of its frame, in an order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.kinds import kinds
from equiv.algebra.translate.comparison import before, same, sorted_row
from equiv.algebra.translate.expression import expression
from equiv.algebra.translate.group import (
    WindowCall,
    aggregate_call,
    check_aggregate,
    frame,
    keys_of,
    order_tells,
    others,
    partners,
)
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.symbol_table import Stage, StagePart, SymbolTable
from equiv.algebra.world import World
from equiv.core.claims.blocks import result_clauses, source_aliases, walk_block
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import ALL, INTEGERS, CallForm, OrderDependence, StorageClass
from equiv.core.nodes import DenseRank, Rank
from equiv.core.printing import key
from equiv.core.query import UnsupportedError
from equiv.facts import FactKind

DETERMINED = 0
"""The site of what looks like a choice, and is none."""


Arguments = Sequence[exp.Expression | None]


def _neighbour(window: WindowCall, arguments: Arguments, part: StagePart, stage: Stage) -> t.Expression:
    """LAG, or LEAD, which is LAG in the order the other way round."""
    _require_telling(window, (), part, stage)
    name = type(window.function).__name__.upper()
    value, distance, default = arguments[:3]
    assert value is not None
    number = _number_of(distance, 1)
    ways = window.directions if name == "LEAD" else _reversed(window.directions)
    bag = others(window, part, stage, [value, *window.order], "after" if name == "LEAD" else "before")
    neighbour = _nth(bag, ways, number)
    if default is None:
        return neighbour
    enough = t.Compare("<=", t.integer(number), _count(bag, part))
    return t.Case(((enough, neighbour),), expression(default, part.symbols))


def _of_bounds(window: WindowCall, arguments: Arguments, part: StagePart, stage: Stage) -> t.Expression:
    """FIRST_VALUE, NTH_VALUE, or LAST_VALUE."""
    value, place = arguments[:2]
    assert value is not None
    is_last = isinstance(window.function, exp.LastValue)
    number = _number_of(place, 1)
    _require_telling(window, (value,) if number == 1 else (), part, stage)
    which = frame(window, part, stage)
    if which == "peers" and is_last:
        return expression(value, part.symbols)
    if which == "peers" and number == 1:
        # A frame that ends at the current row begins with the first row of its partition.
        which = "all"
    ways = _reversed(window.directions) if is_last else window.directions
    return _nth(others(window, part, stage, [value, *window.order], which), ways, number)


def _group_of(window: WindowCall, arguments: Arguments, part: StagePart, stage: Stage) -> t.Expression:
    """NTILE."""
    if arguments[0] is None:
        raise UnsupportedError("Window", "NTILE without an argument")
    number = _number_of(arguments[0], 1)
    _require_telling(window, (), part, stage)
    bags = [others(window, part, stage, (), which) for which in ("before", "all")]
    return _ntile(number, *(partial(_count, bag, part) for bag in bags))


BY_PLACE: dict[str, Callable[[WindowCall, Arguments, StagePart, Stage], t.Expression]] = {
    "LAG": _neighbour,
    "LEAD": _neighbour,
    "FIRST_VALUE": _of_bounds,
    "LAST_VALUE": _of_bounds,
    "NTH_VALUE": _of_bounds,
    "NTILE": _group_of,
}


def _require_telling(
    window: WindowCall, read: Sequence[exp.Expression], part: StagePart, stage: Stage
) -> None:
    """Make sure that it makes no difference which of two tied rows comes first.

    Args:
        window: the call.
        read: all that is read of the row, if a function reads no more than one; none if its place counts.
        part: the current row.
        stage: all rows.

    Raises:
        UnsupportedError: rows may tie, and differ.
    """
    keys = (*window.partition, *window.order)
    if read and all(key(node) in map(key, keys) for node in read):
        part.symbols.translation.require_merging(read, "a window")
        return
    if not order_tells(window, part, stage):
        raise UnsupportedError("Window", "a window function whose value depends on the order of tied rows")


def _number_of(node: exp.Expression | None, least: int) -> int:
    """An argument that is a plain whole number.

    Raises:
        UnsupportedError: it is anything else, or less than ``least``.
    """
    if node is None:
        return 1
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdecimal():
        raise UnsupportedError("Window", "a frame offset that is not a number literal")
    number = int(node.name)
    if number < least or number > 2**31:
        raise UnsupportedError("Window", f"a frame offset of {number}")
    return number


def _nth(bag: t.Bag, directions: tuple[t.Direction, ...], number: int) -> t.Expression:
    """The first output of the row at a place, from 1, in the order by the further outputs; NULL without."""
    return t.First(t.Limited(bag, 1, directions, 1, number - 1, DETERMINED))


def _reversed(directions: Sequence[t.Direction]) -> tuple[t.Direction, ...]:
    """The order the other way round."""
    return tuple(t.Direction(not each.descending, not each.nulls_first) for each in directions)


def _count(bag: t.Bag, part: StagePart) -> t.Expression:
    ones = t.Bag(tuple(t.Term(term.bindings, term.condition, (t.TRUE,)) for term in bag.terms))
    return part.symbols.world.names.copy_of(t.Aggregate("COUNT", ones))


def _ntile(number: int, ahead: Callable[[], t.Expression], every: Callable[[], t.Expression]) -> t.Expression:
    """In which of some groups of rows a row is, by how many rows stand before it, and of how many.

    The groups are as large as each other, but for the first ones, which have one row more until all rows are
    placed: https://sqlite.org/windowfunctions.html section 3.
    """
    if number == 1:
        return t.TRUE

    def size() -> t.Expression:
        return t.Apply("/", (every(), t.integer(number)))

    def rest() -> t.Expression:
        return t.Apply("%", (every(), t.integer(number)))

    def large() -> t.Expression:
        return t.Apply("+", (size(), t.TRUE))

    among_large = t.Compare("<", ahead(), t.Apply("*", (large(), rest())))
    in_large = t.Apply("/", (ahead(), large()))
    in_small = t.Apply("/", (t.Apply("-", (ahead(), rest())), size()))
    return t.Case(((among_large, t.Apply("+", (in_large, t.TRUE))),), t.Apply("+", (in_small, t.TRUE)))


def windowed(select: exp.Expression, stage: Stage, symbols: SymbolTable) -> Stage:
    """The stage with the values of the block's window calls."""
    clauses = [*select.expressions, *filter(None, [select.args.get("order")])]
    calls = {
        key(node): WindowCall.of(node)
        for clause in clauses
        for node in walk_block(clause)
        if isinstance(node, exp.Window)
    }
    computed = []
    for window in calls.values():
        is_beside_others = len(calls) > 1 and _counts_rows(window, stage)
        if not isinstance(window.function, exp.RowNumber) or is_beside_others:
            computed.append(window)
        else:
            stage = _numbered(select, window, stage, symbols)
    if not computed:
        return stage
    values: list[dict[object, t.Expression]] = [
        {key(w.node): _value(w, part, stage, symbols) for w in computed} for part in stage.parts
    ]
    return stage.with_values(values)


def _counts_rows(window: WindowCall, stage: Stage) -> bool:
    """Whether a ROW_NUMBER within partitions is a rank, as no rows tie."""
    return bool(window.partition) and order_tells(window, stage.parts[0], stage)


def _numbered(select: exp.Expression, window: WindowCall, stage: Stage, symbols: SymbolTable) -> Stage:
    """The stage as the rows of a numbered bag: the columns and values that the block's results mention."""
    own = source_aliases(select)
    mentioned = {
        (column.text("table"), column.name): None
        for clause in result_clauses(select)
        for column in clause.find_all(exp.Column)
        if column.text("table") in own
    }
    first = stage.parts[0].symbols
    places = [place for place in mentioned if place in first.columns]
    known = list(first.values)
    terms = []
    for part in stage.parts:
        outputs = [part.symbols.columns[p] for p in places] + [part.symbols.values[k] for k in known]
        keys = keys_of(window, part)
        terms.append(replace(part.term, outputs=(*outputs, *keys)))
    width = len(places) + len(known)
    directions = tuple(direction(term) for term in _order_terms(window))
    site = symbols.translation.site(window.node, "number")
    row = symbols.world.names.variable("numbered")
    source = t.Numbered(t.Bag(tuple(terms)), width, len(window.partition), directions, site)
    columns = {place: t.Field(row, n) for n, place in enumerate(places)}
    values: dict[object, t.Expression] = {k: t.Field(row, n) for n, k in enumerate(known, len(places))}
    values[key(window.node)] = t.Field(row, width)
    inside = replace(symbols.inside(columns), values=values)
    return Stage((StagePart(t.Term((t.Binding(row, source),), t.TRUE, ()), inside),))


def _order_terms(window: WindowCall) -> Sequence[exp.Expression]:
    order = window.node.args.get("order")
    return order.expressions if order is not None else ()


def _ranks(window: WindowCall, term: t.Term, symbols: SymbolTable) -> tuple[t.Expression, ...]:
    """The keys by which the ranks of a window's order differ."""
    return sorted_row(window.order, term.outputs, symbols) or (t.TRUE,)


def _value(window: WindowCall, part: StagePart, stage: Stage, symbols: SymbolTable) -> t.Expression:
    function = window.function
    if isinstance(function, Rank | exp.RowNumber):
        bag = others(window, part, stage, [exp.Literal.number(1)], "before")
        return t.Apply("+", (t.Aggregate("COUNT", bag), t.TRUE))
    if isinstance(function, DenseRank):
        bag = others(window, part, stage, window.order, "before")
        bag = t.Bag(tuple(replace(each, outputs=_ranks(window, each, symbols)) for each in bag.terms))
        row = symbols.world.names.variable("rank")
        distinct = t.Bag((t.Term((t.Binding(row, t.Squash(bag)),), t.TRUE, (t.TRUE,)),))
        return t.Apply("+", (t.Aggregate("COUNT", distinct), t.TRUE))
    name, arguments = uncall(function) or (type(function).__name__, ())
    if name in BY_PLACE:
        return BY_PLACE[name](window, (*arguments, None, None), part, stage)
    called = function_of(function)
    if called is None or called.form is not CallForm.AGGREGATE or called.order is not OrderDependence.NO:
        raise UnsupportedError("Window", f"the window function {name}")
    argument = aggregate_call(function)[1]
    check_aggregate(window.node, symbols)
    bag = _framed(window, part, stage, [argument])
    return t.Aggregate(name, bag)  # type: ignore[arg-type]


_Keys = tuple[t.Expression, ...]

_THERE = ALL - {"null"}

_MAX_OFFSET = 2**31
"""How large an offset may be."""


@dataclass(frozen=True)
class _Bound:
    """One bound of a frame: its offset from the current row, below 0 if it precedes it; None: unbounded."""

    offset: int | None

    @classmethod
    def of(cls, node: object, side: str | None) -> _Bound:
        """Read a bound of a frame.

        Raises:
            UnsupportedError: an offset that is not a plain whole number.
        """
        if node == "UNBOUNDED":
            return cls(None)
        if node == "CURRENT ROW":
            return cls(0)
        if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdecimal():
            raise UnsupportedError("WindowSpec", "an offset that is not a number literal")
        number = int(node.name)
        if number > _MAX_OFFSET:
            raise UnsupportedError("WindowSpec", f"an offset of {number}")
        return cls(-number if side == "PRECEDING" else number)


@dataclass(frozen=True)
class _Frame:
    """The rows around the current row of a window call, between two bounds."""

    window: WindowCall
    part: StagePart
    """The current row."""
    stage: Stage
    """All rows."""
    start: int | None
    end: int | None


def _framed(window: WindowCall, part: StagePart, stage: Stage, outputs: Sequence[exp.Expression]) -> t.Bag:
    """The rows of a window call's frame.

    Args:
        window: the call.
        part: the current row.
        stage: all rows.
        outputs: what is read of each.

    Raises:
        UnsupportedError: a frame that the algebra cannot say.
    """
    spec = window.node.args.get("spec")
    bounds = [] if spec is None else [spec.args.get(name) for name in ("start", "end")]
    if spec is None or not any(isinstance(bound, exp.Expression) for bound in bounds):
        return others(window, part, stage, outputs, frame(window, part, stage))
    if spec.args.get("exclude") is not None:
        raise UnsupportedError("WindowSpec", "a frame that excludes rows")
    start, end = (_Bound.of(spec.args.get(name), spec.args.get(f"{name}_side")) for name in ("start", "end"))
    here = _Frame(window, part, stage, start.offset, end.offset)
    by_value = str(spec.args.get("kind")).upper() == "RANGE"
    if not (part.symbols.world.holds(FactKind.NO_OVERFLOW) if by_value else order_tells(window, part, stage)):
        raise UnsupportedError("WindowSpec", "a window frame that may begin or end among tied rows")
    own = keys_of(window, part)[len(window.partition) :]
    terms = []
    for term, keys in partners(window, part, stage, outputs):
        _require_one_key((own, part.term), (keys, term), INTEGERS if by_value else _THERE, part)
        within = _in_range(here, keys[0], own[0]) if by_value else _in_reach(here, keys, own)
        terms.append(term.where((term.condition, *within)))
    return t.Bag(tuple(terms))


def _require_one_key(
    own: tuple[_Keys, t.Term], other: tuple[_Keys, t.Term], wanted: frozenset[StorageClass], part: StagePart
) -> None:
    """Make sure that rows are ordered by one key, of some storage classes in all rows of two terms.

    By several keys, or one that may be NULL, comparisons of rows between rows grow past what can be matched.

    Raises:
        UnsupportedError: they are not.
    """
    for keys, term in (own, other):
        if len(keys) != 1 or not _is_of(keys[0], term, wanted, part.symbols.world):
            raise UnsupportedError("WindowSpec", "a RANGE offset over several keys or types")


def _in_reach(here: _Frame, keys: _Keys, own: _Keys) -> Iterator[t.Expression]:
    """The conditions that a row is between two bounds, by the number of rows from one to the other."""

    def rows(first: _Keys, last: _Keys, *, from_first: bool) -> t.Expression:
        return _count_between(here, first, last, from_first=from_first)

    directions, start, end = here.window.directions, here.start, here.end
    ahead, behind = before(keys, own, directions), before(own, keys, directions)
    match start:
        case None:
            pass
        case 0:
            yield t.Or((behind, same(keys, own)))
        case 1:
            yield behind
        case _ if start < 0:
            yield t.Compare("<=", rows(keys, own, from_first=True), t.integer(-start))
        case _:
            yield t.Compare("<=", t.integer(start), rows(own, keys, from_first=False))
    match end:
        case None:
            pass
        case 0:
            yield t.Or((ahead, same(keys, own)))
        case -1:
            yield ahead
        case _ if end < 0:
            yield t.Compare("<=", t.integer(-end), rows(keys, own, from_first=True))
        case _:
            yield t.Compare("<=", rows(own, keys, from_first=False), t.integer(end))


def _count_between(here: _Frame, first: _Keys, last: _Keys, *, from_first: bool) -> t.Expression:
    """How many rows of the partition stand between two, of which the first or the last counts as between."""
    directions = here.window.directions
    terms: list[t.Term] = []
    for term, keys in partners(here.window, here.part, here.stage, (), filtered=False):
        after, ahead = before(first, keys, directions), before(keys, last, directions)
        if from_first:
            after = t.Or((after, same(keys, first)))
        else:
            ahead = t.Or((ahead, same(keys, last)))
        terms.append(
            replace(term, condition=t.conjunction((term.condition, after, ahead)), outputs=(t.TRUE,))
        )
    return t.Aggregate("COUNT", t.Bag(tuple(terms)))


def _in_range(here: _Frame, key: t.Expression, own: t.Expression) -> Iterator[t.Expression]:
    """The conditions that the key of a row, a whole number, is between those of two bounds."""
    descends = here.window.directions[0].descending
    for bound, is_start in ((here.start, True), (here.end, False)):
        if bound is not None:
            offset = -bound if descends else bound
            edge = t.Apply("+" if offset > 0 else "-", (own, t.integer(abs(offset)))) if offset else own
            yield t.Compare("<=", *((edge, key) if is_start != descends else (key, edge)))


def _is_of(key: t.Expression, term: t.Term, wanted: frozenset[StorageClass], world: World) -> bool:
    """Whether a key is of one of some storage classes in all rows of a term; facts are recorded if so."""
    trial = World(world.schema, world.facts, world.names)
    sources = {binding.row: binding.source for binding in term.bindings}
    if not kinds(key, trial, sources) <= wanted:
        return False
    world.use(trial.used)
    return True
