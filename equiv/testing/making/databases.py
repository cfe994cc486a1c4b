"""Random schemas, and random rows that their facts allow.

Schemas have every kind of key and reference, and types and collations that trip queries up; a column that
refers to another may have another type or collation than it, as SQLite lets it.

Rows have few values, so that they meet; NULLs, duplicates, texts like numbers.  The values of one database
are of one theme, so that what one collation or affinity takes for the same and another does not stands
beside each other: texts that differ in case or in spaces at the end, or one number as integer, real and
in several texts.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from random import Random

from equiv.cells import Cell, Row
from equiv.core.model import Column, Schema, Table
from equiv.core.runner import Connection, RunnerError, connect_memory
from equiv.dialects.registry import reference
from equiv.facts import FactKind, Facts
from equiv.generate.database import Database
from equiv.graphs import depth_first_postorder
from equiv.names import quoted
from equiv.schema.violations import FactChecker
from equiv.testing.making.texts import Chances, kind_of

TYPES = (
    *("INTEGER", "INTEGER", "INT", "TEXT", "TEXT", "REAL", "NUMERIC", "DATE", "BOOLEAN", "", "BLOB"),
    *("TEXT COLLATE NOCASE", "TEXT COLLATE NOCASE", "VARCHAR(9) COLLATE NOCASE", "TEXT COLLATE RTRIM"),
    "COLLATE NOCASE",
)
KEY_TYPES = ("TEXT", "TEXT", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "INT", "NUMERIC", "")
"""Types of a key that is not an INTEGER PRIMARY KEY."""

OTHER = {
    "TEXT": "TEXT COLLATE NOCASE",
    "TEXT COLLATE NOCASE": "TEXT",
    "INTEGER": "TEXT",
    "INT": "TEXT",
    "NUMERIC": "TEXT",
}
"""The type of a column that refers to one of another type."""

TABLES = ("person", "city", "visit", "item", "note")
COLUMNS = ("a", "b", "c", "d", "e")


@dataclass(frozen=True, slots=True)
class _Made:
    """A table that later ones may refer to: its name, and columns that are a key, with their types."""

    name: str
    key: tuple[tuple[str, str], ...]


@dataclass
class Schemas(Chances):
    """Makes schemas."""

    def schema(self, most: int) -> Schema:
        """A schema of one to so many tables."""
        made: list[_Made] = []
        statements = []
        for name in TABLES[: self.random.randint(1, most)]:
            statement, table = self.table(name, made)
            statements.append(statement)
            made.append(table)
        return reference().loader.read_ddl("\n".join(statements), "drawn")

    def table(self, name: str, above: list[_Made]) -> tuple[str, _Made]:
        """The DDL of a table, and what may be referred to in it."""
        parts, key = self.key()
        for column in COLUMNS[: self.random.randint(1, 3)]:
            parts.append(self.column(column))
        own = [part.split()[0] for part in parts if not part.startswith("PRIMARY KEY")]
        for number, parent in enumerate(above):
            if self.chance(0.6):
                parts += self.reference(parent, number)
        if len(own) > 1 and self.chance(0.15):
            parts.append(f"UNIQUE ({', '.join(self.random.sample(own, 2))})")
        ends = [part for part in parts if part.startswith(("PRIMARY KEY", "FOREIGN KEY", "UNIQUE"))]
        columns = [part for part in parts if part not in ends]
        rowless = " WITHOUT ROWID" if "PRIMARY KEY" in " ".join(parts) and self.chance(0.12) else ""
        return f"CREATE TABLE {name} ({', '.join([*columns, *ends])}){rowless};", _Made(name, key)

    def key(self) -> tuple[list[str], tuple[tuple[str, str], ...]]:
        """Parts of the DDL, and the columns of the key; none of them where the table has no key."""
        match self.random.choice(("rowid", "rowid", "rowid", "text", "text", "two", "none")):
            case "text":
                kind = self.pick(*KEY_TYPES)
                return [f"code {kind} PRIMARY KEY".replace("  ", " ")], (("code", kind),)
            case "two":
                parts = ["p INTEGER NOT NULL", "q INTEGER NOT NULL", "PRIMARY KEY (p, q)"]
                return parts, (("p", "INTEGER"), ("q", "INTEGER"))
            case "none":
                return ["n INTEGER"], ()
            case _:
                return ["id INTEGER PRIMARY KEY"], (("id", "INTEGER"),)

    def column(self, name: str) -> str:
        """The DDL of a column that is not a key."""
        kind = self.random.choice(TYPES)
        words = [name, kind]
        if self.chance(0.25):
            words.append("NOT NULL")
        if self.chance(0.15):
            words.append("UNIQUE")
        if kind == "INTEGER" and self.chance(0.1):
            words.append(f"CHECK ({name} >= 0)")
        return " ".join(filter(None, words))

    def reference(self, parent: _Made, number: int) -> list[str]:
        """The DDL of columns that refer to a table above; nothing if it has no key."""
        names = [f"{column}{number}_{parent.name}" for column, _ in parent.key]
        null = " NOT NULL" if self.chance(0.4) else ""
        kinds = [OTHER.get(kind, kind) if self.chance(0.35) else kind for _, kind in parent.key]
        columns = [f"{name} {kind}{null}".strip() for name, kind in zip(names, kinds, strict=True)]
        target = f"{parent.name} ({', '.join(column for column, _ in parent.key)})"
        end = f"FOREIGN KEY ({', '.join(names)}) REFERENCES {target}"
        return [*columns, end] if names else []


Theme = dict[str, tuple[Cell, ...]]
"""Values by the kind of a column."""

_DAYS: tuple[Cell, ...] = ("2020-01-01", "2019-12-31", "2020-02-29", "2021-01-01")
PLAIN: Theme = {
    "i": (0, 1, 2, 3, -1, 5, 10),
    "r": (0.0, 1.0, 0.5, 1.5, 2.0, -1.0),
    "t": ("a", "b", "A", "", "ab", "1", "B", "aB"),
    "d": _DAYS,
    "f": (0, 1),
    "u": (1, "a", 1.5, "1", 0, b"a"),
}
CASE: Theme = {
    "i": (0, 1, 2),
    "r": (0.0, 1.0, 1.5),
    "t": ("a", "A", "a ", "b"),
    "d": ("a", "A", *_DAYS[:2]),
    "f": (0, 1),
    "u": ("a", "A", "a ", b"a", 1),
}
ONE: Theme = {
    "i": (0, 1, 2),
    "r": (1.0, 1.5, 0.0),
    "t": ("1", "01", "1.0", " 1", "1e0", "1 "),
    "d": ("1", "01", *_DAYS[:1]),
    "f": (0, 1),
    "u": (1, 1.0, "1", "01", "1.0", b"1"),
}
MANY: Theme = {
    "i": (7, 4273, 1),
    "r": (7.0, 4273.0, 1.5),
    "t": ("7", "07", "7e0", "4273", "4273.0", ""),
    "d": ("2020", *_DAYS[:2]),
    "f": (0, 1),
    "u": (7, 7.0, "7", "07", 4273, "4273"),
}
THEMES = (PLAIN, CASE, CASE, ONE, MANY)
"""Each as often as it stands here."""

ODD: tuple[Cell, ...] = ("a", "1", 1.5, b"a", 1, "A", "x", "2020-1-1", "1.0", "a ", 7, "7")
"""What SQLite stores in any column, whatever its declared type; where the facts allow."""

ALIKE = 0.5
"""The share of rows that are made of a row of their table."""

TWINS = 0.7
"""The share of such rows that differ in nothing but the spelling of one value."""

TRIES = 4
"""How often a row is drawn until one is allowed."""


@dataclass
class RandomDatabases:
    """Makes databases of one schema with rows that keep all facts but those on tables being filled at all."""

    random: Random
    schema: Schema
    facts: Facts
    most: int = 4
    """Rows a table."""
    odd: float = 0.15
    """The share of cells that no type of their own keeps from being :data:`ODD`; 0: nor is one respelt."""
    _theme: Theme = field(default_factory=lambda: PLAIN, init=False)

    def database(self) -> Database | None:
        """A database, or None if what came out breaks a fact."""
        self._theme = self.random.choice(THEMES)
        with closing(connect_memory()) as connection:
            for statement in reference().create(self.schema):
                connection.execute(statement)
            checker = FactChecker(self.schema, self.facts)
            grown = FactChecker(self.schema, (f for f in self.facts if f.kind is not FactKind.NOT_EMPTY))
            for table in _parents_first(self.schema):
                for _ in range(self.random.randint(0, self.most)):
                    any(self._is_inserted(connection, table, grown) for _ in range(TRIES))
            if not checker.holds(connection):
                return None
            return Database.of({table.name: _stored(connection, table) for table in self.schema.tables})

    def _is_inserted(self, connection: Connection, table: Table, checker: FactChecker) -> bool:
        """Draw a row; whether DDL and facts allow it, so that it stays."""
        row = self._row(connection, table)
        names = ", ".join(map(quoted, row))
        marks = ", ".join("?" * len(row))
        connection.execute("SAVEPOINT row")
        try:
            connection.execute(
                f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({marks})", [*row.values()]
            )
            kept = checker.holds(connection)
        except (RunnerError, OverflowError):
            kept = False
        if not kept:
            connection.execute("ROLLBACK TO row")
        connection.execute("RELEASE row")
        return kept

    def _row(self, connection: Connection, table: Table) -> dict[str, Cell]:
        row = {column.name: self._cell(table, column) for column in table.columns if not column.generated}
        for key in table.foreign_keys:
            parent = self.schema.table(key.parent)
            if parent is None or self.random.random() < 0.1:
                continue
            columns = ", ".join(map(quoted, key.parent_columns))
            parents: list[Row] = connection.execute(f"SELECT {columns} FROM {quoted(parent.name)}").fetchall()
            none: Row = (None,) * len(key.columns)
            row.update(zip(key.columns, self.random.choice([*parents, *parents, none]), strict=True))
        return self._nearly_another(connection, table, row) if self.random.random() < ALIKE else row

    def _nearly_another(self, connection: Connection, table: Table, row: dict[str, Cell]) -> dict[str, Cell]:
        """A row that is there with a new key and one column otherwise: a :func:`twin`, or any value."""
        names, rows = _stored(connection, table)
        free = [name for name in names if name not in table.primary_key]
        if not rows or not free:
            return row
        other = dict(zip(names, self.random.choice(rows), strict=True))
        changed = self.random.choice(free)
        value = (
            twin(other[changed], self.random)
            if self.random.random() < TWINS * bool(self.odd)
            else row[changed]
        )
        return {name: other[name] if name in free else row[name] for name in names} | {changed: value}

    def _cell(self, table: Table, column: Column) -> Cell:
        roll = self.random.random()
        if roll < 0.2 and not column.not_null:
            return None
        is_typed = self.facts.find(FactKind.TYPE, table.name, column.name) is not None
        return self.random.choice(
            ODD if roll > 1 - self.odd and not is_typed else self._theme[kind_of(column)]
        )


def twin(cell: Cell, random: Random) -> Cell:
    """A value that some collation or affinity takes for the same: another case, a space, a number as text."""
    match cell:
        case str() if cell.strip()[:1].isdigit():
            return random.choice((f"0{cell}", f"{cell}.0", f"{cell} "))
        case str():
            return random.choice((cell.swapcase(), cell.swapcase(), f"{cell} "))
        case int() | float():
            return random.choice((float(cell), str(cell), cell))
        case _:
            return cell


def _stored(connection: Connection, table: Table) -> tuple[tuple[str, ...], list[Row]]:
    names = tuple(column.name for column in table.columns if not column.generated)
    shown = ", ".join(map(quoted, names))
    return names, connection.execute(f"SELECT {shown} FROM {quoted(table.name)}").fetchall()


def _parents_first(schema: Schema) -> list[Table]:
    """The tables, those that others refer to first, as far as references run in no circle."""

    def parents(table: Table) -> list[Table]:
        found = (schema.table(key.parent) for key in table.foreign_keys)
        return [parent for parent in found if parent is not None]

    return depth_first_postorder(schema.tables, parents)
