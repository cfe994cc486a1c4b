"""The settings of PostgreSQL's sessions that its reader asks for: how a script states one, how one is set.

A text means what it means under the settings of the session that sends it.  PostgreSQL reads some when it
parses (a literal without an offset, ``'01/02/2026'``), others when it runs: a function is then ``STABLE``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from equiv.core.lexer import Token, TokenKind, tokens
from equiv.dialects.protocol import taken_by

if TYPE_CHECKING:
    from equiv.dialects.postgres.wire import Wire

TAKEN: Final = taken_by("postgres")
ORDER: Final = "lc_collate"
"""The collation of the database; no SET changes it."""
CASES: Final = "lc_ctype"
"""The letters of the database that are one in two cases; no SET changes them."""
OF_DATABASE: Final = frozenset((ORDER, CASES))
STRINGS: Final = "standard_conforming_strings"
"""Never set here to anything but ``on``: what this program sends is written under that."""
PINNED: Final = OF_DATABASE | {STRINGS, "timezone_abbreviations", "transform_null_equals"}
"""What is assumed, by name, to be as it is taken where nobody states it."""
HONOURED: Final = frozenset(("array_nulls", "backslash_quote", "xmloption"))
"""What PostgreSQL reads a text under, so that it is read under whichever value is stated; else its default,
which is compiled in."""
REFUSED: Final = "gin_fuzzy_search_limit"
"""What nothing is read under but the default, which is compiled in."""
_LOCAL = frozenset(("default_text_search_config", "lc_monetary", "lc_numeric", "lc_time"))
"""What functions ask that no proof knows; no server of ours need have the locale."""
_SPELT = {name.upper(): name for name in TAKEN if name not in OF_DATABASE}
_ON = frozenset(("on", "true", "t", "yes", "y", "1"))
_UTC = frozenset(
    """utc etc/utc uct etc/uct gmt etc/gmt zulu etc/zulu universal etc/universal greenwich etc/greenwich gmt0
    etc/gmt0 gmt+0 gmt-0 etc/gmt+0 etc/gmt-0 0 +00 00 +00:00 00:00 +0""".split()  # noqa: SIM905
)


def stated_by(statement: str) -> tuple[str, str] | None:
    """The setting that a statement states, with its value as written; None if it states none that counts.

    ``SET``, the ``SET`` of ``ALTER DATABASE``, ``ALTER ROLE`` and ``ALTER SYSTEM``, and the locale of
    ``CREATE DATABASE``.
    """
    found = tokens(statement)[:-1]
    if found[0].word == "CREATE":
        return _collation_of(found, statement) if found[1].word == "DATABASE" else None
    rest = words_behind_set(found)
    words = [each.word for each in rest]
    if words[:3] == ["TIME", "ZONE", "INTERVAL"]:
        hours = next(written(rest[3:4], statement), "")
        # By minutes as well, they are read alike whichever fields are named behind.
        return ("TimeZone", f"INTERVAL '{hours}'") if _HOURS.match(hours) else None
    if words[:2] == ["TIME", "ZONE"]:
        name, values = "TimeZone", rest[2:]
    elif len(rest) > 2 and words[0] in _SPELT and words[1] in ("=", "TO"):
        name, values = _SPELT[words[0]], rest[2:]
    else:
        return None
    return name, "".join(written(values, statement))


def words_behind_set(found: Sequence[Token]) -> list[Token]:
    """The words behind SET, or SET LOCAL."""
    at = next((i for i, each in enumerate(found) if each.word == "SET"), len(found))
    rest = [each for each in found[at + 1 :] if each.word != ";"]
    return rest[1:] if rest and rest[0].word in ("SESSION", "LOCAL") else rest


_HOURS = re.compile(r"[+-]?\d{1,2}:\d\d\Z")


def path_in(statement: str) -> list[str]:
    """The schemas in which a statement lets names without one be found, in their order; [] if it does not."""
    found = [each for each in tokens(statement)[:-1] if each.word not in ("SESSION", "LOCAL", ";")]
    at = next((i for i, each in enumerate(found) if each.word == "SEARCH_PATH"), 0)
    if not at or found[at - 1].word != "SET" or found[at + 2 :][:1] == [] or found[at + 2].word == "DEFAULT":
        return []
    names = (each for each in found[at + 2 :] if each.word != ",")
    return list(filter(None, (_name(each, statement) for each in names)))


def _name(token: Token, statement: str) -> str:
    """A name as it is; PostgreSQL takes a string for one, too."""
    source = statement[token.start : token.end]
    quote = source[0]
    return source[1:-1].replace(quote * 2, quote) if quote in "\"'" else source.lower()


def _collation_of(found: Sequence[Token], statement: str) -> tuple[str, str] | None:
    """The collation of a database that a script creates."""
    locale = _locale_of(found, statement, "LC_COLLATE")
    return None if locale is None else (ORDER, _collation_named(*locale))


def _locale_of(found: Sequence[Token], statement: str, category: str) -> tuple[str, str] | None:
    """The locale of a database that a script creates, and its provider."""
    words = [each.word for each in found]
    given = {}
    for at, word in enumerate(words):
        if word in _OF_LOCALES:
            value = found[at + 1 + (words[at + 1 : at + 2] == ["="])]
            given[word] = next(written([value], statement))
    provider = given.get("LOCALE_PROVIDER", "libc").lower()
    own = {"icu": "ICU_LOCALE", "builtin": "BUILTIN_LOCALE"}.get(provider, category)
    locale = given.get(own) or given.get("LOCALE")
    return None if locale is None else (locale, provider)


_OF_LOCALES = frozenset(
    ("LOCALE", "LC_COLLATE", "LC_CTYPE", "ICU_LOCALE", "BUILTIN_LOCALE", "LOCALE_PROVIDER")
)
_BYTES = frozenset(("c", "posix", "c.utf-8", "c.utf8", "ucs_basic", "pg_unicode_fast"))
"""Locales by which texts compare by their code points, which is by their bytes in UTF-8."""


def _collation_named(locale: str, provider: str) -> str:
    """The collation of a locale; C for each that compares texts byte by byte."""
    if provider != "icu":
        return "C" if locale.lower() in _BYTES else locale
    return f"{locale} of ICU"


def cases_of(statement: str) -> tuple[str, str] | None:
    """The letters of a database that a script creates, as :data:`CASES` calls them."""
    found = _locale_of(tokens(statement)[:-1], statement, "LC_CTYPE")
    return None if found is None else (CASES, _cases_named(*found))


_TURKIC = ("tr", "az", "lt")


def _cases_named(locale: str, provider: str) -> str:
    """The letters of a locale; C.UTF-8 for those whose cases are those of Unicode's simple tables."""
    if provider == "icu":
        return f"{locale} of ICU"
    is_unicode = locale.lower().endswith(("utf-8", "utf8", "unicode_fast"))
    return TAKEN[CASES] if is_unicode and not locale.lower().startswith(_TURKIC) else locale


