"""Static analysis of expressions of the algebra: possible storage classes, and whether NULL is possible.

The sets err upwards: a class that is missing cannot occur on any allowed database.  Facts that
narrow a set are recorded as used.  Classes of results: https://sqlite.org/lang_expr.html,
lang_corefunc.html and lang_aggfunc.html, and by experiment on SQLite 3.40.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equiv.algebra.function_kinds import function_kinds
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Aggregate,
    And,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Expression,
    Field,
    First,
    Lookup,
    Not,
    Numbered,
    Or,
    Scan,
    Source,
    Variable,
    alpha,
    conjuncts,
)
from equiv.algebra.truths import not_null_if
from equiv.algebra.world import World
from equiv.core.functions.table import AGGREGATES
from equiv.core.functions.traits import ALL, Nulls, StorageClass
from equiv.core.model import Affinity, Column, Domain
from equiv.facts import FactKind

NULL_ONLY: frozenset[StorageClass] = frozenset({"null"})
_INTEGER: frozenset[StorageClass] = frozenset({"integer"})
_TEXT: frozenset[StorageClass] = frozenset({"text", "null"})
WHOLE: frozenset[StorageClass] = frozenset({"integer", "null"})
NUMERIC: frozenset[StorageClass] = frozenset({"integer", "real", "null"})

Sources = Mapping[Variable, Source]

_INTEGERS = range(-(2**63), 2**63)
_NUMBERS: frozenset[StorageClass] = frozenset({"integer", "real"})
_BYTES: frozenset[StorageClass] = frozenset({"text", "blob"})
_CAST: dict[str, frozenset[StorageClass]] = {
    "INTEGER": _INTEGER,
    "REAL": frozenset({"real"}),
    "TEXT": frozenset({"text"}),
    "BLOB": frozenset({"blob"}),
}
_STORED: dict[Affinity, frozenset[StorageClass]] = {
    Affinity.TEXT: frozenset({"null", "text", "blob"}),
    Affinity.REAL: frozenset({"null", "real", "text", "blob"}),
}
_DOMAINS: dict[Domain, frozenset[StorageClass]] = {
    Domain.INTEGER: WHOLE,
    Domain.BOOLEAN: WHOLE,
    Domain.NUMBER: NUMERIC,
    Domain.TEXT: frozenset({"null", "text"}),
}


def kinds(expression: Expression, world: World, sources: Sources) -> frozenset[StorageClass]:
    """All storage classes that a value may have.

    Args:
        expression: any value; its free variables should have sources, else anything is possible.
        world: facts that are used are recorded there.
        sources: what the variables range over.
    """

    def of(inner: Expression) -> frozenset[StorageClass]:
        return kinds(inner, world, sources)

    match expression:
        case Field():
            return _field(expression, world, sources)
        case Constant():
            return frozenset({_literal(expression)})
        case Case(branches, default):
            return of(default).union(*(of(value) for _, value in branches))
        case Convert():
            return converted_kinds(expression, of(expression.value))
        case Apply(function, arguments):
            return function_kinds(function, [of(argument) for argument in arguments], world)
        case Lookup():
            return column_kinds(expression.table, expression.column, world) | NULL_ONLY
        case Aggregate():
            return _aggregate(expression, world, sources)
        case First(rows):
            return output_kinds(rows.bag, 0, world, sources) | NULL_ONLY
    return _INTEGER.union(*(of(part) & NULL_ONLY for part in _null_bringers(expression)))


def _null_bringers(truth: Expression) -> tuple[Expression, ...]:
    """The operands of a truth value of which one must be NULL for it to be NULL."""
    match truth:
        case Compare("=" | "<" | "<=", left, right):
            return left, right
        case And(parts) | Or(parts):
            return parts
        case Not(part):
            return (part,)
    return ()


def have_rows(bindings: Sequence[Binding], world: World) -> bool:
    """Whether variables range over tables alone of which none is empty."""
    tables = [binding.source.table for binding in bindings if isinstance(binding.source, Scan)]
    return len(tables) == len(bindings) and all(world.holds(FactKind.NOT_EMPTY, table) for table in tables)


_SPELT = (FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP)
"""Facts by which a column holds texts alone."""


def never_null(expression: Expression, world: World, sources: Sources) -> bool:
    """Whether a value is never NULL."""
    return "null" not in kinds(expression, world, sources)


def column_kinds(table: str, name: str, world: World) -> frozenset[StorageClass]:
    """The storage classes that a column of a base table may hold.

    A column's affinity is enforced by SQLite whatever the facts: no number is stored under TEXT
    affinity and no integer under REAL.
    """
    try:
        column = world.column(table, name)
    except KeyError:
        return ALL
    classes = _STORED.get(column.affinity, ALL) & _domain(table, column, world)
    if not classes <= _TEXT and any(world.holds(kind, table, column.name) for kind in _SPELT):
        classes &= _TEXT
    return classes - NULL_ONLY if world.holds(FactKind.NOT_NULL, table, column.name) else classes


def _domain(table: str, column: Column, world: World) -> frozenset[StorageClass]:
    declared = world.schema.table(table)
    if declared is not None and declared.rowid_alias == column.name:
        return WHOLE
    domain = _DOMAINS.get(column.domain, ALL)
    if domain is ALL or not world.holds(FactKind.TYPE, table, column.name):
        return ALL
    return domain


def output_kinds(bag: Bag, position: int, world: World, sources: Sources) -> frozenset[StorageClass]:
    """The storage classes that one output of a bag's rows may have."""
    classes_of_terms: frozenset[StorageClass] = frozenset()
    for term in bag.terms:
        if term.condition == FALSE:
            continue
        if position >= len(term.outputs):
            return ALL
        output = term.outputs[position]
        inner = {**sources, **{binding.row: binding.source for binding in term.bindings}}
        classes = kinds(output, world, inner)
        if "null" in classes and alpha(output) in not_null_if(conjuncts(term.condition)):
            classes -= NULL_ONLY
        classes_of_terms |= classes
    return classes_of_terms


