"""Schemas of PostgreSQL's types, drawn at random, rows of nasty values for them, and questions on them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from string import Template

from benchmarks.postgres.questions import QUESTIONS

TYPES = {
    "n": ("numeric(6,2)", "numeric(5,1)", "numeric(8,3)", "numeric"),
    "o": ("numeric(7,2)", "numeric(4,0)"),
    "i": ("integer",),
    "j": ("smallint", "bigint", "integer"),
    "f": ("double precision", "real"),
    "c": ("char(3)", "char(2)", "char(5)"),
    "e": ("char(3)", "char(5)"),
    "v": ("varchar(4)", "varchar(10)"),
    "s": ("text",),
    "b": ("boolean",),
    "g": ("boolean",),
    "d": ("date",),
    "x": ("date",),
    "m": ("timestamp",),
    "y": ("timestamp",),
}
"""The types that a column of each name may have."""

KINDS = ("noijf", "noijf", "cevs", "vs", "ce", "bg", "dx", "my", "dxmy")
"""Columns whose values are compared with one another."""

VALUES = {
    "number": ("0", "1", "-1", "2", "3", "0.5", "1.5", "2.5", "-0.5", "-2.5", "2.25", "-3"),
    "text": ("", "a", "A", "b", "ab", "aB", "AB", "a ", " a", "a%", "É", "1", "2", "abc"),
    "boolean": ("true", "false"),
    "date": ("2000-01-01", "1999-12-31", "2000-02-29", "2000-03-31", "2001-01-01", "2000-01-02"),
    "time": ("00:00:00", "00:00:00", "12:34:56", "23:59:59.5"),
}
LITERALS = {
    "number": ("0", "1", "2", "-1", "1.5", "0.5", "2.0", "1.50", "2.25", "NULL"),
    "text": ("'a'", "'A'", "'ab'", "'a '", "''", "'b'", "'1'", "NULL"),
    "boolean": ("true", "false", "NULL"),
    "date": (
        "DATE '2000-01-01'",
        "DATE '1999-12-31'",
        "DATE '2000-02-29'",
        "TIMESTAMP '2000-01-01 12:34:56'",
    ),
}
WRAPPERS = {
    "number": (
        "$ + 0",
        "-(-$)",
        "$ * 1",
        "COALESCE($, 0)",
        "$::numeric",
        "$::numeric(8,1)",
        "ABS($)",
        "$::int",
    ),
    "text": ("$ || ''", "TRIM($)", "LOWER($)", "$::text", "$::varchar(2)", "$::char(3)", "COALESCE($, '')"),
    "boolean": ("NOT NOT $", "$ IS TRUE", "$ = true", "COALESCE($, false)", "NOT $"),
    "date": ("$::timestamp", "$::date", "DATE_TRUNC('month', $)", "$ + INTERVAL '1 day'"),
}
CONDITIONS = (
    "$ = #",
    "$ IS NOT NULL",
    "$ > #",
    "$ IN (#, #)",
    "$ IS NULL",
    "$ <> #",
    "NOT $ < #",
    "$ BETWEEN # AND #",
)


def kind_of(column: str) -> str:
    """The kind of values that a column has."""
    for columns, kind in (("idpidnoijf", "number"), ("cevs", "text"), ("bg", "boolean")):
        if column in columns and column != "d":
            return kind
    return "number" if column in ("id", "pid") else "date"


@dataclass(frozen=True)
class World:
    """Two tables, ``t`` and ``u``, of the same columns."""

    types: dict[str, dict[str, str]]
    constraints: dict[str, tuple[str, ...]]

    @property
    def ddl(self) -> str:
        """The statements that make the tables."""
        made = []
        for table in ("t", "u"):
            columns = [f"{name} {kind}" for name, kind in self.types[table].items()]
            made.append(f"CREATE TABLE {table} ({', '.join((*columns, *self.constraints[table]))});")
        return "\n".join(made)

    def rows(self, random: Random) -> list[str]:
        """Statements that insert rows, as far as the constraints let them."""
        few = {
            kind: random.sample(values, min(len(values), random.choice((1, 2, 3, 5))))
            for kind, values in VALUES.items()
        }
        nulls = random.choice((0.0, 0.15, 0.4))
        found = []
        for table in ("t", "u"):
            for _ in range(random.choice((0, 1, 2, 3, 5, 7))):
                cells = [
                    self._cell(name, kind, few, nulls, random) for name, kind in self.types[table].items()
                ]
                found.append(f"INSERT INTO {table} VALUES ({', '.join(cells)}) ON CONFLICT DO NOTHING")
        return found

    def _cell(self, name: str, kind: str, few: dict[str, list[str]], nulls: float, random: Random) -> str:
        if "NOT NULL" not in kind and random.random() < nulls:
            return "NULL"
        if name in ("id", "pid"):
            return str(random.randint(0, 7))
        of = kind_of(name)
        value = random.choice(few[of] if random.random() < 0.85 else VALUES[of])
        if name in ("i", "j"):
            value = str(round(float(value)))
        if of == "number":
            return f"({value})"
        if name in "my":
            value += f" {random.choice(few['time'])}"
        if name in "cev":
            length = int(kind.partition("(")[2].partition(")")[0])
            value = value[:length]
        return f"'{value}'"


def world(random: Random) -> World:
    """A schema with some keys, a reference, and columns that are NOT NULL, drawn at random."""
    types, constraints = {}, {}
    references = random.random() < 0.7
    for table in ("t", "u"):
        columns = {"id": "integer", "pid": "integer"}
        columns |= {name: random.choice(kinds) for name, kinds in TYPES.items()}
        types[table] = {name: kind + " NOT NULL" * (random.random() < 0.25) for name, kind in columns.items()}
        found = []
        has_key = (table == "t" and references) or random.random() < 0.7
        found += (
            ["PRIMARY KEY (id)"] if has_key else ["PRIMARY KEY (pid, i)"] if random.random() < 0.4 else []
        )
        for _ in range(random.choice((0, 0, 1, 2))):
            key = random.sample(list(TYPES), random.choice((1, 1, 2)))
            found.append(f"UNIQUE {'NULLS NOT DISTINCT ' * (random.random() < 0.25)}({', '.join(key)})")
        if random.random() < 0.3:
            found.append(
                random.choice(
                    ("CHECK (i >= -100)", "CHECK (c <> 'zz')", "CHECK (n < 1000)", "CHECK (b OR NOT b)")
                )
            )
        if table == "u" and references:
            found.append("FOREIGN KEY (pid) REFERENCES t (id)")
        constraints[table] = tuple(found)
    return World(types, constraints)


class Questions:
    """Draws questions, each in several ways."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def ways(self, most: int) -> list[str]:
        """Up to so many different texts that ask one question, or nearly so."""
        ways, found = self._random.choice(QUESTIONS), dict[str, None]()
        fixed = self._fixed()
        for _ in range(2 * most):
            found[Template(self._random.choice(ways)).substitute(self._once(fixed))] = None
            if len(found) == most:
                break
        return list(found)

    def _fixed(self) -> dict[str, str]:
        """What all ways of a question share."""
        random = self._random
        columns = random.choice(KINDS)
        x, y, v, w = (random.choice(columns) for _ in range(4))
        kind = kind_of(x)
        any_of = ["id", "pid", *TYPES]
        number = random.choice("noijf")
        return {
            "kind": kind, "xn": x, "yn": y, "vn": v, "wn": w, "an": number,
            "x": f"t.{x}", "y": f"t.{y}", "v": f"u.{v}", "w": f"u.{w}",
            "l": random.choice(LITERALS[kind]), "m": random.choice(LITERALS[kind]),
            "s": f"t.{random.choice(any_of)}", "r": f"t.{random.choice(any_of)}",
            "p": self._condition("t"), "q": self._condition("u"),
            "a": f"t.{number}", "o": f"t.{random.choice('noijf')}", "i": f"t.{random.choice('ij')}",
            "c": f"t.{random.choice('ccvvse')}", "d": f"t.{random.choice('dm')}",
            "b": f"t.{random.choice('bg')}", "g2": f"t.{random.choice('bg')}",
            "other": random.choice(WRAPPERS[kind]),
            "wraps": random.choice(("", "", "x", "xy", "xv", "xyvw", "v", "y")),
        }  # fmt: skip

    def _once(self, fixed: dict[str, str]) -> dict[str, str]:
        """What one way has: wrapped values among them."""

        def wrapped(place: str, source: str) -> str:
            text = f"{source}.{fixed[place + 'n']}"
            if place not in fixed["wraps"]:
                return text
            other = (
                fixed["other"]
                if self._random.random() < 0.85
                else self._random.choice(WRAPPERS[fixed["kind"]])
            )
            return f"({other.replace('$', text)})"

        return {
            **fixed,
            "e": wrapped("x", "t"), "f": wrapped("y", "t"), "e2": wrapped("x", "z"),
            "g": wrapped("v", "u"), "h": wrapped("w", "u"),
        }  # fmt: skip

    def _condition(self, source: str) -> str:
        column = self._random.choice(list(TYPES))
        text = self._random.choice(CONDITIONS)
        kind = kind_of(column)
        while "#" in text:
            text = text.replace("#", self._random.choice(LITERALS[kind]), 1)
        return text.replace("$", f"{source}.{column}")
