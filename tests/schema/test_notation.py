from __future__ import annotations

from dataclasses import replace

import pytest

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.schema.policy import facts_for, parse_fact

SCHEMA = load_ddl(
    """CREATE TABLE t (a INT, "b c" TEXT, d, "x.y" TEXT, g INT AS (a + 1));
    CREATE TABLE "order" (k INTEGER PRIMARY KEY, "é" TEXT, l);
    CREATE VIEW v AS SELECT a FROM t WHERE a > 0"""
)


@pytest.mark.parametrize(
    "text",
    [
        "not_null(t.a)",
        'not_null(t."b c")',
        'unique(t.a, t."b c")',
        'inclusion(t.a -> "order".k)',
        'inclusion(t.a, t."x.y" -> "order".k, "order"."é")',
        "functional(t.a -> t.d)",
        'functional(t.a, t."b c" -> t.d, t."x.y")',
        'iso_date(t."b c")',
        'numeric_text(t."x.y")',
        "type(t.a)",
        "check(t: a > 0 AND \"b c\" <> ')' OR d IN (1, 2))",
        'check("order": k > 0)',
        "not_empty(t)",
        'not_empty("order")',
        "exact_arithmetic",
        "no_overflow",
    ],
)
def test_text_comes_back(text: str) -> None:
    fact = parse_fact(text, SCHEMA)
    assert fact.grade is Grade.ASSUMED
    assert str(fact) == text


def test_case_blanks_and_other_quotes_do_not_matter() -> None:
    expected = Fact(FactKind.INCLUSION, Grade.ASSUMED, "t", ("a", "b c"), "order", ("k", "é"))
    assert parse_fact(' INCLUSION ( T.A,[t].`B C`->"ORDER".k ,"order".é ) ', SCHEMA) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("not_null(u.a)", "no table 'u'"),
        ("not_null(t.z)", "no column 'z' in table 't'"),
        ("not_null(a)", "table.column"),
        ("not_null(t.'a')", "table.column"),
        ("not_null(t.a, t.d)", "one column"),
        ("not_null()", "table.column"),
        ("not_null", "not a fact"),
        ("not_nul(t.a)", "not a fact"),
        ("", "not a fact"),
        ("no_overflow(t.a)", "not a fact"),
        ("unique(t.a, order.k)", "one table"),
        ("unique(t.a, t.A)", "different"),
        ("inclusion(t.a)", "->"),
        ("unique(t.a -> t.d)", "->"),
        ("inclusion(t.a, t.d -> order.k)", "as many"),
        ("functional(t.a -> order.k)", "one table"),
        ("type(t.d)", "no declared type"),
        ("check(t: z > 0)", "no such column"),
        ("check(t: a > 0) OR (1)", "parentheses"),
        ("check(t: a > 0), b TEXT CHECK (1)", "parentheses"),
        ("check(t: a > (SELECT 1))", "subqueries"),
        ("check(t: )", "an example"),
        ("check(a > 0)", "an example"),
        ("not_empty", "not a fact"),
        ("not_empty()", "an example is not_empty(t)"),
        ("not_empty(t.a)", "an example is not_empty(t)"),
        ("not_empty('t')", "an example is not_empty(t)"),
        ("not_empty(u)", "no table 'u'"),
        ("not_empty(v)", "no table 'v'"),
    ],
)
def test_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_fact(text, SCHEMA)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_fact_of_a_schema_comes_back() -> None:
    for fact in facts_for(SCHEMA, "intended"):
        assert parse_fact(str(fact), SCHEMA) == replace(fact, grade=Grade.ASSUMED)
