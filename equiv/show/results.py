"""Blocks on a witness: the database, and the results of both queries side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from equiv.answers.compare import same_cell
from equiv.cells import Cell, Row
from equiv.core.single_values import sql_literal
from equiv.relation import Columns, Relation, Rows
from equiv.show.differences import Marks, differing_cells
from equiv.show.page import Beside, Block, Code, Grid, Text
from equiv.verdict import EXECUTION_ROWS, Execution, Witness

LINES_SHOWN = 12
"""How many lines of a definition are shown before it is folded."""

ROWS_SHOWN = 20
"""How many rows of a table are shown; a witness has fewer."""

CELL_WIDTH = 200
"""How many characters of a cell are shown."""

COLUMNS_PERMUTED = 5
"""How many columns may stand in any order where the differing cells of results are looked for."""

NAME_WIDTH = 40
"""How many characters of a column's name are shown: SQLite calls an expression by its text."""


def show_cell(cell: Cell) -> str:
    """A cell as a SQL literal, so that 1, 1.0, '1' and NULL look different; long ones are cut."""
    text = sql_literal(cell)
    return text if len(text) <= CELL_WIDTH else f"{text[:CELL_WIDTH]}…"


SIDES = ("prediction", "gold query")
"""What the two queries of a pair are called."""


def database_and_results(
    evidence: Witness | Execution, relation: Relation, sides: tuple[str, str] = SIDES
) -> list[Block]:
    """The database, both results side by side, and the database as SQL.

    Args:
        evidence: the database with both results.
        relation: by which the results are compared: the cells that differ are marked.
        sides: what the predicted query and the gold query are called.
    """
    blocks: list[Block] = []
    match evidence:
        case Execution():
            blocks.append(Text(f"On the database {evidence.database}:"))
        case Witness():
            filled = {name: content for name, content in evidence.tables.items() if content[1]}
            # A record has the rows in the script alone.
            which = "the database below" if "\nINSERT INTO " in evidence.sql else "the empty database"
            blocks.append(Text(f"On {'this database' if filled else which}:"))
            blocks += [rows_grid(name, columns, rows) for name, (columns, rows) in filled.items()]
    if evidence.binding is not None and evidence.binding.values:
        text = ", ".join(f"{name} = {show_cell(value)}" for name, value in evidence.binding.values)
        blocks.append(Text(f"With {text}:"))
    blocks.append(_both(evidence, relation, sides))
    if isinstance(evidence, Witness):
        text = _folded(evidence.sql.strip())
        whole = (
            "" if text == evidence.sql.strip() else " (long definitions folded; --emit-sql writes them whole)"
        )
        blocks += [Text(f"The database as SQL{whole}:"), Code(text)]
    return blocks


def _folded(script: str) -> str:
    """A script with long definitions cut to their first line."""
    statements = script.split(";\n")
    return ";\n".join(
        f"{statement.splitlines()[0].rstrip(' (')} (…)" if statement.count("\n") > LINES_SHOWN else statement
        for statement in statements
    )


def rows_grid(title: str, columns: Sequence[str], rows: Sequence[Row]) -> Grid:
    """A table's rows, cut after :data:`ROWS_SHOWN`."""
    shown = tuple(tuple(show_cell(cell) for cell in row) for row in rows[:ROWS_SHOWN])
    if len(rows) > ROWS_SHOWN:
        title = f"{title} (the first {ROWS_SHOWN} of {len(rows)} rows)"
    return Grid(title, tuple(columns), shown)


def _both(evidence: Witness | Execution, relation: Relation, names: tuple[str, str]) -> Beside:
    marks = _marks(evidence, relation)
    sides = zip(
        names,
        (evidence.pred_rows, evidence.gold_rows),
        (evidence.pred_columns, evidence.gold_columns),
        marks,
        (evidence.pred_error, evidence.gold_error),
        strict=True,
    )
    left, right = (
        Grid(f"the {side} raises an error: {error}", (), ())
        if error
        else _result(
            side, rows, columns, own, cut=isinstance(evidence, Execution) and len(rows) >= EXECUTION_ROWS
        )
        for side, rows, columns, own, error in sides
    )
    return Beside(left, right)


def _result(side: str, rows: Sequence[Row], names: Sequence[str], marks: Marks, *, cut: bool) -> Grid:
    number = "no row" if not rows else "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    grid = rows_grid(f"the {side} returns {'at least ' if cut else ''}{number}", _headings(rows, names), rows)
    places = {(row, column) for row, own in enumerate(marks[:ROWS_SHOWN]) for column in own}
    return Grid(grid.title, grid.columns, grid.rows, frozenset(places))


def _headings(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """What stands above the columns of a result: their names, or positions where these are not known."""
    width = len(rows[0]) if rows else len(names)
    known = names if len(names) == width else ("",) * width
    cut = [name if len(name) <= NAME_WIDTH else f"{name[:NAME_WIDTH]}…" for name in known]
    return [name or f"#{position}" for position, name in enumerate(cut, 1)]


def _marks(evidence: Witness | Execution, relation: Relation) -> tuple[Marks, Marks]:
    """The cells that differ; none where only the first rows are known, since others may be what differs."""
    pred, gold = evidence.pred_rows, evidence.gold_rows
    if evidence.pred_error or evidence.gold_error:
        return [[] for _ in pred], [[] for _ in gold]
    if isinstance(evidence, Execution) and max(len(pred), len(gold)) >= EXECUTION_ROWS:
        return [[] for _ in pred], [[] for _ in gold]
    width = len(gold[0]) if gold else 0
    places = [tuple(range(width))]
    if relation.columns is Columns.ANY and pred and len(pred[0]) == width <= COLUMNS_PERMUTED:
        places = list(permutations(range(width)))
    return min((_marked(pred, gold, order, relation) for order in places), key=_number)


def _marked(
    pred: Sequence[Row], gold: Sequence[Row], order: Sequence[int], relation: Relation
) -> tuple[Marks, Marks]:
    """The cells that differ if the columns of the gold result stand in some order."""
    turned = [tuple(row[place] for place in order) for row in gold]
    ordered, repeated = relation.rows is Rows.LIST, relation.rows is not Rows.SET
    ours, theirs = differing_cells(pred, turned, ordered=ordered, repeated=repeated, same=same_cell)
    return ours, [sorted(order[place] for place in row) for row in theirs]


def _number(marks: tuple[Marks, Marks]) -> int:
    return sum(len(row) for side in marks for row in side)
