"""Which facts a database breaks, and which are true of it, found by queries.

Not by ``PRAGMA foreign_key_check`` alone, which fails on a parent without a unique key: it judges
witnesses once more (:func:`has_orphans`).

Facts that are true of a populated database are proposed from one pass of statistics over each table; those
that the database then breaks are discarded by the same queries that check any other fact. An empty table
proposes nothing, a column of NULLs alone that its table is not empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from equiv.core.model import Affinity, Column, Domain, Schema, Table
from equiv.core.runner import Connection, OperationalError
from equiv.dialects.protocol import FactSource, Session
from equiv.facts import END_OF_TIMESTAMPS, Fact, FactKind, Facts, Grade
from equiv.names import fold, folded, is_same, quoted

_LEAST = "-9223372036854775808.0"
_TESTS_AT_ONCE = 400
"""Well below SQLite's default limits on result columns and expression size."""


@dataclass(frozen=True, slots=True)
class _Test:
    """How to find out whether a fact is broken; names of tables are in lower case."""

    fact: Fact
    table: str
    reads: frozenset[str]
    condition: str
    """True for some row of the table if and only if the fact is broken; empty if it is broken by no row."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Tests that one statement makes together."""

    tests: tuple[_Test, ...]
    source: str
    statement: str
    """Returns one flag: whether any of the facts is broken."""


class FactChecker:
    """Checks databases of one schema against one set of facts, its SQL prepared once.

    Facts about tables that a database does not have are skipped there.
    An error in a query (of a CHECK, or of a column that is not there) counts
    as a violation.
    """

    def __init__(self, schema: Schema, facts: Iterable[Fact]) -> None:
        self._sources = {fold(table.name): quoted(table.name) for table in schema.tables}
        self._tests = tuple(test for fact in facts for test in _tests(schema, fact))
        self._plans: dict[frozenset[str], tuple[_Group, ...]] = {}
        self._of_rows: dict[frozenset[str], tuple[_Group, ...]] = {}

    def holds(self, connection: Connection) -> bool:
        """Whether the database breaks none of the facts."""
        return not any(_is_suspect(connection, group) for group in self._plan(connection))

    def rows_hold(self, connection: Connection, filled: frozenset[str]) -> bool:
        """Whether the rows of a database that has all tables of the schema break none of the facts.

        Args:
            connection: to the database.
            filled: the tables that have rows; those without any break nothing but that they have some.
        """
        if filled not in self._of_rows:
            names = folded(filled)
            groups = self._plan(connection)
            self._of_rows[filled] = tuple(group for group in groups if group.tests[0].table in names)
        return not any(_is_suspect(connection, group) for group in self._of_rows[filled])

    def violated(self, connection: Connection) -> tuple[Fact, ...]:
        """The facts that the database breaks, in the order in which they were given."""
        suspects = [group for group in self._plan(connection) if _is_suspect(connection, group)]
        broken = {test for group in suspects for test in _broken(connection, group.tests, group.source)}
        return tuple(dict.fromkeys(test.fact for test in self._tests if test in broken))

    def _plan(self, connection: Connection) -> tuple[_Group, ...]:
        """The groups of tests for the tables that are there: those on one table, and each inclusion."""
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        present = folded(row[0] for row in rows)
        if present not in self._plans:
            tests = [test for test in self._tests if test.reads <= present]
            local: dict[str, list[_Test]] = {}
            for test in tests:
                if test.condition and test.fact.kind is not FactKind.INCLUSION:
                    local.setdefault(test.table, []).append(test)
            # SQLite builds a table for each IN; many in one statement cost more than many statements.
            inclusions = [[test] for test in tests if test.fact.kind is FactKind.INCLUSION]
            lacking = [[test] for test in tests if not test.condition]
            self._plans[present] = tuple(map(self._group, (*local.values(), *inclusions, *lacking)))
        return self._plans[present]

    def _group(self, tests: Sequence[_Test]) -> _Group:
        source = self._sources[tests[0].table]
        if not tests[0].condition:
            return _Group(tuple(tests), source, f"SELECT NOT EXISTS (SELECT 1 FROM {source})")
        condition = _any([test.condition for test in tests])
        return _Group(tuple(tests), source, f"SELECT EXISTS (SELECT 1 FROM {source} WHERE {condition})")


