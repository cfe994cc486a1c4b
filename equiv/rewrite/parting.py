"""Where two normal forms part: the smallest clauses in which they differ, as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from equiv.core.printing import key, to_sql

Parts = tuple[str, str]
"""A part of the one form, and what stands in its place in the other; '' where nothing does."""

_WRAPPERS = (exp.Subquery, exp.Paren, exp.Where, exp.Having, exp.From, exp.Join, exp.Exists, exp.Not, exp.In)
_DEEPEST = 200
_LONGEST = 240
_SHORT = 120
"""A query of so many characters is shown whole."""


def parting(left: exp.Expression, right: exp.Expression) -> Parts | None:
    """The parts in which two trees differ; None if they are one."""
    for _ in range(_DEEPEST):
        if key(left) == key(right):
            return None
        inner = _inner(left, right)
        if inner is None:
            break
        mine, theirs = inner
        if len(mine) != 1 or len(theirs) != 1:
            return _text(mine), _text(theirs)
        left, right = mine[0], theirs[0]
    return _text([left]), _text([right])


def _inner(
    left: exp.Expression, right: exp.Expression
) -> tuple[list[exp.Expression], list[exp.Expression]] | None:
    """The parts of two nodes in which they differ; None if it is best to show the nodes whole."""
    if isinstance(left, exp.And) or isinstance(right, exp.And):
        return _without_shared(_conjuncts(left), _conjuncts(right))
    if type(left) is not type(right) or not isinstance(left, (exp.Query, *_WRAPPERS)):
        return None
    names = [name for name in {**left.args, **right.args} if _keys(left, name) != _keys(right, name)]
    if len(names) != 1:
        return _clauses(left, right, names)
    mine, theirs = _nodes(left, names[0]), _nodes(right, names[0])
    return _without_shared(mine, theirs) if mine or theirs else None


def _clauses(
    left: exp.Expression, right: exp.Expression, names: Sequence[str]
) -> tuple[list[exp.Expression], list[exp.Expression]] | None:
    """The parts of several clauses in which two SELECTs differ; None where one of them would say nothing."""
    if not isinstance(left, exp.Select):
        return None
    mine, theirs = list[exp.Expression](), list[exp.Expression]()
    for name in names:
        one, other = _without_shared(_nodes(left, name), _nodes(right, name))
        mine += one
        theirs += other
    is_short = all(len(to_sql(side)) <= _SHORT for side in (left, right))
    return (mine, theirs) if len(mine) > 1 and len(theirs) > 1 and not is_short else None


def _conjuncts(node: exp.Expression) -> list[exp.Expression]:
    parts = node.flatten(unnest=False) if isinstance(node, exp.And) else (node,)
    return [part for part in parts if isinstance(part, exp.Expression)]


def _nodes(node: exp.Expression, name: str) -> list[exp.Expression]:
    value = node.args.get(name)
    return [
        each for each in (value if isinstance(value, list) else [value]) if isinstance(each, exp.Expression)
    ]


def _keys(node: exp.Expression, name: str) -> object:
    nodes = _nodes(node, name)
    return [key(each) for each in nodes] if nodes else node.args.get(name) or None


def _without_shared(
    left: Sequence[exp.Expression], right: Sequence[exp.Expression]
) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """Both lists less what they share."""
    keys = [[key(each) for each in side] for side in (left, right)]
    mine = [each for each, its_key in zip(left, keys[0], strict=True) if its_key not in keys[1]]
    theirs = [each for each, its_key in zip(right, keys[1], strict=True) if its_key not in keys[0]]
    return (mine, theirs) if mine or theirs else (list(left), list(right))


def _text(nodes: Sequence[exp.Expression]) -> str:
    text = " … ".join(" ".join(to_sql(node).split()) for node in nodes)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
