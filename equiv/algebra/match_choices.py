"""Which choices are made once for each row, so that they may be compared at all.

A choice that depends on outer rows is made anew for each of them.  In the algebra it depends on the fields
that it mentions; the two agree where these fields tell the outer rows apart.  Where they do not, a query
whose choice is free for every row and one whose choice is the same for many may look alike: then nothing
is shown.
"""

from __future__ import annotations

from collections import Counter

from equiv.algebra.terms import (
    Aggregate,
    Answer,
    Binding,
    Field,
    Limited,
    Node,
    Numbered,
    Scan,
    Squash,
    Term,
    children,
    free,
    sites,
    walk,
)
from equiv.algebra.world import World


def are_comparable(answer: Answer, world: World) -> bool:
    """Whether every choice of an answer stands once, and is made once for each row around it."""
    numbers = Counter(sites(answer)).values()
    return all(number == 1 for number in numbers) and _by_row(answer, (), world)


def _by_row(node: Node, around: tuple[Binding, ...], world: World) -> bool:
    match node:
        case Limited() | Numbered() | Aggregate(function="GROUP_CONCAT") if not _tells_apart(
            node, around, world
        ):
            return False
        case Term():
            around = (*around, *node.bindings)
    return all(_by_row(child, around, world) for child in children(node))


def _tells_apart(node: Node, around: tuple[Binding, ...], world: World) -> bool:
    """Whether the fields that a choice mentions tell all rows around it apart, or it mentions none."""
    outer = free(node)
    if not outer:
        return True
    mentioned = {inner for inner in walk(node) if isinstance(inner, Field) and inner.row in outer}
    return all(_is_told(binding, mentioned, world) for binding in around if binding.source != node)


def _is_told(binding: Binding, mentioned: set[Field], world: World) -> bool:
    columns = {field.column for field in mentioned if field.row == binding.row}
    match binding.source:
        case Squash(bag):
            return all(columns >= set(range(len(term.outputs))) for term in bag.terms)
        case Scan(table):
            key = world.facts.strict_key(table, [str(column) for column in columns])
            world.use(key or ())
            return key is not None
        case Limited(limit=int(limit)):
            return limit <= 1
    return False
