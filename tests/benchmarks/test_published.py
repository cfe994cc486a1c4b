"""Published pairs become pairs that SQLite reads: the dialect, the schemas, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.pairs.dialect import refusal, to_sqlite
from benchmarks.pairs.published import convert
from equiv.core.runner import Connection

SAME = {
    "dollars": ("SELECT F$0 AS $x FROM T", 'SELECT "F$0" AS "$x" FROM T'),
    "a string is no code": ("SELECT '$x OFFSET 1 ROWS' FROM T", "SELECT '$x OFFSET 1 ROWS' FROM T"),
    "offset": ("SELECT A FROM T ORDER BY A OFFSET 2 ROWS", "SELECT A FROM T ORDER BY A LIMIT -1 OFFSET 2"),
    "fetch": ("SELECT A FROM T FETCH NEXT 3 ROWS ONLY", "SELECT A FROM T LIMIT 3"),
    "both": (
        "SELECT A FROM T OFFSET 1 ROW FETCH FIRST 3 ROWS ONLY",
        "SELECT A FROM T LIMIT 3 OFFSET 1",
    ),
    "if": ("SELECT IF(A > 1, 2, 3) FROM T;", "SELECT IIF(A > 1, 2, 3) FROM T"),
    "operands": (
        "(SELECT A FROM T) UNION ALL (SELECT B FROM T)",
        "SELECT * FROM (SELECT A FROM T) UNION ALL SELECT * FROM (SELECT B FROM T)",
    ),
    "bare names": (
        "SELECT * FROM (T UNION ALL U) X",
        "SELECT * FROM (SELECT * FROM T UNION ALL SELECT * FROM U) X",
    ),
    "scalar subqueries stay": (
        "SELECT (SELECT MAX(A) FROM T) UNION SELECT 1",
        "SELECT (SELECT MAX(A) FROM T) UNION SELECT 1",
    ),
    "row values stay": (
        "SELECT A FROM T WHERE A IN (SELECT B FROM T) AND (A, B) IN (SELECT B, A FROM T)",
        "SELECT A FROM T WHERE A IN (SELECT B FROM T) AND (A, B) IN (SELECT B, A FROM T)",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_only_the_notation_changes(case: str) -> None:
    published, expected = SAME[case]
    assert to_sqlite(published) == expected


def test_columns_are_named() -> None:
    sql = (
        "SELECT y + x FROM (VALUES (1, 10), (2, 20)) AS v (x, y) UNION ALL SELECT n FROM (SELECT 5) AS w (n)"
    )
    assert Connection().execute(to_sqlite(sql)).fetchall() == [(11,), (22,), (5,)]


def test_named_columns_nest() -> None:
    sql = "SELECT a FROM (SELECT x FROM (VALUES (7)) AS v (x)) AS w (a)"
    assert Connection().execute(to_sqlite(sql)).fetchall() == [(7,)]


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT A FROM T GROUP BY ROLLUP(A)", "GROUPING SETS, ROLLUP, CUBE"),
        ("SELECT A FROM T EXCEPT ALL SELECT B FROM T", "EXCEPT ALL, INTERSECT ALL"),
        ("SELECT WEIGH(A) FROM T", "function WEIGH"),
        ("SELECT COUNT(DISTINCT A, B) FROM T", "COUNT of several columns"),
        ("SELECT C FROM T", "unknown column"),
        ("SELECT A FROM T", ""),
    ],
)
def test_what_cannot_be_said_is_named(sql: str, why: str) -> None:
    connection = Connection()
    connection.execute("CREATE TABLE T (A INT, B INT)")
    assert refusal(sql, connection) == why


def converted(folder: Path, name: str, *records: object) -> tuple[list[dict[str, object]], str]:
    """The pairs and the first DDL that records of a corpus become."""
    (folder / name).mkdir()
    (folder / name / "pairs.jsonl").write_text(
        "".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8"
    )
    convert(name, folder, folder / "out")
    made = (folder / "out" / name / "pairs.jsonl").read_text(encoding="utf-8")
    ddl = min((folder / "out" / name / "ddl").iterdir()).read_text(encoding="utf-8")
    return [json.loads(line) for line in made.splitlines()], ddl


def test_constraints_become_ddl(tmp_path: Path) -> None:
    record = {
        "benchmark": "cex-benchmarks",
        "index": 4,
        "schema": {"CHILD": {"ID": "INT", "MUM": None}, "MUM": {"ID": "INT", "NAME": "VARCHAR"}},
        "constraint": [
            {"primary": [{"value": "MUM__ID"}]},
            {"foreign": [{"value": "CHILD__MUM"}, {"value": "MUM__ID"}]},
            {"not_null": {"value": "CHILD__ID"}},
            {"unheard_of": {"value": "CHILD__ID"}},
        ],
        "pair": ["SELECT ID FROM CHILD", "SELECT ID FROM MUM"],
    }
    (pair,), ddl = converted(tmp_path, "literature", record)
    assert (pair["question_id"], pair["label"], pair["difficulty"]) == (4, False, "cex")
    assert ddl.splitlines() == [
        'CREATE TABLE "CHILD" ("ID" INT NOT NULL, "MUM", FOREIGN KEY ("MUM") REFERENCES "MUM" ("ID"));',
        'CREATE TABLE "MUM" ("ID" INT, "NAME" VARCHAR, PRIMARY KEY ("ID"));',
    ]


def test_types_come_from_the_queries_then_from_names(tmp_path: Path) -> None:
    record = {
        "tables": {"SALE": ["SALE_ID", "BUYER_NAME", "SOLD_ON", "KIND", "WEIGHT", "UNITS"]},
        "primary_keys": "SALE.SALE_ID",
        "foreign_keys": "",
        "sql1": "SELECT ROUND(SUM(WEIGHT), 2) FROM SALE WHERE KIND = 'B'",
        "sql2": "SELECT ROUND(SUM(WEIGHT), 2), ROUND(SUM(UNITS) / 2, 2) FROM SALE",
        "equivalent": True,
    }
    _, ddl = converted(tmp_path, "leetcode", record)
    columns = (
        '"SALE_ID" INT, "BUYER_NAME" VARCHAR, "SOLD_ON" DATE, "KIND" VARCHAR, "WEIGHT" REAL, "UNITS" INT'
    )
    assert ddl == f'CREATE TABLE "SALE" ({columns}, PRIMARY KEY ("SALE_ID"));\n'
