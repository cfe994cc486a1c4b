"""Window functions of node trees, their window written out."""

from __future__ import annotations

from typing import Literal

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import Node
from equiv.dialects.postgres.analysis.scope import Scope
from equiv.dialects.typed.tree import Expr, Frame, Over

_UNITS: dict[int, Literal["RANGE", "ROWS", "GROUPS"]] = {0x2: "RANGE", 0x4: "ROWS", 0x8: "GROUPS"}
_BETWEEN = 0x10
_STARTS = {0x20: "UNBOUNDED PRECEDING", 0x200: "CURRENT ROW", 0x800: "PRECEDING", 0x2000: "FOLLOWING"}
_ENDS = {0x100: "UNBOUNDED FOLLOWING", 0x400: "CURRENT ROW", 0x1000: "PRECEDING", 0x4000: "FOLLOWING"}
_EXCLUSIONS = {0x8000: "CURRENT ROW", 0x10000: "GROUP", 0x20000: "TIES"}


def over(node: Node, scope: Scope) -> Expr:
    """The typed expression of a window function.

    Raises:
        UnsupportedError: a part of it that is not read.
    """
    from equiv.dialects.postgres.analysis.expressions import expression, maybe, sort_key

    if node.text("winignorenulls") not in ("", "false", "0"):
        raise UnsupportedError("Window", "IGNORE NULLS")
    level = scope.level().node
    (clause,) = [
        each for each in level.nodes("windowClause") if each.number("winref") == node.number("winref")
    ]
    targets = {each.number("ressortgroupref"): each for each in level.nodes("targetList")}

    def target(term: Node) -> Expr:
        return expression(targets[term.number("tleSortGroupRef")].node("expr"), scope)

    return Over(
        scope.type(node, "wintype"),
        scope.catalogue.routine(node.number("winfnoid")),
        tuple(expression(each, scope) for each in node.nodes("args")),
        node.flag("winstar"),
        maybe(node.maybe("aggfilter"), scope),
        tuple(target(each) for each in clause.nodes("partitionClause")),
        tuple(sort_key(each, target(each), scope) for each in clause.nodes("orderClause")),
        _frame(clause, scope),
    )


def _frame(clause: Node, scope: Scope) -> Frame:
    from equiv.dialects.postgres.analysis.expressions import maybe

    options = clause.number("frameOptions")
    return Frame(
        next(unit for bit, unit in _UNITS.items() if options & bit),
        _bound(_STARTS, options),
        _bound(_ENDS, options),
        maybe(clause.maybe("startOffset"), scope),
        maybe(clause.maybe("endOffset"), scope),
        next((word for bit, word in _EXCLUSIONS.items() if options & bit), ""),
        bool(options & 1),
        not options & _BETWEEN,
    )


def _bound(bounds: dict[int, str], options: int) -> str:
    found = [word for bit, word in bounds.items() if options & bit]
    if len(found) != 1:
        raise UnsupportedError("Window", "such a frame")
    return found[0]
