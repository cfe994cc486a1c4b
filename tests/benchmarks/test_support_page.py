"""docs/support.md is well-formed and holds counts alone; what writes it counts right."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks.outcomes.support import CONSTRUCTS, PAGE, Support, measure, page
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.schema.locate import Place

SCHEMA = load_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT);", "one")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading, its own head first."""
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def check(text: str) -> None:
    head, *refusals = rows(text, "What is refused")
    assert head[:3] == ["node", "why", "queries"]
    counts = [[int(cell) for cell in row[2:]] for row in refusals]
    assert all(row[0] == sum(row[1:]) > 0 for row in counts)
    assert [row[0] for row in counts] == sorted((row[0] for row in counts), reverse=True)
    assert all(re.fullmatch(r"[A-Za-z]+", node) and why for node, why, *_ in refusals)
    assert not any(re.search(r"""[`"';]|\bSELECT .* FROM\b""", why) for _, why, *_ in refusals)
    totals = {row[0]: [int(cell) for cell in row[1:4]] for row in rows(text, "By corpus")[1:]}
    assert list(totals) == [*head[3:], "all"]
    assert totals["all"] == [sum(column) for column in zip(*list(totals.values())[:-1], strict=True)]
    assert totals["all"][1] - totals["all"][2] == sum(row[0] for row in counts)
    assert {row[0] for row in rows(text, "By construct")[1:]} <= set(CONSTRUCTS)


def test_the_page_is_well_formed() -> None:
    check(PAGE.read_text(encoding="utf-8"))


def test_what_is_measured_makes_a_page() -> None:
    queries = (
        "SELECT COUNT(*) FROM t WHERE a > 3",
        "SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1",
        "SELECT random() FROM t",
        "SELECT nothing FROM t",
    )
    found = measure(Place("one", schema=SCHEMA), queries)
    assert (found.queries, found.readable, found.supported) == (4, 3, 2)
    assert found.refusals.total() == 1
    assert found.constructs["COUNT"] == found.translated["COUNT"] == 2
    check(page({"one": found, "none": Support()}))


def test_a_share_of_100_means_all() -> None:
    found = Support(9999, 9999, 9998, Counter({("Node", "reason"): 1}))
    assert "99.9%" in page({"one": found})


CASES = {
    "LEFT JOIN": "SELECT t.a FROM t LEFT JOIN t AS u ON t.a = u.id",
    "IN with a query": "SELECT a FROM t WHERE a IN (SELECT id FROM t)",
    "IN with a list": "SELECT a FROM t WHERE a IN (1, 2)",
    "scalar subquery": "SELECT a FROM t WHERE a = (SELECT MAX(a) FROM t)",
    "derived table": "SELECT a FROM (SELECT a FROM t LIMIT 2)",
    "common table expression": "WITH u AS (SELECT a FROM t) SELECT * FROM u",
    "UNION ALL": "SELECT a FROM t UNION ALL SELECT id FROM t",
    "UNION": "SELECT a FROM t UNION SELECT id FROM t",
    "ORDER BY with LIMIT": "SELECT a FROM t ORDER BY a LIMIT 3",
    "window function": "SELECT RANK() OVER (ORDER BY a) FROM t",
    "strftime": "SELECT strftime('%Y', b) FROM t",
}


@pytest.mark.parametrize("construct", CASES)
def test_constructs_are_told_apart(construct: str) -> None:
    near = {
        "IN with a query": {"IN with a list"},
        "IN with a list": {"IN with a query"},
        "UNION": {"UNION ALL"},
        "UNION ALL": {"UNION"},
        "scalar subquery": {"derived table"},
        "derived table": {"scalar subquery"},
    }
    found = measure(Place("one", schema=SCHEMA), [CASES[construct]])
    assert found.constructs[construct] == 1
    assert not near.get(construct, set()) & found.constructs.keys()
