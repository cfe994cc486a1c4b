"""Names of our own SQL functions, with which queries with exposed choices are written, and calls of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

RANDOM = "equiv_random"
ROW = "equiv_row"
"""Called with a text of ``<`` and ``>``, one for each MIN and MAX, with their arguments, and with cells."""
CELL = "equiv_cell"
"""Called with what ``ROW`` gives, and the place of a cell in it."""
SHUFFLED_CONCAT = "equiv_shuffled_concat"
AS_NUMBER = "equiv_as_number"
AS_TEXT = "equiv_as_text"
CHOOSE = "equiv_choose"
"""Called before a query with the choices that it must make, or NULL if it makes them at random."""
CHOSEN = "equiv_chosen"
"""Called after it; gives each choice that it made and of how many, NULL if one was of too many."""


def sql_call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A tree node that calls a function by name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def cells_of_a_row(
    cells: Sequence[exp.Expression], extremes: Sequence[tuple[str, exp.Expression]] = ()
) -> list[exp.Expression]:
    """For each of some expressions its value in a row of the group that is one and the same for all.

    It is any row, or one that gives an extreme its value: a sign, ``<`` for MIN and ``>`` for MAX, and an
    argument.  SQLite computes equal aggregate calls of one SELECT once.
    """
    signs = exp.Literal.string("".join(sign for sign, _ in extremes))
    arguments = [signs, *(value for _, value in extremes), *cells]

    def cell(place: int) -> exp.Expression:
        row = sql_call(ROW, *(argument.copy() for argument in arguments))
        return sql_call(CELL, row, exp.Literal.number(place))

    return [cell(place) for place in range(len(cells))]


def source_of_cell(call: exp.Expression) -> tuple[exp.Expression, bool]:
    """The expression whose value a cell of a row is, and whether the row must give an extreme its value."""
    row, place = call.expressions
    extremes = len(row.expressions[0].name)
    return row.expressions[1 + extremes + int(place.name)], extremes > 0
