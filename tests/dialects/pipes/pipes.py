"""A typed dialect for tests: queries in pipes, over integers and texts that are never compared to each other.

``FROM visit v |> JOIN person p ON p.id = v.who |> WHERE p.age > 3 |> SELECT p.name |> DISTINCT``; rows are
counted by ``COUNT BY p.name`` in the place of SELECT.  SQLite runs what the typed tree prints; types are
those of the schema's catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from equiv.cells import Cell
from equiv.core.model import Affinity, Schema
from equiv.core.query import Broken, Query, UnsupportedError
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result
from equiv.dialects.protocol import Dialect, Session, ValueSort, ValueType
from equiv.dialects.registry import reference
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.dialect import (
    EngineParts,
    ToldTypes,
    TypedEngine,
    TypedLoader,
    TypedReader,
    TypedSession,
)
from equiv.dialects.typed.lowering.operators import may_fail
from equiv.dialects.typed.reader import CoreTranslation, lowered, why_not, with_trees
from equiv.dialects.typed.walks import parts_of
from equiv.errors import InputError
from equiv.names import quoted_name

NAME = "pipes"
INT, TEXT, BOOL = t.Type("int8"), t.Type("text"), t.Type("bool")
TOLD = ToldTypes(
    {"INTEGER": ValueType(ValueSort.INTEGER, 64), "TEXT": ValueType(ValueSort.TEXT)},
    decimal="NUMBER({},{})",
    digits=0,
    number="INTEGER",
    text="TEXT",
)
_TOKEN = re.compile(r"\s+|(?P<word>\|>|<>|<=|>=|[=<>+*(),.-]|'(?:[^']|'')*'|\d+|[A-Za-z_]\w*)|(?P<other>.)")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_WORDS = frozenset(
    ("JOIN", "ON", "WHERE", "SELECT", "COUNT", "BY", "DISTINCT", "AND", "OR", "NOT", "IS", "NULL")
)
_LEVELS = (("=", "<>", "<", "<=", ">", ">="), ("+", "-"), ("*",))


class PipeError(Exception):
    """The engine refuses a text."""


class Parser:
    """Parses and types a query at once: the schema is the catalogue."""

    def __init__(self, text: str, schema: Schema) -> None:
        found = [each for each in _TOKEN.finditer(text) if each.lastgroup]
        if any(each["other"] for each in found):
            raise PipeError("a stray character")
        self._words, self._schema = [*(each["word"] for each in found), ""], schema
        self._at = 0
        self._sources: dict[str, t.TableUse] = {}

    def query(self) -> t.Select:
        """The whole text."""
        self._expect("FROM")
        item: t.FromItem = self._table()
        where: list[t.Expr] = []
        while self._take("|>"):
            if self._take("WHERE"):
                where.append(_typed(BOOL, self._either()))
            elif self._take("JOIN"):
                right = self._table()
                self._expect("ON")
                item = t.Joined("INNER", item, right, _typed(BOOL, self._either()))
            else:
                return self._result(item, where)
        raise PipeError("no SELECT or COUNT BY")

    def _result(self, item: t.FromItem, where: list[t.Expr]) -> t.Select:
        group = None
        if self._take("COUNT"):
            self._expect("BY")
            keys = self._list()
            group = t.GroupBy(tuple(keys))
            values: list[t.Expr] = [t.Grouped(key.type, key) for key in keys]
            values.append(t.AggregateCall(INT, t.Routine("count", (), strict=False), (), star=True))
        else:
            self._expect("SELECT")
            values = self._list()
        distinct = self._take("|>") and self._take("DISTINCT")
        self._expect("")
        targets = tuple(t.ResultColumn(each, f"c{at}") for at, each in enumerate(values, 1))
        is_grouped = group is not None
        return t.Select(targets, (item,), t.all_of(where), group, distinct=distinct, aggregates=is_grouped)

    def _table(self) -> t.TableUse:
        table = self._schema.table(self._name())
        alias = self._name()
        if table is None or alias in self._sources:
            raise PipeError("no such table, or two of one alias")
        names = tuple(column.name for column in table.columns)
        self._sources[alias] = t.TableUse(len(self._sources) + 1, alias, names, "", table.name)
        return self._sources[alias]

    def _either(self) -> t.Expr:
        return self._logic("or", lambda: self._logic("and", self._negation))

    def _logic(self, word: Literal["and", "or"], operand: Callable[[], t.Expr]) -> t.Expr:
        parts = [operand()]
        while self._take(word.upper()):
            parts.append(operand())
        return parts[0] if len(parts) == 1 else t.joined(word, (_typed(BOOL, each) for each in parts))

    def _negation(self) -> t.Expr:
        if self._take("NOT"):
            return t.Logic(BOOL, "not", (_typed(BOOL, self._negation()),))
        found = self._operation(0)
        if not self._take("IS"):
            return found
        negated = self._take("NOT")
        self._expect("NULL")
        return t.NullTest(BOOL, found, negated)

    def _operation(self, level: int) -> t.Expr:
        if level == len(_LEVELS):
            return self._atom()
        left = self._operation(level + 1)
        while sign := next(filter(self._take, _LEVELS[level]), ""):
            kind = left.type if level == 0 else INT
            operands = _typed(kind, left), _typed(kind, self._operation(level + 1))
            routine = t.Routine(sign, (kind.name, kind.name), operator=True)
            left = t.RoutineCall(BOOL if level == 0 else INT, routine, operands)
        return left

    def _atom(self) -> t.Expr:
        if self._take("("):
            found = self._either()
            self._expect(")")
            return found
        word = self._words[self._at]
        if word.startswith("'") or word.isdigit():
            self._at += 1
            text = word[1:-1].replace("''", "'") if word.startswith("'") else str(int(word))
            return t.TypedConstant(TEXT if word.startswith("'") else INT, text)
        source = self._sources.get(self._name())
        self._expect(".")
        name = self._name()
        if source is None or name not in source.columns:
            raise PipeError(f"no column {name}")
        table = self._schema.table(source.name)
        column = table and table.column(name)
        kind = INT if column and column.native_type == "INTEGER" else TEXT
        return t.SourceColumn(kind, source.number, source.columns.index(name) + 1)

    def _list(self) -> list[t.Expr]:
        found = [self._either()]
        while self._take(","):
            found.append(self._either())
        return found

    def _name(self) -> str:
        word = self._words[self._at]
        if not _NAME.match(word) or word in _WORDS:
            raise PipeError(f"a name is missing before {word}")
        self._at += 1
        return word

    def _take(self, word: str) -> bool:
        is_next = self._words[self._at] == word
        self._at += is_next and bool(word)
        return is_next

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise PipeError(f"{word or 'the end'} is missing before {self._words[self._at]}")


def _typed(kind: t.Type, value: t.Expr) -> t.Expr:
    if value.type != kind:
        raise PipeError(f"{value.type.name} in the place of {kind.name}")
    return value


class Printer:
    """Prints a typed query: in pipes for the engine to resolve again, or as SQL for SQLite to run."""

    def __init__(self, query: t.Select) -> None:
        self._query = query
        self._sources = {each.number: each for each in parts_of(query) if isinstance(each, t.TableUse)}

    def pipes(self) -> str:
        """The text in pipes."""
        query = self._query
        parts = [f"FROM {self._from(query.items[0])}"]
        parts += [f"WHERE {self._text(query.where)}"] if query.where is not None else []
        keys = query.targets if query.group is None else query.targets[:-1]
        head = "SELECT" if query.group is None else "COUNT BY"
        parts.append(f"{head} {', '.join(self._text(each.value) for each in keys)}")
        return " |> ".join([*parts, *(["DISTINCT"] if query.distinct else [])])

    def _from(self, item: t.FromItem) -> str:
        if isinstance(item, t.Joined):
            return f"{self._from(item.left)} |> JOIN {self._from(item.right)} ON {self._text(item.condition)}"
        assert isinstance(item, t.TableUse)
        return f"{item.name} {item.alias}"

    def sql(self) -> str:
        """The text for SQLite."""
        query = self._query
        shown = ", ".join(f"{self._text(each.value)} AS {each.name}" for each in query.targets)
        text = f"SELECT {'DISTINCT ' if query.distinct else ''}{shown} FROM {self._joined(query.items[0])}"
        text += f" WHERE {self._text(query.where)}" if query.where is not None else ""
        keys = query.group.keys if query.group is not None else ()
        return text + (f" GROUP BY {', '.join(f'({self._text(each)})' for each in keys)}" if keys else "")

    def _joined(self, item: t.FromItem) -> str:
        if isinstance(item, t.Joined):
            return (
                f"{self._joined(item.left)} JOIN {self._joined(item.right)} ON {self._text(item.condition)}"
            )
        assert isinstance(item, t.TableUse)
        return f"{quoted_name(item.name)} AS {item.alias}"

    def _text(self, value: t.Expr | None) -> str:
        match value:
            case t.SourceColumn(source=number, position=position):
                source = self._sources[number]
                return f"{source.alias}.{source.columns[position - 1]}"
            case t.TypedConstant(text=str(text), type=kind):
                return text if kind == INT else "'" + text.replace("'", "''") + "'"
            case t.RoutineCall(routine=routine, arguments=(left, right)):
                return f"({self._text(left)} {routine.name} {self._text(right)})"
            case t.Logic(operator="not", operands=(inner,)):
                return f"(NOT {self._text(inner)})"
            case t.Logic(operator=word, operands=operands):
                return f"({f' {word.upper()} '.join(map(self._text, operands))})"
            case t.NullTest(value=inner, negated=negated):
                return f"({self._text(inner)} IS {'NOT ' if negated else ''}NULL)"
            case t.Grouped(value=inner):
                return self._text(inner)
            case t.AggregateCall():
                return "COUNT(*)"
        raise TypeError(type(value).__name__)


@dataclass
class PipeSession(TypedSession):
    """A database of SQLite, which runs what the typed tree prints."""

    schema: Schema
    database: Session

    def copied(self) -> Guarded:
        return self.database.core

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        try:
            printed = Printer(Parser(text, self.schema).query()).sql()
        except (PipeError, RecursionError) as error:
            return Failure("error", str(error))
        return self.database.run(printed, limits, values)


def _read(text: str, schema: Schema, empty: PipeSession) -> Query | Broken:
    if not text.strip():
        return Broken("EMPTY", "the text is empty")
    try:
        typed = Parser(text, schema).query()
    except PipeError as error:
        return Broken("SYNTAX", str(error))
    try:
        _require_faithful(typed, schema)
        made = replace(lowered(typed, typed, typed, schema, {}), may_fail=may_fail(typed))
    except (UnsupportedError, RecursionError) as error:
        made = CoreTranslation(why=why_not(error))
    kinds = tuple(kind.name for kind in t.columns_of(typed))
    found = Query(text, len(kinds), None, None, orders=False, core_text="", types=kinds, is_plain=True)
    return with_trees(found, made, schema, empty)


def _require_faithful(typed: t.Select, schema: Schema) -> None:
    if Parser(Printer(typed).pipes(), schema).query() != typed:
        raise UnsupportedError("resolution", "the engine resolves the resolved query otherwise")


def _of_pipes(schema: Schema) -> Schema:
    """SQLite's schema, of tables of integers and texts alone."""
    kinds = {Affinity.INTEGER: "INTEGER", Affinity.TEXT: "TEXT"}
    if any(column.affinity not in kinds for table in schema.tables for column in table.columns):
        raise InputError("a column of neither INTEGER nor TEXT")
    tables = (
        replace(table, columns=tuple(replace(c, native_type=kinds[c.affinity]) for c in table.columns))
        for table in schema.tables
    )
    return replace(schema, tables=tuple(tables), dialect=NAME)


def _replayed(script: str) -> PipeSession:
    schema = _of_pipes(reference().loader.read_ddl(script, ""))
    return PipeSession(schema, reference().engine.replay(script))


def _parts() -> EngineParts:
    engine, loader = reference().engine, reference().loader
    return EngineParts(
        version=lambda: engine.version,
        read=_read,
        statements=lambda text: [text],
        empty=lambda schema: PipeSession(schema, engine.empty(schema)),
        open=lambda path: PipeSession(_of_pipes(loader.read_database(path)), engine.open(path)),
        script=engine.script,
        replay=_replayed,
        store=engine.store,
        read_ddl=lambda text, name: _of_pipes(loader.read_ddl(text, name)),
        read_database=lambda path: _of_pipes(loader.read_database(path)),
        told=TOLD,
    )


def _shell(script: str, database: Path | None) -> list[str]:
    return [NAME, *([str(database)] if database else []), script]


PIPES = Dialect(
    NAME,
    "Pipes",
    TypedReader(_parts),
    TypedEngine(_parts, _shell, lambda text: text.startswith(".")),
    TypedLoader(_parts, (".sqlite",)),
)
