"""Values from lists that are in all tables of allowed combinations: a search that backtracks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from equiv.cells import Cell, Row

Values = dict[int, Cell]
"""The value of each class, by the number of the class."""

_STEPS = 400


@dataclass
class Choice:
    """A choice of a value for each class.

    Attributes:
        lists: the values that each class may take.
        tables: classes, and the combinations of values that they may take.
        apart: classes that must not take the same value.
    """

    lists: Mapping[int, Sequence[Cell]]
    tables: Sequence[tuple[Sequence[int], set[Row]]]
    apart: Sequence[tuple[int, int]]
    _steps: int = field(default=_STEPS)

    def found(self) -> Values | None:
        """Values, or None if none were found in some number of steps."""
        return self._extended(list(self.lists), {})

    def _extended(self, open_: list[int], chosen: Values) -> Values | None:
        if not open_:
            return chosen
        number = open_[0]
        for value in self.lists[number]:
            self._steps -= 1
            if self._steps < 0:
                return None
            trial = {**chosen, number: value}
            found = self._extended(open_[1:], trial) if self._is_allowed(trial, number) else None
            if found is not None:
                return found
        return None

    def _is_allowed(self, values: Values, last: int) -> bool:
        """Whether nothing forbids values of which one is new."""
        for own, rows in self.tables:
            known = last in own and all(number in values for number in own)
            if known and tuple(values[number] for number in own) not in rows:
                return False
        pairs = ((a, b) for a, b in self.apart if last in (a, b) and a in values and b in values)
        return all(values[a] != values[b] for a, b in pairs)
