"""The decision of a pair of the fragment: a certificate of equivalence, or databases that distinguish it.

*Sets* (Chandra and Merlin, 1977; Sagiv and Yannakakis, 1980; Klug, 1988): a union contains another iff it
returns the head of each case of the other on that case's own rows, which are a database that the facts allow.

*Bags* (Chaudhuri and Vardi, 1993; Cohen, 2006): two sums are equal iff their cases, chased, pair off by
isomorphisms.  If they do not, a homomorphic image of a case distinguishes them: the numbers of homomorphisms
from tableaux that are not isomorphic are linearly independent over the images (Lovász, 1967), and images of
chased tableaux are databases that the facts allow.

*A set and a bag* are equal iff they are equal as sets and no row of the bag comes twice.

Homomorphisms of tableaux map rows to rows of the same table, elements to elements that fit.  The certificate
shows for each case of either union the block or case of the other that has its rows; a database gives each
element a value, different ones to different elements.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations, count
from operator import methodcaller
from random import Random

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.fragment.constraints import FragmentConstraints
from equiv.fragment.queries import (
    ColumnSort,
    ConjunctiveQuery,
    EmptyRegionError,
    OutsideError,
    Region,
    RegionValue,
    Union,
)
from equiv.fragment.tableau import NULL, Tableau, cases_of, frozen, split, truth
from equiv.generate.complete import Builder, Style
from equiv.generate.database import Database
from equiv.generate.plan import make_plan
from equiv.generate.templates import occupy
from equiv.verdict import Proof

MOST_IMAGES = 3000
"""So many homomorphic images of cases are looked at."""


@dataclass(frozen=True)
class BlockCase:
    """A case and the block that it is of."""

    block: int
    tableau: Tableau


@dataclass(frozen=True)
class CasedUnion:
    """A union with its cases."""

    union: Union
    bodies: tuple[tuple[ConjunctiveQuery, Tableau], ...]
    """The blocks that may have rows, with their bodies."""
    cases: tuple[BlockCase, ...]


@dataclass(frozen=True)
class PairedCase:
    """A case of one query, and the block or case of the other that has its rows."""

    case: BlockCase
    partner: int
    rows: dict[int, int]


@dataclass(frozen=True)
class Equal:
    """The unions are equal; what shows it, for each direction or pair of cases."""

    by: str
    """``containment`` or ``_isomorphism``."""
    matches: tuple[tuple[PairedCase, ...], tuple[PairedCase, ...]]


@dataclass(frozen=True)
class Apart:
    """The unions are not equal; each of these databases distinguishes them."""

    databases: Iterator[Tableau]


def side_of(union: Union, constraints: FragmentConstraints) -> CasedUnion:
    """A union with its cases."""
    bodies, cases = [], []
    for number, block in enumerate(union.blocks):
        try:
            bodies.append((block, frozen(block, constraints)))
        except EmptyRegionError:
            continue
        cases += [BlockCase(number, tableau) for tableau in cases_of(block, constraints)]
    return CasedUnion(union, tuple(bodies), tuple(cases))


def decide(pred: CasedUnion, gold: CasedUnion) -> Equal | Apart:
    """Whether two unions are equal, as sets of rows if both are distinct, else as bags."""
    if not pred.union.distinct and not gold.union.distinct:
        return _decide_bags(pred, gold)
    forth, back = _contained(pred, gold), _contained(gold, pred)
    for found in (forth, back):
        if isinstance(found, Tableau):
            return Apart(iter((found,)))
    assert not isinstance(forth, Tableau)
    assert not isinstance(back, Tableau)
    for side in (pred, gold):
        twice = None if side.union.distinct else _duplicate(side)
        if twice is not None:
            return Apart(iter((twice,)))
    return Equal("containment", (forth, back))


def _contained(mine: CasedUnion, theirs: CasedUnion) -> tuple[PairedCase, ...] | Tableau:
    """What shows that each row of one union is one of the other; or else a case of which the head is none."""
    matches = []
    for case in mine.cases:
        for block, body in theirs.bodies:
            rows = next(_containment_mappings(block, body, case.tableau), None)
            if rows is not None:
                matches.append(PairedCase(case, theirs.union.blocks.index(block), rows))
                break
        else:
            return case.tableau
    return tuple(matches)


def _decide_bags(pred: CasedUnion, gold: CasedUnion) -> Equal | Apart:
    open_ones: dict[object, list[tuple[int, Tableau]]] = {}
    for number, other in enumerate(gold.cases):
        open_ones.setdefault(_signature(other.tableau), []).append((number, other.tableau))
    matches, alone = [], []
    for case in pred.cases:
        alike = open_ones.get(_signature(case.tableau), [])
        for at, (number, tableau) in enumerate(alike):
            rows = _isomorphism(case.tableau, tableau)
            if rows is not None:
                matches.append(PairedCase(case, number, rows))
                del alike[at]
                break
        else:
            alone.append(case.tableau)
    alone += [tableau for alike in open_ones.values() for _, tableau in alike]
    return Apart(_telling(pred, gold, alone)) if alone else Equal("isomorphism", (tuple(matches), ()))


def _telling(pred: CasedUnion, gold: CasedUnion, alone: Sequence[Tableau]) -> Iterator[Tableau]:
    """The images of the cases without a partner on which the unions return a row unequally often.

    Cases that pair off return what they return equally often, so that images of the others suffice.
    """
    for image in _images(alone):
        if _times(pred, image) != _times(gold, image):
            yield image


def _times(side: CasedUnion, database: Tableau) -> int:
    """How often a union returns the head of a database."""
    return sum(1 for block, body in side.bodies for _ in _containment_mappings(block, body, database))


def _images(cases: Sequence[Tableau]) -> Iterator[Tableau]:
    """Cases, then what they become when elements or rows are made one, one pair more at a time."""
    known = dict.fromkeys(map(_key, cases))
    pending = deque(cases)
    while pending:
        tableau = pending.popleft()
        yield tableau
        if len(known) > MOST_IMAGES:
            continue
        for image in _merged(tableau):
            if (key := _key(image)) not in known:
                known[key] = None
                pending.append(image)


def _key(tableau: Tableau) -> object:
    rows = frozenset((number, table, *cells.values()) for number, (table, cells) in tableau.rows.items())
    return rows, tuple(tableau.head), frozenset(tableau.regions.items())


def _merged(tableau: Tableau) -> Iterator[Tableau]:
    """The tableau with two elements made equal, or two rows of a table one, for each pair that can be."""
    for one, other in combinations(sorted(tableau.regions), 2):
        if _may_meet(tableau, one, other):
            yield from _changed(tableau, methodcaller("equate", one, other))
    for one, other in combinations(sorted(tableau.rows), 2):
        if tableau.rows[one][0] == tableau.rows[other][0]:
            yield from _changed(tableau, methodcaller("merge", one, other))


def _changed(tableau: Tableau, change: Callable[[Tableau], None]) -> Iterator[Tableau]:
    image = tableau.copy()
    try:
        change(image)
        image.chase()
    except EmptyRegionError:
        return
    yield image


def _may_meet(tableau: Tableau, one: int, other: int) -> bool:
    """Whether columns may hold two elements as one; an element without a sort is a constant."""
    sorts = tableau.sorts[one], tableau.sorts[other]
    if None not in sorts:
        return sorts[0] is sorts[1]
    constant, sort = (one, sorts[1]) if sorts[0] is None else (other, sorts[0])
    region = tableau.regions[constant]
    if sort is None or region is None:
        return False
    return sort is ColumnSort.ANY or (sort is ColumnSort.NUMBER) == isinstance(region.only, int)


def _duplicate(side: CasedUnion) -> Tableau | None:
    """A database on which a union returns a row twice; None if there is none."""
    for at, case in enumerate(side.cases):
        for other in side.cases[at:]:
            for both, copies in _both(case.tableau, other.tableau):
                if other is not case or any(both.atoms[a] != both.atoms[b] for a, b in copies):
                    return both
    return None


def _both(one: Tableau, other: Tableau) -> Iterator[tuple[Tableau, list[tuple[int, int]]]]:
    """The databases on which two cases return one row, with the places of atoms and their copies."""
    joint, names = one.copy(), {NULL: NULL}
    for element, region in other.regions.items():
        if region is not None and region.only is not None:
            names[element] = joint.constant(region.only)
        else:
            names[element] = joint.element(other.sorts[element], region)
    numbers = {}
    for number, (table, cells) in other.rows.items():
        numbers[number] = joint.add_row(table, {column: names[e] for column, e in cells.items()})
    size, width = len(joint.atoms), len(joint.head)
    joint.atoms += [numbers[row] for row in other.atoms]
    joint.head += [names[element] for element in other.head]
    copies = [(at, size + at) for at in range(min(size, len(other.atoms)))]
    starts = [joint]
    for at in range(width):
        starts = [way for start in starts for way in _equated(start, at, width + at)]
    for start in starts:
        for case in split(start):
            case.head = case.head[:width]
            yield case, copies


def _equated(start: Tableau, at: int, twin: int) -> Iterator[Tableau]:
    """A tableau with two elements of its head made equal: both NULL, or one value."""
    values = start.head[at], start.head[twin]
    if values[0] == values[1]:
        yield start
        return
    for is_null in (True, False):
        way = start.copy()
        try:
            for value in values:
                if is_null:
                    way.set_null(value)
                else:
                    way.restrict(value, Region())
            if not is_null:
                way.equate(way.head[at], way.head[twin])
        except EmptyRegionError:
            continue
        yield way


_MOST_STEPS = 400_000
"""So many rows are tried for rows in one search."""

_Rows = dict[int, int]
"""The row to which each row is mapped."""


def _containment_mappings(block: ConjunctiveQuery, frozen: Tableau, case: Tableau) -> Iterator[_Rows]:
    """The ways in which a block returns a case's head on the case's rows (Chandra and Merlin, 1977).

    Args:
        frozen: the block's body, its variables frozen.
        case: a case of this or another block, where each condition is true or not.
    """

    def fits(mine: int, theirs: int) -> bool:
        region = frozen.regions[mine]
        if region is None:
            return True
        known = None if theirs == NULL else case.regions[theirs]
        return known is not None and (region.only is None or region.only == known.only)

    for rows in _Search(frozen, case, fits).mappings():
        atoms = [rows[row] for row in frozen.atoms]
        if all(truth(test, case, atoms) is True for test in block.tests):
            yield rows


def _isomorphism(one: Tableau, other: Tableau) -> _Rows | None:
    """A bijection of the rows of two cases that keeps elements, what is known of them, and heads."""
    if len(one.rows) != len(other.rows):
        return None

    def fits(mine: int, theirs: int) -> bool:
        return theirs != NULL and one.regions[mine] == other.regions[theirs]

    return next(_Search(one, other, fits, one_to_one=True).mappings(), None)


def _signature(case: Tableau) -> object:
    """What isomorphic cases share: what is known of the cells of each row, and of the head."""

    def known(element: int) -> object:
        return "NULL" if element == NULL else case.regions[element]

    rows = Counter((table, tuple(map(known, cells.values()))) for table, cells in case.rows.values())
    return frozenset(rows.items()), tuple(map(known, case.head))


@dataclass
class _Search:
    source: Tableau
    target: Tableau
    fits: Callable[[int, int], bool]
    one_to_one: bool = False
    steps: int = 0
    image: dict[int, int] = field(default_factory=dict)
    rows: _Rows = field(default_factory=dict)

    def mappings(self) -> Iterator[_Rows]:
        if len(self.source.head) != len(self.target.head):
            return
        for mine, theirs in zip(self.source.head, self.target.head, strict=True):
            if self._put(mine, theirs) is None:
                return
        yield from self._rest(list(self.source.rows))

    def _put(self, mine: int, theirs: int) -> int | None:
        """Map an element; 1 if it was not mapped before, 0 if it was; None if it cannot be."""
        if mine == NULL:
            return 0 if theirs == NULL else None
        if mine in self.image:
            return 0 if self.image[mine] == theirs else None
        taken = self.one_to_one and theirs in self.image.values()
        if taken or not self.fits(mine, theirs):
            return None
        self.image[mine] = theirs
        return 1

    def _rest(self, open_rows: list[int]) -> Iterator[_Rows]:
        if not open_rows:
            yield dict(self.rows)
            return
        # The row of which most is known has the fewest images.
        number = max(
            open_rows, key=lambda row: sum(e in self.image for e in self.source.rows[row][1].values())
        )
        table, cells = self.source.rows[number]
        rest = [row for row in open_rows if row != number]
        for candidate, (its_table, its_cells) in self.target.rows.items():
            if its_table != table or (self.one_to_one and candidate in self.rows.values()):
                continue
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise OutsideError("too many homomorphisms between two queries")
            added: list[int] = []
            for column, mine in cells.items():
                put = self._put(mine, its_cells[column])
                if put is None:
                    break
                if put:
                    added.append(mine)
            else:
                self.rows[number] = candidate
                yield from self._rest(rest)
                del self.rows[number]
            for mine in added:
                del self.image[mine]


def proof_of(pred: CasedUnion, gold: CasedUnion, equal: Equal) -> Proof:
    """The evidence of an equivalence, for people: the cases of both queries, and the mappings."""
    if equal.by == "isomorphism":
        lines = [_isomorphic(match, gold) for match in equal.matches[0]]
    else:
        forth, back = equal.matches
        lines = [_shown_contained(match, "prediction", "gold") for match in forth]
        lines += [_shown_contained(match, "gold", "prediction") for match in back]
    return Proof(_page(pred), _page(gold), tuple(lines or ("neither query ever returns a row",)), ())


def _shown_contained(match: PairedCase, mine: str, theirs: str) -> str:
    rows = _mapped(match.rows, match.case.tableau)
    case = f"a case of {mine} block {match.case.block + 1}"
    return f"{theirs} block {match.partner + 1} returns the head of {case}{rows}"


def _isomorphic(match: PairedCase, gold: CasedUnion) -> str:
    partner = gold.cases[match.partner]
    rows = _mapped(match.rows, partner.tableau)
    return f"a case of prediction block {match.case.block + 1} is one of gold block {partner.block + 1}{rows}"


def _mapped(rows: Mapping[int, int], target: Tableau) -> str:
    """Which row becomes which, each by its place."""
    places = {number: place for place, number in enumerate(target.rows, 1)}
    shown = (f"{place} → {places[rows[number]]}" for place, number in enumerate(sorted(rows), 1))
    return f": rows {', '.join(shown)}" if rows else ""


def _page(side: CasedUnion) -> str:
    """The cases of a union, a line each."""
    kind = "the set of" if side.union.distinct else "the sum of"
    return "\n".join([kind, *(f"{c.block + 1}: {_text(c.tableau)}" for c in side.cases)])


def _text(case: Tableau) -> str:
    rows = " ".join(
        f"{place}:{table}({', '.join(f'{name} {_element_name(case, e)}' for name, e in cells.items())})"
        for place, (table, cells) in enumerate(case.rows.values(), 1)
    )
    return f"({', '.join(_element_name(case, element) for element in case.head)}) ← {rows or 'one row'}"


def _element_name(case: Tableau, element: int) -> str:
    if element == NULL:
        return "NULL"
    region = case.regions[element]
    if region is None:
        return f"x{element}"
    if region.only is not None:
        return repr(region.only)
    bounds = (region.low is not None and f"≥ {region.low}", region.high is not None and f"≤ {region.high}")
    said = [each for each in bounds if each] + [f"≠ {value!r}" for value in sorted(region.without, key=repr)]
    return f"x{element}" + (f" [{', '.join(said)}]" if said else "")


_PLAIN = Style(walks=1.0, fresh_keys=1.0)
_FIRST_DAY = date(2000, 1, 1)


def database_of(tableau: Tableau, pair: Pair) -> Database:
    """The database that a tableau is, with values in the columns of which it says nothing."""
    values = _values(tableau)
    plan = make_plan(pair)
    builder = Builder(plan.specs, Random(plan.seed), _PLAIN)
    for table in plan.specs:  # parents come first
        for name, cells in tableau.rows.values():
            if name == table:
                builder.add(table, {column: values[element] for column, element in cells.items()})
    occupy(plan, builder)  # tables that no query reads, and whose rows ask for none of theirs
    return builder.database()


def _values(tableau: Tableau) -> Mapping[int, Cell]:
    """A value for each element: its constant, or one that nothing else has."""
    known = {region.only for region in tableau.regions.values() if region is not None}
    taken: set[RegionValue] = {
        *tableau.constraints.constants,
        *(value for value in known if value is not None),
    }
    found: dict[int, Cell] = {NULL: None}
    # Where there is least room, values are chosen first.
    for element, region in sorted(tableau.regions.items(), key=lambda each: (_room(each[1]), each[0])):
        if region is not None and region.only is not None:
            found[element] = region.only
        else:
            value = _fresh(tableau.sorts[element], region or Region(), taken)
            taken.add(value)
            found[element] = value
    return found


def _room(region: Region | None) -> int:
    if region is None or region.low is None or region.high is None:
        return 10**9
    return region.high - region.low


def _fresh(sort: ColumnSort | None, region: Region, taken: set[RegionValue]) -> RegionValue:
    """A value of a region that is not taken."""
    for number in count(1):
        match sort:
            case ColumnSort.TEXT:
                value: RegionValue = f"t{number}"
            case ColumnSort.DATE:
                value = (_FIRST_DAY + timedelta(days=number)).isoformat()
            case _ if region.low is not None:
                value = region.low + number - 1
            case _ if region.high is not None:
                value = region.high - number + 1
            case _:
                value = number
        if value not in taken and value not in region.without:
            return value
    raise AssertionError
