"""One entry of a data file as an item; whatever is wrong with it is a fault that the item carries.

An item that is no pair, an infeasible question or an abstention without a query (TrustSQL, arXiv 2403.15879,
section 3), gets its record without the engine: it is
undecided, because nothing was compared, and scored by what abstaining is worth: 1 for an infeasible
question, 0 for one that has an answer; answering an infeasible question is 0.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from equiv.eval.plan import Job
from equiv.options import Options
from equiv.records.item import Fault, FaultKind, Item, JsonValue
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided

ABSTENTIONS = frozenset({"null", "none", "not_answerable", "not answerable"})
SENTENCE = "this question cannot"


def abstains(prediction: str) -> bool:
    """Whether a text is one that TrustSQL's systems give in place of a query."""
    text = prediction.strip().lower().rstrip(".;")
    return text in ABSTENTIONS or text.startswith(SENTENCE)


def abstention_record(job: Job, key: str, options: Options) -> Record:
    """The record of an item that is no pair."""
    item = job.item
    reason = Reason.NO_ANSWER if item.abstained else Reason.GOLD_INVALID
    detail = "the system abstains" if item.abstained else "the question is infeasible and has no gold query"
    relation = resolve_relation(options.relation, gold_orders=False)
    verdict = Undecided(relation=relation, reason=reason, detail=detail)
    return to_record(item, verdict, key) | {"score": score_of(item), "score_by": "abstention"}


def score_of(item: Item) -> int:
    """1 for abstaining where nothing can be answered, else 0."""
    return int(item.feasible is False and bool(item.abstained))


LONGEST_VALUE = 1_000
"""How many characters of JSON an id and the like may have."""

ABSENT = object()


def item_of(
    record: Mapping[str, Any], source: str, position: JsonValue, faults: Sequence[Fault] = ()
) -> Item:
    """The item of a record with lower-case field names.

    Args:
        record: its fields.
        source: the system, where the record names none.
        position: the id, where the record has none.
        faults: what is known to be wrong with it.
    """
    feasible = _truth(record.get("feasible"))
    golds, gold_faults = _golds(record, feasible)
    predicted, abstained, pred_faults = _prediction(record, feasible, faults)
    label = _truth(record.get("label"))
    return Item(
        source=source_of(record, source),
        question_id=_plain(record["question_id"]) if record.get("question_id") is not None else position,
        db_id=db_of(record),
        predicted_sql=predicted,
        gold_sql=golds[0],
        question=_text(record.get("question")),
        hint=_text(record.get("evidence")) or _text(record.get("hint")),
        label=_plain(record.get("label")) if label is None else label,
        difficulty=_plain(record.get("difficulty")),
        feasible=feasible,
        abstained=abstained,
        question_type=_text(record.get("question_type")) or _text(record.get("type")),
        seen=_truth(record.get("seen")),
        confidence=_number(record.get("confidence")),
        interaction=_plain(record.get("interaction", record.get("interaction_id"))),
        alternatives=golds[1:],
        faults=(*faults, *gold_faults, *pred_faults),
    )


def unreadable(source: str, where: str, trouble: str) -> Item:
    """The item of an entry that is no record."""
    return Item(source, where, "", "", "", faults=(Fault(FaultKind.UNREADABLE, trouble),))


def source_of(record: Mapping[str, Any], source: str) -> str:
    """The system that a record names, or that of its file."""
    return _text(record.get("method")) or _text(record.get("source")) or source


def source_of_all(named: Collection[str], source: str) -> str:
    """The system of entries that name none: the one that all other entries of the file name, if any."""
    return next(iter(named)) if len(named) == 1 else source


def db_of(record: Mapping[str, Any]) -> str:
    """The name of a record's database, or ''."""
    name = record.get("db_id")
    return str(name) if isinstance(name, int) and not isinstance(name, bool) else _text(name).strip()


def described(value: object) -> str:
    """A description of a value that stands in the place of a query."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the value {str(value).lower()}"
        case int() | float():
            return f"a number, {_short(value)}"
        case list():
            return "a list"
        case Mapping():
            return "an object"
    return "absent" if value is ABSENT else f"of type {type(value).__name__}"


def _short(value: object) -> str:
    text = json.dumps(value) if not isinstance(value, int) or value.bit_length() < 64 else "a long one"
    return text[:20]


def _golds(record: Mapping[str, Any], feasible: bool | None) -> tuple[tuple[str, ...], list[Fault]]:
    """The gold queries, the first maybe empty, and what is wrong with them."""
    value = record.get("gold_sql", ABSENT)
    values = value if isinstance(value, list) else [value]
    texts = [text for text in values if isinstance(text, str)]
    golds = tuple(dict.fromkeys(text for text in texts if text.strip())) or (texts[0] if texts else "",)
    if feasible is False or (texts and len(texts) == len(values)):
        return golds, []
    trouble = f"the gold query is {described(value)}"
    if isinstance(value, list):
        bad = len(values) - len(texts)
        trouble = (
            f"{bad} of {len(values)} gold queries are no text"
            if values
            else "the list of gold queries is empty"
        )
    return golds, [Fault(FaultKind.GOLD_NOT_TEXT, trouble)]


def _prediction(
    record: Mapping[str, Any], feasible: bool | None, known: Sequence[Fault]
) -> tuple[str, bool | None, list[Fault]]:
    """The predicted query, whether the system abstains, where the record says what is feasible, and faults.

    There, null is an abstention; elsewhere it is a prediction that is missing.
    """
    value = record.get("predicted_sql", ABSENT)
    text = _text(value)
    faults = []
    if not isinstance(value, str) and all(fault.kind is not FaultKind.NO_PREDICTION for fault in known):
        faults = [Fault(FaultKind.PREDICTION_NOT_TEXT, f"the prediction is {described(value)}")]
    stated = _truth(record.get("abstained"))
    if stated is not None:
        return text, stated, [] if stated else faults
    if feasible is None:
        return text, None, faults
    if value is None or abstains(text):
        return "", True, []
    return text, False, faults


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None


def _number(value: object) -> float | None:
    """A finite number; tables without types have it as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _plain(value: Any) -> JsonValue:
    """An id, label or the like as it is, unless it is nested beyond reason."""
    if not isinstance(value, list | dict | int) or isinstance(value, bool):
        return value if isinstance(value, str | float | bool) else None
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        return None
    return value if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE]


def _text(value: object) -> str:
    """A text field; anything but a string (null, the number 0 of BIRD's tools) is no text."""
    return value if isinstance(value, str) else ""