def _field(expression: Field, world: World, sources: Sources) -> frozenset[StorageClass]:
    source = sources.get(expression.row)
    if isinstance(source, Scan):
        return column_kinds(source.table, str(expression.column), world)
    if source is None or isinstance(expression.column, str):
        return ALL
    if isinstance(source, Numbered) and expression.column >= source.visible:
        return _INTEGER | output_kinds(source.bag, expression.column, world, sources)
    return output_kinds(source.bag, expression.column, world, sources)


def _literal(constant: Constant) -> StorageClass:
    # SQLite reads an integer literal that does not fit 64 bits as a REAL.
    if constant.kind == "integer" and int(constant.text) not in _INTEGERS:
        return "real"
    return constant.kind


def converted_kinds(convert: Convert, value: frozenset[StorageClass]) -> frozenset[StorageClass]:
    """The storage classes of a converted value, by those of the value."""
    null = value & NULL_ONLY
    if convert.explicit and convert.to != "NUMERIC":
        return null | _CAST[convert.to]
    numbers, bytes_ = value & NUMERIC, value & _BYTES
    match convert.to:
        case "NUMERIC" if convert.explicit:
            return numbers | _NUMBERS if bytes_ else numbers
        case "NUMERIC":
            return value | _NUMBERS if "text" in value else value
        case "TEXT":
            return null | bytes_ | (_CAST["TEXT"] if value & _NUMBERS else null)
        case "BLOB" | "NOCASE" | "RTRIM":
            return value
    return ALL


def _aggregate(aggregate: Aggregate, world: World, sources: Sources) -> frozenset[StorageClass]:
    if aggregate.function == "LINEAR":
        return _INTEGER if aggregate.whole else _NUMBERS
    function = AGGREGATES[aggregate.function]
    if not function.passes and function.name != "SUM":
        return function.results if function.nulls is Nulls.NEVER else function.results | NULL_ONLY
    argument = output_kinds(aggregate.bag, 0, world, sources)
    if function.passes:
        is_sure = "null" not in argument and any(
            term.condition == TRUE and have_rows(term.bindings, world) for term in aggregate.bag.terms
        )
        return argument if is_sure else argument | NULL_ONLY
    if argument <= WHOLE:
        # A SUM of integers that overflows is an error, not a value.
        return WHOLE
    return frozenset({"real", "null"}) if argument <= {"real", "null"} else NUMERIC
