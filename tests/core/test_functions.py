"""What the table of functions claims, put to SQLite."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.function_calls import CALLED, KNOWN, MOST, SQLITE, counts, is_taken
from kit.sizes import sampled

from equiv.algebra.scalar_functions import function_kinds
from equiv.algebra.world import World
from equiv.core.functions.own import OWN, register
from equiv.core.functions.table import SYNONYMS, TABLE, call_text, named
from equiv.core.functions.traits import (
    Function,
    FunctionSort,
    Nearby,
    Nulls,
    OrderDependence,
    Raises,
    Reads,
    Solved,
    StorageClass,
)
from equiv.core.model import Schema
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.read import program, unknown_aggregate
from equiv.facts import Facts

OTHER = Connection()
register(OTHER)
NASTY = (
    *(None, 0, 1, -1, 3, 2**31, 2**63 - 1, -(2**63), 0.0, -0.0, 0.5, 1.0, -1.5, 2.5, 1e18, 1e300),
    *(
        float("inf"),
        float("-inf"),
        "",
        " ",
        "a",
        "A",
        "ab",
        "1",
        "1.5",
        "1e2",
        "12x",
        " 7 ",
        "%",
        "a%",
        "a*",
        "é",
    ),
    *("now", "2024-02-29", "2024-02-29 12:30:00.5", "12:30", "+1 day", "start of month", "%Y-%m-%d", "%s"),
    *("abc\0d", "-5", "0x10", "9223372036854775808", b"", b"a", b"12", b"\xff\xfe", b"\0"),
)
FEW = (None, 0, 1, -1, 2.5, float("inf"), "", "a", "A", "1", b"", b"a")
"""For calls of three arguments or more."""
CELLS = (
    st.sampled_from(NASTY)
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
    | st.binary(max_size=4)
)
KINDS: dict[type, StorageClass] = {
    type(None): "null",
    int: "integer",
    float: "real",
    str: "text",
    bytes: "blob",
}
FIXED = [row for row in CALLED if row.is_fixed]
NO_FACTS = World(Schema(()), Facts())


def ask(row: Function, cells: tuple[Any, ...], wrap: Callable[[int], str] | None = None) -> Any:
    """What a call gives; each argument may be wrapped in some SQL."""
    return value_of(SQLITE.execute(f"SELECT {written(row, cells, wrap)}", cells).fetchone()[0])


def written(row: Function, cells: tuple[Any, ...], wrap: Callable[[int], str] | None = None) -> str:
    """The text of a call with a place for each argument."""
    text = call_text(row.name, len(cells))
    if wrap is not None:
        for position in range(len(cells)):
            text = text.replace("?", f"({wrap(position).replace('?', '@')})", 1)
        text = text.replace("@", "?")
    return text


def now_and_now(
    row: Function, cells: tuple[Any, ...], others: tuple[Any, ...], wrap: Callable[[int], str] | None = None
) -> tuple[Any, Any]:
    """What two calls give at one moment: SQLite's clock stands still within a statement."""
    text = f"SELECT {written(row, cells)}, {written(row, others, wrap)}"
    one, other = SQLITE.execute(text, (*cells, *others)).fetchone()
    return value_of(one), value_of(other)


def value_of(found: Any) -> Any:
    return Unequal() if isinstance(found, float) and found != found else found  # noqa: PLR0124


class Unequal:
    """A NaN, which SQLite does not give."""


def same(one: object, other: object) -> bool:
    """Whether two cells are one: of a class, and REALs bit for bit but for the sign of 0."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or struct.pack("d", one) == struct.pack("d", other)
    return type(one) is type(other) and one == other


Claim = Callable[[Function, tuple[Any, ...], Any], None]
"""What must be so of a function's row, the arguments of a call and what the call gives."""


def calls(row: Function) -> Iterator[tuple[Any, ...]]:
    """Nasty arguments in all combinations."""
    for count in counts(row):
        few = NASTY if count < 3 else FEW
        for cells in product(few, repeat=min(count, 3)):
            yield (*cells, *cells)[:count]


def tells_the_time(row: Function, cells: tuple[Any, ...]) -> bool:
    """Whether a call gives another value at another time."""
    return row.reads_time and (len(cells) <= row.reads.index(Reads.TIME) or "now" in cells)


def broken(row: Function, cells: tuple[Any, ...]) -> Iterator[str]:
    """The claims that a call breaks; one that fails has no value: an overflow of ABS, say."""
    try:
        value = ask(row, cells)
    except RunnerError as error:
        # What is no UTF-8 is an error of who reads the value.
        if row.raises is Raises.NEVER and not str(error).startswith("a text is not UTF-8"):
            yield "it never raises an error"
        return
    for claim in CLAIMS:
        try:
            claim(row, cells, value)
        except RunnerError:
            continue
        except AssertionError:
            yield claim.__name__


