"""Outputs of a choice reduced to keys and columns of the chosen row; expressions are computed outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from equiv.algebra.correspondences import ATOMS
from equiv.algebra.terms import (
    Bag,
    Binding,
    Expression,
    Field,
    Limited,
    Lookup,
    Node,
    Scan,
    Source,
    Term,
    Variable,
    free,
    map_children,
    substitute,
    walk,
)
from equiv.algebra.world import World
from equiv.proof.columns import print_of
from equiv.proof.rewrite import Surroundings, rewrite


@rewrite(on=Term, keeps="answers")
def reduce_choice_to_keys(term: Term, scope: Surroundings) -> Term | None:
    """Let a choice hand on keys and columns of the rows below, not values computed from them.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x + 1) | t.y; rows 1 to 1) → (r.#1)
    After:   Σ r ∈ (Σ t ∈ a → (t.id) | t.y; rows 1 to 1) → (a[id = r.#1].x + 1)
    Refuse:  a choice over several terms; a table without a strict key hands on the columns themselves
    Sound:   which rows are chosen does not depend on what is computed from them
    """
    world = scope.world
    changes: dict[Field, Expression] = {}
    bindings = []
    for binding in term.bindings:
        narrowed = _narrowed(term, binding, world)
        if narrowed is None:
            bindings.append(binding)
            continue
        source, outputs = narrowed
        bindings.append(Binding(binding.row, source))
        changes |= {Field(binding.row, n): output for n, output in outputs.items()}
    if not changes:
        return None
    return substitute(replace(term, bindings=tuple(bindings)), lambda f: changes.get(f, f))


def _narrowed(term: Term, binding: Binding, world: World) -> tuple[Limited, dict[int, Expression]] | None:
    """A choice of leaves, and what is read of its columns in terms of them; None if it is one of leaves."""
    source = binding.source
    if not isinstance(source, Limited) or len(source.bag.terms) != 1:
        return None
    inner = source.bag.terms[0]
    read = sorted({int(f.column) for f in walk(term) if isinstance(f, Field) and f.row == binding.row})
    leaves = _Leaves(binding.row, {b.row: b.source for b in inner.bindings}, world)
    outputs = {column: leaves.over(inner.outputs[column]) for column in read}
    ordered = sorted(leaves.found, key=print_of)
    if ordered == list(inner.outputs[: source.visible]):
        return None
    moved = {leaves.found[leaf]: place for place, leaf in enumerate(ordered)}

    def place(field: Field) -> Expression:
        return Field(field.row, moved[int(field.column)]) if field.row == binding.row else field

    bag = Bag((replace(inner, outputs=(*ordered, *inner.outputs[source.visible :])),))
    fields = {column: substitute(output, place) for column, output in outputs.items()}
    return replace(source, bag=bag, visible=len(ordered)), fields


class _Leaves:
    """The outputs of a choice that suffice to compute some expressions outside it."""

    def __init__(self, row: Variable, sources: Mapping[Variable, Source], world: World) -> None:
        self.row = row
        self.sources = sources
        self.world = world
        self.found: dict[Expression, int] = {}

    def over(self, expression: Expression) -> Expression:
        """The expression over the row that is handed on."""

        def each(node: Node) -> Node:
            if isinstance(node, Field) and node.row in self.sources:
                return self._column(node)
            if isinstance(node, ATOMS) and free(node) & set(self.sources):
                return self._leaf(node)
            return map_children(node, each)

        return each(expression)  # type: ignore[return-value]

    def _leaf(self, node: Expression) -> Field:
        return Field(self.row, self.found.setdefault(node, len(self.found)))

    def _column(self, field: Field) -> Expression:
        """A column, by the key of its table if there is one that is never NULL."""
        source = self.sources[field.row]
        if not isinstance(source, Scan):
            return self._leaf(field)
        columns = [column.name for column in self.world.table(source.table).columns]
        key = self.world.facts.strict_key(source.table, columns)
        if key is None or field.column in key[0].columns:
            return self._leaf(field)
        self.world.use(key)
        values = tuple(self._leaf(Field(field.row, column)) for column in key[0].columns)
        return Lookup(source.table, key[0].columns, values, str(field.column))
