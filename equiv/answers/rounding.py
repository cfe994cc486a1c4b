"""Detection of queries in which rounding of REALs shows beyond the tolerance of cells.

A number that is off by one part in 10**15 is the same cell, but not the same operand of a comparison, of
``%``, of CAST to integer or text, of ROUND; nor is it the same key of a group or an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import cast

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.claims.blocks import feeds
from equiv.core.claims.value_types import cast_affinity, conforms
from equiv.core.functions.table import function_of
from equiv.core.functions.traits import Nearby, Rounds
from equiv.core.model import Affinity, Context, Domain
from equiv.core.printing import to_sql
from equiv.core.query import CAST, COMPARISON
from equiv.facts import Fact, rests_on_exactness
from equiv.verdict import Caveat, Execution, Witness

_PLACES_SHOWN = 3
_WIDTH = 80


def caveat(pair: Pair, facts: Iterable[Fact], evidence: Witness | Execution | None) -> Caveat | None:
    """The caveat of an equivalence that rests on exact arithmetic; None if rounding cannot show.

    Args:
        pair: the pair.
        facts: what its proof rests on.
        evidence: a database on which results differ by rounding alone, if one was met.
    """
    if not rests_on_exactness(facts):
        return None
    ctx = Context(pair.schema, pair.facts)
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    places = dict.fromkeys(place for tree in trees for place in rounding_shows(tree, ctx))
    places |= dict.fromkeys(_rounded_on_the_engine(pair.computed))
    if not places and evidence is None:
        return None
    return Caveat(tuple(places)[:_PLACES_SHOWN], evidence)


def _rounded_on_the_engine(computed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The places of a typed dialect's rounding that leaves no trace in the core's tree."""
    for name, kind in sorted(computed):
        if name == COMPARISON:
            yield "a comparison with CAST(… AS DOUBLE PRECISION)"
        elif kind == "float4":
            yield "CAST(… AS REAL)" if name == CAST else f"{name} of REAL"


def rounding_shows(root: exp.Expression, ctx: Context) -> Iterator[str]:
    """The parts of a query, as SQL, that may come out otherwise because an operand was rounded."""
    seen: set[int] = set()
    for node in root.walk():
        if isinstance(node, exp.Expression) and _rounds(node, ctx):
            yield from _above(node, root, seen)


def _rounds(node: exp.Expression, ctx: Context) -> bool:
    if isinstance(node, exp.Cast):
        return cast_affinity(node) is Affinity.REAL
    function = function_of(node)
    if function is None or function.rounds in (Rounds.NO, Rounds.DIGITS):
        return False
    return conforms(node, Domain.INTEGER, ctx) is None


def _above(node: exp.Expression, root: exp.Expression, seen: set[int]) -> Iterator[str]:
    """The constructs above a rounded value in which rounding can show."""
    while id(node) not in seen:
        seen.add(id(node))
        above = node.parent
        if not isinstance(above, exp.Expression):
            return
        if isinstance(above, exp.Select) and node.arg_key == "expressions":
            yield from _of_output(above, node, root, seen)
            return
        if not _passes(above, node):
            if not _is_indifferent(above):
                yield _shown(node if isinstance(above, exp.Ordered) else above, above)
            return
        node = above


def _passes(above: exp.Expression, node: exp.Expression) -> bool:
    match above:
        case exp.Window():
            return node.arg_key == "this"
        case exp.Case():
            return node.arg_key in ("default", "ifs")
        case exp.If():
            return node.arg_key in ("true", "false")
        case exp.Cast():
            return cast_affinity(above) is Affinity.REAL
    function = function_of(above)
    is_near = function is not None and function.nearby is Nearby.NEAR
    return is_near or isinstance(above, exp.Alias | exp.Paren | exp.Filter)


def _is_indifferent(above: exp.Expression) -> bool:
    tests_null = isinstance(above, exp.Is) and isinstance(above.expression, exp.Null)
    function = function_of(above)
    is_same = function is not None and function.nearby is Nearby.SAME
    return tests_null or is_same or isinstance(above, exp.Exists)


def _of_output(
    select: exp.Expression, output: exp.Expression, root: exp.Expression, seen: set[int]
) -> Iterator[str]:
    """The constructs above a rounded output of a SELECT: DISTINCT, a set operation, the query around it."""
    if select.args.get("distinct") is not None:
        yield _shown(output.unalias(), select)
        return
    query: exp.Expr = select
    while isinstance(query.parent, exp.SetOperation):
        query = query.parent
        if query.args.get("distinct") or not isinstance(query, exp.Union):
            yield to_sql(cast(exp.Expression, query))
            return
    if isinstance(query.parent, exp.Subquery) and not isinstance(query.parent.parent, exp.From | exp.Join):
        yield from _above(query.parent, root, seen)
        return
    if isinstance(query.parent, exp.In):
        yield _shown(query.parent)
        return
    for column in cast(Iterator[exp.Expression], root.find_all(exp.Column)):
        if any(fed is output.unalias() for fed in feeds(column) or ()):
            yield from _above(column, root, seen)


def _shown(part: exp.Expr, above: exp.Expr | None = None) -> str:
    """A part of a query on one line, with what orders by it or keeps it once."""
    words = {"Ordered": "ORDER BY ", "Select": "DISTINCT "}.get(type(above).__name__, "")
    return shorten(words + to_sql(cast(exp.Expression, part)), _WIDTH, placeholder=" …")
