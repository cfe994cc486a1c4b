"""Each kind of fault on a case that has it, and on a near one that does not."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from equiv.answers import choices as choice_functions
from equiv.core.runner import open_file
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.dialect import OnRunner
from equiv.engine.make import make_engine
from equiv.eval.gold.catalogue import OF_JUDGES, OF_QUERIES, OF_SYSTEMS
from equiv.eval.gold.execution import QueryInDatabase
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.options import Options

DDL = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    "release date" TEXT,
    studio TEXT,
    price REAL,
    score TEXT,
    season TEXT
);
CREATE TABLE sale (id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES game (id), copies INTEGER);
"""
GAMES = [
    (1, "Ants", "2001-05-01", "Hill", 9.5, "9", "1999"),
    (2, "Bees", "2002-05-01", "Hill", 20.0, "10", "2000"),
    (3, "Cows", "2003-05-01", "Barn", 20.0, "8", "2001"),
    (4, "Dogs", "2004-05-01", "Barn", None, "7", "2002"),
    (5, "Eels", "2005-05-01", "Pond", 7.5, "6", "2003"),
]
SALES = [(1, 1, 5), (2, 1, 6), (3, 2, 4)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small database with a tie, a NULL, and numbers as text."""
    found = tmp_path_factory.mktemp("data") / "games.sqlite"
    with closing(sqlite3.connect(found)) as connection, connection:
        connection.executescript(DDL)
        connection.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", GAMES)
        connection.executemany("INSERT INTO sale VALUES (?, ?, ?)", SALES)
    return found


def findings(
    kind: GoldFault, sql: str, path: Path | None, earlier: tuple[str, ...] = ()
) -> list[GoldFinding]:
    options = Options(timeout=None, effort="quick")
    schema = load_ddl(DDL) if path is None else None
    with closing(make_engine(schema, path, options)) as engine:
        data = open_file(path) if path is not None else None
        if data is not None:
            choice_functions.register(data.connection)
        try:
            gold = GoldQuery("games", 1, sql, earlier=earlier)
            return list(
                OF_QUERIES[kind].look(
                    QueryInDatabase(gold, engine, OnRunner(data) if data is not None else None)
                )
            )
        finally:
            if data is not None:
                data.close()


WITH_DATA = [
    (GoldFault.DOES_NOT_RUN, "SELECT titel FROM game", Basis.TEXT),
    (GoldFault.DOES_NOT_RUN, "SELECT title FROM game;;", None),
    (GoldFault.DOES_NOT_RUN, "", Basis.TEXT),
    (GoldFault.DOES_NOT_RUN, "SELECT CONCAT_X(title) FROM game", Basis.TEXT),
    (GoldFault.DOES_NOT_RUN, "SELECT abs(-9223372036854775807 - 1) FROM game", Basis.DATA),
    (GoldFault.EMPTY, "SELECT title FROM game WHERE studio = 'hill'", Basis.DATA),
    (GoldFault.EMPTY, "SELECT MAX(price) FROM game WHERE studio = 'hill'", Basis.DATA),
    (GoldFault.EMPTY, "SELECT COUNT(*) FROM game WHERE studio = 'hill'", None),
    (GoldFault.EMPTY, "SELECT price FROM game WHERE id > 3", None),
    (GoldFault.TIE, "SELECT title FROM game ORDER BY price DESC LIMIT 1", Basis.DATA),
    (GoldFault.TIE, "SELECT price FROM game ORDER BY price DESC LIMIT 1", None),
    (GoldFault.TIE, "SELECT title FROM game ORDER BY price DESC LIMIT 2", None),
    (GoldFault.TIE, "SELECT title FROM game LIMIT 2", Basis.DATA),
    (
        GoldFault.TIE,
        "SELECT title, count(*) FROM game JOIN sale ON game.id = game_id GROUP BY game.id LIMIT 1",
        Basis.DATA,
    ),
    (
        GoldFault.TIE,
        "SELECT id FROM sale WHERE game_id = (SELECT id FROM game ORDER BY price DESC LIMIT 1)",
        Basis.DATA,
    ),
    (
        GoldFault.TIE,
        "SELECT 1 FROM sale WHERE 20 = (SELECT price FROM game ORDER BY price DESC LIMIT 1)",
        None,
    ),
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY price LIMIT 1", Basis.DATA),
    (GoldFault.NULL_FIRST, "SELECT DISTINCT price FROM game ORDER BY price LIMIT 1", Basis.DATA),
    (GoldFault.NULL_FIRST, "SELECT price FROM game UNION SELECT 1 ORDER BY 1 LIMIT 1", Basis.DATA),
    (
        GoldFault.NULL_FIRST,
        "SELECT title FROM game WHERE price = (SELECT price FROM game ORDER BY 1 LIMIT 1)",
        Basis.DATA,
    ),
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY price NULLS LAST LIMIT 1", None),
    (GoldFault.NULL_FIRST, "SELECT title FROM game WHERE price IS NOT NULL ORDER BY price LIMIT 1", None),
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY price DESC LIMIT 1", None),
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY price LIMIT 5", None),
    (GoldFault.TEXT_NUMBERS, "SELECT MAX(score) FROM game", Basis.DATA),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game ORDER BY score DESC LIMIT 1", Basis.DATA),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game ORDER BY score", Basis.DATA),
    (GoldFault.TEXT_NUMBERS, "SELECT count(*) FROM game WHERE score > 9", Basis.DATA),
    (GoldFault.TEXT_NUMBERS, "SELECT count(*) FROM game WHERE score BETWEEN '9' AND '11'", Basis.DATA),
    (GoldFault.TEXT_NUMBERS, "SELECT MAX(CAST(score AS INTEGER)) FROM game", None),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game ORDER BY season", None),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game WHERE season > 2000", None),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game ORDER BY title LIMIT 1", None),
    (
        GoldFault.TEXT_NUMBERS,
        "SELECT title FROM game WHERE strftime('%Y', \"release date\") > 2002",
        Basis.TEXT,
    ),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game WHERE strftime('%Y', \"release date\") > '2002'", None),
    (GoldFault.DUPLICATES, "SELECT studio, title FROM game GROUP BY studio", Basis.DATA),
    (GoldFault.DUPLICATES, "SELECT studio, title, MAX(price) FROM game GROUP BY studio", None),
    (GoldFault.DUPLICATES, "SELECT title, MAX(price) FROM game", Basis.DATA),
    (GoldFault.DUPLICATES, "SELECT id, title, count(*) FROM game GROUP BY id", None),
    (GoldFault.DUPLICATES, "SELECT DISTINCT studio FROM game ORDER BY title DESC", None),
    (
        GoldFault.DUPLICATES,
        "SELECT title FROM game WHERE studio = (SELECT studio FROM game WHERE id > 2)",
        Basis.DATA,
    ),
    (
        GoldFault.DUPLICATES,
        "SELECT title FROM game WHERE studio = (SELECT studio FROM game WHERE id = 2)",
        None,
    ),
    (GoldFault.NONDETERMINISTIC, "SELECT title FROM game ORDER BY random() LIMIT 1", Basis.TEXT),
    (GoldFault.NONDETERMINISTIC, "SELECT date('now') > season FROM game", Basis.TEXT),
    (GoldFault.NONDETERMINISTIC, "SELECT date('2001-01-01') > season FROM game", None),
    (GoldFault.NONDETERMINISTIC, "SELECT group_concat(title) FROM game", Basis.DATA),
    (GoldFault.NONDETERMINISTIC, "SELECT group_concat(studio) FROM game WHERE id < 3", None),
    (GoldFault.NONDETERMINISTIC, "SELECT studio, title FROM game GROUP BY studio", None),
    (GoldFault.QUOTED_NAME, 'SELECT title FROM game ORDER BY "relese date"', Basis.TEXT),
    (GoldFault.QUOTED_NAME, 'SELECT "titel" FROM game', Basis.TEXT),
    (GoldFault.QUOTED_NAME, 'SELECT max("prize") FROM game', Basis.TEXT),
    (GoldFault.QUOTED_NAME, 'SELECT title FROM game WHERE studio = "release_date"', Basis.TEXT),
    (GoldFault.QUOTED_NAME, "SELECT title FROM game ORDER BY 'price'", Basis.TEXT),
    (GoldFault.QUOTED_NAME, 'SELECT title FROM game ORDER BY "release date"', None),
    (GoldFault.QUOTED_NAME, 'SELECT title FROM game WHERE studio = "Hill"', None),
    (GoldFault.QUOTED_NAME, "SELECT 'game', title FROM game", None),
    (
        GoldFault.UNSUPPORTED,
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3) SELECT x FROM n",
        Basis.TEXT,
    ),
    (GoldFault.UNSUPPORTED, "WITH n(x) AS (SELECT 1) SELECT x FROM n", None),
]


@pytest.mark.parametrize(("kind", "sql", "basis"), WITH_DATA)
def test_a_kind_is_found_where_it_is_and_not_beside(
    kind: GoldFault, sql: str, basis: Basis | None, path: Path
) -> None:
    assert [finding.basis for finding in findings(kind, sql, path)] == ([basis] if basis else [])


WITHOUT_DATA = [
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY price LIMIT 1", True),
    (GoldFault.NULL_FIRST, "SELECT title FROM game ORDER BY title LIMIT 1", False),
    (GoldFault.NULL_FIRST, "SELECT title FROM game WHERE price < 5 ORDER BY price LIMIT 1", False),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game WHERE score > 9", True),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game WHERE score > '9'", False),
    (GoldFault.TEXT_NUMBERS, "SELECT title FROM game WHERE season BETWEEN 2013 AND 2014", False),
    (GoldFault.DUPLICATES, "SELECT studio, title FROM game GROUP BY studio", True),
    (GoldFault.DUPLICATES, "SELECT id, title, count(*) FROM game GROUP BY id", False),
]


@pytest.mark.parametrize(("kind", "sql", "found"), WITHOUT_DATA)
def test_without_data_the_schema_must_allow_it(kind: GoldFault, sql: str, found: bool) -> None:
    assert [finding.basis for finding in findings(kind, sql, None)] == [Basis.SCHEMA] * found


def test_another_gold_query_is_told_with_what_tells_it_apart(path: Path) -> None:
    sql, near = "SELECT title FROM game WHERE price > 20", "SELECT title FROM game WHERE NOT price <= 20"
    other = "SELECT title FROM game WHERE price >= 20"
    assert findings(GoldFault.OTHER_GOLD, sql, path, (near,)) == []
    (on_data,) = findings(GoldFault.OTHER_GOLD, sql, path, (near, other))
    assert (on_data.other_sql, on_data.rows, on_data.other_rows) == (other, (), (("Bees",), ("Cows",)))
    (by_witness,) = findings(GoldFault.OTHER_GOLD, sql, None, (other,))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(by_witness.witness)
        assert connection.execute(sql).fetchall() != connection.execute(other).fetchall()


def test_the_rows_of_a_tie_are_those_of_the_data(path: Path) -> None:
    (finding,) = findings(GoldFault.TIE, "SELECT title FROM game ORDER BY price DESC LIMIT 1", path)
    assert set(finding.rows) == {("Bees",), ("Cows",)}
    assert "takes 1 of 2 tied rows" in finding.detail


@pytest.mark.parametrize("extremes", ["MAX(price)", "MAX(price), MIN(price)"])
def test_a_row_that_is_shown_mixes_no_rows(path: Path, extremes: str) -> None:
    """Bees and Cows tie for the highest price; a NULL price lends no row."""
    (finding,) = findings(GoldFault.DUPLICATES, f"SELECT id, title, {extremes} FROM game", path)
    assert {row[:2] for row in (*finding.rows, *finding.other_rows)} <= {
        (2, "Bees"),
        (3, "Cows"),
        (5, "Eels"),
    }
    assert finding.rows != finding.other_rows


def test_numbers_as_text_are_told_with_both_answers(path: Path) -> None:
    (finding,) = findings(GoldFault.TEXT_NUMBERS, "SELECT title FROM game ORDER BY score DESC LIMIT 1", path)
    assert (finding.rows, finding.other_rows) == ((("Ants",),), (("Bees",),))


def looks() -> Iterator[tuple[GoldFault, object]]:
    yield from ((kind, entry.look) for kind, entry in OF_QUERIES.items())
    yield from (*OF_SYSTEMS.items(), *OF_JUDGES.items())


def test_every_kind_is_looked_for_and_documented() -> None:
    assert {kind for kind, _ in looks()} == set(GoldFault)
    for kind, look in looks():
        text = inspect.getdoc(look) or ""
        assert "No fault:" in text, kind
        assert "Example:" in text, kind


def test_every_kind_stands_in_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "gold.md").read_text()
    assert [kind for kind in GoldFault if f"| `{kind}` |" not in page] == []
