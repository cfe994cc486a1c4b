"""The top-level ORDER BY, LIMIT and OFFSET of a query, taken off and kept exact."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.sources import select_operands
from equiv.core.claims.value_types import collation
from equiv.core.context import Context
from equiv.core.opaque_choices import Opaque
from equiv.core.printing.trees import key


def limits(root: exp.Expression) -> tuple[int, int | None]:
    """The window of the top-level LIMIT and OFFSET: start and stop (None: no limit).

    Raises:
        Opaque: they are no integer literals.
    """
    start = _integer(root.args["offset"].expression) if root.args.get("offset") is not None else 0
    start = max(start, 0)
    if root.args.get("limit") is None:
        return start, None
    count = _integer(root.args["limit"].expression)
    return start, None if count < 0 else start + count


def _integer(node: exp.Expression) -> int:
    if isinstance(node, exp.Neg):
        return -_integer(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    raise Opaque("Limit", "LIMIT or OFFSET that is no integer literal")


def ranked(root: exp.Expression) -> exp.Expression:
    """The query without its top-level LIMIT; its last column is the rank of each row's ORDER BY group."""
    root = root.copy()
    order = root.args.get("order")
    for name in ("order", "limit", "offset"):
        root.set(name, None)
    if order is None:
        terms: list[exp.Expression] = []
    elif isinstance(root, exp.Select) and root.args.get("distinct") is None:
        if not any(term.find(exp.Window) for term in order.expressions):
            root.append("expressions", _rank(order.expressions))
            return root
        return _ranked_outside(root, order.expressions)
    else:
        terms = _output_terms(root, order.expressions)
    outer = exp.Select(expressions=[exp.Star(), _rank(terms)])
    if terms:
        _name_outputs(root)
    alias = exp.TableAlias(this=exp.to_identifier("equiv_top"))
    outer.set("from_", exp.From(this=exp.Subquery(this=root, alias=alias)))
    return outer


def _ranked_outside(root: exp.Select, terms: list[exp.Expression]) -> exp.Expression:
    """The query as a subquery, which shows by what its rows are ordered: no window stands within another."""
    outputs = len(root.expressions)
    known = {key(x.unalias()) for x in root.expressions}
    for term in terms:
        # A value that is shown is not computed again: its own ties would fall otherwise.
        if key(term.this) not in known:
            root.append("expressions", term.this.copy())
            known.add(key(term.this))
    rank = _rank(_output_terms(root, terms))
    _name_outputs(root)
    shown = [exp.column(f"equiv_c{place}") for place in range(1, outputs + 1)]
    alias = exp.TableAlias(this=exp.to_identifier("equiv_top"))
    outer = exp.Select(expressions=[*shown, rank])
    outer.set("from_", exp.From(this=exp.Subquery(this=root, alias=alias)))
    return outer


def require_own_collation(root: exp.Expression, ctx: Context) -> None:
    """Make sure that the columns of an ordered compound sort in a subquery as they do at the top.

    A compound sorts by the first collation that an operand has, a subquery's column by that of its first.

    Raises:
        Opaque: the first operand leaves a collation to another.
    """
    if not isinstance(root, exp.SetOperation) or root.args.get("order") is None:
        return
    operands = [x.expressions for x in select_operands(root)]
    for first, *others in zip(*operands, strict=True):
        collations = [collation(x.unalias(), ctx) for x in (first, *others)]
        if collations[0] in ("", None) and not {*collations} <= {"", "BINARY"}:
            raise Opaque("Order", "ORDER BY under the collation of a later operand")


def _rank(terms: list[exp.Expression]) -> exp.Expression:
    order = exp.Order(expressions=[term.copy() for term in terms]) if terms else None
    return exp.Window(this=exp.Rank(), order=order, over="OVER") if order else exp.Literal.number(1)


def _name_outputs(root: exp.Expression) -> None:
    first = root
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    if not isinstance(first, exp.Select):
        raise Opaque("Values", "VALUES, ordered")
    outputs = [x.unalias().copy() for x in first.expressions]
    first.set("expressions", [exp.alias_(x, f"equiv_c{n}") for n, x in enumerate(outputs, 1)])


def _output_terms(root: exp.Expression, terms: list[exp.Expression]) -> list[exp.Expression]:
    """ORDER BY terms of a DISTINCT or compound query, as references to its numbered outputs."""
    projections = [key(x.unalias()) for x in root.expressions] if isinstance(root, exp.Select) else []
    renamed = []
    for term in terms:
        wanted = term.this
        if isinstance(wanted, exp.Collate):
            raise Opaque("Order", "ORDER BY with COLLATE over DISTINCT or a set operation")
        is_select = isinstance(root, exp.Select)
        position = projections.index(key(wanted)) + 1 if is_select else _integer(wanted)
        copied = term.copy()
        copied.set("this", exp.column(f"equiv_c{position}"))
        renamed.append(copied)
    return renamed
