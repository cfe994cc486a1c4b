"""Bound plans that surely have one answer on a database, order apart, and in which nothing rounds."""

from __future__ import annotations

from typing import Any

from equiv.dialects.duckdb.guard import ALLOWED, CHOOSING
from equiv.dialects.duckdb.trees import Tree, nodes

_STEPS = frozenset(
    f"LOGICAL_{name}"
    for name in """PROJECTION FILTER GET AGGREGATE_AND_GROUP_BY COMPARISON_JOIN ANY_JOIN DELIM_JOIN
    DEPENDENT_JOIN CROSS_PRODUCT UNION EXCEPT INTERSECT ORDER_BY DISTINCT CTE_REF MATERIALIZED_CTE
    RECURSIVE_CTE DUMMY_SCAN EMPTY_RESULT EXPRESSION_GET COLUMN_DATA_GET UNNEST DELIM_GET""".split()  # noqa: SIM905
)
"""Steps whose rows are, order apart, a function of the rows below: no LIMIT, window, sample, ASOF or
POSITIONAL join."""
_BOUND = frozenset(
    (
        *("__cast", "=", "<>", "!=", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM", "IS DISTINCT FROM"),
        *("unpivot_list", "array_slice", "and", "or", "not"),
    )
)
"""Functions that DuckDB makes of other words, besides those that a query may call."""
_CALLS = frozenset(("BOUND_FUNCTION", "BOUND_AGGREGATE"))
_EXPRESSIONS = _CALLS | frozenset(
    (
        *("BOUND_REF", "BOUND_COLUMN_REF", "BOUND_CONSTANT", "BOUND_OPERATOR", "BOUND_CASE"),
        *("BOUND_CONJUNCTION", "BOUND_BETWEEN", "BOUND_COMPARISON", "BOUND_CAST", "BOUND_UNNEST"),
        "BOUND_LAMBDA",
    )
)
_FLOATS = frozenset(("FLOAT", "DOUBLE"))
_CHOSEN = frozenset(("min", "max", "greatest", "least", "__cast"))
"""What may give a float without computing one: an operand as it is, or the number that is nearest to it."""


def is_plain_plan(plan: Tree) -> bool:
    """Whether a plan, not optimised, holds nothing that chooses among rows, reads the clock or rounds.

    Whatever is not known counts as something that does.
    """
    return not plan["error"] and all(map(_is_plain, nodes(plan["plans"])))


def _is_plain(node: Tree) -> bool:
    kind, expression = str(node.get("type")), node.get("expression_class")
    if kind.startswith("LOGICAL_") and not (kind in _STEPS and _is_step(kind, node)):
        return False
    if expression is None:
        return True
    if _is_collated(node):
        return False
    if expression in _CALLS:
        return _is_call(node)
    return expression in _EXPRESSIONS


def _is_collated(node: Tree) -> bool:
    """Whether texts that differ may be equal, so that any of them stands for all."""
    info = (node.get("return_type") or {}).get("type_info") or {}
    return bool(info.get("collation"))


def _is_step(kind: str, node: Tree) -> bool:
    if kind == "LOGICAL_DISTINCT":
        return node.get("distinct_type") == "DISTINCT"
    return kind != "LOGICAL_GET" or _name(node) == "seq_scan"


def _is_call(node: Tree) -> bool:
    name = _name(node)
    if name not in _BOUND and (name.lower() not in ALLOWED or name.lower() in CHOOSING):
        return False
    return node["return_type"]["id"] not in _FLOATS or name in _CHOSEN


def _name(node: Tree) -> str:
    path: list[Any] = (node.get("qname") or {}).get("path") or [""]
    return str(path[-1])
