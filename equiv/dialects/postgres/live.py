"""Populated databases: on a server of the user's, which is only read, or a script with rows, restored here.

On a server of the user's all happens in one transaction that reads only, sees one state of the data, and has
the settings that the role gets.  A text of a stranger runs there if the embedded server runs it on the same
tables, empty, before, so that it calls no function that is not harmless; or if all that bears a name in the
text is harmless by the server's own catalogue, which takes the user's functions at their word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.connection import name_of, url_of
from equiv.core.model import Column, Schema, Table
from equiv.core.query import UNKNOWN, Broken, Query, taken_there
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.postgres import server
from equiv.dialects.postgres.analysis.scope import CALLED, READ, views_of
from equiv.dialects.postgres.catalogue import called_in, read_catalogue
from equiv.dialects.postgres.ddl import RestoredSession, restored, schema_made
from equiv.dialects.postgres.ddl_statements import spelt_name
from equiv.dialects.postgres.definitions import UNSETTLED
from equiv.dialects.postgres.making import ScriptReading
from equiv.dialects.postgres.parameters import MERGING, bound, is_plain_text, parameters_in, replaced
from equiv.dialects.postgres.read import cause_of
from equiv.dialects.postgres.sandbox import Sandbox, failure, roll_back, run_untrusted
from equiv.dialects.postgres.script import native_name, script, setting
from equiv.dialects.postgres.server import place
from equiv.dialects.postgres.session import (
    PostgresSession,
    all_rows,
    asked_engine,
    empty_session,
    made_by,
    present_rows,
)
from equiv.dialects.postgres.session_settings import (
    OF_DATABASE,
    PINNED,
    REFUSED,
    STRINGS,
    made_under,
    session_of,
)
from equiv.dialects.postgres.statements import SqlStatement, bare_name, statements
from equiv.dialects.postgres.values import family_of
from equiv.dialects.postgres.wire import Address, ServerAnswer, Wire, WireError
from equiv.dialects.protocol import ONLY_DETERMINED
from equiv.dialects.typed import facts
from equiv.dialects.typed.dialect import MOST_CORE_ROWS, TypedSession, core_copy
from equiv.dialects.typed.query_texts import code
from equiv.errors import InputError
from equiv.facts import Fact, FactKind
from equiv.files import MAX_QUERY_BYTES
from equiv.names import fold, quoted

if TYPE_CHECKING:
    from equiv.cells import Cell
    from equiv.dialects.protocol import Filled

_PROBE = Limits(seconds=5.0, rows=10, bytes=100_000)
_PREPARING_SECONDS = 5.0
_ENFORCED = frozenset(
    (FactKind.NOT_NULL, FactKind.UNIQUE, FactKind.INCLUSION, FactKind.CHECK, FactKind.FUNCTIONAL)
)
_PATH = """
SELECT name FROM unnest(current_schemas(true)) WITH ORDINALITY p(name, place) WHERE name !~ '^pg_temp'
ORDER BY place
"""
_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL lock_timeout = '5s'"
_READ = """
SET LOCAL DateStyle = ISO; SET LOCAL IntervalStyle = postgres;
SET LOCAL bytea_output = hex; SET LOCAL extra_float_digits = 1
"""
_WRITES_OTHERWISE = """
SELECT current_setting('DateStyle') !~ '^ISO' OR current_setting('IntervalStyle') <> 'postgres'
  OR current_setting('bytea_output') <> 'hex' OR current_setting('extra_float_digits')::int < 1
