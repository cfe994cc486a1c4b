r"""The query in a model's reply, which may wrap it in tags, fences, ``\boxed{…}``, JSON or words.

All who take queries out of replies do it here: rewards, the service, ``check`` and ``eval``. The time is
linear in the length of the text, whatever it holds. A query may stand in a field of JSON that a reply
holds; pairs of tags mark the thoughts that are not answer, and the answer. A reader is told if a query was
taken out of a reply.

Every reply comes from a model. Each function here skips a text once, whatever it holds.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

from equiv.replies.limits import (
    begins_as_sentence,
    begins_other_statement,
    begins_query,
    is_comment,
    is_sql_to_its_end,
    last_in_prose,
    without_prose_after,
)
from equiv.verdict import Remark, RemarkKind, Verdict

_FENCE = re.compile(r"^([ \t]*+(?:>[ \t]*+)*+)(`{3,}+|~{3,}+)", re.MULTILINE)
_INFO = re.compile(r"[ \t]*+([\w+-]*+)([^\n`]*+)\n?")
_INLINE = re.compile(r"```(?:[ \t]*+(sqlite|sql)\b)?", re.IGNORECASE)
_QUOTED = re.compile(r"^[ \t]*+>[ \t]?", re.MULTILINE)
_BRACE = re.compile(r"[{}]")
_SQL = frozenset({"sql", "sqlite", "sqlite3", "mysql", "postgres", "postgresql", "psql", "pgsql"})
_BOX, _TEXT = r"\boxed{", re.compile(r"\\(?:text|texttt|mathtt|mathrm)\{")


def blocks_in(text: str) -> list[str]:
    """The texts that fences mark, in order: those called SQL, or where none is, all."""
    found = list(_fenced(text))
    called = [body for name, body in found if name in _SQL] or list(_inline(text))
    return called or [body for _, body in found]


def chosen_blocks(text: str) -> list[str]:
    """The texts that fences mark, those that rather hold the query last.

    A fence called SQL that begins with a query comes before any other that does, and a fence called SQL
    before one of another name.
    """
    found = [*_fenced(text)]
    if not any(name in _SQL for name, _ in found):
        found += [("sql", body) for body in _inline(text)]
    return [body for _, body in sorted(found, key=lambda block: (begins_query(block[1]), block[0] in _SQL))]


def has_sql_fence(text: str) -> bool:
    """Whether a fence is called SQL."""
    return any(match[1] for match in _INLINE.finditer(text)) or any(name in _SQL for name, _ in _fenced(text))


def first_fence(text: str) -> int:
    """The position of the first line that opens or closes a fence; the end of the text if none does."""
    found = _FENCE.search(text)
    return found.start() if found else len(text)


def _fenced(text: str) -> Iterator[tuple[str, str]]:
    """The fences that lines mark: their names in lower case, and what is in them."""
    opening: tuple[str, int, re.Match[str]] | None = None
    for mark in _FENCE.finditer(text):
        if opening is not None:
            name, start, opened = opening
            if mark[2].startswith(opened[2]):
                yield name, _body(text[start : mark.start()], opened)
                opening = None
        elif info := _INFO.match(text, mark.end()):
            name, rest = info[1].lower(), info[2].strip()
            # What follows on the line is part of the text, or says more of the fence: title="a".
            if not rest or (name in _SQL and not begins_query(rest)):
                opening = name, info.end(), mark
    if opening is not None:
        yield opening[0], _body(text[opening[1] :], opening[2])


def _body(text: str, opened: re.Match[str]) -> str:
    return (_QUOTED.sub("", text) if ">" in opened[1] else text).strip()


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


def query_in(text: str) -> str:
    r"""The query that a reply gives; the reply itself where none can be told from the words around it.

    A text that is SQL from its beginning to its end, or comments alone, is given back as it is, whatever its
    strings and comments hold.  What stands between tags of thinking is no answer, nor what stands in a
    comment.  A text that begins with a query ends where a fence, a tag or prose begins.  Else the last in
    tags (``sql``, ``answer`` and the like) counts, and in it, or where there are none in the whole, the last
    fence that holds a query, of those called SQL if there are some, else what ``\boxed{…}`` holds, a field of
    JSON, or the last query of the prose.  Tags and fences that do not end reach to the end of the text.
    """
    if is_comment(text) or begins_other_statement(text) or (begins_query(text) and is_sql_to_its_end(text)):
        return text
    said = _without_closing_marks(_without_thoughts(text))
    if _is_whole(said):
        query = _whole(said)
        return text if query == text else query.strip()
    answer = _last_answer(said)
    if answer is not None:
        return _marked(answer) or answer.strip()
    marked = _marked(said)
    if marked is not None:
        return marked
    return text if said == text else said.strip()


def is_reply(text: str) -> bool:
    """Whether words, tags or fences stand around the query of a text, or around what is marked as one."""
    found = query_in(text)
    is_statement = begins_query(found) or is_comment(found) or begins_other_statement(found)
    return is_statement and found.strip() != text.strip()


def _is_whole(said: str) -> bool:
    """Whether a text is a query, and what may follow one; not a sentence that begins as a query does."""
    if not begins_query(said):
        return False
    if is_sql_to_its_end(said):
        return True
    return not has_sql_fence(said) and not (begins_as_sentence(said) and _marked_elsewhere(said))


def _whole(said: str) -> str:
    """A text that begins with a query, up to where it ends."""
    return without_prose_after(said if is_sql_to_its_end(said) else said[: first_fence(said)])


def _marked(said: str) -> str | None:
    """The query that something in a text marks, or that stands in its prose; None if there is none."""
    if _is_whole(said):
        return _without_closing_marks(_whole(said)).strip()
    return _marked_elsewhere(said)


def _marked_elsewhere(said: str) -> str | None:
    # A field may hold a fence, and a fence may hold fields.
    if said.lstrip().startswith(("{", "[", '"')) and (found := _in_fields(said)):
        return found
    if fenced := chosen_blocks(said):
        return _of_block(fenced[-1])
    boxed = last_boxed(said)
    if boxed and begins_query(boxed):
        return boxed
    return _in_fields(said) or last_in_prose(said)


def _of_block(block: str) -> str:
    """The query of a fence: in JSON, in a string of a program, or all of it."""
    if begins_query(block):
        return block
    return _in_fields(block) or last_in_prose(block) or block


def _in_fields(said: str) -> str | None:
    for each in _texts_in_json(said):
        if begins_query(each):
            return each.strip()
        if (fenced := chosen_blocks(each)) and begins_query(fenced[-1]):
            return fenced[-1]
    return None


_FIELDS = tuple(
    """sql query sql_query predicted_sql pred_sql final_sql generated_sql answer final_answer response
    output result""".split()  # noqa: SIM905
)
_TRIES, _DEPTH = 4, 6
_LINE = re.compile(r"^[ \t]*+(?=[{\[])", re.MULTILINE)
_DECODER = json.JSONDecoder(strict=False)
"""It takes a line break within a string, which models write."""


def _texts_in_json(text: str) -> Iterator[str]:
    """The texts in JSON's fields that queries are called by, of the last value of a text first."""
    for value in _values(text):
        yield from reversed(list(_texts(value)))


