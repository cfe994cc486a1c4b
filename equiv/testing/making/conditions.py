"""Random conditions over the columns that a place in a query sees, the traps of SQL among them.

Contradictions, tautologies, conditions that mention no row at hand, and *hard* ones: what generated
databases seldom meet (:data:`~equiv.testing.making.texts.HARD`).
"""

# ruff: noqa: E501 - one way of saying a thing stands beside the others

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from equiv.core.model import Schema
from equiv.names import quoted
from equiv.testing.making.comparisons import KEEPING
from equiv.testing.making.texts import (
    EMPTY,
    FULL,
    HARD,
    LITERALS,
    OPERATORS,
    PLAIN,
    Chances,
    Seen,
    columns_of,
    usual,
)


@dataclass
class Conditions(Chances):
    """Makes conditions; ``asides`` are whole queries that some conditions ask for a row."""

    schema: Schema
    prefix: str = "m"
    asides: Sequence[str] = ()
    hardness: float = 0.12
    size: int = 1
    """0: what is nested reads one table under one condition at most; 1: mostly; 2: seldom."""
    nests: bool = True
    """Whether conditions may ask other rows, by subqueries."""
    _made: int = field(default=0)

    def alias(self) -> str:
        self._made += 1
        return f"{self.prefix}{self._made}"

    def literal(self, kind: str) -> str:
        return self.random.choice(LITERALS[kind])

    def any(self, seen: Sequence[Seen], depth: int = 2) -> str:
        """A condition of any sort."""
        makers: tuple[Callable[[Sequence[Seen]], str], ...] = (
            *((self.plain,) * 5),
            *((self.compared,) * 3),
            self.wrapped,
            self.row_value,
            *((self.empty,) * 2),
            self.full,
            *((lambda s: self.apart(depth),) * (3 * self.nests)),
            *((lambda s: self.linked(s, depth),) * (2 * self.nests)),
        )
        if self.chance(self.hardness) and (hard := self.hard(seen)):
            return hard
        seen = usual(seen)
        if depth > 0 and self.chance(0.15):
            one, two = self.any(seen, depth - 1), self.any(seen, depth - 1)
            return self.pick(f"({one} AND {two})", f"({one} OR {two})", f"NOT ({one})")
        return self.random.choice(makers)(seen)

    def filled(self, text: str, column: Seen, seen: Sequence[Seen]) -> str:
        """A template with ``$`` for a column, ``$o`` for another of its kind and ``#`` for literals."""
        name, kind = column
        others = [n for n, k in seen if k == kind and n != name] or [name]
        text = text.replace("$o", self.random.choice(others)).replace("$", name)
        while "#" in text:
            text = text.replace("#", self.literal(kind), 1)
        return text

    def plain(self, seen: Sequence[Seen]) -> str:
        """A condition on one column."""
        if not seen:
            return self.apart(0)
        column = self.random.choice(seen)
        if self.chance(0.5):
            return f"{column[0]} {self.pick(*OPERATORS)} {self.literal(column[1])}"
        return self.filled(self.pick(*PLAIN["*"], *PLAIN.get(column[1], ())), column, seen)

    def compared(self, seen: Sequence[Seen]) -> str:
        """Two columns compared."""
        if not seen:
            return self.apart(0)
        return self.filled(f"$ {self.pick(*OPERATORS)} $o", self.random.choice(seen), seen)

    def wrapped(self, seen: Sequence[Seen]) -> str:
        """A column whose collation or affinity may be gone, compared with a literal or another column."""
        if not seen:
            return self.apart(0)
        column = self.random.choice(seen)
        value = self.random.choice(KEEPING).replace("$", column[0])
        other = self.random.choice(seen)[0] if self.chance(0.3) else self.literal(column[1])
        return self.pick(
            f"{value} {self.pick(*OPERATORS)} {other}", f"{other} {self.pick(*OPERATORS)} {value}"
        )

    def row_value(self, seen: Sequence[Seen]) -> str:
        """Two columns, or one and NULL, compared as a row value with literals or with rows of a table."""
        if not seen:
            return self.apart(0)
        (one, kind), (two, other) = self.random.choice(seen), self.random.choice(seen)
        pair = f"({one}, {two if self.chance(0.8) else 'NULL'})"
        literals = f"({self.literal(kind)}, {self.literal(other)})"
        if not self.nests or self.chance(0.5):
            listed = f"VALUES {literals}, ({self.literal(kind)}, {self.literal(other)})"
            tests = (
                f"= {literals}",
                f"<> {literals}",
                f"< {literals}",
                f"IS {literals}",
                f"IN ({listed})",
                f"NOT IN ({listed})",
            )
            return f"{pair} {self.pick(*tests)}"
        text, own = self.rows(0)
        values = ", ".join(
            self.random.choice([n for n, k in own if k == each] or [own[0][0]]) for each in (kind, other)
        )
        return f"{pair} {self.pick('IN', 'NOT IN')} (SELECT {values} {text})"

    def empty(self, seen: Sequence[Seen]) -> str:
        """A condition that is never true."""
        texts = [text for text in EMPTY if seen or "$" not in text]
        return self.filled(self.pick(*texts), self.random.choice(seen) if seen else ("", "i"), seen)

    def full(self, seen: Sequence[Seen]) -> str:
        """A condition that is always true, or true wherever a column is not NULL."""
        texts = [text for text in FULL if seen or "$" not in text]
        return self.filled(self.pick(*texts), self.random.choice(seen) if seen else ("", "i"), seen)

    def hard(self, seen: Sequence[Seen]) -> str:
        """A condition that generation seldom meets; '' if no column is kept for such."""
        found = [
            hard.replace("$", text)
            for text, kind in seen
            for name, hard, _ in HARD
            if kind == "h" and text.endswith(name)
        ]
        return self.random.choice(found) if found else ""

    def rows(self, depth: int, seen: Sequence[Seen] = ()) -> tuple[str, list[Seen]]:
        """``FROM … WHERE …`` over one table, or a join of two, and its columns; ``seen`` if correlated."""
        table, alias = self.random.choice(self.schema.tables), self.alias()
        own = columns_of(table, alias)
        text = f"FROM {quoted(table.name)} AS {alias}"
        if self.chance(0.15 * self.size):
            other, second = self.random.choice(self.schema.tables), self.alias()
            more = columns_of(other, second)
            text += f" {self.pick('JOIN', 'LEFT JOIN')} {quoted(other.name)} AS {second} ON {self.link(own, more)}"
            own += more
        tests = [self.link(seen, own)] if seen and self.chance(0.85) else []
        if self.chance(0.25 + 0.2 * self.size):
            mine = own + list(seen) if self.chance(0.3) else own
            tests.append(self.any(mine, depth - 1) if self.size else self.plain(usual(mine)))
        where = f" WHERE {' AND '.join(f'({test})' for test in tests)}" if tests else ""
        return text + where, usual(own)

    def link(self, one: Sequence[Seen], two: Sequence[Seen]) -> str:
        """An equation between two sources, by a reference if there is one."""
        one, two = usual(one), usual(two)
        if self.chance(0.7):
            found = [f"{a} = {b}" for a, _ in one for b, _ in two if self._refers(a, b) or self._refers(b, a)]
            if found:
                return self.random.choice(found)
        pairs = [(a, b) for a, k in one for b, j in two if k == j] or [(one[0][0], two[0][0])]
        a, b = self.random.choice(pairs)
        return f"{a} {self.pick('=', '=', '=', 'IS', '<>', '>')} {b}"

    def _refers(self, child: str, parent: str) -> bool:
        column, target = child.rpartition(".")[2].strip('"'), parent.rpartition(".")[2].strip('"')
        return any(
            column in key.columns and target == key.parent_columns[key.columns.index(column)]
            for table in self.schema.tables
            for key in table.foreign_keys
        )

    def value(self, own: Sequence[Seen]) -> str:
        """An aggregate over some columns."""
        name, kind = self.random.choice(own)
        calls = ["COUNT(*)", f"COUNT({name})", f"MAX({name})", f"MIN({name})", f"COUNT(DISTINCT {name})"]
        if kind in "irf":
            calls += [f"SUM({name})", f"AVG({name})"]
        if self.size == 0:
            return self.random.choice(calls)
        if kind in "irf":
            calls += [f"TOTAL({name})", f"SUM({name}) FILTER (WHERE {self.plain(own)})",
                      f"SUM(DISTINCT {name})"]  # fmt: skip
        calls += [f"COUNT(*) FILTER (WHERE {self.plain(own)})", f"SUM(CASE WHEN {self.plain(own)} THEN 1 ELSE 0 END)",
                  f"COUNT(CASE WHEN {self.plain(own)} THEN {name} END)", f"COALESCE(SUM({self.plain(own)}), 0)"]  # fmt: skip
        return self.random.choice(calls)

    def apart(self, depth: int) -> str:
        """A condition that mentions no row at hand."""
        if self.asides and self.chance(0.2):
            query = self.random.choice(self.asides)
            return self.pick(
                f"EXISTS ({query})", f"NOT EXISTS ({query})", f"(SELECT COUNT(*) FROM ({query})) > 0"
            )
        text, own = self.rows(depth)
        column = self.random.choice(own)[0]
        number = self.pick("0", "0", "1", "2")
        return self.pick(
            f"EXISTS (SELECT 1 {text})",
            f"EXISTS (SELECT 1 {text})",
            f"NOT EXISTS (SELECT 1 {text})",
            f"(SELECT COUNT(*) {text}) > {number}",
            f"(SELECT COUNT(*) {text}) = {number}",
            f"(SELECT COUNT({column}) {text}) >= 1",
            f"(SELECT MAX({column}) {text}) IS NOT NULL",
            f"(SELECT {self.value(own)} {text}) > {number}",
            f"1 IN (SELECT {column} {text})",
            f"EXISTS (SELECT {column} {text} GROUP BY {column} HAVING COUNT(*) > {number})",
            f"(SELECT {column} {text} ORDER BY {column} LIMIT 1) > {number}",
        )

    def linked(self, seen: Sequence[Seen], depth: int) -> str:
        """A condition on the rows at hand and on others."""
        if not seen:
            return self.apart(depth)
        column, kind = self.random.choice(seen)
        text, own = self.rows(depth, seen if self.chance(0.7) else ())
        inner_column = self.random.choice([n for n, k in own if k == kind] or [own[0][0]])
        number = self.pick("0", "0", "1", "2")
        return self.pick(
            f"EXISTS (SELECT 1 {text})",
            f"NOT EXISTS (SELECT 1 {text})",
            f"{column} IN (SELECT {inner_column} {text})",
            f"{column} NOT IN (SELECT {inner_column} {text})",
            f"(SELECT COUNT(*) {text}) > {number}",
            f"(SELECT COUNT(*) {text}) = {number}",
            f"{column} {self.pick(*OPERATORS)} (SELECT {self.value(own)} {text})",
            f"{column} = (SELECT {self.pick('MAX', 'MIN')}({inner_column}) {text})",
        )
