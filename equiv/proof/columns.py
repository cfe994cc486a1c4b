"""Columns in canonical order: of distinct sources, whose columns have names only, and of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations

from equiv.algebra.terms import (
    Answer,
    Bag,
    Binding,
    Constant,
    Expression,
    Field,
    Node,
    Squash,
    Term,
    Variable,
    alpha,
    map_children,
    substitute,
)

MAX_PERMUTATIONS = 24
"""How many orders of the columns of a result are tried."""


def print_of(expression: Expression) -> str:
    """The text of an expression in which labels stand for variables, so that their numbers do not count."""
    return repr(alpha(substitute(expression, lambda f: Constant("text", f"{f.row.label}.{f.column}"))))


def with_sorted_columns(answer: Answer) -> Answer:
    """The answer with the columns of every distinct source in canonical order.

    Left as it is if a variable stands for distinct sources that want several orders.
    """
    orders: dict[Variable, Mapping[int, int]] = {}
    clashes: set[Variable] = set()

    def each(node: Node) -> Node:
        changed = map_children(node, each)
        if isinstance(changed, Binding) and isinstance(changed.source, Squash):
            order = _order(changed.source.bag)
            places = {old: new for new, old in enumerate(order)}
            if orders.setdefault(changed.row, places) != places:
                clashes.add(changed.row)
            return Binding(changed.row, Squash(_reordered(changed.source.bag, order)))
        return changed

    sorted_answer = each(answer)
    assert isinstance(sorted_answer, Answer)
    if clashes:
        return answer

    def moved(field: Field) -> Expression:
        if field.row in orders and isinstance(field.column, int):
            return Field(field.row, orders[field.row][field.column])
        return field

    return substitute(sorted_answer, moved)


def _order(bag: Bag) -> list[int]:
    width = len(bag.terms[0].outputs) if bag.terms else 0
    prints = [tuple(print_of(term.outputs[n]) for term in bag.terms) for n in range(width)]
    return sorted(range(width), key=lambda n: prints[n])


def _reordered(bag: Bag, order: Sequence[int]) -> Bag:
    terms = (Term(t.bindings, t.condition, tuple(t.outputs[n] for n in order)) for t in bag.terms)
    return Bag(tuple(terms))


def reorderings(pred: Answer, gold: Answer) -> Iterator[tuple[tuple[int, ...], Answer]]:
    """The gold answer with its visible columns permuted, the order most like the prediction's first."""
    if pred.visible != gold.visible:
        return
    if not pred.bag.terms or not gold.bag.terms:
        yield tuple(range(gold.visible)), gold
        return
    mine = [print_of(output) for output in pred.bag.terms[0].outputs[: pred.visible]]
    theirs = [print_of(output) for output in gold.bag.terms[0].outputs[: gold.visible]]
    orders = list(islice(permutations(range(gold.visible)), 5040))
    orders.sort(key=lambda order: -sum(mine[n] == theirs[old] for n, old in enumerate(order)))
    for order in orders[:MAX_PERMUTATIONS]:
        keys = range(gold.visible, gold.visible + len(gold.directions))
        bag = _reordered(gold.bag, [*order, *keys])
        yield order, Answer(bag, gold.visible, gold.directions, gold.limit, gold.offset)
