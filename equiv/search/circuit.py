"""Boolean circuits: what is true of a symbolic database, with constants folded and subterms shared.

A literal is a number as in DIMACS: ``n`` and ``-n`` are a node and its negation, :data:`TRUE` is 1
and :data:`FALSE` is -1.  Every other node is a variable or the conjunction of some literals.

A cardinality circuit is a literal for "exactly n" or "at least n" of some literals hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Literal = int

TRUE: Literal = 1
FALSE: Literal = -1


class UncomputedError(Exception):
    """An operation on cells has no value that the search can use: an overflow, an error of SQLite."""


class TooLargeError(UncomputedError):
    """A symbolic database would take more work than is allowed."""


class Circuit:
    """Conjunctions and variables, made at most ``budget`` times."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._parts: list[tuple[Literal, ...] | None] = [None, ()]
        self._nodes: dict[tuple[Literal, ...], Literal] = {}

    def __len__(self) -> int:
        return len(self._parts) - 2

    def parts(self, node: Literal) -> tuple[Literal, ...] | None:
        """The literals whose conjunction a node is; None for a variable."""
        return self._parts[node]

    def variable(self) -> Literal:
        """A new variable.

        Raises:
            TooLargeError: the budget is spent.
        """
        return self._new(None)

    def both(self, left: Literal, right: Literal) -> Literal:
        """The conjunction of two literals."""
        if right in (left, TRUE):
            return left
        if left == TRUE:
            return right
        if right in (FALSE, -left) or left == FALSE:
            return FALSE
        return self._node((left, right) if left < right else (right, left))

    def all(self, literals: Iterable[Literal]) -> Literal:
        """The conjunction of some literals; of none: TRUE."""
        found: set[Literal] = set()
        for literal in literals:
            if literal == FALSE or -literal in found:
                return FALSE
            if literal != TRUE:
                found.add(literal)
        if len(found) < 2:
            return found.pop() if found else TRUE
        return self._node(tuple(sorted(found)))

    def either(self, left: Literal, right: Literal) -> Literal:
        """The disjunction of two literals."""
        return -self.both(-left, -right)

    def any(self, literals: Iterable[Literal]) -> Literal:
        """The disjunction of some literals; of none: FALSE."""
        return -self.all([-literal for literal in literals])

    def same(self, left: Literal, right: Literal) -> Literal:
        """Whether two literals have one truth value."""
        return self.both(-self.both(left, -right), -self.both(-left, right))

    def spend(self, steps: int = 1) -> None:
        """Count work that makes no nodes.

        Raises:
            TooLargeError: the budget is spent.
        """
        self.budget -= steps
        if self.budget < 0:
            raise TooLargeError("the symbolic tables became too large")

    def _node(self, parts: tuple[Literal, ...]) -> Literal:
        known = self._nodes.get(parts)
        if known is None:
            known = self._nodes[parts] = self._new(parts)
        return known

    def _new(self, parts: tuple[Literal, ...] | None) -> Literal:
        self.spend()
        self._parts.append(parts)
        return len(self._parts) - 1


def dimacs(circuit: Circuit, roots: Iterable[Literal]) -> str:
    """Clauses in DIMACS form, satisfiable if and only if all roots can be true at once; '' if they cannot.

    After Plaisted and Greenbaum (1986): each node is constrained only in the directions in which it is used.
    """
    clauses: list[str] = []
    stack = [root for root in roots if root != TRUE]
    if FALSE in stack:
        return ""
    clauses += [f"{root} 0\n" for root in stack]
    seen = set(stack)
    while stack:
        literal = stack.pop()
        parts = circuit.parts(abs(literal))
        if parts is None:
            continue
        if literal > 0:
            clauses += [f"-{literal} {part} 0\n" for part in parts]
        else:
            parts = tuple([-part for part in parts])
            clauses.append(f"{' '.join(map(str, parts))} {-literal} 0\n")
        fresh = [part for part in parts if part not in seen]
        seen.update(fresh)
        stack += fresh
    return f"p cnf {len(circuit) + 2} {len(clauses)}\n{''.join(clauses)}"


class Counts:
    """Counts literals of one circuit; equal questions share their answer."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._known: dict[tuple[Literal, ...], list[Literal]] = {}

    def exactly(self, literals: Iterable[Literal]) -> list[Literal]:
        """Literals by number: at index n, whether exactly n of the literals hold."""
        at_least = self.at_least(literals)
        ends = [*at_least[1:], FALSE]
        return [self._circuit.both(low, -high) for low, high in zip(at_least, ends, strict=True)]

    def at_least(self, literals: Iterable[Literal], most: int | None = None) -> list[Literal]:
        """Literals by number: at index n, whether at least n hold; n goes up to ``most``."""
        inputs = list(literals)
        certain = sum(literal == TRUE for literal in inputs)
        open_ = tuple(sorted(literal for literal in inputs if abs(literal) != TRUE))
        room = len(open_) if most is None else max(0, min(len(open_), most - certain))
        counts = self._known.get((*open_, room))
        if counts is None:
            counts = self._known[(*open_, room)] = self._count(open_, room)
        counted = [TRUE] * certain + counts
        return counted if most is None else counted[: most + 1]

    def reach(self, literals: Sequence[Literal], number: int) -> Literal:
        """Whether at least ``number`` of the literals hold."""
        if number <= 0:
            return TRUE
        counted = self.at_least(literals, number)
        return counted[number] if number < len(counted) else FALSE

    def more(self, left: Iterable[Literal], right: Iterable[Literal]) -> Literal:
        """Whether more of the left literals hold than of the right ones."""
        mine, yours = Counter(left), Counter(right)
        mine, yours = mine - yours, yours - mine
        high, low = self.at_least(mine.elements()), self.at_least(yours.elements())
        circuit = self._circuit
        below = [low[n] if n < len(low) else FALSE for n in range(len(high))]
        return circuit.any([circuit.both(high[n], -below[n]) for n in range(1, len(high))])

    def _count(self, literals: Sequence[Literal], room: int) -> list[Literal]:
        circuit = self._circuit
        found = [TRUE] + [FALSE] * room
        for literal in literals:
            for n in range(room, 0, -1):
                found[n] = circuit.either(found[n], circuit.both(found[n - 1], literal))
        return found
