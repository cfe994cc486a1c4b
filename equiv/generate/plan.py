"""The generated databases of a pair: canonical and targeted ones, then random ones in changing profiles.

Canonical databases are sketches solved, completed by rows that the facts ask for.

Rows in groups come in several sizes, two with equal names: they tell GROUP BY key from GROUP BY name.
Groups also share the columns of one GROUP BY and differ in the columns of the others: a query that groups
by one column and one that groups by another, or counts DISTINCT where the other counts all, differ where
each has its largest group elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.model import Table
from equiv.core.reading.queries import LARGEST_COUNT, ColumnKey, PairReading
from equiv.generate.complete import Builder, Style
from equiv.generate.constraints import Constraints, columns_of, constraints_of
from equiv.generate.database import Database
from equiv.generate.nearby_databases import without_circles
from equiv.generate.pools import make_pools
from equiv.generate.scratch import Scratch, columns_behind, enforces_more, scratch
from equiv.generate.sketch_solver import CellSolver, Later, SolvedSketch
from equiv.generate.sketches import COPY, STRATEGIES, Bodies, Sketch, Strategy
from equiv.generate.specs import Beyond, Computed, RowCheck, TableSpec, partners, table_specs
from equiv.generate.templates import (
    Plan,
    Profile,
    Template,
    add_nulled_twin,
    copy_slot,
    emit,
    occupy,
    stamp,
    value_of,
)
from equiv.graphs import depth_first_postorder, grouped_by
from equiv.names import fold, folded


def layout_of(
    reading: PairReading, constraints: Mapping[str, Constraints], occupied: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The columns to fill, by table: those that a query mentions or a fact requires, and keys of parents.

    Tables that are ``occupied`` get rows even if no query mentions them.

    Parents come before children, as far as references do not run in a circle.
    """
    wanted: dict[str, set[str]] = {table: set(columns) for table, columns in reading.mentioned.items()}
    for table in sorted(occupied):
        wanted.setdefault(table, set())
    queue = list(wanted)
    while queue:
        table = queue.pop()
        for parent, names in _closure(constraints[table], wanted[table]).items():
            known = wanted.setdefault(parent, set())
            if not names <= known:
                known |= names
                queue.append(parent)
    ordered = _parents_first(wanted, constraints)
    return {table: _spelt(constraints[table], wanted[table]) for table in ordered}


def _closure(rules: Constraints, names: set[str]) -> dict[str, set[str]]:
    """Complete one table's columns in place; what its references ask of other tables."""
    names |= rules.required()
    while not (tied := rules.tied(names)) <= names:
        names |= tied
    for determinant, dependents in rules.functional:
        if names & set(dependents):
            names |= set(determinant)
    needed: dict[str, set[str]] = {}
    for reference in rules.references:
        if set(reference.columns) <= names:
            needed.setdefault(reference.parent, set()).update(reference.parent_columns)
    return needed


def _spelt(rules: Constraints, names: set[str]) -> tuple[str, ...]:
    plain = [column.name for column in rules.table.columns if not column.generated]
    return tuple(name for name in plain if name in names) or tuple(plain[:1])


def _parents_first(wanted: Mapping[str, set[str]], constraints: Mapping[str, Constraints]) -> list[str]:
    def parents(table: str) -> list[str]:
        return [each.parent for each in constraints[table].references if each.parent in wanted]

    return depth_first_postorder(wanted, parents)


_COUNTED_ONCE = 0.5
"""How often a column of COUNT(DISTINCT …) has one value in a group."""


