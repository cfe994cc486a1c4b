"""The layout of a generated database: the tables and columns that it fills."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from equiv.core.reading.queries import PairReading
from equiv.generate.constraints import Constraints
from equiv.graphs import depth_first_postorder


def layout_of(
    reading: PairReading, constraints: Mapping[str, Constraints], occupied: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The columns to fill, by table: those that a query mentions or a fact requires, and keys of parents.

    Tables that are ``occupied`` get rows even if no query mentions them.

    Parents come before children, as far as references do not run in a circle.
    """
    wanted: dict[str, set[str]] = {table: set(columns) for table, columns in reading.mentioned.items()}
    for table in sorted(occupied):
        wanted.setdefault(table, set())
    queue = list(wanted)
    while queue:
        table = queue.pop()
        for parent, names in _closure(constraints[table], wanted[table]).items():
            known = wanted.setdefault(parent, set())
            if not names <= known:
                known |= names
                queue.append(parent)
    ordered = _parents_first(wanted, constraints)
    return {table: _spelt(constraints[table], wanted[table]) for table in ordered}


def _closure(rules: Constraints, names: set[str]) -> dict[str, set[str]]:
    """Complete one table's columns in place; what its references ask of other tables."""
    names |= rules.required()
    while not (tied := rules.tied(names)) <= names:
        names |= tied
    for determinant, dependents in rules.functional:
        if names & set(dependents):
            names |= set(determinant)
    needed: dict[str, set[str]] = {}
    for reference in rules.references:
        if set(reference.columns) <= names:
            needed.setdefault(reference.parent, set()).update(reference.parent_columns)
    return needed


def _spelt(rules: Constraints, names: set[str]) -> tuple[str, ...]:
    plain = [column.name for column in rules.table.columns if not column.generated]
    return tuple(name for name in plain if name in names) or tuple(plain[:1])


def _parents_first(wanted: Mapping[str, set[str]], constraints: Mapping[str, Constraints]) -> list[str]:
    def parents(table: str) -> list[str]:
        return [each.parent for each in constraints[table].references if each.parent in wanted]

    return depth_first_postorder(wanted, parents)
