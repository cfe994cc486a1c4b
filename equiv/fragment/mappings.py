"""Homomorphisms of tableaux: rows to rows of the same table, elements to elements that fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from equiv.fragment.cases import truth
from equiv.fragment.queries import Block, OutsideError
from equiv.fragment.tableau import NULL, Tableau

MOST_STEPS = 400_000
"""So many rows are tried for rows in one search."""

Rows = dict[int, int]
"""The row to which each row is mapped."""


def containment_mappings(block: Block, frozen: Tableau, case: Tableau) -> Iterator[Rows]:
    """The ways in which a block returns a case's head on the case's rows (Chandra and Merlin, 1977).

    Args:
        block: a block.
        frozen: its body, its variables frozen.
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


def isomorphism(one: Tableau, other: Tableau) -> Rows | None:
    """A bijection of the rows of two cases that keeps elements, what is known of them, and heads."""
    if len(one.rows) != len(other.rows):
        return None

    def fits(mine: int, theirs: int) -> bool:
        return theirs != NULL and one.regions[mine] == other.regions[theirs]

    return next(_Search(one, other, fits, one_to_one=True).mappings(), None)


def signature(case: Tableau) -> object:
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
    rows: Rows = field(default_factory=dict)

    def mappings(self) -> Iterator[Rows]:
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

    def _rest(self, open_rows: list[int]) -> Iterator[Rows]:
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
            if self.steps > MOST_STEPS:
                raise OutsideError("too many ways to map one body to another")
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
