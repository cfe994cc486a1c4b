"""Equality of sets of rows, and EXISTS: homomorphisms both ways.

A bag's rows all occur in another if, for rows of the first one's variables that make its condition true,
some choice of *those* rows for the second one's variables makes its condition true and its outputs equal.
Several such choices may share the work: the prover is asked for their disjunction.
(Containment of unions of conjunctive queries by homomorphisms, Chandra and Merlin, STOC 1977; Sagiv and
Yannakakis, JACM 1980; here with conditions as formulas.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod

from equiv.algebra import terms as t
from equiv.algebra.correspondences import atoms, outline
from equiv.algebra.world import Alike, Likeness
from equiv.proof.match import atoms as match_atoms
from equiv.proof.match import bags as match_terms
from equiv.proof.match.matching import (
    IDENTICAL,
    CellEquality,
    Matching,
    MatchingScope,
    not_distinct,
    tells_rows_apart,
)

MAX_HOMOMORPHISMS = 48
"""How many choices of rows for one term are looked at."""

MAX_ASKED = 8
"""How many of them, the most alike, the prover is asked about at once."""

MAX_BEHIND = 6
"""In how many ways rows may have come about for these to be looked at."""

MAX_SPLITS = 2
"""How many EXISTS are looked at for a distinction of cases."""

SPLITS = 1
"""How many cases are distinguished within each other; none for a lemma, asked of every two EXISTS."""

RowAtHand = t.Variable | t.Found
"""A row at hand: that of a variable, or the one that a look-up finds."""


def same_set(
    m: Matching,
    left: t.Bag,
    right: t.Bag,
    here: MatchingScope,
    same: CellEquality | None,
) -> bool:
    """Whether two bags hold the same rows, duplicates aside.

    With ``same`` None: whether both or neither have rows.
    """
    return included(m, left, right, here, same) and included(m, right, left, here, same)


def is_set(m: Matching, bag: t.Bag) -> bool:
    """Whether a bag has no row twice: it is one term whose outputs distinguish the rows of its variables."""
    return len(bag.terms) == 1 and all(_is_shown(m, b, bag.terms[0]) for b in bag.terms[0].bindings)


def without_distinct(bag: t.Bag) -> t.Bag:
    """A bag with the same rows, duplicates aside, that is not said to be the distinct ones of another."""
    match bag.terms:
        case (t.Term((t.Binding(row, t.Squash(inner)),), condition, outputs),) if (
            condition == t.TRUE and inner.terms
        ):
            fields = (t.Field(row, place) for place in range(len(inner.terms[0].outputs)))
            return inner if outputs == tuple(fields) else bag
    return bag


def _is_shown(m: Matching, binding: t.Binding, term: t.Term) -> bool:
    """Whether a term puts out all columns of a distinct source, or a key of a table."""
    columns = {o.column for o in term.outputs if isinstance(o, t.Field) and o.row == binding.row}
    return tells_rows_apart(binding.source, columns, m.world)


def included(
    m: Matching,
    left: t.Bag,
    right: t.Bag,
    here: MatchingScope,
    same: CellEquality | None,
) -> bool:
    """Whether every row of the left bag occurs in the right one.

    With ``same`` None: whether the right bag has a row if the left one has.

    Choices are refused: a homomorphism may use one row twice.
    """
    if t.sites(left) or t.sites(right):
        return False
    copies = (m.world.names.copy_of(term) for term in left.terms)
    depth = 0 if same is None else SPLITS
    if not all(_by_cases(m, term, right, here, same, depth=depth) for term in copies):
        return False
    likeness: Likeness = "exists" if same is None else "included"
    width = None if same is None else same.width
    exactly = same is IDENTICAL
    m.world.state("inclusion", Alike(here.rows, here.given, left, right, likeness, width, exactly))
    return True


def _term_included(
    m: Matching,
    left: t.Term,
    right: t.Bag,
    here: MatchingScope,
    same: CellEquality | None,
) -> bool:
    inner = here.within(left.bindings).knowing(left.conjuncts)
    return all(_place_included(m, left, right, here, same, inner=each) for each in _unfolded(m, left, inner))


def _place_included(
    m: Matching,
    left: t.Term,
    right: t.Bag,
    here: MatchingScope,
    same: CellEquality | None,
    *,
    inner: MatchingScope,
) -> bool:
    if _covered(m, left, right, inner, same):
        return True
    new = inner.given[len(here.given) :]
    behind = with_rows_behind(m, new, inner)
    if behind is inner:
        return False
    asked = t.Bag(tuple(_with_rows_asked_for(m, term) for term in right.terms))
    return _covered(m, left, asked, behind, same)


def _by_cases(
    m: Matching, left: t.Term, right: t.Bag, here: MatchingScope, same: CellEquality | None, *, depth: int
) -> bool:
    """Whether a term is included with the row of an EXISTS that some of the right terms deny, and without.

    Both cases together are the term: no row is left out.
    """
    if _term_included(m, left, right, here, same):
        return True
    if depth == 0:
        return False
    for denied in _denied(m, left, right, here):
        (inner,) = m.world.names.copy_of(denied).bag.terms
        there = replace(
            left,
            bindings=(*left.bindings, *inner.bindings),
            condition=t.conjunction([left.condition, inner.condition]),
        )
        absent = left.where([left.condition, t.Not(denied)])
        cases = (absent, there)
        if all(
            _by_cases(m, m.world.names.copy_of(each), right, here, same, depth=depth - 1) for each in cases
        ):
            return True
    return False


def _denied(m: Matching, left: t.Term, right: t.Bag, here: MatchingScope) -> list[t.Exists]:
    """The EXISTS that right terms deny of rows in scope, and of which the left term says nothing."""
    inner = here.within(left.bindings).knowing(left.conjuncts)
    known = {t.alpha(part) for part in inner.given}
    negated: dict[t.Expression, t.Exists] = {}
    for term in right.terms:
        if any(isinstance(part, t.Not) and isinstance(part.part, t.Exists) for part in term.conjuncts):
            for chosen in islice(homomorphisms(m, term, inner), MAX_SPLITS):
                for part in chosen.conjuncts:
                    if isinstance(part, t.Not) and isinstance(part.part, t.Exists):
                        denied = part.part
                        is_new = t.alpha(part) not in known and t.alpha(denied) not in known
                        if is_new and len(denied.bag.terms) == 1:
                            negated.setdefault(t.alpha(denied), denied)
    return list(negated.values())[:MAX_SPLITS]


def _with_rows_asked_for(m: Matching, term: t.Term) -> t.Term:
    """The term with variables for the rows that its EXISTS ask for: it has a row if there are such rows."""
    bindings, parts = list(term.bindings), list[t.Expression]()
    for part in term.conjuncts:
        if isinstance(part, t.Exists) and len(part.bag.terms) == 1 and not t.sites(part):
            inner = m.world.names.copy_of(part.bag.terms[0])
            bindings += inner.bindings
            parts += inner.conjuncts
        else:
            parts.append(part)
    return t.Term(tuple(bindings), t.conjunction(parts), term.outputs)


def _covered(
    m: Matching, left: t.Term, right: t.Bag, inner: MatchingScope, same: CellEquality | None
) -> bool:
    """Whether rows at hand make up a row of the right bag that is the left term's."""
    known = inner.given
    options: list[tuple[int, t.Expression]] = []
    wanted = {t.alpha(part) for part in known}
    for term in (variant for each in right.terms for variant in _variants(m, each)):
        for chosen in islice(homomorphisms(m, term, inner, left.outputs), MAX_HOMOMORPHISMS):
            claim = _claim(left, chosen, same)
            parts = [part for part in t.conjuncts(claim) if t.alpha(part) not in wanted]
            if not parts:
                return True
            options.append((len(parts), t.conjunction(parts)))
    if not options:
        return m.proves(t.FALSE, inner)
    options.sort(key=lambda option: option[0])
    goal = _any([claim for _, claim in options[:MAX_ASKED]])
    plain = MatchingScope(tuple(part for part in known if not atoms(part)), inner.rows)
    aligned, relations = match_atoms.align(m, known, [goal], plain)
    return m.proves(aligned[0], inner.relying_on(relations))


