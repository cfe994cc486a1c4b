"""The generated databases of a pair: targeted ones first, then random ones with changing profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.model import Table
from equiv.core.reading.queries import LARGEST_COUNT
from equiv.generate.canonical.cells import CellSolver
from equiv.generate.canonical.databases import canonical_databases
from equiv.generate.canonical.strategies import STRATEGIES, Strategy
from equiv.generate.checks import columns_of
from equiv.generate.constraints import Constraints, constraints_of
from equiv.generate.database import Database
from equiv.generate.enforcer import columns_behind, enforces_more
from equiv.generate.rows.cells import Style
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.groups import stamp_groups
from equiv.generate.rows.layout import layout_of
from equiv.generate.rows.row_combinations import Plan, Profile, add_nulled_twin, occupy, stamp
from equiv.generate.rows.shared_group_keys import stamp_held
from equiv.generate.rows.specs import Beyond, Computed, RowCheck, table_specs
from equiv.generate.scratch import Scratch, scratch
from equiv.generate.values.pools import make_pools
from equiv.generate.values.spellings import partners

MAX_ROWS = 200
"""Rows of one table that stamping stops at, but for a count that only one table can reach."""

MAX_WHOLE = 24
"""So many stamps at most, each of rows of its own, are made for a LIMIT or OFFSET."""

MAX_COVERED = 8
_WHOLE_TEMPLATES = 4
"""So many templates come first on which all goals of both queries, or of one, hold."""

_COVERING = 0.3
_MAX_LACKS = 4
"""So many databases come early that lack the rows of one table."""


def databases(
    pair: Pair, effort: int, known: Iterable[Database] = (), *, constructs: bool = True
) -> Iterator[Database]:
    """Known databases, those constructed from the queries, ``effort`` drawn ones; all satisfy the facts.

    Where no row was found for a table that must have one, a database lacks it.

    The n-th database of each kind depends on the pair and on n alone.

    Args:
        known: databases of the same schema that satisfied the same facts, such as
            :meth:`equiv.generate.earlier_witnesses.EarlierWitnesses.candidates`; what the pair mentions and
            they lack is filled in.
        constructs: whether databases constructed from the queries come before those drawn.
    """
    plan = make_plan(pair)
    for number, database in enumerate(known):
        yield complete(plan, database, number)
    for _, database in islice(canonical(plan), effort) if constructs else ():
        yield database
    for index in range(effort):
        yield make_database(plan, index)


def canonical(plan: Plan, strategies: Sequence[Strategy] = STRATEGIES) -> Iterator[tuple[str, Database]]:
    """The databases constructed from both queries, each with the name of the strategy that made it."""
    solver = CellSolver(plan.reading, plan.pools, plan.specs, plan.desk)
    return canonical_databases(plan, solver, strategies)


def make_plan(pair: Pair) -> Plan:
    """Read a pair and prepare its pools and templates."""
    seed = f"{pair.pred.sql}\x1f{pair.gold.sql}"
    constraints = constraints_of(pair.schema, pair.facts)
    reading = pair.reading
    layout = layout_of(reading, constraints, pair.occupied)
    desk = scratch()
    pools = make_pools(reading, layout, constraints, desk)
    specs = table_specs(
        layout,
        constraints,
        pools,
        reading.ordered,
        partners=partners(layout, constraints, reading.equal),
        beyond=_beyond(layout, constraints, desk),
    )
    counts = sorted({step for count in reading.counts for step in (count - 1, count, count + 1, count + 2)})
    small = tuple(count for count in counts if 1 < count <= LARGEST_COUNT + 2)
    return Plan(reading, specs, pools, desk, small, tuple(sorted(reading.large)), seed, pair.occupied)


def _beyond(
    layout: Mapping[str, tuple[str, ...]], constraints: Mapping[str, Constraints], desk: Scratch
) -> Beyond:
    """Constraints of the tables' DDL beyond the facts: CHECKs, generated columns, whole-DDL enforcers."""
    tables = {name: constraints[name].table for name in layout}
    computed = {
        name: {
            column.name: Computed(tuple(_plain_behind(column.name, table)), desk.computes(table, column.name))
            for column in table.columns
            if column.expression
        }
        for name, table in tables.items()
        if any(column.generated for column in table.columns)
    }
    enforcers = {name: desk.enforcer(table) for name, table in tables.items() if enforces_more(table)}
    return Beyond(_row_checks(layout, constraints, desk), enforcers, computed)


