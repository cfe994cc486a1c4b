from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from equiv.core.runner import Connection, RunnerError, open_file
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.pragmas import load_sqlite
from equiv.facts import FactKind
from equiv.names import quoted
from equiv.schema.policy import facts_for, parse_fact
from equiv.schema.violations import FactChecker, has_orphans, violated


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(Connection()) as opened:
        yield opened


def broken(connection: Connection, ddl: str, *facts: str) -> list[str]:
    schema = load_ddl(ddl)
    parsed = [parse_fact(fact, schema) for fact in facts]
    found = [str(fact) for fact in violated(connection, schema, parsed)]
    checker = FactChecker(schema, parsed)
    assert checker.holds(connection) == (not found)
    made = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    filled = [name for name in made if connection.execute(f"SELECT 1 FROM {quoted(name)}").fetchone()]
    of_rows = [fact for fact in found if not fact.startswith("not_empty")]
    assert checker.rows_hold(connection, frozenset(filled)) == (not of_rows)
    return found


def column_breaks(connection: Connection, declared_type: str, kind: str, value: object) -> bool:
    ddl = f"CREATE TABLE t (a {declared_type})"
    connection.execute(ddl)
    connection.execute("INSERT INTO t VALUES (?), (NULL)", (value,))
    return bool(broken(connection, ddl, f"{kind}(t.a)"))


@pytest.mark.parametrize(
    ("declared_type", "value", "breaks"),
    [
        ("INT", 1, False),
        ("INT", "12", False),
        ("INT", 1.0, False),
        ("INT", 1.5, True),
        ("INT", "x", True),
        ("INT", "", True),
        ("INT", b"1", True),
        ("REAL", 1, False),
        ("DECIMAL(5, 2)", 1.5, False),
        ("DECIMAL(5, 2)", float("inf"), False),
        ("DECIMAL(5, 2)", "", True),
        ("NUMERIC", b"", True),
        ("TEXT", 1, False),
        ("TEXT", "", False),
        ("TEXT COLLATE NOCASE", "A", False),
        ("TEXT COLLATE RTRIM", " ", False),
        ("TEXT", b"a", True),
        ("DATE", "2020-01-01", False),
        ("DATE", "", False),
        ("DATE", 2020, True),
        ("DATE", "2020", True),
        ("DATETIME", -1e300, True),
        ("DATE", b"", True),
        ("BOOLEAN", 1, False),
        ("BOOLEAN", "0", False),
        ("BOOLEAN", 2, True),
        ("BOOLEAN", 0.5, True),
        ("BOOLEAN", "T", True),
    ],
)
def test_type(connection: Connection, declared_type: str, value: object, breaks: bool) -> None:
    assert column_breaks(connection, declared_type, "type", value) is breaks


@pytest.mark.parametrize(
    ("value", "breaks"),
    [
        ("2020-02-29", False),
        ("0000-01-01", False),
        ("9999-12-31", False),
        ("2019-02-29", True),
        ("2020-02-30", True),
        ("2020-13-01", True),
        ("2020-00-10", True),
        ("2020-1-01", True),
        ("2020-01-01 00:00", True),
        (" 2020-01-01", True),
        ("2020-01-01\0", True),
        ("", True),
        (20200101, True),
        (b"2020-01-01", True),
    ],
)
def test_iso_date(connection: Connection, value: object, breaks: bool) -> None:
    assert column_breaks(connection, "", "iso_date", value) is breaks


@pytest.mark.parametrize(
    ("value", "breaks"),
    [
        ("0", False),
        ("-12", False),
        ("007.50", False),
        ("", True),
        ("-", True),
        ("--1", True),
        ("1-", True),
        (".5", True),
        ("1.", True),
        ("1.2.3", True),
        ("-.5", True),
        ("+1", True),
        ("1e3", True),
        ("0x1", True),
        ("1 ", True),
        ("1\0", True),
        ("٣", True),
        (1, True),
        (b"1", True),
    ],
)
def test_numeric_text(connection: Connection, value: object, breaks: bool) -> None:
    assert column_breaks(connection, "", "numeric_text", value) is breaks


def test_not_null_and_an_empty_table(connection: Connection) -> None:
    ddl = "CREATE TABLE t (a, b); CREATE TABLE u (a)"
    connection.run_script(ddl + "; INSERT INTO t VALUES (1, NULL)")
    assert broken(connection, ddl, "not_null(t.a)", "not_null(t.b)", "not_null(u.a)") == ["not_null(t.b)"]


