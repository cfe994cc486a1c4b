"""The query in a reply: a model's text may wrap it in a fence, in tags, or in words."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<(sql|solution|answer)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[ \t]*\r?$(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"```[ \t]*(sqlite|sql)\b(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_QUERY = re.compile(r"\s*(SELECT\b|VALUES\s*\(|WITH\s+(RECURSIVE\s+)?\w+\s*(\(|AS\b))", re.IGNORECASE)
_END = re.compile(r"^[ \t]*```.*|</(sql|solution|answer)>\s*\Z", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_SQL = frozenset({"sql", "sqlite", "sqlite3"})


def blocks_in(text: str) -> list[str]:
    """The queries that fences mark, in order: those called SQL, or where none is, all."""
    found = [(name.lower(), body.strip()) for name, body in _FENCED.findall(text)]
    called = [body for name, body in found if name in _SQL]
    if not called:
        called = [body.strip() for _, body in _INLINE.findall(text)]
    return called or [body for _, body in found]


def query_in(text: str) -> str:
    """The query that a reply gives: the last in tags (``sql``, ``solution``, ``answer``), else in fences.

    What stands between tags of thinking is no answer.  Tags and fences that do not end reach to the end of
    the text; a text that begins with a query ends where a fence or tag does.  One without any of these
    stands as it is.
    """
    said = _THOUGHT.sub("", text)
    if _QUERY.match(said) and "```sql" not in said.lower():
        end = _END.search(said)
        return said[: end.start()].strip() if end else text if said == text else said.strip()
    tagged = [body for _, body in _TAGGED.findall(said)]
    chosen = tagged[-1] if tagged else said
    fenced = blocks_in(chosen)
    if not tagged and not fenced:
        return text if said == text else said.strip()
    return fenced[-1] if fenced else chosen.strip()
