"""Execution accuracy as published tools compare, their defects included."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv import cli
from equiv.cells import Row
from equiv.core.runner import Limits, Result
from equiv.eval import worker
from equiv.eval.evaluation import with_executions
from equiv.eval.metrics import metric
from equiv.eval.metrics.execution import as_bird, as_rose, as_spider, prepared_for_spider, without_distinct
from equiv.eval.metrics.metric import EVERYTHING_COUNTS, EsmSwitches, Needs
from equiv.eval.metrics.registry import MetricContext, measure, metrics_of, scored, scored_on_any
from equiv.eval.metrics.scores import pair_of
from equiv.eval.plan import Setting
from equiv.options import Options
from equiv.schema.locate import Place

CELL = st.sampled_from([None, 0, 1, 1.0, 2, "a", "1", b"a"])


def result(*rows: Row, names: tuple[str, ...] = (), columns: int = 1) -> Result:
    width = len(rows[0]) if rows else columns
    return Result(rows, width, names or tuple(f"c{n}" for n in range(width)))


def tables(width: int) -> st.SearchStrategy[list[Row]]:
    return st.lists(st.tuples(*[CELL] * width), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("pred", "gold", "bird", "spider", "rose"),
    [
        (result((1,), (1,)), result((1,)), True, False, False),
        (result((1,), (2,)), result((2,), (1,)), True, True, True),
        (result((1, "a")), result(("a", 1)), False, True, True),
        (result((1,)), result((1.0,)), True, True, False),
        (result((1,)), result(("1",)), False, False, True),
        (result(columns=1), result(columns=2), True, True, False),
        (result((None,)), result((None,)), True, True, True),
        # A NULL makes the numbers of a pandas column real: 1 reads '1.0' there.
        (result((1,), (None,)), result((1.0,), (None,)), True, True, True),
        # Rows torn apart: Spider sees it, the exclusive or does not.
        (result((1, 2), (3, 4)), result((1, 4), (3, 2)), False, False, True),
        # What occurs twice cancels out.
        (result((1,), (1,)), result((2,), (2,)), False, False, True),
        # Spider sorts the cells of a row by text and type: 1 and 1.0 land on two sides of '1/'.
        (result((1, "1/")), result((1.0, "1/")), True, False, False),
    ],
)
def test_results_compare_as_each_tool_has_it(
    pred: Result, gold: Result, bird: bool, spider: bool, rose: bool
) -> None:
    assert as_bird(pred, gold) == as_bird(gold, pred) == bird
    assert as_spider(pred, gold, ordered=False) == as_spider(gold, pred, ordered=False) == spider
    assert as_rose(pred, gold) == as_rose(gold, pred) == rose


def test_order_counts_for_spider_where_it_is_asked_for() -> None:
    one, other = result((1, "a"), (2, "b")), result(("b", 2), ("a", 1))
    assert as_spider(one, other, ordered=False)
    assert not as_spider(one, other, ordered=True)
    assert as_spider(one, result(("a", 1), ("b", 2)), ordered=True)


def test_columns_of_one_name_are_hashed_together() -> None:
    # Twice, once for each of the two: nothing is left of them.
    names = ("x", "x")
    assert as_rose(result((1, 2), names=names), result((3, 4), names=names))
    assert not as_rose(result((1, 2)), result((3, 4)))


@given(st.integers(1, 3).flatmap(lambda width: st.tuples(tables(width), tables(width))), st.booleans())
def test_spider_tries_every_permutation(pair: tuple[list[Row], list[Row]], ordered: bool) -> None:
    pred, gold = pair

    def shown(rows: list[Row]) -> list[Row]:
        return [tuple(sorted(row, key=lambda cell: str(cell) + str(type(cell)))) for row in rows]

    def equal(left: list[Row], right: list[Row]) -> bool:
        return left == right if ordered else all(left.count(r) == right.count(r) for r in (*left, *right))

    left, right = shown(pred), shown(gold)
    close = left == right if ordered else set(left) == set(right)
    some = any(
        equal([tuple(row[i] for i in order) for row in pred], gold)
        for order in permutations(range(len(gold[0])))
    )
    assert as_spider(result(*pred), result(*gold), ordered=ordered) == (
        len(pred) == len(gold) and close and some
    )


def test_many_equal_columns_are_no_trap() -> None:
    wide = result(tuple([1] * 26), tuple(range(26)))
    assert as_spider(wide, wide, ordered=False)


@pytest.mark.parametrize(
    ("sql", "bare"),
    [
        ("SELECT DISTINCT a FROM t", "SELECT  a FROM t"),
        ("select count(distinct a) from t", "select count( a) from t"),
        (
            "SELECT 'DISTINCT', \"distinct\" FROM t -- DISTINCT",
            "SELECT 'DISTINCT', \"distinct\" FROM t -- DISTINCT",
        ),
    ],
)
def test_only_keywords_are_taken_out(sql: str, bare: str) -> None:
    assert without_distinct(sql) == bare


def test_queries_are_prepared_as_spider_does() -> None:
    sql = "SELECT DISTINCT a FROM t WHERE b > = YEAR( CURDATE() ) AND c ! = 1"
    assert (
        prepared_for_spider(sql, keep_distinct=True) == "SELECT DISTINCT a FROM t WHERE b >= 2020AND c != 1"
    )
    assert "DISTINCT" not in prepared_for_spider(sql, keep_distinct=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two databases of one test suite that differ in their duplicates."""
    folder = tmp_path / "zoo"
    folder.mkdir()
    for name, extra in (("zoo", ""), ("zoo_2", "INSERT INTO animal VALUES (3, 'emu', 2);")):
        with closing(sqlite3.connect(folder / f"{name}.sqlite")) as database:
            database.executescript(
                f"CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INT);"
                f"INSERT INTO animal VALUES (1, 'emu', 2), (2, 'cat', 4); {extra}"
            )
    return tmp_path


