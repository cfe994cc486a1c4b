"""PostgreSQL as a dialect: what its engine brings, imported when it is first asked."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.connection import url_of
from equiv.dialects.postgres.session_settings import ORDER, PINNED, TAKEN
from equiv.dialects.protocol import Dialect, others_by
from equiv.dialects.typed.dialect import EngineParts, TypedEngine, TypedLoader, TypedReader
from equiv.dialects.typed.lowering.sources import DEFAULT
from equiv.dialects.typed.query_texts import DatabaseNaming

if TYPE_CHECKING:
    from equiv.dialects.words import Words


@cache
def _parts() -> EngineParts:
    from equiv.dialects.postgres import ddl, live, parameters, read, session, values
    from equiv.dialects.postgres.script import script
    from equiv.dialects.postgres.server import place
    from equiv.dialects.postgres.statements import bare_name, statements

    return EngineParts(
        version=lambda: place().version,
        read=read.read_query,
        statements=lambda text: [statement.text for statement in statements(text)],
        empty=session.empty_session,
        open=live.opened,
        script=partial(script, made_by=session.made_by),
        replay=session.replayed,
        store=live.stored,
        read_ddl=ddl.load_ddl,
        read_database=live.load_database,
        told=values.TOLD,
        naming=DatabaseNaming(DEFAULT, bare_name),
        filled=parameters.filled,
        at_instant=parameters.at_instant,
        plain_name=values.plain_name,
    )


def _shell(script: str, database: Path | None) -> list[str]:
    given = [] if database is None else [url_of(database) or str(database)]
    return ["psql", "-X", *given, "-f", script]


@cache
def _words() -> Words:
    from equiv.dialects.postgres.session import PostgresDatabases
    from equiv.dialects.words import read_words

    return read_words(Path(__file__).parent, PostgresDatabases)


POSTGRES = Dialect(
    "postgres",
    "PostgreSQL",
    TypedReader(_parts),
    # A backslash begins a command of psql's anywhere outside of what psql takes for a string.
    TypedEngine(_parts, _shell, lambda text: "\\" in text),
    TypedLoader(_parts, (".sql",)),
    taken=TAKEN,
    others=others_by("postgres"),
    pinned=PINNED,
    collations=frozenset((ORDER,)),
    words=_words,
)
