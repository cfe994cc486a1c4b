"""Cells as SQL literals."""

from __future__ import annotations

from equiv.cells import Cell


def sql_literal(cell: Cell) -> str:
    """A cell as an SQL literal that SQLite reads back as the same value."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"x'{cell.hex()}'"
        case str() if "\x00" in cell:
            return f"CAST(x'{cell.encode('utf-8', 'surrogatepass').hex()}' AS TEXT)"
        case str():
            return "'" + cell.replace("'", "''") + "'"
        case float() if cell in (float("inf"), float("-inf")):
            return "9e999" if cell > 0 else "-9e999"
        case _:
            return repr(cell)
