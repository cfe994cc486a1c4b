"""Random comparisons of columns of every affinity and collation: translated, they are what SQLite answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from algebra.differential import as_bag
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import UnsupportedError
from equiv.core.runner import Connection
from equiv.rules.verification.golden import UnmetError
from equiv.rules.verification.golden import World as Schematic

COLUMNS = {
    "i": "INTEGER",
    "f": "REAL",
    "m": "NUMERIC",
    "s": "TEXT",
    "n": "TEXT COLLATE NOCASE",
    "r": "TEXT COLLATE RTRIM",
    "v": "",
    "w": "COLLATE NOCASE",
    "j": "INTEGER COLLATE NOCASE",
}
_DECLARED = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
DDL = "".join(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {_DECLARED});" for table in ("t", "u"))
WORLD = Schematic(DDL, "declared")

VALUES = st.sampled_from([None, 1, 1.0, 2, 1.5, "1", "1.0", "01", "a", "A", "a ", "B", "", b"a", b"1", "1x"])
LITERALS = ("NULL", "1", "1.0", "'1'", "'1.0'", "'a'", "'A'", "'a '", "''", "x'61'", "2")
ROWS = st.lists(st.tuples(*(VALUES for _ in COLUMNS)), max_size=4)


def columns(table: str) -> st.SearchStrategy[str]:
    return st.sampled_from([f"{table}.{name}" for name in (*COLUMNS, "id")])


def operands(table: str) -> st.SearchStrategy[str]:
    """A column or a literal, plain or in what takes its affinity or collation away, or gives another."""
    plain = st.one_of(columns(table), columns(table), st.sampled_from(LITERALS))
    wraps = ["{}", "{}", "{}", "{} || ''", "CAST({} AS TEXT)", "CAST({} AS INTEGER)", "COALESCE({}, 'a')"]
    wraps += ["{} COLLATE NOCASE", "{} COLLATE BINARY", "CASE WHEN 1 THEN {} END", "(SELECT {} AS c)", "- {}"]
    return st.builds(str.format, st.sampled_from(wraps), plain)


def rows(table: str, width: int) -> st.SearchStrategy[str]:
    return st.lists(operands(table), min_size=width, max_size=width).map(", ".join)


SIGNS = st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"])
NOT = st.sampled_from(["", "NOT "])
WHERE = st.sampled_from(["", " WHERE u.id > 1", " WHERE u.v IS NOT NULL"])


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    """A comparison of a row of ``t`` with literals, columns, or the rows of ``u``."""
    one, two, three = (draw(operands("t")) for _ in range(3))
    width = draw(st.sampled_from([1, 1, 2, 2, 3]))
    left, right, high = (draw(rows("t", width)) for _ in range(3))
    chosen = ", ".join(draw(columns("u")) for _ in range(width))
    found = draw(rows("u", width))
    value = f"({left})"
    forms = [
        f"{one} {draw(SIGNS)} {two}",
        f"{one} {draw(NOT)}BETWEEN {two} AND {three}",
        f"{one} {draw(NOT)}IN ({two}, {three})",
        f"{one} {draw(NOT)}IN ({two})",
        f"CASE {one} WHEN {two} THEN 1 WHEN {three} THEN 2 END",
        f"NULLIF({one}, {two})",
        f"MAX({one}, {two})",
        f"{value} {draw(NOT)}IN (SELECT {chosen} FROM u{draw(WHERE)})",
        f"{value} {draw(NOT)}IN (SELECT {found} FROM u{draw(WHERE)})",
        f"{value} {draw(NOT)}IN (SELECT {chosen} FROM u UNION ALL SELECT {found} FROM u)",
        f"{value} {draw(SIGNS)} ({right})",
        f"{value} {draw(NOT)}BETWEEN ({right}) AND ({high})",
        f"EXISTS (SELECT 1 FROM u WHERE {draw(operands('u'))} {draw(SIGNS)} {one})",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A query that shows a comparison, asks for it, or sorts, groups and counts by values that compare so."""
    shown, asked = draw(comparisons()), draw(comparisons())
    one, two = draw(operands("t")), draw(operands("u"))
    forms = [
        f"SELECT t.id, {shown} FROM t",
        f"SELECT t.id FROM t WHERE {asked}",
        f"SELECT t.id FROM t WHERE NOT ({asked})",
        f"SELECT t.id, u.id FROM t JOIN u ON {one} = {two}",
        f"SELECT t.id, u.id FROM t LEFT JOIN u ON {one} = {two} AND t.id < 3",
        f"SELECT COUNT(DISTINCT {one}) FROM t WHERE {asked}",
        f"SELECT COUNT(*), SUM(t.id) FROM t GROUP BY {one}",
        f"SELECT t.id FROM t ORDER BY {one}, t.id",
        f"SELECT t.id, RANK() OVER (ORDER BY {one}), COUNT(*) OVER (PARTITION BY {one}) FROM t",
        f"SELECT q.c = {one}, t.id FROM t JOIN (SELECT {two} AS c, u.id FROM u) AS q ON q.id = t.id",
    ]
    return draw(st.sampled_from(forms))


def database(first: Sequence[tuple[object, ...]], second: Sequence[tuple[object, ...]]) -> Connection:
    connection = Connection()
    connection.run_script(DDL)
    for table, found in (("t", first), ("u", second)):
        places = ", ".join("?" * (len(COLUMNS) + 1))
        connection.executemany(
            f"INSERT INTO {table} VALUES ({places})", [(n, *row) for n, row in enumerate(found, 1)]
        )
    return connection


@pytest.mark.long
@settings(max_examples=50)
@given(queries(), ROWS, ROWS)
def test_a_comparison_is_what_sqlite_makes_of_it_or_is_refused(
    sql: str, first: list[tuple[object, ...]], second: list[tuple[object, ...]]
) -> None:
    try:
        tree = WORLD.read(sql).tree
        assert tree is not None
        answer = translate(tree, World(WORLD.schema, WORLD.facts))
    except (UnmetError, UnsupportedError):
        return
    connection = database(first, second)
    found, ours = connection.execute(sql).fetchall(), Evaluator.of(connection, WORLD.schema).rows(answer)
    assert as_bag(ours) == as_bag(found), sql
    assert not answer.directions or ours == found, sql
