"""What untrusted SQL may do, and what it may cost."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kit.sizes import sampled

from equiv.core import runner
from equiv.core.runner import Deadline, Failure, Guarded, Limits, Result, open_memory

QUICK = Limits(seconds=0.3, rows=10_000, bytes=5_000_000)


@pytest.fixture
def guarded() -> Iterator[Guarded]:
    with open_memory() as opened:
        opened.connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
        rows = [(1, "Ann", "Ulm"), (2, "Bo", None), (3, "Cy", "Ulm")]
        opened.connection.executemany("INSERT INTO person VALUES (?, ?, ?)", rows)
        opened.connection.execute("CREATE VIEW local AS SELECT id FROM person WHERE city = 'Ulm'")
        yield opened


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT name, city FROM person ORDER BY id DESC", (("Cy", "Ulm"), ("Bo", None), ("Ann", "Ulm"))),
        ("SELECT count(*) FROM main.person;  -- all of them", ((3,),)),
        ("VALUES (1, 2.5), (x'00', 'a')", ((1, 2.5), (b"\0", "a"))),
        ("SELECT id FROM local", ((1,), (3,))),
        ("WITH c AS (SELECT 1 AS one) SELECT count(*) FROM c", ((1,),)),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n",
            ((1,), (2,), (3,)),
        ),
        ("SELECT value FROM json_each('[7, 8]')", ((7,), (8,))),
        ("SELECT 9223372036854775807 + 1", ((9223372036854775808.0,),)),
        ("SELECT name FROM person WHERE 0 /* never closed", ()),
    ],
)
def test_queries_run(guarded: Guarded, sql: str, rows: tuple[object, ...]) -> None:
    result = guarded.run(sql)
    assert isinstance(result, Result), result
    assert result.rows == rows


def test_the_column_count_is_known_without_rows(guarded: Guarded) -> None:
    assert guarded.run("SELECT id, name FROM person WHERE 0") == Result((), 2)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO person VALUES (9, 'x', 'y')",
        "DELETE FROM person",
        "UPDATE person SET name = ''",
        "REPLACE INTO person VALUES (1, 'x', 'y')",
        "WITH c AS (SELECT 1) DELETE FROM person",
        "DROP TABLE person",
        "CREATE TABLE t (a)",
        "CREATE TEMP TABLE t (a)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "CREATE TRIGGER r AFTER INSERT ON person BEGIN SELECT 1; END",
        "ALTER TABLE person ADD COLUMN x",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "SAVEPOINT s",
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "PRAGMA writable_schema = 1",
        "PRAGMA table_info(person)",
        "SELECT * FROM pragma_table_info('person')",
        "SELECT * FROM pragma_database_list",
        "SELECT sql FROM sqlite_master",
        "SELECT count(*) FROM sqlite_schema",
        "SELECT count(*) FROM sqlite_temp_master",
        "SELECT count(*) FROM dbstat",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('/tmp/x', 'y')",
        "SELECT edit('x')",
        "SELECT fts3_tokenizer('simple')",
        "EXPLAIN DELETE FROM person",
        "SELECT 1; DELETE FROM person",
        "SELECT ?",
        "SELECT :name",
        "SELECT nothing FROM person",
        "SELEC 1",
        "SELECT '\ud800'",
        "SELECT 1 \0 2",
        "-- only a comment",
        "",
    ],
)
def test_everything_else_is_an_error(guarded: Guarded, sql: str) -> None:
    before = guarded.connection.execute("SELECT * FROM person").fetchall()
    # A table-valued function that our own code has used is declared, yet stays out of reach.
    guarded.connection.execute("SELECT count(*) FROM pragma_table_info('person'), dbstat")
    result = guarded.run(sql)
    assert isinstance(result, Failure)
    assert result.kind == "error"
    assert "\n" not in result.message
    assert guarded.connection.execute("SELECT * FROM person").fetchall() == before
    assert not guarded.connection.in_transaction


def test_vacuum_into_writes_no_file(guarded: Guarded, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    assert isinstance(guarded.run(f"VACUUM INTO '{target}'"), Failure)
    assert not target.exists()


def test_a_trusted_statement_in_the_cache_is_out_of_reach(guarded: Guarded) -> None:
    sql = "DELETE FROM person WHERE id = 3"
    guarded.connection.execute("SAVEPOINT before")
    guarded.connection.execute(sql)
    guarded.connection.execute("ROLLBACK TO before")
    assert isinstance(guarded.run(sql), Failure)
    assert guarded.connection.execute("SELECT count(*) FROM person").fetchone() == (3,)


def test_trusted_statements_are_free_again_after_each_run(guarded: Guarded) -> None:
    guarded.run("SELECT 1 FROM person")
    guarded.run("DELETE FROM person")
    guarded.connection.execute("DELETE FROM person")
    assert guarded.run("SELECT 1 FROM person") == Result((), 1)


SERIES = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
CROSS = (
    "FROM person a, person b, person c, person d, person e, person f, person g, person h, person i, person j"
)
MORE = "person k, person l, person m, person n, person o, person p, person q, person r"

ENDLESS = (
    f"{SERIES} SELECT count(*) FROM n",
    f"{SERIES} SELECT i FROM n WHERE i < 0",
    f"SELECT count(*) {CROSS}, {MORE}",
    f"SELECT 1 {CROSS}, {MORE}, person s, person t WHERE t.id + a.id = -1",
    f"SELECT (SELECT sum(a.id) {CROSS}, {MORE}, local s)",
)


@sampled("sql", ENDLESS, 3)
def test_the_deadline_fires(guarded: Guarded, sql: str) -> None:
    begun = time.monotonic()
    result = guarded.run(sql, QUICK)
    assert isinstance(result, Failure)
    assert result.kind == "timeout"
    assert time.monotonic() - begun < 10 * QUICK.seconds
    assert isinstance(guarded.run("SELECT 1", QUICK), Result)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT randomblob(2000000000)",
        "SELECT zeroblob(2000000000)",
        "SELECT hex(zeroblob(9000000))",
        "SELECT replace(hex(zeroblob(50000)), '0', hex(zeroblob(50000)))",
        f"SELECT group_concat(hex(zeroblob(3000))) {CROSS}",
        f"SELECT a.name {CROSS}",
        f"SELECT count(*) {CROSS} GROUP BY a.id, b.id, c.id, d.id, e.id, f.id, g.id, h.id, i.id, j.id",
        "SELECT hex(zeroblob(1000000)) FROM person a, person b",
        "SELECT zeroblob(2000000), zeroblob(2000000), zeroblob(2000000)",
        f"{SERIES} SELECT i FROM n",
        f"SELECT {'a' * 1_000_000}",
        f"SELECT 'x' LIKE '{'%_' * 10_000}'",
        f"SELECT 'x' GLOB '{'*?' * 10_000}'",
    ],
)
def test_the_caps_hold(guarded: Guarded, sql: str) -> None:
    result = guarded.run(sql, Limits(seconds=5, rows=10_000, bytes=5_000_000))
    assert isinstance(result, Failure)
    assert result.kind == "resource", result
    assert len(result.message) < 200


def test_a_giant_format_width_makes_no_giant_text(guarded: Guarded) -> None:
    result = guarded.run("SELECT length(printf('%1000000000d', 1))", QUICK)
    assert result == Result(((None,),), 1) or isinstance(result, Failure)


def test_deep_expressions_are_refused(guarded: Guarded) -> None:
    for deep in (
        "(" * 10_000 + "1" + ")" * 10_000,
        "1" + " + 1" * 10_000,
        "NOT " * 10_000 + "1",
        "-" * 9_999 + "1",
    ):
        assert isinstance(guarded.run(f"SELECT {deep} AS x"), Failure)
    assert isinstance(guarded.run(" UNION ALL ".join(["SELECT 1"] * 2_000)), Failure)


def test_caps_are_inclusive(guarded: Guarded) -> None:
    assert isinstance(guarded.run("SELECT id FROM person", Limits(rows=3, bytes=24)), Result)
    assert isinstance(guarded.run("SELECT id FROM person", Limits(rows=2)), Failure)
    assert isinstance(guarded.run("SELECT id FROM person", Limits(bytes=23)), Failure)


def test_long_results_arrive_whole_and_in_order(guarded: Guarded) -> None:
    result = guarded.run(f"{SERIES} SELECT i, 'row ' || i FROM n LIMIT 5000")
    assert isinstance(result, Result)
    assert result.rows == tuple((i, f"row {i}") for i in range(1, 5001))


def test_a_cap_leaves_no_open_statement(guarded: Guarded) -> None:
    assert isinstance(guarded.run(f"SELECT a.name {CROSS}", QUICK), Failure)
    guarded.connection.execute("DROP VIEW local")
    guarded.connection.execute("DROP TABLE person")


def test_text_that_is_not_utf8_stays_distinct(guarded: Guarded) -> None:
    result = guarded.run("SELECT CAST(x'61ff' AS TEXT), CAST(x'61fe' AS TEXT), x'61ff', 'é'")
    assert isinstance(result, Result)
    assert result.rows == (("a\udcff", "a\udcfe", b"a\xff", "é"),)


def test_registered_functions_are_callable(guarded: Guarded) -> None:
    class Longest:
        def __init__(self) -> None:
            self.best = ""

        def step(self, text: str) -> None:
            self.best = max(self.best, text, key=len)

        def final(self) -> str:
            return self.best

    def fail() -> None:
        raise ZeroDivisionError

    guarded.connection.create_function("shout", 1, str.upper, deterministic=True)
    guarded.connection.create_function("fail", 0, fail)
    guarded.connection.create_aggregate("longest", 1, Longest)
    assert guarded.run("SELECT shout(longest(name)) FROM person") == Result((("ANN",),), 1)
    assert isinstance(guarded.run("SELECT fail()"), Failure)


def test_memory_errors_are_resource_failures(guarded: Guarded) -> None:
    def exhaust() -> None:
        raise MemoryError

    guarded.connection.create_function("exhaust", 0, exhaust)
    result = guarded.run("SELECT exhaust()")
    assert isinstance(result, Failure)
    assert result.kind == "resource"


def test_an_interrupt_from_the_keyboard_is_not_swallowed(guarded: Guarded) -> None:
    def press() -> None:
        raise KeyboardInterrupt

    guarded.connection.create_function("press", 0, press)
    with pytest.raises(KeyboardInterrupt):
        guarded.run(f"{SERIES} SELECT press(), count(*) FROM n WHERE press() IS NULL")
    assert isinstance(guarded.run("SELECT 1"), Result)


def test_a_run_costs_little_more_than_a_bare_query(guarded: Guarded) -> None:
    bare = guarded.connection.copy()
    sql = "SELECT a.city, count(*) FROM person a JOIN person b ON a.id < b.id GROUP BY a.city"

    def best_of(run: Callable[[str], object]) -> float:
        def once() -> float:
            begun = time.perf_counter()
            for _ in range(200):
                run(sql)
            return (time.perf_counter() - begun) / 200

        return min(once() for _ in range(5))

    assert best_of(guarded.run) - best_of(lambda text: bare.execute(text).fetchall()) < 100e-6


@pytest.mark.parametrize(
    ("by_clock", "of_processor", "past", "left"),
    [
        (0.9, 0.9, False, 0.1),
        (1.1, 0.9, False, 0.1),
        (1.1, 1.1, True, -0.1),
        (5.9, 0.0, False, 0.1),
        (6.1, 0.9, True, -0.1),
    ],
)
def test_a_second_is_one_of_the_processor_or_six_by_the_clock(
    monkeypatch: pytest.MonkeyPatch, by_clock: float, of_processor: float, past: bool, left: float
) -> None:
    times = {"clock": 0.0, "processor": 0.0}
    monkeypatch.setattr(runner, "perf_counter", lambda: times["clock"])
    monkeypatch.setattr(runner, "thread_time", lambda: times["processor"])
    monkeypatch.setattr(runner, "clock_gettime", lambda _: times["processor"], raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(runner, "pthread_getcpuclockid", lambda thread: thread, raising=False)
    deadline = Deadline(1.0)
    times |= {"clock": by_clock, "processor": of_processor}
    assert deadline.is_past() is past
    assert deadline.seconds_left() == pytest.approx(left)


def test_another_thread_knows_what_is_left() -> None:
    found: list[float] = []
    deadline = Deadline(100.0)
    asking = threading.Thread(target=lambda: found.append(deadline.seconds_left()))
    asking.start()
    asking.join()
    assert 0 < found[0] <= 100
