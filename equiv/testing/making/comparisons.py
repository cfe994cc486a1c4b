"""Questions in several ways whose answers depend on the collation and affinity of the operands compared.

Neither stands in the text of an expression: ``CASE WHEN 1 THEN n END`` has the value of ``n``, no collation;
``+n`` has its collation and no affinity; IN, GROUP BY, UNION, USING and row values each ask another operand.
Wrappers around operands keep or lose them.  The ways stand in ``comparisons.sql``, by kind; under ``WHERE`` a line
is the condition of a query for the rows that it takes, under ``SHOW`` a value that is shown of each row.

A way is a template.  A table is written with a capital letter:

- ``$T``, under the alias ``t``, is any, with columns ``$x``, ``$y``, ``$s``, ``$z`` (``$sn`` and ``$z`` bare) and a key ``$k``
  (bare: ``$kn``); wrapped, these are ``$e`` for ``$x``, ``$f`` for ``$y``, ``$K`` for ``$k``, and ``$es`` and ``$fs`` under ``s``;
- ``$U``, under ``u``, is any, with columns ``$v``, ``$w`` and a key ``$uk``; ``$g`` and ``$h`` are ``$v`` and ``$w`` wrapped, ``$gw``
  is ``$g`` under ``w``;
- ``$C`` refers by ``$cf`` (wrapped: ``$F``) to ``$pg`` of ``$P``, and has a column ``$cz``;
- ``$p`` is a condition on ``t`` (on ``s``: ``$ps``), ``$q`` one on ``u``; ``$l``, ``$m`` are literals, ``$n`` is a small number
  and ``$A`` an aggregate;
- ``$yes`` is a constant that is true, ``$no`` one that is false or NULL, spelt otherwise in each way.
"""

# ruff: noqa: E501 - what places stand for is on their lines

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from string import Template

from equiv.core.model import Schema, Table
from equiv.names import quoted
from equiv.testing.making.texts import HARD_COLUMNS, QuestionWays, read_ways

KEEPING: tuple[str, ...] = (
    *("CASE WHEN 1 THEN $ END", "CASE WHEN $ IS NOT NULL THEN $ END", "IIF(1, $, $)"),
    *("COALESCE($, $)", "COALESCE($, NULL)", "COALESCE(NULL, $)", "IFNULL($, $)", "NULLIF($, NULL)"),
    *("($)", "(SELECT $)", "(SELECT $ COLLATE NOCASE)", "(SELECT w.c FROM (SELECT $ AS c) AS w)"),
    *("$ COLLATE BINARY", "$ COLLATE NOCASE", "$ COLLATE RTRIM", "MIN($, $)", "MAX($, $)"),
    *("CASE $ WHEN NULL THEN NULL ELSE $ END", "CASE WHEN 0 THEN 1 ELSE $ END"),
)
"""Expressions around a column, ``$``: the value stays, whatever it is; collation and affinity may not.

Unary plus, which the grammar refuses, is not among them.
"""

CHANGING: tuple[str, ...] = (
    *("$ || ''", "'' || $", "CAST($ AS TEXT)", "CAST($ AS INTEGER)", "CAST($ AS NUMERIC)"),
    *("CAST($ AS REAL)", "CAST($ AS BLOB)", "$ + 0", "$ * 1", "-(-$)", "LOWER($)", "UPPER($)"),
    *("TRIM($)", "RTRIM($)", "SUBSTR($, 1)", "REPLACE($, '', '')"),
    *("COALESCE($, '')", "COALESCE($, 0)", "NULLIF($, '')", "NULLIF($, 0)"),
)
"""The value may change too."""

_TOLD = read_ways("comparisons.sql")


def _truth_tests() -> Iterator[QuestionWays]:
    """Each test of truth, with TRUE and with FALSE, alone and beside a condition."""
    (tests,) = _TOLD["truth_words"]
    for words in ({"W": "TRUE", "N": "1", "O": "FALSE"}, {"W": "FALSE", "N": "0", "O": "TRUE"}):
        for more in ("", " AND HEX($x) = HEX($l)", " AND $p"):
            yield tuple(_WORD.sub(partial(_word_of, words), test) + more for test in tests)


