"""SUM, AVG and TOTAL without rounding: aggregates, and for windows scalar functions of packed rows.

Python's window aggregates end the process if SQLite asks one for its value before its first step, as it does
for a frame that is empty or whose first rows a FILTER leaves out.  So over windows GROUP_CONCAT collects the
values of a frame as text, and a scalar function adds them up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from equiv.answers.exact.arithmetic import ExcludedError, Rationals, register, summand
from equiv.cells import Cell
from equiv.core.runner import Connection

SUM, AVG, TOTAL = "equiv_sum", "equiv_avg", "equiv_total"
PACKED = "equiv_packed"
OF_PACKED = {SUM: "equiv_packed_sum", AVG: "equiv_packed_avg", TOTAL: "equiv_packed_total"}
"""For each aggregate the scalar function of what GROUP_CONCAT makes of packed values, NULL for none."""

SEPARATOR = ","
"""The separator of GROUP_CONCAT in packed rows."""

_WHOLE = range(-(2**63), 2**63)


@dataclass
class _Sum:
    """The total so far."""

    rationals: Rationals
    sum: Fraction = Fraction(0)
    count: int = 0
    reals: int = 0
    rounded: int = 0
    addends: list[float] = field(default_factory=list)
    """The numbers as they are, where REALs round."""

    def add(self, value: Cell) -> None:
        if value is None:
            return
        number = summand(value)
        if not self.rationals.exact:
            self.addends.append(number)
            return
        self.rationals.require_finite(number)
        self.sum += self.rationals.of(number)
        self.count += 1
        self.reals += isinstance(number, float)
        self.rounded += self.rationals.is_rounded(number)

    def value(self, name: str) -> Cell:
        if self.addends:
            return self._added_up(name)
        if not self.count:
            return 0.0 if name == TOTAL else None
        if name == SUM and not self.reals:
            if int(self.sum) not in _WHOLE:
                raise ExcludedError("integer overflow")
            return int(self.sum)
        number = self.sum / self.count if name == AVG else self.sum
        return self.rationals.real(number, rounded=self.rounded > 0)

    def _added_up(self, name: str) -> Cell:
        """The sum of numbers that round, in some order."""
        if name == SUM and all(isinstance(number, int) for number in self.addends):
            total = sum(self.addends)
            if total not in _WHOLE:
                raise ExcludedError("integer overflow")
            return total
        total = 0.0
        for number in self.rationals.order.sample(self.addends, len(self.addends)):
            total += number
        return total / len(self.addends) if name == AVG else total


def _aggregate(name: str, rationals: Rationals) -> type:
    class Aggregate:
        """Adds up in any order with one outcome."""

        def __init__(self) -> None:
            self._sum = _Sum(rationals)

        def step(self, value: Cell) -> None:
            self._sum.add(value)

        def final(self) -> Cell:
            return self._sum.value(name)

    return Aggregate


def _packed(value: Cell) -> str | None:
    return None if value is None else repr(summand(value))


@dataclass
class _Frames:
    """Adds up packed frames; one that goes on where the last one ended adds only what is new."""

    rationals: Rationals
    name: str
    _seen: str = ""
    _query: int = 0
    _sum: _Sum = field(init=False)

    def value(self, text: str | None) -> Cell:
        if text is None:
            return _Sum(self.rationals).value(self.name)
        if self._query == self.rationals.queries and f"{text}{SEPARATOR}".startswith(self._seen):
            new = text[len(self._seen) :]
        else:
            self._query, self._sum, new = self.rationals.queries, _Sum(self.rationals), text
        self._query, query = 0, self._query
        for part in new.split(SEPARATOR) if new else ():
            self._sum.add(float(part) if _is_real(part) else int(part))
        self._seen, self._query = f"{text}{SEPARATOR}", query
        return self._sum.value(self.name)


def _is_real(part: str) -> bool:
    return not part.lstrip("-").isdigit()


def register_all(connection: Connection) -> None:
    """Make these functions and those of :mod:`equiv.answers.exact.arithmetic` known to a connection."""
    rationals = register(connection)
    connection.create_function(PACKED, 1, _packed, deterministic=True)
    for name, of_packed in OF_PACKED.items():
        connection.create_aggregate(name, 1, _aggregate(name, rationals))
        connection.create_function(of_packed, 1, _Frames(rationals, name).value)
