"""The result record: one JSON object per pair, the same for ``check --json`` and ``eval``, and its item.

An item is one prediction to be judged, as read from a data file.

All keys stand in every record; what a judge did not run for is null or empty. What the verdict itself
fills is in :mod:`equiv.records.verdict_json`. A record may come from anywhere: what reads its fields is
told once, by :func:`fault_of`, that they are what they should be.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equiv import verdict as v
from equiv.files import is_text
from equiv.options import TIERS
from equiv.records import forms
from equiv.records.verdict_json import (
    ATTEMPT,
    CAVEAT,
    EVIDENCE,
    FACTS,
    REMARK,
    Record,
    said_by,
    to_json,
    versions,
)
from equiv.workers.lanes import tells_of_killing

if TYPE_CHECKING:
    from equiv.options import Options


JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class FaultKind(v.Explained):
    """The kinds of faults that an item of a data file can have (closed list)."""

    UNREADABLE = "unreadable", "the entry is not a record"
    NO_PREDICTION = "no_prediction", "no prediction for the question: counted as wrong"
    PREDICTION_NOT_TEXT = "prediction_not_text", "no text in place of the prediction: counted as wrong"
    """Null, a number or the like stands in place of the predicted query, or nothing does."""
    NO_GOLD = "no_gold", "no gold query for the prediction: undecided"
    GOLD_NOT_TEXT = "gold_not_text", "no text in place of a gold query: undecided if it is the only one"
    """Null, a number or the like stands in place of the gold query, or nothing does."""
    NO_DATABASE = "no_database", "no database or schema: undecided"
    """The item names no database, or one of which neither file nor schema can be found and read."""
    OTHER_DATABASE = "other_database", "the prediction is for another database than its gold query"
    REPEATED_ID = "repeated_id", "one id with several predictions: each is counted"
    """One system gives several different predictions for the question."""
    NO_ID = "no_id", "no question id"
    """The entry has no question id, while others of its file have one."""
    AMBIGUOUS_ID = "ambiguous_id", "several questions with the id: compared with each"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an item; the item is recorded and counted all the same."""

    kind: FaultKind
    text: str
    """One line."""


@dataclass(frozen=True, slots=True)
class Item:
    """A pair with where it comes from; fields that the file does not have are empty or None."""

    source: str
    """The method that predicted, or the file's stem."""
    question_id: JsonValue
    """As in the file, JSON type kept; the 0-based position where the file has none."""
    db_id: str
    predicted_sql: str
    gold_sql: str
    question: str = ""
    hint: str = ""
    label: JsonValue = None
    """Whether an expert calls the prediction right."""
    difficulty: JsonValue = None
    feasible: bool | None = None
    """Whether any query answers the question, where the data says so."""
    abstained: bool | None = None
    """Whether the system gives no answer, where that is allowed; a query may stand beside it all the same."""
    question_type: str = ""
    """Why a question is infeasible, or how it was made."""
    seen: bool | None = None
    """Whether its kind was seen in training."""
    confidence: float | None = None
    """The system's own, higher where it is surer."""
    interaction: JsonValue = None
    """The conversation that the question belongs to."""
    alternatives: tuple[str, ...] = ()
    """Further gold queries: the prediction is right if it meets one of them all."""
    faults: tuple[Fault, ...] = ()

    @property
    def golds(self) -> tuple[str, ...]:
        """All gold queries."""
        return (self.gold_sql, *self.alternatives)

    @property
    def is_pair(self) -> bool:
        """Whether there are two queries to compare, which abstentions and infeasible questions lack."""
        return self.feasible is not False and not (self.abstained and not self.predicted_sql.strip())

    @property
    def target(self) -> tuple[str, str]:
        """The target of the prediction: the gold query on its database.

        Some question ids carry several gold texts, and some questions share one.
        """
        return (self.db_id, self.gold_sql)


__all__ = [
    "STATED",
    "UNSETTLED",
    "Record",
    "is_settled",
    "packs_of",
    "pair_key",
    "to_json",
    "to_record",
    "versions",
    "worth",
]

STATED: Record = {
    "question_type": "",
    "seen": None,
    "confidence": None,
    "interaction": None,
    "faults": [],
    "golds": [],
    "ex": {},
    "dialect": "",
}
"""What a record says of what it says nothing of; older files lack these keys."""

UNSETTLED = frozenset({"TIMEOUT", "INTERNAL", "NO_ANSWER", "BUDGET"})
"""Reasons whose records a rerun does not resume from, unless there is a score: the pair is tried again."""