def _plain_behind(name: str, table: Table) -> Iterator[str]:
    behind = columns_behind({name}, table)
    return (column.name for column in table.columns if column.name in behind and not column.generated)


def _row_checks(
    layout: Mapping[str, tuple[str, ...]], constraints: Mapping[str, Constraints], desk: Scratch
) -> dict[str, RowCheck]:
    """For each table with CHECKs over several or generated columns, the test that its rows must pass."""
    tests = {}
    for table, names in layout.items():
        rules = constraints[table]
        # A CHECK over one column is seen to by that column's pool.
        plain = {c.name.lower() for c in rules.table.columns if not c.generated}
        spanning = {
            check: read
            for check in rules.checks
            if len(read := columns_of(check, rules.table)) != 1 or not read <= plain
        }
        if spanning:
            # A CHECK that cannot be parsed may read them all.
            every = {name.lower() for name in names}
            read = set().union(*(found or every for found in spanning.values()))
            behind = columns_behind(read, rules.table)
            columns = frozenset(name for name in names if name.lower() in read or name in behind)
            tests[table] = RowCheck(columns, desk.row_check(rules.table, list(spanning)))
    return tests


_SCRIPT: tuple[Profile, ...] = (
    Profile(stamps=1, style=Style(walks=1.0)),
    Profile(stamps=14, flipped=0.8, style=Style(walks=0.9, fresh_keys=1.0)),
    Profile(stamps=2, copies=3, style=Style(walks=0.3, palette=2)),
    Profile(stamps=3, flipped=0.5, copies=2, extra=1, style=Style(walks=0.8, nulls=0.2)),
    Profile(stamps=0),
    Profile(stamps=1, copies=2, exact_copies=True, style=Style(walks=0.0, palette=1)),
    Profile(stamps=2, flipped=1.0, style=Style(walks=0.7)),
    Profile(stamps=3, style=Style(walks=1.0, nulls=0.35)),
    Profile(stamps=1, nulled=1, style=Style(walks=1.0)),
    Profile(stamps=2, nulled=2, flipped=0.5, style=Style(walks=0.8)),
)


_RESPELT = 0.5
_EVERY_THIRD = 3
"""Where a value may be spelt in several ways, so many databases go by before that is done again."""


def _profile(plan: Plan, index: int, rng: Random) -> Profile:
    profile = _plain_profile(plan, index, rng)
    if index % _EVERY_THIRD == 1 and any(spec.spellings for spec in plan.specs.values()):
        return replace(profile, style=replace(profile.style, respelt=_RESPELT))
    return profile


def _plain_profile(plan: Plan, index: int, rng: Random) -> Profile:
    if index < len(_SCRIPT):
        return _SCRIPT[index]
    tables = list(dict.fromkeys(plan.reading.slots.tables))
    if len(tables) > 1 and index - len(_SCRIPT) < min(len(tables), _MAX_LACKS):
        return Profile(stamps=3, lacks=tables[index - len(_SCRIPT)], style=Style(walks=0.8))
    style = Style(
        nulls=rng.choice((0.0, 0.0, 0.0, 0.1, 0.3, 0.6)),
        walks=rng.choice((0.0, 0.4, 0.8, 1.0)),
        palette=rng.choice((1, 2, 3, 5)),
        fresh_keys=rng.choice((0.2, 0.7, 1.0)),
    )
    if plan.large and index % 8 == 2:
        return _fan(plan, rng)
    if plan.reading.grouped and index % 8 == 5:
        return _groups(rng)
    if plan.reading.grouped and index % 16 == 11:
        return replace(_groups(rng), held=True)
    if plan.reading.cut and plan.counts and index % 12 == 0:
        stamps = min(rng.choice(plan.counts), MAX_WHOLE)
        apart = replace(style, walks=1.0, fresh_keys=1.0, nulls=0.0)
        return Profile(stamps=stamps, flipped=rng.choice((0.0, 0.1)), style=apart)
    if plan.counts and index % 4 == 0:
        return Profile(
            stamps=rng.choice((1, 1, 2, 3)),
            copies=rng.choice(plan.counts),
            exact_copies=rng.random() < 0.7,
            flipped=rng.choice((0.0, 0.2)),
            style=style,
        )
    return Profile(
        stamps=rng.choice((1, 1, 2, 2, 3, 4, 6)),
        flipped=rng.choice((0.0, 0.3, 0.5, 0.8)),
        copies=rng.choice((1, 1, 2, 3, 4)),
        omit=rng.choice((0.0, 0.0, 0.2)),
        extra=rng.choice((0, 0, 1, 3)),
        nulled=rng.choice((0, 0, 0, 1, 2)),
        covers=len(plan.branches) > 1 and rng.random() < _COVERING,
        style=style,
    )


