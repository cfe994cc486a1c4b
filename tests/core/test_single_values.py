"""Single values are what SQLite says, sorted as SQLite sorts them."""

from __future__ import annotations

from random import Random
from threading import Thread
from typing import Any

import pytest

from equiv.core.runner import Connection, Limits, Result, RunnerError, open_memory
from equiv.core.single_values import Calculator, sort_key

CELLS: tuple[Any, ...] = (
    None,
    0,
    1,
    1.5,
    -3,
    2**63 - 1,
    9.3e18,
    "",
    "a",
    "A",
    "1",
    " 1.0",
    "é",
    "￿",
    "𝄞",
    b"",
    b"a",
)


def test_cells_sort_as_in_sqlite_invalid_text_too() -> None:
    engine = open_memory()
    engine.connection.execute("CREATE TABLE t (v)")
    engine.connection.executemany("INSERT INTO t VALUES (?)", [(cell,) for cell in CELLS])
    for raw in (b"\xff", b"\x80", b"\xed\xa0\x80", b"a\xfe"):
        engine.connection.execute("INSERT INTO t VALUES (CAST(? AS TEXT))", (raw,))
    result = engine.run("SELECT v FROM t ORDER BY v", Limits())
    assert isinstance(result, Result)
    found = [cell for (cell,) in result.rows]
    assert len(found) == len(CELLS) + 4
    Random(0).shuffle(shuffled := [*found])
    assert sorted(shuffled, key=sort_key) == found


@pytest.mark.parametrize("affinity", ["NUMERIC", "TEXT"])
def test_a_stored_cell_is_what_a_comparison_takes_it_for(affinity: Any) -> None:
    calculator = Calculator()
    plain = Connection()
    plain.execute(f"CREATE TABLE t (v {affinity})")
    for cell in CELLS:
        plain.execute("DELETE FROM t")
        plain.execute("INSERT INTO t VALUES (?)", (cell,))
        kept = plain.execute("SELECT v FROM t").fetchone()[0]
        found = calculator.stored(affinity, cell)
        assert (type(found), found) == (type(kept), kept)


def test_aggregates_over_rows() -> None:
    calculator = Calculator()
    assert calculator.over("SUM(v)", []) is None
    assert calculator.over("SUM(v)", [(1,), (2.5,), (None,)]) == 3.5
    assert calculator.over("GROUP_CONCAT(v, w)", [("a", "-"), ("b", "+")]) == "a+b"


def test_what_is_too_long_is_refused() -> None:
    assert Calculator().value("LENGTH(?)", ("x" * 2000,)) == 2000
    with pytest.raises(RunnerError):
        Calculator(longest=1000).value("LENGTH(?)", ("x" * 2000,))


def test_threads_do_not_disturb_one_another() -> None:
    calculator = Calculator()
    wrong: list[int] = []

    def ask(number: int) -> None:
        wrong.extend(n for n in range(200) if calculator.stored("NUMERIC", str(number)) != number)

    threads = [Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
