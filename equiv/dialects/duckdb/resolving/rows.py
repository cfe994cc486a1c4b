"""Comparisons of row values, and of a value with the elements of a list that is written out."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.scope import Node, Scope
from equiv.dialects.duckdb.resolving.tree import Contained, RowCompared, comparison
from equiv.dialects.duckdb.resolving.types import BOOLEAN, UNKNOWN
from equiv.dialects.typed import tree as t

CONTAINING = frozenset(("contains", "list_contains", "list_has", "array_contains", "array_has"))


def row_of(node: Node) -> list[Node] | None:
    """The values of a row as it is written; None of anything else."""
    return _arguments(node, ("row",))


def list_of(node: Node) -> list[Node] | None:
    """The elements of a list as it is written; None of anything else."""
    return _arguments(node, ("list_value",))


def _arguments(node: Node, names: Sequence[str]) -> list[Node] | None:
    if node.get("class") != "FUNCTION" or str(node["function_name"]).lower() not in names:
        return None
    given = node.get("arguments") or []
    return None if any(each.get("name") for each in given) else [each["expression"] for each in given]


def compared_rows(sign: str, left: Sequence[Node], right: Sequence[Node], scope: Scope) -> t.Expr:
    """A comparison of two rows.

    Raises:
        UnsupportedError: of different lengths.
    """
    from equiv.dialects.duckdb.resolving.expressions import resolved, unified

    if len(left) != len(right) or not left:
        raise UnsupportedError("Row", "rows of different lengths")
    pairs = [
        unified((resolved(one, scope), resolved(other, scope)), "({0} = {1})", scope)[1]
        for one, other in zip(left, right, strict=True)
    ]
    routines = tuple(comparison("=", *pair) for pair in pairs)
    return RowCompared(BOOLEAN, sign, routines, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def contained(name: str, elements: Sequence[Node], value: Node, scope: Scope) -> t.Expr:
    """Whether a list that is written out contains a value.

    Raises:
        UnsupportedError: an element is no constant.
    """
    from equiv.dialects.duckdb.resolving.expressions import places, resolved, unified

    values = [resolved(each, scope) for each in (*elements, value)]
    if not elements or not all(isinstance(each, t.TypedConstant) for each in values[:-1]):
        raise UnsupportedError("Func", f"{name} of a list that is not of constants")
    _, values = unified(values, f"COALESCE({places(len(values))})", scope)
    *listed, wanted = values
    if wanted.type == UNKNOWN:
        raise UnsupportedError("Func", f"{name} of NULL")
    return Contained(BOOLEAN, name, comparison("=", wanted, listed[0]), tuple(listed), wanted)
