"""The query in a completion: in tags, in fences, in prose, or all of it."""

from __future__ import annotations

import re

from equiv.eval.reading.extract import query_in

_OPENING = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*\(*\s*(?:SELECT|WITH|VALUES)\b", re.DOTALL | re.IGNORECASE
)
_IN_PROSE = re.compile(
    r"^[ \t]*(?:SELECT|WITH)\b.*?(?=;|\n[ \t]*\n|\Z)", re.DOTALL | re.IGNORECASE | re.MULTILINE
)


def query_of(completion: object) -> str:
    """The query that a completion gives; '' if there is none.

    Args:
        completion: a text, or the messages of a chat, of which the last counts: what trainers hand over.
    """
    text = text_of(completion)
    found = query_in(text)
    if found != text or _OPENING.match(text):
        return found.strip()
    in_prose = _IN_PROSE.findall(text)
    return in_prose[-1].strip() if in_prose else text.strip()


def text_of(completion: object) -> str:
    """The text of a completion; '' if it has none."""
    match completion:
        case str():
            return completion
        case [*_, {"content": content}]:
            return text_of(content)
        case {"content": content}:
            return text_of(content)
        case [*_, {"text": str(text)}] | {"text": str(text)}:
            return text
        case _:
            return ""
