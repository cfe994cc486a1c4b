"""Random schemas: every kind of key and reference, types and collations that trip queries up.

A column that refers to another may have another type or collation than it; SQLite lets it.
"""

from __future__ import annotations

from dataclasses import dataclass

from equiv.core.model import Schema
from equiv.dialects.registry import reference
from equiv.testing.making.chances import Chances

TYPES = (
    *("INTEGER", "INTEGER", "INT", "TEXT", "TEXT", "REAL", "NUMERIC", "DATE", "BOOLEAN", "", "BLOB"),
    *("TEXT COLLATE NOCASE", "TEXT COLLATE NOCASE", "VARCHAR(9) COLLATE NOCASE", "TEXT COLLATE RTRIM"),
    "COLLATE NOCASE",
)
KEY_TYPES = ("TEXT", "TEXT", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "INT", "NUMERIC", "")
"""Types of a key that is no INTEGER PRIMARY KEY."""

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
        """The DDL of a column that is no key."""
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
