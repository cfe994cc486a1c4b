"""LIMIT in one form: what a top-n operator hands on, and where it stands.

``WHERE id = (SELECT k … ORDER BY COUNT(*) DESC LIMIT 1)`` and a join that is cut at top level say the same
if the row that is chosen is the same.  So a choice becomes a source: a cut answer is one over a chosen row,
an equated scalar subquery is one, and what is chosen is a row of the variables below, from which outputs are
computed outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from equiv.algebra.aggregates import normal_first
from equiv.algebra.columns import print_of
from equiv.algebra.kinds import never_null
from equiv.algebra.matching import ATOMS, without_sites
from equiv.algebra.terms import (
    NULL,
    Aggregate,
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
    Lookup,
    Node,
    Not,
    Scan,
    Source,
    Squash,
    Term,
    Variable,
    alpha,
    conjunction,
    conjuncts,
    free,
    map_children,
    renamed,
    sites,
    substitute,
    walk,
)
from equiv.algebra.world import World


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
            changed = _with_narrow_choices(changed, world)
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


def _with_narrow_choices(term: Term, world: World) -> Term:
    """A term whose choices hand on keys and columns of the rows below, not values computed from them.

    *Sound*: which rows are chosen does not depend on what is computed from them.
    """
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
        return term
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
    found = {column: substitute(output, place) for column, output in outputs.items()}
    return replace(source, bag=bag, visible=len(ordered)), found


class _Leaves:
    """What a choice must hand on so that some expressions can be computed from it."""

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


def ungrouped(rows: Limited, world: World) -> Limited:
    """The first group by its MAX as the group of the first row.

    *Before*: the first of some rows (or groups) in descending order of MAX(x) over rows that belong to them.
    *After*: the first of the pairs of a row and one that belongs to it, in descending order of x.
    *Refuse*: more keys, more than the first row; a row to which none may belong; ascending MIN unless x is
    never NULL, because NULLs come first there.
    *Sound*: the rows whose MAX is greatest are those to which one with the greatest x belongs; MAX is NULL
    only if all x are, and sorts last, as such pairs do.
    """
    match rows:
        case Limited(Bag((term,)), visible, (direction,), 1, 0, site) if isinstance(
            term.outputs[-1], Aggregate
        ):
            extreme = term.outputs[-1]
        case _:
            return rows
    wanted = "MAX" if direction.descending else "MIN"
    if extreme.function != wanted or direction.nulls_first is direction.descending:
        return rows
    pairs = _grouped(term, extreme, world) or _owned(term, extreme)
    if pairs is None:
        return rows
    argument = pairs.outputs[-1]
    sources = {b.row: b.source for b in pairs.bindings}
    if not direction.descending and not never_null(argument, world, sources):
        return rows
    own = {binding.row for binding in pairs.bindings}
    if any(sites(output) or free(output) & bound_in(term) - own for output in pairs.outputs):
        return rows
    return Limited(Bag((pairs,)), visible, (direction,), 1, 0, site)


def bound_in(term: Term) -> set[Variable]:
    """The variables that a term itself binds."""
    return {binding.row for binding in term.bindings}


def _grouped(term: Term, extreme: Aggregate, world: World) -> Term | None:
    """Groups and their rows: the rows alone, the keys being theirs."""
    match term:
        case Term((Binding(group, Squash(Bag((inner,)))),), condition, outputs) if not conjuncts(condition):
            argument = _argument(extreme, group, inner, world)
        case _:
            return None
    if argument is None:
        return None

    def change(field: Field) -> Expression:
        return inner.outputs[int(field.column)] if field.row == group else field

    shown = tuple(_with_argument(output, extreme, argument) for output in outputs)
    return Term(inner.bindings, inner.condition, tuple(substitute(output, change) for output in shown))


def _owned(term: Term, extreme: Aggregate) -> Term | None:
    """Rows and those that belong to them, of which the condition says that there are some."""
    if len(extreme.bag.terms) != 1:
        return None
    inner = extreme.bag.terms[0]
    argument = inner.outputs[0]
    parts = [part for part in conjuncts(inner.condition) if part != Not(IsNull(argument))]
    some = alpha(Exists(Bag((Term(inner.bindings, conjunction(parts), ()),))))
    rest = [part for part in conjuncts(term.condition) if alpha(part) != some]
    if len(rest) == len(conjuncts(term.condition)):
        return None
    outputs = tuple(_with_argument(output, extreme, argument) for output in term.outputs)
    return Term((*term.bindings, *inner.bindings), conjunction([*rest, *parts]), outputs)


def _with_argument(output: Expression, extreme: Aggregate, argument: Expression) -> Expression:
    own = alpha(extreme)

    def each(node: Node) -> Node:
        if isinstance(node, Aggregate) and alpha(node) == own:
            return argument
        return map_children(node, each)

    return each(output)  # type: ignore[return-value]


def _argument(extreme: Aggregate, group: Variable, inner: Term, world: World) -> Expression | None:
    """The argument of an aggregate over exactly the rows of a group, over the variables of ``inner``."""
    if len(extreme.bag.terms) != 1:
        return None
    term = extreme.bag.terms[0]
    if len(term.bindings) != len(inner.bindings):
        return None
    names = {b.row: a.row for a, b in zip(inner.bindings, term.bindings, strict=True)}
    turned = renamed(term, names)
    if [without_sites(b.source) for b in turned.bindings] != [
        without_sites(b.source) for b in inner.bindings
    ]:
        return None
    argument = turned.outputs[0]
    groups = {b.row: b.source for b in inner.bindings}
    expected = {
        *conjuncts(inner.condition),
        *(_keyed(o, group, n, world, groups) for n, o in enumerate(inner.outputs)),
    }
    found = {_oriented(part, group) for part in conjuncts(turned.condition)}
    if found - {Not(IsNull(argument))} != expected - {Not(IsNull(argument))}:
        return None
    return argument


def _keyed(
    output: Expression, group: Variable, number: int, world: World, sources: Mapping[Variable, Source]
) -> Expression:
    """That a row's key is that of its group."""
    operator: Literal["=", "IS"] = "=" if never_null(output, world, sources) else "IS"
    return Compare(operator, output, Field(group, number))


def _oriented(part: Expression, group: Variable) -> Expression:
    """``g.k = x`` as ``x = g.k``."""
    match part:
        case Compare("IS" | "=", Field(row), right) if row == group:
            return Compare(part.operator, right, part.left)
    return part
