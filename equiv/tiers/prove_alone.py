"""Proof by the algebra alone: both queries as written become sums of terms, shown equal term by term.

No rewrite rule has a part in it, so that it confirms or contradicts what the rules say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from equiv.algebra.terms import Answer
from equiv.algebra.text import VariableLabels, page_of, text_of
from equiv.algebra.translate.query import translate
from equiv.algebra.world import Meter, RewriteStep, TooMuchWorkError, World
from equiv.answers.pair import Pair
from equiv.core.query import Query, UnsupportedError
from equiv.facts import Fact
from equiv.proof.match.answers import Match, equivalent, form_of
from equiv.relation import Rows
from equiv.smt.logic import ContradictionError
from equiv.smt.prover import BUDGET, Z3Prover, Z3Solver
from equiv.tiers.outcome import Open, Proved
from equiv.tiers.proof_trial import Reading, Steps
from equiv.verdict import Proof, Reason


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a proof: outcome and steps, before the trial on databases."""

    outcome: Proved | Open
    steps: Steps | None = None
    """The steps of the attempt, proved or not; None if it ended before the match."""
    work: int = 0
    """How many steps it took."""
    is_cut_off: bool = False
    """Whether it ended because it may take no more."""


def prove_alone(pair: Pair, budget: int = BUDGET) -> Proved | Open:
    """The outcome of an attempt at a proof: see :func:`attempt`."""
    return attempt(pair, budget).outcome


def attempt(
    pair: Pair,
    budget: int = BUDGET,
    solver: Z3Solver | None = None,
    *,
    strictest: bool = True,
    limit: int | None = None,
) -> Attempt:
    """Try to prove a pair equivalent without any rewrite rule; the strictest relation that is shown is told.

    Args:
        pair: both queries, the schema, the facts and the relation.
        budget: the solver's resource units for each claim.
        solver: decides claims; other attempts at the same pair may share it.
        strictest: whether stricter relations than that of the pair are tried first.
        limit: how many steps it may take; None: as many as it wants.

    Returns:
        The proof, with the facts that it rests on; or why there is none.
    """
    if pair.unsupported:
        return Attempt(Open(Reason.UNSUPPORTED, pair.unsupported))
    if pair.pred.columns != pair.gold.columns:
        return Attempt(Open())
    if pair.sums_apart:
        what = "AggFunc: a sum that rounds, in an order of rows that is left open"
        return Attempt(Open(Reason.UNSUPPORTED, what))
    assert pair.pred.tree is not None
    assert pair.gold.tree is not None
    world = World(pair.schema, pair.facts, meter=Meter(limit))
    prover = Z3Prover(world, budget, solver=solver)
    try:
        pred, gold = translate(pair.pred.tree, world), translate(pair.gold.tree, world)
        match = equivalent(pred, gold, pair.relation, world, prover, strictest=strictest)
    except UnsupportedError as error:
        return Attempt(Open(Reason.UNSUPPORTED, str(error)))
    except ContradictionError as error:
        return Attempt(Open(Reason.NO_PROOF, str(error)))
    except TooMuchWorkError:
        return Attempt(Open(), work=world.meter.done, is_cut_off=True)
    steps = Steps(
        (*_readings(pair, (pred, gold)), *_matched(pair, match)),
        tuple(world.stated),
        tuple(world.steps),
    )
    return Attempt(Open() if match is None else _proved(pair, match), steps, world.meter.done)


def _proved(pair: Pair, match: Match) -> Proved:
    facts = tuple(dict.fromkeys((*match.world.used, *pair.facts_of_sums)))
    forms = [page_of(form) for form in match.forms]
    pred_names, gold_names = (tuple(step.rewrite for step in side) for side in match.steps)
    proof = Proof(forms[0], forms[1], _lines(match), match.obligations, pred_names, gold_names)
    return Proved(proof, facts, match.relation, _on_both_sides(match) - {*pair.facts_of_sums})


def _on_both_sides(match: Match) -> frozenset[Fact]:
    """The facts of steps that both normal forms took, less those of other steps and those of arithmetic."""
    mine, theirs = (Counter((step.rewrite, step.facts) for step in side) for side in match.steps)
    alike, single = mine & theirs, (mine - theirs) + (theirs - mine)
    return frozenset(fact for fact in _facts_in(alike) if fact.table) - frozenset(_facts_in(single))


def _facts_in(steps: Iterable[tuple[str, tuple[Fact, ...]]]) -> Iterator[Fact]:
    return (fact for _, facts in steps for fact in facts)


def normalised(pair: Pair) -> tuple[tuple[RewriteStep, ...], tuple[RewriteStep, ...]]:
    """The steps by which the algebra normalises each query of a pair by itself.

    Raises:
        UnsupportedError: a query is outside what the algebra models.
    """
    pred, gold = (_steps_of(query, pair) for query in (pair.pred, pair.gold))
    return pred, gold


def _steps_of(query: Query, pair: Pair) -> tuple[RewriteStep, ...]:
    if query.unsupported is not None:
        raise UnsupportedError(query.unsupported.node, query.unsupported.why)
    assert query.tree is not None
    world = World(pair.schema, pair.facts)
    form_of(translate(query.tree, world), pair.relation.rows, world, Z3Prover(world))
    return tuple(step for step in world.steps if not step.aside)


def _readings(pair: Pair, answers: tuple[Answer, Answer]) -> Iterator[Reading]:
    """Both queries as translated, to be tried."""
    plain = tuple(range(pair.gold.columns))
    for query, answer in zip((pair.pred, pair.gold), answers, strict=True):
        yield Reading(query.core_sql, answer, plain, as_set=False)


def _matched(pair: Pair, match: Match | None) -> Iterator[Reading]:
    """Both queries in the forms that were matched, to be tried."""
    if match is not None:
        as_set = match.relation.rows is Rows.SET
        yield Reading(pair.pred.core_sql, match.forms[0], tuple(range(pair.gold.columns)), as_set)
        yield Reading(pair.gold.core_sql, match.forms[1], match.columns, as_set)


def _lines(match: Match) -> tuple[str, ...]:
    """The correspondences of a match, a line each."""
    labels = VariableLabels(*match.forms)
    lines = [
        f"{text_of(pairing.left, labels)}  =  {text_of(pairing.right, labels)}" for pairing in match.pairings
    ]
    columns = match.columns
    if columns != tuple(range(len(columns))):
        lines.append("columns: " + ", ".join(f"{n + 1} = {c + 1}" for n, c in enumerate(columns)))
    return tuple(lines or ("each set of rows is included in the other",))
