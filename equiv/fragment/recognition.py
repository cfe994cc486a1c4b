"""Both queries of a pair as unions of conjunctive queries, or what keeps them out of the fragment.

Constructs that no query of the fragment has are told from the tree alone.  How many cases a pair has, and
the room for a value of its own for each element of a case, are counted before any case is made, so that it
costs little to say whether a pair lies in the fragment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from sqlglot import exp

from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.core.query import UnsupportedError
from equiv.fragment.constraints import FragmentConstraints, check_references_to_keys, constraints_of
from equiv.fragment.queries import ConjunctiveQuery, Cuts, EmptyRegionError, OutsideError, Region, Union, read
from equiv.fragment.tableau import MOST_ROWS, NULL, Tableau, frozen
from equiv.relation import Columns, Rows

_BEYOND = (exp.AggFunc, exp.Window, exp.Limit, exp.Offset, exp.Case, exp.Group, exp.Func)


def _beyond(tree: exp.Expression) -> str:
    """The name of a node that keeps a query out of the fragment; '' if its tree has none."""
    nodes = tree.find_all(*_BEYOND)
    found = next((node for node in nodes if not isinstance(node, exp.Connector | exp.Exists)), None)
    return "" if found is None else type(found).__name__


@dataclass(frozen=True)
class Recognised:
    """A pair of the fragment."""

    pred: Union
    gold: Union
    constraints: FragmentConstraints


def recognised(pair: Pair) -> Recognised:
    """A pair as the fragment has it: both queries as written, before any rewrite.

    Raises:
        OutsideError: it does not lie in the fragment.
    """
    queries = (pair.pred, pair.gold)
    trees = [query.tree for query in queries]
    if pair.unsupported or pair.has_parameters or not pair.runs_on_core or None in trees:
        raise OutsideError("a query that the algebra does not model exactly")
    if pair.pred.columns != pair.gold.columns:
        raise OutsideError("different numbers of columns")
    if pair.relation.columns is Columns.ANY and pair.gold.columns > 1:
        raise OutsideError("a relation that allows the columns in any order")
    for tree in trees:
        assert tree is not None
        if found := _beyond(tree):
            raise OutsideError(found)
    world = World(pair.schema, pair.facts)
    rows = pair.relation.rows
    try:
        answers = [translate(tree, world) for tree in trees if tree is not None]
    except UnsupportedError as error:
        raise OutsideError(str(error)) from error
    pred, gold = (read(each, as_set=rows is Rows.SET, ordered=rows is Rows.LIST) for each in answers)
    if rows is Rows.LIST and any(query.orders for query in queries):
        raise OutsideError("ORDER BY under an ordered relation")
    constraints = constraints_of(pair.schema, pair.facts, (pred, gold))
    if not (pred.distinct and gold.distinct):
        check_references_to_keys(constraints)
    _check_sizes((pred, gold), constraints)
    return Recognised(pred, gold, constraints)


def outside(pair: Pair) -> str:
    """The construct that keeps a pair out of the fragment, in one line; '' if it lies in it."""
    try:
        recognised(pair)
    except OutsideError as error:
        return str(error) or "outside"
    return ""


_MOST_CASES = 8000
"""Queries of more cases are outside."""

_MOST_BOUNDS = 400
"""Twice the number of integers that columns may be compared with."""

_MOST_DOUBLED = 200
"""So many where a query whose duplicates count faces one without: each case meets each other one."""


def _check_sizes(unions: tuple[Union, Union], constraints: FragmentConstraints) -> None:
    """Let a pair of few cases pass; constants between which there are few integers become cuts.

    Raises:
        OutsideError: there are more.
    """
    bodies = [[b for block in union.blocks if (b := _largest(block, constraints))] for union in unions]
    _make_room([body for side in bodies for body, _ in side], constraints)
    is_mixed = unions[0].distinct is not unions[1].distinct
    for union, side in zip(unions, bodies, strict=True):
        most = _MOST_DOUBLED if is_mixed and not union.distinct else _MOST_CASES
        if sum(_cases(body, forced) for body, forced in side) > most:
            raise OutsideError(f"more than {most} cases")


def _largest(block: ConjunctiveQuery, constraints: FragmentConstraints) -> tuple[Tableau, set[int]] | None:
    """The body of a block with each row that a foreign key may ask for; None if it never has a row.

    Returns:
        The body, and the elements that might be NULL if it were not for these rows.
    """
    try:
        body = frozen(block, constraints)
        body.chase()
    except EmptyRegionError:
        return None
    whole, forced = body.copy(), set[int]()
    try:
        while open_ones := _open_references(whole):
            forced.add(open_ones[0])
            whole.restrict(open_ones[0], Region())
            whole.chase()
    except EmptyRegionError:
        return body, set()
    if len(whole.rows) > MOST_ROWS // 2:  # where a row is sought twice, two bodies meet
        raise OutsideError(f"a query over more than {MOST_ROWS // 2} table occurrences")
    return whole, forced


def _open_references(body: Tableau) -> list[int]:
    """The elements of referring columns that may be NULL or not."""
    columns = [
        cells[name]
        for table, cells in body.rows.values()
        for reference in body.constraints.rules[table].references
        for name in reference.columns
    ]
    return [element for element in columns if element != NULL and body.regions[element] is None]


def _make_room(bodies: Iterable[Tableau], constraints: FragmentConstraints) -> None:
    """Tell apart the integers between two constants where there are fewer than elements may lie there."""
    cuts = [each for each in constraints.cuts.values() if each.bounds]
    if not cuts:
        return
    # Where a row is sought twice, the elements of two bodies meet.
    most = 2 * max((sum(1 for _ in _cut_elements(body)) for body in bodies), default=0)
    bounds = sorted({bound for each in cuts for bound in each.bounds})
    if len(bounds) > _MOST_BOUNDS:
        raise OutsideError(f"comparisons with more than {_MOST_BOUNDS // 2} integers")
    for low, high in pairwise(bounds):
        taken = sum(isinstance(value, int) and low <= value < high for value in constraints.constants)
        if 1 < high - low < most + taken:
            for each in cuts:
                each.bounds |= set(range(low, high + 1))


def _cut_elements(body: Tableau) -> Iterable[tuple[int, list[Cuts]]]:
    """The elements that conditions read, with the cuts of their columns."""
    for element, places in body.columns().items():
        read = [body.constraints.cuts[place] for place in places if place in body.constraints.cuts]
        if read and element != NULL:
            yield element, read


def _cases(body: Tableau, forced: set[int]) -> int:
    """How many cases a body has at most."""
    return prod(
        _ways(body.regions[element], read, may_be_null=element in forced or body.regions[element] is None)
        for element, read in _cut_elements(body)
    )


def _ways(region: Region | None, read: list[Cuts], *, may_be_null: bool) -> int:
    known = region or Region()
    bounds = sum(known.splits_at(bound) for bound in {bound for each in read for bound in each.bounds})
    points = sum(known.may_be(point) for point in {point for each in read for point in each.points})
    return bounds + points + 1 + (may_be_null and any(each.nulls for each in read))
