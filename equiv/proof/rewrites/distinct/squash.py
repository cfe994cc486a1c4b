"""DISTINCT sources: inlined where their rows differ anyway; the rewrites of DISTINCT in firing order."""

from __future__ import annotations

from equiv.algebra.terms import (
    Binding,
    Expression,
    Field,
    Scan,
    Squash,
    Term,
    Variable,
    conjuncts,
    free,
    sites,
    walk,
)
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.columns import (
    eliminate_determined_column,
    push_fixed_column_into_distinct,
    reduce_distinct_outputs,
)
from equiv.proof.rewrites.distinct.conditions import (
    pull_condition_from_distinct,
    push_semi_join_into_distinct,
)
from equiv.proof.rewrites.distinct.replaced_bindings import with_conditions, with_fields
from equiv.proof.rewrites.distinct.tables import convert_distinct_to_table
from equiv.proof.rewrites.distinct.variables import Distinct, distinct_has_no_choice, is_alone, is_of_one_term
from equiv.proof.rewrites.equalities import equal_values
from equiv.proof.rewrites.scope import Scope


def outputs_determine_rows(at: Distinct, scope: Scope) -> bool:
    """Different rows of the variables give different outputs."""
    facts = _facts_that_rows_differ(at.bag.terms[0], at.around(scope))
    scope.world.use(facts or ())
    return facts is not None


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone, is_of_one_term),
    needs=(distinct_has_no_choice, outputs_determine_rows),
)
def inline_distinct_on_key(at: Distinct, scope: Scope) -> list[Term] | None:
    """Inline a DISTINCT source whose rows differ anyway, since the columns contain a key of each variable.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.id, t.x)) → (r.#2)
    After:   Σ t ∈ a → (t.x)
    Refuse:  the key may be NULL: two rows (NULL, 'x') are one distinct row
    Sound:   the outputs contain, or fix, a strict key of every variable, so no two rows are equal
    """
    (inner,) = at.bag.terms
    fields = dict(enumerate(inner.outputs))
    changed = with_fields(at.shown, at.place, inner.bindings, fields, scope)
    return [with_conditions(changed, *conjuncts(inner.condition))]


def _facts_that_rows_differ(term: Term, scope: Scope) -> list[Fact] | None:
    """Facts by which different rows of the variables give different outputs, or None."""
    classes = equal_values(conjuncts(term.condition))
    inside = scope.within(term.bindings, conjuncts(term.condition))
    own = {binding.row for binding in term.bindings}
    fixed: set[Variable] = set()
    facts: list[Fact] = []

    def is_fixed(value: Expression) -> bool:
        return any(map(is_of_fixed, (*classes.of(value), value)))

    def is_of_fixed(value: Expression) -> bool:
        # A value with a choice inside may be another for two rows of which it reads equal columns.
        if value in term.outputs:
            return True
        if isinstance(value, Field) or sites(value):
            return not free(value) & own - fixed
        return all(is_of_fixed(field) for field in walk(value) if isinstance(field, Field))

    def fixing(binding: Binding) -> list[Fact] | None:
        source, row = binding.source, binding.row
        if (free(source) & own) - fixed:
            return None
        if isinstance(source, Squash):
            positions = range(len(source.bag.terms[0].outputs) if source.bag.terms else 0)
            return [] if all(is_fixed(Field(row, place)) for place in positions) else None
        for fact in inside.world.facts.keys(source.table) if isinstance(source, Scan) else ():
            names = [inside.world.column(fact.table, name).name for name in fact.columns]
            columns = [Field(row, name) for name in names]
            if all(is_fixed(column) and inside.never_null(column) for column in columns):
                return [fact]
        return None

    waiting = list(term.bindings)
    while waiting:
        next_fixed = next(((b, more) for b in waiting if (more := fixing(b)) is not None), None)
        if next_fixed is None:
            return None
        waiting.remove(next_fixed[0])
        fixed.add(next_fixed[0].row)
        facts += next_fixed[1]
    return facts


DISTINCT = (
    inline_distinct_on_key,
    reduce_distinct_outputs,
    eliminate_determined_column,
    pull_condition_from_distinct,
    push_fixed_column_into_distinct,
    push_semi_join_into_distinct,
    convert_distinct_to_table,
)
"""Rewrites of a DISTINCT source, in firing order."""