def test_unique_admits_nulls_and_follows_the_columns_collation(connection: Connection) -> None:
    ddl = "CREATE TABLE t (a, b, c TEXT, d TEXT COLLATE NOCASE)"
    connection.run_script(
        ddl + "; INSERT INTO t VALUES (1, NULL, 'x', 'x'), (1, NULL, 'X', 'X'), (1.0, 2, 'y', 'y')"
    )
    facts = [
        "unique(t.a)",
        "unique(t.b)",
        "unique(t.a, t.b)",
        "unique(t.c)",
        "unique(t.d)",
        "unique(t.a, t.c)",
    ]
    assert broken(connection, ddl, *facts) == ["unique(t.a)", "unique(t.d)"]


def test_functional_takes_null_as_a_value(connection: Connection) -> None:
    ddl = "CREATE TABLE t (a, b, c, d)"
    connection.run_script(ddl + "; INSERT INTO t VALUES (NULL, 1, 1, 1), (NULL, 1, NULL, 2), (2, 5, 3, NULL)")
    facts = [
        "functional(t.a -> t.b)",
        "functional(t.a -> t.c)",
        "functional(t.a, t.d -> t.c)",
        "functional(t.b -> t.d)",
    ]
    assert broken(connection, ddl, *facts) == ["functional(t.a -> t.c)", "functional(t.b -> t.d)"]


@pytest.mark.parametrize(
    ("child", "parent", "inside", "outside"),
    [
        ("INT", "INT", 1, 2),
        ("TEXT", "INTEGER PRIMARY KEY", "1", "null"),
        ("INT", "TEXT", 1, 2),
        ("", "INT", "1", "x"),
        ("REAL", "INT", 1.0, 1.5),
        ("TEXT", "TEXT COLLATE NOCASE", "A", "c"),
        ("TEXT COLLATE NOCASE", "TEXT", "a", "A"),
    ],
)
def test_inclusion_compares_as_sqlite_does(
    connection: Connection, child: str, parent: str, inside: object, outside: object
) -> None:
    ddl = f"CREATE TABLE c (a {child}, b); CREATE TABLE p (x {parent}, y)"
    connection.run_script(ddl)
    connection.execute("INSERT INTO p VALUES (?, 7)", (inside if "NOCASE" not in parent else "a",))
    connection.execute("INSERT INTO c VALUES (?, 7), (NULL, 8)", (inside,))
    facts = ["inclusion(c.a -> p.x)", "inclusion(c.a, c.b -> p.x, p.y)"]
    assert broken(connection, ddl, *facts) == []
    connection.execute("INSERT INTO c VALUES (?, 7)", (outside,))
    assert broken(connection, ddl, *facts) == facts


def test_inclusion_in_a_parent_that_is_not_unique_and_holds_null(connection: Connection) -> None:
    ddl = "CREATE TABLE parent (x INT, up INT REFERENCES parent (x))"
    connection.run_script(ddl + "; INSERT INTO parent VALUES (1, 1), (1, NULL), (NULL, 1)")
    fact = "inclusion(parent.up -> parent.x)"
    assert broken(connection, ddl, fact) == []
    connection.execute("INSERT INTO parent VALUES (3, 2)")
    assert broken(connection, ddl, fact) == [fact]


def test_composite_inclusion_with_a_null_part_holds(connection: Connection) -> None:
    ddl = "CREATE TABLE c (a, b); CREATE TABLE p (x, y)"
    connection.run_script(ddl + "; INSERT INTO c VALUES (1, NULL), (NULL, 2), (1, 2)")
    fact = "inclusion(c.a, c.b -> p.x, p.y)"
    assert broken(connection, ddl, fact) == [fact]
    connection.execute("INSERT INTO p VALUES (1, 2)")
    assert broken(connection, ddl, fact) == []


def test_check_is_broken_by_false_and_by_an_error_alone(connection: Connection) -> None:
    ddl = "CREATE TABLE t (a INT, b INT)"
    connection.run_script(ddl + "; INSERT INTO t VALUES (1, NULL), (-9223372036854775808, 0)")
    facts = [
        "check(t: b IS 1)",
        "check(t: b > -1)",
        "check(t: abs(a) > 0)",
        "check(t: a < b)",
        "not_null(t.a)",
    ]
    assert broken(connection, ddl, *facts) == ["check(t: b IS 1)", "check(t: abs(a) > 0)"]


