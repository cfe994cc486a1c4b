"""Window functions that read a row by its place: LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTILE.

Where an order leaves ties, such a function picks among them, one pick for all rows of the partition: that is
no choice that the algebra can say.  So the order must tell the rows of a partition apart, or tied rows must
look alike in what is read; then the row is the first of those before it, or of its frame, in an order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sqlglot import exp

from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Case,
    Compare,
    Direction,
    Expression,
    First,
    Limited,
    Term,
    integer,
)
from equiv.algebra.translate.expression import expression
from equiv.algebra.translate.frames import Window, frame, order_tells, others
from equiv.algebra.translate.stage import Part, Stage
from equiv.core.printing import key
from equiv.core.query import UnsupportedError

DETERMINED = 0
"""The site of what looks like a choice, and is none."""


Arguments = Sequence[exp.Expression | None]


def _neighbour(window: Window, arguments: Arguments, part: Part, stage: Stage) -> Expression:
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
    enough = Compare("<=", integer(number), _count(bag, part))
    return Case(((enough, neighbour),), expression(default, part.symbols))


def _of_bounds(window: Window, arguments: Arguments, part: Part, stage: Stage) -> Expression:
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


def _group_of(window: Window, arguments: Arguments, part: Part, stage: Stage) -> Expression:
    """NTILE."""
    if arguments[0] is None:
        raise UnsupportedError("Window", "NTILE of nothing")
    number = _number_of(arguments[0], 1)
    _require_telling(window, (), part, stage)
    bags = [others(window, part, stage, (), which) for which in ("before", "all")]
    return _ntile(number, *(partial(_count, bag, part) for bag in bags))


BY_PLACE: dict[str, Callable[[Window, Arguments, Part, Stage], Expression]] = {
    "LAG": _neighbour,
    "LEAD": _neighbour,
    "FIRST_VALUE": _of_bounds,
    "LAST_VALUE": _of_bounds,
    "NTH_VALUE": _of_bounds,
    "NTILE": _group_of,
}


def _require_telling(window: Window, read: Sequence[exp.Expression], part: Part, stage: Stage) -> None:
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
        raise UnsupportedError("Window", "a window function that picks among tied rows")


def _number_of(node: exp.Expression | None, least: int) -> int:
    """An argument that is a plain whole number.

    Raises:
        UnsupportedError: it is anything else, or less than ``least``.
    """
    if node is None:
        return 1
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdecimal():
        raise UnsupportedError("Window", "a distance that is no plain number")
    number = int(node.name)
    if number < least or number > 2**31:
        raise UnsupportedError("Window", f"a distance of {number}")
    return number


def _nth(bag: Bag, directions: Sequence[tuple[bool, bool]], number: int) -> Expression:
    """The first output of the row at a place, from 1, in the order by the further outputs; NULL without."""
    ways = tuple(Direction(descending, nulls_first) for descending, nulls_first in directions)
    return First(Limited(bag, 1, ways, 1, number - 1, DETERMINED))


def _reversed(directions: Sequence[tuple[bool, bool]]) -> tuple[tuple[bool, bool], ...]:
    """The order the other way round."""
    return tuple((not descending, not nulls_first) for descending, nulls_first in directions)


def _count(bag: Bag, part: Part) -> Expression:
    ones = Bag(tuple(Term(term.bindings, term.condition, (TRUE,)) for term in bag.terms))
    return part.symbols.world.names.copy_of(Aggregate("COUNT", ones))


def _ntile(number: int, ahead: Callable[[], Expression], every: Callable[[], Expression]) -> Expression:
    """In which of some groups of rows a row is, by how many rows stand before it, and of how many.

    The groups are as large as each other, but for the first ones, which have one row more until all rows are
    placed: https://sqlite.org/windowfunctions.html section 3.
    """
    if number == 1:
        return TRUE

    def size() -> Expression:
        return Apply("/", (every(), integer(number)))

    def rest() -> Expression:
        return Apply("%", (every(), integer(number)))

    def large() -> Expression:
        return Apply("+", (size(), TRUE))

    among_large = Compare("<", ahead(), Apply("*", (large(), rest())))
    in_large = Apply("/", (ahead(), large()))
    in_small = Apply("/", (Apply("-", (ahead(), rest())), size()))
    return Case(((among_large, Apply("+", (in_large, TRUE))),), Apply("+", (in_small, TRUE)))
