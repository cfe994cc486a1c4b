"""Window frames with bounds at an offset from the current row: in rows, groups of peers, or values.

An offset of ROWS counts rows, and needs an order that tells the rows of a partition apart; then each row is a
group of peers, and an offset of GROUPS is the same: https://sqlite.org/windowfunctions.html section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.kinds import ALL, kinds
from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Compare,
    Expression,
    Or,
    Term,
    conjunction,
    integer,
)
from equiv.algebra.translate.comparison import before, same
from equiv.algebra.translate.frames import Window, frame, keys_of, order_tells, others, partners
from equiv.algebra.translate.stage import Part, Stage
from equiv.algebra.world import World
from equiv.core.functions.traits import Kind
from equiv.core.unsupported import UnsupportedError
from equiv.facts import FactKind

Keys = tuple[Expression, ...]

_THERE = ALL - {"null"}
_INTEGER: frozenset[Kind] = frozenset({"integer"})

MAX_OFFSET = 2**31
"""How large an offset may be."""


@dataclass(frozen=True)
class Bound:
    """One bound of a frame: its offset from the current row, below 0 if it precedes it; None: unbounded."""

    offset: int | None

    @classmethod
    def of(cls, node: object, side: str | None) -> Bound:
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
        if number > MAX_OFFSET:
            raise UnsupportedError("WindowSpec", f"an offset of {number}")
        return cls(-number if side == "PRECEDING" else number)


@dataclass(frozen=True)
class Frame:
    """The rows around the current row of a window call, between two bounds."""

    window: Window
    part: Part
    """The current row."""
    stage: Stage
    """All rows."""
    start: int | None
    end: int | None


def framed(window: Window, part: Part, stage: Stage, outputs: Sequence[exp.Expression]) -> Bag:
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
    start, end = (Bound.of(spec.args.get(name), spec.args.get(f"{name}_side")) for name in ("start", "end"))
    here = Frame(window, part, stage, start.offset, end.offset)
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
    own: tuple[Keys, Term], other: tuple[Keys, Term], wanted: frozenset[Kind], part: Part
) -> None:
    """Make sure that rows are ordered by one key, of some storage classes in all rows of two terms.

    By several keys, or one that may be NULL, comparisons of rows between rows grow past what can be matched.

    Raises:
        UnsupportedError: they are not.
    """
    for keys, term in (own, other):
        if len(keys) != 1 or not _is_of(keys[0], term, wanted, part.symbols.world):
            raise UnsupportedError("WindowSpec", "an offset over several keys, or one of another class")


def _in_reach(here: Frame, keys: Keys, own: Keys) -> Iterator[Expression]:
    """The conditions that a row is between two bounds, by the number of rows from one to the other."""

    def rows(first: Keys, last: Keys, *, from_first: bool) -> Expression:
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


def _count_between(here: Frame, first: Keys, last: Keys, *, from_first: bool) -> Expression:
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


def _in_range(here: Frame, key: Expression, own: Expression) -> Iterator[Expression]:
    """The conditions that the key of a row, a whole number, is between those of two bounds."""
    descends = here.window.directions[0][0]
    for bound, is_start in ((here.start, True), (here.end, False)):
        if bound is not None:
            offset = -bound if descends else bound
            edge = Apply("+" if offset > 0 else "-", (own, integer(abs(offset)))) if offset else own
            yield Compare("<=", *((edge, key) if is_start != descends else (key, edge)))


def _is_of(key: Expression, term: Term, wanted: frozenset[Kind], world: World) -> bool:
    """Whether a key is of one of some storage classes in all rows of a term; facts are recorded if so."""
    trial = World(world.schema, world.facts, world.names)
    sources = {binding.row: binding.source for binding in term.bindings}
    if not kinds(key, trial, sources) <= wanted:
        return False
    world.use(trial.used)
    return True
