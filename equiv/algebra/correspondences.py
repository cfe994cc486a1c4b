"""Candidate bijections between the variables of two terms, by graph isomorphism of their conditions.

Which variable of one term plays the part of which of the other is a question of labelled graph isomorphism.
Few bijections are all looked at.  Of many, colour refinement (Weisfeiler and Leman, 1968) first parts the
variables of each side by the conditions, outputs and sources that mention them; among variables that it
leaves alike, VF2 finds the isomorphisms.  Terms that mean the same may still be written differently: then no
isomorphism exists, and bijections that keep the colours are ranked by what they make the same.

A correspondence is a candidate only: the prover decides whether the terms are equal under it.  An *atom* is
an expression with a bag inside; nodes are compared up to the choices in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, permutations
from math import factorial, prod

from equiv.algebra import terms as t
from equiv.graphs import isomorphisms

ATOMS = (t.Exists, t.Aggregate, t.First)
"""Expressions with a bag inside, which the prover takes as opaque."""


def without_sites(node: t.Node) -> t.Node:
    """The node with all choice sites forgotten and bound variables renumbered: its shape."""

    def each(inner: t.Node) -> t.Node:
        changed = t.map_children(inner, each)
        match changed:
            case t.Limited(bag, visible, directions, limit, offset, _):
                return t.Limited(bag, visible, directions, limit, offset, 0)
            case t.Numbered(bag, visible, partition, directions, _):
                return t.Numbered(bag, visible, partition, directions, 0)
            case t.Aggregate(function, bag, whole, _):
                return t.Aggregate(function, bag, whole, 0)
        return changed

    return t.alpha(each(node))


def atoms(node: t.Node) -> list[t.Exists | t.Aggregate | t.First]:
    """The outermost expressions with bags inside, each once, in order."""
    found: dict[t.Exists | t.Aggregate | t.First, None] = {}
    stack: list[t.Node] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ATOMS):
            found[current] = None
        else:
            stack += list(t.children(current))[::-1]
    return list(found)


FEW = 24
"""How many bijections are few enough to look at all of them straight away."""

MAX_SCORED = 720
"""How many bijections are ranked where isomorphism does not say which is meant."""

MAX_ISOMORPHISMS = 8
"""How many isomorphisms are offered: more differ only by symmetries of the terms."""

_MARKED = 1_000_000_000
"""The number of the variable that stands for the one whose role is described; colours are numbers above it.

Variables bound further inside are numbered below zero when shapes are compared.
"""

MarkedPart = tuple[object, t.Node]
"""A conjunct, an output by its position or a source of a term; the first component says which."""


def correspondences(left: t.Term, right: t.Term) -> Iterator[t.Term]:
    """The right term over the left one's variables, by each candidate bijection, the likeliest first."""
    mine, theirs = _by_outline(left), _by_outline(right)
    if {name: len(rows) for name, rows in mine.items()} != {name: len(rows) for name, rows in theirs.items()}:
        return
    classes = [(rows, theirs[name]) for name, rows in mine.items()]
    if _count(classes) <= FEW:
        yield from _ranked(left, right, classes)
        return
    seen: set[t.Term] = set()
    refined = _Refined.of(left, right)
    ways = [_ranked(left, right, refined.classes), refined.isomorphic()]
    if _count(refined.classes) > FEW:
        ways.reverse()
    for candidate in chain(*ways, _ranked(left, right, classes)):
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


VariableClasses = Sequence[tuple[Sequence[t.Variable], Sequence[t.Variable]]]
"""Variables of the left term, each class with the variables of the right one that may correspond to them."""


def _count(classes: VariableClasses) -> int:
    """The number of bijections that keep classes."""
    return prod(factorial(len(rows)) for rows, _ in classes)


def _ranked(left: t.Term, right: t.Term, classes: VariableClasses) -> Iterator[t.Term]:
    """The candidates of bijections that keep classes, by how many parts they share with the left term."""
    orders = _orders([rows for rows, _ in classes])
    wanted = _marks(left)
    scored: list[tuple[int, int, t.Term]] = []
    for number, order in enumerate(islice(orders, MAX_SCORED)):
        candidate = t.renamed(right, _onto(order, classes))
        scored.append((-len(wanted & _marks(candidate)), number, candidate))
    yield from (candidate for _, _, candidate in sorted(scored, key=lambda entry: entry[:2]))


def _orders(classes: Sequence[Sequence[t.Variable]]) -> Iterator[tuple[tuple[t.Variable, ...], ...]]:
    """The orders of the members of all classes, one after the other: ``product`` would hold them all."""
    if not classes:
        yield ()
        return
    for first in permutations(classes[0]):
        for others in _orders(classes[1:]):
            yield (first, *others)


def _onto(order: Sequence[Sequence[t.Variable]], classes: VariableClasses) -> dict[t.Variable, t.Variable]:
    """For each variable of the right term the one of the left that it corresponds to."""
    pairs = ((mine, theirs) for mine, (_, theirs) in zip(order, classes, strict=True))
    return {b: a for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True)}


