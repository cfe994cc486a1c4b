"""The constructs that no query of the fragment has, told from its tree alone."""

from __future__ import annotations

from sqlglot import exp

_BEYOND = (exp.AggFunc, exp.Window, exp.Limit, exp.Offset, exp.Case, exp.Group, exp.Func)


def beyond(tree: exp.Expression) -> str:
    """The name of a node that keeps a query out of the fragment; '' if its tree has none."""
    nodes = tree.find_all(*_BEYOND)
    found = next((node for node in nodes if not isinstance(node, exp.Connector | exp.Exists)), None)
    return "" if found is None else type(found).__name__
