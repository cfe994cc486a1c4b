"""Conditions on COUNT restated with rows: ``= 1`` binds the row, ``>= 2`` asks for two different rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

from equiv.algebra import terms as t
from equiv.graphs import perfect_matchings
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scalars.simplify import value
from equiv.proof.rewrites.scope import ConditionOf, GivenRows, Scope

MAX_ROWS = 3
"""A count of more rows stays a count."""

MAX_PLACES = 60
"""How many ways to find counted rows among those at hand are looked at."""


@dataclass(frozen=True, slots=True)
class Counted(ConditionOf[t.Expression]):
    """A condition of a term that compares COUNT(*) of a correlated subquery with a number."""

    rows: t.Term
    """The term whose rows are counted."""
    least: int
    """The least number of rows that the condition asks for."""
    negated: bool = False
    """Whether the condition asks for fewer than ``least`` rows instead."""
    exactly: bool = False
    """Whether the condition asks for exactly ``least`` rows."""

    def given(self, scope: Scope) -> GivenRows:
        """The rows in scope with all conditions of the term but the COUNT."""
        return GivenRows.of((), (*scope.given, *self.others), scope.within(self.shown.bindings))

    def at_hand(self, scope: Scope) -> dict[t.Variable, t.Variable] | None:
        """A row in scope for each counted variable, if the term's other conditions show that it is counted.

        ``FROM c, o WHERE o.c_id = c.id AND (SELECT COUNT(*) FROM o AS p WHERE p.c_id = c.id) = 1``: p is o.
        """
        around = (*scope.rows, *self.shown.bindings)
        known = self.given(scope)
        ways = product(*([b.row for b in around if b.source == each.source] for each in self.rows.bindings))
        for way in islice(ways, MAX_PLACES):
            names = dict(zip((each.row for each in self.rows.bindings), way, strict=True))
            if all(known.implies(t.renamed(part, names)) for part in self.rows.conjuncts):
                return names
        return None


def counts(term: t.Term, scope: Scope) -> Iterator[Counted]:
    """The conditions of a term that compare a COUNT(*) with a number."""
    for part in term.conjuncts:
        match part:
            case t.Compare("=", t.Aggregate() as count, t.Constant("integer", "1")):
                counted = _counted(term, part, count, 1, exactly=True)
            case t.Compare("<" | "<=" as operator, t.Constant("integer", text), t.Aggregate() as count):
                counted = _counted(term, part, count, int(text) + (operator == "<"))
            case t.Compare("<" | "<=" as operator, t.Aggregate() as count, t.Constant("integer", text)):
                counted = _counted(term, part, count, int(text) + (operator == "<="), negated=True)
            case _:
                continue
        if counted is not None:
            yield counted


def _counted(
    term: t.Term,
    part: t.Expression,
    count: t.Aggregate,
    least: int,
    *,
    negated: bool = False,
    exactly: bool = False,
) -> Counted | None:
    terms = count.bag.terms
    if count.function != "LINEAR" or len(terms) != 1 or terms[0].outputs != (t.TRUE,) or t.sites(count):
        return None
    return Counted(term, part, replace(terms[0], outputs=()), least, negated, exactly)


def is_of_one_row(at: Counted) -> bool:
    """Whether the condition is ``COUNT = 1``, not ``COUNT >= n``."""
    return at.exactly


@rewrite(on=t.Term, keeps="bag", shape=(is_of_one_row,))
def inline_single_counted_row(at: Counted, scope: Scope) -> list[t.Term] | None:
    """Bind the only row that a COUNT of 1 finds, and read it where an aggregate ranges over these rows.

    Before:  Σ t ∈ a [SUM0{Σ s ∈ b [s.a_id = t.id] → (1)} = 1] → (MAX{Σ s ∈ b [s.a_id = t.id] → (s.y)})
    After:   Σ t ∈ a, s ∈ b [s.a_id = t.id and SUM0{Σ r ∈ b [r.a_id = t.id] → (1)} = 1] → (MAX{Σ → (s.y)})
    Refuse:  two rows, or maybe none
    Sound:   where the condition is true there is exactly one such row, which is bound once
    """
    if not at.shown.outputs or any(isinstance(each.source, t.Squash) for each in at.rows.bindings):
        return None
    names = at.at_hand(scope)
    inside = scope.inside(at.shown)
    term = replace(at.shown, outputs=tuple(value(each, inside) for each in at.shown.outputs))
    if names is not None:
        changed = _reading(term, at, names)
        return None if changed == term else [changed]
    sources = [each.source for each in at.rows.bindings]
    if any(each.source in sources for each in at.shown.bindings):
        return None
    fresh = scope.world.names.copy_of(at.rows)
    names = {b.row: new.row for b, new in zip(at.rows.bindings, fresh.bindings, strict=True)}
    needed = t.free(at.rows)
    place = max((n + 1 for n, each in enumerate(at.shown.bindings) if each.row in needed), default=0)
    bindings = (*at.shown.bindings[:place], *fresh.bindings, *at.shown.bindings[place:])
    condition = t.conjunction([term.condition, fresh.condition])
    return [_reading(replace(term, bindings=bindings, condition=condition), at, names)]


def _reading(term: t.Term, at: Counted, names: Mapping[t.Variable, t.Variable]) -> t.Term:
    """The term with single rows read where those that are counted are gone through, but for the count."""
    own = set(names.values())

    def each(node: t.Node) -> t.Node:
        if node is at.part:
            return node
        if isinstance(node, t.Bag):
            node = t.Bag(tuple(_placed(inner, at.rows, names) for inner in node.terms))
        return t.map_children(node, each)

    bindings, seen = list[t.Binding](), set[t.Variable]()
    for binding in term.bindings:
        bindings.append(t.map_children(binding, each) if own <= seen else binding)
        seen.add(binding.row)
    condition = t.conjunction(each(part) for part in term.conjuncts)  # type: ignore[misc]
    return t.Term(tuple(bindings), condition, tuple(map(each, term.outputs)))  # type: ignore[arg-type]


def _placed(term: t.Term, rows: t.Term, names: Mapping[t.Variable, t.Variable]) -> t.Term:
    """A term of a nested bag with the single row in the place of variables that can be that row only."""
    wanted = rows.conjuncts
    parts = term.conjuncts
    shapes = {t.alpha(part) for part in parts}
    like = [[n for n, b in enumerate(term.bindings) if b.source == mine.source] for mine in rows.bindings]
    for places in islice(perfect_matchings(like), MAX_PLACES):
        alike = {mine.row: term.bindings[n].row for mine, n in zip(rows.bindings, places, strict=True)}
        said = {t.alpha(t.renamed(part, alike)) for part in wanted}
        if said <= shapes:
            left = t.Term(
                tuple(b for n, b in enumerate(term.bindings) if n not in places),
                t.conjunction(part for part in parts if t.alpha(part) not in said),
                term.outputs,
            )
            return t.renamed(left, {alike[row]: own for row, own in names.items()})
    return term


def is_not_of_many_rows(at: Counted) -> bool:
    """Whether the number is small enough that each of its rows can be named."""
    return at.exactly or 1 < at.least <= MAX_ROWS


def is_said_once(at: Counted) -> bool:
    """Whether no other condition of the term reads the number."""
    wanted = t.alpha(t.Aggregate("LINEAR", t.Bag((replace(at.rows, outputs=(t.TRUE,)),)), whole=True))
    nodes = (*at.others, *at.shown.bindings)
    return not any(t.alpha(n) == wanted for each in nodes for n in t.walk(each) if isinstance(n, t.Aggregate))


def rows_have_keys(at: Counted, scope: Scope) -> bool:
    """Whether different rows have different keys."""
    keys = [_key(each, scope) for each in at.rows.bindings]
    return bool(keys) and None not in keys


@rewrite(on=t.Term, keeps="bag", shape=(is_not_of_many_rows, is_said_once), needs=(rows_have_keys,))
def convert_count_to_different_rows(at: Counted, scope: Scope) -> list[t.Term] | None:
    """At least two rows are two different ones; a single one is one beside which there is no other.

    Before:  Σ t ∈ a [2 ≤ SUM0{Σ s ∈ b [s.a_id = t.id] → (1)}] → (t.x)
    After:   Σ t ∈ a [(∃ s ∈ b, r ∈ b [s.a_id = t.id and r.a_id = t.id and s.id ≠ r.id])] → (t.x)
    Refuse:  a table without a strict key; more than three rows; a number that another condition reads
    Sound:   rows are different exactly if their keys are, which are not NULL
    """
    names = at.at_hand(scope) if at.exactly else None
    if at.exactly and (names is None or not at.shown.outputs):
        return None
    copies = [scope.world.names.copy_of(at.rows) for _ in range(at.least)]
    chosen = [[each.row for each in copy.bindings] for copy in copies]
    if names is not None:
        chosen.append([names[each.row] for each in at.rows.bindings])
    apart = [_apart(at.rows.bindings, *two, scope) for two in combinations(chosen, 2)]
    bindings = tuple(each for copy in copies for each in copy.bindings)
    there: t.Expression = t.Exists(
        t.Bag((t.Term(bindings, t.conjunction([*(copy.condition for copy in copies), *apart]), ()),))
    )
    if at.exactly or at.negated:
        there = t.Not(there)
    return [at.shown.where([*at.others, there])]


def _key(binding: t.Binding, scope: Scope) -> tuple[str | int, ...] | None:
    """Columns that different rows of a source have different; None if there are none that hold no NULL."""
    match binding.source:
        case t.Squash(bag) if bag.terms:
            return tuple(range(len(bag.terms[0].outputs)))
        case t.Scan(table):
            for fact in scope.world.facts.keys(table):
                names = tuple(scope.world.column(fact.table, name).name for name in fact.columns)
                inside = scope.within((binding,))
                if all(inside.never_null(t.Field(binding.row, name)) for name in names):
                    scope.world.use((fact,))
                    return names
    return None


def _apart(
    bindings: Sequence[t.Binding], one: Sequence[t.Variable], two: Sequence[t.Variable], scope: Scope
) -> t.Expression:
    """The condition that two choices of rows differ."""
    same = [
        t.Compare("IS", t.Field(mine, name), t.Field(theirs, name))
        for binding, mine, theirs in zip(bindings, one, two, strict=True)
        for name in _key(binding, scope) or ()
    ]
    return t.Not(t.conjunction(same))


def are_distinct_rows(at: Counted) -> bool:
    """Whether the rows that are counted are the distinct ones of a bag."""
    return at.exactly and [type(each.source) for each in at.rows.bindings] == [t.Squash]


@rewrite(on=t.Term, keeps="bag", shape=(are_distinct_rows,))
def split_single_counted_value(at: Counted, scope: Scope) -> list[t.Term] | None:
    """One distinct row is at least one, and fewer than two.

    Before:  Σ t ∈ a [SUM0{Σ d ∈ distinct(Σ s ∈ b [s.a_id = t.id] → (s.z)) → (1)} = 1] → (t.x)
    After:   Σ t ∈ a [1 ≤ SUM0{Σ d ∈ distinct(…) → (1)} and SUM0{Σ d ∈ distinct(…) → (1)} < 2] → (t.x)
    Refuse:  rows of tables, of which the single one is bound
    Sound:   a count is a whole number
    """
    assert isinstance(at.part, t.Compare)
    count, one = at.part.left, at.part.right
    fewer = t.Compare("<", scope.world.names.copy_of(count), t.integer(2))
    return [at.shown.where([*at.others, t.Compare("<=", one, count), fewer])]


COUNTED = (inline_single_counted_row, convert_count_to_different_rows, split_single_counted_value)
"""Rewrites of conditions that compare a COUNT(*) with a number, in firing order."""
