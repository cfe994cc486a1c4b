"""A difference on the user's own rows is shown on the few of them that show it."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from os import mkfifo
from pathlib import Path
from typing import Any

import pytest

from equiv.dialects.registry import dialect_at, dialect_named
from equiv.engine.make import make_engine
from equiv.engine.premises import options_on
from equiv.eval.plan import settings_of
from equiv.eval.worker import Worker
from equiv.options import Options
from equiv.schema.locate import Place
from equiv.tiers import data

Run = Callable[..., Any]

DDL = """
CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT,
    region_id INTEGER NOT NULL REFERENCES region (id));
CREATE TABLE bill (customer_id INTEGER NOT NULL REFERENCES customer (id), total REAL, note TEXT);
"""
PAIRS = {
    "boundary": ("SELECT total FROM bill WHERE total >= 71.5", "SELECT total FROM bill WHERE total > 71.5"),
    "inner join": (
        "SELECT name, COUNT(total) FROM customer c JOIN bill ON customer_id = c.id GROUP BY c.id",
        "SELECT name, COUNT(total) FROM customer c LEFT JOIN bill ON customer_id = c.id GROUP BY c.id",
    ),
    "duplicates": ("SELECT DISTINCT note FROM bill", "SELECT note FROM bill"),
    "average": ("SELECT AVG(total) FROM bill WHERE note = 'n1'", "SELECT AVG(total) FROM bill"),
    "one NULL among many": (
        "SELECT name FROM region WHERE name NOT IN (SELECT note FROM bill)",
        "SELECT name FROM region WHERE NOT EXISTS (SELECT 1 FROM bill WHERE note = name)",
    ),
    "region": (
        "SELECT r.name FROM region r WHERE r.id NOT IN (SELECT region_id FROM customer WHERE id < 12)",
        "SELECT r.name FROM region r WHERE r.id NOT IN (SELECT region_id FROM customer WHERE id < 13)",
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of 3,000 rows, in which one bill alone is of 71.5 and stands last but one."""
    path = tmp_path_factory.mktemp("own") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(DDL)
        connection.executemany("INSERT INTO region VALUES (?, ?)", ((n, f"r{n}") for n in range(20)))
        customers = ((n, f"name {n % 300}", f"c{n % 17}", n % 20) for n in range(500))
        connection.executemany("INSERT INTO customer VALUES (?, ?, ?, ?)", customers)
        bills: list[tuple[int, float, str | None]] = [
            (n * 7 % 480, n * 0.25 + 100, f"n{n % 9}") for n in range(2480)
        ]
        bills.insert(-1, (477, 71.5, None))
        connection.executemany("INSERT INTO bill VALUES (?, ?, ?)", bills)
    return path


@pytest.mark.parametrize("kind", PAIRS)
def test_few_of_the_rows_show_the_difference(equiv: Run, shop: Path, kind: str) -> None:
    pred, gold = PAIRS[kind]
    done = equiv("check", pred, gold, "--db", shop, "--json")
    assert done.code == 1
    record = json.loads(done.out)
    assert (record["tier"], record["evidence"]["kind"]) == ("data", "execution")
    few = record["evidence"]["few"]
    with closing(sqlite3.connect(":memory:")) as small, closing(sqlite3.connect(shop)) as whole:
        small.executescript(few["sql"])
        assert not small.execute("PRAGMA foreign_key_check").fetchall()
        results = [Counter(small.execute(query).fetchall()) for query in (pred, gold)]
        assert results[0] != results[1]
        assert [list(row) for row in small.execute(pred)] == few["pred_rows"]
        for name, columns in re.findall(r"INSERT INTO (\w+) \(([^)]*)\)", few["sql"]):
            rows = small.execute(f"SELECT {columns} FROM {name}").fetchall()
            assert len(rows) <= 5, (name, rows)
            own = Counter(whole.execute(f"SELECT {columns} FROM {name}").fetchall())
            assert Counter(rows) <= own, "a row that is not the user's"


