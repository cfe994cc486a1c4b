"""Equal values that are one and the same: what is claimed is put to SQLite, on values of every class."""

from __future__ import annotations

from contextlib import closing
from itertools import combinations_with_replacement

import pytest

from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.cells import Cell
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.proof.rewrites.scope import Scope

DDL = """
CREATE TABLE t (
  id INTEGER PRIMARY KEY, i INTEGER, n NUMERIC, r REAL, s TEXT, c TEXT COLLATE NOCASE, b BLOB, x,
  vr REAL AS (n * -1.0), vn NUMERIC AS (r * 1.0)
)
"""
SCHEMA = load_ddl(DDL)
NASTY: tuple[Cell, ...] = (
    *(None, 0, 1, -1, 0.0, -0.0, 1.0, 1.5, 9007199254740993, 9007199254740992.0, 2**63 - 1, 1e18),
    *("1", "1.0", "-0.0", "a", "A", "", " 1", "1a", b"a", b"1", b""),
)
VALUES = (
    *("i", "n", "r", "s", "c", "b", "x", "vr", "vn", "0", "0.0", "'1'", "x'31'", "-r", "n * 1.0", "i + 0"),
    *("CAST(x AS TEXT)", "CAST(x AS REAL)", "LOWER(x)", "LENGTH(x)", "COALESCE(i, s)", "MAX(i, s)"),
    *(
        "(SELECT q.r FROM t AS q WHERE q.id = t.i)",
        "(SELECT MAX(q.s) FROM t AS q)",
        "(SELECT COUNT(*) FROM t)",
    ),
)


def facts(kinds: set[FactKind]) -> Facts:
    found = [Fact(FactKind.TYPE, Grade.INTENDED, "t", (c.name,)) for c in SCHEMA.tables[0].columns]
    found.append(Fact(FactKind.NO_OVERFLOW, Grade.ASSUMED))
    return Facts([fact for fact in found if fact.kind in kinds])


def fits(column: str, value: Cell) -> bool:
    """Whether a value conforms to the declared type."""
    classes = {"i": int, "n": int | float, "r": int | float, "s": str, "c": str}
    return value is None or isinstance(value, classes.get(column, object))


def are_equal(one: Cell, two: Cell) -> bool:
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one == two
    return type(one) is type(two) and one == two


@pytest.mark.parametrize("kinds", [set(), {FactKind.NO_OVERFLOW}, {FactKind.TYPE, FactKind.NO_OVERFLOW}])
def test_equal_values_are_one_where_that_is_claimed(kinds: set[FactKind]) -> None:
    with closing(Connection()) as connection:
        connection.execute(DDL)
        world = World(SCHEMA, facts(kinds))
        query = read_query(f"SELECT {', '.join(VALUES)} FROM t", SCHEMA, connection)
        assert isinstance(query, Query)
        assert query.tree is not None
        (term,) = translate(query.tree, world).bag.terms
        scope = Scope.alone(world).within(term.bindings)
        for value in NASTY:
            for column in "inrscbx":
                if FactKind.TYPE not in kinds or fits(column, value):
                    connection.execute(f"INSERT INTO t ({column}) VALUES (?)", (value,))
        found = [
            {(type(v), repr(v)): v for v in column}.values()
            for column in zip(*connection.execute(query.sql), strict=True)
        ]
    claimed = 0
    for one, two in combinations_with_replacement(range(len(VALUES)), 2):
        if scope.are_identical_if_equal(term.outputs[one], term.outputs[two]):
            claimed += 1
            for left in found[one]:
                for right in found[two]:
                    is_one = type(left) is type(right) and repr(left) == repr(right)
                    assert is_one or not are_equal(left, right), (VALUES[one], VALUES[two], left, right)
    assert claimed > 100
