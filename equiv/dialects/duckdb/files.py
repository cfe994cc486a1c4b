"""Schemas from DDL, which DuckDB runs in an empty database; files that are only read, and those written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
from sqlglot import exp

from equiv.core.lexer import name_of, tokens
from equiv.core.model import PassedOver, Schema
from equiv.core.query import INCLUDED, Broken
from equiv.core.runner import Failure, Limits, Result
from equiv.core.texts import name_in, standing
from equiv.dialects.duckdb.catalogue import creating, made_first, made_last, native_name, read_catalogue
from equiv.dialects.duckdb.database import DDL_SECONDS, OWN, DuckdbDatabase, DuckdbError, one_line
from equiv.dialects.duckdb.guard import macros_lost
from equiv.dialects.duckdb.read import read_on_data
from equiv.dialects.duckdb.session import DIFFERS, DuckdbSession, same_rows, script
from equiv.dialects.duckdb.session_settings import refused_in, stated_by
from equiv.dialects.protocol import settled
from equiv.dialects.typed import facts
from equiv.dialects.typed.dialect import core_text_by
from equiv.dialects.typed.query_texts import code, with_plain_head
from equiv.errors import InputError
from equiv.names import fold

if TYPE_CHECKING:
    from equiv.cells import Row
    from equiv.core.query import Query
    from equiv.dialects.protocol import Filled


_OF_FACTS = Limits(seconds=DDL_SECONDS, rows=10, bytes=100_000)
_SAID = 120
_TEMPORARY = re.compile(r"\s*(CREATE\s+(?:OR\s+REPLACE\s+)?)TEMP(?:ORARY)?\b", re.IGNORECASE)
_RELATION = re.compile(
    r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW)\b", re.IGNORECASE
)
_THERE = """SELECT 1 FROM (SELECT database_name, schema_name, table_name AS name FROM duckdb_tables()
    UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views())
    WHERE database_name = current_database() AND schema_name = current_schema() AND lower(name) = ?"""
_DROPS = re.compile(r"\s*DROP\b", re.IGNORECASE)
_NAME = r"""(?:\w+|"(?:[^"]|"")*")(?:\s*\.\s*(?:\w+|"(?:[^"]|"")*"))*"""
_NAMED = re.compile(
    r"\b(CREATE|ALTER|DROP)\s+(?:(?:OR\s+REPLACE|TEMP|TEMPORARY|UNIQUE|PERSISTENT)\s+)*(\w+)\s+"
    rf"(?:IF\s+(?:NOT\s+)?EXISTS\s+)?({_NAME})",
    re.IGNORECASE,
)
_ON = re.compile(rf"\bON\s+({_NAME})", re.IGNORECASE)
_RUN = frozenset(("CREATE", "ALTER", "DROP"))
_ATTACHED = re.compile(
    r"""ATTACH\s+(?:OR\s+REPLACE\s+)?(?:DATABASE\s+)?(?:IF\s+NOT\s+EXISTS\s+)?'(?:[^']|'')*'\s+"""
    r"""AS\s+(\w+|"(?:[^".]|"")+")(?!.*\bTYPE\b)""",
    re.IGNORECASE | re.DOTALL,
)
"""A database of DuckDB's, which is made in memory: what its file holds is not known, and it is not opened."""
_PASSED = re.compile(
    r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP\w*\s+)?(?:SECRET\b|(?:MACRO|FUNCTION)\b"
    r"(?:\s+IF\s+NOT\b(?=.*(?::=|=>))|(?=.*,\s*\([^()]*(?::=|=>)[^()]*\)\s*AS\b)))",
    re.IGNORECASE | re.DOTALL,
)
"""Secrets, and macros of which it is not surely known what a parameter is that is left out."""
_ELSEWHERE = re.compile(
    r"\s*(?:IMPORT\s+DATABASE\b|PRAGMA\s+import_database\b|ATTACH\b[^']*'(?!(?::memory:)?'))", re.IGNORECASE
)
"""What brings along objects that the script does not say."""
_USED = re.compile(r"""USE\s+(\w+|"(?:[^".]|"")+")\Z""", re.IGNORECASE)
_PLACE = f"""SELECT current_database(), current_schema(), (SELECT count(*) FROM duckdb_tables()
    WHERE database_name = '{OWN}') + (SELECT count(*) FROM duckdb_schemas() WHERE database_name = '{OWN}'
    AND NOT internal AND schema_name <> 'main')"""
"""Where names are looked for, and how much the database without a name of the script's has."""
_LONGEST_WORDS = 40
"""Characters of what begins or ends a transaction."""
_MACRO = re.compile(r"\s*CREATE\b[^(]*\b(?:MACRO|FUNCTION)\b", re.IGNORECASE)


