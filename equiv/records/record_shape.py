"""Whether a JSON object is a record as ``equiv eval`` writes it: which fields there are, and what each holds.

A record may come from anywhere.  What reads its fields is told here, once, that they are what they should be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from equiv.files import is_text

Check = Callable[[Any], bool]


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _any(_: Any) -> bool:
    return True


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _values(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _object(fields: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with those fields, and maybe others."""

    def holds(value: Any) -> bool:
        if not isinstance(value, dict) or not all(
            n in value and check(value[n]) for n, check in fields.items()
        ):
            return False
        return all(check(value[name]) for name, check in (optional or {}).items() if name in value)

    return holds


_FACT = _object(
    {"kind": _text, "table": _text, "columns": _list(_text), "grade": _text},
    {"parent": _text, "parent_columns": _list(_text), "expression": _text},
)
_STEP = _object(dict.fromkeys(("side", "rule", "before", "after", "under"), _text) | {"facts": _list(_FACT)})


def _cell(value: Any) -> bool:
    match value:
        case {"blob": str(digits)}:
            return all(each in "0123456789abcdef" for each in digits) and len(digits) % 2 == 0
        case {"real": "inf" | "-inf" | "nan"}:
            return True
    return value is None or isinstance(value, int | float | str)


_ROWS = _list(_list(_cell))
_RESULTS = {"pred_rows": _ROWS, "gold_rows": _ROWS}
_BESIDE = {
    "pred_columns": _list(_text),
    "gold_columns": _list(_text),
    "pred_error": _or_null(_text),
    "gold_error": _or_null(_text),
    "binding": _or_null(_object({"values": _values(_cell), "pred_sql": _text, "gold_sql": _text})),
}
_CLAIM = _object({"text": _text, "smtlib": _text})
_EVIDENCE: dict[str, Check] = {
    "derivation": _object({"steps": _list(_STEP), "normal_form": _text}, {"on_trust": _list(_text)}),
    "proof": _object(
        {
            "pred_form": _text,
            "gold_form": _text,
            "correspondences": _list(_text),
            "obligations": _list(_CLAIM),
        },
        {"steps": _list(_STEP)},
    ),
    "witness": _object({"sql": _text, **_RESULTS}, _BESIDE),
    "execution": _object({"database": _text, **_RESULTS}, _BESIDE),
}


def _evidence(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return False
    return _EVIDENCE.get(value["kind"], _any)(value)


_FIELDS: dict[str, Check] = {
    **dict.fromkeys(("source", "db_id", "question", "hint"), _text),
    **dict.fromkeys(("predicted_sql", "gold_sql", "verdict", "relation"), _text),
    **dict.fromkeys(("tier", "reason", "failure_code", "difference", "score_by"), _or_null(_text)),
    **dict.fromkeys(("question_id", "label", "difficulty"), _any),
    "key": is_text,
    "facts": _list(_FACT),
    "facts_dropped": _list(_FACT),
    "evidence": _or_null(_evidence),
    "bounded": _or_null(_object({"rows": _count})),
    "equivalent_if": _list(_object({"fact": _text, "satisfied": _or_null(_flag)}, {"observed": _flag})),
    "score": _or_null(_number),
    "judge": _or_null(_values(_any)),
    "prover_result": _or_null(_values(_any)),
    "refuter_result": _or_null(_values(_any)),
    "llm": _values(_count),
    "ms": _values(_number),
    "attempts": _list(
        _object({"tier": _text, "outcome": _text, "reason": _text, "ms": _number}),
    ),
    "versions": _values(_text),
}
"""What every record has."""

_LATER: dict[str, Check] = {
    **dict.fromkeys(("feasible", "abstained", "seen", "confirmed"), _or_null(_flag)),
    **dict.fromkeys(("detail", "strongest", "weakest"), _or_null(_text)),
    **dict.fromkeys(("question_type", "dialect"), _text),
    "confidence": _or_null(_number),
    "faults": _list(_object({"kind": _text, "text": _text})),
    "golds": _list(_object({"sql": _text, "verdict": _text})),
    "caveat": _or_null(_object({"places": _list(_text), "evidence": _or_null(_evidence)})),
    "remarks": _list(_object({"kind": _text, "side": _text, "text": _text})),
    "ex": _values(_any),
    "fragment": _or_null(_flag),
    "parts": _or_null(_object({"pred": _text, "gold": _text})),
    "databases": _or_null(_count),
}
"""What records of older versions may lack."""


def fault_of(record: Mapping[str, Any]) -> str:
    """The first way in which an object departs from the shape of a record, in words; '' if it is one."""
    for name, check in _FIELDS.items():
        if name not in record:
            return f"it lacks {name!r}"
        if not check(record[name]):
            return f"its {name!r} is none"
    return next(
        (
            f"its {name!r} is none"
            for name, check in _LATER.items()
            if name in record and not check(record[name])
        ),
        "",
    )
