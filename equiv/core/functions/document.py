"""Writes docs/functions.md from the table: ``python -m equiv.core.functions.document``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from equiv.core.functions import traits
from equiv.core.functions.table import TABLE
from equiv.files import write_page

PAGE = Path(__file__).parents[3] / "docs" / "functions.md"
INTRODUCTION = """\
# Functions

Written by `python -m equiv.core.functions.document`; change `equiv/core/functions/table.py` instead. What
rules, algebra, prover, search and generated databases take for granted of SQLite's functions and operators
stands there, and nowhere else; `tests/core/test_functions.py` puts every claim to SQLite. A function
without a row is supported as far as that goes: two calls of it are equal where they are written alike.

*NULL*: when a call is NULL. *Gives*: the storage classes of its values, NULL apart; "by arguments" where
they follow from those of the arguments. *Reads*: what arguments are taken for. *Becomes*: what the algebra
makes of a call.
"""
_HEAD = "| function | arguments | NULL | gives | reads | becomes | also |\n|---|---|---|---|---|---|---|"


def document(rows: Iterable[traits.Function]) -> str:
    """The page on some functions, as Markdown."""
    rows = tuple(rows)
    parts = [INTRODUCTION, f"{len(rows)} rows.\n"]
    for sort, members in groupby(sorted(rows, key=_place), key=lambda row: row.sort):
        parts += [f"## {_TITLES[sort]}\n", "\n".join((_HEAD, *map(_line, members))) + "\n"]
    return "\n".join(parts)


_TITLES = {
    traits.FunctionSort.OPERATOR: "Operators",
    traits.FunctionSort.SCALAR: "Scalar functions",
    traits.FunctionSort.AGGREGATE: "Aggregates",
    traits.FunctionSort.WINDOW: "Window functions",
    traits.FunctionSort.INSTANT: "The current time",
}


def _place(row: traits.Function) -> tuple[int, str]:
    return list(_TITLES).index(row.sort), row.name if row.sort is traits.FunctionSort.SCALAR else ""


def _line(row: traits.Function) -> str:
    cells = (_name(row), _count(row), row.nulls, _classes(row), _reads(row), row.form, _also(row))
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _name(row: traits.Function) -> str:
    names = (row.name, *row.synonyms)
    return ", ".join(f"`{name}`".replace("|", "\\|") for name in names)


def _count(row: traits.Function) -> str:
    if row.most is None:
        return f"{row.least} or more"
    return str(row.least) if row.least == row.most else f"{row.least} to {row.most}"


def _classes(row: traits.Function) -> str:
    order = ("integer", "real", "text", "blob")
    found = [each for each in order if each in row.results]
    text = "any" if len(found) == len(order) else " or ".join(found)
    return f"{text}, by arguments" if row.follows or row.passes else text


def _reads(row: traits.Function) -> str:
    if not row.most and row.most is not None:
        return ""
    reads = row.reads if row.most is None else row.reads[: row.most]
    return "as they are" if set(reads) == {traits.Reads.ANY} else ", ".join(dict.fromkeys(reads))


def _also(row: traits.Function) -> str:
    """The traits in which a function is not like most."""
    told = (
        (not row.is_fixed, "not fixed by the database"),
        (row.rounds is not traits.Rounds.NO, f"rounds {row.rounds}"),
        (row.nearby is not traits.Nearby.JUMPS, f"an almost equal argument gives {row.nearby}"),
        (row.order is not traits.OrderDependence.NO, f"depends on {row.order}"),
        (row.compares, "compares by collation"),
        (row.raises is not traits.Raises.NEVER, f"raises an error {row.raises}"),
        (row.commutes, "commutes"),
        (row.solved is traits.Solved.MEANING, "interpreted by the prover"),
        (
            row.form is traits.CallForm.CALL and row.solved is traits.Solved.AS_WRITTEN,
            "equal only where written alike",
        ),
        (row.style is not traits.LiteralStyle.PLAIN, f"its literals are hints: {row.style}"),
    )
    return "; ".join(text for holds, text in told if holds)


if __name__ == "__main__":
    write_page(document(TABLE), PAGE)