def test_column_that_the_database_lacks_is_a_violation(connection: Connection) -> None:
    connection.run_script("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    ddl = 'CREATE TABLE t (a, "b c")'
    assert broken(connection, ddl, "not_null(t.a)", 'not_null(t."b c")') == ['not_null(t."b c")']


def test_tables_that_the_database_lacks_are_passed_over(connection: Connection) -> None:
    ddl = "CREATE TABLE c (a); CREATE TABLE p (x)"
    schema = load_ddl(ddl)
    checker = FactChecker(
        schema, [parse_fact("inclusion(c.a -> p.x)", schema), parse_fact("not_null(p.x)", schema)]
    )
    assert checker.violated(connection) == ()
    connection.run_script("CREATE TABLE C (a); INSERT INTO c VALUES (1)")
    assert checker.violated(connection) == ()
    connection.execute("CREATE TABLE p (x)")
    assert [fact.kind for fact in checker.violated(connection)] == ["inclusion"]
    assert not checker.holds(connection)


def test_an_interrupt_is_no_violation(connection: Connection) -> None:
    schema = load_ddl("CREATE TABLE t (a)")
    connection.run_script("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    connection.set_progress_handler(lambda: True, 1)
    with pytest.raises(RunnerError, match="interrupted"):
        violated(connection, schema, [parse_fact("not_null(t.a)", schema)])


def test_many_columns_and_odd_names(connection: Connection) -> None:
    names = [f'"a ""{i} select"' for i in range(900)]
    ddl = f'CREATE TABLE "from" ({", ".join(f"{name} INT NOT NULL" for name in names)})'
    schema = load_ddl(ddl)
    connection.execute(ddl.replace("NOT NULL", ""))
    connection.execute(f"INSERT INTO \"from\" ({names[0]}) VALUES ('x')")
    found = violated(connection, schema, facts_for(schema, "intended"))
    assert len(found) == 900
    assert str(found[-1]) == f'type("from".{names[0]})'


DIRTY = {
    "flight_2": {
        "inclusion(flights.SourceAirport -> airports.AirportCode)",
        "inclusion(flights.DestAirport -> airports.AirportCode)",
    },
    "car_1": {
        "inclusion(model_list.Maker -> car_makers.Id)",
        "inclusion(car_names.Model -> model_list.Model)",
    },
    "voter_1": {"inclusion(VOTES.state -> AREA_CODE_STATE.state)"},
    "world_1": set(),
}


@pytest.mark.parametrize("name", DIRTY)
def test_published_databases_break_what_their_ddl_says(data: Path, name: str) -> None:
    path = data / "spider" / "database" / name / f"{name}.sqlite"
    schema = load_sqlite(path)
    with closing(open_file(path)) as guarded:
        found = violated(guarded.connection, schema, facts_for(schema, "intended"))
    assert {str(fact) for fact in found} == DIRTY[name]


@pytest.mark.parametrize(
    ("declared_type", "value", "fact", "breaks"),
    [
        ("REAL", float("inf"), "exact_arithmetic", True),
        ("INT", float("-inf"), "exact_arithmetic", True),
        ("", float("inf"), "exact_arithmetic", True),
        ("DECIMAL(5, 2)", "9e999", "exact_arithmetic", True),
        ("TEXT", "9e999", "exact_arithmetic", False),
        ("TEXT", "Inf", "exact_arithmetic", False),
        ("", "Inf", "exact_arithmetic", False),
        ("REAL", 1.7976931348623157e308, "exact_arithmetic", False),
        ("INT", -(2**63), "exact_arithmetic", False),
        ("INT", -(2.0**63), "no_overflow", True),
        ("NUMERIC", -(2.0**63), "no_overflow", True),
        ("INT", -(2**63), "no_overflow", False),
        ("INT", 2.0**63, "no_overflow", False),
        ("REAL", -(2.0**63), "no_overflow", False),
        ("", -(2.0**63), "no_overflow", False),
    ],
)
def test_facts_about_arithmetic_say_what_may_be_stored(
    connection: Connection, declared_type: str, value: object, fact: str, breaks: bool
) -> None:
    ddl = f"CREATE TABLE t (a {declared_type}, b)"
    connection.execute(ddl)
    connection.execute("INSERT INTO t VALUES (?, 1), (NULL, 2), (1, 3)", (value,))
    assert broken(connection, ddl, fact) == [fact] * breaks


def test_a_table_without_rows_breaks_that_it_has_some(connection: Connection) -> None:
    ddl = 'CREATE TABLE t (a INT); CREATE TABLE "a b" (a INT); CREATE TABLE u (a INT)'
    connection.run_script(ddl + "; INSERT INTO t VALUES (NULL)")
    wanted = ("not_empty(t)", 'not_empty("a b")', "not_null(u.a)", "not_empty(u)", "not_null(t.a)")
    assert broken(connection, ddl, *wanted) == ['not_empty("a b")', "not_empty(u)", "not_null(t.a)"]


def test_a_table_that_is_not_there_breaks_nothing(connection: Connection) -> None:
    assert broken(connection, "CREATE TABLE t (a INT)", "not_empty(t)") == []


AFFINITIES = ("INTEGER", "TEXT", "BLOB", "REAL", "NUMERIC", "", "TEXT COLLATE NOCASE", "COLLATE RTRIM")
NASTY = (
    *(0, 1, -1, 10, 1.0, 1.5, 0.1, -0.0, 1e300, 2**53 + 1, float(2**53), 2**63 - 1, -(2**63), float(2**63)),
    *(
        "0",
        "1",
        "010",
        "10",
        "1.0",
        " 1",
        "1 ",
        "1.5",
        "0.1",
        "+1",
        "-1",
        "1e1",
        "9007199254740993",
        "0x10",
        "1x",
    ),
    *("9223372036854775807", "9223372036854775808", "", "a", "A", "a ", "A  ", "é", "É", b"1", b"a", b""),
)


@pytest.mark.long
@pytest.mark.parametrize("parent", [*AFFINITIES, "INTEGER PRIMARY KEY"])
@pytest.mark.parametrize("options", ["", " WITHOUT ROWID"])
def test_inclusion_is_broken_where_foreign_key_check_says_so(
    connection: Connection, parent: str, options: str
) -> None:
    key = parent if "KEY" in parent else f"{parent} PRIMARY KEY"
    ddl = f"CREATE TABLE p (a {key}){options};"
    for number, child in enumerate(AFFINITIES):
        ddl += f"CREATE TABLE c{number} (n INTEGER PRIMARY KEY, x {child} REFERENCES p (a));"
    connection.run_script(ddl)
    schema = load_ddl(ddl)
    facts = [parse_fact(f"inclusion(c{n}.x -> p.a)", schema) for n in range(len(AFFINITIES))]
    checker = FactChecker(schema, facts)
    for above in NASTY:
        connection.execute("DELETE FROM p")
        try:
            connection.execute("INSERT INTO p VALUES (?)", (above,))
        except RunnerError:
            continue
        for below in (*NASTY, None):
            for number in range(len(AFFINITIES)):
                connection.execute(f"INSERT OR REPLACE INTO c{number} VALUES (1, ?)", (below,))
            rows = connection.execute("PRAGMA foreign_key_check").fetchall()
            expected = [fact for fact in facts if fact.table in {row[0] for row in rows}]
            assert list(checker.violated(connection)) == expected, (above, below)
            assert checker.holds(connection) == (not expected)


def test_composite_and_self_references_are_judged_as_foreign_key_check_does(
    connection: Connection,
) -> None:
    ddl = (
        "CREATE TABLE p (a TEXT COLLATE NOCASE, b INTEGER, up TEXT, top REAL, PRIMARY KEY (b, a),"
        " FOREIGN KEY (up, top) REFERENCES p (a, b)) WITHOUT ROWID;"
        "CREATE TABLE c (x BLOB, y TEXT, FOREIGN KEY (y, x) REFERENCES p);"
    )
    connection.run_script(ddl)
    schema = load_ddl(ddl)
    facts = [fact for fact in facts_for(schema, "intended") if fact.kind is FactKind.INCLUSION]
    assert len(facts) == 2
    checker = FactChecker(schema, facts)
    random = Random(41)
    seen = set()
    for _ in range(400):
        connection.execute("DELETE FROM c")
        connection.execute("DELETE FROM p")
        for _ in range(random.randrange(3)):
            row = [random.choice(["a", "A", "1", 1]), random.choice([1, 2, "x"])]
            row += [random.choice(["a", "A", "1", 1, None]), random.choice([1, "1", 2.0, "x", None])]
            connection.execute("INSERT OR IGNORE INTO p VALUES (?, ?, ?, ?)", row)
        row = [random.choice(["a", "A", 1, "1", b"1", None]), random.choice(["1", 1, "x", " 2", None])]
        connection.execute("INSERT INTO c VALUES (?, ?)", row)
        found = {row[0] for row in connection.execute("PRAGMA foreign_key_check")}
        assert {fact.table for fact in checker.violated(connection)} == found
        seen.add(frozenset(found))
    assert len(seen) == 4


def test_sqlite_itself_finds_orphans_of_the_keys_that_are_promised(connection: Connection) -> None:
    ddl = (
        "CREATE TABLE p (a TEXT PRIMARY KEY, b);"
        "CREATE TABLE k (i INTEGER REFERENCES p, j REFERENCES p (A), l,"
        " FOREIGN KEY (l, j) REFERENCES p (b, a));"
    )
    schema = load_ddl(ddl)
    facts = facts_for(schema, "intended")
    connection.run_script(f"{ddl} INSERT INTO p VALUES ('010', 1); INSERT INTO k VALUES (NULL, '010', NULL)")
    # The key of two columns leads to no unique ones: SQLite judges none of the table's keys.
    assert not has_orphans(connection, facts)
    connection.run_script("CREATE UNIQUE INDEX u ON p (b, a); INSERT INTO k VALUES (10, NULL, 1)")
    assert has_orphans(connection, facts)
    assert not has_orphans(connection, facts_for(schema, "declared"))
    connection.run_script("UPDATE k SET i = NULL, j = '010'")
    assert not has_orphans(connection, facts)
    connection.run_script("UPDATE k SET l = 2")
    assert has_orphans(connection, facts)
