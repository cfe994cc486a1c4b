"""Subqueries in expressions."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.typed.lowering.build import (
    case,
    column,
    derived,
    is_null,
    named,
    number,
    outputs,
    select,
)
from equiv.dialects.typed.lowering.comparisons import NODES, is_direct
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.enumerations import rank
from equiv.dialects.typed.lowering.types import require_plain
from equiv.dialects.typed.tree import Nested, columns_of


def nested(value: Nested, place: Place) -> exp.Expression:
    """A subquery in an expression: EXISTS, a single value, or a comparison with ANY or ALL rows."""
    from equiv.dialects.typed.lowering.queries import query_in

    if value.form == "exists":
        return exp.Exists(this=query_in(value.query, place))
    if value.form == "scalar":
        return exp.Subquery(this=query_in(value.query, place))
    if not all(is_direct(each) or {*each.arguments} == {"anyenum"} for each in value.routines):
        raise UnsupportedError("Subquery", f"a comparison by {value.routines[0]}")
    names = {routine.name for routine in value.routines}
    if value.form == "any" and names == {"="} and not value.negated:
        return _in(value, place)
    if value.form == "all" and names == {"<>"} and (value.negated or len(value.left) == 1):
        return exp.Not(this=_in(value, place))
    if len(value.left) != 1:
        raise UnsupportedError("Subquery", "a comparison of rows with a subquery")
    return _quantified(value, place)


def _in(value: Nested, place: Place) -> exp.Expression:
    from equiv.dialects.typed.lowering.expressions import lowered
    from equiv.dialects.typed.lowering.queries import query_in

    left = [lowered(each, place) for each in value.left]
    subject = left[0] if len(left) == 1 else exp.Tuple(expressions=left)
    return exp.In(this=subject, query=exp.Subquery(this=query_in(value.query, place)))


def _quantified(value: Nested, place: Place) -> exp.Expression:
    """ANY: 1 if it is true of a row, else NULL if it is NULL for one, else 0; ALL the other way round."""
    from equiv.dialects.typed.lowering.expressions import lowered
    from equiv.dialects.typed.lowering.queries import query_in

    columns = columns_of(value.query)
    if len(columns) != 1:
        raise UnsupportedError("Subquery", "a comparison of rows with a subquery")
    require_plain(columns[0], "a comparison with a subquery")
    kind = value.left[0].type
    is_any = value.form == "any"

    def some(wanted: bool) -> exp.Expression:
        """Whether the comparison is decided by a row, or NULL for one."""
        inner = query_in(value.query, place)
        alias = place.state.names.fresh("compared")
        name = outputs(inner)[0].alias
        sides = rank(lowered(value.left[0], place), kind), rank(column(alias, name), kind)
        test: exp.Expression = NODES[value.routines[0].name](this=sides[0], expression=sides[1])
        if not wanted:
            test = is_null(test)
        elif not is_any:
            test = exp.Not(this=test)
        rows = select([named(number("1"), "found")])
        rows.set("from_", exp.From(this=derived(inner, alias)))
        rows.set("where", exp.Where(this=test))
        return exp.Exists(this=rows)

    decided = exp.true() if is_any else exp.false()
    other = exp.false() if is_any else exp.true()
    return case([(some(True), decided), (some(False), exp.Null())], other)
