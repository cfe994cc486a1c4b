"""A second dialect, in one folder beside these tests: whatever a pair meets must ask its dialect.

It is SQLite with names quoted «so»; its engine refuses other quotes, and SQLite refuses these: a query in the
wrong hands fails.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equiv import InputError, check
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.verdict import Equivalent, Execution, Invalid, NotEquivalent, Undecided, Verdict, Witness

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "guillemets"
PATH = os.pathsep.join((str(ROOT), str(FOLDER)))

DDL = """
CREATE TABLE «big order» (id INTEGER PRIMARY KEY, «the city» TEXT, «how many» INT CHECK («how many» > 0));
CREATE TABLE item (id INTEGER PRIMARY KEY, «order» INT NOT NULL REFERENCES «big order» (id), price INT,
  «gross price» INT AS (price * 2));
CREATE UNIQUE INDEX «one price» ON item («order», price) WHERE price > 3;
CREATE VIEW «large ones» AS SELECT id, «the city» AS c FROM «big order» WHERE «how many» > 2;
"""


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder on the path, in which an entry point names the dialect."""
    monkeypatch.syspath_prepend(FOLDER)


def verdict(pred: str, gold: str, db: Path | None = None, **options: Any) -> Verdict:
    chosen = Options(dialect="guillemets", timeout=None, **options)
    schema = None if db is not None else dialect_named("guillemets").loader.read_ddl(DDL)
    with closing(make_engine(schema, db, chosen)) as engine:
        return engine.check(pred, gold)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("pred", "gold", "tier"), [
    ("SELECT «the city» FROM «big order» WHERE «how many» >= 3", "SELECT c FROM «large ones»", "rules"),
    ("SELECT id FROM «big order» WHERE «how many» = 0", "SELECT id FROM «big order» WHERE 1 = 0", "proof"),
    (
        "SELECT sum(«gross price») FROM item a WHERE EXISTS (SELECT 1 FROM item b WHERE b.id = a.id)",
        "SELECT sum(«gross price») FROM item", "rules",
    ),
    ("SELECT id FROM item WHERE price > :x", "SELECT id FROM item WHERE NOT price <= :x", "rules"),
    ("SELECT '«a»' FROM item -- «", "SELECT '«a»' FROM item /* « */", "rules"),
])  # fmt: skip
def test_equivalent_queries_are_proved(pred: str, gold: str, tier: str) -> None:
    found = verdict(pred, gold)
    assert isinstance(found, Equivalent), found
    assert found.tier is not None
    assert found.tier.value == tier


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("pred", "gold"), [
    ("SELECT «the city» FROM «big order» WHERE «how many» >= 4", "SELECT c FROM «large ones»"),
    ("SELECT «gross price» FROM item", "SELECT DISTINCT «gross price» FROM item"),
    ("SELECT count(*) FROM item WHERE price > :x", "SELECT count(*) FROM item WHERE price >= :x"),
    ("SELECT rank() OVER (ORDER BY «the city») FROM «big order»", "SELECT id FROM «big order»"),
])  # fmt: skip
def test_a_witness_is_written_and_replayed_in_the_dialect(pred: str, gold: str) -> None:
    found = verdict(pred, gold)
    assert isinstance(found, NotEquivalent), found
    assert isinstance(found.evidence, Witness)
    assert "«" in found.evidence.sql
    assert '"' not in found.evidence.sql
    with pytest.raises(sqlite3.OperationalError), closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(found.evidence.sql)
    texts = (pred, gold) if found.evidence.binding is None else found.evidence.binding
    pred, gold = texts if isinstance(texts, tuple) else (texts.pred_sql, texts.gold_sql)
    with dialect_named("guillemets").engine.replay(found.evidence.sql) as played:
        ours, theirs = played.run(pred), played.run(gold)
        assert ours != theirs
        assert played.run('SELECT "id" FROM item') != played.run("SELECT id FROM item")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A populated database: what the dialect's engine opens is a file of SQLite's."""
    path = tmp_path / "shop" / "shop.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(re.sub("[«»]", '"', DDL))
        connection.executemany(
            'INSERT INTO "big order" VALUES (?, ?, ?)', [(1, "Rome", 1), (2, "Oslo", 4), (3, "Oslo", 9)]
        )
        connection.commit()
    return path


@pytest.mark.usefixtures("installed")
def test_the_given_data_is_asked_in_the_dialect(database: Path) -> None:
    texts = ("SELECT «the city» FROM «big order»", "SELECT DISTINCT «the city» FROM «big order»")
    found = verdict(*texts, database)
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Execution)
    assert verdict(*texts, database, relation="set").name == "equivalent"
    assert verdict("SELECT town FROM «big order»", texts[1], database).name == "invalid"


@pytest.mark.usefixtures("installed")
def test_other_quotes_are_not_read() -> None:
    found = verdict('SELECT "the city" FROM «big order»', "SELECT c FROM «large ones»")
    assert isinstance(found, Invalid)
    assert found.message == 'unrecognized quote: "'


@pytest.mark.usefixtures("installed")
def test_the_library_takes_the_name_and_refuses_a_schema_of_another_dialect() -> None:
    query = "SELECT id FROM «big order»"
    assert check(query, query, schema=DDL, dialect="guillemets", timeout=None).name == "equivalent"
    with pytest.raises(InputError, match="the schema has the dialect sqlite, not guillemets"):
        check(query, query, schema=Schema(()), dialect="guillemets", timeout=None)


def test_an_unknown_name_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"unknown dialect 'klingon'; choose among .*sqlite"):
        check("SELECT 1", "SELECT 1", schema="CREATE TABLE t (a INT)", dialect="klingon")


def run(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "equiv", *map(str, arguments)],
        cwd=folder, env={**os.environ, "PYTHONPATH": PATH}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.usefixtures("database")
def test_commands_choose_it_by_name(tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(DDL, encoding="utf-8")
    same = ("SELECT «the city» FROM «big order» WHERE «how many» >= 3", "SELECT c FROM «large ones»")
    (tmp_path / "both.sql").write_text("; ".join(same) + ";", encoding="utf-8")
    chosen = ("--schema", "shop.sql", "--dialect", "guillemets")
    proved = run("check", "--both", "both.sql", *chosen, "--certificate", "it.json", folder=tmp_path)
    assert proved.returncode == 0, proved.stderr
    again = run("recheck", "it.json", folder=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr

    other = "SELECT «the city» FROM «big order» WHERE «how many» >= 4"
    refuted = run("check", other, same[1], *chosen, "--emit-sql", "it.sql", folder=tmp_path)
    assert refuted.returncode == 1, refuted.stderr
    assert refuted.stdout.endswith("Replay: guillemets it.sql\n")

    unknown = run("check", *same, "--schema", "shop.sql", "--dialect", "klingon", folder=tmp_path)
    line = "equiv: unknown dialect 'klingon'; choose among duckdb, guillemets, postgres, sqlite\n"
    assert (unknown.returncode, unknown.stderr) == (2, line)

    pairs = [
        {"db_id": "shop", "question_id": number, "predicted_sql": pred, "gold_sql": same[1]}
        for number, pred in enumerate((same[0], other, 'SELECT "c" FROM «large ones»'))
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pairs), encoding="utf-8")
    options = ("--db-root", tmp_path, "--dialect", "guillemets")
    told = run("eval", "pairs.jsonl", *options, "--effort", "quick", "--out", "it.jsonl", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    records = [json.loads(line) for line in (tmp_path / "it.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["verdict"] for one in records] == ["equivalent", "not_equivalent", "invalid"], records
    right = run("report", "it.jsonl", *options, folder=tmp_path)
    assert right.returncode == 0, right.stderr
    assert re.search(r"ex-bird +\| 2 ", right.stdout), right.stdout


@pytest.mark.usefixtures("installed")
def test_a_difference_that_only_the_translation_shows_is_no_witness(
    monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    reader = dialect_named("guillemets").reader
    honest = reader.read

    def misread(_: object, text: str, schema: Schema, empty: Session) -> Query | Broken:
        found = honest(text.replace("price + 0", "id + 0"), schema, empty)
        return replace(found, sql=text) if isinstance(found, Query) else found

    with closing(sqlite3.connect(database)) as connection:
        connection.execute("INSERT INTO item VALUES (7, 1, 8)")
        connection.commit()
    monkeypatch.setattr(type(reader), "read", misread)
    for db in (None, database):
        found = verdict(
            "SELECT price + 0 FROM item", "SELECT price FROM item", db, tiers=("data", "generate")
        )
        assert isinstance(found, Undecided), found
