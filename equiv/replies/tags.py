"""Pairs of tags in a reply: the thoughts that are no answer, and the answer that is marked.

Every reply comes from a model.  Each function here passes over a text once, whatever it holds.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass

from equiv.replies.openings import begins_query

_THOUGHT = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_ANSWER = re.compile(
    r"<(/?)(sql|solution|answer|query|final_sql|sql_query|predicted_sql|final_answer|code)"
    r"(?: [^<>\n]{0,99}+)?>",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:</\w{1,20}>|<\|\w{1,20}\|>|<end_of_turn>|`{3,9}|~{3,9})\s*\Z")
_NESTED, _TAIL = 8, 60


@dataclass(frozen=True, slots=True)
class _Pair:
    """A tag and the next one that closes it; None: it is not closed."""

    opening: re.Match[str]
    closing: re.Match[str] | None

    def of(self, text: str) -> str:
        """What stands between the two."""
        return text[self.opening.end() : self.closing.start() if self.closing else len(text)]


def without_thoughts(text: str) -> str:
    """The text without what stands between tags of thinking.

    A tag that closes without having been opened ends a thought that began in the prompt.
    """
    parts, end = [], 0
    for pair in _pairs(text, _THOUGHT):
        if pair.closing is not None:
            parts.append(text[end : pair.opening.start()])
            end = pair.closing.end()
    said = "".join([*parts, text[end:]]) if end else text
    before, after = _around_last_closing(said)
    return said if before and begins_query(said) and not begins_query(after) else after


def last_answer(text: str) -> str | None:
    """The content of the last pair of answer tags, the innermost; one that is not closed reaches to the end.

    ``code`` marks names as well: it counts where it holds a query.
    """
    last = None
    for _ in range(_NESTED):
        inner = None
        for pair in _pairs(text if last is None else last, _ANSWER):
            found = pair.of(text if last is None else last)
            if pair.opening[2].lower() != "code" or begins_query(found):
                inner = found
        if inner is None:
            return last
        last = inner
    return last


def without_closing_marks(text: str) -> str:
    """A text without the tags, end tokens and fences that it ends with; as it was if it begins with one."""
    if not begins_query(text):
        return text
    for _ in range(_NESTED):
        tail = max(0, len(text.rstrip()) - _TAIL)
        found = _CLOSING.search(text, tail)
        if found is None:
            return text
        text = text[: found.start()].rstrip()
    return text


def _pairs(text: str, tag: re.Pattern[str]) -> Iterator[_Pair]:
    """The pairs of tags of one kind, each of which begins after the one before has ended."""
    marks = list(tag.finditer(text))
    closings: defaultdict[str, deque[re.Match[str]]] = defaultdict(deque)
    for mark in marks:
        if mark[1]:
            closings[mark[2].lower()].append(mark)
    end = 0
    for mark in marks:
        if mark[1] or mark.start() < end:
            continue
        following = closings[mark[2].lower()]
        while following and following[0].start() < mark.start():
            following.popleft()
        closing = following[0] if following else None
        yield _Pair(mark, closing)
        end = closing.end() if closing else end


def _around_last_closing(text: str) -> tuple[str, str]:
    """The text before and after the last tag that closes a thought; ('', text) if there is none."""
    last = None
    for mark in _THOUGHT.finditer(text):
        last = mark if mark[1] else last
    return (text[: last.start()], text[last.end() :]) if last else ("", text)
