"""Equal values: classes of what a condition equates, and one representative for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from equiv.algebra.terms import (
    Binding,
    Compare,
    Constant,
    Expression,
    Field,
    Lookup,
    Node,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    map_children,
    sites,
    walk,
)
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.constants import is_exact, same_constant
from equiv.proof.rewrites.outputs import in_order, shape
from equiv.proof.rewrites.scope import Scope

_N = TypeVar("_N", bound=Node)


class Classes:
    """A partition of expressions, by structure."""

    def __init__(self) -> None:
        self._of: dict[Expression, list[Expression]] = {}

    def unite(self, left: Expression, right: Expression) -> None:
        """Merge the classes of two expressions."""
        one, two = self.of(left), self.of(right)
        if one is not two:
            one += two
            for each in two:
                self._of[each] = one

    def of(self, expression: Expression) -> list[Expression]:
        """The class of an expression, in the order of uniting."""
        return self._of.setdefault(expression, [expression])

    def all(self) -> list[list[Expression]]:
        """The classes of two members or more."""
        found = {id(members): members for members in self._of.values() if len(members) > 1}
        return list(found.values())


def equal_values(conditions: Iterable[Expression]) -> Classes:
    """Classes of values that are equal by ``=``, none NULL, if the conditions are true."""
    classes = Classes()
    for condition in conditions:
        match condition:
            case Compare("=", left, right):
                classes.unite(left, right)
    return classes


def contradicts(classes: Classes) -> bool:
    """Whether two constants that differ are in one class."""
    for members in classes.all():
        constants = [each for each in members if isinstance(each, Constant) and is_exact(each)]
        if any(not same_constant(constants[0], other) for other in constants[1:]):
            return True
    return False


@rewrite(on=Term, keeps="bag")
def reject_different_constants(term: Term, scope: Scope) -> list[Term] | None:
    """Drop a term whose conditions equate two constants that differ.

    Before:  Σ t ∈ a [t.x = 1 and t.x = 2] → (t.y)
    After:   ∅
    Refuse:  1 and 1.0; REAL constants at all
    Sound:   = is transitive, and no value equals both
    """
    return [] if contradicts(equal_values(conjuncts(term.condition))) else None


@dataclass(frozen=True, slots=True)
class Equations:
    """Conditions of a term that equate values."""

    shown: Term
    equations: tuple[Compare, ...]
    identical: tuple[Fact, ...] | None
    """Facts by which values that are equal so are identical; None if they may not be."""


def equations(term: Term, scope: Scope, equates: Callable[[Expression], bool]) -> Iterator[Equations]:
    """The equations among a term's conditions: those of identical values together, then each other one."""
    inside = scope.within(term.bindings, conjuncts(term.condition))
    identical, others = list[Compare](), list[Compare]()
    mark = scope.world.open_step()
    for condition in conjuncts(term.condition):
        if isinstance(condition, Compare) and equates(condition):
            is_one = inside.are_identical_if_equal(condition.left, condition.right)
            (identical if is_one else others).append(condition)
    facts = scope.world.close_step(mark, is_taken=False)
    if identical:
        yield Equations(term, tuple(identical), facts)
    for other in others:
        yield Equations(term, (other,), None)


def equal_values_are_identical(at: Equations, scope: Scope) -> bool:
    """The values that the conditions equate are one and the same also for functions and as printed."""
    scope.world.use(at.identical or ())
    return at.identical is not None


def names_value(condition: Expression) -> bool:
    """A condition equates a column with another value, without a bag or a choice in it."""
    match condition:
        case Compare("=" | "IS", left, right) if left != right and not sites(condition):
            names = isinstance(left, Field | Lookup) or isinstance(right, Field | Lookup)
            return names and not any(isinstance(node, Binding) for node in walk(condition))
    return False


@rewrite(on=Term, keeps="bag", needs=(equal_values_are_identical,))
def convert_equals_to_representative(at: Equations, scope: Scope) -> list[Term] | None:
    """Replace identical values (equated by the condition) by one representative of their class.

    Before:  Σ t ∈ a, s ∈ b [t.x = s.y and s.y = 1] → (s.y, t.x)
    After:   Σ t ∈ a, s ∈ b [t.x = 1 and s.y = 1] → (1, 1)
    Refuse:  values that may be equal and not identical: 1 and 1.0, 0.0 and -0.0
    Sound:   the equations stay as conjuncts, those of one class each with its representative
    """
    term, classes = at.shown, Classes()
    for equation in at.equations:
        classes.unite(equation.left, equation.right)
    order = scope.within(term.bindings).shapes
    own = {binding.row for binding in term.bindings}
    names: dict[Expression, Expression] = {}
    kept: list[Compare] = []
    for members in classes.all():
        chosen = min(members, key=lambda each: _rank(each, own, order))
        strict = any(c.operator == "=" and c.left in members for c in at.equations)
        for each in members:
            if each != chosen:
                kept.append(Compare("=" if strict else "IS", each, chosen))
                if isinstance(each, Field | Lookup) and not _contains(chosen, each):
                    names[each] = chosen
    changed = _replaced(term, names, at.equations, kept, order)
    return None if changed == term else [changed]


def _contains(node: Expression, part: Expression) -> bool:
    return any(inner == part for inner in walk(node))


def _replaced(
    term: Term,
    names: dict[Expression, Expression],
    equations: Sequence[Compare],
    kept: Sequence[Compare],
    order: Mapping[Variable, str],
) -> Term:
    def each(node: _N) -> _N:
        return _renamed(node, names)

    def inner(node: Expression) -> Expression:
        # The sides of a kept equation stay, what is below them may change.
        return map_children(node, lambda child: _renamed(child, names)) if isinstance(node, Lookup) else node

    conditions = [each(part) for part in conjuncts(term.condition) if part not in equations]
    sides = [in_order(Compare(c.operator, inner(c.left), c.right), order) for c in kept]
    own = {binding.row for binding in term.bindings}
    outer = {name: chosen for name, chosen in names.items() if not free(chosen) & own}
    # A source may not come to mention variables that are bound after it.
    bindings = tuple(_renamed(binding, outer) for binding in term.bindings)
    return Term(bindings, conjunction([*conditions, *sides]), tuple(each(output) for output in term.outputs))


def _renamed(node: _N, names: Mapping[Expression, Expression]) -> _N:
    """The node with fields and look-ups replaced, outermost first."""
    if isinstance(node, Field | Lookup) and node in names:
        return names[node]  # type: ignore[return-value]
    return map_children(node, lambda child: _renamed(child, names))


def _rank(expression: Expression, own: set[Variable], order: Mapping[Variable, str]) -> tuple[object, ...]:
    """Constants first, then outer values, then small ones, then by name."""
    depends = bool(free(expression) & own)
    size = sum(1 for _ in walk(expression))
    return (not isinstance(expression, Constant), depends, size, shape(expression, order))
