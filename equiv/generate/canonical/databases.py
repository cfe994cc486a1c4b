"""The canonical databases of a pair: sketches solved, completed by rows that the facts ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from equiv.cells import Cell
from equiv.core.reading.goals import SlotColumn
from equiv.generate.canonical.cells import CellSolver, Solved
from equiv.generate.canonical.sketches import COPY, Sketch
from equiv.generate.canonical.strategies import STRATEGIES, Bodies, Strategy
from equiv.generate.database import Database
from equiv.generate.rows.cells import Style
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.row_combinations import Plan, occupy

MOST = 48
"""So many canonical databases a pair has at most."""

_MOST_SKETCHES = 160
_PLAIN = Style(walks=1.0, fresh_keys=1.0)


def canonical_databases(
    plan: Plan, solver: CellSolver, strategies: Collection[Strategy] = STRATEGIES
) -> Iterator[tuple[str, Database]]:
    """The databases that strategies make, each with the name of its strategy; none twice."""
    bodies = Bodies(plan.reading, dict(plan.specs))
    known: set[object] = set()
    seen: set[Sketch] = set()
    made = 0
    for strategy in strategies if bodies.is_small else ():
        for sketch in strategy(bodies):
            if sketch in seen:
                continue
            seen.add(sketch)
            if len(seen) > _MOST_SKETCHES or made >= MOST:
                return
            solved = solver.solve(sketch)
            database = _database(plan, sketch, solved) if solved is not None else None
            if database is not None and (key := _key(database)) not in known:
                known.add(key)
                made += 1
                yield strategy.__name__, database


def _key(database: Database) -> object:
    return tuple((name, columns, rows) for name, (columns, rows) in database.tables.items())


def _database(plan: Plan, sketch: Sketch, solved: Solved) -> Database | None:
    """The rows of a sketch's atoms, and those that they refer to."""
    builder = Builder(plan.specs, Random(plan.seed), _PLAIN)
    values = dict(solved.values)
    tables = plan.reading.slots.tables
    by_class: dict[int, list[SlotColumn]] = {}
    for place, number in solved.classes.items():
        by_class.setdefault(number, []).append(place)
    for number, places in by_class.items():
        if number not in values and len(places) > 1:
            values[number] = _free(plan, builder, [(tables[slot % COPY], name) for slot, name in places])
    rows: dict[str, list[dict[str, Cell]]] = {table: [] for table in plan.specs}
    for atom in sketch.atoms:
        table = tables[atom % COPY]
        if table in rows:
            own = {n: values[c] for (slot, n), c in solved.classes.items() if slot == atom and c in values}
            rows[table].append(own)
    for table, partials in rows.items():
        for partial in partials:
            builder.add(table, partial)
    occupy(plan, builder)
    return builder.database()


def _free(plan: Plan, builder: Builder, keys: list[tuple[str, str]]) -> Cell:
    """A value for a class that no condition reads: a new one where a key is made of it."""
    keyed = next((key for key in keys if (key[1],) in plan.specs[key[0]].keys), None)
    return builder.fresh(*keyed) if keyed is not None else builder.pick(*keys[0])
