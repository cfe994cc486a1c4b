"""Databases from tableaux: a value for each element, different ones for different elements."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import count
from random import Random

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.fragment.queries import Sort
from equiv.fragment.regions import Region, Value
from equiv.fragment.tableau import NULL, Tableau
from equiv.generate.database import Database
from equiv.generate.plan import make_plan
from equiv.generate.rows.cells import Style
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.row_combinations import occupy

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
    taken: set[Value] = {*tableau.constraints.constants, *(value for value in known if value is not None)}
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


def _fresh(sort: Sort | None, region: Region, taken: set[Value]) -> Value:
    """A value of a region that is not taken."""
    for number in count(1):
        match sort:
            case Sort.TEXT:
                value: Value = f"t{number}"
            case Sort.DATE:
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
