"""What the commands say of PostgreSQL's queries: facts, certificates, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

Run = Callable[..., tuple[int, str]]

SCHEMA = """CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, name text);
CREATE TABLE u (id int PRIMARY KEY, t_id int NOT NULL REFERENCES t);"""
DIVIDES = ("SELECT id FROM t WHERE a / b > 2 AND id > 3", "SELECT id FROM t WHERE id > 3 AND a / b > 2")
PLAIN = ("SELECT id FROM t WHERE NOT id <= 3", "SELECT id FROM t WHERE id > 3")
CUTS = ("SELECT CAST(a AS real) FROM t", "SELECT a FROM t")


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "s.sql"
    path.write_text(SCHEMA, encoding="utf-8")
    return path


def certificate(run: Run, pair: tuple[str, str], schema: Path) -> Path:
    path = schema.with_name("c.json")
    code, said = run("check", *pair, "--schema", schema, "--dialect", "postgres", "--certificate", path)
    assert code == 0, said
    return path


def test_an_equivalence_of_queries_that_may_raise_an_error_rests_on_no_error(run: Run, schema: Path) -> None:
    options = ("--schema", schema, "--dialect", "postgres")
    assert "no_error (assumed)" in run("check", *DIVIDES, *options)[1].partition("Note:")[0]
    assert "no_error" not in run("check", *PLAIN, *options)[1]
    assert "no_error" not in run("check", DIVIDES[0], DIVIDES[0], *options)[1].partition("Note:")[0]


@pytest.mark.parametrize(
    ("pair", "name", "refuted"),
    [
        (DIVIDES, "no_error", "the certificate does not list no_error"),
        (DIVIDES, "no_overflow", "rests on no_overflow, which the certificate does not list"),
        (CUTS, "exact_arithmetic", "rests on exact_arithmetic, which the certificate does not list"),
    ],
)
def test_a_certificate_must_name_what_its_engine_takes_for_granted(
    run: Run, schema: Path, pair: tuple[str, str], name: str, refuted: str
) -> None:
    path = certificate(run, pair, schema)
    code, said = run("recheck", path)
    assert code == 0
    assert f"{name} (assumed)" in said
    value = json.loads(path.read_text(encoding="utf-8"))
    for fact in value["facts"]:
        fact["used"] = fact["used"] and fact["fact"] != name
    path.write_text(json.dumps(value), encoding="utf-8")
    code, said = run("recheck", path)
    assert code == 1
    assert refuted in said
    assert name not in run("recheck", certificate(run, PLAIN, schema))[1]


def test_the_databases_of_a_suite_end_as_the_dialect_has_it(run: Run, schema: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pair = {"question_id": 1, "db_id": "s", "predicted_sql": "SELECT a FROM t", "gold_sql": "SELECT b FROM t"}
    pairs.write_text(json.dumps(pair), encoding="utf-8")
    out = tmp_path / "suite"
    for _ in range(2):
        code, said = run("suite", pairs, "--schema", schema, "--dialect", "postgres", "--out", out)
        assert code == 0, said
        assert [path.name for path in out.glob("*/*/*")] == ["s.sql"]
    assert (out / "suite-1" / "s" / "s.sql").read_text(encoding="utf-8").startswith("CREATE TABLE")
