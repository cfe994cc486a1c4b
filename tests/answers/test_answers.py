"""Free choices of a query: found, laid open, and never mistaken for a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from equiv.answers import choices as choice_functions
from equiv.answers.answers import AnswerPlan, Arithmetic, DatabaseFinding, Noted, explains, find, outcomes
from equiv.answers.exact import nearest_simple
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Limits, Result, open_memory
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.facts import Facts
from equiv.relation import Relation, Rows

DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, v INTEGER, r REAL);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER, w INTEGER);
"""
SCHEMA = load_ddl(DDL, "test")
CAPS = Limits(seconds=5.0, rows=1000, bytes=1_000_000)
TIED_ROWS = """
INSERT INTO t VALUES (1, 'a', 10, 0.1), (2, 'a', 10, 0.2), (3, 'a', 10, 0.3), (4, 'b', 7, 0.6);
INSERT INTO u VALUES (1, 1, 5), (2, 1, 6), (3, 2, 5);
"""


@pytest.fixture
def engine() -> Iterator[Guarded]:
    with open_memory() as guarded:
        guarded.connection.run_script(DDL + TIED_ROWS)
        choice_functions.register(guarded.connection)
        yield guarded


def plan(engine: Guarded, sql: str) -> AnswerPlan:
    query = read_query(sql, SCHEMA, engine.connection)
    assert isinstance(query, Query), query
    return AnswerPlan(query, SCHEMA, Facts())


def test_the_order_in_which_reals_are_added_tells_nothing_apart(engine: Guarded) -> None:
    """0.1 + 0.2 + 0.3 is 0.6 in one order and more in another: a choice of the engine's."""
    added = plan(engine, "SELECT g FROM t GROUP BY g HAVING SUM(r) = 0.6")
    shuffled = Arithmetic(exact=False, bounded=True, shuffled=True)
    seen = outcomes(engine, added, CAPS, runs=20, arithmetic=shuffled)
    assert not isinstance(seen, Failure)
    assert len(seen.seen) == 2
    whole = plan(engine, "SELECT g FROM t GROUP BY g HAVING ROUND(SUM(r), 6) = 0.6")
    found = find(engine, added, whole, Relation(Rows.BAG), CAPS, rounding_shows=True)
    assert found in (DatabaseFinding.SAME, DatabaseFinding.TIED)


def test_a_product_of_the_last_digit_is_told_apart(engine: Guarded) -> None:
    plans = [plan(engine, f"SELECT id FROM t WHERE {e}") for e in ("v * 0.1 = 0.7", "v = 7")]
    for rounding_shows in (True, False):
        found = find(engine, plans[0], plans[1], Relation(Rows.BAG), CAPS, rounding_shows=rounding_shows)
        assert found is DatabaseFinding.ROUNDED


def finding(engine: Guarded, pred: str, gold: str, rows: Rows = Rows.BAG) -> DatabaseFinding:
    return find(engine, plan(engine, pred), plan(engine, gold), Relation(rows), CAPS)


TIES = [
    ("SELECT id FROM t ORDER BY v DESC LIMIT 1", "SELECT MIN(id) FROM t WHERE v = 10"),
    ("SELECT id FROM t ORDER BY v DESC LIMIT 1 OFFSET 1", "SELECT 2"),
    ("SELECT id FROM t LIMIT 1", "SELECT 1"),
    ("SELECT id, g FROM t GROUP BY g", "SELECT MIN(id), g FROM t GROUP BY g"),
    ("SELECT g, id, MAX(v) FROM t GROUP BY g", "SELECT g, MIN(id), MAX(v) FROM t GROUP BY g"),
    ("SELECT GROUP_CONCAT(id) FROM t", "SELECT '1,2,3,4'"),
    ("SELECT MAX(v), id, r FROM t", "SELECT MAX(v), 2, 0.2 FROM t"),
    ("SELECT id, r, COUNT(*) FROM t GROUP BY g", "SELECT MAX(id), MAX(r), COUNT(*) FROM t GROUP BY g"),
    ("SELECT (SELECT id FROM t WHERE g = 'a')", "SELECT 1"),
    ("SELECT * FROM (SELECT id FROM t ORDER BY v DESC LIMIT 1)", "SELECT 1"),
    (
        "SELECT id FROM t WHERE id IN (SELECT id FROM t ORDER BY v DESC LIMIT 2)",
        "SELECT id FROM t WHERE id < 3",
    ),
    (
        "SELECT ROW_NUMBER() OVER (ORDER BY v DESC), id FROM t WHERE v = 10",
        "SELECT id, id FROM t WHERE v = 10",
    ),
    ("SELECT LAG(id) OVER (ORDER BY v) FROM t WHERE v = 10", "SELECT NULLIF(id - 1, 0) FROM t WHERE v = 10"),
    (
        "SELECT v, SUM(id) OVER (ORDER BY v ROWS UNBOUNDED PRECEDING) FROM t WHERE v = 10",
        "SELECT 10, id * (id + 1) / 2 FROM t WHERE v = 10",
    ),
    ("SELECT COUNT(*) FROM (SELECT r FROM t ORDER BY v DESC LIMIT 1) WHERE r < 0.15", "SELECT 1"),
    ("SELECT id FROM t UNION ALL SELECT id FROM t LIMIT 3", "SELECT id FROM t WHERE id < 4"),
]


