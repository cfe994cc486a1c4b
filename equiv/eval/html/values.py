"""Fields of a record as text: cells as SQL literals, facts in their notation, scripts as statements."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from equiv.core.literals import sql_literal
from equiv.core.script_statements import statements
from equiv.facts import Fact, FactKind, Grade
from equiv.schema.notation import format_fact

CELL_WIDTH = 200
"""How many characters of a cell are shown."""


def cell_text(cell: Any) -> str:
    """A cell of a record as the SQL literal that it stands for; a long one is cut, and says so."""
    match cell:
        case {"blob": str(digits)}:
            text = f"x'{digits}'"
        case {"real": str(number)}:
            text = "-9e999" if number.startswith("-") else "9e999"
        case None | int() | float() | str():
            text = sql_literal(cell)
        case _:
            text = str(cell)
    if len(text) <= CELL_WIDTH:
        return text
    return f"{text[:CELL_WIDTH]}… ({len(text) - CELL_WIDTH:,} more characters)"


def cell_key(cell: Any) -> Hashable:
    """A key of a cell: equal cells have equal keys (1 and 1.0), others do not (1 and '1')."""
    return cell if cell is None or isinstance(cell, int | float | str) else str(cell)


def fact_text(fact: Any) -> str:
    """A fact of a record as ``--assume`` writes it, with its grade; one that is not known as it stands."""
    try:
        known = Fact(
            FactKind(fact["kind"]),
            Grade(fact["grade"]),
            fact["table"],
            tuple(fact["columns"]),
            parent=fact.get("parent", ""),
            parent_columns=tuple(fact.get("parent_columns", ())),
            expression=fact.get("expression", ""),
        )
    except (KeyError, TypeError, ValueError):
        return str(fact)
    return f"{format_fact(known)} ({known.grade})"


def inserts_and_others(script: str) -> tuple[list[str], list[str]]:
    """The statements of a witness: those that make rows, and the others."""
    found = [statement.strip() for statement in statements(script)]
    rows = [statement for statement in found if statement[:6].upper() == "INSERT"]
    return rows, [statement for statement in found if statement and statement[:6].upper() != "INSERT"]
