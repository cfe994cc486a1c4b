"""Random pairs of queries that are equivalent or nearly so: two ways to say a thing, one of them maybe wrong.

Each family writes one intention in several ways, the traps of SQL among them (NULL, duplicates, ties, empty
groups, integer division, affinity); a pair takes two of these ways, wraps both alike, and may change one.
"""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import nasty_tables
from phrases import (
    DATES,
    FLAGS,
    MIXED,
    MONTHS,
    MUTATIONS,
    NULLS,
    NUMERIC,
    RATIOS,
    SCALARS,
    TEXTS,
    Ways,
)
from random_corners import Corners

DDL = (
    nasty_tables.DDL
    + """
CREATE TABLE g (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), day DATE, t TEXT NOT NULL, n INTEGER, r REAL,
  flag BOOLEAN);
"""
)
TABLES = {
    **nasty_tables.TABLES,
    "g": {"id": "i", "a_id": "i", "day": "d", "t": "t", "n": "i", "r": "r", "flag": "f"},
}
KEYS = {"a": ("id",), "b": ("id",), "c": ("code",), "d": ("k",), "e": ("p", "q"), "g": ("id",)}
LINKS = (*nasty_tables.LINKS, ("g.a_id", "a.id"), ("g.a_id", "a.id"), ("b.a_id", "a.id"), ("b.p_id", "a.id"))
DAYS = ("2019-12-31", "2020-01-01", "2020-01-31", "2020-02-01", "2020-02-29", "2021-01-01", "2020-1-5")
NUMBERS = (None, 0, 1, 2, 3, 4, -1, 10)
SPICE: dict[str, tuple[object, ...]] = {
    "i": (None, -1, 2, 4, 10, -7, 2020, 100),
    "t": (
        None,
        "",
        "ab",
        "aB",
        " a",
        "a ",
        "2020-01-05",
        "1",
        "01",
        "1.0",
        "10",
        "2",
        "É",
        "é",
        "%",
        "a_",
        "-1",
        "1e0",
    ),
    "u": (None, 0, 1, 1.0, 2, 1.5, "1", "", "a", b"1", "1.0", -1),
    "d": (None, *DAYS[:6], "2020-12-31", "2020-10-10", "2000-01-01"),
    "r": (None, 0.5, 2.5, -1.0, 100.0, 1.0, 7.0),
    "f": (None, 0, 1),
}
WILD = (
    None, "1", "01", " 1", "1x", "1e0", "1.0", "2", "", "a", "A", b"1", b"a", b"", 1, 1.0, 2, 2.0, 1.5, -1, 0, 0.0, 3, 10,
    "10", "2020-01-01", "2020-01-31 00:00:00", "2020-1-1", 2020, 2458850, "12:00", "x", 0.1, "É", 2.5, 0.5,
)  # fmt: skip
REALS = (None, 0.0, 1.0, 1.5, 2.0, -0.5, 3.0)


