"""These rewrites give LIMIT a normal form: where the top-n operator stands, and what it puts out.

``WHERE id = (SELECT k … ORDER BY COUNT(*) DESC LIMIT 1)`` and a join that is cut at top level say the same
if they choose the same row.  So a choice becomes a source: an answer with LIMIT becomes one over the chosen
rows, and an equated scalar subquery becomes a source, too.  What is chosen is a row of the variables below;
the outputs are computed from it outside.  A LIMIT within a LIMIT becomes one LIMIT.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias

from equiv.algebra import terms as t
from equiv.algebra.translate.query import without_keys
from equiv.algebra.world import World
from equiv.names import folded
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.choices.order_keys import (
    Ordered,
    convert_skipped_row_to_bound,
    convert_skipped_value_to_bound,
    convert_skipping_exists_to_count,
    reduce_choice_to_keys,
    with_telling_keys,
)
from equiv.proof.rewrites.choices.row_numbers import (
    Choosing,
    convert_first_numbers_to_choice,
    convert_first_of_partition_to_distinct,
    eliminate_choice_without_ties,
    reduce_bound_to_first_number,
)
from equiv.proof.rewrites.ranged import Ranged
from equiv.proof.rewrites.rows.extreme_groups import convert_first_group_to_first_row
from equiv.proof.rewrites.rows.sources import written_out
from equiv.proof.rewrites.scalars.simplify import value
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.aggregates import normal_first

Cut: TypeAlias = Choosing[t.Answer | t.Limited]
"""An answer or a choice with a LIMIT, and the sites of the choices that occur once."""


def _once(answer: t.Answer) -> frozenset[int]:
    found = t.sites(answer)
    return frozenset(site for site in found if found.count(site) == 1)


def without_inner_cuts(answer: t.Answer, scope: Scope) -> t.Answer:
    """The answer as translated, without cuts of rows that are cut more narrowly around."""
    once = _once(answer)

    def each(node: t.Node) -> t.Node:
        if isinstance(node, t.Answer | t.Limited):
            node = eliminate_skipped_rows(node, scope) or node
            node = inline_wider_cut(Choosing(node, once), scope) or node
            while (merged := merge_cuts(Choosing(node, once), scope)) is not None:
                node = merged
        return t.map_children(node, each)

    changed = each(answer)
    assert isinstance(changed, t.Answer)
    return changed


def are_all_skipped(rows: t.Answer | t.Limited) -> bool:
    """Whether OFFSET skips all rows that there may be: each variable ranges over a LIMIT."""
    most = 0
    for term in rows.bag.terms:
        limits = [each.source.limit if isinstance(each.source, t.Limited) else None for each in term.bindings]
        if None in limits:
            return False
        most += prod(limit or 0 for limit in limits)
    return most <= rows.offset and rows.offset > 0


@rewrite(on=(t.Answer, t.Limited), keeps="answers", shape=(are_all_skipped,))
def eliminate_skipped_rows(rows: t.Answer | t.Limited, scope: Scope) -> t.Answer | t.Limited | None:
    """Take no row where an OFFSET skips all that there may be.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x); rows 1 to 3) [r.#1 > 0] → (r.#1); rows from 4 on
    After:   Σ r ∈ (Σ t ∈ a → (t.x); rows 1 to 3) [r.#1 > 0] → (r.#1); no rows
    Refuse:  a table, of which any number of rows may be there
    Sound:   of each variable there are no more rows than its LIMIT takes, and one of no variable
    """
    return None if rows.limit == 0 else replace(rows, limit=0)


@rewrite(on=(t.Answer, t.Limited), keeps="answers")
def inline_wider_cut(at: Cut, scope: Scope) -> t.Answer | t.Limited | None:
    """Drop an inner LIMIT that keeps at least as many rows as the outer LIMIT takes.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) | t.x; rows 1 to 3) → (r.#1) + Σ s ∈ b → (s.y) | #1; rows 1 to 2
    After:   Σ t ∈ a → (t.x) + Σ s ∈ b → (s.y) | #1; rows 1 to 2
    Refuse:  fewer rows within than around; OFFSET within; other keys; a condition on the chosen rows
    Sound:   a row that is cut away comes after no fewer rows of its own than are read, or ties with some
    """
    outer = at.shown
    if outer.limit is None:
        return None
    terms: list[t.Term] = []
    for term in outer.bag.terms:
        terms += _inlined(at, term, outer.offset + outer.limit, scope) or (term,)
    bag = t.Bag(tuple(terms))
    return None if bag == outer.bag else replace(outer, bag=bag)


@rewrite(on=(t.Answer, t.Limited), keeps="answers")
def merge_cuts(at: Cut, scope: Scope) -> t.Answer | t.Limited | None:
    """Take the rows of a LIMIT around a LIMIT, or sorted once more, at once.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) | t.x; rows 1 to 3) → (r.#1) in the order of r.#1; rows from 2 on
    After:   Σ t ∈ a → (t.x) in the order of t.x; rows 2 to 3
    Refuse:  other keys; a condition on the chosen rows; other rows beside them; rows that are neither cut nor
             sorted around; a choice around that is made for each outer row, and within for all of them
    Sound:   chosen rows stand together in some order by the keys, and stay so if they are sorted among
             themselves by the same keys
    """
    outer = at.shown
    match outer.bag.terms:
        case (t.Term((t.Binding(_, t.Limited() as rows),), condition) as term,) if not t.conjuncts(condition):
            is_idle = outer.limit is None and not outer.offset and not outer.directions
            read = None if is_idle else _read_behind(at, term, rows, scope)
            if read is None:
                return None
            outer, term = read
            limits = [outer.limit, None if rows.limit is None else max(0, rows.limit - outer.offset)]
            limit = min((each for each in limits if each is not None), default=None)
            terms = written_out(Ranged(term, 0), rows.bag, scope)
            if terms is not None:
                return replace(outer, bag=t.Bag(tuple(terms)), limit=limit, offset=outer.offset + rows.offset)
    return None


def _is_chosen_alike(at: Cut, term: t.Term, rows: t.Limited) -> bool:
    """Whether a term's rows were chosen for it alone, by the keys by which it is sorted."""
    is_own = rows.site in (*at.once, 0) and not t.sites(rows.bag) and t.free(rows) == t.free(at.shown)
    return is_own and rows.directions == at.shown.directions and _has_keys_of(at, term, rows)


def _read_behind(
    at: Cut, term: t.Term, rows: t.Limited, scope: Scope
) -> tuple[t.Answer | t.Limited, t.Term] | None:
    """What is shown, and its term, over rows chosen alike, its keys maybe as the rows behind say them."""
    if _is_chosen_alike(at, term, rows):
        return at.shown, term
    behind = written_out(Ranged(term, 0), rows.bag, scope)
    if behind is None or len(behind) != 1:
        return None
    inside = scope.inside(behind[0])
    outputs = tuple(value(output, inside) for output in behind[0].outputs)
    read = t.Bag((replace(behind[0], outputs=outputs),))
    found = with_telling_keys(Ordered(read, at.shown.visible, at.shown.directions), scope)
    (said,) = found.shown.terms
    known = {
        t.alpha(output): t.Field(term.bindings[0].row, n)
        for n, output in enumerate(rows.bag.terms[0].outputs)
    }
    keys = [known.get(t.alpha(key)) for key in said.outputs[found.visible :]]
    if None in keys:
        return None
    sorted_term = replace(term, outputs=(*term.outputs[: found.visible], *(key for key in keys if key)))
    shown = replace(at.shown, bag=t.Bag((sorted_term,)), directions=found.directions)
    return (shown, sorted_term) if _is_chosen_alike(replace(at, shown=shown), sorted_term, rows) else None


def _inlined(at: Cut, term: t.Term, reach: int, scope: Scope) -> list[t.Term] | None:
    """The terms of all the rows of which a term has the first ones; None if it is no such term."""
    match term:
        case t.Term((t.Binding(_, t.Limited() as rows),), condition) if not t.conjuncts(condition):
            is_wide = not rows.offset and (rows.limit is None or rows.limit >= reach)
            if is_wide and _is_chosen_alike(at, term, rows):
                return written_out(Ranged(term, 0), rows.bag, scope)
    return None


def _has_keys_of(at: Cut, term: t.Term, rows: t.Limited) -> bool:
    """Whether the keys of a term are those by which its rows were chosen."""
    row, keys = term.bindings[0].row, term.outputs[at.shown.visible :]

    def within(key: t.Expression, inner: t.Term) -> t.Expression:
        return t.substitute(key, lambda f: inner.outputs[int(f.column)] if f.row == row else f)

    return all(
        [t.alpha(within(key, inner)) for key in keys]
        == [t.alpha(key) for key in inner.outputs[rows.visible :]]
        for inner in rows.bag.terms
    )


def uncut(answer: t.Answer, world: World) -> t.Answer:
    """A cut answer as one over rows that a LIMIT chose; their order is given up."""
    if not answer.bag.terms:
        return t.Answer(answer.bag, answer.visible)
    scope = Scope.alone(world)
    return convert_cut_to_choice(answer, scope) or eliminate_order(answer, scope) or answer


@rewrite(on=t.Answer, keeps="answers")
def eliminate_order(answer: t.Answer, scope: Scope) -> t.Answer | None:
    """Drop the ORDER BY of a query without LIMIT, where the order of rows does not count.

    Before:  Σ t ∈ a → (t.x | t.y) in the order of #2
    After:   Σ t ∈ a → (t.x)
    Refuse:  a LIMIT or an OFFSET; a comparison of lists
    Sound:   the same rows, each as often
    """
    changed = replace(answer, directions=(), bag=without_keys(answer.bag, answer.visible))
    return None if changed == answer else changed


def is_cut(answer: t.Answer) -> bool:
    """Whether there is a LIMIT or an OFFSET."""
    return answer.limit is not None or answer.offset > 0


@rewrite(on=t.Answer, keeps="answers", shape=(is_cut,))
def convert_cut_to_choice(answer: t.Answer, scope: Scope) -> t.Answer | None:
    """Turn a LIMIT at top level into a source of the chosen rows, where the order of rows does not count.

    Before:  Σ t ∈ a → (t.x | t.y) in the order of #2; rows 1 to 3
    After:   Σ r ∈ (Σ t ∈ a → (t.x | t.y) in the order of #2; rows 1 to 3) → (r.#1)
    Refuse:  a comparison of lists, but for one row
    Sound:   the same rows may be chosen
    """
    rows = t.Limited(
        answer.bag, answer.visible, answer.directions, answer.limit, answer.offset, scope.world.names.site()
    )
    row = scope.world.names.variable("top")
    outputs = tuple(t.Field(row, n) for n in range(answer.visible))
    return t.Answer(t.Bag((t.Term((t.Binding(row, rows),), t.conjunction(()), outputs),)), answer.visible)


def with_choices_as_sources(answer: t.Answer, world: World) -> t.Answer:
    """The answer with choices in canonical form: as sources, of the rows below them."""
    scope = Scope.alone(world)
    answer = without_inner_cuts(answer, scope)
    once = _once(answer)

    def each(node: t.Node) -> t.Node:
        changed = t.map_children(node, each)
        if isinstance(changed, t.Limited):
            changed = _sorted_by_less(changed, scope)
            changed = convert_skipped_value_to_bound(changed, scope) or changed
        if isinstance(changed, t.Limited | t.Answer):
            changed = convert_skipped_row_to_bound(changed, scope) or changed
        if isinstance(changed, t.Limited):
            changed = convert_first_group_to_first_row(changed, scope) or changed
            changed = fold_fixed_output(changed, scope) or changed
        if isinstance(changed, t.Exists):
            changed = convert_skipping_exists_to_count(changed, scope) or changed
        if isinstance(changed, t.Term):
            changed = _with_plain_choices(changed, once, scope)
        return changed

    rewritten = each(answer)
    assert isinstance(rewritten, t.Answer)
    return rewritten


def with_settled_choices(answer: t.Answer, world: World) -> t.Answer:
    """The answer with each LIMIT among rows that do not tie as no choice."""
    scope = Scope.alone(world)

    def each(node: t.Node) -> t.Node:
        changed = t.map_children(node, each)
        if isinstance(changed, t.Limited | t.Numbered):
            changed = eliminate_choice_without_ties(changed, scope) or changed
        return changed

    settled = each(answer)
    assert isinstance(settled, t.Answer)
    return settled


def _sorted_by_less(rows: t.Limited, scope: Scope) -> t.Limited:
    """A choice without keys that decide nothing, while it still hands on what the query shows."""
    found = with_telling_keys(Ordered(rows.bag, rows.visible, rows.directions), scope)
    return replace(rows, bag=found.shown, directions=found.directions)


def _with_plain_choices(term: t.Term, once: Collection[int], scope: Scope) -> t.Term:
    term = reduce_bound_to_first_number(term, scope) or term
    term = convert_first_of_partition_to_distinct(term, scope) or term
    term = convert_first_numbers_to_choice(Choosing(term, once), scope) or term
    term = eliminate_idle_choice(term, scope) or term
    at = Pulled(term, once, tuple(_with_extremes(part, scope) for part in term.conjuncts))
    term = pull_choice_from_subquery(at, scope) or term
    return reduce_choice_to_keys(term, scope) or term


@dataclass(frozen=True, slots=True)
class Pulled(Choosing[t.Term]):
    """A term, the choices that are made in one place only, and the conditions."""

    parts: tuple[t.Expression, ...]


@rewrite(on=t.Term, keeps="answers")
def pull_choice_from_subquery(at: Pulled, scope: Scope) -> t.Term | None:
    """Range over the chosen row of a scalar subquery that must equal something.

    Before:  Σ t ∈ a [t.x = first(Σ s ∈ b → (s.y) | s.z)] → (t.id)
    After:   Σ t ∈ a, r ∈ (Σ s ∈ b → (s.y) | s.z; rows 1 to 1) [t.x = r.#1] → (t.id)
    Refuse:  <>, IS, and a subquery that stands in two places
    Sound:   there is at most one row then; where there is none, the subquery is NULL and the condition not
             true; the same for EXISTS over the single row of a choice, or over chosen rows that are distinct
             and all of whose columns are equated, or over rows of a table of which a key is equated
    """
    term, world = at.shown, scope.world
    bindings = list(term.bindings)
    parts: list[t.Expression] = []
    for part in at.parts:
        match part:
            case t.Compare("=", left, t.First(rows)) if _is_single(rows, at.once):
                row = world.names.variable("first")
                bindings.append(t.Binding(row, replace(rows, limit=1)))
                parts.append(t.Compare("=", left, t.Field(row, 0)))
            case t.Compare("=", t.First(rows), right) if _is_single(rows, at.once):
                row = world.names.variable("first")
                bindings.append(t.Binding(row, replace(rows, limit=1)))
                parts.append(t.Compare("=", t.Field(row, 0), right))
            case t.Exists(t.Bag((t.Term((t.Binding(row, t.Limited() as rows),), condition, _),))) if (
                rows.site in at.once and _is_met_once(row, rows, condition, world)
            ):
                bindings.append(t.Binding(row, rows))
                parts.append(condition)
            case other:
                parts.append(other)
    if all(a is b for a, b in zip(parts, term.conjuncts, strict=True)):
        return None
    return t.Term(tuple(bindings), t.conjunction(parts), term.outputs)


def _with_extremes(part: t.Expression, scope: Scope) -> t.Expression:
    """An equality with a scalar subquery that is some function of the extreme value it sorts by, as that."""

    def change(side: t.Expression) -> t.Expression:
        match side:
            case t.First(t.Limited(_, _, (_, *_))):
                return normal_first(side, scope)
        return side

    match part:
        case t.Compare("=", t.First() as left, right) | t.Compare("=", left, t.First() as right):
            return t.Compare("=", change(left), change(right))
    return part


@rewrite(on=t.Limited, keeps="answers")
def fold_fixed_output(rows: t.Limited, scope: Scope) -> t.Limited | None:
    """Replace an output of a choice by the text or NULL that the choice's condition fixes it to.

    Before:  r ∈ (Σ t ∈ a [t.x = 'p'] → (t.x) | t.y; rows 1 to 1)
    After:   r ∈ (Σ t ∈ a [t.x = 'p'] → ('p') | t.y; rows 1 to 1)
    Refuse:  a number, since 1 = 1.0
    Sound:   what equals a text, unconverted and under BINARY, is that text
    """
    terms = []
    for term in rows.bag.terms:
        fixed: dict[t.Expression, t.Expression] = {}
        for part in term.conjuncts:
            match part:
                case t.Compare("=" | "IS", t.Constant("text") as text, value):
                    fixed[value] = text
                case t.Compare("=" | "IS", value, t.Constant("text") as text):
                    fixed[value] = text
                case t.IsNull(value):
                    fixed[value] = t.NULL
        outputs = tuple(fixed.get(output, output) for output in term.outputs[: rows.visible])
        terms.append(replace(term, outputs=(*outputs, *term.outputs[rows.visible :])))
    bag = t.Bag(tuple(terms))
    return None if bag == rows.bag else replace(rows, bag=bag)


@rewrite(on=t.Term, keeps="answers")
def eliminate_idle_choice(term: t.Term, scope: Scope) -> t.Term | None:
    """Ask whether there is a row, instead of choosing one of many of which nothing else is read.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) | t.x; rows 1 to 1) → (r.#1)
    After:   Σ [(∃ t ∈ a)] → (first(Σ t ∈ a → (t.x) | t.x))
    Refuse:  something is read that is neither the same for all rows nor the key by which it is the first
    Sound:   whichever of the tied rows is chosen, it looks like that
    """
    bindings, parts = [], list(term.conjuncts)
    fields: dict[t.Field, t.Expression] = {}
    for binding in term.bindings:
        constant = _constant_outputs(binding.source)
        replacement = constant or _key_alone(term, binding)
        if replacement is None:
            bindings.append(binding)
            continue
        assert isinstance(binding.source, t.Limited)
        if constant or not _is_compared(binding.row, parts):
            parts.append(t.Exists(without_keys(binding.source.bag, 0)))
        fields |= {t.Field(binding.row, n): output for n, output in enumerate(replacement)}
    if not fields:
        return None
    changed = t.Term(tuple(bindings), t.conjunction(parts), term.outputs)
    return t.substitute(changed, lambda f: scope.world.names.copy_of(fields[f]) if f in fields else f)


def _is_compared(row: t.Variable, parts: list[t.Expression]) -> bool:
    """Whether a condition compares a column of the row, so that it is not true where that is NULL."""
    return any(
        isinstance(part, t.Compare)
        and part.operator != "IS"
        and any(isinstance(side, t.Field) and side.row == row for side in (part.left, part.right))
        for part in parts
    )


def _key_alone(term: t.Term, binding: t.Binding) -> tuple[t.Expression, ...] | None:
    """The columns of a chosen row as scalar subqueries, if its only key is all that is read of it."""
    source = binding.source
    if not isinstance(source, t.Limited) or (source.limit, source.offset) != (1, 0):
        return None
    read = {int(f.column) for f in t.walk(term) if isinstance(f, t.Field) and f.row == binding.row}
    terms, place = source.bag.terms, source.visible
    if len(source.directions) != 1 or any(
        each.outputs[n] != each.outputs[place] for each in terms for n in read
    ):
        return None
    bag = t.Bag(tuple(replace(each, outputs=(each.outputs[place], each.outputs[place])) for each in terms))
    return (t.First(replace(source, bag=bag, visible=1)),) * source.visible


def _constant_outputs(source: t.Source) -> tuple[t.Expression, ...] | None:
    if not isinstance(source, t.Limited) or (source.limit, source.offset) != (1, 0) or not source.bag.terms:
        return None
    rows = {term.outputs[: source.visible] for term in source.bag.terms}
    own = {binding.row for term in source.bag.terms for binding in term.bindings}
    fixed = rows.pop()
    return fixed if not rows and fixed and not any(t.free(output) & own for output in fixed) else None


def _is_met_once(row: t.Variable, rows: t.Limited, condition: t.Expression, world: World) -> bool:
    """Whether at most one chosen row meets a condition: there is one, or it equates what is distinct."""
    if rows.limit == 1:
        return True
    match rows.bag.terms:
        case (t.Term((t.Binding(own, t.Scan(table)),), _, outputs),):
            equated = folded(
                output.column
                for place, output in enumerate(outputs[: rows.visible])
                if isinstance(output, t.Field) and output.row == own and isinstance(output.column, str)
                if _is_equated(t.Field(row, place), condition)
            )
            keys = (key for key in world.facts.keys(table) if folded(key.columns) <= equated)
            # A key with a NULL equals nothing.
            key = next(keys, None)
            world.use(() if key is None else (key,))
            return key is not None
        case (t.Term((t.Binding(distinct, t.Squash(t.Bag((inner, *_)))),), _, outputs),):
            shown = dict(zip(outputs[: rows.visible], range(rows.visible), strict=True))
            places = [shown.get(t.Field(distinct, n)) for n in range(len(inner.outputs))]
            return all(place is not None and _is_equated(t.Field(row, place), condition) for place in places)
    return False


def _is_equated(column: t.Field, condition: t.Expression) -> bool:
    """Whether a condition equates a column with a value of other rows."""
    for part in t.conjuncts(condition):
        match part:
            case t.Compare("=", left, right) if column in (left, right):
                if column.row not in t.free(right if left == column else left):
                    return True
    return False


def _is_single(rows: t.Limited, once: Collection[int]) -> bool:
    return rows.site in once and rows.limit != 0
