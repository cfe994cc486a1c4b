"""Reading the body of a chat completion, which is whatever a server chose to send."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from equiv.judge.case import Answer, NoAnswer, Role, Usage
from equiv.judge.replies import parse_reply

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
