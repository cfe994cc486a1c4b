"""Proof by the algebra alone: both queries as written become sums of terms, shown equal term by term.

No rewrite rule has a part in it, so that it confirms or contradicts what the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from equiv.algebra.terms import Answer
from equiv.algebra.text import Labels, page_of, text_of
from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.proof.match.answers import Match, equivalent
from equiv.query.resolve.scope import UnsupportedError
from equiv.relation import Rows
from equiv.smt.prover import BUDGET, Z3Prover
from equiv.tiers.outcome import Open, Proved
from equiv.tiers.trial import Reading, Steps, Trial
from equiv.verdict import Proof, Reason


def prove_alone(
    pair: Pair,
    budget: int = BUDGET,
    trial: Trial | None = None,
    watch: Callable[[Steps], None] | None = None,
) -> Proved | Open:
    """Try to prove a pair equivalent without any rewrite rule; the strictest relation that is shown is told.

    Args:
        pair: both queries, the schema, the facts and the relation.
        budget: the solver's resource units for each claim.
        trial: what a proof must withstand before it is given; None: nothing.
        watch: is shown what the attempt went through, whether it proved anything or not.

    Returns:
        The proof, with the facts that it rests on; or why there is none.
    """
    if pair.unsupported:
        return Open(Reason.UNSUPPORTED, pair.unsupported)
    if pair.pred.columns != pair.gold.columns:
        return Open()
    if pair.sums_apart:
        return Open(Reason.UNSUPPORTED, "AggFunc: a sum that rounds, in an order of rows that is left open")
    assert pair.pred.tree is not None
    assert pair.gold.tree is not None
    world = World(pair.schema, pair.facts)
    prover = Z3Prover(world, budget)
    try:
        pred, gold = translate(pair.pred.tree, world), translate(pair.gold.tree, world)
        match = equivalent(pred, gold, pair.relation, world, prover)
    except UnsupportedError as error:
        return Open(Reason.UNSUPPORTED, str(error))
    steps = Steps(
        (*_readings(pair, (pred, gold)), *_matched(pair, match)),
        tuple(world.stated),
    )
    if watch is not None:
        watch(steps)
    if match is None:
        return Open()
    broken = trial.run(pair, steps)[1] if trial is not None else ""
    if broken:
        return Open(Reason.CONFLICT, f"a step of the proof is false: {broken}")
    facts = tuple(dict.fromkeys((*match.world.used, *pair.facts_of_sums)))
    obligations = match.obligations
    forms = [page_of(form) for form in match.forms]
    return Proved(Proof((), (), forms[0], forms[1], _lines(match), obligations), facts, match.relation)


def _readings(pair: Pair, answers: tuple[Answer, Answer]) -> Iterator[Reading]:
    """Both queries as translated, to be tried."""
    plain = tuple(range(pair.gold.columns))
    for query, answer in zip((pair.pred, pair.gold), answers, strict=True):
        yield Reading(query.sql, answer, plain, as_set=False)


def _matched(pair: Pair, match: Match | None) -> Iterator[Reading]:
    """Both queries in the forms that were matched, to be tried."""
    if match is not None:
        as_set = match.relation.rows is Rows.SET
        yield Reading(pair.pred.sql, match.forms[0], tuple(range(pair.gold.columns)), as_set)
        yield Reading(pair.gold.sql, match.forms[1], match.columns, as_set)


def _lines(match: Match) -> tuple[str, ...]:
    """The correspondences of a match, a line each."""
    labels = Labels(*match.forms)
    lines = [
        f"{text_of(pairing.left, labels)}  =  {text_of(pairing.right, labels)}" for pairing in match.pairings
    ]
    columns = match.columns
    if columns != tuple(range(len(columns))):
        lines.append("columns: " + ", ".join(f"{n + 1} = {c + 1}" for n, c in enumerate(columns)))
    return tuple(lines or ("each set of rows is included in the other",))
