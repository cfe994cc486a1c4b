"""Verdicts attacked on DuckDB itself: proofs on generated databases, witnesses by a bare replay.

Texts that may answer in several ways (a LIMIT over ties) are compared too, so that what is printed for them
has to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import duckdb

from benchmarks.duckdb.differential import Ground
from benchmarks.journal import Record
from benchmarks.postgres.rows import Rows, database
from benchmarks.two_engines import NEAR, Answer, attack, cleaning
from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.values import cell_of


def attacked(
    texts: tuple[str, str], relation: str, ground: Ground, keyed: Schema, seeds: Sequence[int]
) -> Record:
    """How an attack on a proof ends.

    Tables that neither text reads are empty, and keys that refer to them are kept: parents could be added.

    Args:
        texts: the pair.
        relation: the one that is claimed, in words.
        ground: where it is attacked.
        keyed: the schema with the constraints that proofs may use.
        seeds: one a database.
    """
    try:
        queries = [ground.plain(ground.typed(text)) for text in texts]
    except UnsupportedError:
        return {"how": "not read"}

    def answers() -> Iterator[tuple[Rows, tuple[Answer, Answer] | None]]:
        for seed in seeds:
            rows = database(queries[1 - seed % 2], ground.tables, Random(f"beside {seed}"))
            rows |= database(queries[seed % 2], ground.tables, Random(f"attack {seed}"))
            drops = list(cleaning(keyed, {name.lower() for name in rows})) * 2
            found = ground.answers(texts, rows, drops)
            yield rows, None if isinstance(found, str) else (found[0], found[1])

    return attack(answers(), relation, NEAR)


def replayed(script: str, texts: tuple[str, str], relation: str) -> str:
    """What a witness shows on a fresh DuckDB with nothing of ``equiv`` around it: ``apart``, or what else.

    Only rows are compared: that a boolean and a number differ, or a text and a date, is not seen here.
    """
    with duckdb.connect(":memory:") as fresh:
        try:
            fresh.execute("SET scalar_subquery_error_on_multiple_rows = true")
            fresh.execute(script)
            widths, found = [], []
            for text in texts:
                asked = fresh.execute(text)
                widths.append(len(asked.description))
                found.append(asked.fetchall())
        except duckdb.Error as error:
            return f"error: {str(error).splitlines()[0][:60]}"
    if widths[0] != widths[1]:
        return "apart"
    one, other = ([_shown(row) for row in rows] for rows in found)
    if "set" in relation:
        one, other = [*set(one)], [*set(other)]
    if "list" in relation and one != other:
        return "apart"
    return "apart" if sorted(one) != sorted(other) else "the same"


def _shown(row: tuple[Any, ...]) -> str:
    cells = [cell_of(cell) for cell in row]
    return repr([f"{float(cell):.12g}" if isinstance(cell, int | float) else cell for cell in cells])
