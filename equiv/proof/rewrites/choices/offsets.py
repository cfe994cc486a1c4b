"""OFFSET expressed by conditions: on the number of rows, and on the values that sort before."""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.terms import (
    Aggregate,
    And,
    Answer,
    Bag,
    Binding,
    Compare,
    Direction,
    Exists,
    Expression,
    Field,
    IsNull,
    Limited,
    Not,
    Or,
    Scan,
    Squash,
    Term,
    conjunction,
    conjuncts,
    integer,
    sites,
)
from equiv.proof.rewrite import Surroundings, rewrite


@rewrite(on=Exists, keeps="value")
def convert_skipping_exists_to_count(node: Exists, scope: Surroundings) -> Expression | None:
    """Ask whether there are more rows than an OFFSET skips.

    Before:  (∃ r ∈ (Σ t ∈ a → (t.x) | t.y; rows 2 to 2))
    After:   1 < COUNT{Σ t ∈ a → (1)}
    Refuse:  LIMIT 0; a condition on the row that is chosen
    Sound:   some row is left exactly if more are there than are skipped, whichever these are
    """
    match node.bag:
        case Bag((Term((Binding(_, Limited(bag, limit=limit, offset=offset)),), condition),)):
            if not offset or limit == 0 or conjuncts(condition):
                return None
            rows = Bag(tuple(replace(term, outputs=(integer(1),)) for term in bag.terms))
            return Compare("<", integer(offset), Aggregate("COUNT", rows))
    return None


@rewrite(on=Limited, keeps="answers")
def convert_skipped_value_to_bound(rows: Limited, scope: Surroundings) -> Limited | None:
    """Choose among the distinct values before which another one comes, instead of skipping the first.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1) | g.#1 descending; row 2
    After:   Σ g ∈ distinct(Σ t ∈ a [(∃ s ∈ a [t.x < s.x])] → (t.x)) → (g.#1) | g.#1 descending; row 1
    Refuse:  rows that are not distinct; more columns than the one that is sorted by; more rows; OFFSET 2
    Sound:   of distinct values all but the first have one before them
    """
    if (rows.limit, rows.offset, len(rows.directions)) != (1, 1, 1):
        return None
    match rows.bag.terms:
        case (Term((Binding(row, Squash(Bag((inner,)))),), condition, outputs),):
            if len(inner.outputs) != 1 or outputs[rows.visible] != Field(row, 0):
                return None
            if conjuncts(condition) or sites(inner):
                return None
        case _:
            return None
    other = scope.world.names.copy_of(inner)
    before = _comes_before(other.outputs[0], inner.outputs[0], rows.directions[0])
    some = Exists(Bag((Term(other.bindings, conjunction((other.condition, before)), ()),)))
    bound = Term(inner.bindings, conjunction((inner.condition, some)), inner.outputs)
    chosen = Term((Binding(row, Squash(Bag((bound,)))),), condition, outputs)
    return replace(rows, bag=Bag((chosen,)), offset=0)


def skips_one_row_of_a_table(node: Limited | Answer) -> bool:
    """All rows of a table that meet a condition but the first by a column."""
    if (node.limit, node.offset, len(node.directions)) != (None, 1, 1) or sites(node.bag):
        return False
    match node.bag.terms:
        case (Term((Binding(row, Scan()),), _, outputs),):
            key = outputs[node.visible]
            return isinstance(key, Field) and key.row == row
    return False


def sorted_column_is_a_key(node: Limited | Answer, scope: Surroundings) -> bool:
    """No two rows have one value of the column, nor NULL."""
    (term,) = node.bag.terms
    source, key = term.bindings[0].source, term.outputs[node.visible]
    assert isinstance(source, Scan)
    assert isinstance(key, Field)
    facts = scope.world.facts.strict_key(source.table, (str(key.column),))
    scope.world.use(facts or ())
    return facts is not None


@rewrite(
    on=(Limited, Answer),
    keeps="answers",
    shape=(skips_one_row_of_a_table,),
    needs=(sorted_column_is_a_key,),
)
def convert_skipped_row_to_bound(node: Limited | Answer, scope: Surroundings) -> Limited | Answer | None:
    """Range over the rows of a table before which another one comes, instead of skipping the first.

    Before:  Σ t ∈ a → (t.x | t.id); rows from 2 on by #2
    After:   Σ t ∈ a [(∃ s ∈ a [s.id < t.id])] → (t.x | t.id); rows from 1 on by #2
    Refuse:  a column that two rows may share, or that may be NULL; more rows skipped; a LIMIT
    Sound:   of rows with values that differ all but the first have one before them
    """
    (term,) = node.bag.terms
    other = scope.world.names.copy_of(term)
    low, high = (other, term) if not node.directions[0].descending else (term, other)
    before = Compare("<", low.outputs[node.visible], high.outputs[node.visible])
    some = Exists(Bag((Term(other.bindings, conjunction((other.condition, before)), ()),)))
    bound = replace(term, condition=conjunction((term.condition, some)))
    return replace(node, bag=Bag((bound,)), offset=0)


def _comes_before(left: Expression, right: Expression, direction: Direction) -> Expression:
    low, high = (right, left) if direction.descending else (left, right)
    null, known = (left, right) if direction.nulls_first else (right, left)
    return Or((And((IsNull(null), Not(IsNull(known)))), Compare("<", low, high)))
