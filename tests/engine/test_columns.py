"""What SQLite calls the columns of the results that a verdict shows."""

from __future__ import annotations

import pytest

from equiv.dialects.registry import dialect_of
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.relation import Relation, Rows
from equiv.tiers.witness import with_columns
from equiv.verdict import (
    Caveat,
    Derivation,
    Difference,
    Equivalent,
    Execution,
    NotEquivalent,
    ParameterBinding,
    Reason,
    Undecided,
    Verdict,
    Witness,
)

BAG = Relation(Rows.BAG)
SCHEMA = load_ddl("CREATE TABLE t (a INTEGER, b TEXT);", "d")
TEXTS = ("SELECT a AS x, count(*) FROM t", "SELECT * FROM t")
NAMES = (("x", "count(*)"), ("a", "b"))
SHOWN = Witness("", ((1, 2),), ((1, 2),))


def named(verdict: Verdict, texts: tuple[str, str] = TEXTS) -> Verdict:
    with dialect_of(SCHEMA).engine.empty(SCHEMA) as empty:
        return with_columns(verdict, texts, empty)


@pytest.mark.parametrize(
    "verdict",
    [
        NotEquivalent(relation=BAG, evidence=SHOWN, difference=Difference.VALUES),
        NotEquivalent(relation=BAG, evidence=Execution("d", (), ()), difference=Difference.VALUES),
        Undecided(relation=BAG, reason=Reason.NONDETERMINISTIC, evidence=SHOWN),
        Equivalent(relation=BAG, evidence=Derivation((), (), ""), caveat=Caveat((), SHOWN)),
    ],
    ids=["witness", "execution", "tie", "caveat"],
)
def test_results_have_the_names_of_their_columns(verdict: Verdict) -> None:
    found = named(verdict)
    shown = found.caveat.evidence if isinstance(found, Equivalent) and found.caveat else None
    shown = found.evidence if isinstance(found, NotEquivalent | Undecided) else shown
    assert shown is not None
    assert (shown.pred_columns, shown.gold_columns) == NAMES


def test_what_was_run_counts_where_that_is_another_text() -> None:
    shown = Witness("", (), (), binding=ParameterBinding((("?1", 1),), "SELECT 1 AS one", "SELECT 2 AS two"))
    found = named(NotEquivalent(relation=BAG, evidence=shown, difference=Difference.VALUES))
    assert isinstance(found, NotEquivalent)
    assert (found.evidence.pred_columns, found.evidence.gold_columns) == (("one",), ("two",))


def test_a_query_that_does_not_end_or_fails_has_no_names() -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    found = named(
        NotEquivalent(relation=BAG, evidence=SHOWN, difference=Difference.VALUES),
        (endless, "SELECT abs(-9223372036854775808)"),
    )
    assert isinstance(found, NotEquivalent)
    assert (found.evidence.pred_columns, found.evidence.gold_columns) == ((), ())
