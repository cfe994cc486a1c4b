"""Idioms: one question asked in several ways, on any schema, as people and rewriters phrase them.

The ways of one idiom, by kind in ``idioms.sql``, need not be equivalent: some are on a
key or on columns without NULL alone, some are near misses.  What is proved of two of them is for others to
attack.  A table is written with a capital letter:

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
from random import Random
from string import Template

from equiv.core.model import Column, Schema, Table, quoted
from equiv.testing.making.texts import HARD_COLUMNS, LITERALS, kind_of, read_ways

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
