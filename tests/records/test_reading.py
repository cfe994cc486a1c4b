"""A verdict read back from its record makes the same record again."""

from __future__ import annotations

import pytest
from kit.result_records import BAG, ITEM, VERDICTS

from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.records.record import to_record
from equiv.records.verdict_json import verdict_of
from equiv.relation import Relation, Rows
from equiv.verdict import (
    Attempt,
    Caveat,
    Difference,
    Equivalent,
    Execution,
    NotEquivalent,
    Obligation,
    ParameterBinding,
    Proof,
    Reason,
    Remark,
    RemarkKind,
    Tier,
    Undecided,
    Verdict,
    Witness,
)

FACT = Fact(FactKind.NOT_NULL, Grade.DECLARED, "t", ("a",))
WITNESS = Witness("CREATE TABLE t (a);\nINSERT INTO t (a) VALUES (1);\n", ((b"\x00", None),), ((1.5, "x"),))
NAMED = Execution("zoo.sqlite", ((1, 2),), (), pred_columns=("a", "count(*)"), gold_columns=("b", ""))
CASES: dict[str, Verdict] = {
    **VERDICTS,
    "proof": Equivalent(
        relation=BAG,
        tier=Tier.PROOF,
        facts=(FACT,),
        evidence=Proof("p", "g", ("p ~ g",), (Obligation("claim", "(check-sat)"),)),
        strongest=Relation(Rows.LIST),
        caveat=Caveat(("a + b",), WITNESS),
        attempts=(Attempt(Tier.RULES, "passed", "", 1.5), Attempt(Tier.PROOF, "settled", "", 2.0)),
        remarks=(Remark(RemarkKind.TIE, "gold", "a tie"),),
    ),
    "refuted": NotEquivalent(
        relation=BAG,
        tier=Tier.GENERATE,
        evidence=WITNESS,
        difference=Difference.NULL,
        weakest=Relation(Rows.SET),
    ),
    "named": NotEquivalent(relation=BAG, tier=Tier.DATA, evidence=NAMED, difference=Difference.EMPTY),
    "bound": NotEquivalent(
        relation=BAG,
        tier=Tier.DATA,
        evidence=Execution(
            "zoo.sqlite", ((float("inf"),),), (), ParameterBinding((("?1", 1),), "SELECT 1", "SELECT 2")
        ),
        difference=Difference.EMPTY,
    ),
    "tie": Undecided(relation=BAG, reason=Reason.NONDETERMINISTIC, evidence=WITNESS, bounded=2),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_what_was_written(name: str) -> None:
    record = to_record(ITEM, CASES[name], "key")
    assert to_record(ITEM, verdict_of(record), "key") == record


def test_a_damaged_record_is_told() -> None:
    record = to_record(ITEM, CASES["refuted"], "key")
    for damage in ({"evidence": None}, {"relation": "no"}, {"verdict": "maybe"}, {"attempts": 5}):
        with pytest.raises(InputError, match="record key is damaged"):
            verdict_of(record | damage)
