"""The form of a reply, and reading one: strictly, or not at all.

One polarity holds throughout: the Prover's ``verdict`` is true if the
prediction answers the question, the Refuter's ``overturn`` is true if it does
not after all.

The body of a chat completion is whatever a server chose to send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from equiv.judge.case import Answer, NoAnswer, ProverReply, RefuterReply, Reply, Role, Usage

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
        raise ValueError("a field occurs twice")
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
            raise ValueError(f"field {name!r} is {str(found[name])[:40]!r}")


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


NO_SCHEMA = re.compile(r"response.?format|json.?schema|structured.?output|grammar|guided", re.IGNORECASE)
"""What a server says that refuses a form of structured output."""
MAX_SHOWN = 200
"""Characters of a server's or a model's words in a NoAnswer."""
MOST_TOKENS = 10**9
"""A count from here on is no count."""


def read_completion(body: str, role: Role, cleared: Callable[[str], str] = str) -> Answer:
    """The answer in a response body; everything but one whole, well-formed reply is a NoAnswer.

    The call counts as made, whatever it brought.

    Args:
        body: of the response.
        role: whose reply it is.
        cleared: takes out of a text what must not be shown or kept.
    """
    try:
        completion = json.loads(body)
    except (ValueError, RecursionError):
        return Answer(NoAnswer("the server's response is not JSON"), Usage(calls=1))
    usage = _usage(completion)
    match completion:
        case {"error": {"message": str(message)} | str(message)}:
            return Answer(NoAnswer(f"the server reports an error: {shorten(cleared(message))}"), usage)
        case {"choices": [{"message": {"refusal": str(refusal)}}, *_]} if refusal:
            refusal = cleared(refusal)
            return Answer(NoAnswer(f"refused: {shorten(refusal)}"), usage, text=refusal)
        case {"choices": [{"finish_reason": "content_filter"}, *_]}:
            return Answer(NoAnswer("refused: withheld by the server's filter"), usage)
        case {"choices": [{"finish_reason": "length", "message": {"content": content}}, *_]}:
            text = cleared(content) if isinstance(content, str) else ""
            return Answer(NoAnswer("the reply was cut off at the limit of tokens"), usage, text=text)
        case {"choices": [{"message": {"content": str(content)}}, *_]} if content.strip():
            content = cleared(content)
            return Answer(parse_reply(role, content), usage, text=content)
    return Answer(NoAnswer("the server's response holds no reply"), usage)


def shorten(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}…"


def _usage(completion: object) -> Usage:
    """The tokens reported; what is not reported, or is no count, is 0."""
    match completion:
        case {"usage": {"prompt_tokens": prompt, "completion_tokens": output, **rest}}:
            match rest:
                case {"prompt_tokens_details": {"cached_tokens": cached}}:
                    pass
                case _:
                    cached = 0
            return Usage(1, _count(prompt), _count(output), min(_count(cached), _count(prompt)))
    return Usage(calls=1)


def _count(value: object) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST_TOKENS
    return value if is_count else 0  # type: ignore[return-value]  # narrowed above
