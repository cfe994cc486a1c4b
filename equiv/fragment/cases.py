"""Cases of a body: for each element that a condition reads, whether it is NULL, and where it lies.

In a case each condition of the pair is true or is not, whatever the values are.  So over its cases a query
with comparisons with constants is a union of conjunctive queries without any.  (Klug, JACM 1988, splits by
all orders of the variables; comparisons with constants alone need less.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from equiv.algebra.terms import And, Compare, Constant, Expression, Field, IsNull, IsTrue, Not, Or, walk
from equiv.fragment.constraints import Constraints
from equiv.fragment.queries import Block, Cuts, OutsideError
from equiv.fragment.reading import value_of
from equiv.fragment.regions import ContradictionError, Region, Value
from equiv.fragment.tableau import NULL, Tableau, frozen

Truth = bool | None


def cases_of(block: Block, constraints: Constraints) -> list[Tableau]:
    """The cases of a block in which its conditions hold, each chased."""
    try:
        start = frozen(block, constraints)
    except ContradictionError:
        return []
    return list(split(start, block.tests))


def split(start: Tableau, tests: Sequence[Expression] = ()) -> Iterator[Tableau]:
    """The cases of a tableau, each chased; nothing is left open in one that a condition reads.

    Args:
        start: the tableau.
        tests: conditions on the atoms of its block, which hold in the cases.
    """
    pending = [start]
    while pending:
        tableau = pending.pop()
        try:
            tableau.chase()
        except ContradictionError:
            continue
        if any(_is_settled(test, tableau) and not holds(test, tableau) for test in tests):
            continue
        ways = _ways(tableau)
        if ways is None:
            yield tableau
            continue
        for way in reversed(ways):
            other = tableau.copy()
            try:
                way(other)
            except ContradictionError:
                continue
            pending.append(other)


Way = Callable[[Tableau], None]


def _is_settled(test: Expression, tableau: Tableau) -> bool:
    """Whether a condition is true or is not, whatever values the elements that it reads have."""
    for tested in (node for node in walk(test) if isinstance(node, Field)):
        table, cells = tableau.rows[tableau.atoms[tested.row.number]]
        read = [tableau.constraints.cuts[table, str(tested.column)]]
        if _ways_of(cells[str(tested.column)], read, tableau) is not None:
            return False
    return True


def _ways(tableau: Tableau) -> list[Way] | None:
    """The ways to settle the first element that is open; None if there is none."""
    cuts = tableau.constraints.cuts
    for element, places in tableau.columns().items():
        read = [cuts[place] for place in places if place in cuts]
        ways = _ways_of(element, read, tableau)
        if ways is not None:
            return ways
    return None


def _ways_of(element: int, read: Sequence[Cuts], tableau: Tableau) -> list[Way] | None:
    """The ways to settle an element as far as conditions on some columns go; None if it is settled."""
    if element == NULL:
        return None
    region = tableau.regions[element]
    if region is None:
        if any(each.nulls for each in read):
            return [_nulling(element), _restricting(element, Region())]
        region = Region()
    for bound in sorted({bound for each in read for bound in each.bounds}):
        if region.splits_at(bound):
            return [_restricting(element, Region(high=bound - 1)), _restricting(element, Region(low=bound))]
    for point in sorted({point for each in read for point in each.points}, key=repr):
        if region.may_be(point):
            only, other = Region(only=point), Region(without=frozenset((point,)))
            return [_restricting(element, only), _restricting(element, other)]
    return None


def _nulling(element: int) -> Way:
    return lambda tableau: tableau.set_null(element)


def _restricting(element: int, region: Region) -> Way:
    return lambda tableau: tableau.restrict(element, region)


def holds(test: Expression, case: Tableau) -> bool:
    """Whether a condition is true in a case."""
    return truth(test, case, case.atoms) is True


def truth(test: Expression, case: Tableau, atoms: Sequence[int]) -> Truth:
    """The truth value of a condition in a case, its atoms being rows of it; None is NULL."""
    match test:
        case And(parts):
            values = [truth(part, case, atoms) for part in parts]
            return False if False in values else None if None in values else True
        case Or(parts):
            values = [truth(part, case, atoms) for part in parts]
            return True if True in values else None if None in values else False
        case Not(part):
            value = truth(part, case, atoms)
            return None if value is None else not value
        case IsTrue(part):
            return truth(part, case, atoms) is True
        case IsNull(Constant(kind)):
            return kind == "null"
        case IsNull(Field() as field):
            return _element(field, case, atoms) == NULL
        case Constant(kind):
            return None if kind == "null" else value_of(test) != 0
        case Compare(operator, Constant() as left, Constant() as right):
            return _compared(operator, _plain(left), _plain(right))
        case Compare(operator, Field() as field, Constant() as constant):
            return _against(operator, _element(field, case, atoms), constant, case, is_left=True)
        case Compare(operator, Constant() as constant, Field() as field):
            return _against(operator, _element(field, case, atoms), constant, case, is_left=False)
    raise OutsideError("a condition")


def _element(field: Field, case: Tableau, atoms: Sequence[int]) -> int:
    return case.rows[atoms[field.row.number]][1][str(field.column)]


def _plain(constant: Constant) -> Value | None:
    return None if constant.kind == "null" else value_of(constant)


def _compared(operator: str, left: Value | None, right: Value | None) -> Truth:
    if operator == "IS":
        return left == right
    if left is None or right is None:
        return None
    if operator == "=":
        return left == right
    less = left < right  # type: ignore[operator]
    return less if operator == "<" else less or left == right


def _against(operator: str, element: int, constant: Constant, case: Tableau, *, is_left: bool) -> Truth:
    """The comparison of an element with a constant: its region says on which side it is."""
    value = _plain(constant)
    region = None if element == NULL else case.regions[element]
    if operator == "IS" and (value is None or element == NULL):
        return value is None and element == NULL
    if element == NULL or value is None:
        return None
    assert region is not None
    some: Value
    if region.only is not None:
        some = region.only
    elif operator in ("=", "IS"):
        return False
    elif region.low is not None:
        some = region.low
    else:
        assert region.high is not None
        some = region.high
    return _compared(operator, some, value) if is_left else _compared(operator, value, some)