@pytest.mark.parametrize("row", FIXED, ids=lambda row: row.name)
def test_calls_are_as_claimed(row: Function) -> None:
    found: dict[str, tuple[Any, ...]] = {}
    for cells in calls(row):
        for claim in broken(row, cells):
            found.setdefault(claim, cells)
    assert found == {}


@sampled("row", FIXED)
def test_calls_on_random_arguments_are_as_claimed(row: Function) -> None:
    @settings(max_examples=25, deadline=None, database=None)
    @given(st.data())
    def at_random(data: st.DataObject) -> None:
        count = data.draw(st.sampled_from(counts(row)))
        cells = tuple(data.draw(CELLS) for _ in range(count))
        assert dict.fromkeys(broken(row, cells), cells) == {}

    at_random()


def null_behaviour(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    if row.is_strict and None in cells:
        assert found is None
    if row.is_sure and None not in cells:
        assert found is not None
    if row.nulls is Nulls.NEVER:
        assert found is not None


def class_of_the_result(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    kind = KINDS[type(found)]
    assert kind == "null" or kind in row.results
    classes = [frozenset({KINDS[type(cell)]}) for cell in cells]
    assert kind in function_kinds(row.name, classes, NO_FACTS)


def arguments_alone_fix_the_value(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    if not tells_the_time(row, cells):
        assert same(found, OTHER.execute(f"SELECT {call_text(row.name, len(cells))}", cells).fetchone()[0])


def a_value_that_passes_is_an_argument(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    passed = cells[1:] if row.reads[0] is Reads.TRUTH else cells
    assert not row.passes or found is None or any(same(found, cell) for cell in passed)


READ_AS = {Reads.NUMBER: "? + 0", Reads.INTEGER: "CAST(? AS INTEGER)", Reads.TEXT: "CAST(? AS TEXT)"}


def how_arguments_are_read(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    """But for blobs, which functions of text count by bytes, and integers, which overflow alone."""
    if any(isinstance(cell, bytes) for cell in cells):
        return

    def wrap(at: int) -> str:
        return READ_AS.get(row.how_reads(at), "?")

    if tells_the_time(row, cells):
        found, read = now_and_now(row, cells, cells, wrap)
    else:
        read = ask(row, cells, wrap)
    # A number may come out of another class: ABS of a text is a REAL.
    are_numbers = isinstance(found, int | float) and isinstance(read, int | float)
    assert same(found, read) or (are_numbers and float(found) == float(read))


def zeros_of_both_signs_are_one_for_the_prover(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    if row.solved in (Solved.MEANING, Solved.SYMBOL):
        flipped = tuple(-cell if isinstance(cell, float) and cell == 0 else cell for cell in cells)
        if tells_the_time(row, cells):
            assert same(*now_and_now(row, cells, flipped))
        else:
            assert same(found, ask(row, flipped))


def what_commutes(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    assert not row.commutes or same(found, ask(row, cells[::-1]))


def what_does_not_compare(row: Function, cells: tuple[Any, ...], found: Any) -> None:
    if not row.compares and not tells_the_time(row, cells):
        assert same(found, ask(row, cells, lambda _: "? COLLATE NOCASE"))


CLAIMS: tuple[Claim, ...] = (
    null_behaviour,
    class_of_the_result,
    arguments_alone_fix_the_value,
    a_value_that_passes_is_an_argument,
    how_arguments_are_read,
    zeros_of_both_signs_are_one_for_the_prover,
    what_commutes,
    what_does_not_compare,
)


RAISING = {
    "->": "'{' -> 'a'",
    "->>": "'{' ->> 'a'",
    "ABS": "abs(-9223372036854775808)",
    "GLOB": "'a' GLOB printf('%60000s', 'x')",
    "JSON": "json('{')",
    "JSON_ARRAY_LENGTH": "json_array_length('{')",
    "JSON_EXTRACT": "json_extract('{', '$')",
    "JSON_GROUP_ARRAY": "json_group_array(x'00')",
    "JSON_GROUP_OBJECT": "json_group_object(NULL, x'00')",
    "JSON_TYPE": "json_type('{')",
    "JSON_VALID": "json_valid('{', 99)",
    "LIKE": "'a' LIKE 'b' ESCAPE 'xx'",
    "MEDIAN": "median('a')",
    "NTH_VALUE": "nth_value(1, 0) OVER ()",
    "NTILE": "ntile(0) OVER ()",
    "PERCENTILE": "percentile(1, 101)",
    "PERCENTILE_CONT": "percentile_cont(1, 2)",
    "PERCENTILE_DISC": "percentile_disc(1, 2)",
    "PRINTF": "printf('%*d', 2000000000, 1)",
    "SUM": "(SELECT SUM(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1))",
    "ZEROBLOB": "zeroblob(2000000000)",
}
"""A call of each function that may raise an error which raises one, on some version or other."""

TOLERANT = frozenset(("JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT", "PRINTF"))
"""Functions that raise an error on some versions alone: of blobs in JSON, of widths beyond any text."""


def test_what_may_raise_does(subtests: pytest.Subtests) -> None:
    claimed = {row.name for row in TABLE if row.raises is not Raises.NEVER}
    assert {name for name in claimed if not name.startswith("JSONB_")} == RAISING.keys()
    for name in RAISING.keys() & (KNOWN | {"GLOB", "LIKE"}) - TOLERANT:
        with subtests.test(name), pytest.raises(RunnerError, match=r"(?!no such)"):
            SQLITE.execute(f"SELECT {RAISING[name]}").fetchall()


def test_an_aggregate_that_never_raises_sums_integers_of_any_size() -> None:
    aggregates = [row for row in TABLE if row.sort is FunctionSort.AGGREGATE and row.raises is Raises.NEVER]
    rows = " UNION ALL ".join(
        f"SELECT {value} AS x" for value in ("9223372036854775807", "1", "x'00'", "'a'")
    )
    for row in aggregates:
        if row.name in KNOWN and row.takes(1) and row not in OWN:
            SQLITE.execute(f"SELECT {row.name}(x), {row.name}(x) OVER () FROM ({rows})").fetchall()


def test_what_compares(subtests: pytest.Subtests) -> None:
    pairs = (("a", "B"), ("A", "a"))
    for row in FIXED:
        if row.compares:
            with subtests.test(row.name):
                assert any(not same(ask(row, p), ask(row, p, lambda _: "? COLLATE NOCASE")) for p in pairs)


WHOLE_NUMBERS = (None, 0, 1, -1, 2, 3, 7, -12, 100)


def test_whole_numbers_stay_whole(subtests: pytest.Subtests) -> None:
    for row in (row for row in TABLE if row.keeps_whole):
        with subtests.test(row.name):
            _whole_numbers_stay_whole(row)


def _whole_numbers_stay_whole(row: Function) -> None:
    if row.sort is FunctionSort.SCALAR and row.name not in KNOWN:
        return
    for cells in product(WHOLE_NUMBERS, repeat=row.least):
        assert isinstance(ask(row, cells), int | None), cells


def test_what_is_near_stays_near(subtests: pytest.Subtests) -> None:
    for row in FIXED:
        with subtests.test(row.name):
            _what_is_near_stays_near(row)


def _what_is_near_stays_near(row: Function) -> None:
    if row.nearby is Nearby.JUMPS:
        return
    for count, value in product(counts(row), (0.25, 0.75, 1.25, 1.5)):
        cells = tuple(value + 0.125 * at for at in range(count))
        found, other = ask(row, cells), ask(row, tuple(cell * (1 + 2e-15) for cell in cells))
        if row.nearby is Nearby.SAME:
            assert same(found, other)
        else:
            assert found == other or found == pytest.approx(other, rel=1e-9)


def test_sqlite_says_the_same_of_determinism() -> None:
    deterministic = 0x800
    query = "SELECT DISTINCT upper(name), flags & ? <> 0 FROM pragma_function_list WHERE type = 's'"
    found = dict(SQLITE.execute(query, (deterministic,)).fetchall())
    scalars = {row.name: row for row in TABLE if row.sort is FunctionSort.SCALAR and row.name in found}
    assert {name for name, row in scalars.items() if not row.is_fixed} == {n for n in scalars if not found[n]}
    # What has no row must be fixed by its arguments, or not be callable in a query that is let in.
    others = {name for name, is_fixed in found.items() if not is_fixed} - set(scalars)
    assert others <= {"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOAD_EXTENSION"} | FULL_TEXT


FULL_TEXT = {
    *("BM25", "FTS3_TOKENIZER", "FTS5", "FTS5_GET_LOCALE", "FTS5_INSTTOKEN", "FTS5_LOCALE", "FTS5_SOURCE_ID"),
    *("HIGHLIGHT", "MATCH", "MATCHINFO", "OFFSETS", "OPTIMIZE", "SNIPPET"),
    *("GEOPOLY_AREA", "GEOPOLY_DEBUG", "RTREECHECK", "RTREEDEPTH", "RTREENODE", "SQLITE_LOG"),
}


def test_sqlite_has_no_other_aggregates() -> None:
    found = SQLITE.execute("SELECT DISTINCT upper(name) FROM pragma_function_list WHERE type IN ('a', 'w')")
    known = {row.name for row in TABLE if row.sort in (FunctionSort.AGGREGATE, FunctionSort.WINDOW)} | set(
        SYNONYMS
    )
    # GEOPOLY_GROUP_BBOX has no row; see the next test.
    assert {name for (name,) in found} - {"GEOPOLY_GROUP_BBOX"} <= known


def test_an_aggregate_without_a_row_is_told_by_the_program() -> None:
    class Product:
        def step(self, value: object) -> None: ...
        def final(self) -> int:
            return 1

    connection = Connection()
    connection.execute("CREATE TABLE t (a)")
    connection.create_aggregate("product", 1, Product)
    assert unknown_aggregate(program(connection, "SELECT product(a) FROM t")) == "PRODUCT"
    assert not unknown_aggregate(program(connection, "SELECT SUM(a), group_concat(a, ';') FROM t"))
    assert not unknown_aggregate(program(connection, "SELECT rank() OVER (ORDER BY a), abs(a) FROM t"))


def test_sqlite_takes_no_other_numbers_of_arguments(subtests: pytest.Subtests) -> None:
    for row in CALLED:
        with subtests.test(row.name):
            _sqlite_takes_no_other_numbers_of_arguments(row)


def _sqlite_takes_no_other_numbers_of_arguments(row: Function) -> None:
    asked = range(row.least, (row.most or MOST) + 1)
    if row.sort is not FunctionSort.OPERATOR:
        asked = range(max(5, row.most or 0) + 1)
    taken = [count for count in asked if is_taken(row, count)]
    # IIF of more than three is read by no one.
    assert all(named(row.name, count) or row.takes(count) or row.name == "IIF" for count in taken)
    # MAX and MIN of one are aggregates.
    assert row.name in ("MAX", "MIN", "SQLITE_OFFSET") or taken[:1] == [row.least], taken
    assert row.most is None or row.name == "IIF" or taken[-1:] == [row.most] or row.name == "SQLITE_OFFSET"


def test_second_names_are_the_same_function() -> None:
    for second, first in SYNONYMS.items():
        row = next(row for row in TABLE if row.name == first)
        if second not in KNOWN or row.sort is not FunctionSort.SCALAR:
            continue
        for count in counts(row):
            for cells in product((None, "ab", 2, 1.5), repeat=count):
                given = ", ".join("?" * count)
                if second == "IFNULL" and count != 2:
                    continue
                theirs = SQLITE.execute(f"SELECT {second}({given})", cells).fetchone()[0]
                assert same(theirs, ask(row, cells)), (second, cells)


def test_a_function_changes_the_texts_that_it_is_said_to_change(subtests: pytest.Subtests) -> None:
    for row in (row for row in TABLE if row.variants):
        with subtests.test(row.name):
            _a_function_changes_the_texts_that_it_is_said_to_change(row)


def _a_function_changes_the_texts_that_it_is_said_to_change(row: Function) -> None:
    for form in row.variants:
        text = form.format("a")
        assert SQLITE.execute(
            f"SELECT {call_text(row.name, row.least)} <> ?", (text,) * (row.least + 1)
        ).fetchone() == (1,)


def test_aggregates_and_windows_are_null_as_claimed() -> None:
    SQLITE.execute("CREATE TEMP TABLE IF NOT EXISTS cells (a, b)")
    for row in TABLE:
        if row.sort is not FunctionSort.AGGREGATE or row.name not in KNOWN:
            continue
        given = ", ".join(("a", "b")[: max(row.least, 1)])
        for cells in ([], [(None, None)], [(None, 1), (2, 1)], [("x", 1), (None, 1)], [(1.5, "k"), (2, "l")]):
            SQLITE.execute("DELETE FROM cells")
            SQLITE.executemany("INSERT INTO cells VALUES (?, ?)", cells)
            try:
                found = SQLITE.execute(f"SELECT {row.name}({given}) FROM cells").fetchone()[0]
            except RunnerError:
                continue
            if row.nulls is Nulls.NOTHING:
                assert (found is None) == all(cell[0] is None for cell in cells), (row.name, cells)
            assert row.nulls is not Nulls.NEVER or found is not None
            assert found is None or KINDS[type(found)] in row.results


def test_the_order_of_rows_matters_as_claimed() -> None:
    for row in TABLE:
        if row.sort is not FunctionSort.AGGREGATE or row.name not in KNOWN:
            continue
        given = ", ".join(("a", "b")[: max(row.least, 1)])
        values: list[tuple[object, int]] = [("k", 1), ("l", 2), ("m", 0)]
        if row.name.startswith(("MEDIAN", "PERCENTILE")):
            values = [(4, 1), (5, 1), (6, 1)]
        answers = set()
        for rows in (values, values[::-1]):
            SQLITE.execute("DELETE FROM temp.cells")
            SQLITE.executemany("INSERT INTO temp.cells VALUES (?, ?)", rows)
            answers.add(SQLITE.execute(f"SELECT {row.name}({given}) FROM temp.cells").fetchone()[0])
        assert (len(answers) > 1) == (row.order is OrderDependence.ROWS), row.name
