"""Rule packs on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PACK = Path(__file__).parents[2] / "examples" / "packs" / "shop_rules.py"
DDL = "CREATE TABLE orders (id INTEGER PRIMARY KEY, shop INT NOT NULL, code TEXT, total INT);"
TRIMS = ("SELECT TRIM(LTRIM(code)) FROM orders", "SELECT TRIM(code) FROM orders")
RULE = "shop_rules:eliminate_trim_below_trim"
Equiv = Callable[..., Any]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sql"
    path.write_text(DDL)
    return path


def test_check_says_what_is_on_trust(equiv: Equiv, shop: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    done = equiv("check", *TRIMS, "--schema", shop, "--rules", PACK, "--certificate", kept)
    assert done.code == 0
    assert "equivalent  tier packs" in done.out
    assert f"On trust: the algebra does not prove the steps of {RULE}" in done.out
    again = equiv("recheck", kept)
    assert again.code == 2
    assert "neither the derivation as a whole nor step 1" in again.out


def test_explain_shows_what_the_rule_says_of_itself(equiv: Equiv, shop: Path) -> None:
    done = equiv("explain", *TRIMS, "--schema", shop, "--rules", PACK)
    assert f"{RULE} (Take spaces away once)" in done.out


@pytest.mark.long
def test_verify_shows_the_database_against_the_wrong_rule(equiv: Equiv) -> None:
    done = equiv("rules", "verify", PACK)
    assert done.code == 1
    assert "1 proved, 1 tested, 1 refuted" in done.out
    assert "INSERT INTO orders" in done.out
    one = equiv("rules", "verify", PACK, "convert_sum_to_double", "--json")
    assert one.code == 0
    assert [each["status"] for each in json.loads(one.out)] == ["proved"]


def test_rules_lists_and_documents_a_pack(equiv: Equiv) -> None:
    assert RULE in equiv("rules", PACK).out
    assert "Put" not in equiv("rules", PACK, "eliminate_distinct").out
    assert "did you mean" in equiv("rules", PACK, "eliminate_distinc").err


@pytest.mark.parametrize("command", [("rules", "verify"), ("check", "SELECT 1", "SELECT 1", "--rules")])
def test_no_pack_is_one_line(equiv: Equiv, shop: Path, command: tuple[str, ...]) -> None:
    where = ("--schema", shop) if command[0] == "check" else ()
    done = equiv(*command, "nosuch.py", *where)
    assert done.code == 2
    assert done.err == "equiv: nosuch.py: no such rule pack\n"


DOCUMENTED = """
from sqlglot import exp
from equiv.rewrite.rule import rule
from equiv.core.claims.value_types import conforms
from equiv.core.model import Domain

SCHEMA = "CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER)"


def of_a_negative(call):
    return isinstance(call.this, exp.Neg)


def is_number(call, ctx):
    return conforms(call.this.this, Domain.NUMBER, ctx)
"""
DROPS_MINUS = """
@rule(on=exp.Abs, shape=(of_a_negative,), needs=(is_number,))
def drop_minus(call, ctx):
    '''Drop it.

    Before:  SELECT ABS(-a.x) FROM a
    After:   SELECT ABS(a.x) FROM a
    '''
    return exp.Abs(this=call.this.this)
"""


@pytest.mark.parametrize(
    ("rule", "code", "said"),
    [
        # ABS of the least integer raises, of its negative, a REAL, it does not: verdicts excuse errors.
        (DROPS_MINUS, 0, '"status": "proved"'),
        (
            DROPS_MINUS.replace("ABS(-a.x)", "ABS(-a.q)"),
            3,
            "cannot be read on SCHEMA: not a query: no such",
        ),
        (
            DROPS_MINUS.replace("ABS(a.x)", "ABS(a.y)"),
            3,
            "makes another query of that under Before:",
        ),
        (
            DROPS_MINUS.replace("ABS(-a.x)", "ABS(a.x)"),
            3,
            "on no schema pattern",
        ),
    ],
)
def test_the_queries_that_a_rule_documents_are_tried_and_an_open_rule_is_no_success(
    equiv: Equiv, tmp_path: Path, rule: str, code: int, said: str
) -> None:
    (tmp_path / "pack.py").write_text(DOCUMENTED + rule)
    done = equiv("rules", "verify", tmp_path / "pack.py", "--json")
    assert done.code == code
    assert said in done.out
