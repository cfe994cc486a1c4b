"""The name of the schema's own database, which a query may write before a schema and a table, as dbt does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.typed.stretches import code
from equiv.names import fold

_NAME = r'(?:"(?:[^"]|"")++"|[^\W\d][\w$]*+)'
_NAMED = re.compile(rf'(?<!"){_NAME}')
_CHAIN = re.compile(rf"""(?<![\w$."&]){_NAME}(?:\s*\.\s*{_NAME})+""")
_WORDS = re.compile(r"\w+")
_KEPT = frozenset("main memory public temp system pg_catalog pg_temp information_schema".split())  # noqa: SIM905
_DOUBT = "{}, before the name of a table, may be that of the database, or of anything else"
_Place = tuple[str, int, int, str]
"""A name that stands where that of a database does, where from and to, and what to write instead."""


@dataclass(frozen=True)
class Naming:
    """How an engine reads such names."""

    main: str
    """The schema whose tables have their bare names in the core."""
    kept: Callable[[str], str]
    """A name as it is kept, with its quotes where it has any."""
    may_skip_schema: bool = False
    """Whether the name of a database may stand before that of a table in the main schema."""


def read_in_own_database(
    text: str, schema: Schema, naming: Naming, read: Callable[[str], Query | Broken]
) -> Query | Broken:
    """A query as it is read without the name of the schema's own database.

    Args:
        text: the query.
        schema: its ``qualifiers`` are the names of its database; a script without any leaves the name open.
        naming: how the engine reads names.
        read: reads a text.
    """
    bare = _bare_code(text) if "." in text else ""
    places = list(_places(bare, schema, naming))
    names = {name for name, *_ in places}
    if not names or (schema.qualifiers and names.isdisjoint(schema.qualifiers)):
        return read(text)
    written = sum(naming.kept(each[0]).lower() == min(names).lower() for each in _NAMED.finditer(bare))
    if len(names) > 1 or written != len(places) or "pivot" in bare.lower() or _is_known(min(names), schema):
        found = read(text)
        return Broken("WITHHELD", _DOUBT.format(min(names))) if isinstance(found, Broken) else found
    plain = text
    for _, start, end, instead in reversed(places):
        plain = plain[:start] + instead + plain[end:]
    found = read(plain)
    if isinstance(found, Broken):
        return found
    return replace(found, asked=found.asked or text, database=min(names))


def _bare_code(text: str) -> str:
    """A text with another sign for each sign of its strings and comments."""
    pieces, last = [""], 0
    for start, end in (*code(text), (len(text), len(text))):
        gap = text[last:start]
        pieces += gap if gap.startswith('"') else "'" * len(gap), text[start:end]
        last = end
    return "".join(pieces)


def _places(bare: str, schema: Schema, naming: Naming) -> Iterator[_Place]:
    relations = {fold(table.name) for table in schema.tables}
    relations.update(fold(view.name) for view in schema.native_views)
    for chain in _CHAIN.finditer(bare):
        parts = list(_NAMED.finditer(bare, chain.start(), chain.end()))
        first, second, *rest = (naming.kept(part[0]) for part in parts)
        if first.lower() in _KEPT or any(each.startswith(f"{first.lower()}.") for each in relations):
            continue
        place = "" if second == naming.main else f"{second}."
        if rest and f"{place}{rest[0]}".lower() in relations:
            yield first, parts[0].start(), parts[1].start(), ""
        elif naming.may_skip_schema and first in schema.qualifiers and second.lower() in relations:
            # Of a script, it is the name of a schema that is not there.
            yield first, parts[0].start(), parts[1].start(), f"{naming.main}."


def _is_known(name: str, schema: Schema) -> bool:
    """Whether the schema has anything of a name, or may have."""
    made = [*schema.native, *(statement for table in schema.tables for statement in table.native)]
    made += [f"{table.name} {' '.join(column.name for column in table.columns)}" for table in schema.tables]
    made += [f"{view.name} {view.sql} {' '.join(view.columns)}" for view in schema.native_views]
    made += [each.name for each in schema.passed if name not in schema.qualifiers]
    known = {word.lower() for statement in made for word in _WORDS.findall(statement)}
    return known.issuperset(map(str.lower, _WORDS.findall(name)))
