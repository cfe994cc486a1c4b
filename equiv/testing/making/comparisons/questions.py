"""Questions in several ways on any schema; wrappers around operands keep or lose affinity and collation.

A way is a template.  A table is written with a capital letter:

- ``$T``, under the alias ``t``, is any, with columns ``$x``, ``$y``, ``$s``, ``$z`` (``$sn`` and ``$z`` bare) and a key ``$k``
  (bare: ``$kn``); wrapped, these are ``$e`` for ``$x``, ``$f`` for ``$y``, ``$K`` for ``$k``, and ``$es`` and ``$fs`` under ``s``;
- ``$U``, under ``u``, is any, with columns ``$v``, ``$w`` and a key ``$uk``; ``$g`` and ``$h`` are ``$v`` and ``$w`` wrapped, ``$gw``
  is ``$g`` under ``w``;
- ``$C`` refers by ``$cf`` (wrapped: ``$F``) to ``$pg`` of ``$P``, and has a column ``$cz``;
- ``$p`` is a condition on ``t`` (on ``s``: ``$ps``), ``$q`` one on ``u``; ``$l``, ``$m`` are literals, ``$n`` is a small number
  and ``$A`` an aggregate;
- ``$yes`` is a constant that is true, ``$no`` one that is false or NULL, spelt otherwise in each way.

Values that a comparison chooses, and comparisons with them: CASE, NULLIF, COALESCE, MAX of two.

Values compared through derived tables, CTEs, compounds and groups.

Several comparisons at once, and values in the place of equal ones: what follows, what is exchanged.
"""

# ruff: noqa: E501 - what places stand for is on their lines

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from string import Template

from equiv.core.model import Schema, Table, quoted
from equiv.testing.making.comparisons.conditions import CONDITIONS, ERRORS, TRUTH_TESTS, shown, where
from equiv.testing.making.comparisons.extremes import EXTREMES
from equiv.testing.making.comparisons.joins import CONSTANT_JOINS, JOINS
from equiv.testing.making.comparisons.keys import KEYS, Ways
from equiv.testing.making.comparisons.rows import ROW_VALUES
from equiv.testing.making.comparisons.wrappers import CHANGING, KEEPING
from equiv.testing.making.texts import HARD_COLUMNS

_EQUAL: tuple[Ways, ...] = (
    where(
        "$e = $l AND $f = $e",
        "$e = $l AND $f = $l",
        "$e = $l AND $e = $f",
        "$f = $l AND $f = $e",
        "$e = $l AND $f = $e AND $f = $l",
        "$e IN ($l) AND $f IN ($e)",
    ),
    where(
        "$e = $l AND $e = $m",
        "0",
        "$e = $l AND $e = $m AND $l = $m",
        "$e IN ($l) AND $e IN ($m)",
        "$e = $l AND $e IN ($m, $l)",
        "$e = $l",
        "$e BETWEEN $l AND $m AND $e = $l",
    ),
    where(
        "$e = $f AND $e > $l",
        "$e = $f AND $f > $l",
        "$f = $e AND $l < $e",
        "$e = $f AND $e > $l AND $f > $l",
        "$e = $f AND NOT $f <= $l",
    ),
    where(
        "$e = $l AND LENGTH($x) = 1",
        "$e = $l AND LENGTH($l) = 1",
        "$e = $l",
        "$e = $l AND TYPEOF($x) = TYPEOF($l)",
        "$e = $l AND $x LIKE $l",
        "$e = $l AND $x GLOB $l",
        "$e = $l AND LOWER($x) = LOWER($l)",
        "$e = $l AND $x || '' = $l || ''",
        "$e = $l AND UPPER($x) = UPPER($l)",
    ),
    (
        "SELECT $x FROM $T AS t WHERE $e = $l",
        "SELECT $l FROM $T AS t WHERE $e = $l",
        "SELECT $e FROM $T AS t WHERE $l = $e",
        "SELECT $x FROM $T AS t WHERE $e IN ($l)",
        "SELECT $x FROM $T AS t WHERE $e IS $l",
        "SELECT CASE WHEN $e = $l THEN $l END FROM $T AS t WHERE $e = $l",
    ),
    (
        "SELECT $x FROM $T AS t WHERE $e = $f",
        "SELECT $y FROM $T AS t WHERE $e = $f",
        "SELECT $e FROM $T AS t WHERE $f = $e",
        "SELECT $f FROM $T AS t WHERE $e IS $f AND $x IS NOT NULL",
        "SELECT COALESCE($x, $y) FROM $T AS t WHERE $e = $f",
        "SELECT MAX($x, $y) FROM $T AS t WHERE $e = $f",
        "SELECT CASE WHEN $e = $f THEN $x ELSE $y END FROM $T AS t WHERE $e = $f",
    ),
)


