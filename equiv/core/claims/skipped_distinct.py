"""Subqueries that are SELECT DISTINCT with an OFFSET, which SQLite answers in ways of its own.

In EXISTS it ignores the DISTINCT, so that the OFFSET skips duplicates too.  As a value it may compute a row
before it skips it: where the OFFSET skips all rows, the value is that of the last one skipped, not NULL.
Whether it does depends on the plan, indexes included; only DISTINCT of what is sorted by, ascending,
is always turned into GROUP BY, which has no such fault.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.block import is_grouped, is_scalar
from equiv.core.claims.sources import select_operands
from equiv.core.printing.trees import key


def skips_distinct_rows(tree: exp.Expression) -> bool:
    """Whether an OFFSET skips distinct rows of a subquery in EXISTS, or of one that stands for a value."""
    return any(_is_answered_oddly(node.parent) for node in tree.find_all(exp.Offset) if _skips(node))


def _skips(offset: exp.Expression) -> bool:
    return not (isinstance(offset.expression, exp.Literal) and offset.expression.name == "0")


def _is_answered_oddly(query: exp.Expr | None) -> bool:
    if not isinstance(query, exp.Select | exp.SetOperation):
        return False
    if all(each.args.get("distinct") is None for each in select_operands(query)):
        return False
    if _is_in_exists(query):
        return True
    return is_scalar(query) and not _sorts_by_its_outputs(query)


def _is_in_exists(query: exp.Expression) -> bool:
    parent = query.parent
    while isinstance(parent, exp.Subquery):
        parent = parent.parent
    return isinstance(parent, exp.Exists)


def _sorts_by_its_outputs(query: exp.Expression) -> bool:
    """Whether a plain SELECT DISTINCT sorts by just its outputs, each ascending."""
    order = query.args.get("order")
    if order is None or not isinstance(query, exp.Select) or is_grouped(query):
        return False
    if any(term.args.get("desc") or term.args.get("nulls_first") is False for term in order.expressions):
        return False
    return [key(x.unalias()) for x in query.expressions] == [key(term.this) for term in order.expressions]