@pytest.fixture
def run(root: Path) -> Iterator[Callable[..., dict[str, bool | None]]]:
    file = root / "zoo" / "zoo.sqlite"
    worker.enter({"zoo": Setting(Place("zoo", file), Options()), "bare": Setting(Place("bare"), Options())})
    names = [each.name for each in metrics_of(Needs.DATABASE) if not each.databases]
    yield lambda pred, gold, keep=True, db="zoo": scored(db, pred, gold, names, EsmSwitches(distinct=keep))
    worker.enter({})


def test_a_test_suite_is_all_files_of_a_folder(run: Callable[..., dict[str, bool | None]]) -> None:
    distinct, plain = "SELECT DISTINCT name FROM animal", "SELECT name FROM animal"
    assert run(distinct, plain) == {"ex-bird": True, "ex-spider": False, "ex-rose": True}
    assert run(distinct, plain, False) == {"ex-bird": True, "ex-spider": True, "ex-rose": True}


def test_a_failing_prediction_is_wrong_and_a_failing_gold_query_measures_nothing(
    run: Callable[..., dict[str, bool | None]],
) -> None:
    works, fails = "SELECT name FROM animal", "SELECT age FROM animal"
    assert set(run(fails, works).values()) == {False}
    assert set(run("", works).values()) == {False}
    assert set(run("DROP TABLE animal", works).values()) == {False}
    assert set(run(works, fails).values()) == {None}
    assert set(run(fails, fails).values()) == {None}  # two failures are not equal answers
    assert set(run(works, works, db="bare").values()) == {None}


ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"


def test_a_pair_that_the_timeout_ends_is_not_measured_and_its_record_says_so(root: Path) -> None:
    setting = Setting(Place("zoo", root / "zoo" / "zoo.sqlite"), Options(timeout=0.2))
    record = result_record("not_equivalent", db_id="zoo", predicted_sql=ENDLESS, gold_sql="SELECT 1")
    (measured,) = with_executions([record], {"zoo": setting}, "ex-bird", 1)
    assert measured is not None
    assert (measured["ex"], measured["ms"]["EX"]) == ({"ex-bird": None}, 200.0)
    said = [(each["kind"], each["side"]) for each in measured["remarks"]]
    assert said == [("ex_time", "pred"), ("ex_time", "gold")]
    assert "after 0.2 seconds; execution accuracy: not measured" in measured["remarks"][0]["text"]


@pytest.mark.usefixtures("run")
def test_a_prediction_that_takes_longer_than_benchmarks_wait_is_wrong_and_said_to_be_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metric, "LIMITS", Limits(seconds=0.05))
    late = scored_on_any("zoo", ENDLESS, ["SELECT 1"], "ex-bird")
    assert (late.score, late.late) == (False, frozenset({"pred"}))
    assert scored_on_any("zoo", "SELECT 1", [ENDLESS], "ex-bird").late == frozenset({"gold"})
    assert scored_on_any("zoo", "SELECT 1", ["SELECT 1"], "ex-bird").late == frozenset()


@pytest.mark.long
def test_the_report_measures_on_the_databases_given(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_text(
        '{"question_id": 1, "db_id": "zoo", "predicted_sql": "SELECT DISTINCT name FROM animal",'
        ' "gold_sql": "SELECT name FROM animal", "label": true}\n'
    )
    assert cli.run(["eval", str(pairs), "--db-root", str(root), "--out", str(out)]) == 0
    capsys.readouterr()
    assert cli.run(["report", str(out), "--db-root", str(root)]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("ex-bird", "ex-spider", "ex-rose"))
    assert cli.run(["report", str(out), "--db-root", str(tmp_path / "none")]) == 2


@pytest.mark.long
def test_what_records_hold_is_not_measured_again(root: Path) -> None:
    """Records that say what is not so show where a figure comes from."""
    plain = "SELECT name FROM animal"
    said, bare = (
        result_record(question_id=n, predicted_sql=f"{plain} -- {n}", gold_sql=plain, ex=ex)
        for n, ex in enumerate([{"ex-bird": False, "ex-spider": False, "ex-rose": None}, {}])
    )

    def scores(switches: EsmSwitches) -> dict[str, list[bool | None]]:
        found = measure([said, bare], MetricContext(root, switches=switches)).measures
        return {own.name: [own.scores.get(pair_of(one)) for one in (said, bare)] for own in found}

    told = scores(EVERYTHING_COUNTS)
    assert told["ex-bird"] == told["ex-spider"] == [False, True]
    assert told["ex-rose"] == [True, True], "what could not be measured is missing"
    without = scores(EsmSwitches(distinct=False))
    assert (without["ex-bird"], without["ex-spider"]) == ([False, True], [True, True])


def test_what_records_hold_stands_without_their_database(root: Path) -> None:
    away = result_record(db_id="gone", ex={"ex-bird": True})
    here = result_record(predicted_sql="SELECT 1")
    found = {own.name: own.scores for own in measure([away, here], MetricContext(root)).measures}
    assert found["ex-bird"] == {pair_of(away): True, pair_of(here): True}
    assert found["ex-rose"] == {pair_of(here): True}
