"""What random claims are about: two tables, what is known of them, and rows that are bound."""

from __future__ import annotations

from equiv.algebra.terms import (
    And,
    Apply,
    Bag,
    Binding,
    Compare,
    Constant,
    Field,
    Scan,
    Squash,
    Term,
    Variable,
    integer,
)
from equiv.core.model import Column, Schema, Table
from equiv.facts import Fact, FactKind, Facts, Grade

CHILD = Table(
    "child",
    (
        Column("id", "INTEGER"),
        Column("i", "INTEGER"),
        Column("n", "INTEGER"),
        Column("r", "REAL"),
        Column("s", "TEXT"),
        Column("t", "TEXT"),
        Column("d", "DATE"),
        Column("a"),
        Column("m", "NUMERIC"),
        Column("b", "BOOLEAN"),
        Column("p", "INTEGER"),
        Column("q", "REAL"),
    ),
    ("id",),
)
PARENT = Table(
    "parent",
    (Column("id", "INTEGER"), Column("name", "TEXT"), Column("d", "DATE"), Column("g", "INTEGER")),
    ("id",),
)
SCHEMA = Schema((CHILD, PARENT))


def _fact(kind: FactKind, table: str = "", *columns: str, **more: object) -> Fact:
    return Fact(kind, Grade.INTENDED, table, columns, **more)  # type: ignore[arg-type]


FACTS = Facts(
    [
        *(_fact(FactKind.TYPE, t.name, c.name) for t in SCHEMA.tables for c in t.columns if c.declared_type),
        *(_fact(FactKind.NOT_NULL, *place) for place in (("child", "id"), ("child", "n"), ("parent", "id"))),
        _fact(FactKind.UNIQUE, "child", "id"),
        _fact(FactKind.UNIQUE, "parent", "id"),
        _fact(FactKind.INCLUSION, "child", "p", parent="parent", parent_columns=("id",)),
        _fact(FactKind.INCLUSION, "child", "q", parent="parent", parent_columns=("id",)),
        _fact(FactKind.INCLUSION, "parent", "g", parent="parent", parent_columns=("id",)),
        _fact(FactKind.ISO_DATE, "child", "d"),
        _fact(FactKind.ISO_DATE, "parent", "d"),
    ]
)
EXACT = (_fact(FactKind.EXACT_ARITHMETIC), _fact(FactKind.NO_OVERFLOW))

ONE, TWO, ABOVE = Variable(1, "one"), Variable(2, "two"), Variable(3, "above")
DISTINCT, _INNER, _OTHER = Variable(4, "distinct"), Variable(5, "inner"), Variable(6, "other")
DERIVED = Squash(
    Bag(
        (
            Term(
                (Binding(_INNER, Scan("child")),),
                And(
                    (
                        Compare("<", integer(0), Field(_INNER, "n")),
                        Compare("=", Field(_INNER, "p"), Field(_INNER, "p")),
                    )
                ),
                (Field(_INNER, "p"), Field(_INNER, "s"), Apply("+", (Field(_INNER, "n"), integer(1)))),
            ),
            Term(
                (Binding(_OTHER, Scan("parent")),),
                Compare("<", Field(_OTHER, "id"), integer(3)),
                (Field(_OTHER, "id"), Field(_OTHER, "name"), Constant("real", "7.0")),
            ),
        )
    )
)
"""A derived table: a row of it is a child's (n positive, p not NULL) or a parent's (id below 3)."""

BOUND = frozenset({ONE, TWO, ABOVE, DISTINCT})

ROWS = (
    Binding(ONE, Scan("child")),
    Binding(TWO, Scan("child")),
    Binding(ABOVE, Scan("parent")),
    Binding(DISTINCT, DERIVED),
)
