"""Random queries in words that SQLite, PostgreSQL and DuckDB share, and random rows for them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from equiv.cells import Cell, Row

_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
DDL: str = _KNOWN["ddl"]
"""One schema that all three dialects read."""
COLUMNS: Mapping[str, Mapping[str, str]] = _KNOWN["columns"]
"""The kind of each column of each table."""
_NAMES: Mapping[str, Sequence[str]] = _KNOWN["names"]
"""Columns of the first table by kind."""
_VALUES: Mapping[str, Sequence[Cell]] = _KNOWN["values"]
_WORDS: Mapping[str, Sequence[str]] = _KNOWN["words"]


def rows(random: Random) -> dict[str, tuple[tuple[str, ...], list[Row]]]:
    """A few rows for each table, NULLs and repeated values among them."""

    def row(columns: Mapping[str, str], key: int) -> Row:
        kinds = columns.items()
        return tuple(key if name == "id" else _value(name, kind, random) for name, kind in kinds)

    counts = {table: random.choice((0, 1, 2, 3, 5, 8)) for table in COLUMNS}
    return {
        table: (tuple(columns), [row(columns, key + 1) for key in range(counts[table])])
        for table, columns in COLUMNS.items()
    }


def _value(name: str, kind: str, random: Random) -> Cell:
    if name != "t_id" and random.random() < 0.2:
        return None
    return random.choice(_VALUES[kind][: random.choice((3, 40))])


_INSTANT = (
    *(
        f"CAST({each} AS TIMESTAMP WITH TIME ZONE)"
        for each in ("t.d", "t.m", "'2010-01-02 23:30:00-05'", "'2010-01-01'")
    ),
    *(f"t.{each} AT TIME ZONE '{zone}'" for each in "dm" for zone in ("UTC", "America/New_York")),
)
_NEXT_DAY = ", '+1 day'"


class Texts:
    """Draws queries.

    Args:
        random: what is drawn from.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def _one(self, *found: str) -> str:
        return self.random.choice(found)

    def _word(self, kind: str) -> str:
        return self.random.choice(_WORDS[kind])

    def literal(self, kind: str) -> str:
        """A literal of a kind."""
        value = self.random.choice(_VALUES[kind])
        if kind == "bool":
            return self._one("TRUE", "FALSE")
        return f"'{value}'" if isinstance(value, str) else repr(value)

    def value(self, kind: str, depth: int = 2) -> str:
        """An expression of a kind."""
        if depth == 0 or self.random.random() < 0.3:
            name = "t." + self._one(*_NAMES[kind])
            return name if self.random.random() < 0.8 else self.literal(kind)
        return self._one(*self._made(kind, depth - 1))

    def _made(self, kind: str, depth: int) -> list[str]:
        def v(other: str) -> str:
            return self.value(other, depth)

        always = [
            f"COALESCE({v(kind)}, {v(kind)})",
            f"NULLIF({v(kind)}, {v(kind)})",
            f"CASE WHEN {self.condition(depth)} THEN {v(kind)} ELSE {v(kind)} END",
            f"CASE WHEN {self.condition(depth)} THEN {v(kind)} END",
        ]
        match kind:
            case "int":
                return [
                    *always,
                    f"{v('int')} {self._one('+', '-', '*', '/', '%')} {v('int')}",
                    f"ABS({v('int')})",
                    f"LENGTH({v('text')})",
                    f"CAST({v(self._one('text', 'real', 'number', 'bool', 'int'))} AS INTEGER)",
                    f"-{v('int')}",
                    f"INSTR({v('text')}, {self.literal('text')})",
                    f"CAST(STRFTIME('{self._one('%Y', '%m', '%d')}', t.d) AS INTEGER)",
                    f"EXTRACT({self._one('YEAR', 'MONTH', 'DAY')} FROM t.{self._one('d', 'm')})",
                    f"IIF({self.condition(depth)}, {v('int')}, {v('int')})",
                    "(SELECT COUNT(*) FROM u WHERE u.a = t.a)",
                    "(SELECT MAX(u.a) FROM u WHERE u.t_id = t.id)",
                ]
            case "real" | "number":
                return [
                    *always,
                    f"{v(kind)} {self._one('+', '-', '*', '/', '%')} {v(self._one('int', kind))}",
                    f"{v('int')} / {v(kind)}",
                    f"ROUND({v(kind)}{self._one('', ', 1', ', 0')})",
                    f"ABS({v(kind)})",
                    f"CAST({v(self._one('int', 'real', 'number'))} AS {self._word('number_types')})",
                ]
            case "text":
                return [
                    *always,
                    f"{self._one('LOWER', 'UPPER', 'TRIM', 'LTRIM')}({v('text')})",
                    f"{v('text')} || {v('text')}",
                    f"{v('text')} || {v('int')}",
                    f"SUBSTR({v('text')}, {self._one('0', '1', '2', '-1')}{self._one('', ', 1', ', 2')})",
                    f"REPLACE({v('text')}, 'a', {self.literal('text')})",
                    f"STRFTIME('{self._one('%Y', '%Y-%m', '%d', '%m')}', t.{self._one('d', 'm')})",
                    f"CONCAT({v('text')}, {v('text')})",
                    f"{self._one('LEFT', 'RIGHT')}({v('text')}, {self._one('1', '2', '-1', '0')})",
                    f"IFNULL({v('text')}, {v('text')})",
                    f"CAST({v(self._one(*_NAMES))} AS {self._word('text_types')})",
                ]
            case "date":
                return [
                    *always,
                    f"CAST({v(self._one('date', 'stamp', 'text'))} AS DATE)",
                    f"CAST({self._one(*_INSTANT)} AS DATE)",
                    f"CAST('{self._word('spelt')}' AS DATE)",
                    f"DATE({self._one('t.d', 't.m')}{self._one('', _NEXT_DAY)})",
                    f"DATE_TRUNC('{self._one('month', 'year')}', t.{self._one('d', 'm')})",
                    f"t.d {self._one('+', '-')} {self._one('1', '30')}",
                ]
            case "stamp":
                return [
                    *always,
                    f"CAST({self._one(*_INSTANT)} AS TIMESTAMP)",
                    f"CAST('{self._word('spelt')}' AS TIMESTAMP)",
                ]
            case "bool":
                return [*always, self.condition(depth)]
        return always

    def condition(self, depth: int = 2) -> str:
        """A condition."""
        if depth == 0:
            return self._compared(0)
        inner = self.condition
        return self._one(
            self._compared(depth - 1),
            self._compared(depth - 1),
            f"({inner(depth - 1)} {self._one('AND', 'OR')} {inner(depth - 1)})",
            f"NOT {self._compared(depth - 1)}",
            f"t.s {self._one('LIKE', 'NOT LIKE', 'LIKE')} '{self._word('patterns')}'",
            f"{self.value('int', 0)} {self._one('IN', 'NOT IN')} ({self._word('lists')})",
            f"EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND {self._word('links')})",
            "t.q",
            "t.q = TRUE",
            f"{self._one(*_INSTANT)} {self._one('=', '<', '>=')} {self._one(*_INSTANT)}",
            f"t.{self._one('d', 'm')} {self._one('=', '<', '>=')} {self._one(*_INSTANT)}",
            f"t.a BETWEEN {self.literal('int')} AND {self.literal('int')}",
            f"t.d BETWEEN {self.literal('date')} AND {self.literal('date')}",
        )

    def _compared(self, depth: int) -> str:
        kind = self._one("int", "int", "text", "text", "date", "stamp", "real", "number", "bool")
        one = self.value(kind, depth)
        if self.random.random() < 0.2:
            return f"{one} IS {self._one('', 'NOT ')}NULL"
        other = kind
        if self.random.random() < 0.15:
            other = self._one("int", "text", "date", "stamp", "real", "number")
        sign = self._one("=", "<>", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM")
        return f"{one} {sign} {self.value(other, depth)}"

    def query(self) -> str:
        """A query."""
        kinds = (self._plain, self._plain, self._grouped, self._united, self._joined, self._windowed)
        return self.random.choice(kinds)()

    def _outputs(self) -> list[str]:
        kinds = self.random.choices(tuple(_NAMES), k=self.random.choice((1, 1, 2)))
        return [self.value(kind) for kind in kinds]

    def _where(self) -> str:
        return f" WHERE {self.condition()}" if self.random.random() < 0.6 else ""

    def _order(self, columns: int) -> str:
        if self.random.random() < 0.7:
            return ""
        keys = [f"{place}{self._word('directions')}" for place in range(1, columns + 1)]
        return f" ORDER BY {', '.join(keys)}{self._one('', '', ' LIMIT 2', ' LIMIT 1 OFFSET 1')}"

    def _plain(self) -> str:
        found = self._outputs()
        distinct = self._one("", "", "DISTINCT ")
        return f"SELECT {distinct}{', '.join(found)} FROM t{self._where()}{self._order(len(found))}"

    def _aggregate(self) -> str:
        kind = self._one("int", "real", "number", "text", "date")
        names = ["MIN", "MAX", "COUNT", "COUNT(DISTINCT"]
        function = self._one(*names, *(("SUM", "AVG") if kind in ("int", "real", "number") else ()))
        made = (
            f"{function} {self.value(kind, 1)})" if "(" in function else f"{function}({self.value(kind, 1)})"
        )
        return self._one(made, made, "COUNT(*)")

    def _grouped(self) -> str:
        by = self.value(self._one("int", "text", "date", "bool"), 1)
        having = f" HAVING {self._aggregate()} IS NOT NULL" if self.random.random() < 0.2 else ""
        if self.random.random() < 0.4:
            return f"SELECT {self._aggregate()}, {self._aggregate()} FROM t{self._where()}"
        return f"SELECT {by}, {self._aggregate()} FROM t{self._where()} GROUP BY {self._one(by, '1')}{having}"

    def _united(self) -> str:
        kind = self._one("int", "text", "real", "number", "date", "bool")
        other = kind if self.random.random() < 0.7 else self._one("int", "real", "number")
        operator = self._one("UNION", "UNION ALL", "EXCEPT", "INTERSECT")
        return (
            f"SELECT {self.value(kind, 1)} FROM t{self._where()} {operator}"
            f" SELECT {self.value(other, 1)} FROM t{self._where()}{self._order(1)}"
        )

    def _joined(self) -> str:
        join = self._one("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
        on = self._one("t.id = u.t_id", "t.a = u.a", "t.s = u.s", "t.d = u.d")
        found = [*self._outputs(), self._one("u.a", "u.s", "u.d", "u.id")]
        return f"SELECT {', '.join(found)} FROM t {join} u ON {on}{self._where()}{self._order(len(found))}"

    def _windowed(self) -> str:
        function = self._one("SUM(t.a)", "COUNT(*)", "ROW_NUMBER()", "RANK()", "LAG(t.a)", "MAX(t.s)")
        within = self._one("", "PARTITION BY t.b ")
        order = self._one("t.a", "t.a DESC", "t.s, t.id", "t.d, t.id", "t.id")
        return f"SELECT t.id, {function} OVER ({within}ORDER BY {order}) FROM t{self._where()}"