def _variants(m: Matching, term: t.Term) -> list[t.Term]:
    """A term, and the term with rows behind its distinct sources in their place: a row is a row."""
    squashes = [each.source.bag.terms for each in term.bindings if isinstance(each.source, t.Squash)]
    if not squashes or prod(map(len, squashes)) > MAX_BEHIND:
        return [term]
    return [term, *(_with_rows_of(m, term, iter(chosen)) for chosen in product(*squashes))]


def _with_rows_of(m: Matching, term: t.Term, chosen: Iterator[t.Term]) -> t.Term:
    """The term with a row of the term that is chosen for it in the place of each distinct row."""
    bindings: list[t.Binding] = []
    parts: list[t.Expression] = []
    fields: dict[t.Field, t.Expression] = {}

    def shown(field: t.Field) -> t.Expression:
        return fields.get(field, field)

    for binding in term.bindings:
        if isinstance(binding.source, t.Squash):
            behind = m.world.names.copy_of(t.substitute(next(chosen), shown))
            bindings += behind.bindings
            parts += behind.conjuncts
            fields |= {t.Field(binding.row, n): output for n, output in enumerate(behind.outputs)}
        else:
            bindings.append(t.substitute(binding, shown))
    changed = t.substitute(t.Term((), term.condition, term.outputs), shown)
    return t.Term(tuple(bindings), t.conjunction([*parts, changed.condition]), changed.outputs)


