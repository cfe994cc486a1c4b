"""The form of a reply, and reading one: strictly, or not at all.

One polarity holds throughout: the Prover's ``verdict`` is true if the
prediction answers the question, the Refuter's ``overturn`` is true if it does
not after all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .case import NoAnswer, ProverReply, RefuterReply, Reply, Role

AMBIGUITIES = ("question", "schema", "none")

_TEXT: Mapping[str, object] = {"type": "string"}
_FLAG: Mapping[str, object] = {"type": "boolean"}

_FIELDS: Mapping[Role, Mapping[str, Mapping[str, object]]] = {
    Role.PROVER: {
        "expected_answer": _TEXT,
        "sql_description": _TEXT,
        "evidence": _TEXT,
        "reason": _TEXT,
        "verdict": _FLAG,
    },
    Role.REFUTER: {
        "reason": _TEXT,
        "ambiguity": {"type": "string", "enum": list(AMBIGUITIES)},
        "gold_correct": {"type": ["boolean", "null"]},
        "overturn": _FLAG,
    },
}
"""Reasons stand before the decision, so that a model writes them first."""


def reply_schema(role: Role) -> Mapping[str, object]:
    """The JSON schema of a role's reply, in the subset that strict structured output takes."""
    fields = _FIELDS[role]
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def parse_reply(role: Role, text: str) -> Reply:
    """The reply in a model's text, or a NoAnswer that says what is wrong with it.

    Prose, a code fence or a closed thinking part may stand around the one JSON
    object.  A second object, a field that is unknown, missing, repeated or of
    another type, or a label that was not offered makes the text unusable:
    nothing is guessed.
    """
    try:
        found = _only_object(text)
        _check_fields(role, found)
    except (ValueError, RecursionError) as error:
        return NoAnswer(f"unusable reply: {' '.join(str(error).split()) or type(error).__name__}")
    match role:
        case Role.PROVER:
            return ProverReply(**found)
        case Role.REFUTER:
            return RefuterReply(**found)


def _only_object(text: str) -> dict[str, Any]:
    """The JSON object from the first brace to the last.

    Prose with braces of its own fails here: to look for the object inside it
    could mistake a quoted or unfinished one for the reply.
    """
    answer = text.rpartition("</think>")[2]
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end < start:
        raise ValueError("no JSON object")
    found = json.loads(answer[start : end + 1], object_pairs_hook=_unique)
    assert isinstance(found, dict)
    return {name: _clean(value) for name, value in found.items()}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def _clean(value: Any) -> Any:
    r"""Lone surrogates, which JSON's ``\ud800`` can make, would fail wherever the text is written."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value


def _check_fields(role: Role, found: Mapping[str, Any]) -> None:
    fields = _FIELDS[role]
    if unknown := sorted(found.keys() - fields.keys()):
        raise ValueError(f"unknown field {unknown[0]!r}")
    for name, form in fields.items():
        if name not in found:
            raise ValueError(f"no field {name!r}")
        if not _fits(found[name], form):
            raise ValueError(f"field {name!r} holds {str(found[name])[:40]!r}")


def _fits(value: object, form: Mapping[str, object]) -> bool:
    match form:
        case {"enum": list(labels)}:
            return isinstance(value, str) and value in labels
        case {"type": "string"}:
            return isinstance(value, str)
        case {"type": "boolean"}:
            return isinstance(value, bool)
        case _:
            return value is None or isinstance(value, bool)
