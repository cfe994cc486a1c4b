"""Schemas in a dialect's words, drawn at random, and rows of nasty values for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from equiv.dialects.words import KINDS, Words, kind_of

VALUES = {
    "number": ("0", "1", "-1", "2", "3", "0.5", "1.5", "2.5", "-0.5", "-2.5", "2.25", "-3"),
    "text": ("", "a", "A", "b", "ab", "aB", "AB", "a ", " a", "a%", "É", "1", "2", "abc"),
    "boolean": ("true", "false"),
    "date": (
        *("2000-01-01", "1999-12-31", "2000-02-29", "2000-03-31", "2001-01-01", "2000-01-02", "2001-02-03"),
        *("2001-03-02", "2000-04-02", "2000-10-29", "2000-03-26"),
    ),
    "time": ("00:00:00", "00:00:00", "12:34:56", "23:59:59.5", "01:30:00", "02:30:00"),
    "instant": (
        *("2000-01-01 00:00:00+00", "1999-12-31 23:59:59.5+00", "2000-01-01 05:00:00+00"),
        *(
            "1999-12-31 18:15:00+00",
            "2001-01-01 03:30:00+00",
            "2001-02-03 00:00:00+00",
            "2000-02-29 13:00:00+00",
        ),
        *("2000-04-02 06:59:59+00", "2000-04-02 07:00:00+00", "2000-04-02 07:30:00+00"),
        *("2000-10-29 05:30:00+00", "2000-10-29 06:30:00+00", "2000-10-29 06:00:00+00"),
        *(
            "2000-03-25 14:30:00+00",
            "2000-03-25 15:00:00+00",
            "2000-03-25 15:20:00+00",
            "2000-03-26 01:30:00+00",
        ),
        *(
            "2000-08-26 15:29:59+00",
            "2000-08-26 15:30:00+00",
            "2011-12-30 09:59:59+00",
            "2011-12-30 10:00:00+00",
        ),
        *("2000-10-29 03:31:00+00", "2000-10-29 04:31:00+00", "2000-04-02 03:31:00+00"),
    ),
}
"""The values of each kind of column, and the times of timestamps; instants around changes of clocks."""

UNLESS_TAKEN = " ON CONFLICT DO NOTHING"
"""Behind an INSERT into a table with keys: a row whose key is there already is passed over."""

COLUMNS = "".join(KINDS.values())
REFERENCED = 0.7
"""The share of schemas in which ``u.pid`` refers to ``t.id``."""


@dataclass(frozen=True)
class World:
    """Two tables, ``t`` and ``u``, of the same columns."""

    types: Mapping[str, Mapping[str, str]]
    constraints: Mapping[str, tuple[str, ...]]
    stated: Mapping[str, str] = field(default_factory=dict)
    """The settings that its script states."""

    @property
    def script(self) -> str:
        """The statements that state settings and make the tables."""
        return "\n".join((*(f"SET {name} = '{value}';" for name, value in self.stated.items()), self.ddl))

    @property
    def ddl(self) -> str:
        """The statements that make the tables."""
        made = []
        for table, types in self.types.items():
            columns = [f"{name} {kind}" for name, kind in types.items()]
            made.append(f"CREATE TABLE {table} ({', '.join((*columns, *self.constraints[table]))});")
        return "\n".join(made)

    def rows(self, random: Random) -> list[str]:
        """Statements that insert rows, each of which a constraint may refuse."""
        drawn, found, ids = _Cells(random), [], list[str]()
        for table, types in self._required().items():
            keys = [each for each in self.constraints[table] if each.startswith(("PRIMARY", "UNIQUE"))]
            for _ in range(random.choice((0, 1, 2, 3, 5, 7))):
                cells = {name: drawn.cell(name, kind) for name, kind in types.items()}
                if table == "t":
                    ids.append(cells["id"])
                elif ids and cells["pid"] not in ("NULL", *ids):
                    cells["pid"] = random.choice(ids)
                values = ", ".join(cells.values())
                found.append(f"INSERT INTO {table} VALUES ({values}){UNLESS_TAKEN if keys else ''};")
        return found

    def _required(self) -> dict[str, dict[str, str]]:
        """The types by table and column, those of a primary key NOT NULL as well."""
        found = {}
        for table, types in self.types.items():
            primary = next((each for each in self.constraints[table] if each.startswith("PRIMARY")), "")
            there = primary.partition("(")[2].rstrip(")").split(", ")
            found[table] = {
                name: f"{kind} NOT NULL" if name in there else kind for name, kind in types.items()
            }
        return found


class _Cells:
    """Draws cells of one database: few values, so that they meet."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._nulls = random.choice((0.0, 0.15, 0.4))
        self._few = {
            kind: random.sample(values, min(len(values), random.choice((1, 2, 3, 5))))
            for kind, values in VALUES.items()
        }

    def cell(self, name: str, type_name: str) -> str:
        """A constant of a column's type."""
        random, kind = self._random, kind_of(name)
        if "NOT NULL" not in type_name and random.random() < self._nulls:
            return "NULL"
        if name in ("id", "pid"):
            return str(random.randint(0, 7))
        value = random.choice(self._few[kind] if random.random() < 0.85 else VALUES[kind])
        if name in "ij":
            value = str(round(float(value)))
        if kind == "number":
            return f"({value})"
        if name in "my":
            value += f" {random.choice(self._few['time'])}"
        length = type_name.partition("(")[2].partition(")")[0]
        return f"'{value[: int(length)] if length.isdigit() else value}'"


def world(words: Words, random: Random) -> World:
    """A schema with some keys, a reference, and columns that are NOT NULL, drawn at random."""
    references = random.random() < REFERENCED
    types, constraints = dict[str, dict[str, str]](), dict[str, tuple[str, ...]]()
    for table in ("t", "u"):
        columns = {"id": "integer", "pid": "integer"}
        columns |= {name: random.choice(words.types[name]) for name in COLUMNS}
        types[table] = {name: kind + " NOT NULL" * (random.random() < 0.25) for name, kind in columns.items()}
        is_parent = table == "t" and references
        constraints[table] = tuple(_constraints(words, random, is_parent=is_parent))
    if references:
        constraints["u"] += ("FOREIGN KEY (pid) REFERENCES t (id)",)
    return World(types, constraints)


def _constraints(words: Words, random: Random, *, is_parent: bool) -> list[str]:
    found = []
    if is_parent or random.random() < 0.7:
        found.append("PRIMARY KEY (id)")
    elif random.random() < 0.4:
        found.append("PRIMARY KEY (pid, i)")
    for _ in range(random.choice((0, 0, 1, 2))):
        key = random.sample(COLUMNS, random.choice((1, 1, 2)))
        found.append(f"{random.choice(words.unique)} ({', '.join(key)})")
    if random.random() < 0.3:
        found.append(random.choice(words.checks))
    return found