def load_ddl(text: str, name: str) -> Schema:
    """The schema that a script defines; statements about rows are skipped, and what cannot be made.

    Raises:
        InputError: it cannot be parsed, or no table is created.
    """
    called = name or "DDL"
    with DuckdbDatabase() as database:
        try:
            written = database.kinds(text)
        except (DuckdbError, RuntimeError, ValueError) as error:
            raise InputError(f"{called}: {one_line(error)}") from None
        making = _Making(database)
        statements = [(kind, with_plain_head(each)) for kind, each in written]
        # No ROLLBACK undoes one.
        stated = _stated(statement for kind, statement in statements if kind == "SET")
        lasting = standing(
            [(*each, line) for each, line in zip(statements, _lines(text, written), strict=True)],
            lambda each: _words(each[1][:_LONGEST_WORDS]),
        )
        making.read_ahead(statement for _, statement, _ in lasting)
        for kind, statement in statements:
            if kind in ("SET", "PRAGMA") and (alone := refused_in(statement)):
                raise InputError(f"only {alone} is supported: {_said(statement)}")
        for kind, statement, line in lasting:
            making.take(kind, statement, line)
        making.finish()
        ((own, inner, beside),) = database.execute(_PLACE)
        if inner != "main" or (own != OWN and beside):
            raise InputError(f"{called}: only schema = 'main' is supported: {making.here}")
        schema = whole_schema(database, name, settled(stated))
        schema = schema if own == OWN else replace(schema, qualifiers=(fold(own),))
    passed = (*making.passed, *schema.passed)
    if not schema.tables:
        why = next((str(each) for each in passed), "the script has no CREATE TABLE")
        raise InputError(f"{called}: no table was created: {why}")
    names = (*schema.withheld, *(p.kind if p.kind == INCLUDED else p.bare for p in making.passed))
    tables = tuple(replace(t, looser=making.looser.get(fold(t.name), "")) for t in schema.tables)
    return replace(schema, tables=tables, passed=passed, withheld=tuple(dict.fromkeys(names)))


def _stated(statements: Iterable[str]) -> list[tuple[str, str]]:
    """The settings that are stated behind the last RESET of each, with their values."""
    found: list[tuple[str, str]] = []
    for name, value in filter(None, map(stated_by, statements)):
        found = [*found, (name, value)] if value else [each for each in found if each[0] != name]
    return found


def _lines(text: str, statements: Iterable[tuple[str, str]]) -> Iterator[int]:
    """The lines on which statements begin."""
    place, line = 0, 1
    for _, statement in statements:
        start = text.find(statement, place)
        if start >= 0:
            named = _NAMED.search(statement)
            start += named.start() if named else 0
            line, place = line + text.count("\n", place, start), start
        yield line


