r"""Queries that a reply marks: in fences, in ``\boxed{…}``, in a field of a JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from equiv.replies.openings import begins_query

_FENCE = re.compile(r"^[ \t]*+```", re.MULTILINE)
_INFO = re.compile(r"[ \t]*+([\w+-]*+)[ \t]*+\r?(?=\n|\Z)")
_INLINE = re.compile(r"```(?:[ \t]*+(sqlite|sql)\b)?", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_SQL = frozenset({"sql", "sqlite", "sqlite3"})
_BOX, _TEXT = r"\boxed{", re.compile(r"\\(?:text|texttt|mathtt|mathrm)\{")
_FIELDS = ("sql", "query", "sql_query", "predicted_sql", "pred_sql", "final_sql", "answer", "final_answer")


def blocks_in(text: str) -> list[str]:
    """The queries that fences mark, in order: those called SQL, or where none is, all."""
    found = list(_fenced(text))
    called = [body for name, body in found if name in _SQL] or list(_inline(text))
    return called or [body for _, body in found]


def has_sql_fence(text: str) -> bool:
    """Whether a fence is called SQL."""
    return any(match[1] for match in _INLINE.finditer(text))


def first_fence(text: str) -> int:
    """The position of the first line that opens or closes a fence; the end of the text if none does."""
    found = _FENCE.search(text)
    return found.start() if found else len(text)


def _fenced(text: str) -> Iterator[tuple[str, str]]:
    """The fences that lines mark: their names in lower case, and what is in them."""
    opening: tuple[str, int] | None = None
    for mark in _FENCE.finditer(text):
        if opening is not None:
            yield opening[0], text[opening[1] : mark.start()].strip()
            opening = None
        elif info := _INFO.match(text, mark.end()):
            opening = info[1].lower(), info.end()
    if opening is not None:
        yield opening[0], text[opening[1] :].strip()


def _inline(text: str) -> Iterator[str]:
    """What stands between three back quotes, the first of which are followed by ``sql``."""
    start = None
    for mark in _INLINE.finditer(text):
        if start is not None:
            yield text[start : mark.start()].strip()
            start = None
        elif mark[1]:
            start = mark.end()
    if start is not None:
        yield text[start:].strip()


def last_boxed(text: str) -> str | None:
    r"""The content of the last closed ``\boxed{…}``, also within ``\text{…}``; None if there is none."""
    start = text.rfind(_BOX)
    if start < 0:
        return None
    start += len(_BOX)
    wrapped = _TEXT.match(text, start)
    start = wrapped.end() if wrapped else start
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[start : brace.start()].strip()
    return None


def in_json(text: str) -> str | None:
    """The query in a field of the JSON object from the first brace to the last; None if there is none."""
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end or text[start - 1 : start] in ("'", '"'):
        return None
    try:
        parsed = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    assert isinstance(parsed, dict)
    named = {name.lower(): value for name, value in parsed.items()}
    values = (named.get(name) for name in _FIELDS)
    return next((value.strip() for value in values if isinstance(value, str) and begins_query(value)), None)