@pytest.mark.parametrize(("pred", "gold"), TIES)
def test_a_choice_is_no_difference(engine: Guarded, pred: str, gold: str) -> None:
    assert finding(engine, pred, gold) is DatabaseFinding.TIED
    assert finding(engine, gold, pred) is DatabaseFinding.TIED


@pytest.mark.parametrize("sql", [sql for pair in TIES for sql in pair])
def test_a_query_never_differs_from_itself(engine: Guarded, sql: str) -> None:
    for rows in Rows:
        assert finding(engine, sql, sql, rows) is not DatabaseFinding.APART


DIFFERENCES = [
    ("SELECT id FROM t ORDER BY v DESC LIMIT 1", "SELECT 4"),
    ("SELECT id FROM t ORDER BY v DESC LIMIT 1", "SELECT id FROM t ORDER BY v LIMIT 1"),
    ("SELECT id FROM t LIMIT 1", "SELECT id FROM t LIMIT 2"),
    ("SELECT g, MAX(v) FROM t GROUP BY g", "SELECT g, MIN(v) + 1 FROM t GROUP BY g"),
    ("SELECT DENSE_RANK() OVER (ORDER BY v DESC), id FROM t", "SELECT id, id FROM t"),
    ("SELECT id FROM t ORDER BY v, id LIMIT 2", "SELECT id FROM t ORDER BY v, id DESC LIMIT 2"),
    ("SELECT GROUP_CONCAT(g) FROM t WHERE g = 'a'", "SELECT 'a,a'"),
    ("SELECT DISTINCT v FROM t ORDER BY v LIMIT 1", "SELECT 10"),
    ("SELECT v FROM t UNION SELECT w FROM u ORDER BY 1 LIMIT 1", "SELECT 6"),
    ("SELECT (SELECT v FROM t WHERE g = 'a')", "SELECT 11"),
    ("SELECT id, r FROM t GROUP BY g", "SELECT MIN(id), MAX(r) FROM t GROUP BY g"),
    ("SELECT g, id, id FROM t GROUP BY g", "SELECT g, MIN(id), MAX(id) FROM t GROUP BY g"),
    ("SELECT MAX(v), id, r FROM t", "SELECT MAX(v), 1, 0.2 FROM t"),
    ("SELECT GROUP_CONCAT(id) FROM t WHERE g = 'a'", "SELECT '1,2,4'"),
]


@pytest.mark.parametrize(("pred", "gold"), DIFFERENCES)
def test_a_difference_that_no_choice_can_hide(engine: Guarded, pred: str, gold: str) -> None:
    assert finding(engine, pred, gold) is DatabaseFinding.APART


