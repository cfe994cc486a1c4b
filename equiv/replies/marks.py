r"""Queries that a reply marks: in fences, in ``\boxed{…}``, in a field of a JSON value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equiv.replies.openings import begins_query

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