def fill(connection: sqlite3.Connection, random: Random, *, conforming: bool) -> None:
    """Replace all rows; ``conforming`` keeps values in the domain of their declared type."""
    nasty_tables.fill(connection, random, conforming=conforming)
    connection.execute("DELETE FROM g")
    keys = [row[0] for row in connection.execute("SELECT id FROM a")]
    for number in range(random.choice((0, 1, 2, 3, 5))):
        row: list[object] = [number, random.choice([*keys, None]), random.choice([None, *DAYS[:6]])]
        row += [random.choice(("a", "A", "b", "1", "ab")), random.choice(NUMBERS), random.choice(REALS)]
        row.append(random.choice((None, 0, 1)))
        if not conforming and random.random() < 0.3:
            place = random.randrange(2, 7)
            row[place] = random.choice(("x", "1", 2020, 1.5, b"a", DAYS[6], "2020-01-01 10:00:00"))
        connection.execute("INSERT INTO g VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    for _ in range(random.choice((0, 0, 2, 5, 10))):
        table = random.choice(list(TABLES))
        name, kind = random.choice([each for each in TABLES[table].items() if each[0] != "id"])
        value = random.choice(SPICE[kind] if conforming else WILD)
        sql = f"UPDATE OR IGNORE {table} SET {name} = ? WHERE rowid = (SELECT rowid FROM {table} ORDER BY RANDOM())"
        connection.execute(sql.replace("RANDOM()", f"(rowid * {random.randint(1, 9)}) % 7"), [value])


@dataclass
class Pairs:
    """Makes pairs."""

    random: Random

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pair(self) -> tuple[str, str, str]:
        """The name of a family, and two queries of it."""
        if self.chance(0.12):
            sql = Corners(self.random).query()
            return "corner", sql, self.mutant(sql)
        family = self.random.choice(FAMILIES)
        ways = list(dict.fromkeys(family(self)))
        if len(ways) < 2:
            ways *= 2
        left, right = self.random.sample(ways, 2)
        if self.chance(0.45):
            wrap = self.wrapper()
            left, right = wrap(left), wrap(right)
        if self.chance(0.15):
            right = self.mutant(right if self.chance(0.5) else left)
        return family.__name__, left, right

    def wrapper(self) -> Callable[[str], str]:
        """Something that reads a query, the same for both sides."""
        wraps: tuple[Callable[[str], str], ...] = (
            lambda q: f"SELECT * FROM ({q})",
            lambda q: f"SELECT DISTINCT * FROM ({q})",
            lambda q: f"SELECT COUNT(*) FROM ({q})",
            lambda q: f"WITH w AS ({q}) SELECT * FROM w",
            lambda q: f"SELECT g.id FROM g WHERE EXISTS (SELECT 1 FROM ({q}))",
            lambda q: f"SELECT g.id FROM g WHERE g.n IN (SELECT v0.c0 FROM ({named(q)}) AS v0)",
            lambda q: f"SELECT g.id FROM g WHERE g.n NOT IN (SELECT v0.c0 FROM ({named(q)}) AS v0)",
            lambda q: f"SELECT v0.c0 FROM ({named(q)}) AS v0 WHERE v0.c0 > 1",
            lambda q: f"SELECT MAX(v0.c0), COUNT(v0.c0), COUNT(*) FROM ({named(q)}) AS v0",
            lambda q: f"SELECT SUM(v0.c0), COUNT(DISTINCT v0.c0) FROM ({named(q)}) AS v0",
            lambda q: f"SELECT v0.c0, COUNT(*) FROM ({named(q)}) AS v0 GROUP BY v0.c0",
            lambda q: f"SELECT g.id, v0.c0 FROM g JOIN ({named(q)}) AS v0 ON v0.c0 = g.n",
            lambda q: f"SELECT g.id, v0.c0 FROM g LEFT JOIN ({named(q)}) AS v0 ON v0.c0 = g.n",
            lambda q: f"SELECT * FROM ({q}) ORDER BY 1",
            lambda q: f"SELECT * FROM ({q}) ORDER BY 1 DESC LIMIT 1",
            lambda q: f"SELECT * FROM ({q}) UNION SELECT * FROM ({q})",
        )
        return self.random.choice(wraps)

    # What queries are made of

    def column(self, table: str, alias: str, kinds: str = "itufdr") -> str:
        names = [n for n, kind in TABLES[table].items() if kind in kinds] or list(TABLES[table])
        return f"{alias}.{self.random.choice(names)}"

    def table(self) -> str:
        return self.random.choice("aabbcdefggg")

    def key(self, table: str, alias: str) -> str:
        return f"{alias}.{KEYS.get(table, ('x',))[0]}"

    def link(self) -> tuple[str, str, str, str]:
        """Child, its column, parent, its column."""
        below, above = self.random.choice(LINKS)
        return (*below.split("."), *above.split("."))  # type: ignore[return-value]

    def condition(self, table: str, alias: str) -> str:
        return self.random.choice(self.conditions(table, alias))

    def conditions(self, table: str, alias: str) -> list[str]:
        """Ways to write a condition, not all alike."""
        kinds = TABLES[table]
        name = self.random.choice(list(kinds))
        other = self.column(table, alias, kinds[name])
        c, kind = f"{alias}.{name}", kinds[name]
        groups: list[Ways] = [NULLS]
        if kind in "if":
            groups += [NUMERIC, NUMERIC, FLAGS]
        elif kind == "r":
            groups += [NUMERIC, RATIOS]
        elif kind == "d":
            groups += [DATES, MONTHS, DATES]
        else:
            groups += [TEXTS, TEXTS, MIXED]
        return [text.replace("$o", other).replace("$", c) for text in self.random.choice(groups)]

    def where(self, table: str, alias: str, probability: float = 0.5) -> str:
        return f" WHERE {self.condition(table, alias)}" if self.chance(probability) else ""

    def mutant(self, sql: str) -> str:
        """The query with one small change."""
        changes = [(old, new) for old, new in MUTATIONS if re.search(old, sql)]
        if not changes:
            return sql
        old, new = self.random.choice(changes)
        places = list(re.finditer(old, sql))
        place = self.random.choice(places)
        return sql[: place.start()] + place.expand(new) + sql[place.end() :]

    # Families

    def membership(self) -> list[str]:
        child, fk, parent, key = self.link()
        show = self.pick(f"o.{key}", self.column(parent, "o"), f"o.{key}, {self.column(parent, 'o')}")
        cond = self.condition(child, "i") if self.chance(0.7) else "1 = 1"
        extra = f" AND {self.condition(parent, 'o')}" if self.chance(0.3) else ""
        on = f"i.{fk} = o.{key}"
        return [
            f"SELECT {show} FROM {parent} AS o WHERE o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {cond}){extra}",
            f"SELECT {show} FROM {parent} AS o WHERE EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {cond}){extra}",
            f"SELECT DISTINCT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra}",
            f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra}",
            f"SELECT {show} FROM {parent} AS o WHERE (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {cond}) > 0{extra}",
            (
                f"SELECT {show} FROM {parent} AS o WHERE (SELECT COUNT({self.column(child, 'i')}) FROM {child} AS i"
                f" WHERE {on} AND {cond}) >= 1{extra}"
            ),
            (
                f"SELECT {show} FROM {parent} AS o JOIN (SELECT DISTINCT i.{fk} AS v FROM {child} AS i WHERE {cond}) AS q"
                f" ON q.v = o.{key} WHERE 1 = 1{extra}"
            ),
            f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra} GROUP BY o.{key}",
            f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra} GROUP BY {show}",
            (
                f"SELECT DISTINCT {show} FROM {parent} AS o LEFT JOIN {child} AS i ON {on} AND {cond}"
                f" WHERE i.{fk} IS NOT NULL{extra}"
            ),
            f"SELECT DISTINCT {show} FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {cond}{extra}",
            f"SELECT {show} FROM {parent} AS o WHERE (SELECT MAX({cond}) FROM {child} AS i WHERE {on}) = 1{extra}",
        ]

    def absence(self) -> list[str]:
        child, fk, parent, key = self.link()
        show = self.pick(f"o.{key}", self.column(parent, "o"), self.column(parent, "o"))
        cond = self.condition(child, "i") if self.chance(0.7) else "1 = 1"
        on = f"i.{fk} = o.{key}"
        start = f"SELECT {self.pick('', '', 'DISTINCT ')}{show} FROM {parent} AS o"
        own = self.key(child, "i")
        return [
            f"{start} WHERE o.{key} NOT IN (SELECT i.{fk} FROM {child} AS i WHERE {cond})",
            f"{start} WHERE NOT o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {cond} AND NOT i.{fk} IS NULL)",
            f"{start} WHERE NOT EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {cond})",
            f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} WHERE i.{fk} IS NULL",
            f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} WHERE {own} IS NULL",
            f"{start} LEFT JOIN {child} AS i ON {on} WHERE {own} IS NULL AND {cond}",
            f"{start} WHERE (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {cond}) = 0",
            f"{start} LEFT JOIN (SELECT * FROM {child} AS i WHERE {cond}) AS i ON {on} WHERE {own} IS NULL",
            f"SELECT {show} FROM {parent} AS o EXCEPT SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}",
            f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} GROUP BY o.{key} HAVING COUNT({own}) = 0",
            f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} GROUP BY o.{key} HAVING COUNT(*) = 0",
            (
                f"{start} WHERE NOT EXISTS (SELECT 1 FROM {child} AS i WHERE {on}) OR NOT EXISTS"
                f" (SELECT 1 FROM {child} AS i WHERE {on} AND {cond})"
            ),
        ]

    def counting(self) -> list[str]:
        table = self.table()
        first, second = self.conditions(table, "o"), ""
        p = first[0]
        q = self.random.choice(first)
        x = self.column(table, "o")
        group = self.column(table, "o") if self.chance(0.5) else ""
        start = f"SELECT {group}, " if group else "SELECT "
        second = self.condition(table, "o") if self.chance(0.4) else "1 = 1"
        end = f" FROM {table} AS o WHERE {second}" + (f" GROUP BY {group}" if group else "")
        calls = [
            f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END)",
            f"SUM(CASE WHEN {p} THEN 1 END)",
            f"COUNT(CASE WHEN {q} THEN 1 END)",
            f"COUNT(CASE WHEN {p} THEN {x} END)",
            f"COUNT(*) FILTER (WHERE {q})",
            f"COUNT({x}) FILTER (WHERE {p})",
            f"SUM({p})",
            f"SUM(IIF({q}, 1, 0))",
            f"COALESCE(SUM({p}), 0)",
            f"COALESCE(SUM(CASE WHEN {q} THEN 1 ELSE 0 END), 0)",
            f"TOTAL({p})",
            f"COUNT(NULLIF({p}, 0))",
            f"COUNT(*) - SUM(CASE WHEN NOT ({p}) THEN 1 ELSE 0 END)",
            f"COUNT(*) - COUNT(*) FILTER (WHERE NOT ({p}))",
            f"COUNT(DISTINCT CASE WHEN {q} THEN {self.key(table, 'o')} END)",
        ]
        found = [start + call + end for call in calls]
        if group:
            found += [f"{start}COUNT(*) FROM {table} AS o WHERE {second} AND {p} GROUP BY {group}"] * 2
            inner = f"SELECT COUNT(*) FROM {table} AS i WHERE {p} AND i.{group[2:]}".replace("o.", "i.")
            found += [
                f"SELECT DISTINCT {group}, ({inner} {same} {group} AND {second.replace('o.', 'i.')}) FROM {table} AS o WHERE {second}"
                for same in ("=", "IS")
            ]
        else:
            found += [f"SELECT COUNT(*) FROM {table} AS o WHERE {second} AND ({c})" for c in (p, q)]
            found += [f"SELECT SUM(1) FROM {table} AS o WHERE {second} AND ({p})"]
            found += [f"SELECT COUNT(*) FROM (SELECT 1 FROM {table} AS o WHERE {second} AND ({q}))"]
            found += [f"SELECT COUNT({x}) FROM {table} AS o WHERE {second} AND ({p})"]
        return found

    def averages(self) -> list[str]:
        table = self.table()
        x = self.column(table, "o", "irf")
        p = self.condition(table, "o")
        value = self.pick(x, x, f"CASE WHEN {p} THEN {x} END", f"CASE WHEN {p} THEN 1 ELSE 0 END", f"({p})")
        where = self.where(table, "o", 0.4)
        group = f" GROUP BY {self.column(table, 'o')}" if self.chance(0.4) else ""
        calls = [
            f"AVG({value})",
            f"SUM({value}) * 1.0 / COUNT({value})",
            f"1.0 * SUM({value}) / COUNT(*)",
            f"SUM({value}) / COUNT({value})",
            f"CAST(SUM({value}) AS REAL) / COUNT({value})",
            f"SUM({value}) / CAST(COUNT({value}) AS REAL)",
            f"TOTAL({value}) / COUNT({value})",
            f"TOTAL({value}) / COUNT(*)",
            f"SUM(CAST({value} AS REAL)) / COUNT(*)",
            f"AVG(CAST({value} AS REAL))",
            f"AVG({value} * 1.0)",
            f"SUM(1.0 * {value}) / COUNT({value})",
            f"SUM({value}) / (COUNT({value}) * 1.0)",
            f"AVG(COALESCE({value}, 0))",
            f"AVG({value}) FILTER (WHERE {value} IS NOT NULL)",
            f"SUM({value}) / SUM({value} IS NOT NULL)",
            f"AVG({value}) + 0",
            f"AVG(DISTINCT {value})",
        ]
        return [f"SELECT {call} FROM {table} AS o{where}{group}" for call in calls]

    def percentages(self) -> list[str]:
        table = self.table()
        p = self.condition(table, "o")
        q = self.pick("1", self.key(table, "o"), self.column(table, "o"))
        group = f" GROUP BY {self.column(table, 'o')}" if self.chance(0.3) else ""
        calls = [
            f"100.0 * SUM(CASE WHEN {p} THEN 1 ELSE 0 END) / COUNT({q})",
            f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END) * 100 / COUNT({q})",
            f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END) / COUNT(*) * 100",
            f"CAST(SUM(CASE WHEN {p} THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*)",
            f"CAST(COUNT(CASE WHEN {p} THEN {q} END) AS REAL) / COUNT({q}) * 100",
            f"AVG(CASE WHEN {p} THEN 100.0 ELSE 0 END)",
            f"AVG(CASE WHEN {p} THEN 1 ELSE 0 END) * 100",
            f"AVG({p}) * 100",
            f"100.0 * COUNT(*) FILTER (WHERE {p}) / COUNT(*)",
            f"SUM({p}) * 100.0 / COUNT(*)",
            f"AVG(CASE WHEN {p} THEN 1 END) * 100",
            f"(SELECT COUNT(*) FROM {table} AS o WHERE {p}) * 100.0 / (SELECT COUNT(*) FROM {table})",
        ]
        return [f"SELECT {call} FROM {table} AS o{group}" for call in calls]

    def extremes(self) -> list[str]:
        table = self.table()
        x = self.column(table, "o")
        p = self.condition(table, "o") if self.chance(0.4) else "1 = 1"
        inner = p.replace("o.", "i.")
        y = x.replace("o.", "i.")
        high = self.chance(0.6)
        call, way, more = ("MAX", "DESC", ">") if high else ("MIN", "ASC", "<")
        values = [
            f"SELECT {call}({x}) FROM {table} AS o WHERE {p}",
            f"SELECT {x} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1",
            f"SELECT {x} FROM {table} AS o WHERE {p} AND {x} IS NOT NULL ORDER BY {x} {way} LIMIT 1",
            f"SELECT (SELECT {x} FROM {table} AS o WHERE {p} AND NOT {x} IS NULL ORDER BY {x} {way} LIMIT 1)",
            f"SELECT (SELECT {x} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1)",
            f"SELECT (SELECT {call}({x}) FROM {table} AS o WHERE {p})",
            f"SELECT DISTINCT {x} FROM {table} AS o WHERE {p} AND {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
            f"SELECT {call}({x}) FROM {table} AS o WHERE {p} HAVING COUNT({x}) > 0",
            f"SELECT {call}(q.v) FROM (SELECT DISTINCT {x} AS v FROM {table} AS o WHERE {p}) AS q",
        ]
        show = self.pick(self.column(table, "o"), self.key(table, "o"), f"{self.key(table, 'o')}, {x}")
        rows = [
            f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
            f"SELECT {show} FROM {table} AS o WHERE {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
            f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} IN (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
            f"SELECT {show} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1",
            (
                f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} = (SELECT {y} FROM {table} AS i WHERE {inner}"
                f" ORDER BY {y} {way} LIMIT 1)"
            ),
            f"SELECT {show} FROM {table} AS o WHERE {p} AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} AND {y} {more} {x})",
            (
                f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} IS NOT NULL AND NOT EXISTS"
                f" (SELECT 1 FROM {table} AS i WHERE {inner} AND {y} {more} {x})"
            ),
            (
                f"SELECT {show} FROM {table} AS o JOIN (SELECT {call}({y}) AS v FROM {table} AS i WHERE {inner}) AS q"
                f" ON q.v = {x} WHERE {p}"
            ),
            (
                f"WITH q AS (SELECT {call}({y}) AS v FROM {table} AS i WHERE {inner}) SELECT {show} FROM {table} AS o, q"
                f" WHERE {x} = q.v AND {p}"
            ),
            (
                f"SELECT {show} FROM (SELECT o.*, RANK() OVER (ORDER BY {x} {way}) AS rk FROM {table} AS o WHERE {p}) AS o"
                " WHERE o.rk = 1"
            ),
            f"SELECT {show} FROM {table} AS o WHERE {p} AND (SELECT COUNT(*) FROM {table} AS i WHERE {inner} AND {y} {more} {x}) = 0",
            f"SELECT {show} FROM {table} AS o WHERE {p} GROUP BY {self.key(table, 'o')} ORDER BY {call}({x}) {way} LIMIT 1",
            f"SELECT {show}, MAX({x}) FROM {table} AS o WHERE {p}"
            if self.chance(0.1)
            else f"SELECT {show} FROM {table} AS o WHERE {p} ORDER BY {x} {way}, {self.key(table, 'o')} LIMIT 1",
        ]
        return values if self.chance(0.4) else rows

    def group_names(self) -> list[str]:
        child, fk, parent, key = self.link()
        name = self.column(parent, "o")
        on = f"i.{fk} = o.{key}"
        where = self.where(child, "i", 0.3)
        own = self.key(child, "i")
        x = self.column(child, "i", "ir")
        call, other = self.random.sample(
            (
                "COUNT(*)",
                f"COUNT({own})",
                f"COUNT(i.{fk})",
                f"COUNT({x})",
                f"SUM({x})",
                f"COUNT(DISTINCT {own})",
                "COUNT(1)",
            ),
            2,
        )
        found = []
        for each in (call, other):
            for join in ("JOIN", "LEFT JOIN"):
                base = f"FROM {parent} AS o {join} {child} AS i ON {on}{where}"
                found += [
                    f"SELECT {name}, {each} {base} GROUP BY {g}"
                    for g in (f"o.{key}", name, f"o.{key}, {name}", f"i.{fk}")
                ]
        grouped = f"SELECT i.{fk} AS v, {call} AS n FROM {child} AS i{where} GROUP BY i.{fk}"
        both = " AND " if where else " WHERE "
        found += [
            f"SELECT {name}, q.n FROM {parent} AS o JOIN ({grouped}) AS q ON q.v = o.{key}",
            f"SELECT {name}, q.n FROM {parent} AS o LEFT JOIN ({grouped}) AS q ON q.v = o.{key}",
            f"SELECT {name}, COALESCE(q.n, 0) FROM {parent} AS o LEFT JOIN ({grouped}) AS q ON q.v = o.{key}",
            f"SELECT {name}, (SELECT {call} FROM {child} AS i{where}{both}{on}) FROM {parent} AS o",
            f"SELECT {name}, {call} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}{where} GROUP BY i.{fk}",
            f"SELECT (SELECT {name} FROM {parent} AS o WHERE {on}), {call} FROM {child} AS i{where} GROUP BY i.{fk}",
        ]
        return found

    def thresholds(self) -> list[str]:
        child, fk, parent, key = self.link()
        own = self.key(child, "i")
        x = self.column(child, "i")
        n = self.random.choice((0, 1, 1, 2))
        p = self.condition(child, "i") if self.chance(0.4) else "1 = 1"
        base = f"FROM {child} AS i WHERE {p}"
        found = [
            f"SELECT i.{fk} {base} GROUP BY i.{fk} HAVING {call}"
            for call in (
                f"COUNT(*) > {n}",
                f"COUNT(*) >= {n + 1}",
                f"COUNT({own}) > {n}",
                f"COUNT(i.{fk}) > {n}",
                f"COUNT(DISTINCT {own}) >= {n + 1}",
                f"NOT COUNT(*) <= {n}",
                f"COUNT({x}) > {n}",
                f"SUM(1) > {n}",
                f"COUNT(*) > '{n}'",
                f"COUNT(*) > {n}.5",
                f"MIN({own}) < MAX({own})",
            )
        ]
        found += [
            f"SELECT q.v FROM (SELECT i.{fk} AS v, COUNT(*) AS n {base} GROUP BY i.{fk}) AS q WHERE q.n > {n}",
            (
                f"SELECT DISTINCT i.{fk} {base} AND (SELECT COUNT(*) FROM {child} AS j WHERE {p.replace('i.', 'j.')}"
                f" AND j.{fk} = i.{fk}) > {n}"
            ),
            (
                f"SELECT DISTINCT i.{fk} {base} AND EXISTS (SELECT 1 FROM {child} AS j WHERE {p.replace('i.', 'j.')}"
                f" AND j.{fk} = i.{fk} AND {own.replace('i.', 'j.')} <> {own})"
            ),
            (
                f"SELECT DISTINCT i.{fk} FROM {child} AS i JOIN {child} AS j ON j.{fk} = i.{fk} AND"
                f" {own.replace('i.', 'j.')} > {own} WHERE {p} AND {p.replace('i.', 'j.')}"
            ),
            f"SELECT o.{key} FROM {parent} AS o WHERE (SELECT COUNT(*) {base} AND i.{fk} = o.{key}) > {n}",
            f"SELECT o.{key} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} WHERE {p} GROUP BY o.{key} HAVING COUNT(*) > {n}",
        ]
        return found

    def set_operations(self) -> list[str]:
        table = self.table()
        show = self.pick(
            self.key(table, "o"),
            self.column(table, "o"),
            f"{self.key(table, 'o')}, {self.column(table, 'o')}",
        )
        p, q = self.condition(table, "o"), self.condition(table, "o")
        start = f"SELECT {show} FROM {table} AS o WHERE"
        other = show.split(",")[0]
        inner = other.replace("o.", "i.")
        qi = q.replace("o.", "i.")
        union = [
            f"{start} {p} UNION {start} {q}",
            f"{start} {p} UNION ALL {start} {q}",
            f"{start} ({p}) OR ({q})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) OR ({q})",
            f"{start} {p} UNION ALL {start} ({q}) AND NOT ({p})",
            f"{start} {p} UNION ALL {start} ({q}) AND ({p}) IS NOT TRUE",
            f"SELECT DISTINCT * FROM ({start} {p} UNION ALL {start} {q})",
            f"{start} CASE WHEN {p} THEN 1 WHEN {q} THEN 1 ELSE 0 END",
        ]
        both = [
            f"{start} {p} INTERSECT {start} {q}",
            f"{start} ({p}) AND ({q})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND ({q})",
            f"{start} ({p}) AND {other} IN (SELECT {inner} FROM {table} AS i WHERE {qi})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} = {other} AND {qi})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} IS {other} AND {qi})",
            f"SELECT {show} FROM {table} AS o JOIN {table} AS i ON {inner} = {other} WHERE ({p}) AND ({qi})",
            f"{start} {p} EXCEPT {start} NOT ({q})",
        ]
        less = [
            f"{start} {p} EXCEPT {start} {q}",
            f"{start} ({p}) AND NOT ({q})",
            f"{start} ({p}) AND ({q}) IS NOT TRUE",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT ({q})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND ({q}) IS NOT TRUE",
            f"{start} ({p}) AND {other} NOT IN (SELECT {inner} FROM {table} AS i WHERE {qi})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} IS {other} AND {qi})",
            f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} = {other} AND {qi})",
        ]
        return self.random.choice((union, both, less))

    def windows(self) -> list[str]:
        table = self.table()
        x, k = self.column(table, "o"), self.column(table, "o")
        show = self.pick(self.key(table, "o"), x, f"{k}, {x}")
        name = show.split(",")[0]
        same = f"i.{k[2:]} = {k}"
        totals = [
            f"SELECT {name}, COUNT(*) OVER (PARTITION BY {k}) FROM {table} AS o",
            f"SELECT {name}, COUNT({x}) OVER (PARTITION BY {k}) FROM {table} AS o",
            f"SELECT {name}, SUM(1) OVER (PARTITION BY {k}) FROM {table} AS o",
            f"SELECT {name}, (SELECT COUNT(*) FROM {table} AS i WHERE {same}) FROM {table} AS o",
            f"SELECT {name}, (SELECT COUNT(*) FROM {table} AS i WHERE {same.replace('=', 'IS')}) FROM {table} AS o",
            f"SELECT {name}, q.n FROM {table} AS o JOIN (SELECT {k} AS v, COUNT(*) AS n FROM {table} AS o GROUP BY {k}) AS q ON q.v = {k}",
            f"SELECT {name}, q.n FROM {table} AS o JOIN (SELECT {k} AS v, COUNT(*) AS n FROM {table} AS o GROUP BY {k}) AS q ON q.v IS {k}",
            f"SELECT {name}, COUNT(*) FROM {table} AS o GROUP BY {k}",
        ]
        maxima = [
            f"SELECT {show} FROM (SELECT o.*, MAX({x}) OVER (PARTITION BY {k}) AS m FROM {table} AS o) AS o WHERE {x} = o.m",
            f"SELECT {show} FROM (SELECT o.*, RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m = 1",
            f"SELECT {show} FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m = 1",
            f"SELECT {show} FROM (SELECT o.*, DENSE_RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m <= 1",
            f"SELECT {show} FROM {table} AS o WHERE {x} = (SELECT MAX(i.{x[2:]}) FROM {table} AS i WHERE {same})",
            f"SELECT {show} FROM {table} AS o JOIN (SELECT {k} AS v, MAX({x}) AS m FROM {table} AS o GROUP BY {k}) AS q ON q.v = {k} AND q.m = {x}",
            f"SELECT {show} FROM {table} AS o WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {same} AND i.{x[2:]} > {x})",
            f"SELECT {show} FROM (SELECT o.*, RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC NULLS LAST) AS m FROM {table} AS o) AS o WHERE o.m = 1",
        ]
        return self.random.choice((totals, maxima))

    def predicates(self) -> list[str]:
        table = self.table()
        show = self.pick(self.key(table, "o"), self.column(table, "o"))
        ways = self.conditions(table, "o")
        shapes = (
            "SELECT $s FROM $t AS o WHERE $p",
            "SELECT $s, ($p) IS TRUE FROM $t AS o",
            "SELECT $s, ($p) FROM $t AS o",
            "SELECT $s FROM $t AS o WHERE NOT ($p)",
            "SELECT CASE WHEN $p THEN 'y' ELSE 'n' END, $s FROM $t AS o",
            "SELECT $s, COUNT(*) FROM $t AS o WHERE $p GROUP BY $s",
            "SELECT CASE WHEN $p THEN 1 ELSE 0 END AS v, COUNT(*) FROM $t AS o GROUP BY CASE WHEN $p THEN 1 ELSE 0 END",
            "SELECT $s FROM $t AS o WHERE $p ORDER BY $s LIMIT 1",
            "SELECT $s FROM $t AS o ORDER BY $p",
            "SELECT o1.id, $s FROM a AS o1 LEFT JOIN $t AS o ON $p",
        )
        shape = self.random.choice(shapes)
        return [shape.replace("$s", show).replace("$t", table).replace("$p", p) for p in ways]

    def scalars(self) -> list[str]:
        table = self.table()
        x = self.column(table, "o", self.pick("if", "r", "t", "d", "u"))
        group = self.random.choice(SCALARS)
        other = self.column(table, "o", "ir")
        shape = self.pick(
            "SELECT $ FROM %",
            "SELECT DISTINCT $ FROM %",
            "SELECT SUM($) FROM %",
            "SELECT COUNT($) FROM %",
            "SELECT $, COUNT(*) FROM % GROUP BY $",
            "SELECT COUNT(DISTINCT $) FROM %",
            "SELECT MAX($) FROM %",
            "SELECT 1 FROM % WHERE $ > 1",
            "SELECT 1 FROM % WHERE $ = '1'",
            f"SELECT {x} FROM % ORDER BY $",
            f"SELECT {x} FROM % ORDER BY $ DESC LIMIT 1",
            "SELECT AVG($) FROM %",
            "SELECT TYPEOF($) FROM %",
            "SELECT $ || '' FROM %",
            "SELECT $ / 2 FROM %",
        )
        values = [v.replace("$o", other).replace("$", x) for v in group]
        return [shape.replace("$", v).replace("%", f"{table} AS o") for v in values]

    def redundant_joins(self) -> list[str]:
        child, fk, parent, key = self.link()
        show = self.column(child, "i")
        word = self.pick("", "", "DISTINCT ")
        where = self.where(child, "i", 0.3)
        both = " AND " if where else " WHERE "
        start = f"SELECT {word}{show} FROM {child} AS i"
        on = f"i.{fk} = o.{key}"
        call = self.pick("COUNT(*)", f"SUM({show})", f"COUNT({show})") if self.chance(0.3) else ""
        found = [
            f"{start}{where}",
            f"{start}{where}{both}i.{fk} IS NOT NULL",
            f"{start} JOIN {parent} AS o ON {on}{where}",
            f"{start} LEFT JOIN {parent} AS o ON {on}{where}",
            f"{start}, {parent} AS o{where}{both}{on}",
            f"{start} LEFT JOIN {parent} AS o ON {on}{where}{both}o.{key} IS NOT NULL",
            f"{start}{where}{both}EXISTS (SELECT 1 FROM {parent} AS o WHERE {on})",
            f"{start}{where}{both}i.{fk} IN (SELECT o.{key} FROM {parent} AS o)",
            f"{start} JOIN {parent} AS o ON {on} JOIN {parent} AS o2 ON o2.{key} = i.{fk}{where}",
            f"{start} JOIN {parent} AS o ON {on} AND o.{key} = i.{fk}{where}",
            f"SELECT {word}{show} FROM {parent} AS o LEFT JOIN {child} AS i ON {on}{where}",
            f"SELECT {word}{show} FROM {parent} AS o JOIN {child} AS i ON {on}{where}",
        ]
        if call:
            found = [text.replace(f"{word}{show} FROM", f"{call} FROM", 1) for text in found]
        if self.chance(0.3):
            found = [
                text.replace(show, f"i.{fk}", 1)
                if n % 2
                else text.replace(show, f"o.{key}", 1)
                if " AS o ON" in text
                else text
                for n, text in enumerate(found)
            ]
        return found

    def self_joins(self) -> list[str]:
        table = self.pick(*KEYS)
        names = KEYS[table] if self.chance(0.7) else (self.random.choice(list(TABLES[table])),)
        on = " AND ".join(f"o.{n} = i.{n}" for n in names)
        x, y = (self.column(table, "$") for _ in range(2))
        word = self.pick("", "", "DISTINCT ")
        p = self.condition(table, "$")
        ways = [("o", "o"), ("o", "i"), ("i", "o")]
        found = [
            f"SELECT {word}{x.replace('$', u)}, {y.replace('$', v)} FROM {table} AS o {join} {table} AS i ON {on}"
            f" WHERE {p.replace('$', u)}"
            for u, v in ways
            for join in ("JOIN", "LEFT JOIN")
        ]
        single = f"SELECT {word}{x}, {y} FROM {table} AS o WHERE {p}".replace("$", "o")
        found += [single, single, f"{single} AND o.{names[0]} IS NOT NULL"]
        found += [f"{single} AND EXISTS (SELECT 1 FROM {table} AS i WHERE {on})"]
        found += [
            f"{single} AND o.{names[0]} IN (SELECT i.{names[0]} FROM {table} AS i WHERE {p.replace('$', 'i')})"
        ]
        return found

    def orders(self) -> list[str]:
        table = self.table()
        x, y = self.column(table, "o"), self.column(table, "o")
        key = self.key(table, "o")
        p = self.where(table, "o", 0.3)
        cut = self.pick("", "", " LIMIT 1", " LIMIT 2", " LIMIT 1 OFFSET 1", " LIMIT 10")
        start = f"SELECT {self.pick('', 'DISTINCT ')}{self.pick(x, f'{x}, {y}', f'{key}, {x}')} FROM {table} AS o{p}"
        keys = [
            x,
            f"{x} ASC",
            f"{x} DESC",
            f"-{x}",
            f"-{x} DESC",
            f"{x}, {y}",
            f"{y}, {x}",
            f"{x}, {key}",
            f"{x} NULLS LAST",
            f"{x} IS NULL, {x}",
            f"{x} IS NOT NULL, {x}",
            f"{x} DESC NULLS LAST",
            f"{x} + 0",
            f"{x}, {x} DESC",
            f"{x}, {y}, {key}",
            f"CAST({x} AS REAL)",
            f"COALESCE({x}, 0)",
            "1",
            "1, 2" if "," in start else "1",
            f"{key}, {x}",
            key,
            f"UPPER({x})",
            f"CASE WHEN {x} IS NULL THEN 0 ELSE 1 END, {x}",
        ]
        return [f"{start} ORDER BY {k}{cut}" for k in keys] + [start + cut]

    def nested(self) -> list[str]:
        table = self.table()
        k, x = self.column(table, "o"), self.column(table, "o", "ir")
        p = self.where(table, "o", 0.4)
        q = f"FROM (SELECT {k} AS k, COUNT(*) AS n, COUNT({x}) AS m, SUM({x}) AS s, MAX({x}) AS h, AVG({x}) AS v FROM {table} AS o{p} GROUP BY {k}) AS q"
        base = f"FROM {table} AS o{p}"
        groups = (
            [
                f"SELECT SUM(q.n) {q}",
                f"SELECT COUNT(*) {base}",
                f"SELECT COALESCE(SUM(q.n), 0) {q}",
                f"SELECT TOTAL(q.n) {q}",
                f"SELECT SUM(1) {base}",
                f"SELECT SUM(q.m) {q}",
                f"SELECT COUNT({x}) {base}",
                f"SELECT COALESCE(SUM(q.m), 0) {q}",
            ],
            [
                f"SELECT SUM(q.s) {q}",
                f"SELECT SUM({x}) {base}",
                f"SELECT TOTAL(q.s) {q}",
                f"SELECT TOTAL({x}) {base}",
                f"SELECT SUM(q.v * q.m) {q}",
                f"SELECT SUM(q.v * q.n) {q}",
                f"SELECT SUM(COALESCE(q.s, 0)) {q}",
            ],
            [f"SELECT MAX(q.h) {q}", f"SELECT MAX({x}) {base}", f"SELECT q.h {q} ORDER BY q.h DESC LIMIT 1"],
            [
                f"SELECT COUNT(*) {q}",
                f"SELECT COUNT(DISTINCT {k}) {base}",
                f"SELECT COUNT(q.k) {q}",
                f"SELECT COUNT(*) FROM (SELECT DISTINCT {k} {base})",
                f"SELECT COUNT(k) FROM (SELECT DISTINCT {k} AS k {base})",
            ],
            [
                f"SELECT AVG(q.n) {q}",
                f"SELECT COUNT(*) * 1.0 / COUNT(DISTINCT {k}) {base}",
                f"SELECT 1.0 * SUM(q.n) / COUNT(*) {q}",
                f"SELECT COUNT(*) / COUNT(DISTINCT {k}) {base}",
                f"SELECT CAST(COUNT({x}) AS REAL) / COUNT(DISTINCT {k}) {base}",
            ],
            [
                f"SELECT AVG(q.v) {q}",
                f"SELECT AVG({x}) {base}",
                f"SELECT SUM(q.s) * 1.0 / SUM(q.m) {q}",
                f"SELECT SUM(q.s) / SUM(q.m) {q}",
            ],
            [
                f"SELECT q.k, q.n {q}",
                f"SELECT {k}, COUNT(*) {base} GROUP BY {k}",
                f"SELECT {k}, COUNT({k}) {base} GROUP BY {k}",
                f"SELECT q.k, SUM(q.n) {q} GROUP BY q.k",
                f"SELECT DISTINCT {k}, (SELECT COUNT(*) FROM {table} AS i WHERE i.{k[2:]} = {k}) {base}",
                f"SELECT q.k, q.m {q}",
                f"SELECT q.k, MAX(q.n) {q} GROUP BY q.k",
            ],
            [
                f"SELECT q.k {q} ORDER BY q.n DESC LIMIT 1",
                f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1",
                f"SELECT q.k {q} WHERE q.n = (SELECT MAX(q.n) {q})",
                f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT({x}) DESC LIMIT 1",
                f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) = (SELECT MAX(q.n) {q})",
                f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) = (SELECT COUNT(*) {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1)",
                f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) >= (SELECT MAX(q.n) {q})",
                f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT({k}) DESC LIMIT 1",
                f"SELECT {k} {base} GROUP BY {k} ORDER BY SUM(1) DESC LIMIT 1",
            ],
        )
        return self.random.choice(groups)

    def scalar_subqueries(self) -> list[str]:
        child, fk, parent, key = self.link()
        name, own = self.column(parent, "o"), self.column(child, "i")
        on = f"i.{fk} = o.{key}"
        lookup = f"SELECT {name} FROM {parent} AS o WHERE {on}"
        return [
            f"SELECT {own}, ({lookup}) FROM {child} AS i",
            f"SELECT {own}, ({lookup} LIMIT 1) FROM {child} AS i",
            f"SELECT {own}, (SELECT MAX({name}) FROM {parent} AS o WHERE {on}) FROM {child} AS i",
            f"SELECT {own}, {name} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}",
            f"SELECT {own}, {name} FROM {child} AS i JOIN {parent} AS o ON {on}",
            f"SELECT {own}, {name} FROM {parent} AS o JOIN {child} AS i ON {on}",
            f"SELECT {name}, {own} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}",
            f"SELECT {own}, ({lookup}) FROM {child} AS i WHERE i.{fk} IS NOT NULL",
            f"SELECT {own}, ({lookup}) AS z FROM {child} AS i WHERE z IS NOT NULL OR z IS NULL",
            f"SELECT {own}, q.v FROM {child} AS i LEFT JOIN (SELECT o.{key} AS k, {name} AS v FROM {parent} AS o) AS q ON q.k = i.{fk}",
        ]

    def division(self) -> list[str]:
        child, fk, parent, key = self.link()
        p = self.condition(child, "i")
        show = self.pick(f"o.{key}", self.column(parent, "o"))
        start = f"SELECT {show} FROM {parent} AS o WHERE"
        inside = f"FROM {child} AS i WHERE i.{fk} = o.{key}"
        return [
            f"{start} NOT EXISTS (SELECT 1 {inside} AND NOT ({p}))",
            f"{start} (SELECT COUNT(*) {inside}) = (SELECT COUNT(*) {inside} AND {p})",
            f"{start} NOT EXISTS (SELECT 1 {inside} AND ({p}) IS NOT TRUE)",
            f"{start} (SELECT MIN({p}) {inside}) = 1",
            f"{start} (SELECT SUM(CASE WHEN {p} THEN 0 ELSE 1 END) {inside}) = 0",
            f"{start} (SELECT COUNT(*) {inside} AND NOT ({p})) = 0",
            f"{start} o.{key} NOT IN (SELECT i.{fk} FROM {child} AS i WHERE NOT ({p}))",
            f"{start} EXISTS (SELECT 1 {inside}) AND NOT EXISTS (SELECT 1 {inside} AND NOT ({p}))",
            f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} GROUP BY o.{key} HAVING MIN({p}) = 1",
            (
                f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} GROUP BY o.{key}"
                f" HAVING COUNT(*) = SUM(CASE WHEN {p} THEN 1 ELSE 0 END)"
            ),
        ]

    def duplicates(self) -> list[str]:
        table = self.table()
        show = self.pick(
            self.key(table, "o"),
            self.column(table, "o"),
            f"{self.column(table, 'o')}, {self.column(table, 'o')}",
        )
        p = self.condition(table, "o")
        base = f"FROM {table} AS o WHERE {p}"
        first = show.split(",")[0]
        return [
            f"SELECT {show} {base}",
            f"SELECT DISTINCT {show} {base}",
            f"SELECT {show} {base} GROUP BY {show}",
            f"SELECT {show} {base} GROUP BY {first}",
            f"SELECT {show} {base} UNION SELECT {show} {base}",
            f"SELECT {show} {base} INTERSECT SELECT {show} {base}",
            f"SELECT * FROM (SELECT DISTINCT {show} {base})",
            f"SELECT {show} {base} AND {first} IN (SELECT {first.replace('o.', 'i.')} FROM {table} AS i)",
            f"SELECT DISTINCT {show} {base} GROUP BY {show} HAVING COUNT(*) > 0",
            f"SELECT {show} {base} LIMIT 1",
            f"SELECT MIN({first}) {base} GROUP BY {first}",
        ]

    def bare_columns(self) -> list[str]:
        table = self.table()
        k, x, y = self.column(table, "o"), self.column(table, "o"), self.column(table, "o")
        p = self.where(table, "o", 0.3)
        own = self.key(table, "o")
        base = f"FROM {table} AS o{p}"
        inner = base.replace("o.", "i.").replace(" AS o", " AS i")
        both = " AND" if p else " WHERE"
        return [
            f"SELECT {x} {base} GROUP BY {k}",
            f"SELECT {x} {base} GROUP BY {k}, {x}",
            f"SELECT {x} {base} GROUP BY {own}",
            f"SELECT {x} {base} GROUP BY {own}, {k}",
            f"SELECT {x} {base}",
            f"SELECT {x}, MAX({y}) {base} GROUP BY {k}",
            f"SELECT {x}, {y} {base}{both} {y} = (SELECT MAX({y.replace('o.', 'i.')}) {inner}{both} i.{k[2:]} = {k})",
            f"SELECT {x}, MAX({y}) {base}",
            f"SELECT {x}, {y} {base} ORDER BY {y} DESC LIMIT 1",
            f"SELECT {x}, {y} {base} GROUP BY {k} HAVING {y} = MAX({y})",
            f"SELECT {x}, COUNT(*) {base} GROUP BY {k}",
            f"SELECT MIN({x}), COUNT(*) {base} GROUP BY {k}",
            f"SELECT {x}, COUNT(*) {base} GROUP BY {k}, {x}",
            f"SELECT {x}, COUNT(*) {base} GROUP BY {x}",
            f"SELECT {x} {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1",
            f"SELECT {x} {base} GROUP BY {k} ORDER BY MAX({y}) DESC LIMIT 1",
            f"SELECT {x} {base} ORDER BY {y} DESC LIMIT 1",
            f"SELECT {x} {base} GROUP BY {k} HAVING COUNT(*) = 1",
        ]

    def outer_joins(self) -> list[str]:
        child, fk, parent, key = self.link()
        shown = f"{self.column(child, 'i')}, {self.column(parent, 'o')}"
        on = f"i.{fk} = o.{key}"
        p, q = self.condition(child, "i"), self.condition(parent, "o")
        own = self.key(child, "i")
        c, d = f"{child} AS i", f"{parent} AS o"
        return [
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {q}",
            f"SELECT {shown} FROM {c} JOIN {d} ON {on} WHERE {q}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} AND {q}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} AND {p}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {p}",
            f"SELECT {shown} FROM {d} RIGHT JOIN {c} ON {on} WHERE {q}",
            f"SELECT {shown} FROM {d} LEFT JOIN {c} ON {on} WHERE {p}",
            f"SELECT {shown} FROM {c} FULL JOIN {d} ON {on} WHERE {p}",
            f"SELECT {shown} FROM {c} FULL JOIN {d} ON {on}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} UNION ALL SELECT {shown} FROM {d} LEFT JOIN {c} ON {on} WHERE {own} IS NULL",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on}",
            (
                f"SELECT {shown} FROM {c} JOIN {d} ON {on} UNION ALL SELECT {shown.split(', ', maxsplit=1)[0]}, NULL FROM {c}"
                f" WHERE NOT EXISTS (SELECT 1 FROM {d} WHERE {on})"
            ),
            f"SELECT {shown} FROM {c} JOIN {d} ON {on} UNION ALL SELECT {shown.split(', ', maxsplit=1)[0]}, NULL FROM {c} WHERE i.{fk} IS NULL",
            f"SELECT {shown} FROM {c} LEFT JOIN (SELECT * FROM {d} WHERE {q}) AS o ON {on}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {q} OR o.{key} IS NULL",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON o.{key} IS i.{fk}",
            f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} LEFT JOIN {parent} AS o3 ON o3.{key} = o.{key}",
        ]

    def fan_out(self) -> list[str]:
        child, fk, parent, key = self.link()
        x = self.column(parent, "o", "ir")
        y = self.column(child, "i", "ir")
        p = self.condition(child, "i") if self.chance(0.5) else "1 = 1"
        on = f"i.{fk} = o.{key}"
        join = f"FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {p}"
        some = f"FROM {parent} AS o WHERE EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {p})"
        member = f"FROM {parent} AS o WHERE o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {p})"
        groups: tuple[list[str], ...] = (
            [
                f"SELECT COUNT(DISTINCT o.{key}) {join}",
                f"SELECT COUNT(*) {some}",
                f"SELECT COUNT(o.{key}) {member}",
                f"SELECT COUNT(*) {join}",
                f"SELECT COUNT(DISTINCT i.{fk}) FROM {child} AS i WHERE {p}",
                f"SELECT COUNT(DISTINCT {x}) {join}",
                f"SELECT COUNT(DISTINCT i.{fk}) {join}",
                f"SELECT COUNT(*) FROM (SELECT DISTINCT o.{key} {join})",
                f"SELECT COUNT(*) FROM (SELECT i.{fk} FROM {child} AS i WHERE {p} GROUP BY i.{fk})",
            ],
            [
                f"SELECT SUM({x}) {join}",
                f"SELECT SUM({x}) {some}",
                f"SELECT SUM({x}) {member}",
                f"SELECT SUM(DISTINCT {x}) {join}",
                f"SELECT SUM(q.v) FROM (SELECT DISTINCT o.{key}, {x} AS v {join}) AS q",
                f"SELECT COALESCE(SUM({x}), 0) {some}",
                f"SELECT SUM({x} * (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {p})) FROM {parent} AS o",
            ],
            [
                f"SELECT SUM({y}) {join}",
                f"SELECT SUM({y}) FROM {child} AS i WHERE {p}",
                f"SELECT SUM({y}) FROM {child} AS i WHERE {p} AND i.{fk} IS NOT NULL",
                f"SELECT SUM((SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p})) FROM {parent} AS o",
                f"SELECT TOTAL({y}) {join}",
                f"SELECT SUM({y}) FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {p}",
            ],
            [
                f"SELECT MAX({x}) {join}",
                f"SELECT MAX({x}) {some}",
                f"SELECT MAX({x}) {member}",
                f"SELECT MAX(DISTINCT {x}) {join}",
                f"SELECT {x} {join} ORDER BY {x} DESC LIMIT 1",
                f"SELECT MAX({x}) FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {p}",
            ],
            [
                f"SELECT AVG({x}) {join}",
                f"SELECT AVG({x}) {some}",
                f"SELECT AVG({x}) {member}",
                f"SELECT AVG(DISTINCT {x}) {join}",
                f"SELECT SUM({x}) * 1.0 / COUNT(*) {join}",
                f"SELECT SUM({x}) * 1.0 / COUNT({x}) {some}",
                f"SELECT CAST(SUM({x}) AS REAL) / COUNT(o.{key}) {join}",
            ],
            [
                f"SELECT o.{key}, SUM({y}) {join} GROUP BY o.{key}",
                f"SELECT i.{fk}, SUM({y}) FROM {child} AS i WHERE {p} GROUP BY i.{fk}",
                f"SELECT i.{fk}, SUM({y}) {join} GROUP BY i.{fk}",
                f"SELECT o.{key}, (SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p}) FROM {parent} AS o",
                f"SELECT o.{key}, (SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p}) {some}",
                f"SELECT o.{key}, TOTAL({y}) {join} GROUP BY o.{key}",
                f"SELECT o.{key}, SUM({y}) {join} GROUP BY o.{key}, {x}",
                f"SELECT o.{key}, SUM({y}) FROM {parent} AS o LEFT JOIN {child} AS i ON {on} AND {p} GROUP BY o.{key}",
            ],
        )
        return self.random.choice(groups)

    def choices(self) -> list[str]:
        child, fk, parent, key = self.link()
        x, y = self.column(child, "i"), self.column(child, "i")
        on = f"i.{fk} = o.{key}"
        way = self.pick("", " DESC")
        shown = self.column(parent, "o")
        inner = f"FROM {child} AS i WHERE {on}"
        rank = f"SELECT i.{fk} AS k, {x} AS v, ROW_NUMBER() OVER (PARTITION BY i.{fk} ORDER BY {y}{way}) AS n FROM {child} AS i"
        return [
            f"SELECT {shown}, (SELECT {x} {inner}) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT {x} {inner} LIMIT 1) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {y}{way} LIMIT 1) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {x}{way} LIMIT 1) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {y}{way}, {x} LIMIT 1) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT MAX({x}) {inner}) FROM {parent} AS o",
            f"SELECT {shown}, (SELECT MIN({x}) {inner} ) FROM {parent} AS o",
            f"SELECT {shown}, q.v FROM {parent} AS o JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n = 1",
            f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} AND q.n = 1",
            f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} AND q.n <= 1",
            f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n = 1",
            f"SELECT {shown}, q.v FROM {parent} AS o JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n < 2",
            f"SELECT {shown}, {x} FROM {parent} AS o JOIN {child} AS i ON {on} GROUP BY o.{key}",
            f"SELECT {shown}, {x} FROM {parent} AS o LEFT JOIN {child} AS i ON {on} GROUP BY o.{key}",
        ]

    def pairs_of_rows(self) -> list[str]:
        table = self.pick("e", "f", "a", "b", "g")
        names = self.random.sample(list(TABLES[table]), 2)
        x, y = (f"o.{n}" for n in names)
        u, v = (f"i.{n}" for n in names)
        p = self.condition(table, "i")
        show = self.pick(f"{x}, {y}", self.column(table, "o"))
        start = f"SELECT {self.pick('', 'DISTINCT ')}{show} FROM {table} AS o"
        return [
            f"{start} WHERE ({x}, {y}) IN (SELECT {u}, {v} FROM {table} AS i WHERE {p})",
            f"{start} WHERE EXISTS (SELECT 1 FROM {table} AS i WHERE {x} = {u} AND {y} = {v} AND {p})",
            f"{start} WHERE EXISTS (SELECT 1 FROM {table} AS i WHERE ({x}, {y}) = ({u}, {v}) AND {p})",
            f"{start} WHERE {x} IN (SELECT {u} FROM {table} AS i WHERE {p}) AND {y} IN (SELECT {v} FROM {table} AS i WHERE {p})",
            f"{start} WHERE {x} IN (SELECT {u} FROM {table} AS i WHERE {p} AND {v} = {y})",
            f"{start} WHERE {p.replace('i.', 'o.')}",
            f"{start} WHERE {p.replace('i.', 'o.')} AND {x} IS NOT NULL AND {y} IS NOT NULL",
            f"{start} JOIN {table} AS i ON {x} = {u} AND {y} = {v} WHERE {p}",
            f"{start} WHERE {x} || '-' || {y} IN (SELECT {u} || '-' || {v} FROM {table} AS i WHERE {p})",
            f"{start} WHERE ({x}, {y}) NOT IN (SELECT {u}, {v} FROM {table} AS i WHERE {p})",
            f"{start} WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {x} = {u} AND {y} = {v} AND {p})",
            f"{start} WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {x} IS {u} AND {y} IS {v} AND {p})",
            f"SELECT {show} FROM {table} AS o EXCEPT SELECT {show.replace('o.', 'i.')} FROM {table} AS i WHERE {p}",
            f"{start} WHERE NOT ({p.replace('i.', 'o.')})",
            f"{start} WHERE ({x}, {y}) <> (1, 'a')",
            f"{start} WHERE {x} <> 1 OR {y} <> 'a'",
            f"{start} WHERE ({x}, {y}) > (1, 1)",
            f"{start} WHERE {x} > 1 OR ({x} = 1 AND {y} > 1)",
        ]

    def chains(self) -> list[str]:
        """Joins of three tables along references, in different orders and with parts left out."""
        show = self.pick("b.id", "a.x", "a.s", "c.code", "c.code, a.id", "b.x", "b.x, a.code")
        p = self.condition(show[0], show[0])
        word = self.pick("", "DISTINCT ")
        call = (
            self.pick("COUNT(*)", f"COUNT(DISTINCT {show.split(',')[0]})", f"SUM({show.split(',')[0]})")
            if self.chance(0.3)
            else word + show
        )
        start = f"SELECT {call} FROM"
        return [
            f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id WHERE {p}",
            f"{start} a JOIN b ON b.a_id = a.id JOIN c ON c.b_id = b.id WHERE {p}",
            f"{start} a, b, c WHERE a.id = b.a_id AND c.b_id = b.id AND {p}",
            f"{start} c LEFT JOIN b ON c.b_id = b.id LEFT JOIN a ON b.a_id = a.id WHERE {p}",
            f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.p_id = a.id WHERE {p}",
            f"{start} c JOIN b ON c.b_id = b.id LEFT JOIN a ON b.p_id = a.id WHERE {p}",
            f"{start} b JOIN a ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id WHERE {p}",
            f"{start} b LEFT JOIN a ON b.a_id = a.id JOIN c ON c.b_id = b.id WHERE {p}",
            f"{start} a LEFT JOIN b ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id WHERE {p}",
            f"{start} (SELECT * FROM b WHERE b.id IN (SELECT c.b_id FROM c)) AS b JOIN a ON a.id = b.a_id JOIN c ON c.b_id = b.id WHERE {p}",
            f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id AND b.a_id IN (SELECT a.id FROM a) WHERE {p}",
            f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id JOIN b AS b2 ON b2.id = c.b_id WHERE {p}",
            f"{start} c JOIN b ON c.b_id = b.id JOIN a ON c.a_id = a.id WHERE {p}",
            f"{start} c JOIN a ON c.a_id = a.id JOIN b ON b.id = c.b_id AND b.a_id = a.id WHERE {p}",
        ]