_WORD = re.compile("[WNO](?![A-Z])(?<![A-Z].)")


def _word_of(words: Mapping[str, str], found: re.Match[str]) -> str:
    return words[found[0]]


KINDS: dict[str, tuple[QuestionWays, ...]] = {
    kind: (*(_truth_tests() if kind == "truth_tests" else ()), *questions)
    for kind, questions in _TOLD.items()
    if kind != "truth_words"
}
"""The questions by kind."""

QUESTIONS: tuple[QuestionWays, ...] = tuple(ways for kind in KINDS.values() for ways in kind)

LITERALS = (
    *("'a'", "'A'", "'a '", "'b'", "''", "'1'", "'01'", "'1.0'", "1", "1.0", "0", "7", "'7'", "'4273'", "4273", "2", "1.5"),
    *("x'61'", "NULL", "'ab'", "'AB'", "-1", "'7e0'", "' 7'"),
)  # fmt: skip
"""What meets values of random rows under one collation or affinity and not under another."""

YES = (
    "1",
    "TRUE",
    "1 = 1",
    "NOT 0",
    "2",
    "NULL IS NULL",
    "'1'",
    "1 BETWEEN 0 AND 2",
    "0.5",
    "(1 = 1) IS NOT FALSE",
)
NO = (
    *("0", "FALSE", "NULL", "1 = 2", "NOT 1", "NULL = 1", "'a'", "0.0", "1 IN (2, NULL)", "NULL IS NOT NULL", "'0'"),
    *("NULL AND 1", "0 OR NULL"),
)  # fmt: skip

_AGGREGATES = ("MIN", "MAX", "COUNT", "SUM", "COUNT")
_CONDITIONS = (
    "$ = #",
    "$ IS NOT NULL",
    "$ > #",
    "$ IN (#, #)",
    "$ IS NULL",
    "$ < #",
    "$ <> #",
    "$ BETWEEN # AND #",
)


WRAPPED = ("x", "y", "v", "w", "k", "cf")
"""Places of columns that a way may mention wrapped."""


@dataclass(frozen=True, slots=True)
class WrappedColumn:
    """A column with what stands around it."""

    column: str
    wrapper: str

    def under(self, alias: str) -> str:
        """The text for rows of a source of that name."""
        return self.wrapper.replace("$", f"{alias}.{self.column}")


@dataclass(frozen=True, slots=True)
class Filling:
    """The filling of a question's places: columns of a schema, each with the wrappers that it may have."""

    columns: dict[str, str]
    """Columns by place."""
    others: dict[str, str]
    """Tables, literals and conditions by place."""
    wrappers: dict[str, tuple[str, ...]]
    """What one way or another wraps each column in."""

    def once(self, random: Random) -> dict[str, str]:
        """One text for each place, its wrapper chosen."""
        columns = self.columns
        wrapped = {
            place: WrappedColumn(columns[place], random.choice(self.wrappers[place])) for place in WRAPPED
        }
        under = {
            "e": ("x", "t"),
            "es": ("x", "s"),
            "f": ("y", "t"),
            "fs": ("y", "s"),
            "K": ("k", "t"),
            "g": ("v", "u"),
            "gw": ("v", "w"),
            "h": ("w", "u"),
            "F": ("cf", "c"),
        }
        return {
            **self.others,
            **{place: f"t.{columns[place]}" for place in ("x", "y", "s", "k")},
            **{place: f"u.{columns[place]}" for place in ("v", "w", "uk")},
            **{place: columns[place] for place in ("z", "cf", "pg", "cz")},
            "sn": columns["s"],
            "kn": columns["k"],
            "yes": random.choice(YES),
            "no": random.choice(NO),
            **{place: wrapped[column].under(alias) for place, (column, alias) in under.items()},
        }


