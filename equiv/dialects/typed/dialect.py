"""A typed dialect that is filled in: its reader, engine, loader and sessions, made of what an engine brings.

An engine brings its :class:`EngineParts`, which are imported when one of them is first asked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from equiv.core.query import Broken, Query, withheld
from equiv.core.runner import Guarded, Limits, RunnerError, open_memory
from equiv.dialects.protocol import ONLY_DETERMINED, Session, ValueSort, ValueType
from equiv.dialects.typed.query_texts import DatabaseNaming, read_in_own_database
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.files import MAX_QUERY_BYTES, is_text
from equiv.names import fold, quoted
from equiv.scratch import Closing
from equiv.verdict import Remark, RemarkKind

if TYPE_CHECKING:
    from sqlglot import exp

    from equiv.cells import Row
    from equiv.core.model import Column, Schema
    from equiv.dialects.protocol import Filled


MOST_CORE_ROWS = 100_000
"""A larger database is not copied to the core's runner."""
_LARGEST = 20_000_000
"""The characters of a script that is read."""


class TypedSession(Closing):
    """The base of sessions of typed dialects; an engine's subclass copies the rows and closes the database.

    Attributes:
        is_open: whether it is not closed yet; what it runs on may be another session's then.
    """

    is_open = True

    @property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return True

    @cached_property
    def core(self) -> Guarded:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return self.copied()

    def copied(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        raise NotImplementedError

    def require_core(self) -> None:
        """Make sure that the core can hold the rows.

        Raises:
            RunnerError: they are too many.
        """
        if not self.has_core:
            raise RunnerError(f"more than {MOST_CORE_ROWS:,} rows")

    def noted_size(self) -> Iterator[str]:
        """What a reader of a verdict should know of many rows."""
        if not self.has_core:
            yield f"more than {MOST_CORE_ROWS:,} rows: {ONLY_DETERMINED}"

    def close_core(self) -> None:
        """Close the core's copy, if there is one."""
        if "core" in self.__dict__:
            self.core.close()

    def close(self) -> None:
        """Close it, and its copy."""
        self.is_open = False
        self.close_core()


CopiedRows = Mapping[str, tuple[tuple[str, ...], Iterable["Row"]]]
"""TableRows by table, each with the columns that they give."""


_RECURSING_SECONDS = 0.3


def limits_for(text: str, limits: Limits) -> Limits:
    """The limits of a query on a database that is made: if it recurses it ends at once there, or never."""
    recurses = "recursive" in fold(text)
    return replace(limits, seconds=min(limits.seconds, _RECURSING_SECONDS)) if recurses else limits


def core_copy(schema: Schema, rows: CopiedRows) -> Guarded:
    """A database of the core with the tables of a schema and some rows.

    Raises:
        RunnerError: the core cannot hold them.
    """
    from equiv.dialects.registry import reference

    with open_memory().handed_on() as engine:
        for statement in reference().create(schema):
            engine.connection.execute(statement)
        try:
            for name, (columns, given) in rows.items():
                if columns:
                    head = f"INSERT INTO {quoted(name)} ({', '.join(map(quoted, columns))})"
                    engine.connection.executemany(f"{head} VALUES ({', '.join('?' * len(columns))})", given)
        except OverflowError as error:
            raise RunnerError(str(error)) from None
    return engine


_MOST = 5
_WORD = re.compile(r"\w+")
_UNBOUNDED = frozenset(("number", "float", "date", "timestamp", "timestamptz"))
_MAY_FAIL = (
    "on some rows it may raise an error (division by zero, a failing cast, a subquery with two rows) or meet "
    "NaN, infinity, the text 'now' or a year outside 0001 to 9999; the verdict covers all other rows"
)


@dataclass(frozen=True, slots=True)
class CoreType:
    """How the core holds the values of a type."""

    declared: str
    """The declared type of a core column."""
    form: FactKind | None = None
    """The fact that says how its texts are spelt, assumed of what a column may hold beyond."""
    exact: bool = True
    """Whether every value has a cell of the declared type."""
    samples: tuple[str | bytes, ...] | None = None
    """Values to generate, where few texts are values of the type."""
    below: int = 0
    """The number that values are below, sign apart; 0: no limit that generated values meet."""
    decimals: int | None = None
    """The most decimals; None: any."""


def facts_of_type(table: str, column: str, held: CoreType) -> Iterator[Fact]:
    """What the type of a column promises that the core's DDL does not enforce."""
    if held.declared != "BLOB":
        grade = Grade.DECLARED if held.exact else Grade.ASSUMED
        yield Fact(FactKind.TYPE, grade, table, (column,))
    if held.form is not None:
        yield Fact(held.form, Grade.ASSUMED, table, (column,))


CoreText = Callable[[str, str, Literal["condition", "value"]], str | None]
"""The core's text of a condition on the rows of a table, or of a value, by the table's name and the engine's
text; None if it has none."""


def no_core_text(table: str, text: str, kind: Literal["condition", "value"]) -> None:
    """What knows the core's text of nothing."""


def core_text_by(
    schema: Schema,
    session: Session,
    hangs: Callable[[Query, str, bool], bool],
    *refused: type[exp.Expression],
) -> CoreText:
    """What knows the core's text of expressions by the dialect's reader, as parts of a query of the table.

    Args:
        schema: the schema without what they are of.
        session: an empty database of it.
        hangs: whether a query depends on what wrote a row, by its text too, and by whether it is of a value.
        refused: further classes of nodes that an expression may not contain.
    """
    from sqlglot import exp

    from equiv.core.claims.choices import reads_the_clock
    from equiv.core.printing import text_over_row
    from equiv.dialects.registry import dialect_of

    def core_text(table: str, text: str, kind: Literal["condition", "value"]) -> str | None:
        is_value = kind == "value"
        asked = f"SELECT {text} FROM {table}" if is_value else f"SELECT 1 FROM {table} WHERE {text}"
        found = dialect_of(schema).reader.read(asked, schema, session)
        tree = None if isinstance(found, Broken) or hangs(found, asked, is_value) else found.tree
        # What the clock showed as a row was written is gone.
        if not isinstance(tree, exp.Select) or reads_the_clock(tree):
            return None
        where = tree.args.get("where")
        if is_value:
            return None if where else text_over_row(tree.expressions[0].unalias(), *refused)
        return text_over_row(where.this, *refused) if where else None

    return core_text


@dataclass(frozen=True)
class ToldTypes:
    """The translation of an engine's types into words that no dialect owns, and back (docs/across.md)."""

    types: Mapping[str, ValueType]
    """By the name that the catalogue writes; of several that store the same the first is the one to write."""
    decimal: str
    """The type of decimal numbers of some digits and decimals, as a column is declared."""
    digits: int
    """The most that it may have."""
    number: str
    """The type of numbers of any digits."""
    text: str
    """The type of texts of any length."""
    varying: str = ""
    """The type of texts of some length at most, if the engine has it."""

    def value_type(self, column: Column) -> ValueType | None:
        """The kind of values that a column stores, by its type as the catalogue writes it."""
        if self.varying and (found := _numbers_in(column.native_type, self.varying)):
            return ValueType(ValueSort.TEXT, *found)
        if found := _numbers_in(column.native_type, self.decimal):
            return ValueType(ValueSort.NUMBER, *found)
        return self.types.get(column.native_type)

    def type_name(self, found: ValueType) -> str | None:
        """The type of a column that stores such values."""
        match found.sort:
            case ValueSort.NUMBER if found.width:
                fits = found.scale <= found.width <= self.digits
                return self.decimal.format(found.width, found.scale) if fits else None
            case ValueSort.NUMBER:
                return self.number
            case ValueSort.TEXT:
                return self.varying.format(found.width) if found.width and self.varying else self.text
        same = ((known.sort, known.width) == (found.sort, found.width) for known in self.types.values())
        return next((name for name, is_same in zip(self.types, same, strict=True) if is_same), None)


def _numbers_in(name: str, template: str) -> tuple[int, ...]:
    """The numbers in the name of a type that is written as a template says; none of another."""
    head = template.partition("{")[0]
    parts = name[len(head) : -1].split(",")
    is_written = name.startswith(head) and name.endswith(")") and len(parts) == template.count("{}")
    return tuple(map(int, parts)) if is_written and all(each.strip().isdecimal() for each in parts) else ()


def remarks_on(
    schema: Schema, pred: Query | Broken, gold: Query | Broken, texts: tuple[str, str]
) -> Iterator[Remark]:
    """The remarks on queries and schema that a reader of the verdict should know.

    That is: the values of parameters, materialised views, rows of tables, queries that may fail,
    and what a query mentions of a schema's source that was skipped.
    """
    from equiv.core.claims.blocks import tables_read

    sides = [(side, each) for side, each in (("pred", pred), ("gold", gold)) if isinstance(each, Query)]
    for side, query in sides:
        if _UNBOUNDED & {each.removeprefix("list of ").removesuffix("[]") for each in query.parameter_types}:
            text = "parameters stand for any value except NaN, infinity and years outside 0001 to 9999"
            yield Remark(RemarkKind.DIALECT, side, text)
    bound = {pair for _, each in sides for pair in zip(each.parameters, each.bound_as, strict=False)}
    if shown := [f"{name} as {kind}" for name, kind in sorted(bound) if kind]:
        text = f"values are bound of these types, of others they may compare otherwise: {', '.join(shown)}"
        yield Remark(RemarkKind.DIALECT, "schema", text)
    if len({query.locks for _, query in sides}) > 1:
        locks = " and ".join(", ".join(query.locks) or "nothing" for _, query in sides)
        yield Remark(RemarkKind.DIALECT, "schema", f"rows are compared, but not row locks: {locks}")
    trees = [query.tree for _, query in sides if query.tree is not None]
    read = tables_read(trees, schema)
    for view in sorted({table.earlier.views[0] for table in read if table.earlier}):
        held = "holds the rows of its last refresh; its tables are assumed to have satisfied"
        yield Remark(RemarkKind.DIALECT, "schema", f"{view} {held} their constraints at that time")
    for table in read:
        if table.remark:
            yield Remark(RemarkKind.DIALECT, "schema", f"{table.name}: {table.remark}")
    yield from itertools.chain.from_iterable(_remarks_on_query(*each, schema) for each in sides)
    for note in schema.notes[:_MOST]:
        yield Remark(RemarkKind.DIALECT, "schema", note)
    words = {word for text in texts for word in _WORD.findall(fold(text))} if schema.passed else set()
    # No row that is made has a default.
    for each in [each for each in schema.passed if each.bare in words and each.kind != "default"][:_MOST]:
        yield Remark(RemarkKind.DIALECT, "schema", str(each))


def _remarks_on_query(side: str, query: Query, schema: Schema) -> Iterator[Remark]:
    if query.may_fail:
        yield Remark(RemarkKind.NO_ERROR, side, _MAY_FAIL)
    if query.database and query.database not in schema.qualifiers:
        text = f"{query.database} is read as the name of the database that the schema describes"
        yield Remark(RemarkKind.DIALECT, side, text)


@dataclass(frozen=True)
class EngineParts:
    """The parts that an engine brings; :mod:`equiv.dialects.protocol` says what each of them does."""

    version: Callable[[], str]
    read: Callable[[str, Schema, Any], Query | Broken]
    """The reader's; what was left out of the schema is said here, of all engines alike."""
    statements: Callable[[str], list[str]]
    empty: Callable[[Schema], Session]
    open: Callable[[Path], Session]
    script: Callable[[Schema, Iterable[str], Filled], str]
    replay: Callable[[str], Session]
    store: Callable[[Path, Schema, Filled], None]
    read_ddl: Callable[[str, str], Schema]
    read_database: Callable[[Path], Schema]
    told: ToldTypes
    filled: Callable[[str, Mapping[str, str]], str] = lambda text, _: text
    at_instant: Callable[[str, str], str | None] = lambda _text, _instant: None
    plain_name: Callable[[str], str] = lambda name: name
    naming: DatabaseNaming | None = None
    """How names of databases are read; None: as the reader says."""


@dataclass(frozen=True)
class TypedReader:
    """See :class:`~equiv.dialects.protocol.Reader`."""

    parts: Callable[[], EngineParts]

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        if len(text.encode(errors="surrogatepass")) > MAX_QUERY_BYTES:
            return Broken("SYNTAX", f"query longer than {MAX_QUERY_BYTES} bytes")
        try:
            parts = self.parts()
            found = read_in_own_database(text, schema, parts.naming, lambda t: parts.read(t, schema, empty))
        except RecursionError:
            found = Broken("WITHHELD", "a query nested too deeply is not supported")
        return withheld(found, schema.withheld, schema.passed) if isinstance(found, Broken) else found

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        return self.parts().filled(text, parameters)

    def at_instant(self, text: str, instant: str) -> str | None:
        return self.parts().at_instant(text, instant)

    def without_schema_names(self, text: str, schema: Schema) -> str:  # noqa: ARG002 - the protocol hands it over
        return text

    def statements(self, text: str) -> list[str]:
        return self.parts().statements(text)

    def remarks(
        self,
        pred: Query | Broken,
        gold: Query | Broken,
        schema: Schema,
        texts: tuple[str, str],
    ) -> Iterator[Remark]:
        return remarks_on(schema, pred, gold, texts)


@dataclass(frozen=True)
class TypedEngine:
    """See :class:`~equiv.dialects.protocol.DialectEngine`."""

    parts: Callable[[], EngineParts]
    shell: Callable[[str, Path | None], list[str]]
    """The shell command that runs the script in a file."""
    holds_command: Callable[[str], bool]
    """Whether the program of that command reads a part of a text as a command of its own."""

    @property
    def version(self) -> str:
        return self.parts().version()

    def empty(self, schema: Schema) -> Session:
        return self.parts().empty(schema)

    def open(self, path: Path) -> Session:
        return self.parts().open(path)

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        return self.parts().script(schema, tables, filled)

    def replay(self, script: str) -> Session:
        return self.parts().replay(script)

    def command(self, script: str, database: Path | None) -> list[str]:
        return self.shell(script, database)

    def is_plain_in_shell(self, text: str) -> bool:
        return not self.holds_command(text)

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        self.parts().store(path, schema, filled)


@dataclass(frozen=True)
class TypedLoader:
    """See :class:`~equiv.dialects.protocol.SchemaLoader` and :class:`~equiv.dialects.protocol.Teller`."""

    parts: Callable[[], EngineParts]
    suffixes: tuple[str, ...]

    def read_ddl(self, text: str, name: str = "") -> Schema:
        called = name or "DDL"
        if not is_text(text):
            raise InputError(f"{called}: not valid text: it holds NUL or an unpaired surrogate")
        if len(text) > _LARGEST:
            raise InputError(f"{called}: longer than {_LARGEST:,} characters")
        return self.parts().read_ddl(text, name)

    def read_database(self, path: Path) -> Schema:
        return self.parts().read_database(path)

    def value_type(self, column: Column) -> ValueType | None:
        return self.parts().told.value_type(column)

    def type_name(self, found: ValueType) -> str | None:
        return self.parts().told.type_name(found)

    def plain_name(self, name: str) -> str:
        return self.parts().plain_name(name)
