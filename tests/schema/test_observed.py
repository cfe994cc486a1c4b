from __future__ import annotations

from contextlib import closing
from pathlib import Path

from equiv.core.runner import Connection, open_file
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.pragmas import load_sqlite
from equiv.facts import Grade
from equiv.schema.policy import facts_for
from equiv.schema.violations import mine, violated

DDL = """CREATE TABLE p (id INT, name TEXT, day TEXT, price TEXT, mixed);
CREATE TABLE c (p INT, n INT, other TEXT, dirty INT, none TEXT);
CREATE TABLE e (id INTEGER PRIMARY KEY, p INT NOT NULL)"""
ROWS = """INSERT INTO p VALUES
    (1, 'a', '2020-01-01', '1.5', 1), (2, 'b', '2020-01-02', '2', 'x'), (3, 'a', NULL, '3', 2);
INSERT INTO c VALUES
    (1, 1, 'a', 1, NULL), (1, 2, 'a', 'x', NULL), (2, 1, 'b', 5, NULL), (NULL, 1, 'b', 5, NULL)"""


def mined(rows: str, *tables: str) -> set[str]:
    schema = load_ddl(DDL)
    with closing(Connection()) as connection:
        connection.run_script(DDL + ";" + rows)
        facts = mine(connection, schema, tables or None)
    assert all(fact.grade is Grade.OBSERVED for fact in facts)
    return {str(fact) for fact in facts}


def test_an_empty_database_supports_nothing() -> None:
    assert mined("") == set()


def test_what_holds_is_found_and_what_does_not_is_not() -> None:
    found = mined(ROWS)
    assert {
        "not_null(p.id)",
        "unique(p.id)",
        "type(p.id)",
        "iso_date(p.day)",
        "unique(p.day)",
        "numeric_text(p.price)",
        "not_null(c.n)",
        "unique(c.p, c.n)",
        "inclusion(c.p -> p.id)",
        "not_empty(p)",
        "not_empty(c)",
    } <= found
    assert (
        not {
            "not_null(p.day)",
            "iso_date(p.name)",
            "unique(p.name)",
            "not_null(c.p)",
            "type(c.dirty)",
            "type(c.none)",
            "unique(c.none)",
            "unique(c.p)",
            "unique(p.id, p.name)",
            "inclusion(c.dirty -> p.id)",
            "inclusion(c.none -> p.name)",
            "inclusion(p.id -> p.id)",
        }
        & found
    )


def test_an_empty_table_supports_nothing_about_itself() -> None:
    assert not any("(e" in fact for fact in mined(ROWS))


def test_a_row_of_nulls_is_a_row() -> None:
    assert mined("INSERT INTO p DEFAULT VALUES") == {"not_empty(p)"}


def test_only_the_tables_named_are_looked_at() -> None:
    assert all("(p" in fact for fact in mined(ROWS, "P", "missing"))


def test_text_that_is_not_utf8_is_no_trouble() -> None:
    assert "not_null(p.name)" in mined("INSERT INTO p (name) VALUES (CAST(x'ff' AS TEXT))")


def test_table_that_the_database_lacks_supports_nothing() -> None:
    with closing(Connection()) as connection:
        assert mine(connection, load_ddl(DDL)) == ()


def test_mined_facts_hold_in_the_published_databases(data: Path) -> None:
    for name in ("world_1", "flight_2", "concert_singer"):
        path = data / "spider" / "database" / name / f"{name}.sqlite"
        schema = load_sqlite(path)
        with closing(open_file(path)) as guarded:
            facts = mine(guarded.connection, schema)
            assert len(facts) > 20
            assert violated(guarded.connection, schema, facts) == ()
            assert len(facts_for(schema, "observed", observed=facts)) > len(facts_for(schema, "intended"))
