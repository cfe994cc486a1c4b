"""Texts that random queries are made of: questions from data files, literals, templates of conditions, idioms.

A template has ``$`` for a column; the traps of SQL are among them.  :data:`HARD` conditions are what
generated databases seldom meet, each with an easy twin on the same column.  A column goes with the kind of
its values; the makers of random texts toss a coin and pick one of several.

*Idioms* are one question asked in several ways, on any schema, as people and rewriters phrase them.  The ways
of one, by kind in ``idioms.sql``, need not be equivalent: some are on a key or on columns without NULL alone,
some are near misses.  What is proved of two of them is for others to attack.  A table is written with a
capital letter:

- ``$T`` is any, with columns ``$x``, ``$y`` and its key ``$k``; ``$one``, ``$two`` are literals for ``$y``,
  ``$n`` is a number, ``$op`` a comparison;
- ``$C`` refers to ``$P`` by ``$f`` to ``$g``, has a key ``$i``, numbers ``$m``, ``$l``, and another column
  ``$v`` with a literal ``$five``; ``$w`` is a column of ``$P``, with literals ``$three``, ``$four``;
- ``$B`` refers to ``$Q`` by ``$g1``, ``$g2`` to ``$j``, ``$u``; ``$z`` is a column of ``$Q``;
- ``$D`` has a date ``$d``, ``$E`` one ``$e``, ``$S`` a text ``$s``, ``$N`` numbers ``$a``, ``$b``; their keys
  are ``$dk``, ``$sk``, ``$nk``.

Where the schema has no such thing, any column or table stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from string import Template

from equiv.core.model import Column, Domain, Schema, Table
from equiv.files import own_file
from equiv.names import quoted


@dataclass
class Chances:
    """Chooses at random."""

    random: Random

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.random.random() < probability

    def pick(self, *options: str) -> str:
        """A random one of several texts."""
        return self.random.choice(options)


# ruff: noqa: E501 - one way of saying a thing stands on one line


QuestionWays = tuple[str, ...]
"""Texts that ask one question, or nearly so."""


def read_ways(name: str) -> dict[str, tuple[QuestionWays, ...]]:
    """The questions of a data file of this folder, by kind, each with its ways, a line a way.

    Args:
        name: of the file; ``-- kind: what it is about`` stands above each kind, an empty line between questions.
    """
    found: dict[str, list[QuestionWays]] = {}
    kind = ""
    for block in own_file(__file__, name).split("\n\n"):
        first, *more = block.strip().split("\n")
        if first.startswith("-- "):
            kind = first.removeprefix("-- ").partition(":")[0]
            found[kind] = []
        elif first == "WHERE":
            found[kind].append(tuple(f"SELECT $k, $y FROM $T AS t WHERE {condition}" for condition in more))
        elif first == "SHOW":
            found[kind].append(tuple(f"SELECT $k, {value} FROM $T AS t" for value in more))
        else:
            found[kind].append((first, *more))
    return {kind: tuple(ways) for kind, ways in found.items()}


NUMBERS: tuple[str, ...] = ("0", "1", "2", "1", "2", "5", "-1")
LITERALS: dict[str, tuple[str, ...]] = {
    "i": NUMBERS,
    "f": ("0", "1", "1"),
    "r": (*NUMBERS, "1.5", "0.5", "2.0"),
    "t": ("'a'", "'b'", "'A'", "''", "'ab'", "'1'"),
    "d": ("'2020-01-01'", "'2020-02-29'", "'2019-12-31'", "'2021-01-01'"),
    "u": ("1", "'a'", "1.5", "'1'", "0"),
}
OPERATORS = ("=", "=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT")
EMPTY: tuple[str, ...] = (
    "$ > $o AND $o > $", "$ < $", "$ <> $", "$ IS NOT $", "NOT $ IS $", "1 = 0", "0", "NULL", "NOT 1", "$ = NULL",
    "$ = 1 AND $ = 2", "$ > 5 AND $ < 3", "$ > 1 AND $ < 2", "$ IS NULL AND $ IS NOT NULL", "$ BETWEEN 3 AND 2",
    "$ = 1 AND NOT $ = 1", "$ IN ()", "$ = $o AND $ <> $o", "$ < $o AND $ = $o", "1 = 0 AND $ = $o", "NOT ($ IS NULL OR $ = $)",
    "$ IS NULL AND $ = $o", "$ >= $o AND $ < $o", "$ = 1 AND $ IN (2, 3)", "$ LIKE 'a%' AND $ LIKE 'b%'", "1 > 2 OR $ <> $",
)  # fmt: skip
FULL: tuple[str, ...] = (
    "1 = 1", "1", "$ IS $", "NOT $ IS NOT $", "$ = $", "$ IS NULL OR $ IS NOT NULL", "$ = $o OR $ <> $o", "$ > 1 OR $ <= 1",
    "$ = 1 OR NOT $ = 1", "COALESCE($, 1) IS NOT NULL", "$ >= $", "$ IN ($, $o)", "NOT $ < $", "($ > 1) IS NOT NULL",
    "1 = 1 OR $ = 1", "CASE WHEN $ > 1 THEN 1 ELSE 1 END", "$ = $o OR $ IS NOT $o", "$ LIKE '%'", "$ BETWEEN $ AND $", "$ >= 1 OR $ <= 1",
)  # fmt: skip
PLAIN: dict[str, tuple[str, ...]] = {
    "*": ("$ IS NULL", "$ IS NOT NULL", "$ IN (#, #)", "$ NOT IN (#, #)", "NOT $ = #", "COALESCE($, #) = #", "$ BETWEEN # AND #",
          "CASE WHEN $ = # THEN 1 ELSE 0 END = 1", "CASE WHEN $ > # THEN 1 WHEN $ = # THEN 0 END", "NOT ($ > # AND $ < #)", "NULLIF($, #) IS NULL",
          "$ = # OR $ IS NULL", "IIF($ > #, 1, 0)", "($ = #) IS TRUE", "$ > # AND $ <> #"),
    "i": ("$ % 2 = 1", "$ + 1 > #", "$ * 2 > #", "$ / 2 = 1", "ABS($) = #", "$ - # > 0", "CAST($ AS REAL) > #", "-$ < #", "$ / 2.0 = 1"),
    "r": ("$ * 2 > #", "$ / 2 = 1", "ROUND($) = #", "CAST($ AS INTEGER) = #", "$ - # > 0", "ROUND($, 1) = #"),
    "t": ("$ LIKE 'a%'", "$ LIKE '%a%'", "$ NOT LIKE 'b%'", "SUBSTR($, 1, 1) = 'a'", "SUBSTR($, 1, 2) = 'ab'", "LENGTH($) = 1", "LOWER($) = 'a'",
          "UPPER($) = 'A'", "$ GLOB 'a*'", "INSTR($, 'a') > 0", "$ || 'x' = 'ax'", "$ >= 'a' AND $ < 'b'", "TRIM($) = 'a'", "$ LIKE 'ab%'",
          "$ = 'a' COLLATE NOCASE", "CAST($ AS INTEGER) = 1"),
    "d": ("$ LIKE '2020%'", "$ LIKE '2020-01%'", "SUBSTR($, 1, 4) = '2020'", "STRFTIME('%Y', $) = '2020'", "STRFTIME('%m', $) = '01'", "$ < '2020-06-01'",
          "STRFTIME('%Y-%m', $) = '2020-01'", "SUBSTR($, 6, 2) = '01'", "CAST(STRFTIME('%Y', $) AS INTEGER) > 2019", "STRFTIME('%Y', $) > '2019'",
          "$ BETWEEN '2020-01-01' AND '2020-12-31'", "DATE($) = '2020-01-01'", "STRFTIME('%d', $) = '01'", "JULIANDAY($) > JULIANDAY('2020-01-01')",
          "SUBSTR($, 1, 7) = '2020-01'", "STRFTIME('%Y', $) BETWEEN '2019' AND '2020'"),
    "f": ("$", "NOT $", "$ = 1", "$ <> 0"),
}  # fmt: skip
HARD: tuple[tuple[str, str, str], ...] = (
    # column, hard form, easy form
    ("hard_i", "$ % 97 = 5", "$ = 1"),
    ("hard_t", "$ LIKE 'zq%9'", "$ = 'a'"),
    ("hard_d", "STRFTIME('%m-%d', $) = '02-29'", "$ = '2020-01-01'"),
)
"""Conditions on columns of these names, which nothing else mentions, and what stands for each where a
database that distinguishes two queries is looked for."""

HARD_COLUMNS = {column for column, *_ in HARD}


Seen = tuple[str, str]
"""A column as SQL text, and its kind: (i)nteger, (r)eal, (t)ext, (d)ate, (f)lag, (u)nknown; (h)ard ones are
for :data:`HARD` conditions alone."""


def kind_of(column: Column) -> str:
    """The kind of a stored column by its declared type."""
    if "DATE" in column.declared_type.upper():
        return "d"
    match column.domain:
        case Domain.BOOLEAN:
            return "f"
        case Domain.INTEGER:
            return "i"
        case Domain.NUMBER:
            return "r"
        case Domain.TEXT:
            return "t"
        case _:
            return "u"


def columns_of(table: Table, alias: str) -> list[Seen]:
    """The columns of a table under an alias."""
    return [
        (f"{quoted(alias)}.{quoted(c.name)}", "h" if c.name in HARD_COLUMNS else kind_of(c))
        for c in table.columns
    ]


def usual(seen: Sequence[Seen]) -> list[Seen]:
    """The columns that any condition may mention."""
    return [each for each in seen if each[1] != "h"]


IDIOMS = tuple(ways for kind in read_ways("idioms.sql").values() for ways in kind)
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")

ColumnReference = tuple[Table, tuple[str, ...], Table, tuple[str, ...]]
"""A child, its columns, a parent, and its columns."""


def idioms(random: Random, schema: Schema) -> Iterator[tuple[str, str]]:
    """Endless pairs of ways of one idiom, filled alike; a way may stand beside itself.

    Args:
        random: what the pairs depend on.
        schema: the tables that they are on.
    """
    while True:
        ways, filling = random.choice(IDIOMS), filling_of(random, schema)
        one, other = (Template(random.choice(ways)).substitute(filling) for _ in range(2))
        yield one, other


def filling_of(random: Random, schema: Schema) -> dict[str, str]:
    """A text for each place of an idiom."""
    names = {**_any_table(random, schema), **_two_tables(random, schema), **_by_kind(random, schema)}
    literals = {
        place: random.choice(LITERALS[kind_of(column)])
        for place, column in (
            *(("one", names["y"]), ("two", names["y"])),
            *(("three", names["w"]), ("four", names["w"]), ("five", names["v"])),
        )
        if isinstance(column, Column)
    }
    return {
        **literals,
        "n": str(random.choice((1, 1, 1, 2, 3, 0))),
        "op": random.choice(COMPARISONS),
        **{place: quoted(each if isinstance(each, str) else each.name) for place, each in names.items()},
    }


PlaceNames = dict[str, Column | str]
"""Columns, and names of columns and tables, by the place that they stand for."""


def _any_table(random: Random, schema: Schema) -> PlaceNames:
    table = random.choice(schema.tables)
    x, y = (random.choice(_usual(table)) for _ in range(2))
    return {"T": table.name, "x": x, "y": y, "k": _key(random, table)}


def _two_tables(random: Random, schema: Schema) -> PlaceNames:
    child, (own,), parent, (target,) = _reference(random, schema, 1)
    below, (first, second), above, (third, fourth) = _reference(random, schema, 2)
    return {
        "C": child.name,
        "f": own,
        "i": _key(random, child),
        "v": random.choice(_usual(child)),
        "m": _of_kind(random, child, "ir"),
        "l": _of_kind(random, child, "ir"),
        "P": parent.name,
        "g": target,
        "w": random.choice(_usual(parent)),
        "B": below.name,
        "g1": first,
        "g2": second,
        "Q": above.name,
        "j": third,
        "u": fourth,
        "z": random.choice(_usual(above)),
    }


def _by_kind(random: Random, schema: Schema) -> PlaceNames:
    names: PlaceNames = {}
    for places, kinds in (("D d dk", "d"), ("E e", "d"), ("S s sk", "t"), ("N a nk", "ir")):
        table = random.choice(
            [each for each in schema.tables if any(kind_of(c) in kinds for c in _usual(each))]
            or schema.tables
        )
        found = (table.name, _of_kind(random, table, kinds), _key(random, table))
        names |= dict(zip(places.split(), found, strict=False))
        if "a" in places.split():
            names["b"] = _of_kind(random, table, kinds)
    return names


def _of_kind(random: Random, table: Table, kinds: str) -> Column:
    usual = _usual(table)
    return random.choice([each for each in usual if kind_of(each) in kinds] or usual)


def _key(random: Random, table: Table) -> str:
    """Its key, if that is one column."""
    return table.primary_key[0] if len(table.primary_key) == 1 else random.choice(_usual(table)).name


def _reference(random: Random, schema: Schema, width: int) -> ColumnReference:
    """A reference by so many columns, if there is one."""
    found = [
        (table, key.columns, parent, key.parent_columns)
        for table in schema.tables
        for key in table.foreign_keys
        if len(key.columns) == width and (parent := schema.table(key.parent)) is not None
    ]
    return random.choice(found) if found else _apart(random, schema, width)


def _apart(random: Random, schema: Schema, width: int) -> ColumnReference:
    child, parent = (random.choice(schema.tables) for _ in range(2))
    own = tuple(random.choice(_usual(child)).name for _ in range(width))
    key = parent.primary_key
    return (
        child,
        own,
        parent,
        key if len(key) == width else tuple(random.choice(_usual(parent)).name for _ in range(width)),
    )


def _usual(table: Table) -> Sequence[Column]:
    """The columns that any idiom may mention; all of them if there are only others."""
    return [column for column in table.columns if column.name not in HARD_COLUMNS] or table.columns