def _marks(term: t.Term) -> set[object]:
    """The parts of a term, sources by variable: what two well-aligned terms have in common."""
    return {
        *(without_sites(part) for part in term.conjuncts),
        *((number, without_sites(output)) for number, output in enumerate(term.outputs)),
        *((b.row, without_sites(b.source)) for b in term.bindings),
    }


def _by_outline(term: t.Term) -> dict[str, list[t.Variable]]:
    found: dict[str, list[t.Variable]] = {}
    for binding in term.bindings:
        found.setdefault(outline(binding.source), []).append(binding.row)
    return found


def outline(source: t.Source) -> str:
    """A fingerprint of a source: equal sources have the same one."""
    match source:
        case t.Scan(table):
            return table
        case t.Squash(bag):
            return f"distinct {_width(bag)}"
        case t.Limited(bag, visible, directions, limit, offset):
            return f"limited {visible} {directions} {limit} {offset}"
        case t.Numbered(bag, visible, partition, directions):
            return f"numbered {visible} {partition} {directions}"


def _width(bag: t.Bag) -> int:
    return len(bag.terms[0].outputs) if bag.terms else 0


class _Side:
    """A term whose variables are coloured ever more finely."""

    def __init__(self, term: t.Term) -> None:
        self.term = term
        self.colours: dict[t.Variable, int] = {}
        parts: list[MarkedPart] = [("condition", part) for part in term.conjuncts]
        parts += [(number, output) for number, output in enumerate(term.outputs)]
        self.parts = {b.row: [p for p in parts if t.mentions(p[1], (b.row,))] for b in term.bindings}
        for binding in term.bindings:
            self.parts[binding.row].append(("own", binding.source))
            for row in self.parts:
                if t.mentions(binding.source, (row,)):
                    self.parts[row].append((("source", outline(binding.source)), binding.source))

    def role(self, row: t.Variable) -> object:
        """The parts of the term that mention a variable, which is marked; colours stand for the others."""
        names = {other: t.Variable(_MARKED + 1 + colour) for other, colour in self.colours.items()}
        names[row] = t.Variable(_MARKED)
        return frozenset(Counter(_described(part, names) for part in self.parts[row]).items())

    def edges(self) -> dict[tuple[t.Variable, t.Variable], object]:
        """The parts of the term that mention both of two variables, by ordered pair; both are marked."""
        found: dict[tuple[t.Variable, t.Variable], object] = {}
        names = {other: t.Variable(_MARKED + 2 + colour) for other, colour in self.colours.items()}
        for one, other in permutations(self.parts, 2):
            shared = [part for part in self.parts[one] if t.mentions(part[1], (other,))]
            if shared:
                marked = {**names, one: t.Variable(_MARKED), other: t.Variable(_MARKED + 1)}
                found[one, other] = frozenset(Counter(_described(part, marked) for part in shared).items())
        return found


def _described(part: MarkedPart, names: Mapping[t.Variable, t.Variable]) -> object:
    """A part with variables renamed; an equality is the same either way round."""
    place, node = part
    if isinstance(node, t.Compare) and node.operator in ("=", "IS"):
        sides = (without_sites(t.renamed(side, dict(names))) for side in (node.left, node.right))
        return (place, node.operator, frozenset(Counter(sides).items()))
    return (place, without_sites(t.renamed(node, dict(names))))


@dataclass(frozen=True, slots=True)
class _Refined:
    """Two terms with their variables coloured alike as finely as both sides agree."""

    left: _Side
    right: _Side
    agree: bool
    """Whether refinement came to its end; else the next round has no bijection that keeps its colours."""

    @staticmethod
    def of(left: t.Term, right: t.Term) -> _Refined:
        """Refine until nothing is distinguished any more, or the sides would part."""
        sides = _Side(left), _Side(right)
        bindings = (*left.bindings, *right.bindings)
        outlines = dict.fromkeys(outline(binding.source) for binding in bindings)
        names = {name: number for number, name in enumerate(outlines)}
        for side in sides:
            side.colours = {b.row: names[outline(b.source)] for b in side.term.bindings}
        while True:
            ranks: dict[object, int] = {}
            finer = [
                {row: ranks.setdefault((side.colours[row], side.role(row)), len(ranks)) for row in side.parts}
                for side in sides
            ]
            is_finer = len(set(finer[0].values())) > len(set(sides[0].colours.values()))
            if Counter(finer[0].values()) != Counter(finer[1].values()):
                return _Refined(*sides, agree=False)
            if not is_finer:
                return _Refined(*sides, agree=True)
            for side, colours in zip(sides, finer, strict=True):
                side.colours = colours

    @property
    def classes(self) -> VariableClasses:
        """The variables of both sides by colour."""
        found: dict[int, tuple[list[t.Variable], list[t.Variable]]] = {}
        for row, colour in self.left.colours.items():
            found.setdefault(colour, ([], []))[0].append(row)
        for row, colour in self.right.colours.items():
            found[colour][1].append(row)
        return list(found.values())

    def isomorphic(self) -> Iterator[t.Term]:
        """The right term, renamed by each candidate bijection under which the edges of both sides agree."""
        if not self.agree:
            return
        found = isomorphisms((self.right.colours, self.right.edges()), (self.left.colours, self.left.edges()))
        for names in islice(found, MAX_ISOMORPHISMS):
            yield t.renamed(self.right.term, names)