def test_order_is_compared_as_far_as_it_is_fixed(engine: Guarded) -> None:
    ascending, descending = "SELECT v FROM t ORDER BY v", "SELECT v FROM t ORDER BY v DESC"
    assert finding(engine, ascending, descending, Rows.LIST) is DatabaseFinding.APART
    assert finding(engine, ascending, descending, Rows.BAG) is DatabaseFinding.SAME
    assert finding(engine, "SELECT v FROM t", ascending, Rows.LIST) is not DatabaseFinding.APART
    by_value, by_group = "SELECT id FROM t ORDER BY v DESC", "SELECT id FROM t ORDER BY g"
    assert finding(engine, by_value, by_group, Rows.LIST) is not DatabaseFinding.APART


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT SUM(r) FROM t WHERE id < 4", "SELECT 0.6"),
        ("SELECT id FROM t WHERE r >= 0.1 + 0.2", "SELECT id FROM t WHERE r >= 0.3"),
        ("SELECT id FROM t WHERE 3 * 0.1 = r", "SELECT id FROM t WHERE r = 0.3"),
        (
            "SELECT id FROM t ORDER BY 0.1 + 0.2 - r, id LIMIT 1",
            "SELECT id FROM t ORDER BY 0.3 - r, id LIMIT 1",
        ),
        ("SELECT COUNT(*) FROM t WHERE r / 3 * 3 = r", "SELECT COUNT(*) FROM t"),
    ],
)
def test_rounding_alone_is_no_difference(engine: Guarded, pred: str, gold: str) -> None:
    assert finding(engine, pred, gold) is not DatabaseFinding.APART


def test_integer_division_is_a_difference(engine: Guarded) -> None:
    assert finding(engine, "SELECT SUM(v) / COUNT(*) FROM t", "SELECT AVG(v) FROM t") is DatabaseFinding.APART


def test_nearest_simple_undoes_rounding_and_nothing_else() -> None:
    assert nearest_simple(0.1 + 0.2) == 0.3
    assert nearest_simple(1 / 3 + 1 / 3 + 1 / 3) == 1.0
    assert nearest_simple(2.5) == 2.5
    assert nearest_simple(1e300) == 1e300
    assert nearest_simple(0.1234567) == 0.1234567


@pytest.mark.parametrize("sql", [sql for pair in (*TIES, *DIFFERENCES) for sql in pair])
def test_the_real_result_is_among_the_foreseen_ones(engine: Guarded, sql: str) -> None:
    made = plan(engine, sql)
    assert not made.opaque
    assert isinstance(engine.run(sql, CAPS), Result)
    assert explains(engine, made, CAPS)


def test_distinct_may_be_sorted_by_any_of_the_merged_rows(engine: Guarded) -> None:
    engine.connection.execute("INSERT INTO t VALUES (5, 'b', 99, 0.5)")
    first = "SELECT DISTINCT g FROM t ORDER BY v DESC LIMIT 1"
    assert finding(engine, first, "SELECT 'a'") is DatabaseFinding.TIED
    assert finding(engine, first, "SELECT 'b'") is DatabaseFinding.TIED
    assert finding(engine, first, "SELECT 'c'") is DatabaseFinding.APART


def test_groups_that_distinct_merges_may_be_sorted_by_any_of_them(engine: Guarded) -> None:
    engine.connection.execute("INSERT INTO t VALUES (5, 'b', 99, 0.5)")
    first = "SELECT DISTINCT g FROM t GROUP BY g, v ORDER BY SUM(v) DESC LIMIT 1"
    assert finding(engine, first, "SELECT 'a'") is DatabaseFinding.TIED
    assert finding(engine, first, "SELECT 'b'") is DatabaseFinding.TIED
    assert finding(engine, first, "SELECT 'c'") is DatabaseFinding.APART
    assert explains(engine, plan(engine, first), CAPS)


def test_an_extreme_may_be_of_any_type_that_equals_it(engine: Guarded) -> None:
    mixed = "SELECT 7 / MAX(x) FROM (SELECT 2 AS x UNION ALL SELECT 2.0)"
    assert finding(engine, mixed, "SELECT 3") is DatabaseFinding.TIED
    assert finding(engine, mixed, "SELECT 3.5") is DatabaseFinding.TIED
    assert finding(engine, mixed, "SELECT 4") is DatabaseFinding.APART
    clear = "SELECT 7 / MAX(x) FROM (SELECT 2 AS x UNION ALL SELECT 2.5)"
    assert finding(engine, clear, "SELECT 3") is DatabaseFinding.APART
    nested = "SELECT 7 / (SELECT MIN(x) FROM (SELECT 2 AS x UNION ALL SELECT 2.0) WHERE x < t.v) FROM t"
    assert explains(engine, plan(engine, nested), CAPS)
    assert not plan(engine, nested).opaque


