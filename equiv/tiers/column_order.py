"""Result columns in canonical order, where a relation lets any one permutation serve every database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from equiv.core.claims.fingerprint import Fingerprint
from equiv.core.model import Context
from equiv.core.printing import to_sql
from equiv.rewrite.canonical import canonicalise


def with_sorted_columns(tree: exp.Expression, ctx: Context) -> exp.Expression:
    """A canonical tree with its result columns in an order that their expressions fix.

    The operands of a set operation compare column by column, so that one permutation is applied to all of
    them; ORDER BY names the columns of a set operation by position, so that such a query keeps its order.
    """
    if isinstance(tree, exp.Select):
        columns = sorted(tree.expressions, key=Fingerprint({}).of)
        return tree if columns == tree.expressions else _permuted(tree, [columns])
    operands = _operands(tree)
    if not operands or len({len(operand.expressions) for operand in operands}) != 1:
        return tree
    places = range(len(operands[0].expressions))
    texts = [_texts(operand) for operand in operands]
    order = sorted(places, key=lambda place: sorted(own[place] for own in texts))
    if order == list(places):
        return tree
    moved = [[operand.expressions[place] for place in order] for operand in operands]
    return canonicalise(_permuted(tree, moved), ctx)


def _operands(tree: exp.Expression) -> list[exp.Select]:
    """The SELECTs of a set operation without ORDER BY, in order; none for anything else."""
    if isinstance(tree, exp.Select):
        return [tree]
    if not isinstance(tree, exp.SetOperation) or tree.args.get("order") is not None:
        return []
    first, last = _operands(tree.this), _operands(tree.expression)
    return [*first, *last] if first and last else []


def _texts(select: exp.Select) -> list[str]:
    """The projections with tables in place of aliases, which depend on the order of the operands."""
    bases = {table.alias_or_name: table.name for table in select.find_all(exp.Table)}
    found = []
    for projection in select.expressions:
        own = projection.unalias().copy()
        for column in own.find_all(exp.Column):
            column.set("table", exp.to_identifier(bases.get(column.table, column.table)))
        found.append(to_sql(own))
    return found


def _permuted(tree: exp.Expression, columns: Sequence[Sequence[exp.Expression]]) -> exp.Expression:
    copy = tree.copy()
    for operand, own in zip(_operands(copy), columns, strict=True):
        operand.set("expressions", [column.copy() for column in own])
    return copy
