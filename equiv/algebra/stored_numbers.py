"""The storage class in which a column keeps numbers: within one class, equal values are identical.

SQLite stores whole numbers as integers under INTEGER and NUMERIC affinity, and all numbers as REAL under REAL
affinity, 0.0 for -0.0 (https://sqlite.org/datatype3.html).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from equiv.algebra.terms import (
    Aggregate,
    Bag,
    Expression,
    Field,
    First,
    Limited,
    Lookup,
    Scan,
    Source,
    Squash,
    Variable,
)
from equiv.algebra.world import World
from equiv.core.model import Affinity

Form = Literal["whole if it can be", "REAL", "TEXT"]
"""As an integer wherever a number is one; as REAL always; as text always."""

_FORMS: dict[Affinity, Form] = {
    Affinity.INTEGER: "whole if it can be",
    Affinity.NUMERIC: "whole if it can be",
    Affinity.REAL: "REAL",
    Affinity.TEXT: "TEXT",
}


def stored_form(value: Expression, world: World, sources: Mapping[Variable, Source]) -> Form | None:
    """The storage class of a stored value if it is a number; None if the affinity does not fix it.

    Args:
        value: any value.
        world: the schema.
        sources: what the free variables of the value range over.
    """
    match value:
        case Lookup(table, _, _, column):
            return _FORMS.get(world.column(table, column).affinity)
        case Field(row, column):
            source = sources.get(row)
            if isinstance(source, Scan):
                return _FORMS.get(world.column(source.table, str(column)).affinity)
            if isinstance(source, Squash | Limited) and isinstance(column, int):
                return _form_of_output(source.bag, column, world, sources)
        case Aggregate("MIN" | "MAX", bag):
            return _form_of_output(bag, 0, world, sources)
        case First(rows):
            return _form_of_output(rows.bag, 0, world, sources)
    return None


def _form_of_output(bag: Bag, position: int, world: World, sources: Mapping[Variable, Source]) -> Form | None:
    """The storage class of an output of a bag if it is a number; None if terms store it differently."""
    forms = {
        stored_form(
            term.outputs[position], world, {**sources, **{each.row: each.source for each in term.bindings}}
        )
        for term in bag.terms
    }
    return forms.pop() if len(forms) == 1 else None
