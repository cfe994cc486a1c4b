"""A variable of a term, and the term with another source for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra import terms as t
from equiv.graphs import topological_order
from equiv.proof.rewrite import PlaceIn
from equiv.proof.rewrites.scope import GivenRows, Scope


@dataclass(frozen=True, slots=True)
class Ranged(PlaceIn[t.Term]):
    """A variable of a term."""

    place: int

    @property
    def binding(self) -> t.Binding:
        """The variable and its source."""
        return self.shown.bindings[self.place]

    @property
    def row(self) -> t.Variable:
        """The variable."""
        return self.binding.row

    @property
    def source(self) -> t.Source:
        """The source of the variable."""
        return self.binding.source

    @property
    def bag(self) -> t.Bag:
        """The bag of which each row counts once; the variable must range over distinct rows."""
        assert isinstance(self.source, t.Squash)
        return self.source.bag

    @property
    def mine(self) -> tuple[t.Expression, ...]:
        """The conditions that mention the variable."""
        return tuple(part for part in self.shown.conjuncts if t.mentions(part, {self.row}))

    def around(self, scope: Scope) -> Scope:
        """The scope of the source within that of the term."""
        return scope.within(self.shown.bindings[: self.place])

    def over(self, *bindings: t.Binding) -> t.Term:
        """The term with other bindings in place of the variable's."""
        before, after = self.shown.bindings[: self.place], self.shown.bindings[self.place + 1 :]
        return replace(self.shown, bindings=(*before, *bindings, *after))

    def over_source(self, source: t.Source) -> t.Term:
        """The term with another source for the variable."""
        return self.over(t.Binding(self.row, source))

    def replaced(
        self, new: tuple[t.Binding, ...], fields: Mapping[int, t.Expression], scope: Scope
    ) -> t.Term:
        """The term with other bindings in place of the variable's, and expressions in place of its fields."""

        def each(field: t.Field) -> t.Expression:
            if field.row != self.row or not isinstance(field.column, int):
                return field
            return scope.world.names.copy_of(fields[field.column])

        term, place = self.shown, self.place
        later = tuple(t.substitute(binding, each) for binding in term.bindings[place + 1 :])
        outputs = tuple(t.substitute(output, each) for output in term.outputs)
        return t.Term((*term.bindings[:place], *new, *later), t.substitute(term.condition, each), outputs)

    def inlined(self, inner: t.Term, scope: Scope) -> t.Term:
        """The term over the rows of one that makes the rows of the variable."""
        changed = self.replaced(inner.bindings, dict(enumerate(inner.outputs)), scope)
        return with_conditions(changed, *inner.conjuncts)

    def without_columns(self, known: Mapping[int, t.Expression], scope: Scope) -> t.Term:
        """The term over distinct rows less columns of which it is known what they are, maybe by others."""
        terms = self.bag.terms
        kept = [at for at in range(len(terms[0].outputs)) if at not in known]
        new: dict[int, t.Expression] = {old: t.Field(self.row, at) for at, old in enumerate(kept)}

        def moved(field: t.Field) -> t.Expression:
            return new[int(field.column)] if field.row == self.row else field

        bag = t.Bag(tuple(replace(each, outputs=tuple(each.outputs[at] for at in kept)) for each in terms))
        fields = new | {old: t.substitute(value, moved) for old, value in known.items()}
        return self.replaced((t.Binding(self.row, t.Squash(bag)),), fields, scope)

    def with_conditions_inside(self, inward: Collection[t.Expression], scope: Scope) -> t.Term:
        """The term with some of its conditions on distinct rows within these."""
        copies = scope.world.names.copy_of

        def within(inner: t.Term) -> t.Term:
            def each(field: t.Field) -> t.Expression:
                return copies(inner.outputs[int(field.column)]) if field.row == self.row else field

            moved = (t.substitute(copies(part), each) for part in inward)
            return inner.where([*inner.conjuncts, *moved])

        changed = self.over_source(t.Squash(t.Bag(tuple(map(within, self.bag.terms)))))
        return changed.where(part for part in self.shown.conjuncts if part not in inward)

    def exchanged(
        self, each: Callable[[t.Field], t.Expression], condition: t.Expression = t.TRUE, *new: t.Binding
    ) -> list[t.Term] | None:
        """The term under one more condition, with new bindings before the others in place of the variable's.

        None if a source would mention a variable that is bound after it.

        Args:
            each: what a field becomes.
            new: the bindings.
        """
        binding_of = {b.row: b for b in (*new, *(t.substitute(b, each) for b in self.over().bindings))}
        rows = topological_order(list(binding_of), lambda row: t.free(binding_of[row].source))
        if rows is None:
            return None
        parts = [t.substitute(part, each) for part in self.shown.conjuncts]
        outputs = tuple(t.substitute(output, each) for output in self.shown.outputs)
        return [t.Term(tuple(map(binding_of.__getitem__, rows)), t.conjunction([condition, *parts]), outputs)]


def variables(term: t.Term, *kinds: type[t.Node]) -> Iterator[Ranged]:
    """The variables of a term that range over sources of some kinds, or of any if none is named."""
    for place, binding in enumerate(term.bindings):
        if not kinds or isinstance(binding.source, kinds):
            yield Ranged(term, place)


def with_conditions(term: t.Term, *more: t.Expression) -> t.Term:
    """The term under some more conditions."""
    return t.Term(term.bindings, t.conjunction([*more, *term.conjuncts]), term.outputs)


def where_exists(rows: t.Term, wanted: t.Bag, scope: Scope) -> t.Term:
    """The rows of a term for which a bag has one, which is asked where they themselves do not show it."""
    given = GivenRows.of(rows.bindings, rows.conjuncts, scope)
    return rows if any(map(given.has_row, wanted.terms)) else with_conditions(rows, t.Exists(wanted))


def rows_equal_to(
    bag: t.Bag, values: Sequence[t.Expression], scope: Scope, operator: Literal["=", "IS"] = "IS"
) -> t.Bag:
    """The rows of a bag whose outputs are some values."""
    copies = scope.world.names.copy_of

    def links(inner: t.Term) -> list[t.Expression]:
        return [t.Compare(operator, *pair) for pair in zip(inner.outputs, map(copies, values), strict=True)]

    found = (t.Term(b.bindings, t.conjunction([*b.conjuncts, *links(b)]), ()) for b in bag.terms)
    return t.Bag(tuple(found))