def test_an_order_of_rows_is_any_of_those_that_its_keys_leave_open(engine: Guarded) -> None:
    rows = "FROM (SELECT 1 AS k, 'a' AS v UNION ALL SELECT 1, 'b' UNION ALL SELECT 2, 'c')"
    listed = f"SELECT json_group_array(v) {rows} WHERE k = 1"
    tied = f"SELECT group_concat(v, '' ORDER BY k) {rows}"
    assert finding(engine, listed, """SELECT '["b","a"]'""") is DatabaseFinding.TIED
    assert finding(engine, listed, """SELECT '["b","c"]'""") is DatabaseFinding.APART
    assert finding(engine, tied, "SELECT 'bac'") is DatabaseFinding.TIED
    assert finding(engine, tied, "SELECT 'cab'") is DatabaseFinding.APART
    sorted_by_all = f"SELECT json_group_array(v ORDER BY k DESC, v) {rows}"
    assert finding(engine, sorted_by_all, """SELECT '["c","a","b"]'""") is DatabaseFinding.SAME


@pytest.mark.parametrize(
    ("number", "values", "wanted"),
    [
        (2, ("'a'", "'a'", "'a'"), DatabaseFinding.TIED),
        (2, ("'b'", "'b'", "'b'"), DatabaseFinding.TIED),
        (2, ("'a'", "'b'", "'b'"), DatabaseFinding.APART),
        (2, ("NULL", "'b'", "'b'"), DatabaseFinding.APART),
        (3, ("NULL", "NULL", "'c'"), DatabaseFinding.SAME),
        (1, ("'c'", "'c'", "'c'"), DatabaseFinding.APART),
    ],
)
def test_the_nth_row_is_one_of_the_tied_ones_where_the_frame_reaches_it(
    engine: Guarded, number: int, values: tuple[str, ...], wanted: DatabaseFinding
) -> None:
    rows = "(SELECT 1 AS k, 'a' AS v UNION ALL SELECT 1, 'b' UNION ALL SELECT 2, 'c')"
    of_nth = f"SELECT NTH_VALUE(v, {number}) OVER (ORDER BY k) FROM {rows}"
    assert finding(engine, of_nth, " UNION ALL ".join(f"SELECT {each}" for each in values)) is wanted


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(v) OVER (ORDER BY g ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
        "SELECT NTH_VALUE(id, 2) OVER (ORDER BY v GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
        "SELECT GROUP_CONCAT(id) OVER (ORDER BY v) FROM t",
        "SELECT 7 / x FROM (SELECT v AS x FROM t UNION SELECT r FROM t)",
        "SELECT randomblob(4) FROM t",
        "SELECT id FROM t LIMIT 4 / 2",
    ],
)
def test_choices_beyond_reach_are_opaque(engine: Guarded, sql: str) -> None:
    assert plan(engine, sql).opaque
    assert finding(engine, sql, "SELECT 'z'") is DatabaseFinding.TIED


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT strftime('%f', 'now')", "SELECT strftime('%f', 'now') || ''"),
        ("SELECT CURRENT_TIMESTAMP", "SELECT datetime('NOW')"),
        ("SELECT CURRENT_DATE", "SELECT date()"),
        ("SELECT julianday() * 864e9", "SELECT julianday('now') * 864e9"),
    ],
)
def test_time_stands_still(engine: Guarded, pred: str, gold: str) -> None:
    assert finding(engine, pred, gold) is not DatabaseFinding.APART