def stamp_held(
    plan: Plan,
    template: Template,
    sizes: tuple[int, ...],
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Add groups of ``sizes`` row combinations; each group shares its GROUP BY columns and nothing else."""
    tables = plan.reading.slots.tables
    for size in sizes:
        first = {table: len(partials[table]) for table in tables}
        for _ in range(size):
            values = [value_of(plan, group, builder) for group in template.groups]
            emit(tables, list(range(len(tables))), template, values, partials)
        made = {table: partials[table][at:] for table, at in first.items()}
        hold(plan, made, builder, lambda spec, name: (name,) not in spec.keys and bool(spec.pools.get(name)))


def hold(
    plan: Plan,
    rows: Mapping[str, list[dict[str, Cell]]],
    builder: Builder,
    is_open: Callable[[TableSpec, str], bool],
) -> None:
    """Make rows one group of one of the GROUP BYs, and many groups of the others.

    Args:
        rows: by table.
        is_open: whether a column may take one value in all of them.
    """
    rng, reading = builder.rng, plan.reading

    def chosen(keys: Iterable[ColumnKey]) -> list[ColumnKey]:
        return [key for key in keys if key[0] in rows and is_open(plan.specs[key[0]], key[1])]

    clauses = [keys for clause in reading.groupings if (keys := chosen(clause))]
    counted = chosen(reading.counted)
    shared_keys = set(rng.choice(clauses)) if clauses else set()
    shared_keys |= {key for key in counted if rng.random() < _COUNTED_ONCE}
    for key in dict.fromkeys([key for clause in (*clauses, counted) for key in clause]):
        pool = plan.specs[key[0]].pools[key[1]]
        start = int(rng.random() * len(pool))
        for turn, row in enumerate(rows[key[0]]):
            row.setdefault(key[1], pool[(start + (0 if key in shared_keys else turn)) % len(pool)])


def is_in_no_key(spec: TableSpec, name: str) -> bool:
    """Whether rows that agree in all keys' other columns may agree in this one."""
    return bool(spec.pools.get(name)) and not any(name in key for key in spec.keys)


_NULL_NAMES = 0.4
"""How often the two groups that are alike have NULL for names that are unique."""

_LOOSE = 0.4
"""How often the columns of GROUP BYs are left to chance within the table whose rows make up a group."""


def stamp_groups(
    plan: Plan,
    template: Template,
    sizes: tuple[int, ...],
    builder: Builder,
    partials: dict[str, list[dict[str, Cell]]],
) -> None:
    """Stamp groups of these sizes; the first two have other keys and else the same cells.

    A query that groups by a key and one that groups by a name differ where the two together outdo the others.
    """
    tables = plan.reading.slots.tables
    slots = list(range(len(tables)))
    if not slots:
        return
    varying = builder.rng.choice([slot for slot in slots if _is_child(plan, slot)] or slots)
    alike: list[dict[str, Cell]] = []
    nulls = builder.rng.random() < _NULL_NAMES
    for number, size in enumerate(sizes):
        values = [value_of(plan, group, builder) for group in template.groups]
        at = {table: len(partials[table]) for table in tables}
        emit(tables, slots, template, values, partials)
        made = [partials[table][at[table] + tables[:slot].count(table)] for slot, table in enumerate(tables)]
        alike = _fill_alike(plan, made, varying, builder, alike if number == 1 else [])
        if nulls and number <= 1:
            _null_names(plan, made, varying)
        copy_slot(plan, (template, slots, values), varying, size, builder=builder, partials=partials)
        if plan.reading.groupings and builder.rng.random() >= _LOOSE:
            table = tables[varying]
            hold(plan, {table: partials[table][at[table] :]}, builder, is_in_no_key)


def _null_names(plan: Plan, rows: list[dict[str, Cell]], varying: int) -> None:
    """Put NULL into named cells that are unique by themselves: so alone can two rows share such a name."""
    for slot, row in enumerate(rows):
        spec = plan.specs[plan.reading.slots.tables[slot]]
        names = [name for name in plan.reading.mentioned[spec.name] if (name,) in spec.keys]
        row.update({name: None for name in names if slot != varying and name in spec.nullable - row.keys()})


def _is_child(plan: Plan, slot: int) -> bool:
    """Whether the table of a slot refers to another and no other refers to it."""
    tables = plan.reading.slots.tables
    own = plan.specs[tables[slot]]
    others = [plan.specs[table] for table in tables if table != own.name]
    return not any(r.parent == own.name for other in others for r in other.references)


def _fill_alike(
    plan: Plan, rows: list[dict[str, Cell]], varying: int, builder: Builder, earlier: list[dict[str, Cell]]
) -> list[dict[str, Cell]]:
    """Fill the named cells of all slots but one that are not key, as in an earlier group if there is one."""
    tables = plan.reading.slots.tables
    filled: list[dict[str, Cell]] = []
    for slot, row in enumerate(rows):
        spec = plan.specs[tables[slot]]
        bound = {name for key in spec.keys for name in key} | {n for r in spec.references for n in r.columns}
        named = [name for name in plan.reading.mentioned[spec.name] if name in spec.columns]
        free = [name for name in named if name not in bound and name not in row and slot != varying]
        cells = {name: earlier[slot][name] if earlier else builder.pick(spec.name, name) for name in free}
        row.update(cells)
        filled.append(cells)
    return filled


MOST = 48
"""So many canonical databases a pair has at most."""

_MOST_SKETCHES = 160
_FROM_POOLS = 16
"""So many databases are made of values of the pools before others are sought, which takes much longer."""
_PLAIN = Style(walks=1.0, fresh_keys=1.0)


def canonical_databases(
    plan: Plan, solver: CellSolver, strategies: Collection[Strategy] = STRATEGIES
) -> Iterator[tuple[str, Database]]:
    """The databases that strategies make, each with the name of its strategy; none twice."""
    bodies = Bodies(plan.reading, dict(plan.specs))
    named: dict[Sketch, str] = {}
    known: set[object] = set()
    waiting: deque[Sketch] = deque()
    sketches = islice(_sketches(bodies, strategies, named), _MOST_SKETCHES)
    for sketch, beyond in _in_turn(sketches, waiting, lambda: len(known) >= _FROM_POOLS):
        if len(known) >= MOST:
            return
        match solver.solve(sketch, beyond=beyond):
            case Later():
                waiting.append(sketch)
            case SolvedSketch() as solved:
                database = _database(plan, sketch, solved)
                if database is not None and (key := tuple(database.tables.items())) not in known:
                    known.add(key)
                    yield named[sketch], database


def _sketches(bodies: Bodies, strategies: Collection[Strategy], named: dict[Sketch, str]) -> Iterator[Sketch]:
    """The sketches of strategies, none twice; each is put down with the name of its strategy."""
    for strategy in strategies if bodies.is_small else ():
        for sketch in strategy(bodies):
            if sketch not in named:
                named[sketch] = strategy.__name__
                yield sketch


def _in_turn(
    sketches: Iterable[Sketch], waiting: deque[Sketch], is_time: Callable[[], bool]
) -> Iterator[tuple[Sketch, bool]]:
    """Sketches in their order, each with whether its values may be sought beyond the pools.

    Those that wait for that come back when it is time, or after all others.
    """
    for sketch in sketches:
        while waiting and is_time():
            yield waiting.popleft(), True
        yield sketch, is_time()
    while waiting:
        yield waiting.popleft(), True


def _database(plan: Plan, sketch: Sketch, solved: SolvedSketch) -> Database | None:
    """The rows of a sketch's atoms, and those that they refer to."""
    builder = Builder(plan.specs, Random(plan.seed), _PLAIN)
    values = dict(solved.values)
    tables = plan.reading.slots.tables
    by_class = grouped_by(solved.classes.__getitem__, solved.classes)
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
            :meth:`equiv.generate.database.EarlierWitnesses.candidates`; what the pair mentions and
            they lack is filled in.
        constructs: whether databases constructed from the queries come before those drawn.
    """
    plan = make_plan(pair)
    for number, database in enumerate(known):
        yield complete(plan, database, number)
    links = _links(plan) if pair.recurses else {}
    nullable = plan.pools.nullable
    for _, database in islice(canonical(plan), effort) if constructs else ():
        yield without_circles(database, links, nullable, chained=False) if links else database
    for index in range(effort):
        made = make_database(plan, index)
        # Where rows name one another in circles, recursion may have no end: one in three has some.
        way = index % 3 if links else 2
        yield made if way == 2 else without_circles(made, links, nullable, chained=way == 0)


def _links(plan: Plan) -> dict[str, tuple[str, str]]:
    """By table, a column that is compared with another one of the table, a key if there is one, and that."""
    found: dict[str, tuple[str, str]] = {}
    for one, other in plan.reading.equal:
        if one[0] == other[0] and one[1] != other[1] and one[0] in plan.specs:
            is_key = (one[1],) in plan.specs[one[0]].keys
            found.setdefault(one[0], (other[1], one[1]) if is_key else (one[1], other[1]))
    return found


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
        plain = folded(c.name for c in rules.table.columns if not c.generated)
        spanning = {
            check: read
            for check in rules.checks
            if len(read := columns_of(check, rules.table)) != 1 or not read <= plain
        }
        if spanning:
            # A CHECK that cannot be parsed may read them all.
            every = folded(names)
            read = frozenset().union(*(found or every for found in spanning.values()))
            behind = columns_behind(read, rules.table)
            columns = frozenset(name for name in names if fold(name) in read or name in behind)
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
    if plan.counts and plan.reading.grouped and index % 8 == 4:
        return _counted_group(plan, index // 8, style)
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


def _counted_group(plan: Plan, turn: int, style: Style) -> Profile:
    """One group of as many rows as a count asks for; all conditions hold, or those of one query alone."""
    size = plan.counts[turn // 2 % len(plan.counts)]
    whole = replace(style, nulls=0.0, fresh_keys=1.0)
    return Profile(stamps=1, copies=size, exact_copies=True, together=True, parted=turn % 2 == 0, style=whole)


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
    parted = [template for template in plan.templates if template.parted] or plain
    for _ in range(profile.stamps if plan.templates else 0):
        source = parted if profile.parted else flipped if rng.random() < profile.flipped else plain
        at = {table: len(rows) for table, rows in partials.items()}
        stamp(plan, rng.choice(source), profile, builder, partials)
        for table, rows in partials.items() if profile.together else ():
            hold(plan, {table: rows[at[table] :]}, builder, is_in_no_key)
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
