"""Result records as ``equiv eval`` writes them, for tests of what is made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from equiv.records.record import Item, Record, to_record
from equiv.relation import Relation, Rows
from equiv.verdict import Derivation, Equivalent, FailureCode, Invalid, Reason, Tier, Undecided, Verdict

BAG = Relation(Rows.BAG)
VERDICTS: dict[str, Verdict] = {
    "equivalent": Equivalent(relation=BAG, tier=Tier.RULES, evidence=Derivation((), (), ""), strongest=BAG),
    "undecided": Undecided(relation=BAG, reason=Reason.NO_PROOF),
    "invalid": Invalid(relation=BAG, tier=Tier.PARSE, failure_code=FailureCode.PRED_SYNTAX, message=""),
}
ITEM = Item("system", 1, "zoo", "SELECT 2", "SELECT 1")


def result_record(verdict: str = "equivalent", *, judge: str = "", **fields: Any) -> Record:
    """A record; ``fields`` are those of the item, or of the record where the item has no such field."""
    own = {name: fields.pop(name) for name in Item.__dataclass_fields__ if name in fields}
    item = replace(ITEM, **own)
    known = VERDICTS["undecided" if verdict == "not_equivalent" else verdict]
    record = to_record(item, known, f"{item.source} {item.question_id} {item.predicted_sql} {judge}")
    if verdict == "not_equivalent":
        record |= {"verdict": verdict, "reason": None, "score": 0, "score_by": "verdict"}
    if judge:
        record["judge"] = {
            "model": judge,
            "run": None,
            "variant": "rose",
            "savings": [],
            "equality": None,
            "class": None,
        }
    return record | fields
