"""The expression grammar against SQLite's own: every pair of operators groups as SQLite groups it."""

from __future__ import annotations

from itertools import product

import pytest

from equiv.core.lexer import GrammarError, TokenKind, tokens
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.read import program
from equiv.dialects.sqlite.resolve.trees import resolve

BINARY = [
    "OR",
    "AND",
    "=",
    "==",
    "<>",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&",
    "|",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "||",
    "IS",
    "LIKE",
    "GLOB",
    "IS NOT",
    "IS DISTINCT FROM",
    "IS NOT DISTINCT FROM",
    "NOT LIKE",
    "NOT GLOB",
]
POSTFIX = [
    "IN (1, 2)",
    "NOT IN (1)",
    "ISNULL",
    "NOTNULL",
    "NOT NULL",
    "IS NULL",
    "IS NOT TRUE",
    "COLLATE NOCASE",
    "BETWEEN x AND 3",
    "NOT BETWEEN 1 AND x",
    "LIKE b ESCAPE 'c'",
    "IN one",
]
PREFIX = ["NOT", "-", "~"]


def same(expression: str, schema: Schema, probe: Connection) -> bool:
    sql = f"SELECT {expression} FROM t"
    resolved = to_sql(resolve(read(sql), schema), verbatim=True)
    try:
        return program(probe, resolved) == program(probe, sql)
    except RunnerError:
        return False


def test_two_operators_group_as_in_sqlite(schema: Schema, probe: Connection) -> None:
    wrong = [
        text
        for first, second in product(BINARY, BINARY)
        if not same(text := f"a {first} b {second} x", schema, probe)
    ]
    assert not wrong


def test_operators_before_and_after_group_as_in_sqlite(schema: Schema, probe: Connection) -> None:
    texts = [f"{prefix} a {after}" for prefix, after in product(PREFIX, POSTFIX)]
    texts += [f"{prefix} a {sign} b" for prefix, sign in product(PREFIX, BINARY)]
    texts += [f"a {sign} {prefix} b" for prefix, sign in product(PREFIX, BINARY)]
    texts += [f"a {sign} b {after}" for sign, after in product(BINARY, POSTFIX)]
    texts += [f"a {after} {sign} b" for sign, after in product(BINARY, POSTFIX)]
    texts += [f"a {first} {second}" for first, second in product(POSTFIX, POSTFIX)]
    texts = [text for text in texts if takes(text, probe)]
    assert len(texts) > 900
    assert not [text for text in texts if not same(text, schema, probe)]


def takes(expression: str, probe: Connection) -> bool:
    try:
        probe.execute(f"EXPLAIN SELECT {expression} FROM t")
    except RunnerError:
        return False
    return True


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("a = b IN (1)", "(t.a = t.b) IN (1)"),
        ("a || b * 2", "(t.a || t.b) * 2"),
        ("a * b || 2", "t.a * (t.b || 2)"),
        ("1 < 2 = 2 > 1", "(1 < 2) = (2 > 1)"),
        ("a - (b - x)", "t.a - (t.b - t.x)"),
        ("a - b - x", "t.a - t.b - t.x"),
        ("(a OR b) AND x", "(t.a OR t.b) AND t.x"),
        ("NOT a = b", "NOT (t.a = t.b)"),
        ("NOT a IN (1)", "t.a NOT IN (1)"),
        ("-a COLLATE NOCASE", "-t.a COLLATE NOCASE"),
        ("- - 1", "-(-1)"),
        ("a BETWEEN 1 AND 2 AND b", "t.a BETWEEN 1 AND 2 AND t.b"),
        ("x'ab'", "x'AB'"),
        ("0x10 + 1e5 + .5", "16 + 1e5 + .5"),
        ("CAST(a AS NUMERIC)", "CAST(t.a AS NUMERIC)"),
        ("CAST(a AS DECIMAL(10, 2))", "CAST(t.a AS NUMERIC)"),
        ("CAST(a AS VARCHAR(20))", "CAST(t.a AS TEXT)"),
        ("CAST(a AS UNSIGNED BIG INT)", "CAST(t.a AS INTEGER)"),
        ("CAST(a AS FLOAT)", "CAST(t.a AS REAL)"),
        ("CAST(a AS DATE)", "CAST(t.a AS NUMERIC)"),
        ("CAST(a AS BLOB)", "CAST(t.a AS BLOB)"),
        ("max(a, b)", "MAX(t.a, t.b)"),
        ("ifnull(a, 0)", "COALESCE(t.a, 0)"),
        ("substring(b, 2)", "SUBSTR(t.b, 2)"),
        ("strftime('%Y', b, '+1 day')", "STRFTIME('%Y', t.b, '+1 day')"),
        ("ltrim(b, 'x') || trim(b) || rtrim(b)", "LTRIM(t.b, 'x') || TRIM(t.b) || RTRIM(t.b)"),
        ("iif(a, 1, 2)", "IIF(t.a, 1, 2)"),
        ("CASE a WHEN 1 THEN b END", "CASE t.a WHEN 1 THEN t.b END"),
        ("(a, b) = (1, 'k')", "(t.a, t.b) = (1, 'k')"),
        ("a IN ((SELECT 1))", "t.a IN (SELECT 1 AS expr)"),
        ("a IN ()", "t.a IN ()"),
        ("a IS TRUE", "t.a IS TRUE"),
        ("a IS NOT DISTINCT FROM b", "t.a IS t.b"),
        ("+1 - +2", "1 - 2"),
    ],
)
def test_prints(given: str, printed: str, schema: Schema, probe: Connection) -> None:
    sql = f"SELECT {given} AS e FROM t"
    assert to_sql(resolve(read(sql), schema)) == f"SELECT {printed} AS e FROM t"
    assert same(given, schema, probe)


def test_tokens_stand_where_the_text_says() -> None:
    text = "SELECT/*;*/'a;''b' --;\n, \"c;\", [d;], `e;`, x'0f', .5e-3 -> y"
    found = [text[token.start : token.end] for token in tokens(text)]
    assert found == [
        "SELECT",
        "'a;''b'",
        ",",
        '"c;"',
        ",",
        "[d;]",
        ",",
        "`e;`",
        ",",
        "x'0f'",
        ",",
        ".5e-3",
        "->",
        "y",
        "",
    ]


def test_an_unclosed_quote_is_illegal_to_the_end() -> None:
    assert [token.kind for token in tokens("a 'b c")] == [TokenKind.NAME, TokenKind.ILLEGAL, TokenKind.END]


def test_keywords_are_ascii() -> None:
    assert tokens("\u017felect")[0].word == "\u017felect"


@pytest.mark.parametrize(
    "text", ["SELECT", "SELECT 1 1", "SELECT a FROM", "(SELECT 1)", "SELECT 1 FROM t ON"]
)
def test_refuses_what_is_no_query(text: str) -> None:
    with pytest.raises(GrammarError):
        read(text)
