"""The pytest plugin: its fixture, its options, and what a failing test shows."""

from __future__ import annotations

import pytest

pytest_plugins = ("pytester",)

TESTS = """
def drop_left(sql):
    return sql.replace("LEFT JOIN", "JOIN")

QUERIES = ["SELECT c.id FROM customer AS c LEFT JOIN orders AS o ON o.customer_id = c.id"]

def test_unsound(equiv_checker):
    equiv_checker.assert_rewrite_sound(
        drop_left, schema=None or SHOP, queries=QUERIES, timeout=None, tiers=("generate",))

def test_sound(equiv_checker):
    assert equiv_checker.defaults == {"effort": "25", "seed": 4}
    equiv_checker.assert_rewrite_sound(str, schema=SHOP, queries=QUERIES, timeout=None)
    equiv_checker.assert_equivalent("SELECT id FROM shop", "SELECT DISTINCT id FROM shop", timeout=None)
"""


def test_a_failure_reads_well_and_the_summary_counts(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("from equiv.testing.schema_facts import SHOP\n" + TESTS.replace("None or ", ""))
    result = pytester.runpytest_inprocess("--equiv-effort", "25", "--equiv-seed", "4", "-p", "no:randomly")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E   *drop_left changes the result of a query (relation sql):",
            "E * - LEFT JOIN orders AS o",
            "E * + JOIN orders AS o",
            "E * the query before returns *",
            "*= equiv: results of the rewriter tests =*",
            "*.py::test_unsound: drop_left: 1 query: 1 refuted",
            "*.py::test_sound: str: 1 query: 1 unchanged",
            "*.py::test_sound: warning: str: none of 1 query was changed *",
        ]
    )
    shown = result.stdout.str()
    assert "asserts.py" not in shown, "the failure shows the kit's own frames"
    assert "raise UnsoundRewriteError" not in shown
