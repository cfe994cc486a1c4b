"""One record of a ROSE list or of JSON lines as an item, its fields checked."""

from __future__ import annotations

from typing import Any

from equiv.errors import InputError
from equiv.eval.abstention import abstains
from equiv.records.item import Item


def item_of(record: dict[str, Any], source: str, position: int, where: str) -> Item:
    """The item of a record with lower-case field names.

    Raises:
        InputError: a field is missing or has another type; the message begins with ``where``.
    """
    feasible = record.get("feasible")
    if feasible is False:
        record = {**record, "gold_sql": _text(record.get("gold_sql"))}
    for name in ("db_id", "predicted_sql", "gold_sql"):
        if name not in record:
            raise InputError(f"{where}: no field {name!r}")
    for name in ("db_id", "gold_sql"):
        if not isinstance(record[name], str):
            raise InputError(f"{where}: {name!r} is not a string")
    predicted, abstained = _prediction(record)
    return Item(
        source=_text(record.get("method")) or _text(record.get("source")) or source,
        question_id=record.get("question_id", position),
        db_id=record["db_id"],
        predicted_sql=predicted,
        gold_sql=record["gold_sql"],
        question=_text(record.get("question")),
        hint=_text(record.get("evidence")) or _text(record.get("hint")),
        label={"true": True, "false": False}.get(str(record.get("label")).lower(), record.get("label")),
        difficulty=record.get("difficulty"),
        feasible=feasible if isinstance(feasible, bool) else None,
        abstained=abstained,
        question_type=_text(record.get("question_type")) or _text(record.get("type")),
        seen=record["seen"] if isinstance(record.get("seen"), bool) else None,
        confidence=_number(record.get("confidence")),
        interaction=record.get("interaction", record.get("interaction_id")),
    )


def _prediction(record: dict[str, Any]) -> tuple[str, bool | None]:
    """The predicted query, and whether the system abstains, where the record says what is feasible.

    There, no prediction at all is an abstention; elsewhere it is a prediction that is missing.
    """
    text = _text(record["predicted_sql"])
    stated = record.get("abstained")
    if isinstance(stated, bool):
        return text, stated
    if not isinstance(record.get("feasible"), bool):
        return text, None
    if record["predicted_sql"] is None or abstains(text):
        return "", True
    return text, False


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: object) -> str:
    """A text field; anything but a string (null, the number 0 of BIRD's tools) is no text."""
    return value if isinstance(value, str) else ""