def _values(text: str) -> Iterator[Any]:
    """The JSON of a text: a whole string, from the first brace to the last, or from the start of a line."""
    stripped = text.strip()
    if stripped.startswith('"'):
        yield from _decoded(stripped)
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end or text[start - 1 : start] in ("'", '"'):
        return
    yield from _decoded(text[start : end + 1])
    for line in [match.end() for match in _LINE.finditer(text)][: -_TRIES - 1 : -1]:
        yield from _decoded(text[line : end + 2])


def _decoded(text: str) -> Iterator[Any]:
    try:
        yield _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    match value:
        case str() if depth == 0:
            yield value
        case list() if depth < _DEPTH:
            for each in value:
                yield from _texts(each, depth + 1)
        case dict() if depth < _DEPTH:
            named = {name.lower(): each for name, each in value.items()}
            for each in value.values():
                if not isinstance(each, str):
                    yield from _texts(each, depth + 1)
            # Last, since the last that is given counts.
            for name in reversed(_FIELDS):
                if isinstance(named.get(name), str):
                    yield named[name]


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
        """The text between the two."""
        return text[self.opening.end() : self.closing.start() if self.closing else len(text)]


def _without_thoughts(text: str) -> str:
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


def _last_answer(text: str) -> str | None:
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


def _without_closing_marks(text: str) -> str:
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


_LONGEST = 200


def _in_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


@dataclass(frozen=True, slots=True)
class Prediction:
    """The query of a prediction, and a remark; '' if the prediction is the query."""

    query: str
    remark: str = ""

    @classmethod
    def of(cls, text: str, *, extract: bool) -> Self:
        """The query of a text.

        Args:
            text: SQL, or a model's reply that holds it.
            extract: whether to take it out of the words, tags or fences around it.
        """
        if not extract or not is_reply(text):
            return cls(text)
        query = query_in(text)
        _, _, behind = text.partition(query.rstrip())
        behind = behind.strip(" \t\r\n;`~") if text.lstrip().startswith(query.strip()) else ""
        left = f"; left out behind it: {_in_line(behind)}" if behind else ""
        return cls(query, f"extracted from the reply around it: {_in_line(query)}{left}")

    def told_of(self, verdict: Verdict) -> Verdict:
        """A verdict with the remark, if there is one."""
        if not self.remark:
            return verdict
        return replace(verdict, remarks=(Remark(RemarkKind.REPLY, "pred", self.remark), *verdict.remarks))
