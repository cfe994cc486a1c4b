"""This module translates typed expressions, and the subqueries in them, into the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering import dates
from equiv.dialects.typed.lowering.aggregates import aggregate, over
from equiv.dialects.typed.lowering.arrays import compared_with_elements, has_no_length
from equiv.dialects.typed.lowering.bags import symbol_of_rows
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.comparisons import NODES, compared, is_direct, rank, ranked_label
from equiv.dialects.typed.lowering.numbers import widened
from equiv.dialects.typed.lowering.operators import called
from equiv.dialects.typed.lowering.texts import converted
from equiv.dialects.typed.lowering.unknown import merged, symbol_of_unknown


def _nested(value: t.NestedQuery, place: LoweringPlace) -> exp.Expression:
    """A subquery in an expression: EXISTS, a single value, or a comparison with ANY or ALL rows."""
    if value.form == "exists":
        return exp.Exists(this=place.query(value.query))
    if value.form == "scalar":
        return exp.Subquery(this=place.query(value.query))
    if value.form == "array":
        raise UnsupportedError("Subquery", "an array of rows")
    if not all(is_direct(each) or {*each.arguments} == {"anyenum"} for each in value.routines):
        raise UnsupportedError("Subquery", f"a comparison with it by {value.routines[0]}")
    names = {routine.name for routine in value.routines}
    if value.form == "any" and names == {"="} and not value.negated:
        return _in(value, place)
    if value.form == "all" and names == {"<>"} and (value.negated or len(value.left) == 1):
        return exp.Not(this=_in(value, place))
    if len(value.left) != 1:
        raise UnsupportedError("Subquery", "a comparison of rows with a subquery")
    return _quantified(value, place)


def _in(value: t.NestedQuery, place: LoweringPlace) -> exp.Expression:

    left = [place.lowered(each) for each in value.left]
    subject = left[0] if len(left) == 1 else exp.Tuple(expressions=left)
    return exp.In(this=subject, query=exp.Subquery(this=place.query(value.query)))


def _quantified(value: t.NestedQuery, place: LoweringPlace) -> exp.Expression:
    """ANY: 1 if it is true of a row, else NULL if it is NULL for one, else 0; ALL the other way round."""
    columns = t.columns_of(value.query)
    if len(columns) != 1:
        raise UnsupportedError("Subquery", "a comparison of rows with a subquery")
    b.require_plain(columns[0], "a comparison with a subquery")
    kind = value.left[0].type
    is_any = value.form == "any"

    def some(wanted: bool) -> exp.Expression:
        """Whether the comparison is decided by a row, or NULL for one."""
        inner = place.query(value.query)
        alias = place.state.names.fresh("compared")
        name = b.outputs(inner)[0].alias
        sides = rank(place.lowered(value.left[0]), kind), rank(b.column(alias, name), kind)
        test: exp.Expression = NODES[value.routines[0].name](this=sides[0], expression=sides[1])
        if not wanted:
            test = b.is_null(test)
        elif not is_any:
            test = exp.Not(this=test)
        rows = b.select([b.named(b.number("1"), "found")])
        rows.set("from_", exp.From(this=b.derived(inner, alias)))
        rows.set("where", exp.Where(this=test))
        return exp.Exists(this=rows)

    decided = exp.true() if is_any else exp.false()
    other = exp.false() if is_any else exp.true()
    return b.case([(some(True), decided), (some(False), exp.Null())], other)


_DIGITS = 15
"""Numbers of more digits are not what they are as REALs."""


def lowered(value: t.Expr, place: LoweringPlace) -> exp.Expression:
    """An expression in the core; conditions are 1, 0 or NULL.

    Raises:
        UnsupportedError: the core has nothing that agrees.
    """
    if (name := b.parameter_of(value)) is not None:
        return exp.Parameter(this=name)
    if place.known and value in place.known:
        return place.known[value].copy()
    if place.missing and isinstance(value, t.Grouped) and value.value in place.missing:
        return typed_null(value.type)
    if place.state.symbols is None:
        return _LOWERINGS[type(value)](value, place)
    try:
        return _LOWERINGS[type(value)](value, place)
    except UnsupportedError:
        if isinstance(value, t.AggregateCall | t.Over | t.NestedQuery):
            found = symbol_of_rows(value, place)
        else:
            found = symbol_of_unknown(value, place)
        if found is None:
            raise
        return found


def typed_null(found: t.Type) -> exp.Expression:
    """NULL, of the affinity that columns of a type have: it may stand where other rows have such a column."""
    if found.name in b.INTEGERS or found.name == "bool":
        return b.cast(exp.Null(), "INTEGER")
    return b.cast(exp.Null(), "REAL" if found.name in b.NUMBERS else "TEXT")


def _constant(value: t.TypedConstant, place: LoweringPlace) -> exp.Expression:
    del place
    text, name = value.text, value.type.name
    if text is None:
        return exp.Null()
    if name in b.INTEGERS:
        return b.number(text)
    if name in b.NUMBERS:
        return _decimal(text)
    if name == "bool":
        return exp.true() if text == "true" else exp.false()
    if name == "bpchar":
        return b.string(text.rstrip(" "))
    if name == "timestamptz":
        return b.string(text.removesuffix("+00"))
    if not b.is_plain(value.type) and name != "unknown":
        raise UnsupportedError("Const", f"a constant of type {name}")
    return b.string(text)


def _decimal(text: str) -> exp.Expression:
    digits = text.partition("e")[0].replace("-", "").replace(".", "").strip("0")
    if len(digits) > _DIGITS:
        raise UnsupportedError("Const", f"a number of more than {_DIGITS} digits")
    # The core divides as the types say, whichever way a whole number is written.
    return b.number(text.removesuffix(".0"))


def _field(value: t.SourceColumn, place: LoweringPlace) -> exp.Expression:
    join = place.state.joins.get(value.source)
    if join is not None:
        return place.lowered(join.merged[value.position - 1])
    return place.column(value)


def _logic(value: t.Logic, place: LoweringPlace) -> exp.Expression:
    operands = [place.lowered(each) for each in value.operands]
    if value.operator == "not":
        return exp.Not(this=operands[0])
    return b.all_of(operands, exp.And if value.operator == "and" else exp.Or)


def _is_null(value: t.NullTest, place: LoweringPlace) -> exp.Expression:
    if isinstance(value.value, t.RowValue) and not any(
        isinstance(each, t.RowValue) for each in value.value.values
    ):
        # A row is NULL if all its values are, and is not if none of them is.
        return b.all_of(
            _is_null(t.NullTest(value.type, each, value.negated), place) for each in value.value.values
        )
    found = has_no_length(value.value, place) or b.is_null(place.lowered(value.value))
    return exp.Not(this=found) if value.negated else found


def _is_truth(value: t.IsTruth, place: LoweringPlace) -> exp.Expression:
    inner = place.lowered(value.value)
    if value.truth is None:
        found = b.is_null(inner)
    else:
        found = exp.Is(this=inner, expression=exp.true() if value.truth else exp.false())
    return exp.Not(this=found) if value.negated else found


def _is_distinct(value: t.IsDistinct, place: LoweringPlace) -> exp.Expression:
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if isinstance(other, t.TypedConstant) and other.text in ("true", "false") and one.type.name == "bool":
            return _is_truth(t.IsTruth(value.type, one, other.text == "true", negated=True), place)
    left, right = place.lowered(value.left), place.lowered(value.right)
    if {*value.routine.arguments} == {"float4", "float8"}:
        left, right = widened(value.left, left, value.right), widened(value.right, right, value.left)
    elif not is_direct(value.routine):
        kinds = value.left.type, value.right.type
        if b.is_plain(kinds[0]) or kinds[0] != kinds[1] or value.routine.schema != "pg_catalog":
            raise UnsupportedError("Is", f"IS DISTINCT FROM by {value.routine}")
        left = merged(left, value.left.type, place, "IS DISTINCT FROM")
        right = merged(right, value.right.type, place, "IS DISTINCT FROM")
    return exp.NullSafeNEQ(this=left, expression=right)


def _case(value: t.CaseWhen, place: LoweringPlace) -> exp.Expression:
    inside = place if value.subject is None else place.under(value.subject)
    branches = [(inside.lowered(condition), place.lowered(result)) for condition, result in value.branches]
    return b.case(branches, place.lowered(value.default))


def _subject(value: t.Subject, place: LoweringPlace) -> exp.Expression:
    del value
    assert place.subject is not None
    return place.lowered(place.subject)


def _coalesce(value: t.Coalesce, place: LoweringPlace) -> exp.Expression:
    first, *rest = (place.lowered(each) for each in value.arguments)
    if value.type.name == "bool" and len(rest) == 1 and rest[0] in (exp.true(), exp.false()):
        # A test of its truth, as people write both.
        known = exp.Is(this=first, expression=exp.true() if rest[0] == exp.false() else exp.false())
        return known if rest[0] == exp.false() else exp.Not(this=known)
    return exp.Coalesce(this=first, expressions=rest) if rest else first


def _extreme(value: t.GreatestLeast, place: LoweringPlace) -> exp.Expression:
    """NULLs do not count: the extreme of two, or the one that is not NULL."""
    b.require_ordered(value.type, "GREATEST or LEAST")
    name = "MAX" if value.greatest else "MIN"
    found, *others = (rank(place.lowered(each), value.type) for each in value.arguments)
    for other in others:
        both = b.call(name, found.copy(), other)
        found = exp.Coalesce(this=both, expressions=[found, other.copy()])
    return ranked_label(found, value.type)


def _null_if(value: t.NullIf, place: LoweringPlace) -> exp.Expression:
    found = place.lowered(value.value)
    if is_direct(value.routine):
        return exp.Nullif(this=found, expression=place.lowered(value.other))
    same = place.lowered(t.RoutineCall(t.Type("bool"), value.routine, (value.value, value.other)))
    return b.case([(same, exp.Null())], found)


def _rows(value: t.RowComparison, place: LoweringPlace) -> exp.Expression:
    """Rows compare by the first pair that differs; NULL decides nothing where it comes first."""
    sides = value.left, value.right
    for side in sides:
        for each in side:
            b.require_ordered(each.type, "a comparison of rows")
    *first, (one, other) = zip(value.left, value.right, strict=True)
    found = _of_fields(value.operator, one, other, place)
    for one, other in reversed(first):
        tied = b.all_of((_of_fields("=", one, other, place), found))
        found = exp.Or(this=_of_fields(value.operator[0], one, other, place), expression=tied)
    return found


def _of_fields(sign: str, one: t.Expr, other: t.Expr, place: LoweringPlace) -> exp.Expression:
    """A comparison of two fields of rows, by the operator for their types."""
    kinds = one.type.name, other.type.name
    if kinds[0] == kinds[1] and one.type.sort != "e":
        return NODES[sign](this=place.lowered(one), expression=place.lowered(other))
    known = ("anyenum", "anyenum") if kinds[0] == kinds[1] else kinds
    return compared(t.Routine(sign, known), one, other, place)


def _grouping(value: t.Grouping, place: LoweringPlace) -> exp.Expression:
    bits = 0
    for key in value.keys:
        inner = key.value if isinstance(key, t.Grouped) else key
        bits = bits * 2 + (inner in place.missing)
    return b.number(str(bits))


def _now(value: t.Now, place: LoweringPlace) -> exp.Expression:
    del place
    if value.word == "CURRENT_DATE":
        return exp.CurrentDate()
    if value.word in ("CURRENT_TIMESTAMP", "LOCALTIMESTAMP"):
        return dates.now()
    raise UnsupportedError("Func", value.word)


def _refused(value: t.Expr, place: LoweringPlace) -> exp.Expression:
    del place
    raise UnsupportedError(type(value).__name__, "in place of a single value")


_LOWERINGS: dict[type, Callable[[Any, LoweringPlace], exp.Expression]] = {
    t.AggregateCall: aggregate,
    t.Array: _refused,
    t.RoutineCall: called,
    t.CaseWhen: _case,
    t.Coalesce: _coalesce,
    t.Compared: compared_with_elements,
    t.TypedConstant: _constant,
    t.Conversion: converted,
    t.GreatestLeast: _extreme,
    t.SourceColumn: _field,
    t.Grouped: lambda value, place: place.lowered(value.value),
    t.Grouping: _grouping,
    t.IsDistinct: _is_distinct,
    t.NullTest: _is_null,
    t.IsTruth: _is_truth,
    t.Logic: _logic,
    t.NestedQuery: _nested,
    t.Now: _now,
    t.NullIf: _null_if,
    t.Over: over,
    t.FieldAccess: _refused,
    t.RowValue: _refused,
    t.WholeRow: _refused,
    t.RowComparison: _rows,
    t.Subject: _subject,
}
