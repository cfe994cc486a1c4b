"""What a dump of ``pg_dump`` holds that is no SQL, taken out: rows of COPY, commands of ``psql``, bodies."""

from __future__ import annotations

import re

_SIGNS = ("-- PostgreSQL database dump", "\\restrict ", "\\connect ")
_TAG = re.compile(r"\$(?:[A-Za-z_]\w*)?\$")


_NAMED = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:MATERIALIZED\s+|VIRTUAL\s+)?\w+\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    r"""(?:(?:\w+|"[^"]*")\s*\.\s*)?(\w+|"[^"]*")""",
    re.IGNORECASE,
)


def name_in(definition: str) -> str:
    """The name of what a CREATE statement defines, in lower case, without that of its schema; or ''."""
    found = _NAMED.match(definition)
    return found[1].strip('"').lower() if found else ""


def is_dump(text: str) -> bool:
    """Whether a text reads as ``pg_dump`` writes."""
    return any(_is_copy(line) or line.startswith(_SIGNS) for line in text.split("\n"))


def _is_copy(line: str) -> bool:
    return line.startswith("COPY ") and line.rstrip().endswith(" FROM stdin;")


def without_rows(text: str) -> str:
    """A dump without rows and commands, each body in dollar quotes empty; linear in the text."""
    kept, copying = [], False
    for line in text.split("\n"):
        if copying:
            copying = line != "\\."
        elif _is_copy(line):
            copying = True
        elif not line.startswith("\\"):
            kept.append(line)
    return _without_bodies("\n".join(kept))


def _without_bodies(text: str) -> str:
    parts, position = [], 0
    while (tag := _TAG.search(text, position)) is not None:
        closing = text.find(tag[0], tag.end())
        if closing < 0:
            break
        parts += [text[position : tag.start()], "''"]
        position = closing + len(tag[0])
    return "".join([*parts, text[position:]])
