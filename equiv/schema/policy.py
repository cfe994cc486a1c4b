"""Which facts hold under a fact policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from equiv.core.model import Domain, Schema, Table
from equiv.dialects.registry import dialect_of
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.options import POLICIES


def facts_for(
    schema: Schema,
    policy: str,
    assumed: Iterable[Fact] = (),
    observed: Iterable[Fact] = (),
    *,
    rounding: str = "ignore",
    errors: str = "excused",
) -> Facts:
    """The facts that a policy admits, each once, under the strongest grade that promises it.

    Args:
        schema: Where declared and intended facts come from.
        policy: One of :data:`equiv.options.POLICIES`.
        assumed: What the caller says; holds under every policy.
        observed: What was mined from the data; used by the policy ``observed``.
        rounding: One of :data:`equiv.relation.ROUNDINGS`; ``strict`` goes without ``exact_arithmetic`` and
            ``no_overflow``.
        errors: ``excused`` admits ``no_error``; ``strict`` goes without.

    Raises:
        InputError: the policy is unknown.
    """
    if policy not in POLICIES:
        raise InputError(f"unknown fact policy {policy!r}; known are {', '.join(POLICIES)}")
    by_claim: dict[object, Fact] = {}

    def admit(facts: Iterable[Fact]) -> None:
        for fact in facts:
            by_claim.setdefault(claim_of(fact), fact)

    admit(
        Fact(FactKind.SETTING, Grade.DECLARED, columns=(name,), expression=value)
        for name, value in schema.settings
    )
    promised = [fact for table in schema.tables for fact in table.promised]
    for table in schema.tables:
        admit(fact for fact in table.promised if fact.grade is Grade.DECLARED)
        admit(_declared(table))
        if policy != "declared":
            admit(fact for fact in table.promised if fact.grade is Grade.INTENDED)
            admit(_intended(table, schema))
    if policy == "observed":
        admit(replace(fact, grade=Grade.OBSERVED) for fact in observed)
    admit(replace(fact, grade=Grade.ASSUMED) for fact in assumed)
    admit(fact for fact in promised if fact.grade is Grade.ASSUMED)
    if policy != "declared":
        known = dialect_of(schema)
        stated = {name for name, _ in schema.settings}
        admit(
            Fact(FactKind.SETTING, Grade.ASSUMED, columns=(name,), expression=known.taken[name])
            for name in sorted(known.pinned - stated)
        )
    if rounding != "strict":
        admit(Fact(kind, Grade.ASSUMED) for kind in (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW))
    if errors == "excused":
        admit((Fact(FactKind.NO_ERROR, Grade.ASSUMED),))
    return Facts(by_claim.values())


def claim_of(fact: Fact) -> object:
    """The claim of a fact without its grade: equal for two facts that say the same."""
    lower = tuple(name.lower() for name in fact.columns)
    columns = frozenset(lower) if fact.kind is FactKind.UNIQUE else lower
    parents = tuple(name.lower() for name in fact.parent_columns)
    return fact.kind, fact.table.lower(), columns, fact.parent.lower(), parents, fact.expression


def _declared(table: Table) -> Iterator[Fact]:
    """What SQLite enforces."""
    for column in table.columns:
        if column.not_null:
            yield Fact(FactKind.NOT_NULL, Grade.DECLARED, table.name, (column.name,))
        # Not even a STRICT table tests what a VIRTUAL generated column yields.
        enforced = (table.strict and not column.generated) or column.name == table.rowid_alias
        if enforced and column.domain is not Domain.ANY:
            yield Fact(FactKind.TYPE, Grade.DECLARED, table.name, (column.name,))
    for columns in (table.primary_key, *table.unique):
        if columns:
            yield Fact(FactKind.UNIQUE, Grade.DECLARED, table.name, columns)
    for expression in table.checks:
        yield Fact(FactKind.CHECK, Grade.DECLARED, table.name, expression=expression)


def _intended(table: Table, schema: Schema) -> Iterator[Fact]:
    """What the SQL standard reads in the DDL and SQLite does not enforce."""
    for name in table.primary_key:
        yield Fact(FactKind.NOT_NULL, Grade.INTENDED, table.name, (name,))
    for column in table.columns:
        # A generated column holds what its expression gives, whatever its declared type.
        if column.domain is not Domain.ANY and not column.generated:
            yield Fact(FactKind.TYPE, Grade.INTENDED, table.name, (column.name,))
    for key in table.foreign_keys:
        parent = schema.table(key.parent)
        if parent is None or not all(map(parent.column, key.parent_columns)):
            continue
        yield Fact(
            FactKind.INCLUSION, Grade.INTENDED, table.name, key.columns, parent.name, key.parent_columns
        )