FAMILIES: tuple[Callable[[Pairs], list[str]], ...] = (
    Pairs.membership,
    Pairs.absence,
    Pairs.counting,
    Pairs.averages,
    Pairs.percentages,
    Pairs.extremes,
    Pairs.group_names,
    Pairs.thresholds,
    Pairs.set_operations,
    Pairs.windows,
    Pairs.predicates,
    Pairs.predicates,
    Pairs.scalars,
    Pairs.scalars,
    Pairs.redundant_joins,
    Pairs.self_joins,
    Pairs.orders,
    Pairs.nested,
    Pairs.scalar_subqueries,
    Pairs.division,
    Pairs.duplicates,
    Pairs.bare_columns,
    Pairs.outer_joins,
    Pairs.fan_out,
    Pairs.choices,
    Pairs.pairs_of_rows,
    Pairs.chains,
)


def named(sql: str) -> str:
    """The query with its first column named ``c0``, where it has a name that can be changed."""
    start = re.match(r"SELECT (DISTINCT )?(?!\*)", sql)
    if start is None:
        return sql
    depth = 0
    for place in range(start.end(), len(sql)):
        depth += (sql[place] == "(") - (sql[place] == ")")
        if depth == 0 and (
            sql[place] == "," or re.match(r" (FROM|AS|UNION|EXCEPT|INTERSECT)\b", sql[place:])
        ):
            rest = re.sub(r"^ AS \w+", "", sql[place:])
            return f"{sql[:place]} AS c0{rest}"
    return f"{sql} AS c0"
