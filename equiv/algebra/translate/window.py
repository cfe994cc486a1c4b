"""Window functions.

ROW_NUMBER numbers the rows of the block, a choice where keys tie.  RANK, DENSE_RANK and aggregates over a
whole partition, or over the rows up to the current one and its peers, are aggregates over a copy of the
block's rows.  A frame of ROWS, and what reads a row by its place (:mod:`equiv.algebra.translate.positions`),
needs an order that tells the rows of a partition apart.

Window frames with bounds at an offset from the current row: in rows, groups of peers, or values.

An offset of ROWS counts rows, and needs an order that tells the rows of a partition apart; then each row is a
group of peers, and an offset of GROUPS is the same: https://sqlite.org/windowfunctions.html section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.kinds import kinds
from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Binding,
    Compare,
    Expression,
    Field,
    Numbered,
    Or,
    Squash,
    Term,
    conjunction,
    integer,
)
from equiv.algebra.translate.collation import sorted_row
from equiv.algebra.translate.comparison import before, same
from equiv.algebra.translate.frames import Window, frame, keys_of, order_tells, others, partners
from equiv.algebra.translate.group import aggregate_call, check_aggregate
from equiv.algebra.translate.positions import BY_PLACE
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.stage import Part, Stage
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.algebra.world import World
from equiv.core.claims.blocks import result_clauses, source_aliases, walk_block
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import ALL, CallForm, OrderDependence, StorageClass
from equiv.core.printing import key
from equiv.core.query import UnsupportedError
from equiv.facts import FactKind


def windowed(select: exp.Expression, stage: Stage, symbols: SymbolTable) -> Stage:
    """The stage with the values of the block's window calls."""
    clauses = [*select.expressions, *filter(None, [select.args.get("order")])]
    calls = {
        key(node): Window.of(node)
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
    values: list[dict[object, Expression]] = [
        {key(w.node): _value(w, part, stage, symbols) for w in computed} for part in stage.parts
    ]
    return stage.with_values(values)


def _counts_rows(window: Window, stage: Stage) -> bool:
    """Whether a ROW_NUMBER within partitions is a rank, as no rows tie."""
    return bool(window.partition) and order_tells(window, stage.parts[0], stage)


def _numbered(select: exp.Expression, window: Window, stage: Stage, symbols: SymbolTable) -> Stage:
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
    source = Numbered(Bag(tuple(terms)), width, len(window.partition), directions, site)
    columns = {place: Field(row, n) for n, place in enumerate(places)}
    values: dict[object, Expression] = {k: Field(row, n) for n, k in enumerate(known, len(places))}
    values[key(window.node)] = Field(row, width)
    inside = replace(symbols.inside(columns), values=values)
    return Stage((Part(Term((Binding(row, source),), TRUE, ()), inside),))


def _order_terms(window: Window) -> Sequence[exp.Expression]:
    order = window.node.args.get("order")
    return order.expressions if order is not None else ()


def _ranks(window: Window, term: Term, symbols: SymbolTable) -> tuple[Expression, ...]:
    """The keys by which the ranks of a window's order differ."""
    return sorted_row(window.order, term.outputs, symbols) or (TRUE,)


def _value(window: Window, part: Part, stage: Stage, symbols: SymbolTable) -> Expression:
    function = window.function
    if isinstance(function, exp.Rank | exp.RowNumber):
        bag = others(window, part, stage, [exp.Literal.number(1)], "before")
        return Apply("+", (Aggregate("COUNT", bag), TRUE))
    if isinstance(function, exp.DenseRank):
        bag = others(window, part, stage, window.order, "before")
        bag = Bag(tuple(replace(t, outputs=_ranks(window, t, symbols)) for t in bag.terms))
        row = symbols.world.names.variable("rank")
        distinct = Bag((Term((Binding(row, Squash(bag)),), TRUE, (TRUE,)),))
        return Apply("+", (Aggregate("COUNT", distinct), TRUE))
    name, arguments = uncall(function) or (type(function).__name__, ())
    if name in BY_PLACE:
        return BY_PLACE[name](window, (*arguments, None, None), part, stage)
    called = function_of(function)
    if called is None or called.form is not CallForm.AGGREGATE or called.order is not OrderDependence.NO:
        raise UnsupportedError("Window", f"the window function {name}")
    argument = aggregate_call(function)[1]
    check_aggregate(window.node, symbols)
    bag = _framed(window, part, stage, [argument])
    return Aggregate(name, bag)  # type: ignore[arg-type]


_Keys = tuple[Expression, ...]

_THERE = ALL - {"null"}
_INTEGER: frozenset[StorageClass] = frozenset({"integer"})

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
            UnsupportedError: an offset that is no plain whole number.
        """
        if node == "UNBOUNDED":
            return cls(None)
        if node == "CURRENT ROW":
            return cls(0)
        if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdecimal():
            raise UnsupportedError("WindowSpec", "an offset that is no plain number")
        number = int(node.name)
        if number > _MAX_OFFSET:
            raise UnsupportedError("WindowSpec", f"an offset of {number}")
        return cls(-number if side == "PRECEDING" else number)


@dataclass(frozen=True)
class _Frame:
    """The rows around the current row of a window call, between two bounds."""

    window: Window
    part: Part
    """The current row."""
    stage: Stage
    """All rows."""
    start: int | None
    end: int | None


def _framed(window: Window, part: Part, stage: Stage, outputs: Sequence[exp.Expression]) -> Bag:
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
        raise UnsupportedError("WindowSpec", "a frame whose bounds may lie within tied rows")
    own = keys_of(window, part)[len(window.partition) :]
    terms = []
    for term, keys in partners(window, part, stage, outputs):
        _require_one_key((own, part.term), (keys, term), _INTEGER if by_value else _THERE, part)
        within = _in_range(here, keys[0], own[0]) if by_value else _in_reach(here, keys, own)
        terms.append(replace(term, condition=conjunction((term.condition, *within))))
    return Bag(tuple(terms))


def _require_one_key(
    own: tuple[_Keys, Term], other: tuple[_Keys, Term], wanted: frozenset[StorageClass], part: Part
) -> None:
    """Make sure that rows are ordered by one key, of some storage classes in all rows of two terms.

    By several keys, or one that may be NULL, comparisons of rows between rows grow past what can be matched.

    Raises:
        UnsupportedError: they are not.
    """
    for keys, term in (own, other):
        if len(keys) != 1 or not _is_of(keys[0], term, wanted, part.symbols.world):
            raise UnsupportedError("WindowSpec", "an offset over several keys, or one of another class")


def _in_reach(here: _Frame, keys: _Keys, own: _Keys) -> Iterator[Expression]:
    """The conditions that a row is between two bounds, by the number of rows from one to the other."""

    def rows(first: _Keys, last: _Keys, *, from_first: bool) -> Expression:
        return _count_between(here, first, last, from_first=from_first)

    directions, start, end = here.window.directions, here.start, here.end
    ahead, behind = before(keys, own, directions), before(own, keys, directions)
    match start:
        case None:
            pass
        case 0:
            yield Or((behind, same(keys, own)))
        case 1:
            yield behind
        case _ if start < 0:
            yield Compare("<=", rows(keys, own, from_first=True), integer(-start))
        case _:
            yield Compare("<=", integer(start), rows(own, keys, from_first=False))
    match end:
        case None:
            pass
        case 0:
            yield Or((ahead, same(keys, own)))
        case -1:
            yield ahead
        case _ if end < 0:
            yield Compare("<=", integer(-end), rows(keys, own, from_first=True))
        case _:
            yield Compare("<=", rows(own, keys, from_first=False), integer(end))


def _count_between(here: _Frame, first: _Keys, last: _Keys, *, from_first: bool) -> Expression:
    """How many rows of the partition stand between two, of which the first or the last counts as between."""
    directions = here.window.directions
    terms: list[Term] = []
    for term, keys in partners(here.window, here.part, here.stage, (), filtered=False):
        after, ahead = before(first, keys, directions), before(keys, last, directions)
        if from_first:
            after = Or((after, same(keys, first)))
        else:
            ahead = Or((ahead, same(keys, last)))
        terms.append(replace(term, condition=conjunction((term.condition, after, ahead)), outputs=(TRUE,)))
    return Aggregate("COUNT", Bag(tuple(terms)))


def _in_range(here: _Frame, key: Expression, own: Expression) -> Iterator[Expression]:
    """The conditions that the key of a row, a whole number, is between those of two bounds."""
    descends = here.window.directions[0][0]
    for bound, is_start in ((here.start, True), (here.end, False)):
        if bound is not None:
            offset = -bound if descends else bound
            edge = Apply("+" if offset > 0 else "-", (own, integer(abs(offset)))) if offset else own
            yield Compare("<=", *((edge, key) if is_start != descends else (key, edge)))


def _is_of(key: Expression, term: Term, wanted: frozenset[StorageClass], world: World) -> bool:
    """Whether a key is of one of some storage classes in all rows of a term; facts are recorded if so."""
    trial = World(world.schema, world.facts, world.names)
    sources = {binding.row: binding.source for binding in term.bindings}
    if not kinds(key, trial, sources) <= wanted:
        return False
    world.use(trial.used)
    return True
