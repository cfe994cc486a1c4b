"""Self-joins of one table without a key: which source plays which part is a question of graph isomorphism."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from equiv.algebra.correspondences import FEW, correspondences
from equiv.algebra.terms import Term
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World as AlgebraWorld
from equiv.proof.match.bags import MAX_TRIED
from equiv.relation import Rows
from equiv.rules.verification.golden import World
from equiv.tiers.outcome import Open, Proved
from equiv.tiers.proof import ProofTier

WORLD = World("CREATE TABLE t (x INTEGER, y INTEGER, z TEXT)")
Edges = list[tuple[int, int]]


def path(size: int) -> Edges:
    return [(n, n + 1) for n in range(size - 1)]


def cycle(size: int) -> Edges:
    return [*path(size), (size - 1, 0)]


def star(size: int) -> Edges:
    return [(0, n) for n in range(1, size)]


def query(shown: str, edges: Edges, size: int, seed: int = 0) -> str:
    """A self-join with a condition for each edge; sources and conditions in an order of their own."""
    sources = [f"t AS s{n}" for n in range(size)]
    conditions = [f"s{a}.x < s{b}.y" for a, b in edges]
    for listed in (sources, conditions):
        Random(seed).shuffle(listed)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {shown} FROM {', '.join(sources)}{where}"


def settled(left: str, right: str) -> Proved | Open:
    outcome = ProofTier().settle(WORLD.pair(left, right, Rows.BAG), 0)
    assert isinstance(outcome, Proved | Open)
    return outcome


def term_of(sql: str) -> Term:
    tree = WORLD.read(sql).tree
    assert tree is not None
    (term,) = translate(tree, AlgebraWorld(WORLD.schema, WORLD.facts)).bag.terms
    return term


@pytest.mark.parametrize(
    ("shown", "edges", "size"),
    [
        (", ".join(f"s{n}.x" for n in range(7)), [], 7),
        ("s0.z", path(8), 8),
        ("COUNT(*)", cycle(8), 8),
        ("s0.z", star(12), 12),
        ("s0.z", path(12), 12),
    ],
    ids=["outputs of 7", "path of 8", "cycle of 8", "star of 12", "path of 12"],
)
def test_sources_in_another_order_are_matched(shown: str, edges: Edges, size: int) -> None:
    assert isinstance(settled(query(shown, edges, size), query(shown, edges, size, 1)), Proved)


@pytest.mark.long
@pytest.mark.parametrize(
    ("shown", "edges", "others", "size"),
    [
        ("s0.z", path(8), [*path(7), (7, 6)], 8),
        ("s0.z", star(12), [*star(11), (11, 0)], 12),
        ("COUNT(*)", cycle(8), [*cycle(4), (4, 5), (5, 6), (6, 7), (7, 4)], 8),
    ],
    ids=["an edge of a path", "a ray of a star", "one cycle or two"],
)
def test_another_graph_is_not_matched(shown: str, edges: Edges, others: Edges, size: int) -> None:
    assert isinstance(settled(query(shown, edges, size), query(shown, others, size, 1)), Open)


def test_many_bijections_are_not_all_made() -> None:
    def counted(found: Iterator[Term]) -> Iterator[int]:
        return (number for number, _ in enumerate(found, 1))

    alike = term_of(query("1", [], 12)), term_of(query("1", [], 12, 1))
    assert next(counted(correspondences(*alike))) == 1
    few = term_of(query("1", path(4), 4)), term_of(query("1", path(4), 4, 1))
    assert max(counted(correspondences(*few))) == FEW
    assert MAX_TRIED <= FEW
