"""Resolving ORDER BY and GROUP BY terms.

After ``resolveOrderGroupBy`` and ``resolveCompoundOrderBy`` in
https://sqlite.org/src/file/src/resolve.c: a whole ORDER BY term that is a name
is a result alias first; an integer is a position; these terms see no names of
enclosing queries.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from equiv.core.printing.trees import is_position, key
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.sqlite.resolve.expressions import behind_collate, expression
from equiv.dialects.sqlite.resolve.namespace import Namespace, Projection, projected

_Operand = tuple[exp.Select, Sequence[Projection], Namespace]


def order_terms(raw: Sequence[exp.Expression], namespace: Namespace) -> list[exp.Expression]:
    """The terms of a SELECT's ORDER BY, positions and aliases replaced by what they stand for."""
    return [_ordered(term, _order_term(term.this, namespace)) for term in raw]


def _ordered(term: exp.Expression, node: exp.Expression) -> exp.Expression:
    found = exp.Ordered(this=node, desc=bool(term.args.get("desc")))
    if term.args.get("nulls_first") is not None:
        found.set("nulls_first", term.args["nulls_first"])
    return found


def _order_term(raw: exp.Expression, namespace: Namespace) -> exp.Expression:
    projections = namespace.projections or ()
    place = _named(behind_collate(raw), projections) or _position(behind_collate(raw), len(projections))
    return expression(raw, namespace) if place is None else _copied(raw, place, namespace)


def group_terms(raw: Sequence[exp.Expression], namespace: Namespace) -> list[exp.Expression]:
    """The terms of a GROUP BY: a name is a column first, then a result alias."""
    found = []
    for term in raw:
        place = _position(behind_collate(term), len(namespace.projections or ()))
        node = expression(term, namespace) if place is None else _copied(term, place, namespace)
        if is_position(node):
            place = _named(behind_collate(term), namespace.projections or ())
            node = expression(term, namespace) if place is None else _copied(term, place, namespace)
        found.append(node)
    return found


def positions(raw: exp.Expression, operands: Sequence[_Operand]) -> exp.Expression:
    """The ORDER BY of a compound: each term as a position, under COLLATE if it has one."""
    found = []
    for term in raw.expressions:
        node: exp.Expression = exp.Literal.number(_compound_position(behind_collate(term.this), operands))
        if isinstance(term.this, exp.Collate):
            node = exp.Collate(this=node, expression=term.this.expression.copy())
        found.append(_ordered(term, node))
    return exp.Order(expressions=found)


def _compound_position(raw: exp.Expression, operands: Sequence[_Operand]) -> int:
    place = _position(raw, len(operands[0][1]))
    if place is not None:
        return place
    for tree, projections, results in operands:
        place = _named(raw, projections) or _equal(raw, tree, results, projections)
        if place is not None:
            return place
    raise UnsupportedError("Order", "a term that matches no result column")


def _equal(
    raw: exp.Expression, tree: exp.Select, results: Namespace, projections: Sequence[Projection]
) -> int | None:
    visible = Namespace(
        results.session, results.ctes, results.sources, None, projections, results, results.windows
    )
    try:
        wanted = key(expression(raw, visible))
    except UnsupportedError:
        return None
    keys = [key(node.unalias()) for node in tree.expressions]
    return keys.index(wanted) + 1 if wanted in keys else None


def _named(node: exp.Expression, projections: Sequence[Projection]) -> int | None:
    """The 1-based place of the first result alias that a whole term names."""
    if not isinstance(node, exp.Column) or node.text("table"):
        return None
    for place, projection in enumerate(projections, 1):
        if projection.alias is not None and projection.alias.lower() == node.name.lower():
            return place
    return None


def _position(node: exp.Expression, count: int) -> int | None:
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdigit() or len(node.name) > 9:
        return None
    place = int(node.name)
    if not 1 <= place <= count:
        raise UnsupportedError("Order", f"position {place} out of {count}")
    return place


def _copied(raw: exp.Expression, place: int, namespace: Namespace) -> exp.Expression:
    """A copy of a result column, under the outermost COLLATE of the term.

    An integer, which would be a position again, becomes NULL: no constant orders
    or groups anything.  Where SQLite compiles a copy otherwise than a position,
    ``meta["place"]`` keeps the position for the comparison of the programs.
    """
    assert namespace.projections is not None
    assert namespace.results is not None
    term = projected(namespace.projections[place - 1], namespace.results, expression)
    term = exp.Null() if is_position(term) else term
    if isinstance(raw, exp.Collate):
        term = exp.Collate(this=term, expression=raw.expression.copy())
    if isinstance(raw, exp.Collate) or term.find(exp.Query) is not None or term.find(exp.Column) is None:
        term.meta["place"] = place
    return term