Packs = list[list[str]]
"""Rule packs, each by its name and the digest of its source."""


def pair_key(item: Item, place_digest: str, options: Options, packs: Packs | None = None) -> str:
    """SHA-256 over source, ids, both queries, schema and data, options and versions.

    The timeout is left out: it is the outer kill, no part of a settled verdict.

    Args:
        item: the pair.
        place_digest: of what it is checked on.
        options: how.
        packs: :func:`packs_of` the options, where they were read before.
    """
    packs = packs_of(options) if packs is None else packs
    stated: list[object] = [item.feasible, item.abstained, item.question_type, item.seen, item.confidence]
    stated.append(item.interaction)
    parts = [
        [item.source, item.question_id, item.db_id, item.predicted_sql, item.gold_sql],
        *([stated] if any(value not in (None, "") for value in stated) else ()),
        *([list(item.alternatives)] if item.alternatives else ()),
        place_digest,
        [*_telling_options(options), *([packs] if packs else ())],
        versions(options.pair_dialect),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _telling_options(options: Options) -> list[object]:
    """What of the options may change a verdict."""
    chosen = [tier for tier in TIERS if tier in options.tiers]
    return [
        *(options.relation, options.facts, list(options.assume), options.rounding_counted, options.effort),
        options.errors,
        *(chosen, options.accept, options.conditions, options.confirm, options.pair_dialect),
        *(() if options.live_prepare else ("no live prepare",)),
        *(() if options.matviews == "free" else ("fresh views",)),
    ]


def packs_of(options: Options) -> Packs:
    """The rule packs that count, as their files are now.

    Raises:
        InputError: one cannot be loaded.
    """
    if not options.rules:
        return []
    from equiv.packs import load_packs

    return [[pack.name, pack.digest] for pack in load_packs(options.rules)]


def is_settled(record: Record) -> bool:
    """Whether a rerun may take the record over: a score that a judge was paid for stands.

    A worker that somebody killed says nothing of its pair, which another run may decide.
    """
    if record.get("score") is not None:
        return True
    was_killed = record["reason"] == "RESOURCE" and tells_of_killing(str(record.get("detail")))
    return record["reason"] not in UNSETTLED and not was_killed


def worth(record: Record) -> int:
    """The rank of a record among those of its key: 2, or 1 for RESOURCE, or 0 if a rerun tries it again.

    Whether memory sufficed may be the machine's doing, not the pair's.
    """
    if not is_settled(record):
        return 0
    return 1 if record["reason"] == "RESOURCE" and record.get("score") is None else 2


OF_ITEM = (
    *("source", "question_id", "db_id", "question", "hint", "predicted_sql", "gold_sql", "label"),
    *("difficulty", "feasible", "abstained", "question_type", "seen", "confidence", "interaction"),
)
"""The fields of an item that a record has as they are."""


def is_executed(record: Record) -> bool | None:
    """Whether results are equal by the execution accuracy that a record holds; None if none was measured."""
    known = [score for score in record.get("ex", {}).values() if score is not None]
    return any(known) if known else None


def to_record(item: Item, verdict: v.Verdict, key: str, accepted_rows: int | None = None) -> Record:
    """The record of one pair; see :attr:`Options.accepted_rows` for what bounded search may score.

    ``golds`` and ``ex`` are empty here; :mod:`equiv.eval.evaluation` fills them in.
    """
    score, score_by = _score(verdict, accepted_rows)
    said = said_by(verdict)
    said["detail"] = _why(item, said["failure_code"], said["detail"])
    measured = {name: said.pop(name) for name in ("ms", "attempts", "versions")}
    return {
        "key": key,
        **{name: getattr(item, name) for name in OF_ITEM},
        "faults": [{"kind": fault.kind, "text": fault.text} for fault in item.faults],
        "golds": [],
        **said,
        "score": score,
        "score_by": score_by,
        "ex": {},
        "judge": None,
        "prover_result": None,
        "refuter_result": None,
        "llm": {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0},
        **measured,
    }


def _score(verdict: v.Verdict, accepted_rows: int | None) -> tuple[int | None, str | None]:
    """The metric's answer without a judge, and who gives it."""
    match verdict:
        case v.Equivalent(evidence=v.Proof()):
            return 1, "proof"
        case v.Equivalent(evidence=v.Derivation(on_trust=(_, *_))):
            return 1, "packs"
        case v.Equivalent():
            return 1, "rules"
        case v.NotEquivalent():
            return 0, "verdict"
        case v.Invalid():
            return 0, "parse"
        case v.Undecided(bounded=int(rows)) if accepted_rows is not None and rows >= accepted_rows:
            return 1, "bounded"
    return None, None


TELLING_FAULTS = {
    v.FailureCode.PRED_EMPTY: (FaultKind.NO_PREDICTION, FaultKind.PREDICTION_NOT_TEXT),
    v.FailureCode.GOLD_EMPTY: (FaultKind.UNREADABLE, FaultKind.NO_GOLD, FaultKind.GOLD_NOT_TEXT),
}
"""The faults that say more of an empty text than that it is empty."""


def _why(item: Item, code: v.FailureCode | None, said: str | None) -> str | None:
    """What is wrong with a query: what was wrong with the item as read, if that is why."""
    kinds = TELLING_FAULTS.get(code, ()) if code else ()
    return next((fault.text for fault in item.faults if fault.kind in kinds), said)


BRIEF = (
    *("verdict", "tier", "relation", "difference", "reason", "failure_code", "detail"),
    *("equivalent_if", "remarks", "score", "score_by"),
)
"""What a brief record has of a record."""


def brief_of(record: Record) -> Record:
    """The fields of a record that say what came out, those that are empty left out."""
    return {name: record[name] for name in BRIEF if record[name] not in (None, "", [])}


FIELDS: dict[str, forms.JsonForm] = {
    "key": forms.plain(str, "no text", is_text),
    "source": forms.TEXT,
    "question_id": forms.ANY,
    **dict.fromkeys(("db_id", "question", "hint", "predicted_sql", "gold_sql"), forms.TEXT),
    **dict.fromkeys(("label", "difficulty"), forms.ANY),
    **dict.fromkeys(("feasible", "abstained"), forms.or_null(forms.FLAG)),
    "question_type": forms.TEXT,
    "seen": forms.or_null(forms.FLAG),
    "confidence": forms.or_null(forms.NUMBER),
    "interaction": forms.ANY,
    "faults": forms.list_of(forms.shape_of({"kind": forms.TEXT, "text": forms.TEXT})),
    "golds": forms.list_of(forms.shape_of({"sql": forms.TEXT, "verdict": forms.TEXT})),
    "caveat": CAVEAT,
    "verdict": forms.TEXT,
    "tier": forms.or_null(forms.TEXT),
    **dict.fromkeys(("dialect", "relation"), forms.TEXT),
    **dict.fromkeys(("facts", "facts_dropped"), FACTS),
    **dict.fromkeys(("reason", "detail", "failure_code", "difference"), forms.or_null(forms.TEXT)),
    "evidence": EVIDENCE,
    "bounded": forms.or_null(forms.shape_of({"rows": forms.COUNT})),
    "fragment": forms.or_null(forms.FLAG),
    "parts": forms.or_null(forms.shape_of({"pred": forms.TEXT, "gold": forms.TEXT})),
    "databases": forms.or_null(forms.COUNT),
    "remarks": forms.list_of(REMARK),
    "equivalent_if": forms.list_of(
        forms.shape_of(
            {"fact": forms.TEXT, "satisfied": forms.or_null(forms.FLAG), "observed": forms.FLAG},
            ("observed",),
        )
    ),
    "confirmed": forms.or_null(forms.FLAG),
    **dict.fromkeys(("strongest", "weakest"), forms.or_null(forms.TEXT)),
    "score": forms.or_null(forms.NUMBER),
    "score_by": forms.or_null(forms.TEXT),
    "ex": forms.values_of(forms.ANY),
    **dict.fromkeys(("judge", "prover_result", "refuter_result"), forms.or_null(forms.values_of(forms.ANY))),
    "llm": forms.values_of(forms.COUNT),
    "ms": forms.values_of(forms.NUMBER),
    "attempts": forms.list_of(ATTEMPT),
    "versions": forms.values_of(forms.TEXT),
}
"""The fields of a record, in their order."""

_LATER = frozenset(
    {
        *("feasible", "abstained", "question_type", "seen", "confidence", "interaction", "faults", "golds"),
        *("caveat", "dialect", "detail", "fragment", "parts", "databases", "remarks", "confirmed"),
        *("strongest", "weakest", "ex"),
    }
)
"""What records of older versions may lack."""


def fault_of(record: Mapping[str, Any]) -> str:
    """The first way in which an object departs from the shape of a record, in words; '' if it is one."""
    for name, form in FIELDS.items():
        if name not in record and name not in _LATER:
            return f"it lacks {name!r}"
        if name in record and not form.holds(record[name]):
            return f"its {name!r} is none"
    return ""
