"""Whether a bag has a row, in one form: without groups and doubles, what concerns outer rows only outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from equiv.algebra.terms import (
    FALSE,
    Bag,
    Binding,
    Exists,
    Expression,
    Field,
    Squash,
    Term,
    Variable,
    alpha,
    conjunction,
    conjuncts,
    disjunction,
    mentions,
    substitute,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows, tidied
from equiv.proof.rewrites.sums.groups import TermParts, is_read, narrowed, without_groups

MAX_BINDINGS = 10
"""Rows of more variables are not unfolded any more."""


def existence(terms: Iterable[Term], scope: Scope) -> Expression:
    """A condition that is true exactly if one of some terms has a row."""
    found: dict[Expression, None] = {}
    for term in terms:
        fresh = scope.world.names.copy_of(term)
        for rows in unfolded(TermParts(fresh.bindings, conjuncts(fresh.condition), ()), scope):
            found[_exists(rows, scope)] = None
    parts = {alpha(part): part for part in found}
    return disjunction(parts.values())


def unfolded(rows: TermParts, scope: Scope) -> list[TermParts]:
    """Rows where multiplicity does not count, with nested distinct rows and existence spelt out."""
    rows = without_groups(rows, scope)
    if len(rows.bindings) > MAX_BINDINGS:
        return [rows]
    joined = inline_existing_row(rows, scope)
    if joined is not None:
        return unfolded(joined, scope)
    several = first((inline_distinct_rows,), _over_distinct(rows), scope)
    if several is not None:
        return [deeper for each in several for deeper in unfolded(each, scope)]
    return [folded(rows, scope)]


@rewrite(on=Term, keeps="set")
def inline_existing_row(rows: TermParts, scope: Scope) -> TermParts | None:
    """Bind the row of an EXISTS among the rows where multiplicity does not count.

    Before:  exists: Σ t ∈ a [(∃ s ∈ b [s.a_id = t.id])]
    After:   exists: Σ t ∈ a, s ∈ b [s.a_id = t.id]
    Refuse:  an EXISTS over several terms; NOT EXISTS
    Sound:   a row occurs if there is a choice for these variables, however many there are
    """
    for part in rows.conditions:
        if isinstance(part, Exists) and len(part.bag.terms) == 1:
            return _with_rows_of(rows, part, scope)
    return None


@dataclass(frozen=True, slots=True)
class OneOfRows:
    """Rows, and one of their variables."""

    rows: TermParts
    binding: Binding

    @property
    def shown(self) -> Term:
        """The term."""
        return self.rows.shown

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of whose distinct rows the variable is one."""
        return self.binding.source.bag.terms if isinstance(self.binding.source, Squash) else ()

    @property
    def mine(self) -> tuple[Expression, ...]:
        """The conditions that mention the variable."""
        return tuple(part for part in self.rows.conditions if mentions(part, {self.binding.row}))

    @property
    def rest(self) -> TermParts:
        """The term without the variable and the conditions that mention it."""
        left = tuple(each for each in self.rows.bindings if each != self.binding)
        return TermParts(left, tuple(p for p in self.rows.conditions if p not in self.mine), self.rows.values)


def _over_distinct(rows: TermParts) -> Iterator[OneOfRows]:
    return (OneOfRows(rows, each) for each in rows.bindings if isinstance(each.source, Squash))


def columns_are_identical_or_compared(at: OneOfRows, scope: Scope) -> bool:
    """Each column of the source that is read outside comparisons is identical to the output behind it."""
    for term in at.terms:
        inner = scope.within([*at.rows.bindings, *term.bindings])
        for number, output in enumerate(term.outputs):
            field = Field(at.binding.row, number)
            if is_read(at.rows, field) and not inner.are_identical_if_equal(field, output):
                return False
    return True


@rewrite(on=Term, keeps="set", needs=(columns_are_identical_or_compared,))
def inline_distinct_rows(at: OneOfRows, scope: Scope) -> list[TermParts] | None:
    """Range over the rows themselves instead of the distinct ones where multiplicity does not count.

    Before:  exists: Σ g ∈ distinct(Σ t ∈ a → (t.x)) [g.#1 > 1]
    After:   exists: Σ t ∈ a [t.x > 1]
    Refuse:  a column that holds 1 and 1.0, of which DISTINCT keeps one, read as more than that
    Sound:   the same rows occur, more often
    """
    return [_inlined(at.rows, at.binding, term, scope) for term in at.terms]


def _with_rows_of(rows: TermParts, part: Exists, scope: Scope) -> TermParts:
    """The rows with an existing row bound among them."""
    term = scope.world.names.copy_of(part.bag).terms[0]
    others = tuple(each for each in rows.conditions if each != part)
    return TermParts((*rows.bindings, *term.bindings), (*others, *conjuncts(term.condition)), rows.values)


def _inlined(rows: TermParts, binding: Binding, term: Term, scope: Scope) -> TermParts:
    """The rows with distinct rows replaced by the rows of a term."""
    fresh = scope.world.names.copy_of(term)
    place = rows.bindings.index(binding)

    def each(field: Field) -> Expression:
        return (
            scope.world.names.copy_of(fresh.outputs[int(field.column)]) if field.row == binding.row else field
        )

    after = tuple(substitute(later, each) for later in rows.bindings[place + 1 :])
    return TermParts(
        (*rows.bindings[:place], *fresh.bindings, *after),
        (
            *(substitute(part, each) for part in rows.conditions),
            *conjuncts(fresh.condition),
        ),
        tuple(substitute(value, each) for value in rows.values),
    )


def folded(rows: TermParts, scope: Scope) -> TermParts:
    """The rows without one that can be any of the others: its conditions hold there too."""
    rows = TermParts(rows.bindings, tidied(rows.conditions, scope), rows.values)
    unread = (OneOfRows(rows, each) for each in rows.bindings if not _is_read(rows, each.row))
    found = first((eliminate_idle_row,), unread, scope)
    return rows if found is None else folded(found, scope)


def _is_read(rows: TermParts, row: Variable) -> bool:
    """Whether a value or a source mentions a variable."""
    return any(mentions(node, {row}) for node in (*rows.values, *(each.source for each in rows.bindings)))


def another_row_will_do(at: OneOfRows, scope: Scope) -> bool:
    """The other variables and their conditions guarantee a row that meets the conditions on this variable."""
    rest = at.rest
    return GivenRows.of(rest.bindings, rest.conditions, scope).has_row(
        Term((at.binding,), conjunction(at.mine), ())
    )


@rewrite(on=Term, keeps="set", needs=(another_row_will_do,))
def eliminate_idle_row(at: OneOfRows, scope: Scope) -> TermParts | None:
    """Drop a variable whose conditions another variable's row meets, where multiplicity does not count.

    Before:  exists: Σ t ∈ a, s ∈ a [t.x = 1 and s.x = 1] → (t.y)
    After:   exists: Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition that holds of no other row; the value, or a source, mentions the variable
    Sound:   the row of the other variable is a choice for this one
    """
    return at.rest


def _exists(rows: TermParts, scope: Scope) -> Expression:
    rows = narrowed(rows, scope)
    conditions = tidied(rows.conditions, scope)
    own = rows.own()
    outer = [part for part in conditions if not mentions(part, own)]
    inner = [part for part in conditions if mentions(part, own)]
    if FALSE in outer:
        return FALSE
    term = Term(rows.bindings, conjunction(inner), ())
    if GivenRows.of((), outer, scope).has_row(term):
        return conjunction(outer)
    return conjunction([*outer, Exists(Bag((term,)))])
