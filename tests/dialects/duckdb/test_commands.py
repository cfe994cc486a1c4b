"""Verdicts on DuckDB's queries by the commands and the library: witnesses, certificates, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from equiv import check, cli

pytestmark = pytest.mark.long

duckdb = pytest.importorskip("duckdb")

Run = Callable[..., tuple[int, str]]

SCHEMA = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, name VARCHAR);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id));"""
DIVIDES = ("SELECT id FROM t WHERE a / b > 2 AND id > 3", "SELECT id FROM t WHERE id > 3 AND a / b > 2")
PLAIN = ("FROM t SELECT id WHERE NOT id <= 3", "SELECT id FROM t WHERE id > 3")
DIFFERENT = ("SELECT name FROM t WHERE name LIKE 'x%'", "SELECT name FROM t WHERE name ILIKE 'x%'")


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "s.sql"
    path.write_text(SCHEMA, encoding="utf-8")
    return path


def test_a_witness_runs_on_duckdb_alone(run: Run, schema: Path) -> None:
    out = schema.with_name("w.sql")
    code, said = run("check", *DIFFERENT, "--schema", schema, "--dialect", "duckdb", "--emit-sql", out)
    assert code == 1, said
    assert "duckdb :memory: -f" in said
    with duckdb.connect() as connection:
        statements = connection.extract_statements(out.read_text(encoding="utf-8"))
        answers = [connection.execute(each).fetchall() for each in statements]
    assert answers[-2] != answers[-1]


def test_an_equivalence_of_queries_that_may_raise_an_error_rests_on_no_error(run: Run, schema: Path) -> None:
    options = ("--schema", schema, "--dialect", "duckdb")
    assert "no_error (assumed)" in run("check", *DIVIDES, *options)[1]
    assert "no_error" not in run("check", *PLAIN, *options)[1]


def test_a_certificate_is_rechecked(run: Run, schema: Path) -> None:
    path = schema.with_name("c.json")
    code, said = run("check", *PLAIN, "--schema", schema, "--dialect", "duckdb", "--certificate", path)
    assert code == 0, said
    code, said = run("recheck", path)
    assert code == 0, said
    value = json.loads(path.read_text(encoding="utf-8"))
    assert value["dialect"] == "duckdb"


def test_a_populated_file_tells_two_queries_apart(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO t VALUES (1, 5, 2, 'Xa'), (2, 4, 4, 'xb')")
    code, said = run("check", *DIFFERENT, "--db", path, "--dialect", "duckdb")
    assert code == 1, said
    assert "tier data" in said


def test_what_a_file_alone_has_is_no_failure_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER, seen TIMESTAMPTZ); CREATE SCHEMA s")
        connection.execute("INSERT INTO t VALUES (1, '2026-03-01 02:00:00+00'), (2, NULL), (3, NULL)")
        connection.execute("CREATE MACRO is_vip(i) AS i > 2; CREATE MACRO vips() AS TABLE FROM t")
        connection.execute("CREATE MACRO above(i, n := 1) AS i > n")
        connection.execute("CREATE MACRO leak(p) AS (SELECT content FROM read_text(p))")
        connection.execute("CREATE MACRO dice(i) AS i > random(); CREATE TABLE s.o AS SELECT 1 AS id")
    for pred, gold, said in (
        ("SELECT id FROM t WHERE is_vip(id)", "SELECT id FROM t WHERE is_vip(id)", "equivalent"),
        ("SELECT id FROM t WHERE is_vip(id)", "SELECT id FROM t WHERE id > 1", "not_equivalent"),
        ("SELECT id FROM t WHERE is_vip(id)", "SELECT id FROM t WHERE id > 2", "equivalent"),
        ("SELECT id FROM t WHERE dice(id)", "SELECT id FROM t WHERE dice(id)", "undecided"),
        ("SELECT leak('/etc/hostname')", "SELECT 'x'", "undecided"),
        ("SELECT id FROM vips()", "SELECT id FROM t WHERE id > 2", "not_equivalent"),
        ("SELECT id FROM s.o", "SELECT id FROM s.o", "equivalent"),
        ("SELECT is_vop(id) FROM t", "SELECT id FROM t", "invalid"),
        ("SELECT is_vip(id, 1) FROM t", "SELECT id FROM t", "invalid"),
        ("SELECT seen FROM t", "SELECT seen FROM t WHERE id < 3", "not_equivalent"),
    ):
        found = check(pred, gold, db=path, dialect="duckdb", timeout=None)
        assert (found.name, getattr(found, "reason", "UNSUPPORTED")) == (said, "UNSUPPORTED"), pred
    texts = ("SELECT id FROM t WHERE above(id)", "SELECT id FROM t WHERE id > 1")
    assert check(*texts, db=path, dialect="duckdb", timeout=None).name == "undecided"
    assert check(*texts, db=path, dialect="duckdb", live_prepare=False).name == "invalid"


def test_a_file_of_pairs(run: Run, schema: Path, tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    lines = [
        {"question_id": at, "db_id": "s", "predicted_sql": pred, "gold_sql": gold}
        for at, (pred, gold) in enumerate((PLAIN, DIFFERENT, ("SELECT zz FROM t", "SELECT a FROM t")))
    ]
    pairs.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    code, said = run("eval", pairs, "--schema", schema, "--dialect", "duckdb", "--out", out)
    assert code == 0, said
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [record["verdict"] for record in records] == ["equivalent", "not_equivalent", "invalid"]
    assert all(record["versions"]["duckdb"] == duckdb.__version__ for record in records)


def test_the_databases_of_a_suite_are_files_of_duckdb(run: Run, schema: Path, tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "suite"
    pair = {"question_id": 1, "db_id": "s", "predicted_sql": "SELECT a FROM t", "gold_sql": "SELECT b FROM t"}
    pairs.write_text(json.dumps(pair), encoding="utf-8")
    code, said = run("suite", pairs, "--schema", schema, "--dialect", "duckdb", "--out", out)
    assert code == 0, said
    (path,) = out.glob("*/*/*")
    assert path.name == "s.duckdb"
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM t").fetchall() == [(True,)]


def test_the_library() -> None:
    verdict = check("SELECT a // 2 FROM t", "SELECT a / 2 FROM t", schema=SCHEMA, dialect="duckdb")
    assert verdict.name == "not_equivalent"
    verdict = check(
        "SELECT u.id FROM u SEMI JOIN t ON t.id = t_id", "SELECT id FROM u", schema=SCHEMA, dialect="duckdb"
    )
    assert verdict.name == "equivalent"


def test_values_that_have_parts_are_shown_as_duckdb_prints_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ddl = tmp_path / "schema.sql"
    ddl.write_text("CREATE TABLE t (id INTEGER PRIMARY KEY, l VARCHAR[], s STRUCT(a INTEGER))")
    asked = ["check", "SELECT l, s FROM t WHERE len(l) > 0", "SELECT l, s FROM t WHERE len(l) > 1"]
    assert cli.run([*asked, "--schema", str(ddl), "--dialect", "duckdb"]) == 1
    shown, _, script = capsys.readouterr().out.partition("The database as SQL:")
    assert "| [" in shown
    assert "'[" not in shown
    assert "'[" in script