def _any(claims: Sequence[t.Expression]) -> t.Expression:
    return claims[0] if len(claims) == 1 else t.Or(tuple(claims))


def _claim(left: t.Term, right: t.Term, same: CellEquality | None) -> t.Expression:
    outputs: list[t.Expression] = []
    if same is not None:
        outputs = same.claims(left.outputs, right.outputs)
    return t.conjunction([right.condition, *outputs])


def with_rows_behind(m: Matching, known: Sequence[t.Expression], here: MatchingScope) -> MatchingScope:
    """The place with a row at hand for each EXISTS that is known to be true."""
    for part in known:
        if isinstance(part, t.Exists) and len(part.bag.terms) == 1 and not t.sites(part):
            behind = m.world.names.copy_of(part.bag.terms[0])
            here = here.within(behind.bindings).knowing(behind.conjuncts)
    return here


def _unfolded(m: Matching, left: t.Term, here: MatchingScope) -> list[MatchingScope]:
    """The place with the rows behind distinct ones, for each way in which these may have come about."""
    squashes = [each for each in left.bindings if isinstance(each.source, t.Squash)]
    places = [here]
    for binding in squashes:
        assert isinstance(binding.source, t.Squash)
        if len(places) * len(binding.source.bag.terms) <= MAX_BEHIND:
            terms = binding.source.bag.terms
            places = [_with_row_behind(m, place, binding, term) for place in places for term in terms]
    return places


def _with_row_behind(m: Matching, here: MatchingScope, binding: t.Binding, term: t.Term) -> MatchingScope:
    behind = m.world.names.copy_of(term)
    same = [not_distinct(t.Field(binding.row, n), output) for n, output in enumerate(behind.outputs)]
    return here.within(behind.bindings).knowing([*behind.conjuncts, *same])


def homomorphisms(
    m: Matching, term: t.Term, here: MatchingScope, outputs: Sequence[t.Expression] = ()
) -> Iterator[t.Term]:
    """The term with its variables replaced by rows at hand, in every way; it has no bindings left.

    Rows that are looked up are at hand; a claim is then that they are found.
    """
    nodes = [node for part in (*here.given, *outputs) for node in t.walk(part)]
    lookups = [node for node in nodes if isinstance(node, t.Found)]
    lookups += [t.Found(node.table, node.key, node.values) for node in nodes if isinstance(node, t.Lookup)]
    closed = [node for node in dict.fromkeys(lookups) if _is_closed(node, here)]
    candidates: list[list[RowAtHand]] = []
    for binding in term.bindings:
        mine = _candidates(m, binding, closed, here)
        if not mine:
            return
        candidates.append(mine)
    for choice in product(*candidates):
        yield _placed(term, dict(zip((b.row for b in term.bindings), choice, strict=True)))


def _is_closed(node: t.Found, here: MatchingScope) -> bool:
    """Whether a look-up speaks of rows at hand alone, not of rows inside some nested bag."""
    at_hand = {binding.row for binding in here.rows}
    return all(inner.row in at_hand for inner in t.walk(node) if isinstance(inner, t.Field))


def _candidates(
    m: Matching, binding: t.Binding, found: Sequence[t.Found], here: MatchingScope
) -> list[RowAtHand]:
    match binding.source:
        case t.Scan(table):
            scanned: list[RowAtHand] = [
                b.row for b in reversed(here.rows) if isinstance(b.source, t.Scan) and b.source.table == table
            ]
            return [*scanned, *(node for node in found if node.table == table)]
        case t.Squash(bag):
            return [
                b.row
                for b in reversed(here.rows)
                if isinstance(b.source, t.Squash)
                and outline(b.source) == outline(binding.source)
                and match_terms.same_source(m, b.source, t.Squash(bag), MatchingScope((), _outside(here, b)))
            ]
    return []


def _outside(here: MatchingScope, binding: t.Binding) -> tuple[t.Binding, ...]:
    return tuple(other for other in here.rows if other.row != binding.row)


def _placed(term: t.Term, choice: Mapping[t.Variable, RowAtHand]) -> t.Term:
    """A term with rows in place of its variables; a looked-up row must be found."""

    def change(field: t.Field) -> t.Expression:
        row = choice.get(field.row)
        match row:
            case t.Variable():
                return t.Field(row, field.column)
            case t.Found(table, key, values):
                return t.Lookup(table, key, values, str(field.column))
        return field

    looked_up = [row for row in choice.values() if isinstance(row, t.Found)]
    changed = t.substitute(term, change)
    return t.Term((), t.conjunction([*looked_up, changed.condition]), changed.outputs)