class _Making:
    """Objects of a script, made one by one; what wants a later one is tried again when that is there."""

    def __init__(self, database: DuckdbDatabase) -> None:
        self.passed: list[PassedOver] = []
        self.looser: dict[str, str] = {}
        """What tables lack that cannot be left out, by their names in lower case."""
        self.here = f"USE {OWN}"
        """What the script said last of the schema in which names are looked for."""
        self._database = database
        self._has_made = False
        self._waiting: list[tuple[str, int, str, str]] = []
        self._temporary: set[str] = set()
        self._hiding: set[str] = set()

    def take(self, kind: str, statement: str, line: int) -> None:
        """Run a statement of a kind that makes, changes or names objects; no other."""
        if _ELSEWHERE.match(statement):
            self.passed.append(PassedOver(INCLUDED, _said(statement), "equiv does not open files", line))
        if kind == "SET" and statement[:3].upper() == "USE":
            self._use(statement, line)
        elif kind == "ATTACH" and (found := _ATTACHED.match(statement)):
            self.make(f"ATTACH IF NOT EXISTS ':memory:' AS {found[1]}", line)
        elif _PASSED.match(statement) or (_MACRO.match(statement) and self._is_taken(_about(statement))):
            self.pass_over(statement, line, "not supported")
        elif kind in _RUN and (lost := macros_lost(_calls_in(statement), self._hiding)):
            self.pass_over(statement, line, f"it calls {lost[0]}, which is not supported")
        elif kind in _RUN:
            self.make(statement, line)

    def read_ahead(self, statements: Iterable[str]) -> None:
        """Find the macros that hide functions of DuckDB's own, also where an earlier view calls one."""
        made = [_about(statement) for statement in statements if _MACRO.match(statement)]
        self._hiding = {name.strip('"') for name in made if self._is_taken(name)}

    def _is_taken(self, name: str) -> bool:
        """Whether a function of DuckDB's own has a name, or that of another schema stands before it."""
        asked = "SELECT 1 FROM duckdb_functions() WHERE internal AND function_name = ?"
        return "." in name or bool(self._database.execute(asked, [name.strip('"')]))

    def make(self, statement: str, line: int) -> None:
        """Run a statement, or let it wait, behind those that are about the same object."""
        self._has_made = self._has_made or statement[:6].upper() == "CREATE"
        if any(_about(each) == _about(statement) for each, *_ in self._waiting):
            self._waiting.append((statement, line, "", self.here))
        elif name := self._hidden(statement):
            raise InputError(f"two tables or views are named {name}, and the temporary one hides the other")
        elif why := self._refusal(statement):
            if not (_DROPS.match(statement) and "does not exist" in why):
                self._waiting.append((statement, line, why, self.here))
        elif _TEMPORARY.match(statement):
            self._temporary.add(_plain(_about(statement)))
        elif _DROPS.match(statement):
            self._temporary.discard(_plain(_about(statement)))

    def _hidden(self, statement: str) -> str:
        """The name of a table or view that a statement makes beside one which hides it, or which it hides."""
        name, is_temporary = _plain(_about(statement)), _TEMPORARY.match(statement) is not None
        if _RELATION.match(statement) is None or is_temporary is (name in self._temporary):
            return ""
        return name if self._database.execute(_THERE, [name]) else ""

    def _use(self, statement: str, line: int) -> None:
        """Look for names in another schema or database from now on; one that is not there is skipped."""
        named = None if self._has_made else _USED.match(statement)
        if named and self._refusal(statement):
            # The script is of a database that is there where it runs.
            self.make(f"ATTACH ':memory:' AS {named[1]}", line)
        if why := self._refusal(statement):
            self.pass_over(statement, line, why)
        else:
            self.here = statement

    def finish(self) -> None:
        """Make what waits as far as that can be; skip the rest, each object once."""
        progress = True
        while progress:
            progress, left = False, list[tuple[str, int, str, str]]()
            for statement, line, why, here in self._waiting:
                held = any(_about(each) == _about(statement) for each, *_ in left)
                self._refusal(here)
                if held or (why := self._refusal(statement)):
                    left.append((statement, line, why, here))
                else:
                    progress = True
            self._waiting = left
        self._refusal(self.here)
        for statement, line, why, _ in self._waiting:
            if why and not _DROPS.match(statement):
                self.pass_over(statement, line, why)

    def pass_over(self, statement: str, line: int, why: str) -> None:
        """Note an object that is not made; a table that cannot be changed is none."""
        found = _NAMED.search(statement)
        kind, name = (fold(found[2]), found[3]) if found else ("statement", _said(statement))
        if found and (found[1].upper() == "ALTER" or "UNIQUE" in found[0].upper()):
            on = _ON.search(statement) if found[1].upper() == "CREATE" else None
            table = on[1] if on else name
            try:
                self._database.execute(f"DROP TABLE IF EXISTS {table} CASCADE")
                kind, name = "table", table
            except DuckdbError:
                # Others refer to it.
                self.looser[name_in(f"CREATE TABLE {table}")] = _said(statement)
                name = f"{name} on {table}" if on else name
        known = PassedOver(kind, name, why, line)
        if all((each.kind, each.bare) != (known.kind, known.bare) for each in self.passed):
            self.passed.append(known)

    def _refusal(self, statement: str) -> str:
        try:
            self._database.execute(_TEMPORARY.sub(r"\1", statement, count=1))
        except DuckdbError as error:
            return one_line(error)
        return ""


def _words(text: str) -> list[str]:
    """The words of a text without its comments, in upper case."""
    return re.findall(r"\w+", "".join(text[start:end] for start, end in code(text)).upper())


def _calls_in(text: str) -> set[str]:
    """The names in a text, folded, behind which a parenthesis opens."""
    return {fold(name_of(text, one)) for one, after in pairwise(tokens(text)) if after.word == "("}


def _about(statement: str) -> str:
    """The object that a statement makes or changes, by its name."""
    found = _NAMED.search(statement)
    return fold(found[3]) if found else ""


def _plain(name: str) -> str:
    """A name in the main schema without that and without quotes."""
    return name.removeprefix("main.").strip('"')


def _without_what_cannot_be_made(schema: Schema) -> Schema:
    """The schema without tables and views that a fresh database of it refuses; a note for each."""
    lost: dict[str, str] = {}

    def is_made(trial: DuckdbDatabase, name: str, made: Iterable[str], dropping: str = "SELECT 1") -> bool:
        try:
            trial.make(made)
        except DuckdbError as error:
            trial.execute(dropping)
            lost[name] = one_line(error)
        return name not in lost

    with DuckdbDatabase() as trial:
        for statement in made_first(schema):
            is_made(trial, statement, (statement,))
        tables = tuple(
            table
            for table in schema.tables
            if is_made(trial, table.name, table.native, f"DROP TABLE IF EXISTS {native_name(table.name)}")
        )
        for statement in made_last(schema):
            is_made(trial, statement, (statement,))
        views = tuple(v for v in schema.native_views if is_made(trial, v.name, (creating(v),)))
    if not lost:
        return schema
    passed = [
        PassedOver(fold(found[2]), found[3], why) if found else PassedOver("object", _said(name), why)
        for name, why in lost.items()
        for found in [_NAMED.search(name)]
    ]
    return replace(
        schema,
        tables=tables,
        native=tuple(each for each in schema.native if each not in lost),
        native_views=views,
        passed=(*schema.passed, *passed),
        withheld=(*schema.withheld, *(fold(each.bare) for each in passed)),
    )