def test_tied_frames_are_no_choice(engine: Guarded) -> None:
    groups = "SELECT SUM(id) OVER (ORDER BY v GROUPS CURRENT ROW), (SELECT id FROM t) FROM t"
    whole = "SELECT SUM(id) OVER (PARTITION BY v), (SELECT id FROM t ORDER BY id DESC) FROM t"
    assert finding(engine, groups, whole) is not DatabaseFinding.APART
    assert finding(engine, groups.replace("GROUPS", "ROWS"), whole) is DatabaseFinding.APART


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT r / 7 / 11 / 13 / 17 / 23 = r / 23 / 17 / 13 / 11 / 7 FROM t", "SELECT r = r FROM t"),
        ("SELECT SUM(r) OVER (ORDER BY id) * 10 = 6 FROM t", "SELECT id = 3 FROM t"),
        ("SELECT AVG(r) FILTER (WHERE id < 4) * 3 >= 0.6 FROM t", "SELECT 1"),
        ("SELECT SUM(DISTINCT r) FROM t WHERE id < 4", "SELECT 0.6"),
        ("SELECT (julianday('2020-01-01 00:01:00') - julianday('2020-01-01')) * 1440 >= 1", "SELECT 1"),
        ("SELECT SQRT(id) * SQRT(id) = id FROM t", "SELECT 1 FROM t"),
        (
            "SELECT '7' / 2, 7 / 0, 'a' / 2, 9223372036854775807 + 1",
            "SELECT 3, NULL, 0, 9.2233720368547758e18",
        ),
    ],
)
def test_arithmetic_is_exact(engine: Guarded, pred: str, gold: str) -> None:
    exact = [Result((), 0), Result((), 0)]
    for at, sql in enumerate((pred, gold)):
        found = outcomes(
            engine, plan(engine, sql), CAPS, runs=1, arithmetic=Arithmetic(exact=True, bounded=False)
        )
        assert not isinstance(found, Failure), found
        exact[at] = Result(found.seen[0].groups[0], 0)
    assert exact[0].rows == exact[1].rows


def test_a_compound_sorts_by_the_first_collation_that_it_has() -> None:
    ddl = "CREATE TABLE n (s TEXT, k TEXT COLLATE NOCASE);"
    schema = load_ddl(ddl)
    with open_memory() as guarded:
        guarded.connection.run_script(f"{ddl} INSERT INTO n VALUES ('a', 'B'), ('B', 'a');")
        choice_functions.register(guarded.connection)
        texts = [
            "SELECT s || '' FROM n UNION ALL SELECT k FROM n ORDER BY 1",
            "SELECT k FROM n UNION ALL SELECT s || '' FROM n ORDER BY 1",
        ]
        queries = [read_query(text, schema, guarded.connection) for text in texts]
        plans = [AnswerPlan(query, schema, Facts()) for query in queries if isinstance(query, Query)]
        assert find(guarded, plans[0], plans[1], Relation(Rows.LIST), CAPS) is not DatabaseFinding.APART


NOTED = [
    ("SELECT g FROM t", "SELECT DISTINCT g FROM t"),
    ("SELECT SUM(r) FROM t GROUP BY g", "SELECT SUM(r) + 1 FROM t GROUP BY g"),
    ("SELECT id FROM t ORDER BY v DESC LIMIT 1", "SELECT id FROM t WHERE id = 4"),
    ("SELECT v FROM t ORDER BY v", "SELECT v FROM t ORDER BY v DESC"),
    ("SELECT (SELECT id FROM t ORDER BY v LIMIT 1)", "SELECT 7"),
]


@pytest.mark.parametrize(("pred", "gold"), NOTED)
def test_what_was_noted_is_found_again_under_every_relation(engine: Guarded, pred: str, gold: str) -> None:
    plans, noted = (plan(engine, pred), plan(engine, gold)), Noted()
    for rows in Rows:
        anew = find(engine, *plans, Relation(rows), CAPS)
        assert find(engine, *plans, Relation(rows), CAPS, noted=noted) is anew


def test_a_plan_is_run_once_for_all_relations(engine: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    plans, noted, texts = (plan(engine, "SELECT g FROM t"), plan(engine, "SELECT v + r FROM t")), Noted(), []
    run = Guarded.run

    def counted(guarded: Guarded, sql: str, *rest: Any, **more: Any) -> Result | Failure:
        texts.append(sql)
        return run(guarded, sql, *rest, **more)

    monkeypatch.setattr(Guarded, "run", counted)
    for rows in Rows:
        assert find(engine, *plans, Relation(rows), CAPS, noted=noted) is DatabaseFinding.APART
    assert len(texts) == len(set(texts))