def _is_suspect(connection: Connection, group: _Group) -> bool:
    """Whether a fact of the group is broken, or a query fails."""
    try:
        return bool(connection.execute(group.statement).fetchone()[0])
    except OperationalError:
        return True


def _broken(connection: Connection, tests: Sequence[_Test], source: str) -> Iterator[_Test]:
    """The broken ones of a table's tests: by one pass over it for all, or one for each if that fails."""
    if len(tests) > _TESTS_AT_ONCE:
        yield from _broken(connection, tests[:_TESTS_AT_ONCE], source)
        yield from _broken(connection, tests[_TESTS_AT_ONCE:], source)
        return
    if not tests[0].condition:
        yield from tests
        return
    flags = ", ".join(f"max({test.condition})" for test in tests)
    try:
        row = connection.execute(f"SELECT {flags} FROM {source}").fetchone()
    except OperationalError:
        if len(tests) == 1:
            yield tests[0]
        else:
            for test in tests:
                yield from _broken(connection, [test], source)
    else:
        yield from (test for test, flag in zip(tests, row, strict=True) if flag)


def violated(connection: Connection, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that the database of a connection breaks; see :class:`FactChecker` for many databases."""
    return FactChecker(schema, facts).violated(connection)


def has_orphans(connection: Connection, facts: Facts) -> bool:
    """Whether SQLite itself reports a row that breaks a foreign key of the DDL which the facts promise.

    It reports nothing, and raises, where the parent has no such unique key.
    """
    promised = {
        (fold(fact.table), tuple(map(fold, fact.columns)), fold(fact.parent))
        for fact in facts.of(FactKind.INCLUSION)
    }
    for table in {table for table, _, _ in promised}:
        try:
            rows = connection.execute(f"PRAGMA foreign_key_check({quoted(table)})").fetchall()
        except OperationalError:
            continue
        broken = {row[3] for row in rows}
        keys: dict[int, list[tuple[str, str]]] = {}
        for number, _, parent, column, *_ in connection.execute(f"PRAGMA foreign_key_list({quoted(table)})"):
            keys.setdefault(number, []).append((fold(column), fold(parent)))
        for number in broken & keys.keys():
            columns, parents = zip(*keys[number], strict=True)
            if (table, columns, parents[0]) in promised:
                return True
    return False


def _any(conditions: Sequence[str]) -> str:
    """Their disjunction, as a balanced tree because SQLite limits the depth of expressions."""
    if len(conditions) == 1:
        return conditions[0]
    middle = len(conditions) // 2
    return f"({_any(conditions[:middle])} OR {_any(conditions[middle:])})"


def _tests(schema: Schema, fact: Fact) -> Iterator[_Test]:
    """The tests of a fact: none if its place is not in the schema, or it says nothing of stored values."""
    if fact.kind in _OF_ARITHMETIC:
        for table in schema.tables:
            terms = [f"({term})" for column in table.columns if (term := _of_arithmetic(table, column, fact))]
            if terms:
                yield _Test(fact, fold(table.name), frozenset((fold(table.name),)), _any(terms))
    elif test := _test(schema, fact):
        yield test


_OF_ARITHMETIC = frozenset((FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW))


def _of_arithmetic(table: Table, column: Column, fact: Fact) -> str:
    """A stored infinity; or the one REAL that a column may hold beside the integer of the same value."""
    term = _qualified(table.name, column.name)
    if column.affinity is Affinity.TEXT:
        return ""
    if fact.kind is FactKind.EXACT_ARITHMETIC:
        return f"{term} IN (9e999, -9e999) AND typeof({term}) = 'real'"
    if column.affinity in (Affinity.INTEGER, Affinity.NUMERIC):
        # Not `=`, for which SQLite puts the constant in the place of the column everywhere.
        return f"{term} BETWEEN {_LEAST} AND {_LEAST} AND typeof({term}) = 'real'"
    return ""


def _test(schema: Schema, fact: Fact) -> _Test | None:
    """The test of a fact that has a place; None if the place is not in the schema, or it says nothing."""
    table = schema.table(fact.table)
    if table is None or not all(map(table.column, fact.columns)):
        return None
    columns = [column for name in fact.columns if (column := table.column(name))]
    reads = {fold(table.name)}
    if fact.kind is FactKind.NOT_EMPTY:
        return _Test(fact, fold(table.name), frozenset(reads), "")
    if fact.kind is FactKind.INCLUSION:
        parent = schema.table(fact.parent)
        if parent is None or not all(map(parent.column, fact.parent_columns)):
            return None
        reads.add(fold(parent.name))
        condition = _orphan(table, columns, parent, fact.parent_columns)
    else:
        condition = _condition(table, columns, fact)
    return _Test(fact, fold(table.name), frozenset(reads), f"({condition})") if condition else None


def _condition(table: Table, columns: list[Column], fact: Fact) -> str:
    """What is true of some row if the fact is broken; it may be NULL where it is not true."""
    terms = [_qualified(table.name, column.name) for column in columns]
    match fact.kind:
        case FactKind.NOT_NULL:
            return f"{terms[0]} IS NULL"
        case FactKind.TYPE:
            return _outside(terms[0], columns[0].domain)
        case FactKind.CHECK:
            return f"NOT ({fact.expression})"
        case FactKind.ISO_DATE:
            return _no_date(terms[0])
        case FactKind.ISO_TIMESTAMP:
            return _no_timestamp(terms[0])
        case FactKind.NUMERIC_TEXT:
            return _no_number(terms[0])
        case FactKind.UNIQUE:
            complete = " AND ".join(f"{term} IS NOT NULL" for term in terms)
            return _some_group(table, f"WHERE {complete}", terms, "count(*) > 1")
        case FactKind.FUNCTIONAL:
            results = [_qualified(table.name, name) for name in fact.parent_columns]
            differs = _any([f"count(DISTINCT {term}) + max({term} IS NULL) > 1" for term in results])
            return _some_group(table, "", terms, differs)
        case _:
            return ""


def _some_group(table: Table, where: str, terms: list[str], having: str) -> str:
    return f"EXISTS (SELECT 1 FROM {quoted(table.name)} {where} GROUP BY {', '.join(terms)} HAVING {having})"


def _qualified(table: str, column: str) -> str:
    # Because SQLite reads an unknown name in double quotes as a string if it stands alone.
    return f"{quoted(table)}.{quoted(column)}"


def _orphan(table: Table, columns: list[Column], parent: Table, parent_columns: tuple[str, ...]) -> str:
    """No part is NULL and no parent row has these values, as SQLite's foreign keys compare.

    Each is converted by the affinity of the parent's column and compared under its collation
    (https://sqlite.org/foreignkeys.html section 3).  `=` would convert the parent's value instead beside
    an INTEGER child, and find '010' for 10.
    """
    terms, values, keys = [], [], []
    for column, name in zip(columns, parent_columns, strict=True):
        above = parent.column(name)
        assert above is not None
        terms.append(_qualified(table.name, column.name))
        value = _converted(terms[-1], column.affinity, above.affinity)
        values.append(f"{value} COLLATE {quoted(above.collation)}")
        # A column brings its affinity to IN, its value behind a plus sign none.
        keys.append(f"+parent.{quoted(name)}")
    child = " AND ".join(f"{term} IS NOT NULL" for term in terms)
    has_key = " AND ".join(f"{key} IS NOT NULL" for key in keys)
    return (
        f"{child} AND ({', '.join(values)}) NOT IN"
        f" (SELECT {', '.join(keys)} FROM {quoted(parent.name)} AS parent WHERE {has_key})"
    )


def _converted(term: str, own: Affinity, affinity: Affinity) -> str:
    """The value of a column of one affinity after another is applied to it, as an expression without any."""
    number = f"CAST({term} AS NUMERIC)"
    match affinity:
        case Affinity.TEXT if own is not Affinity.TEXT:
            return (
                f"CASE WHEN typeof({term}) IN ('integer', 'real') THEN CAST({term} AS TEXT) ELSE +{term} END"
            )
        case Affinity.INTEGER | Affinity.NUMERIC | Affinity.REAL if own in (Affinity.TEXT, Affinity.BLOB):
            # A text becomes a number if it equals what CAST reads of it, where `=` applies this affinity.
            # Keys of REALs are looked up as numbers: no integer rounds.
            return f"CASE WHEN +{term} = {number} THEN {number} ELSE +{term} END"
    return f"+{term}"


def _outside(term: str, domain: Domain) -> str:
    """A value of another storage class; SQLite orders NULL < numbers < text < blobs."""
    match domain:
        case Domain.INTEGER:
            # The names of the classes, sorted: blob, integer, null, real, text.
            return f"typeof({term}) NOT BETWEEN 'integer' AND 'null'"
        case Domain.NUMBER:
            return f"{term} >= ''"
        case Domain.TEXT:
            return f"{term} < '' OR {term} >= x''"
        case Domain.BOOLEAN:
            return f"typeof({term}) NOT BETWEEN 'integer' AND 'null' OR {term} NOT BETWEEN 0 AND 1"
        case Domain.ANY:
            return ""


def _no_date(term: str) -> str:
    """Not text, not YYYY-MM-DD, or a day that the calendar lacks (julianday takes it into the next month)."""
    digits = "[0-9]"
    form = f"'{digits * 4}-{digits * 2}-{digits * 2}'"
    return (
        f"{term} IS NOT NULL AND (typeof({term}) <> 'text' OR {term} NOT GLOB {form}"
        f" OR date(julianday({term})) IS NOT {term})"
    )


def _no_timestamp(term: str) -> str:
    """No text of a date as above, a time of day, maybe a fraction without a zero at its end; or too late."""
    day, clock, fraction = f"substr({term}, 1, 10)", f"substr({term}, 12, 8)", f"substr({term}, 21)"
    digits = "[0-9]"
    form = f"'{digits * 4}-{digits * 2}-{digits * 2} {digits * 2}:{digits * 2}:{digits * 2}*'"
    return (
        f"{term} IS NOT NULL AND (typeof({term}) <> 'text' OR {term} NOT GLOB {form}"
        f" OR date(julianday({day})) IS NOT {day} OR time({clock}) IS NOT {clock}"
        f" OR (length({term}) > 19 AND (substr({term}, 20, 1) <> '.'"
        f" OR length({fraction}) NOT BETWEEN 1 AND 6 OR {fraction} GLOB '*[^0-9]*'"
        f" OR {fraction} GLOB '*0')) OR {term} >= '{END_OF_TIMESTAMPS}' OR instr({term}, char(0)))"
    )


def _no_number(term: str) -> str:
    """Not text, or not an optional minus sign, digits, and maybe a point and more digits."""
    unsigned = f"substr({term}, 1 + ({term} GLOB '-*'))"
    return (
        f"{term} IS NOT NULL AND (typeof({term}) <> 'text' OR {unsigned} NOT GLOB '[0-9]*'"
        f" OR {unsigned} GLOB '*[^0-9.]*' OR {unsigned} GLOB '*.*.*' OR {unsigned} GLOB '*.'"
        f" OR instr({term}, char(0)))"
    )


_PAIRS = 100
"""The most pairs of columns of a table that are tried as keys."""

_INCLUSIONS = 300
"""The most inclusions of a database that are tried."""

_COLUMNS_AT_ONCE = 300
"""Four results each: below SQLite's default limit of 2,000."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one column of a table holds, under its collation."""

    table: Table
    column: Column
    rows: int
    values: int
    """Rows that are not NULL."""
    distinct: int
    least: float | bytes
    most: float | bytes

    @property
    def is_key(self) -> bool:
        return self.distinct == self.values


def mine(connection: Connection, schema: Schema, tables: Iterable[str] | None = None) -> tuple[Fact, ...]:
    """Facts of grade ``observed`` about the tables of a database (all, or those named).

    NOT EMPTY of tables, NOT NULL, TYPE, ISO_DATE and NUMERIC_TEXT of columns, keys of one or two
    columns, and inclusions of one column in a key of one column.  Keys that
    contain a smaller key are left out.
    """
    names = [table.name for table in schema.tables] if tables is None else list(tables)
    known = [table for name in names if (table := schema.table(name))]
    seen = [list(_look(connection, table)) for table in known]
    candidates = [Fact(FactKind.NOT_EMPTY, Grade.OBSERVED, t.name) for t in known if _has_row(connection, t)]
    candidates += [fact for columns in seen for fact in _candidates(columns)]
    candidates += _inclusions([column for columns in seen for column in columns])
    broken = set(violated(connection, schema, candidates))
    return tuple(fact for fact in candidates if fact not in broken)


def _look(connection: Connection, table: Table) -> Iterator[_Seen]:
    """The columns that hold anything but NULL; none if the database has no such table."""
    for start in range(0, len(table.columns), _COLUMNS_AT_ONCE):
        columns = table.columns[start : start + _COLUMNS_AT_ONCE]
        terms = ", ".join(_statistics(f"{quoted(table.name)}.{quoted(column.name)}") for column in columns)
        try:
            row = connection.execute(f"SELECT count(*), {terms} FROM {quoted(table.name)}").fetchone()
        except OperationalError as error:
            if str(error).startswith("no such"):
                return
            raise
        for i, column in enumerate(columns):
            values, distinct, least, most = row[1 + 4 * i : 5 + 4 * i]
            if values:
                yield _Seen(table, column, row[0], values, distinct, least, most)


def _has_row(connection: Connection, table: Table) -> bool:
    """Whether the database has the table, and the table a row."""
    try:
        return connection.execute(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1").fetchone() is not None
    except OperationalError as error:
        if str(error).startswith("no such"):
            return False
        raise


def _statistics(term: str) -> str:
    # Text comes as bytes: it need not be valid UTF-8.
    ends = (
        f"CASE typeof({end}({term})) WHEN 'text' THEN CAST({end}({term}) AS BLOB) ELSE {end}({term}) END"
        for end in ("min", "max")
    )
    return f"count({term}), count(DISTINCT {term}), {', '.join(ends)}"


def _candidates(columns: list[_Seen]) -> Iterator[Fact]:
    for seen in columns:
        of_column = [FactKind.ISO_DATE, FactKind.NUMERIC_TEXT] if isinstance(seen.least, bytes) else []
        if seen.column.domain is not Domain.ANY:
            of_column.append(FactKind.TYPE)
        if seen.values == seen.rows:
            of_column.append(FactKind.NOT_NULL)
        if seen.is_key:
            of_column.append(FactKind.UNIQUE)
        for kind in of_column:
            yield Fact(kind, Grade.OBSERVED, seen.table.name, (seen.column.name,))
    for pair in _pairs(columns):
        names = tuple(seen.column.name for seen in pair)
        yield Fact(FactKind.UNIQUE, Grade.OBSERVED, pair[0].table.name, names)


def _pairs(columns: list[_Seen]) -> list[tuple[_Seen, _Seen]]:
    """Pairs whose values could distinguish all complete rows, those with the fewest combinations first."""
    partial = [seen for seen in columns if not seen.is_key]
    possible = [
        (a, b) for a, b in combinations(partial, 2) if a.distinct * b.distinct >= a.values + b.values - a.rows
    ]
    possible.sort(key=lambda pair: pair[0].distinct * pair[1].distinct)
    return possible[:_PAIRS]


def _inclusions(columns: list[_Seen]) -> list[Fact]:
    """Columns whose values lie within a key's range and are not more; pairs of one name first."""
    inclusions = [
        (child, parent)
        for parent in columns
        if parent.is_key
        for child in columns
        if child is not parent and _comparable(child.column, parent.column) and _within(child, parent)
    ]
    inclusions.sort(key=lambda pair: not is_same(pair[0].column.name, pair[1].column.name))
    return [
        Fact(
            FactKind.INCLUSION,
            Grade.OBSERVED,
            child.table.name,
            (child.column.name,),
            parent.table.name,
            (parent.column.name,),
        )
        for child, parent in inclusions[:_INCLUSIONS]
    ]


def _comparable(child: Column, parent: Column) -> bool:
    return child.affinity is parent.affinity and child.collation == parent.collation


def _within(child: _Seen, parent: _Seen) -> bool:
    if child.distinct > parent.distinct:
        return False
    return _rank(child.least) >= _rank(parent.least) and _rank(child.most) <= _rank(parent.most)


def _rank(value: float | bytes) -> tuple[bool, float | bytes]:
    """A key that sorts as SQLite sorts: numbers before text."""
    return isinstance(value, bytes), value


def facts_in(data: Session, schema: Schema, tables: Collection[str] | None = None) -> tuple[Fact, ...]:
    """The facts that a populated database shows, of some tables or of all."""
    if not isinstance(data, FactSource):
        return mine(data.core.connection, schema, tables)
    return tuple(fact for fact in data.observed(schema) if tables is None or fact.table in tables)


def broken_in(data: Session, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that the rows of a populated database break."""
    if isinstance(data, FactSource):
        return data.violated(schema, facts)
    return violated(data.core.connection, schema, facts)