_DERIVED: tuple[Ways, ...] = (
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l",
        "WITH q AS (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l",
        "WITH q AS MATERIALIZED (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t ORDER BY 1) AS q WHERE $l = c",
        "SELECT COUNT(CASE WHEN $e = $l THEN 1 END) FROM $T AS t",
        "SELECT COUNT(*) FILTER (WHERE $e = $l) FROM $T AS t",
        "SELECT COUNT(*) FROM $T AS t WHERE (SELECT $e) = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT NULL) AS q WHERE c = $l",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION ALL SELECT $g FROM $U AS u WHERE $g = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION ALL SELECT $e FROM $T AS t) AS q WHERE c = $l",
        "SELECT (SELECT COUNT(*) FROM $T AS t WHERE $e = $l) + (SELECT COUNT(*) FROM $U AS u WHERE $g = $l)",
        "WITH q AS (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) SELECT COUNT(*) FROM q WHERE $l = c",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c IN ($l)",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $g = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $l = $g) AS q",
        "SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION SELECT $e FROM $T AS t) AS q WHERE c = $l",
    ),
    (
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING $e = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l GROUP BY $e",
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MAX($e) = $l",
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MIN($e) = $l",
        "SELECT n FROM (SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY $e) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l HAVING COUNT(*) > 0",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q GROUP BY c HAVING c = $l",
    ),
)


_CHOSEN: tuple[Ways, ...] = (
    shown(
        "CASE $e WHEN $l THEN 'p' WHEN $f THEN 'q' END",
        "CASE WHEN $e = $l THEN 'p' WHEN $e = $f THEN 'q' END",
        "CASE WHEN $l = $e THEN 'p' WHEN $f = $e THEN 'q' END",
        "IIF($e = $l, 'p', IIF($e = $f, 'q', NULL))",
        "CASE WHEN $e IN ($l) THEN 'p' WHEN $e IN ($f) THEN 'q' END",
        "CASE $e WHEN $f THEN 'q' WHEN $l THEN 'p' END",
    ),
    shown(
        "NULLIF($e, $f)",
        "CASE WHEN $e = $f THEN NULL ELSE $e END",
        "CASE $e WHEN $f THEN NULL ELSE $e END",
        "CASE WHEN $f = $e THEN NULL ELSE $e END",
        "IIF($e = $f, NULL, $e)",
        "CASE WHEN $e <> $f OR $y IS NULL THEN $e END",
    ),
    where(
        "NULLIF($e, $l) = $m",
        "CASE WHEN $e = $l THEN NULL ELSE $e END = $m",
        "$e <> $l AND $e = $m",
        "CASE $e WHEN $l THEN NULL ELSE $e END = $m",
        "IIF($e = $l, NULL, $e) IN ($m)",
    ),
    where(
        "COALESCE($e, $f) = $l",
        "CASE WHEN $e IS NOT NULL THEN $e ELSE $f END = $l",
        "IFNULL($e, $f) = $l",
        "($e = $l OR $x IS NULL AND $f = $l)",
        "IIF($e IS NULL, $f, $e) = $l",
        "COALESCE($e, $f) IN ($l)",
        "CASE WHEN $x IS NOT NULL THEN $e = $l ELSE $f = $l END",
        "$l = COALESCE($e, $f)",
        "COALESCE($e = $l, $f = $l)",
    ),
    where(
        "CASE WHEN $p THEN $e ELSE $f END = $l",
        "CASE WHEN $p THEN $e = $l ELSE $f = $l END",
        "$l = CASE WHEN $p THEN $e ELSE $f END",
        "IIF($p, $e, $f) = $l",
        "($p AND $e = $l OR ($p) IS NOT TRUE AND $f = $l)",
        "IIF($p, $e = $l, $f = $l)",
        "(SELECT CASE WHEN $p THEN $e ELSE $f END) = $l",
    ),
    where(
        "MAX($e, $f) = $l",
        "CASE WHEN $e > $f THEN $e ELSE $f END = $l",
        "CASE WHEN $e >= $f THEN $e ELSE $f END = $l",
        "CASE WHEN $e > $f THEN $e = $l ELSE $f = $l END",
        "MAX($f, $e) = $l",
        "$l = MAX($e, $f)",
        "MAX($e, $f) IN ($l)",
    ),
)


KINDS: dict[str, tuple[Ways, ...]] = {
    "keys": KEYS,
    "conditions": CONDITIONS,
    "chosen": _CHOSEN,
    "equal": _EQUAL,
    "derived": _DERIVED,
    "rows": ROW_VALUES,
    "joins": JOINS,
    "extremes": EXTREMES,
    "truth_tests": TRUTH_TESTS,
    "errors": ERRORS,
    "constant_joins": CONSTANT_JOINS,
}
"""The questions by kind."""

QUESTIONS: tuple[Ways, ...] = tuple(ways for kind in KINDS.values() for ways in kind)

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
class Operand:
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
        wrapped = {place: Operand(columns[place], random.choice(self.wrappers[place])) for place in WRAPPED}
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

    def __init__(self, random: Random, schema: Schema, asked: tuple[Ways, ...] = QUESTIONS) -> None:
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
        """The columns that are mentioned, by place; and what stands for the places that are no columns."""
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

    def _condition(self, table: Table) -> Operand:
        text = self._random.choice(_CONDITIONS)
        while "#" in text:
            text = text.replace("#", self._random.choice(LITERALS), 1)
        return Operand(self._column(table), text)

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
