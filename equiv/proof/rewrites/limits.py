"""LIMIT in one form: what a top-n operator hands on, and where it stands.

``WHERE id = (SELECT k … ORDER BY COUNT(*) DESC LIMIT 1)`` and a join that is cut at top level say the same
if the row that is chosen is the same.  So a choice becomes a source: a cut answer is one over a chosen row,
an equated scalar subquery is one, and what is chosen is a row of the variables below, from which outputs are
computed outside.
"""

from __future__ import annotations

from dataclasses import replace

from equiv.algebra.terms import (
    NULL,
    Answer,
    Bag,
    Binding,
    Compare,
    Constant,
    Exists,
    Expression,
    Field,
    First,
    IsNull,
    Limited,
    Node,
    Source,
    Term,
    conjunction,
    conjuncts,
    free,
    map_children,
    sites,
    substitute,
    walk,
)
from equiv.algebra.world import World
from equiv.proof.rewrites.first_groups import ungrouped
from equiv.proof.rewrites.narrow_choices import with_narrow_choices
from equiv.proof.rewrites.sums.aggregates import normal_first


def uncut(answer: Answer, world: World) -> Answer:
    """A cut answer as one over rows that a LIMIT chose; their order is given up."""
    if answer.limit is None and not answer.offset:
        return replace(answer, directions=(), bag=_visible(answer.bag, answer.visible))
    rows = Limited(
        answer.bag, answer.visible, answer.directions, answer.limit, answer.offset, world.names.site()
    )
    row = world.names.variable("top")
    outputs = tuple(Field(row, n) for n in range(answer.visible))
    return Answer(Bag((Term((Binding(row, rows),), conjunction(()), outputs),)), answer.visible)


def _visible(bag: Bag, width: int) -> Bag:
    return Bag(tuple(replace(term, outputs=term.outputs[:width]) for term in bag.terms))


def with_choices_as_sources(answer: Answer, world: World) -> Answer:
    """The answer with choices in canonical form: as sources, of the rows below them."""
    once = {site for site in sites(answer) if sites(answer).count(site) == 1}

    def each(node: Node) -> Node:
        changed = map_children(node, each)
        if isinstance(changed, Limited):
            changed = _with_fixed_outputs(ungrouped(changed, world))
        if isinstance(changed, Term):
            changed = _with_pulled_choices(_without_idle_choices(changed, world), once, world)
            changed = with_narrow_choices(changed, world)
        return changed

    found = each(answer)
    assert isinstance(found, Answer)
    return found


def _with_pulled_choices(term: Term, once: set[int], world: World) -> Term:
    """A term in which a scalar subquery that must equal something is a source.

    *Before*: ``x = First(L)``. *After*: a variable r over the first row of L, and ``x = r.0``.
    *Sound*: L has at most one row then; where it has none, the subquery is NULL and the condition not true.
    The same for EXISTS over the single row of a choice.
    """
    bindings = list(term.bindings)
    parts: list[Expression] = []
    for part in conjuncts(term.condition):
        match _with_extremes(part, world):
            case Compare("=", left, First(rows)) if _is_single(rows, once):
                row = world.names.variable("first")
                bindings.append(Binding(row, replace(rows, limit=1)))
                parts.append(Compare("=", left, Field(row, 0)))
            case Compare("=", First(rows), right) if _is_single(rows, once):
                row = world.names.variable("first")
                bindings.append(Binding(row, replace(rows, limit=1)))
                parts.append(Compare("=", Field(row, 0), right))
            case Exists(Bag((Term((Binding(row, Limited(limit=1) as rows),), condition, _),))) if (
                rows.site in once
            ):
                bindings.append(Binding(row, rows))
                parts.append(condition)
            case other:
                parts.append(other)
    if all(a is b for a, b in zip(parts, conjuncts(term.condition), strict=True)):
        return term
    return Term(tuple(bindings), conjunction(parts), term.outputs)


def _with_extremes(part: Expression, world: World) -> Expression:
    """An equality with a scalar subquery that is some function of the extreme value it sorts by, as that."""

    def change(side: Expression) -> Expression:
        match side:
            case First(Limited(bag, visible, (_, *_))) if any(
                each.outputs[0] != each.outputs[visible] for each in bag.terms
            ):
                return normal_first(side, world, {})
        return side

    match part:
        case Compare("=", First() as left, right) | Compare("=", left, First() as right):
            return Compare("=", change(left), change(right))
    return part


def _with_fixed_outputs(rows: Limited) -> Limited:
    """A choice that hands on, for a value that its condition fixes, the text or NULL that this must be.

    *Sound*: what equals a text, unconverted and under BINARY, is that text.  (A number is not: 1 = 1.0.)
    """
    terms = []
    for term in rows.bag.terms:
        fixed: dict[Expression, Expression] = {}
        for part in conjuncts(term.condition):
            match part:
                case Compare("=" | "IS", Constant("text") as text, value):
                    fixed[value] = text
                case Compare("=" | "IS", value, Constant("text") as text):
                    fixed[value] = text
                case IsNull(value):
                    fixed[value] = NULL
        shown = tuple(fixed.get(output, output) for output in term.outputs[: rows.visible])
        terms.append(replace(term, outputs=(*shown, *term.outputs[rows.visible :])))
    bag = Bag(tuple(terms))
    return rows if bag == rows.bag else replace(rows, bag=bag)


def _without_idle_choices(term: Term, world: World) -> Term:
    """A term without variables over one row of many that all look alike.

    *Before*: r over one row of a bag, of which nothing is read but what is the same for all its rows, or
    the key by which it is the first.
    *After*: these outputs, or the first key, where the bag has a row.
    """
    bindings, parts = [], list(conjuncts(term.condition))
    fields: dict[Field, Expression] = {}
    for binding in term.bindings:
        shown = _constant_outputs(binding.source) or _key_alone(term, binding)
        if shown is None:
            bindings.append(binding)
            continue
        assert isinstance(binding.source, Limited)
        parts.append(Exists(_visible(binding.source.bag, 0)))
        fields |= {Field(binding.row, n): output for n, output in enumerate(shown)}
    if not fields:
        return term
    changed = Term(tuple(bindings), conjunction(parts), term.outputs)
    return substitute(changed, lambda f: world.names.copy_of(fields[f]) if f in fields else f)


def _key_alone(term: Term, binding: Binding) -> tuple[Expression, ...] | None:
    """The columns of a chosen row as scalar subqueries, if its only key is all that is read of it."""
    source = binding.source
    if not isinstance(source, Limited) or (source.limit, source.offset) != (1, 0):
        return None
    read = {int(f.column) for f in walk(term) if isinstance(f, Field) and f.row == binding.row}
    terms, place = source.bag.terms, source.visible
    if len(source.directions) != 1 or any(t.outputs[n] != t.outputs[place] for t in terms for n in read):
        return None
    bag = Bag(tuple(replace(t, outputs=(t.outputs[place], t.outputs[place])) for t in terms))
    return (First(replace(source, bag=bag, visible=1)),) * source.visible


def _constant_outputs(source: Source) -> tuple[Expression, ...] | None:
    if not isinstance(source, Limited) or (source.limit, source.offset) != (1, 0) or not source.bag.terms:
        return None
    shown = {term.outputs[: source.visible] for term in source.bag.terms}
    own = {binding.row for term in source.bag.terms for binding in term.bindings}
    found = shown.pop()
    return found if not shown and found and not any(free(output) & own for output in found) else None


def _is_single(rows: Limited, once: set[int]) -> bool:
    return rows.site in once and rows.limit != 0
