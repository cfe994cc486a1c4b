"""Boolean circuits: what is true of a symbolic database, with constants folded and subterms shared.

A literal is a number as in DIMACS: ``n`` and ``-n`` are a node and its negation, :data:`TRUE` is 1
and :data:`FALSE` is -1.  Every other node is a variable or the conjunction of some literals.
"""

from __future__ import annotations

from collections.abc import Iterable

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
            raise TooLargeError("the symbolic tables grow too large")

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
