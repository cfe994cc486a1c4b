"""Whether two answers are equal, and under which relation.

Each stricter relation serves the looser ones, so the strictest is tried first and the one found is the
strongest that could be proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.algebra.terms import Answer, Limited
from equiv.algebra.world import Prover, RecordingProver, RewriteStep, World
from equiv.proof.match import sets as match_sets
from equiv.proof.match.bags import Keyed, same_bag, same_ordered
from equiv.proof.match.matching import BY_VALUE, Matching, MatchingScope, Pairing, are_comparable, repeated
from equiv.proof.normal_form import normal_form
from equiv.proof.rewrites.choices.limits import uncut, with_choices_as_sources, with_settled_choices
from equiv.proof.rewrites.choices.order_keys import reorderings, with_sorted_columns
from equiv.proof.rewrites.rows.row_counts import COUNTED
from equiv.relation import Columns, Relation, Rows
from equiv.verdict import Obligation

_OF_COUNTS = frozenset(each.name for each in COUNTED)
"""Rewrites of COUNT conditions into rows; if no match is found with them, one is tried without."""

ROUNDS = 3
"""How many times the normal form and the form of choices are brought about in turn."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two answers shown equal."""

    relation: Relation
    """The strictest relation that was shown."""
    columns: tuple[int, ...]
    """For each column of the prediction, the column of the gold query that it equals, from 0."""
    forms: tuple[Answer, Answer]
    """Both answers in the normal form that was matched."""
    pairings: tuple[Pairing, ...]
    """The terms paired, the right ones over the variables of the left ones; none for a proof by inclusion."""
    world: World
    """The facts that the match rests on, without those that only failed attempts used."""
    obligations: tuple[Obligation, ...]
    """The claims that a solver proved."""
    steps: tuple[tuple[RewriteStep, ...], tuple[RewriteStep, ...]] = ((), ())
    """How the two normal forms came about."""


def equivalent(
    pred: Answer,
    gold: Answer,
    relation: Relation,
    world: World,
    prover: RecordingProver,
    *,
    strictest: bool = True,
) -> Match | None:
    """A match that shows two answers equal under a relation, or None.

    Args:
        pred: the prediction as translated.
        gold: the gold query as translated, its variables and sites other ones.
        relation: what is to be shown; something stricter may be.
        world: the names and facts of both.
        prover: decides claims about values.
        strictest: whether stricter relations are tried first.
    """
    if pred.visible != gold.visible:
        return None
    for rows in Rows:
        if rows is relation.rows or (strictest and rows.implies(relation.rows)):
            asked = Relation(rows, relation.columns)
            match, names = _attempt(pred, gold, asked, world.attempt(), prover)
            if match is None and names & _OF_COUNTS:
                match, _ = _attempt(pred, gold, asked, world.attempt(_OF_COUNTS), prover)
            if match is not None:
                return match
    return None


def _attempt(
    pred: Answer, gold: Answer, relation: Relation, world: World, prover: RecordingProver
) -> tuple[Match | None, set[str]]:
    """A match of the normal forms in one world, and the names of the rewrites by which these came about."""
    asked = prover.within(world)
    (mine, my_steps), (theirs, their_steps) = (
        _traced(side, relation.rows, world, asked) for side in (pred, gold)
    )
    names = {step.rewrite for step in (*my_steps, *their_steps)}
    anew = repeated(pred) | repeated(gold)
    if not all(are_comparable(form, world, anew) for form in (mine, theirs)):
        return None, names
    match = _match((mine, theirs), relation, world, asked)
    return (None if match is None else replace(match, steps=(my_steps, their_steps))), names


def _traced(
    answer: Answer, rows: Rows, world: World, prover: Prover
) -> tuple[Answer, tuple[RewriteStep, ...]]:
    """The normal form in which an answer is compared, and the steps that it shows."""
    mark = len(world.steps)
    form = form_of(answer, rows, world, prover)
    return form, tuple(step for step in world.steps[mark:] if not step.aside)


def form_of(answer: Answer, rows: Rows, world: World, prover: Prover) -> Answer:
    """An answer in the normal form that is compared; under bag and set, its LIMIT has become a source.

    Args:
        answer: as it was translated.
        rows: how the rows of two answers are to be compared.
        world: facts that are relied on, and the steps, are recorded there.
        prover: asked whether two conditions exclude each other.
    """
    form = normal_form(with_choices_as_sources(answer, world), world, prover)
    if rows is not Rows.LIST or _is_single(form):
        form = uncut(form, world)
    as_set = rows is Rows.SET
    if as_set:
        form = normal_form(form, world, prover, distinct=True)
    for _ in range(ROUNDS):
        changed = with_choices_as_sources(form, world)
        if changed == form:
            break
        form = normal_form(changed, world, prover, distinct=as_set)
    return with_sorted_columns(with_settled_choices(form, world))


def _match(
    forms: tuple[Answer, Answer], relation: Relation, world: World, prover: RecordingProver
) -> Match | None:
    pred, gold = forms
    identity = tuple(range(gold.visible))
    for order, candidate in reorderings(pred, gold):
        if order != identity and relation.columns is Columns.ORDERED:
            continue
        pairings = _SHOW[relation.rows](Matching(world, prover), pred, candidate)
        if pairings is not None:
            columns = Columns.ORDERED if order == identity else Columns.ANY
            shown = Relation(relation.rows, columns)
            return Match(shown, order, (pred, candidate), tuple(pairings), world, prover.obligations)
    return None


def _list(m: Matching, pred: Answer, gold: Answer) -> list[Pairing] | None:
    """Same rows, same order of rows, same cut: then the possible answers are the same lists."""
    if _is_single(pred) and _is_single(gold):
        return _bag(m, uncut(pred, m.world), uncut(gold, m.world))
    # LIMIT 5 and LIMIT 6 agree on small tables only.
    if (pred.limit, pred.offset) != (gold.limit, gold.offset):
        return None
    sides = Keyed(pred.bag, pred.directions), Keyed(gold.bag, gold.directions)
    return same_ordered(m, *sides, pred.visible, MatchingScope())


def _is_single(answer: Answer) -> bool:
    """Whether an answer has one row at most, so that its order says nothing."""
    if answer.limit in (0, 1) or not answer.bag.terms:
        return True
    sources = [binding.source for binding in answer.bag.terms[0].bindings]
    return len(answer.bag.terms) == 1 and all(isinstance(s, Limited) and s.limit == 1 for s in sources)


def _bag(m: Matching, pred: Answer, gold: Answer) -> list[Pairing] | None:
    return same_bag(m, pred.bag, gold.bag, MatchingScope())


def _set(m: Matching, pred: Answer, gold: Answer) -> list[Pairing] | None:
    return [] if match_sets.same_set(m, pred.bag, gold.bag, MatchingScope(), BY_VALUE) else None


_SHOW = {Rows.LIST: _list, Rows.BAG: _bag, Rows.SET: _set}
