"""Graph algorithms, by their names in graph theory: what folders of the engine ask of small graphs.

Nodes are any hashable values.  Results follow the order of the nodes given, so that they do not depend on
hashing.  What every check asks is a few lines; isomorphisms come from networkx, which is imported when one is
asked for: importing it costs as much as importing sqlglot.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)
T = TypeVar("T")


def grouped_by(key: Callable[[T], N], items: Iterable[T]) -> dict[N, list[T]]:
    """The items by their key; keys, and the items of each, in the order of appearance."""
    found: dict[N, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def classes_of(same: Callable[[T, T], bool], items: Iterable[T]) -> list[list[T]]:
    """The classes of an equivalence, each class and its members in the order of appearance.

    An item is compared with one member of each class so far, not against all.
    """
    classes: list[list[T]] = []
    for item in items:
        own = next((members for members in classes if same(members[0], item)), None)
        if own is None:
            classes.append([item])
        else:
            own.append(item)
    return classes


def components(nodes: Iterable[N], edges: Iterable[Iterable[N]]) -> list[list[N]]:
    """The connected components of a hypergraph, each with its nodes in the order given.

    Args:
        nodes: the nodes; a component stands where the first of its nodes does.
        edges: sets of nodes that are connected; what is no node is overlooked.
    """
    parent: dict[N, N] = {node: node for node in nodes}

    def root(node: N) -> N:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for edge in edges:
        ends = [node for node in edge if node in parent]
        for node in ends[1:]:
            parent[root(node)] = root(ends[0])
    return list(grouped_by(root, parent).values())


def depth_first_postorder(nodes: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """All nodes that can be reached, each after its successors, as far as these run in no circle.

    On a circle, a node stands before the one from which it was reached.
    """
    placed: list[N] = []
    entered: set[N] = set()
    for start in nodes:
        if start in entered:
            continue
        entered.add(start)
        path = [(start, iter(successors(start)))]
        while path:
            node, remaining = path[-1]
            step = next((each for each in remaining if each not in entered), None)
            if step is None:
                placed.append(node)
                path.pop()
            else:
                entered.add(step)
                path.append((step, iter(successors(step))))
    return placed


def topological_order(nodes: Sequence[N], predecessors: Callable[[N], Iterable[N]]) -> list[N] | None:
    """The nodes, each after its predecessors and else as early as given; None if there is a circle.

    Predecessors that are not nodes are overlooked.
    """
    known, placed = set(nodes), dict[N, None]()
    before = {node: known.intersection(predecessors(node)) for node in nodes}
    waiting = list(dict.fromkeys(nodes))
    while waiting:
        ready = next((node for node in waiting if before[node] <= placed.keys()), None)
        if ready is None:
            return None
        waiting.remove(ready)
        placed[ready] = None
    return list(placed)


def maximum_matching(nodes: Iterable[int], candidates: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """A maximum matching of a bipartite graph: for each matched left node its right one.

    By augmenting paths (Kuhn, Naval Research Logistics Quarterly 2, 1955), without recursion, so that
    a path may be as long as the graph.

    Args:
        nodes: the left nodes.
        candidates: the right nodes that a left node may be matched with, the likeliest first.
    """
    partner: dict[int, int] = {}
    for start in nodes:
        path: list[tuple[int, Iterator[int], int | None]] = [(start, iter(candidates(start)), None)]
        seen: set[int] = set()
        while path:
            left, remaining, _ = path[-1]
            right = next((each for each in remaining if each not in seen), None)
            if right is None:
                path.pop()
                continue
            seen.add(right)
            path[-1] = (left, remaining, right)
            if right in partner:
                path.append((partner[right], iter(candidates(partner[right])), None))
                continue
            for end, _, chosen in path:
                assert chosen is not None
                partner[chosen] = end
            break
    return {left: right for right, left in partner.items()}


def perfect_matchings(candidates: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """The matchings of a bipartite graph that cover every left node, each as the right nodes in their order.

    They come in lexicographic order.  Nothing is begun that cannot be completed, so that the time between two
    of them is polynomial, and so is the time until it is known that there is none.

    Args:
        candidates: for each left node the right nodes that it may be matched with.
    """

    def completion(first: int, used: set[int]) -> dict[int, int] | None:
        nodes = range(first, len(candidates))
        found = maximum_matching(nodes, lambda node: (j for j in candidates[node] if j not in used))
        return found if len(found) == len(nodes) else None

    whole = completion(0, set())
    if whole is None:
        return
    chosen: list[int] = []
    path = [(iter(candidates[0]), whole)] if candidates else []
    if not path:
        yield ()
    while path:
        remaining, known = path[-1]
        node = len(path) - 1
        used = set(chosen[:node])
        del chosen[node:]
        for right in remaining:
            if right in used:
                continue
            ahead = known if known[node] == right else completion(node + 1, {*used, right})
            if ahead is None:
                continue
            chosen.append(right)
            if node + 1 == len(candidates):
                yield tuple(chosen)
                chosen.pop()
            else:
                path.append((iter(candidates[node + 1]), ahead))
                break
        else:
            path.pop()


Label = Hashable
Colours = Mapping[N, Label]
Labels = Mapping[tuple[N, N], Label]
"""The label of each ordered pair of nodes between which there is an edge."""


def isomorphisms(
    left: tuple[Colours[N], Labels[N]], right: tuple[Colours[N], Labels[N]]
) -> Iterator[dict[N, N]]:
    """The isomorphisms of two directed graphs that keep the colours of nodes and the labels of edges.

    By VF2 (Cordella, Foggia, Sansone and Vento, IEEE PAMI 26(10), 2004), which is quick where colours
    have been refined.

    Yields:
        for each isomorphism the right node of every left one.
    """
    from networkx import DiGraph
    from networkx.algorithms.isomorphism import DiGraphMatcher

    graphs = []
    for colours, labels in (left, right):
        graph = DiGraph()
        for node, colour in colours.items():
            graph.add_node(node, colour=colour)
        for (one, other), label in labels.items():
            graph.add_edge(one, other, label=label)
        graphs.append(graph)
    yield from DiGraphMatcher(
        *graphs,
        node_match=lambda mine, theirs: mine["colour"] == theirs["colour"],
        edge_match=lambda mine, theirs: mine["label"] == theirs["label"],
    ).isomorphisms_iter()