def _fan(plan: Plan, rng: Random) -> Profile:
    """Many rows joined with many, for a count that no table alone should have to reach."""
    size = rng.choice(plan.large) + rng.choice((0, 1, 2))
    return Profile(stamps=1, fan=size, style=Style(walks=rng.choice((0.0, 0.3)), palette=2))


def _groups(rng: Random) -> Profile:
    """Groups of several sizes, two of one name, to tell keys from names and extremes from ties."""
    sizes = rng.choice(((2, 2, 3), (2, 2, 3), (1, 1), (1, 2, 2), (3, 2, 4, 1), (2, 1, 2)))
    return Profile(
        stamps=0, sizes=sizes, style=Style(walks=0.0, palette=rng.choice((1, 2, 3)), fresh_keys=1.0)
    )


def make_database(plan: Plan, index: int) -> Database:
    """The ``index``-th database of a plan."""
    rng = Random(f"{plan.seed}\x1f{index}")
    profile = _profile(plan, index, rng)
    builder = Builder(plan.specs, rng, profile.style)
    partials: dict[str, list[dict[str, Cell]]] = {table: [] for table in plan.specs}
    plain = [template for template in plan.templates if not template.flipped]
    flipped = [template for template in plan.templates if template.flipped] or plain
    if profile.sizes and plain:
        stamp_sizes = stamp_held if profile.held else stamp_groups
        stamp_sizes(plan, rng.choice(plain[:_WHOLE_TEMPLATES]), profile.sizes, builder, partials)
    if profile.covers:
        for template in plan.branches[:MAX_COVERED]:
            stamp(plan, template, profile, builder, partials)
    for _ in range(profile.stamps if plan.templates else 0):
        source = flipped if rng.random() < profile.flipped else plain
        stamp(plan, rng.choice(source), profile, builder, partials)
    for _ in range(profile.nulled):
        add_nulled_twin(plan, partials, rng)
    for table, rows in partials.items():
        for _ in range(int(rng.random() * (profile.extra + 1)) if table in plan.reading.mentioned else 0):
            rows.append({})
        for partial in rows[: max(MAX_ROWS, profile.fan)]:
            builder.add(table, partial)
    occupy(plan, builder)
    return builder.database()


def complete(plan: Plan, database: Database, number: int) -> Database:
    """A database extended to the tables and columns of a plan: missing cells are completed."""
    if {table: columns for table, (columns, _) in database.tables.items()} == {
        table: plan.specs[table].columns for table in plan.specs if table in database.tables
    } and all(table in database.tables for table in plan.reading.mentioned):
        return database
    builder = Builder(plan.specs, Random(f"{plan.seed}\x1fknown {number}"), Style())
    for table in plan.specs:
        columns, rows = database.tables.get(table, ((), ()))
        for row in rows:
            builder.add(table, dict(zip(columns, row, strict=True)))
        if not rows and table in plan.reading.mentioned:
            builder.add(table, {})
            builder.add(table, {})
    occupy(plan, builder)
    return builder.database()
