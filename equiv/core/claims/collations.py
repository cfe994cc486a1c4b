"""COLLATE inside an expression, which SQLite hands on further than the documentation says.

A COLLATE anywhere in a call, an operator or a CASE (in a condition even)
becomes the collation of the whole (``EP_Collate`` in sqlite3's ``expr.c``), so
that what a rewrite drops there can change how the whole is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlglot import exp

from equiv.core.claims.predicates import COLLATION_READERS, is_boolean, is_number
from equiv.core.functions.nodes import function_of

_CLAUSES = (exp.Where, exp.Having, exp.Join, exp.Limit, exp.Offset)
"""Node classes through which a collation does not pass."""


def hands_on_collation(tree: exp.Expression) -> bool:
    """Whether the collation of a text follows from a COLLATE deeper inside its expression."""
    return any(_is_handed_on(collate) for collate in tree.find_all(exp.Collate))


def _is_handed_on(collate: exp.Expression) -> bool:
    is_direct = True
    for node in _operands_above(collate):
        parent = cast(exp.Expression, node.parent)
        if _compares(parent, node) and not is_direct and not _is_number(node):
            return True
        is_direct = is_direct and isinstance(parent, exp.Collate | exp.Cast | exp.Alias)
    return False


def _operands_above(node: exp.Expression) -> Iterator[exp.Expression]:
    """The node and the expressions that it is part of, up to the clause of its query."""
    while node.parent is not None and not isinstance(node.parent, _CLAUSES):
        yield node
        node = cast(exp.Expression, node.parent)
        if isinstance(node, exp.Query):
            return


def _compares(parent: exp.Expression, node: exp.Expression) -> bool:
    if isinstance(parent, exp.Select):
        return parent.parent is not None or parent.args.get("distinct") is not None
    if isinstance(parent, exp.If) and node.arg_key == "this":
        case = parent.parent
        return isinstance(case, exp.Case) and case.args.get("this") is not None
    if isinstance(parent, exp.Case):
        return node.arg_key == "this"
    return isinstance(parent, COLLATION_READERS)


def _is_number(node: exp.Expression) -> bool:
    """Whether a value is no text, so that no collation matters."""
    if isinstance(node, exp.Alias | exp.Filter):
        return _is_number(node.this)
    if isinstance(node, exp.Case):
        branches = [branch.args["true"] for branch in node.args["ifs"]]
        return all(_is_number(value) for value in (*branches, node.args.get("default") or exp.Null()))
    if isinstance(node, exp.If):
        return _is_number(node.args["true"]) and _is_number(node.args.get("false") or exp.Null())
    function = function_of(node)
    is_call = function is not None and function.is_number
    return is_call or is_boolean(node) or is_number(node) or isinstance(node, exp.Null)
