"""Functions in FROM of which constants say the few rows: UNNEST of a list, RANGE and GENERATE_SERIES."""

from __future__ import annotations

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.few_rows import is_small
from equiv.dialects.duckdb.resolving.rows import list_of
from equiv.dialects.duckdb.resolving.scope import Node, Scope
from equiv.dialects.duckdb.resolving.tree import own
from equiv.dialects.duckdb.resolving.types import BIGINT, DuckType
from equiv.dialects.typed import tree as t


def called_source(node: Node, scope: Scope) -> t.Called:
    """The rows of a function of constants.

    Raises:
        UnsupportedError: it is another one, or has many rows.
    """
    from equiv.dialects.duckdb.resolving.expressions import places, resolved, unified

    call = node["function"]
    name = str(call["function_name"]).lower()
    if not is_small(node):
        raise UnsupportedError("From", f"the function {name} in FROM, unless few rows of constants")
    given = [each["expression"] for each in call["arguments"]]
    elements = list_of(given[0]) if name == "unnest" else None
    values = [resolved(each, scope) for each in (given if elements is None else elements)]
    kind: DuckType = BIGINT
    if elements is not None:
        kind, values = unified(values, f"COALESCE({places(len(values))})", scope)
    number, alias = next(scope.session.numbers), str(node.get("alias") or name)
    arguments: tuple[t.Expr, ...] = tuple(values)
    if elements is not None:
        arguments = (t.Array(kind, arguments),)
    found = t.RoutineCall(kind, own(name, arguments), arguments)
    return t.Called(number, alias, (alias if node.get("alias") else name,), found)