def written(values: Sequence[Token], statement: str) -> Iterator[str]:
    """The texts of tokens of a statement, without quotes."""
    for each in values:
        text = statement[each.start : each.end]
        yield text[1:-1] if each.kind in (TokenKind.STRING, TokenKind.QUOTED) else text


def set_in(wire: Wire, name: str, value: str) -> str | None:
    """Set a setting of an open transaction; the value as PostgreSQL calls it, None if it refuses.

    Values are still written as this program reads them.
    """
    from equiv.dialects.postgres.wire import WireError

    if name in OF_DATABASE or name == REFUSED:
        return value
    if name == STRINGS:
        return "on" if value.lower() in _ON else "off"
    text = value.replace("'", "''")
    try:
        wire.execute(f"SAVEPOINT equiv_setting; SET LOCAL {name} = '{text}'")
        called = str(wire.one(f"SHOW {name}").rows[0][0])
    except WireError:
        wire.execute("ROLLBACK TO equiv_setting; RELEASE equiv_setting")
        return value if name in _LOCAL else None
    wire.execute("ROLLBACK TO equiv_setting; RELEASE equiv_setting")
    wire.execute(f"SET LOCAL {name} = '{_read_back(name, called)}'")
    return _canonical(name, called)


def _read_back(name: str, called: str) -> str:
    """The value under which values are written as this program reads them, and dates read as under that."""
    if name == "DateStyle":
        return "ISO, " + called.rpartition(" ")[2]
    if name == "IntervalStyle":
        return TAKEN[name]
    return called.replace("'", "''")


def _canonical(name: str, called: str) -> str:
    """One spelling for the zones that are UTC, and the value as it is of others."""
    return "UTC" if name == "TimeZone" and called.lower() in _UTC else called


def session_of(wire: Wire) -> list[tuple[str, str]]:
    """The settings that the session of a connection has, with their values."""
    shown = [(name, str(wire.one(f"SHOW {name}").rows[0][0])) for name in TAKEN if name not in OF_DATABASE]
    database = json.loads(str(wire.one(_DATABASE).rows[0][0]))
    provider = {"i": "icu", "b": "builtin"}.get(database.get("datlocprovider", "c"), "libc")
    own = database.get("datlocale") or database.get("daticulocale")
    order, cases = (
        own if own and provider != "libc" else database[each] for each in ("datcollate", "datctype")
    )
    return [*shown, (ORDER, _collation_named(order, provider)), (CASES, _cases_named(cases, provider))]


_DATABASE = "SELECT to_jsonb(d) - 'datacl' FROM pg_catalog.pg_database d WHERE datname = current_database()"


def writes_otherwise(stated: Iterable[tuple[str, str]], asked: Iterable[str]) -> bool:
    """Whether what no proof knows is answered otherwise than under ours.

    Dates and intervals are cast to other texts, texts sorted otherwise, or what is asked is another.
    """
    values = {**TAKEN, **dict(stated)}
    names = {"IntervalStyle", ORDER, STRINGS, REFUSED, *(name for name in asked if name in _LOCAL | {CASES})}
    return not values["DateStyle"].startswith("ISO") or any(values[name] != TAKEN[name] for name in names)


def settings_of_text(query: str) -> frozenset[str]:
    """The settings that functions may ask of which no proof knows anything, by words of a text."""
    return frozenset(name for name, words in _ASKING.items() if words.search(query))


_ASKING = {
    "default_text_search_config": re.compile(r"\bts_|tsvector|tsquery|@@", re.IGNORECASE),
    "lc_monetary": re.compile(r"\bto_char\b|\bto_number\b|\bmoney\b", re.IGNORECASE),
    "lc_numeric": re.compile(r"\bto_char\b|\bto_number\b", re.IGNORECASE),
    "lc_time": re.compile(r"\bto_char\b|\bto_date\b|\bto_timestamp\b", re.IGNORECASE),
    CASES: re.compile(r"upper|lower|initcap|~~?\*|ilike", re.IGNORECASE),
}


def made_under(stated: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The settings that count among those that are stated: not those that are as they are anyhow."""
    plain = HONOURED | _LOCAL | {REFUSED}
    return tuple((name, value) for name, value in stated if name not in plain or value != TAKEN[name])