def test_made_databases_are_asked_before_a_large_file(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = dialect_named("sqlite").loader.read_database(shop)
    pred, gold = PAIRS["duplicates"]
    tiers = []
    for dear in (data.DEAR, 0):
        monkeypatch.setattr(data, "DEAR", dear)
        engine = make_engine(schema, shop, Options())
        tiers.append(engine.check(pred, gold).tier)
        engine.close()
    assert tiers == ["data", "generate"]


UNPAID = (
    "SELECT name FROM customer c WHERE NOT EXISTS"
    " (SELECT 1 FROM bill WHERE customer_id = c.id AND note = 'z')"
)
"""Without an index on customer_id, each customer is looked for among all bills."""
SMALL = "(SELECT COUNT(*) FROM bill) < 2400"
"""What holds in databases that are made."""


@pytest.mark.parametrize(
    ("pred", "said", "reasons"),
    [
        (
            "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM bill WHERE note = 'z')",
            ("equivalent", "rules"),
            ["RESOURCE gold query: the query takes more than 4,000,000 steps of SQLite's"],
        ),
        (UNPAID.replace("'z'", "'y'"), ("not_equivalent", "generate"), ["NO_PROOF"]),
        (f"{UNPAID} AND {SMALL}", ("not_equivalent", "data"), ["NO_PROOF", ""]),
    ],
)
def test_much_work_on_own_rows_waits(
    equiv: Run, shop: Path, pred: str, said: tuple[str, str], reasons: list[str]
) -> None:
    found = json.loads(equiv("check", pred, UNPAID, "--db", shop, "--json", "--effort", 40).out)
    given = [each["reason"] for each in found["attempts"] if each["tier"] == "data"]
    assert ((found["verdict"], found["tier"]), given[: len(reasons)]) == (said, reasons)


def test_rows_that_raise_an_error_wait_for_no_budget(
    equiv: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "DEAR", 0)
    raising = UNPAID.replace("note = 'z'", "abs(-9223372036854775807 - (customer_id = 477)) < 0")
    found = json.loads(equiv("check", raising, UNPAID, "--db", shop, "--json").out)
    assert (found["verdict"], found["tier"], found["difference"]) == ("not_equivalent", "data", "error")


def test_a_gold_query_is_run_once_for_all_predictions(shop: Path) -> None:
    worker, gold = Worker(), "SELECT random()"
    worker.settings = settings_of({"shop": Place("shop", database=shop)}, Options())
    answers = [worker.answers("shop", shop, f"SELECT {n}", gold, data.CAPS) for n in range(2)]
    assert answers[0][0] != answers[1][0]
    assert answers[0][1] == answers[1][1]


def test_pages_and_tables_of_misses_have_the_few_rows(equiv: Run, shop: Path, tmp_path: Path) -> None:
    pred, gold = PAIRS["boundary"]
    lines = tmp_path / "pairs.jsonl"
    lines.write_text(json.dumps({"question_id": 1, "predicted_sql": pred, "gold_sql": gold}))
    out, table, page = (tmp_path / name for name in ("out.jsonl", "misses.csv", "page.html"))
    twice = equiv("eval", lines, "--db", shop, "--db-root", shop.parent)
    assert (twice.code, twice.err) == (2, "equiv: --db-root and --db are one option: give it once\n")
    done = equiv("eval", lines, "--db", shop, "--out", out, "--csv", table, "--report", page)
    assert done.code == 0
    (miss,) = csv.DictReader(table.read_text(encoding="utf-8-sig").splitlines(keepends=True))
    assert miss["witness"].count("INSERT INTO bill") == 1
    assert "71.5" in miss["witness"]
    assert (miss["ex"], miss["equivalent_if"]) == ("0", "not searched")
    assert "evaluations of pairs" in done.err, "metrics are measured once more, which is said"
    assert "71.5" in page.read_text()
    shown = equiv("explain", out, "1").out
    assert "On a few rows of the database shop, below as SQL:" in shown
    assert "returns at least" not in shown


def test_files_show_their_dialect(equiv: Run, tmp_path: Path) -> None:
    dump = tmp_path / "dump.sql"
    dump.write_text("--\n-- PostgreSQL database dump\n--\n\nCREATE TABLE public.t (id bigint NOT NULL);\n")
    duck, plain = tmp_path / "x.db", tmp_path / "plain.sql"
    duck.write_bytes(bytes(8) + b"DUCK" + bytes(20))
    plain.write_text("CREATE TABLE t (id INTEGER);")
    assert [dialect_at(path) for path in (dump, duck, plain, tmp_path)] == ["postgres", "duckdb", "", ""]
    assert dialect_named("postgresql") is dialect_named("postgres")
    texts = (dump.read_text(), plain.read_text())
    assert [options_on(None, Options(), text).dialect for text in texts] == ["postgres", ""]
    assert options_on(None, Options(dialect="duckdb"), texts[0]).dialect == "duckdb"
    assert options_on(duck, Options(), texts[1]).dialect == "duckdb"
    done = equiv("check", "SELECT id FROM t", "SELECT id FROM t", "--schema", "postgresql://nowhere/x")
    assert (done.code, done.err.count("\n"), "--db" in done.err) == (2, 1, True)


def test_the_schema_of_an_evaluation_may_be_a_pipe(equiv: Run, tmp_path: Path) -> None:
    pipe, lines = tmp_path / "pipe", tmp_path / "pairs.jsonl"
    lines.write_text(
        json.dumps({"db_id": "x", "predicted_sql": "SELECT 1 FROM t", "gold_sql": "SELECT 1 FROM t"})
    )
    mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("CREATE TABLE t (id INTEGER);",), daemon=True)
    writer.start()
    done = equiv("eval", lines, "--schema", pipe)
    assert done.code == 0
    assert "1 right of 1 scored" in done.out


def test_results_on_the_data_that_refute_nothing_are_spoken_of(equiv: Run, tmp_path: Path) -> None:
    """Which row a window numbers first is a choice, which is not followed through lists."""
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE sale (rep INTEGER, amount INTEGER, items INTEGER[])")
        made.execute("INSERT INTO sale VALUES (1, 5, [1]), (1, 5, [2])")
    texts = [f"SELECT * FROM sale QUALIFY {f}() OVER (ORDER BY amount) = 1" for f in ("row_number", "rank")]
    done = equiv("check", *texts, "--db", path)
    assert done.code == 3
    assert "the results on the rows given differ, which refutes nothing" in done.out
