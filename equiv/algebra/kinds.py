"""Static analysis of expressions: possible storage classes, NULL, and which are truth values.

The sets of storage classes err upwards: a class that is missing cannot occur on any allowed database.  Facts
that narrow a set are recorded as used.  Classes of results: https://sqlite.org/lang_expr.html,
lang_corefunc.html and lang_aggfunc.html, and by experiment on SQLite 3.40.

SQLite stores whole numbers as integers under INTEGER and NUMERIC affinity, and all numbers as REAL under REAL
affinity, 0.0 for -0.0 (https://sqlite.org/datatype3.html): within the class in which a column keeps numbers,
equal values are identical.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from equiv.algebra import terms as t
from equiv.algebra.scalar_functions import STRICT, function_kinds
from equiv.algebra.world import World
from equiv.core.functions import traits
from equiv.core.functions.table import AGGREGATES, names
from equiv.core.model import Affinity, Column, Domain
from equiv.facts import FactKind

_PATTERNS = names(lambda function: function.style is traits.LiteralStyle.PATTERN)
_NUMERIC_CALLS = names(lambda function: function.is_number)
_NULL_OF_NONE = frozenset(name for name, row in AGGREGATES.items() if row.nulls is traits.Nulls.NOTHING)


def is_condition(value: t.Expression) -> bool:
    """Whether an expression is a comparison, a test or made of such: 1, 0 or NULL, and no literal or CASE."""
    return isinstance(value, t.Compare | t.And | t.Or | t.Not | t.IsTrue | t.IsNull | t.Exists | t.Found)


def is_truth(value: t.Expression) -> bool:
    """Whether an expression is 1, 0 or NULL."""
    match value:
        case _ if is_condition(value):
            return True
        case t.Constant():
            return value.kind == "null" or (value.kind == "integer" and value.text in ("0", "1"))
        case t.Apply():
            return value.function in _PATTERNS
        case t.Case():
            return all(is_truth(each) for each in results(value))
        case t.Aggregate("MIN" | "MAX", bag):
            return all(is_truth(term.outputs[0]) for term in bag.terms)
    return False


def is_number(value: t.Expression) -> bool:
    """Whether an expression is a number or NULL."""
    match value:
        case t.Constant():
            return value.kind in ("null", "integer", "real")
        case t.Apply():
            return value.function in _NUMERIC_CALLS
        case t.Aggregate():
            return value.function == "LINEAR" or AGGREGATES[value.function].is_number
        case t.Convert():
            return value.explicit and value.to in ("INTEGER", "REAL", "NUMERIC")
        case t.Case():
            return all(is_number(each) for each in results(value))
    return is_truth(value)


def results(value: t.Case) -> tuple[t.Expression, ...]:
    """The values that a CASE may have."""
    return (*(each for _, each in value.branches), value.default)


def as_truth(value: t.Expression) -> t.Expression:
    """A value as a truth value: true if a number other than 0; text and blobs count by their numeric prefix.

    SQLite casts to REAL, not to NUMERIC (``sqlite3VdbeBooleanValue`` in https://sqlite.org/src/file/src/vdbe.c):
    '0.5' is true, 'abc' false.
    """
    if is_truth(value):
        return value
    number = value if is_number(value) else t.Convert("REAL", value, explicit=True)
    return t.Not(t.Compare("=", number, t.FALSE))


def has_arguments_if_not_null(value: t.Aggregate) -> bool:
    """Whether an aggregate is NULL unless some argument is not."""
    return value.function in _NULL_OF_NONE


def not_null_if(conditions: Iterable[t.Expression]) -> set[t.Expression]:
    """Expressions that are not NULL if all the conditions are true, up to the names of bound variables."""
    return set[t.Expression]().union(*map(_not_null_if, conditions))


def _not_null_if(condition: t.Expression) -> set[t.Expression]:
    match condition:
        case t.Compare("=" | "<" | "<=", left, right) | t.Not(t.Compare("=" | "<" | "<=", left, right)):
            return _not_null_with(left) | _not_null_with(right)
        case t.Compare("IS", left, t.Constant() as right) | t.Compare("IS", t.Constant() as right, left):
            return _not_null_with(left) if right != t.NULL else set()
        case t.Not(t.IsNull(value)):
            return _not_null_with(value)
        case t.Found(_, _, values):
            return {t.alpha(condition)}.union(*map(_not_null_with, values))
        case t.IsTrue(part):
            return _not_null_if(part)
        case t.Exists(bag):
            return _not_null_if_some(bag)
        case t.And(parts):
            return not_null_if(parts)
        case t.Or(parts) if parts:
            return set.intersection(*map(_not_null_if, parts))
        case t.Apply("LIKE" | "GLOB", arguments):
            # A LIKE that is 0 may have a NULL argument beside a blob.
            return set[t.Expression]().union(*map(_not_null_with, arguments))
        case t.Field() | t.Lookup() | t.Apply() | t.Convert():
            return _not_null_with(condition)
    return set()


def _not_null_if_some(bag: t.Bag, shown: int = 0) -> set[t.Expression]:
    """Expressions over outer rows that are not NULL if a bag has a row, its first outputs not NULL."""
    found = [_not_null_if_there(term, shown) for term in bag.terms]
    return set[t.Expression]().union(frozenset.intersection(*found)) if found else set()


@lru_cache(maxsize=5_000)
def _not_null_if_there(term: t.Term, shown: int) -> frozenset[t.Expression]:
    """Expressions without a term's own variables that are not NULL if the term has such a row."""
    own = term.bound
    found = _not_null_if(term.condition).union(*map(_not_null_with, term.outputs[:shown]))
    return frozenset(each for each in found if not t.free(each) & own)


def _not_null_with(value: t.Expression) -> set[t.Expression]:
    """The value and what it needs in order not to be NULL."""
    match value:
        case t.Lookup(_, _, values):
            return {t.alpha(value)}.union(*map(_not_null_with, values))
        case t.Apply(function, arguments) if function in STRICT:
            return {t.alpha(value)}.union(*map(_not_null_with, arguments))
        case t.Convert(_, inner):
            return {t.alpha(value)} | _not_null_with(inner)
        case t.Aggregate(_, bag) if has_arguments_if_not_null(value):
            return {t.alpha(value)} | _not_null_if_some(bag, 1)
        case t.First(t.Limited(bag)):
            return {t.alpha(value)} | _not_null_if_some(bag, 1)
        case t.Case(branches, default):
            ways = [_not_null_if(when) | _not_null_with(then) for when, then in branches if then != t.NULL]
            ways += [_not_null_with(default)] if default != t.NULL else []
            return {t.alpha(value)} | (set.intersection(*ways) if ways else set())
    return {t.alpha(value)}


Sources = Mapping[t.Variable, t.Source]

_INTEGERS = range(-(2**63), 2**63)
_TEXT = traits.TEXTS | traits.NULL_ONLY
_BYTES = traits.TEXTS | traits.BLOBS
UNTOUCHED: Mapping[tuple[t.Target, bool], traits.StorageClasses] = {
    ("INTEGER", True): traits.INTEGERS,
    ("REAL", True): traits.REALS,
    ("NUMERIC", True): traits.NUMBERS,
    ("TEXT", True): traits.TEXTS,
    ("BLOB", True): traits.BLOBS,
    **dict.fromkeys((("NUMERIC", False), ("NOCASE", False), ("RTRIM", False)), traits.NUMBERS | traits.BLOBS),
    ("TEXT", False): _BYTES,
    ("BLOB", False): traits.NUMBERS | _BYTES,
}
"""The storage classes, NULL apart, that a conversion leaves as they are, by whether it is a CAST."""
_STORED: dict[Affinity, traits.StorageClasses] = {
    Affinity.TEXT: traits.NULL_ONLY | _BYTES,
    Affinity.REAL: traits.NULL_ONLY | traits.REALS | _BYTES,
}
_DOMAINS: dict[Domain, traits.StorageClasses] = {
    Domain.INTEGER: traits.WHOLE,
    Domain.BOOLEAN: traits.WHOLE,
    Domain.NUMBER: traits.NUMERIC,
    Domain.TEXT: _TEXT,
}


def kinds(expression: t.Expression, world: World, sources: Sources) -> traits.StorageClasses:
    """All storage classes that a value may have.

    Args:
        expression: any value; its free variables should have sources, else anything is possible.
        world: facts that are used are recorded there.
        sources: what the variables range over.
    """

    def of(inner: t.Expression) -> traits.StorageClasses:
        return kinds(inner, world, sources)

    match expression:
        case t.Field():
            return _field(expression, world, sources)
        case t.Constant():
            return frozenset({_literal(expression)})
        case t.Case(branches, default):
            return of(default).union(*(of(value) for _, value in branches))
        case t.Convert():
            return converted_kinds(expression, of(expression.value))
        case t.Apply(function, arguments):
            return function_kinds(function, [of(argument) for argument in arguments], world)
        case t.Lookup():
            return column_kinds(expression.table, expression.column, world) | traits.NULL_ONLY
        case t.Aggregate():
            return _aggregate(expression, world, sources)
        case t.First(rows):
            return output_kinds(rows.bag, 0, world, sources) | traits.NULL_ONLY
    return traits.INTEGERS.union(*(of(part) & traits.NULL_ONLY for part in _null_bringers(expression)))


def _null_bringers(truth: t.Expression) -> tuple[t.Expression, ...]:
    """The operands of a truth value of which one must be NULL for it to be NULL."""
    match truth:
        case t.Compare("=" | "<" | "<=", left, right):
            return left, right
        case t.And(parts) | t.Or(parts):
            return parts
        case t.Not(part):
            return (part,)
    return ()


def have_rows(bindings: Sequence[t.Binding], world: World) -> bool:
    """Whether variables range over tables alone of which none is empty."""
    tables = [binding.source.table for binding in bindings if isinstance(binding.source, t.Scan)]
    return len(tables) == len(bindings) and all(world.holds(FactKind.NOT_EMPTY, table) for table in tables)


_SPELT = (FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP)
"""Facts by which a column holds texts alone."""


def never_null(expression: t.Expression, world: World, sources: Sources) -> bool:
    """Whether a value is never NULL."""
    return "null" not in kinds(expression, world, sources)


def column_kinds(table: str, name: str, world: World) -> traits.StorageClasses:
    """The storage classes that a column of a base table may hold.

    A column's affinity is enforced by SQLite whatever the facts: no number is stored under TEXT
    affinity and no integer under REAL.
    """
    try:
        column = world.column(table, name)
    except KeyError:
        return traits.ALL
    classes = _STORED.get(column.affinity, traits.ALL) & _domain(table, column, world)
    if not classes <= _TEXT and any(world.holds(kind, table, column.name) for kind in _SPELT):
        classes &= _TEXT
    return classes - traits.NULL_ONLY if world.holds(FactKind.NOT_NULL, table, column.name) else classes


def _domain(table: str, column: Column, world: World) -> traits.StorageClasses:
    declared = world.schema.table(table)
    if declared is not None and declared.rowid_alias == column.name:
        return traits.WHOLE
    domain = _DOMAINS.get(column.domain, traits.ALL)
    if domain is traits.ALL or not world.holds(FactKind.TYPE, table, column.name):
        return traits.ALL
    return domain


def output_kinds(bag: t.Bag, position: int, world: World, sources: Sources) -> traits.StorageClasses:
    """The storage classes that one output of a bag's rows may have."""
    classes_of_terms: traits.StorageClasses = frozenset()
    for term in bag.terms:
        if term.condition == t.FALSE:
            continue
        if position >= len(term.outputs):
            return traits.ALL
        output = term.outputs[position]
        inner = {**sources, **{binding.row: binding.source for binding in term.bindings}}
        classes = kinds(output, world, inner)
        if "null" in classes and t.alpha(output) in not_null_if(term.conjuncts):
            classes -= traits.NULL_ONLY
        classes_of_terms |= classes
    return classes_of_terms


def _field(expression: t.Field, world: World, sources: Sources) -> traits.StorageClasses:
    source = sources.get(expression.row)
    if isinstance(source, t.Scan):
        return column_kinds(source.table, str(expression.column), world)
    if source is None or isinstance(expression.column, str):
        return traits.ALL
    if isinstance(source, t.Numbered) and expression.column >= source.visible:
        return traits.INTEGERS | output_kinds(source.bag, expression.column, world, sources)
    return output_kinds(source.bag, expression.column, world, sources)


def _literal(constant: t.Constant) -> traits.StorageClass:
    # SQLite reads an integer literal that does not fit 64 bits as a REAL.
    if constant.kind == "integer" and int(constant.text) not in _INTEGERS:
        return "real"
    return constant.kind


def converted_kinds(convert: t.Convert, value: traits.StorageClasses) -> traits.StorageClasses:
    """The storage classes of a converted value, by those of the value."""
    null = value & traits.NULL_ONLY
    if convert.explicit and convert.to != "NUMERIC":
        return null | UNTOUCHED[convert.to, True]
    numbers, bytes_ = value & traits.NUMERIC, value & _BYTES
    match convert.to:
        case "NUMERIC" if convert.explicit:
            return numbers | traits.NUMBERS if bytes_ else numbers
        case "NUMERIC":
            return value | traits.NUMBERS if "text" in value else value
        case "TEXT":
            return null | bytes_ | (traits.TEXTS if value & traits.NUMBERS else null)
        case "BLOB" | "NOCASE" | "RTRIM":
            return value
    return traits.ALL


def _aggregate(aggregate: t.Aggregate, world: World, sources: Sources) -> traits.StorageClasses:
    if aggregate.function == "LINEAR":
        return traits.INTEGERS if aggregate.whole else traits.NUMBERS
    function = AGGREGATES[aggregate.function]
    if not function.passes and function.name != "SUM":
        return (
            function.results if function.nulls is traits.Nulls.NEVER else function.results | traits.NULL_ONLY
        )
    argument = output_kinds(aggregate.bag, 0, world, sources)
    if function.passes:
        is_sure = "null" not in argument and any(
            term.condition == t.TRUE and have_rows(term.bindings, world) for term in aggregate.bag.terms
        )
        return argument if is_sure else argument | traits.NULL_ONLY
    if argument <= traits.WHOLE:
        # A SUM of integers that overflows is an error, not a value.
        return traits.WHOLE
    return traits.REALS | traits.NULL_ONLY if argument <= {"real", "null"} else traits.NUMERIC


NumberForm = Literal["whole if it can be", "REAL", "TEXT"]
"""As an integer wherever a number is one; as REAL always; as text always."""

_FORMS: dict[Affinity, NumberForm] = {
    Affinity.INTEGER: "whole if it can be",
    Affinity.NUMERIC: "whole if it can be",
    Affinity.REAL: "REAL",
    Affinity.TEXT: "TEXT",
}


def stored_form(
    value: t.Expression, world: World, sources: Mapping[t.Variable, t.Source]
) -> NumberForm | None:
    """The storage class of a stored value if it is a number; None if the affinity does not fix it.

    Args:
        value: any value.
        world: the schema.
        sources: what the free variables of the value range over.
    """
    match value:
        case t.Lookup(table, _, _, column):
            return _FORMS.get(world.column(table, column).affinity)
        case t.Field(row, column):
            source = sources.get(row)
            if isinstance(source, t.Scan):
                return _FORMS.get(world.column(source.table, str(column)).affinity)
            if isinstance(source, t.Squash | t.Limited) and isinstance(column, int):
                return _form_of_output(source.bag, column, world, sources)
        case t.Aggregate("MIN" | "MAX", bag):
            return _form_of_output(bag, 0, world, sources)
        case t.First(rows):
            return _form_of_output(rows.bag, 0, world, sources)
    return None


def _form_of_output(
    bag: t.Bag, position: int, world: World, sources: Mapping[t.Variable, t.Source]
) -> NumberForm | None:
    """The storage class of an output of a bag if it is a number; None if terms store it differently."""
    forms = {
        stored_form(
            term.outputs[position], world, {**sources, **{each.row: each.source for each in term.bindings}}
        )
        for term in bag.terms
    }
    return forms.pop() if len(forms) == 1 else None
