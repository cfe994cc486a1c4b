"""Texts of queries as PostgreSQL and DuckDB read them alike, and the name of the schema's own database.

That is where strings, quoted names and comments stand; and a query may write the name before a schema and a
table, as dbt does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.names import fold

_TAG = re.compile(r"\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$")
STOP = re.compile(r"""['"$;\\]|--|/\*""")
_NAME_CHARACTER = re.compile(r"[\w$]")


def code(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that stand outside of strings, quoted names and comments."""
    position = start = 0
    while (found := STOP.search(text, position)) is not None:
        position = after_stop(text, found)
        if found[0] not in (";", "\\", "$") or position > found.end():
            yield start, found.start()
            start = position
    yield start, len(text)


def with_plain_head(text: str) -> str:
    """The text with a blank for each comment before its first parenthesis or string."""
    if "--" not in text and "/*" not in text:
        return text
    pieces, place = list[str](), 0
    for (start, end), (after, _) in pairwise((*code(text), (len(text), len(text)))):
        if "(" in text[start:end] or not text.startswith(("--", "/*"), end):
            break
        pieces, place = [*pieces, text[start:end], " "], after
    return "".join([*pieces, text[place:]]).lstrip()


def code_start(text: str, position: int = 0) -> int:
    """Where, from a place on, the first character is that is not a white space and in no comment."""
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text.startswith("--", position):
            position = after_line(text, position)
        elif text.startswith("/*", position):
            position = _after_comment(text, position)
        else:
            break
    return position


def after_stop(text: str, found: re.Match[str]) -> int:
    """The end of the string, name, comment or sign that begins at a place."""
    place = found.start()
    match found[0]:
        case "'":
            escapes = place > 0 and text[place - 1] in "eE" and not _is_name(text, place - 2)
            return _after_string(text, place, escapes=escapes)
        case '"':
            closing = text.find('"', place + 1)
            return len(text) if closing < 0 else closing + 1
        case "$":
            tag = _TAG.match(text, place)
            if tag is None or _is_name(text, place - 1):
                return place + 1
            closing = text.find(tag[0], tag.end())
            return len(text) if closing < 0 else closing + len(tag[0])
        case "--":
            return after_line(text, place)
        case "/*":
            return _after_comment(text, place)
    return found.end()


def _is_name(text: str, place: int) -> bool:
    return place >= 0 and _NAME_CHARACTER.match(text, place) is not None


def _after_string(text: str, place: int, *, escapes: bool) -> int:
    if not escapes:
        # A doubled quote ends one string and begins the next: the end is the same.
        closing = text.find("'", place + 1)
        return len(text) if closing < 0 else closing + 1
    position = place + 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text[position] == "'":
            return position + 1
        else:
            position += 1
    return len(text)


def after_line(text: str, place: int) -> int:
    """Where the line after a place begins."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


_COMMENT = re.compile(r"/\*|\*/")


def _after_comment(text: str, place: int) -> int:
    """The end of a comment, in which others may be nested."""
    depth = 0
    for sign in _COMMENT.finditer(text, place):
        depth += 1 if sign[0] == "/*" else -1
        if not depth:
            return sign.end()
    return len(text)


_NAME = r'(?:"(?:[^"]|"")++"|[^\W\d][\w$]*+)'
_NAMED = re.compile(rf'(?<!"){_NAME}')
_CHAIN = re.compile(rf"""(?<![\w$."&]){_NAME}(?:\s*\.\s*{_NAME})+""")
_DOT = re.compile(r"\s*\.")
_WORDS = re.compile(r"\w+")
_KEPT = frozenset("main memory public temp system pg_catalog pg_temp information_schema".split())  # noqa: SIM905
_DOUBT = "{}, before the name of a table, may be that of the database, or of anything else"


@dataclass(frozen=True)
class DatabaseNaming:
    """How an engine reads such names."""

    main: str
    """The schema whose tables have their bare names in the core."""
    kept: Callable[[str], str]
    """A name as it is kept, with its quotes where it has any."""
    may_skip_schema: bool = False
    """Whether the name of a database may stand before that of a table in the main schema."""


def read_in_own_database(
    text: str, schema: Schema, naming: DatabaseNaming | None, read: Callable[[str], Query | Broken]
) -> Query | Broken:
    """A query as it is read without the name of the schema's own database.

    Args:
        text: the query.
        schema: its ``qualifiers`` are the names of its database; a script without any leaves the name open.
        naming: how the engine reads names; None: the text is read as it is.
        read: reads a text.
    """
    if naming is None or "." not in text:
        return read(text)
    bare = _bare_code(text)
    places = list(_places(bare, schema, naming))
    name = min((name for name, *_ in places), default="")
    if not name or (schema.qualifiers and all(each[0] not in schema.qualifiers for each in places)):
        return read(text)
    words = [(fold(naming.kept(each[0])), each.end()) for each in _NAMED.finditer(bare)]
    is_one = all(each[0] == name for each in places) and len(places) == sum(w == fold(name) for w, _ in words)
    # A row source, or a column, of the schema's name would take what is left of a name for its own.
    schemas = {fold(second) for _, second, *_ in places}
    is_other = any(word in schemas and not _DOT.match(bare, end) for word, end in words)
    is_other |= any(fold(column.name) in schemas for table in schema.tables for column in table.columns)
    if not is_one or is_other or "pivot" in fold(bare) or _is_known(name, schema):
        found = read(text)
        return Broken("WITHHELD", _DOUBT.format(name)) if isinstance(found, Broken) else found
    plain = text
    for *_, start, end, instead in reversed(places):
        plain = plain[:start] + instead + plain[end:]
    found = read(plain)
    return found if isinstance(found, Broken) else replace(found, asked=found.asked or text, database=name)


def _bare_code(text: str) -> str:
    """A text with another sign for each sign of its strings and comments."""
    pieces, last = [""], 0
    for start, end in (*code(text), (len(text), len(text))):
        gap = text[last:start]
        pieces += gap if gap.startswith('"') else "'" * len(gap), text[start:end]
        last = end
    return "".join(pieces)


def _places(bare: str, schema: Schema, naming: DatabaseNaming) -> Iterator[tuple[str, str, int, int, str]]:
    """Each name that stands for a database, the schema behind it, where from and to, and what to write."""
    relations = {fold(name) for name in _relations(schema)}
    for chain in _CHAIN.finditer(bare):
        parts = list(_NAMED.finditer(bare, chain.start(), chain.end()))
        first, second, *rest = (naming.kept(part[0]) for part in parts)
        if fold(first) in _KEPT or any(each.startswith(f"{fold(first)}.") for each in relations):
            continue
        # A table of the main schema has the name of that as well where another schema has one of its name.
        named = {
            fold(".".join([second, *rest[:1]])),
            *(fold(each) for each in rest[:1] if second == naming.main),
        }
        if rest and not relations.isdisjoint(named):
            yield first, second, parts[0].start(), parts[1].start(), ""
        elif naming.may_skip_schema and first in schema.qualifiers and fold(second) in relations:
            # Of a script, it is the name of a schema that is not there.
            yield first, naming.main, parts[0].start(), parts[1].start(), f"{naming.main}."


def _relations(schema: Schema) -> Iterator[str]:
    yield from (table.name for table in schema.tables)
    yield from (view.name for view in schema.native_views)


def _is_known(name: str, schema: Schema) -> bool:
    """Whether the schema has anything of a name, or may have."""
    made = [*schema.native, *_relations(schema), *(part for table in schema.tables for part in table.native)]
    made += [column.name for table in schema.tables for column in table.columns]
    made += [f"{view.sql} {' '.join(view.columns)}" for view in schema.native_views]
    made += [each.name for each in schema.passed if name not in schema.qualifiers]
    return {*_WORDS.findall(fold(" ".join(made)))}.issuperset(_WORDS.findall(fold(name)))
