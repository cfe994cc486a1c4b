"""CHECK expressions as conditions on the rows of their table."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.core.model import Table
from equiv.dialects.registry import reference


def condition_of(check: str, table: Table) -> exp.Expression | None:
    """A CHECK as a condition over the table's columns; None if it uses more than queries may."""
    query = reference().rows_breaking(check, table)
    return None if query is None else cast(exp.Expression, query.args["where"].this.this)


def columns_of(check: str, table: Table) -> set[str]:
    """The columns that a CHECK reads, in lower case; empty if they are not known."""
    condition = condition_of(check, table)
    found = condition.find_all(exp.Column) if condition is not None else ()
    return {column.name.lower() for column in found}
