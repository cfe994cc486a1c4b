"""Graph algorithms: what each returns, and laws that hold for every small graph."""

from __future__ import annotations

from itertools import combinations, islice, product

from hypothesis import given
from hypothesis import strategies as st

from equiv.graphs import (
    components,
    depth_first_postorder,
    isomorphisms,
    maximum_matching,
    perfect_matchings,
    topological_order,
)

NODES = st.integers(0, 6)
EDGES = st.lists(st.tuples(NODES, NODES), max_size=9)


def test_components_stand_where_their_first_node_does() -> None:
    assert components("abcde", ["ca", "eb", "x"]) == [["a", "c"], ["b", "e"], ["d"]]


@given(EDGES)
def test_two_nodes_are_in_one_component_if_a_path_joins_them(edges: list[tuple[int, int]]) -> None:
    reach = {node: {node} for node in range(7)}
    for _ in range(7):
        for one, two in edges:
            reach[one] |= reach[two]
            reach[two] |= reach[one]
    assert {frozenset(group) for group in components(range(7), edges)} == set(map(frozenset, reach.values()))


def test_postorder_puts_parents_first_and_breaks_circles() -> None:
    parents = {"line": ["order", "item"], "order": ["customer"], "customer": ["order"], "item": []}
    assert depth_first_postorder(parents, parents.__getitem__) == ["customer", "order", "item", "line"]


def test_postorder_of_a_long_chain_does_not_recurse() -> None:
    found = depth_first_postorder([50_000], lambda node: [node - 1] if node else [])
    assert found == list(range(50_001))


@given(EDGES)
def test_topological_order_exists_unless_there_is_a_circle(edges: list[tuple[int, int]]) -> None:
    before: dict[int, list[int]] = {node: [] for node in range(7)}
    for one, two in edges:
        before[two].append(one)
    order = topological_order(range(7), before.__getitem__)
    reach = {node: set(before[node]) for node in range(7)}
    for _ in range(7):
        reach = {node: found.union(*(reach[each] for each in found)) for node, found in reach.items()}
    assert (order is None) == any(node in found for node, found in reach.items())
    assert order is None or all(order.index(one) < order.index(two) for one, two in edges)


@given(st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5))
def test_no_matching_is_larger(candidates: list[list[int]]) -> None:
    found = maximum_matching(range(len(candidates)), lambda node: candidates[node])
    assert len(set(found.values())) == len(found)
    assert all(right in candidates[left] for left, right in found.items())
    # The deficiency version of Hall's theorem.
    some = (c for n in range(len(candidates) + 1) for c in combinations(range(len(candidates)), n))
    lacking = max(len(c) - len({right for left in c for right in candidates[left]}) for c in some)
    assert len(found) == len(candidates) - lacking


@given(EDGES, st.permutations(range(7)), st.lists(st.integers(0, 1), min_size=7, max_size=7))
def test_a_renamed_graph_is_isomorphic(
    edges: list[tuple[int, int]], names: list[int], colours: list[int]
) -> None:
    left = dict(enumerate(colours)), dict.fromkeys(edges, "edge")
    right = {names[n]: c for n, c in enumerate(colours)}, {(names[a], names[b]): "edge" for a, b in edges}
    found = next(isomorphisms(left, right))
    assert {(found[a], found[b]) for a, b in edges} == set(right[1])
    assert all(right[0][found[node]] == colour for node, colour in left[0].items())


def test_labels_and_colours_tell_graphs_apart() -> None:
    plain = {0: "", 1: ""}, {(0, 1): "<"}
    assert not list(isomorphisms(plain, ({0: "", 1: ""}, {(0, 1): "="})))
    assert not list(isomorphisms(plain, ({0: "", 1: "key"}, {(0, 1): "<"})))
    assert list(isomorphisms(plain, ({0: "", 1: ""}, {(1, 0): "<"}))) == [{0: 1, 1: 0}]


@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5))
def test_perfect_matchings_are_all_injections_in_order(candidates: list[list[int]]) -> None:
    every = [way for way in product(*candidates) if len(set(way)) == len(way)]
    assert list(perfect_matchings(candidates)) == every


def test_no_perfect_matching_is_looked_for_in_vain() -> None:
    """All choices for the first thirty nodes would be tried before the last shows that there is none."""
    anything = list(range(40))
    assert list(perfect_matchings([*[anything] * 30, []])) == []
    assert list(perfect_matchings([*[anything[:30]] * 29, [30], [30]])) == []
    assert len(list(islice(perfect_matchings([anything] * 40), 100))) == 100


def test_perfect_matchings_of_many_nodes_do_not_recurse() -> None:
    assert next(perfect_matchings([[node] for node in range(2_000)])) == tuple(range(2_000))
