"""Printing trees of any shape, and comparing them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlglot import exp

from equiv.core.printing import key, to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.names import quoted


def column(name: str) -> exp.Column:
    return exp.column(name, table="t")


def number(value: int) -> exp.Literal:
    return exp.Literal(this=str(value), is_string=False)


BUILT: dict[str, exp.Expression] = {
    "(t.a OR t.b) AND t.c": exp.And(
        this=exp.Or(this=column("a"), expression=column("b")), expression=column("c")
    ),
    "t.a AND (t.b AND t.c)": exp.And(
        this=column("a"), expression=exp.And(this=column("b"), expression=column("c"))
    ),
    "t.a - (t.b - t.c)": exp.Sub(
        this=column("a"), expression=exp.Sub(this=column("b"), expression=column("c"))
    ),
    "(t.a || t.b) * t.c": exp.Mul(
        this=exp.DPipe(this=column("a"), expression=column("b")), expression=column("c")
    ),
    "-(-1)": exp.Neg(this=exp.Neg(this=number(1))),
    "-(-2)": exp.Neg(this=exp.Literal(this="-2", is_string=False)),
    "(t.a = t.b) = t.c": exp.EQ(
        this=exp.EQ(this=column("a"), expression=column("b")), expression=column("c")
    ),
    "(NOT t.a) = t.b": exp.EQ(this=exp.Not(this=column("a")), expression=column("b")),
    "NOT (t.a = t.b)": exp.Not(this=exp.EQ(this=column("a"), expression=column("b"))),
    "NOT (t.a NOT IN (1))": exp.Not(this=exp.Not(this=exp.In(this=column("a"), expressions=[number(1)]))),
    "t.a IS NOT NULL": exp.Not(this=exp.Is(this=column("a"), expression=exp.Null())),
    "t.a IS 1": exp.NullSafeEQ(this=column("a"), expression=exp.Boolean(this=True)),
    "t.a IS TRUE": exp.Is(this=column("a"), expression=exp.Boolean(this=True)),
    "t.a NOT LIKE 'x' ESCAPE '!'": exp.Not(
        this=exp.Escape(
            this=exp.Like(this=column("a"), expression=exp.Literal.string("x")),
            expression=exp.Literal.string("!"),
        )
    ),
    "(t.a IN (1)) COLLATE NOCASE": exp.Collate(
        this=exp.In(this=column("a"), expressions=[number(1)]), expression=exp.var("NOCASE")
    ),
    "t.a BETWEEN (t.b = 1) AND 2": exp.Between(
        this=column("a"), low=exp.EQ(this=column("b"), expression=number(1)), high=number(2)
    ),
    "MAX(t.a, t.b)": exp.Greatest(this=column("a"), expressions=[column("b")]),
    "CAST(t.a AS NUMERIC)": exp.Cast(this=column("a"), to=exp.DataType(this=exp.DType.DECIMAL)),
    "t.a DESC NULLS FIRST": exp.Ordered(this=column("a"), desc=True, nulls_first=True),
    "t.a": exp.Ordered(this=column("a"), desc=False, nulls_first=True),
    "WHERE t.a": exp.Where(this=column("a")),
    't."select"': exp.column("select", table="t"),
}


@pytest.mark.parametrize("text", BUILT)
def test_prints_what_was_built(text: str) -> None:
    tree = BUILT[text]
    before = tree.copy()
    assert to_sql(tree) == text
    assert tree == before


def test_a_nested_operand_of_a_compound_is_wrapped(read: Callable[[str], Query], probe: Connection) -> None:
    one, other = (read(f"SELECT {n} UNION ALL SELECT {n} LIMIT 3").tree for n in (1, 2))
    tree = exp.Except(this=one, expression=other, distinct=True)
    text = to_sql(tree)
    assert text.count("SELECT * FROM (") == 2
    assert probe.execute(text).fetchall() == [(1,)]


def test_offset_without_limit(read: Callable[[str], Query], probe: Connection) -> None:
    tree = read("SELECT 1 UNION ALL SELECT 2 LIMIT 5 OFFSET 1").tree
    assert tree is not None
    tree = tree.copy()
    tree.set("limit", None)
    assert probe.execute(to_sql(tree)).fetchall() == [(2,)]


def test_an_integer_in_order_by_is_no_position(read: Callable[[str], Query], probe: Connection) -> None:
    tree = read("SELECT 1 AS k ORDER BY k || 'x'").tree
    assert tree is not None
    tree = tree.copy()
    tree.args["order"].expressions[0].this.replace(number(5))
    assert to_sql(tree) == "SELECT 1 AS k ORDER BY NULL"
    assert probe.execute(to_sql(tree)).fetchall() == [(1,)]


def test_a_node_without_spelling_is_an_error() -> None:
    with pytest.raises(TypeError):
        to_sql(exp.ArrayAgg(this=column("a")))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "a"),
        ("a b", '"a b"'),
        ('q"q', '"q""q"'),
        ("Select", '"Select"'),
        ("1a", '"1a"'),
        ("é", '"é"'),
        ("", '""'),
    ],
)
def test_quotes_names(name: str, text: str) -> None:
    assert quoted(name) == text


DIFFERENT = [
    "SELECT a FROM t",
    "SELECT DISTINCT a FROM t",
    "SELECT b FROM t",
    "SELECT a FROM t WHERE a = 1",
    "SELECT a FROM t WHERE a = '1'",
    "SELECT a FROM t WHERE a = 1.0",
    "SELECT a FROM t WHERE a IN (1)",
    "SELECT a FROM t WHERE a NOT IN (1)",
    "SELECT a FROM t WHERE a IS 1",
    "SELECT a FROM t WHERE a IS NULL",
    "SELECT a FROM t ORDER BY a",
    "SELECT a FROM t ORDER BY a DESC",
    "SELECT a FROM t ORDER BY a NULLS LAST",
    "SELECT a FROM t ORDER BY a DESC NULLS FIRST",
    "SELECT a FROM t LIMIT 1",
    "SELECT a FROM t LIMIT 1 OFFSET 1",
    "SELECT a FROM t UNION SELECT a FROM t",
    "SELECT a FROM t UNION ALL SELECT a FROM t",
    "SELECT a FROM t JOIN u",
    "SELECT a FROM t LEFT JOIN u",
    "SELECT a FROM t JOIN u ON t_id = a",
    "SELECT a FROM t LEFT JOIN u ON t_id = a",
    "SELECT count(a) FROM t",
    "SELECT count(DISTINCT a) FROM t",
    "SELECT count(*) FROM t",
    "SELECT max(a, 1) FROM t",
    "SELECT max(a) FROM t",
    "SELECT CAST(a AS INT) FROM t",
    "SELECT CAST(a AS TEXT) FROM t",
    "SELECT sum(a) OVER (ORDER BY b) FROM t",
    "SELECT sum(a) OVER (PARTITION BY b) FROM t",
    "SELECT sum(a) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
    "SELECT sum(a) OVER (ORDER BY b ROWS 1 PRECEDING EXCLUDE TIES) FROM t",
]


def test_keys_tell_trees_apart(read: Callable[[str], Query]) -> None:
    trees = [read(sql).tree for sql in DIFFERENT]
    keys = {key(tree) for tree in trees if tree is not None}
    assert len(keys) == len(DIFFERENT)


def test_keys_of_copies_are_equal(read: Callable[[str], Query]) -> None:
    for sql in DIFFERENT:
        tree = read(sql).tree
        assert tree is not None
        assert key(tree) == key(tree.copy())