"""


@dataclass(frozen=True, slots=True)
class _Calls:
    """What the catalogue says of all that bears a name in a text."""

    is_repeatable: bool
    """Whether nothing is volatile."""
    is_harmless: bool
    """Whether nothing may do more than read tables."""
    is_chosen: bool
    """Whether the order of rows may say which of several values is the answer."""


class LiveSession(facts.AsksItself, TypedSession):
    """A database of a server of the user's, in one transaction that reads only.

    Attributes:
        wire: the connection.
        schema: its schema.
        version: the server's.
    """

    def __init__(self, url: str) -> None:
        self.wire = Wire(Address("", url=url))
        self.version = self.wire.version
        self.wire.execute(_BEGIN)
        own = made_under(session_of(self.wire))
        self._writes_otherwise = self.wire.one(_WRITES_OTHERWISE).rows == [("t",)]
        with self._reading():
            found = replace(
                read_catalogue(self.wire, name_of(url)),
                settings=tuple(own),
                path=tuple(str(each) for (each,) in self.wire.execute(_PATH).rows),
            )
            called = called_in(self.wire)
        self._routines = frozenset(_routines(found))
        ((called_here,),) = self.wire.one("SELECT current_database()").rows
        self.schema = replace(_understood(found, called), qualifiers=(str(called_here),))
        self._empty: PostgresSession | None = None

    def _reading(self) -> AbstractContextManager[None]:
        """Within, the session writes values as this program reads them; no text of a stranger runs."""
        return self.wire.undoing(_READ)

    @cached_property
    def has_core(self) -> bool:
        """Whether the core's runner can hold the rows: they are few."""
        counted = 0
        for table in self.schema.tables:
            if table.earlier is not None:
                continue
            limited = f"SELECT 1 FROM {native_name(table)} LIMIT {MOST_CORE_ROWS - counted + 1}"
            counted += int(self.wire.one(f"SELECT count(*) FROM ({limited}) t").rows[0][0] or 0)
            if counted > MOST_CORE_ROWS:
                return False
        return True

    @cached_property
    def stale_views(self) -> frozenset[str]:
        """The materialised views that hold other rows than their queries give now."""
        read = {view for table in self.schema.tables if table.earlier for view in table.earlier.views}
        stored = (view for view in self.schema.native_views if view.stored in read)
        return frozenset(view.stored for view in stored if facts.is_stale(asked_engine(self.wire), view))

    def copied(self) -> Guarded:
        """The same rows on the core's runner, without tables of an earlier time whose rows nobody knows.

        Raises:
            RunnerError: the core cannot hold them.
        """
        self.require_core()
        try:
            with self._reading():
                present = present_rows(self.wire, self.schema)
                found = core_copy(self.schema, all_rows(self.wire, self.schema.tables, present))
        except WireError as error:
            raise RunnerError(str(error)) from None
        for table in self.schema.tables:
            if table.earlier and not self.stale_views.isdisjoint(table.earlier.views):
                found.connection.execute(f"DROP TABLE {quoted(table.name)}")
        return found

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`."""
        if values:
            text = bound(text, values)
        if self._empty is None:
            self._empty = empty_session(self.schema)
        tried = self._empty.run(text, _PROBE)
        try:
            is_other = self._may_be_otherwise(text) or _asks(text) or isinstance(tried, Failure)
            if is_other and not self._calls_of(text).is_harmless:
                # The server may well run it: no failure of the text's own.
                why = tried.message if isinstance(tried, Failure) else "it may call a function of the server"
                return Failure("resource", f"not run on the server: {why}")
            types = self._described(text).types if self._writes_otherwise else ()
        except WireError as error:
            return failure(error)
        return run_untrusted(self.wire, text, limits, types=types)

    def doubt(self, text: str, found: Result, limits: Limits) -> str:  # noqa: ARG002
        """See :class:`~equiv.dialects.protocol.UsersDatabase`; no reason to doubt a server is known."""
        return ""

    def prepared(self, text: str, refused: Broken) -> Query | Broken:
        """See :class:`~equiv.dialects.protocol.UsersDatabase`; the server plans nothing."""
        if refused.cause in ("EMPTY", "NOT_A_QUERY") or len(text) > MAX_QUERY_BYTES:
            return refused
        query = next(iter(statements(text))).bare.rstrip()
        parameters = tuple(dict.fromkeys(place.name for place in parameters_in(query)))
        numbered = replaced(query, {name: f"${place}" for place, name in enumerate(parameters, 1)})
        try:
            types = self._described(numbered).types
            calls = self._calls_of(query)
            families = tuple(map(self._family, types))
        except WireError as error:
            if error.code[:2] in _REFUSING:
                return Broken(cause_of(error), str(error))
            return Broken("WITHHELD", f"{refused.message}; the server did not accept it either: {error}")
        return Query(
            query,
            len(types) or 1,
            None,
            taken_there(refused),
            _orders(query),
            is_repeatable=calls.is_repeatable,
            parameters=parameters,
            core_text="",
            types=families or ("row",),
            may_fail=True,
            needs_data=True,
            is_plain_on_data=calls.is_repeatable
            and not calls.is_chosen
            and is_plain_text(query, self.schema, MERGING),
        )

    def _may_be_otherwise(self, text: str) -> bool:
        """Whether the server may call a function of the user's, which the embedded one calls on no rows."""
        names = self._routines.union(self.schema.hiding)
        signs = (each for each in names if not _WORD.fullmatch(each))
        return not {*_WORD.findall(fold(text))}.isdisjoint(names) or any(each in text for each in signs)

    def _described(self, text: str) -> ServerAnswer:
        """The columns of a text, which is not run.

        Raises:
            WireError: the server refuses it, or does not answer in time.
        """
        milliseconds = round(_PREPARING_SECONDS * 1000)
        self.wire.execute(f"SAVEPOINT equiv; SET LOCAL statement_timeout = {milliseconds}")
        try:
            return self.wire.describe(text, _PREPARING_SECONDS)
        finally:
            roll_back(self.wire)

    def _family(self, number: int) -> str:
        ((kind, name),) = self.wire.one(_TYPE, (str(number),)).rows
        if kind == "e":
            return "text"
        found = family_of(number)
        if found.startswith("type "):
            # Its number is another one on the embedded server.
            return f"type {name}"
        return found + UNKNOWN * (name == "character")

    def _calls_of(self, text: str) -> _Calls:
        """What bears a name in a text, in strings and comments too, or is called by a view that does.

        Raises:
            WireError: the server refuses to tell.
        """
        words = {*_WORD.findall(text), *_WORD.findall(fold(text))}
        if 'u&"' in text.lower():
            # A name may hide in such a one.
            return _Calls(is_repeatable=False, is_harmless=False, is_chosen=True)
        listed = _array(sorted(words))
        views = " ".join(f":relid {oid}" for (oid,) in self.wire.one(_VIEWS, (listed,)).rows)
        trees = " ".join(views_of(views, self.wire).values())
        values = (listed, text, _array(CALLED.findall(trees)), _array(READ.findall(trees)))
        ((changes, harms, chooses, are_loose),) = self.wire.one(_CALLED, values).rows
        is_chosen = chooses == "t" or (are_loose == "t" and not _CHOOSING.isdisjoint(words))
        is_harmless = harms != "t" and not _asks(text)
        return _Calls(is_repeatable=changes != "t", is_harmless=is_harmless, is_chosen=is_chosen)

    @contextmanager
    def asked(self) -> Iterator[facts.AskedEngine]:
        """See :class:`~equiv.dialects.typed.facts.AsksItself`."""
        with self._reading():
            yield asked_engine(self.wire)

    def violated(self, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """See :class:`~equiv.dialects.protocol.FactSource`."""
        given, own = tuple(facts), dict(self.schema.settings)
        filtered = {table.name for table in self.schema.tables if table.is_filtered}
        elsewhere = {table.name for table in self.schema.tables if table.is_unenforced}
        there = {view.name: view.stored for view in self.schema.native_views}
        # Under the session's own settings, as queries read it.
        stale = self.stale_views if any(fact.kind is FactKind.FRESH for fact in given) else ()
        others = (
            fact
            for fact in given
            if (fact.kind is FactKind.FRESH and there.get(fact.table, "") in ("", *stale))
            or (fact.kind is FactKind.SETTING and own.get(fact.columns[0]) != fact.expression)
            or (fact.kind is FactKind.INCLUSION and fact.parent in filtered)
            or (fact.kind in _ENFORCED and fact.table in elsewhere)
        )
        return tuple(dict.fromkeys((*others, *super().violated(schema, given))))

    def close(self) -> None:
        """Close the connection."""
        super().close()
        if self._empty is not None:
            self._empty.close()
        self.wire.close()


_REFUSING = ("0A", "22", "3F", "42")
"""Classes of errors by which a server refuses a text, and not for want of time or of itself."""
_WORD = re.compile(r"[A-Za-z0-9_$\x80-\U0010ffff]+")
_TYPE = "SELECT typtype, format_type(oid, NULL) FROM pg_catalog.pg_type WHERE oid = $1::oid"
_VIEWS = "SELECT oid FROM pg_catalog.pg_class WHERE relkind IN ('v', 'm') AND relname = ANY ($1::text[])"
_CHOOSING = frozenset(
    ("distinct", "group", "union", "intersect", "except", "min", "max", "greatest", "least")
)
_CALLED = f"""
SELECT bool_or(p.provolatile = 'v')
    OR EXISTS (SELECT FROM pg_policy o JOIN pg_class c ON c.oid = o.polrelid
      WHERE (c.relname = ANY ($1::text[]) OR c.oid = ANY ($4::oid[])) AND {UNSETTLED}),
  bool_or(CASE WHEN n.nspname = 'pg_catalog'
    THEN p.provolatile = 'v' OR p.proname ~ '{server.ASKS_THE_SERVER}'
    ELSE NOT (p.provolatile = 'i' OR p.provolatile = 's' AND l.lanpltrusted) END),
  bool_or(n.nspname <> 'pg_catalog' AND p.prokind <> 'f'),
  EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic)
    OR EXISTS (SELECT FROM pg_type WHERE typtype = 'b' AND typelem = 0 AND oid >= 16384)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
WHERE p.proname = ANY ($1::text[]) OR p.oid = ANY ($3::oid[])
  OR (p.proname !~ '^[[:alnum:]_$]+$' AND strpos($2::text, p.proname) > 0)
  OR p.oid IN (SELECT o.oprcode FROM pg_operator o
    WHERE o.oprnamespace <> 'pg_catalog'::regnamespace AND strpos($2::text, o.oprname) > 0)
"""


def _asks(text: str) -> bool:
    """Whether a text may read what the server has of its own."""
    return "pg_" in text.lower() or "information_schema" in text.lower()


def _array(texts: Iterable[str]) -> str:
    """An array of words, as PostgreSQL reads it."""
    return "{" + ",".join(f'"{each}"' for each in texts) + "}"


def _orders(query: str) -> bool:
    """Whether ORDER BY stands at the top level."""
    depth = 0
    for found in _MARK.finditer(" ".join(query[start:end] for start, end in code(query))):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth and found[0] not in "()":
            return True
    return False


_MARK = re.compile(r"[()]|\border\s+by\b", re.IGNORECASE)


def opened(path: Path) -> LiveSession | RestoredSession:
    """A populated database, which is only read.

    Raises:
        ValueError: it cannot be opened.
    """
    url = url_of(path)
    try:
        return LiveSession(url) if url is not None else restored(path)
    except WireError as error:
        raise InputError(f"{name_of(url) if url else path}: {error}") from None


def _routines(schema: Schema) -> Iterator[str]:
    """The names of the functions that a schema has statements for, in lower case."""
    for statement in map(SqlStatement, schema.native):
        if statement.words[:4] == ("CREATE", "OR", "REPLACE", "FUNCTION"):
            yield fold(bare_name(spelt_name(statement)))


def _understood(found: Schema, called: Mapping[str, frozenset[str]]) -> Schema:
    """The schema of a server as the embedded one takes it: what that refuses is left out, and said.

    Args:
        found: what the server's catalogue says.
        called: its functions and operators.

    Raises:
        InputError: it takes nothing.
    """
    with Sandbox() as sandbox:
        reading = ScriptReading(sandbox)
        for each in setting(found):
            reading.session.change(each)
        of_database = (*OF_DATABASE, STRINGS, REFUSED)
        reading.session.stated |= {(name, ""): value for name, value in found.settings if name in of_database}
        left = [SqlStatement(text) for text in found.native]
        # Views and types may rest on what stands after them.
        while left:
            refused = [(each, why) for each in left if (why := reading.refusal(each))]
            if len(refused) == len(left):
                for statement, why in refused:
                    reading.refuse_of_server(statement, why)
                break
            left = [statement for statement, _ in refused]
        try:
            known = schema_made(reading, found.name)
            here = called_in(sandbox.wire)
        except WireError as error:
            raise InputError(f"{found.name}: {error}") from None
    kept = tuple(_as_there(table, found.table(table.name)) for table in known.tables)
    return replace(
        known,
        tables=kept,
        notes=tuple(dict.fromkeys((*found.notes, *known.notes))),
        passed=tuple(dict.fromkeys((*found.passed, *known.passed))),
        withheld=(*found.withheld, *known.withheld, *sorted(called.keys() - here.keys())),
        hiding=tuple(name for name, taken in sorted(called.items()) if taken - here.get(name, frozenset())),
        path=found.path,
        settings=tuple(
            sorted(dict((*known.settings, *(s for s in found.settings if s[0] in PINNED))).items())
        ),
    )


def _as_there(table: Table, there: Table | None) -> Table:
    """The table with what the user's server, which may be older, says of its rows as well."""
    if there is None:
        return table
    columns = (replace(c, not_null=c.not_null and _is_not_null(c, there)) for c in table.columns)
    table = replace(table.marked_as(there), columns=tuple(columns))
    if not there.is_unenforced:
        return table
    return replace(
        table,
        primary_key=there.primary_key,
        unique=there.unique,
        indexes=there.indexes,
        foreign_keys=there.foreign_keys,
        checks=tuple(each for each in table.checks if each in there.checks),
        promised=there.promised,
    )


def _is_not_null(column: Column, there: Table) -> bool:
    found = there.column(column.name)
    return found is None or found.not_null


def load_database(path: Path) -> Schema:
    """The schema of a populated database.

    Raises:
        InputError: it cannot be opened.
    """
    with opened(path) as session:
        if isinstance(session, LiveSession):
            return replace(session.schema, notes=(*_notes(session), *session.schema.notes))
        return session.restored


def _notes(session: LiveSession) -> Iterator[str]:
    """What a reader of a verdict should know of a server of the user's."""
    own = place().version
    if session.version != own:
        yield f"the data are on PostgreSQL {session.version}, but witnesses are replayed on {own}"
    yield from session.noted_size()
    for view in sorted(session.stale_views) if session.has_core else ():
        yield f"{view} is not up to date: where a query reads it, {ONLY_DETERMINED}"


def stored(path: Path, schema: Schema, filled: Filled) -> None:
    """Write rows as a script that makes the database.

    Raises:
        InputError: it cannot be written.
    """
    try:
        path.write_text(
            script(schema, [table.name for table in schema.tables], filled, made_by), encoding="utf-8"
        )
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