def whole_schema(database: DuckdbDatabase, name: str, settings: tuple[tuple[str, str], ...] = ()) -> Schema:
    """The schema of a database, with what the reader makes of CHECKs and generated columns.

    What no other database can have (aggregate states, a view that names itself) is left out.

    Raises:
        InputError: as :func:`read_catalogue`.
    """
    schema = replace(_without_what_cannot_be_made(read_catalogue(database, name)), settings=settings)
    checks = any("CHECK" in statement for table in schema.tables for statement in table.native)
    if not checks and not any(column.derived for table in schema.tables for column in table.columns):
        return schema

    core_text = core_text_by(schema, DuckdbSession(database, schema), _hangs, exp.Anonymous)
    known = {table.name: table for table in read_catalogue(database, name, core_text).tables}
    return replace(schema, tables=tuple(known[table.name] for table in schema.tables))


def _hangs(found: Query, _: str, is_value: bool) -> bool:
    # DuckDB computes a generated column as it is read, which may raise an error that no query shows.
    return "TimeZone" in found.settings or (found.may_fail and is_value)


def _said(statement: str) -> str:
    return " ".join(statement[:_SAID].split("\n", 1)[0].split())


class FileSession(DuckdbSession):
    """A populated database, which may have macros of its own."""

    def prepared(self, text: str, refused: Broken) -> Query | Broken:
        """See :class:`~equiv.dialects.protocol.UsersDatabase`."""
        return read_on_data(text, refused, self.schema, self.database)

    def doubt(self, text: str, found: Result, limits: Limits) -> str:
        """See :class:`~equiv.dialects.protocol.UsersDatabase`: whether the optimiser changes the answer."""
        plain = self.database.run(text, limits, optimised=False)
        return DIFFERS if isinstance(plain, Result) and not same_rows(found, plain) else ""


class LargeFileSession(facts.AsksItself, FileSession):
    """One of more rows than the core holds, which is asked for facts itself."""

    has_core = False

    def asked(self) -> AbstractContextManager[facts.AskedEngine]:
        """See :class:`~equiv.dialects.typed.facts.AsksItself`."""

        def rows(query: str) -> Sequence[Row] | None:
            found = self.database.run(query, _OF_FACTS)
            return None if isinstance(found, Failure) else found.rows

        return nullcontext(facts.AskedEngine(rows, lambda relation: native_name(relation.name)))


def opened(path: Path) -> FileSession:
    """A populated database, which is only read.

    Raises:
        InputError: it cannot be opened.
    """
    try:
        database = DuckdbDatabase(path)
    except (DuckdbError, ValueError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None
    with database.handed_on():
        _require_own_functions(database, path)
        ((own,),) = database.execute("SELECT current_database()")
        found = FileSession(database, replace(read_catalogue(database, path.stem), qualifiers=(fold(own),)))
        return found if found.has_core else LargeFileSession(database, found.schema)


def load_database(path: Path) -> Schema:
    """The schema of a populated database.

    Raises:
        InputError: it cannot be opened.
    """
    with opened(path) as session:
        whole = whole_schema(session.database, session.schema.name)
        notes = (*session.noted_size(), *whole.notes)
        return replace(whole, notes=notes, qualifiers=session.schema.qualifiers)


def _require_own_functions(database: DuckdbDatabase, path: Path) -> None:
    """Make sure that no macro of a file has the name of a function of DuckDB's own.

    Raises:
        InputError: one has.
    """
    hidden = database.execute(
        """SELECT function_name FROM duckdb_functions() GROUP BY function_name
        HAVING bool_or(internal) AND NOT bool_and(internal) ORDER BY 1"""
    )
    if hidden:
        raise InputError(f"{path}: not supported: a macro replaces DuckDB's function {hidden[0][0]}")


def stored(path: Path, schema: Schema, filled: Filled) -> None:
    """Write rows as a database file.

    Raises:
        InputError: it cannot be written.
    """
    names = [table.name for table in schema.tables] + [view.name for view in schema.native_views]
    try:
        path.unlink(missing_ok=True)
        with duckdb.connect(
            str(path), config={"threads": "1", "autoload_known_extensions": "false"}
        ) as connection:
            connection.execute(script(schema, names, filled))
    except (duckdb.Error, OSError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None