class Questions:
    """Draws questions on a schema.

    Args:
        random: what they depend on.
        schema: has the tables.
        asked: the questions to draw from.
    """

    def __init__(self, random: Random, schema: Schema, asked: tuple[QuestionWays, ...] = QUESTIONS) -> None:
        self._random = random
        self._schema = schema
        self._asked = asked

    def ways(self, most: int) -> list[str]:
        """Up to so many different texts that ask one question, or nearly so."""
        ways, filling = self._random.choice(self._asked), self.filling()
        found: dict[str, None] = {}
        for _ in range(most * 2):
            places = filling.once(self._random)
            found[Template(self._random.choice(ways)).substitute(places)] = None
            if len(found) == most:
                break
        return list(found)

    def filling(self) -> Filling:
        """A random filling of a question's places."""
        columns, others = self._columns()
        return Filling(columns, others, {place: self._wrappers() for place in WRAPPED})

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Endless pairs of ways of one question; a way may stand beside itself."""
        while True:
            ways = self.ways(2)
            yield ways[0], ways[-1]

    def _wrappers(self) -> tuple[str, ...]:
        """What one operand of a question is wrapped in: mostly nothing, and one thing more."""
        roll = self._random.random()
        if roll < 0.3:
            return ("$",)
        other = self._random.choice(CHANGING if roll > 0.88 else KEEPING)
        return ("$", "$", other) if roll < 0.75 else (other,)

    def _columns(self) -> tuple[dict[str, str], dict[str, str]]:
        """The columns that are mentioned, by place; and what stands for the places that are not columns."""
        random, tables = self._random, self._schema.tables
        table = random.choice(tables)
        other = table if random.random() < 0.35 else random.choice(tables)
        child, own, parent, target = self._reference()
        key, other_key = self._key(table), self._key(other)
        columns = {place: self._column(table) for place in ("x", "y", "s")}
        literals = {place: random.choice(LITERALS) for place in ("l", "m")}
        columns |= {"z": self._column(table), "v": self._column(other), "w": self._column(other)}
        columns |= {"k": key, "uk": other_key, "cf": own, "pg": target, "cz": self._column(child)}
        sources = {"T": table, "U": other, "C": child, "P": parent}
        return columns, {
            **{place: quoted(source.name) for place, source in sources.items()},
            **literals,
            **self._conditions(table, other),
            "n": random.choice(("1", "2", "0")),
            "A": random.choice(_AGGREGATES),
        }

    def _conditions(self, table: Table, other: Table) -> dict[str, str]:
        one, two = self._condition(table), self._condition(other)
        return {"p": one.under("t"), "ps": one.under("s"), "q": two.under("u")}

    def _condition(self, table: Table) -> WrappedColumn:
        text = self._random.choice(_CONDITIONS)
        while "#" in text:
            text = text.replace("#", self._random.choice(LITERALS), 1)
        return WrappedColumn(self._column(table), text)

    def _column(self, table: Table) -> str:
        usual = [column for column in table.columns if column.name not in HARD_COLUMNS] or table.columns
        dull = () if self._random.random() < 0.3 else (table.rowid_alias,)
        return quoted(self._random.choice([each for each in usual if each.name not in dull] or usual).name)

    def _key(self, table: Table) -> str:
        """A column that is a key by itself; any, where the table has none, and sometimes else."""
        keys = [key for key in (table.primary_key, *table.unique) if len(key) == 1]
        return (
            quoted(self._random.choice(keys)[0])
            if keys and self._random.random() < 0.9
            else self._column(table)
        )

    def _reference(self) -> tuple[Table, str, Table, str]:
        """A child, its column, a parent, and the column that this refers to; any, where there is none."""
        found = [
            (table, quoted(key.columns[0]), parent, quoted(key.parent_columns[0]))
            for table in self._schema.tables
            for key in table.foreign_keys
            if len(key.columns) == 1 and (parent := self._schema.table(key.parent)) is not None
        ]
        if found:
            return self._random.choice(found)
        child, parent = self._random.choice(self._schema.tables), self._random.choice(self._schema.tables)
        return child, self._column(child), parent, self._key(parent)
