"""Where two trees part: the smallest clauses that differ."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

import equiv
from equiv.tiers.rules import parting
from equiv.verdict import Undecided


def tree(text: str) -> exp.Expression:
    found = parse_one(text, read="sqlite")
    assert isinstance(found, exp.Expression)
    return found


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        ("SELECT a FROM t", "SELECT a FROM t", None),
        (
            "SELECT a FROM t WHERE b = 1 AND c > 2",
            "SELECT a FROM t WHERE b = 1 AND c > 3",
            ("c > 2", "c > 3"),
        ),
        ("SELECT a FROM t WHERE b = 1 AND c > 2", "SELECT a FROM t WHERE b = 1", ("c > 2", "")),
        ("SELECT a, MAX(b) FROM t", "SELECT a, MIN(b) FROM t", ("MAX(b)", "MIN(b)")),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = 1)",
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = 2)",
            ("u.x = 1", "u.x = 2"),
        ),
        (
            "SELECT a FROM t UNION ALL SELECT b FROM u",
            "SELECT a FROM t UNION ALL SELECT c FROM u",
            ("b", "c"),
        ),
    ],
)
def test_the_parts_are_those_that_differ(left: str, right: str, parts: tuple[str, str] | None) -> None:
    assert parting(tree(left), tree(right)) == parts


def test_what_is_long_is_cut() -> None:
    wide = ", ".join(f"MAX(c{n}) + {n}" for n in range(200))
    found = parting(tree(f"SELECT {wide} FROM t"), tree("SELECT a FROM t"))
    assert found is not None
    assert len(found[0]) <= 240


def test_an_undecided_verdict_says_in_what_its_queries_differ_and_what_was_tried() -> None:
    ddl = "CREATE TABLE t (x INTEGER PRIMARY KEY);"
    pair = (
        "SELECT MIN(a.x - b.x) FROM t AS a, t AS b WHERE a.x > b.x",
        "SELECT MIN(ABS(a.x - b.x)) FROM t AS a, t AS b WHERE a.x <> b.x",
    )
    verdict = equiv.check(*pair, schema=ddl, timeout=None, effort="quick", tiers=("rules", "generate"))
    assert isinstance(verdict, Undecided)
    assert verdict.parts is not None
    assert "ABS" in verdict.parts[1]
    assert verdict.databases > 0
    said = str(verdict)
    assert "After rewriting they differ in" in said
    assert f"Tried: rules, generate ({verdict.databases} databases)." in said
    record = verdict.to_dict()
    assert record["parts"] == {"pred": verdict.parts[0], "gold": verdict.parts[1]}
    assert record["databases"] == verdict.databases
