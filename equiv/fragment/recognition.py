"""Whether a pair lies in the fragment, and both its queries as unions of conjunctive queries."""

from __future__ import annotations

from dataclasses import dataclass

from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.core.unsupported import UnsupportedError
from equiv.fragment.constraints import Constraints, check_references_to_keys, constraints_of
from equiv.fragment.queries import OutsideError, Union
from equiv.fragment.reading import read
from equiv.fragment.shapes import beyond
from equiv.fragment.sizes import check_sizes
from equiv.relation import Columns, Rows


@dataclass(frozen=True)
class Recognised:
    """A pair of the fragment."""

    pred: Union
    gold: Union
    constraints: Constraints


def recognised(pair: Pair) -> Recognised:
    """A pair as the fragment has it: both queries as written, before any rewrite.

    Raises:
        OutsideError: it does not lie in the fragment.
    """
    queries = (pair.pred, pair.gold)
    trees = [query.tree for query in queries]
    if pair.unsupported or pair.has_parameters or not pair.runs_on_core or None in trees:
        raise OutsideError("a query that has no exact counterpart in the algebra")
    if pair.pred.columns != pair.gold.columns:
        raise OutsideError("different numbers of columns")
    if pair.relation.columns is Columns.ANY and pair.gold.columns > 1:
        raise OutsideError("columns in any order")
    for tree in trees:
        assert tree is not None
        if found := beyond(tree):
            raise OutsideError(found)
    world = World(pair.schema, pair.facts)
    rows = pair.relation.rows
    try:
        answers = [translate(tree, world) for tree in trees if tree is not None]
    except UnsupportedError as error:
        raise OutsideError(str(error)) from error
    pred, gold = (read(each, as_set=rows is Rows.SET, ordered=rows is Rows.LIST) for each in answers)
    if rows is Rows.LIST and any(query.orders for query in queries):
        raise OutsideError("ORDER BY where order counts")
    constraints = constraints_of(pair.schema, pair.facts, (pred, gold))
    if not (pred.distinct and gold.distinct):
        check_references_to_keys(constraints)
    check_sizes((pred, gold), constraints)
    return Recognised(pred, gold, constraints)


def outside(pair: Pair) -> str:
    """The construct that keeps a pair out of the fragment, in one line; '' if it lies in it."""
    try:
        recognised(pair)
    except OutsideError as error:
        return str(error) or "outside"
    return ""
