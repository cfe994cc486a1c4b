"""Tier ``proof``: both queries as sums of terms, shown equal term by term.

Rules put both queries into a form with fewer shapes, the algebra translates them, drops what the facts
make superfluous, and pairs what is left; a solver decides what is then to be shown of values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import Answer
from equiv.algebra.text import Labels, page_of, text_of
from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.answers.pair import Pair
from equiv.facts import Fact
from equiv.proof.match.answers import Match, equivalent
from equiv.query.context import Context
from equiv.query.read import Query
from equiv.query.resolve.scope import UnsupportedError
from equiv.relation import Relation, Rows
from equiv.rewrite.normal_forms import NormalForms
from equiv.rewrite.normalise import Normalised, RuleSet
from equiv.smt.prover import Z3Prover
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.tiers.trial import Reading, Steps, Trial
from equiv.verdict import Obligation, Proof, Reason, Tier


@dataclass(frozen=True, slots=True)
class _Shown:
    """A match and all that it rests on."""

    match: Match
    rows: Rows
    """The relation under which the rules were applied."""
    facts: tuple[Fact, ...]
    obligations: tuple[Obligation, ...]
    steps: Steps


class ProofTier:
    """Settles as equivalent what the algebra and the solver show to be equal on every allowed database."""

    tier = Tier.PROOF

    def __init__(
        self,
        rules: RuleSet,
        trial: Trial | None = None,
        watch: Callable[[Steps], None] | None = None,
        forms: NormalForms | None = None,
    ) -> None:
        """Make the tier.

        Args:
            rules: what both queries are rewritten with first.
            trial: what a proof must withstand before it is given; None: nothing.
            watch: is shown what each attempt went through, whether it proved anything or not.
            forms: normal forms under these rules that are kept already.
        """
        self._forms = forms or NormalForms(rules)
        self._trial = trial
        self._watch = watch

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Try to prove a pair equivalent; the strictest relation that is shown on the way is reported.

        The effort is the solver's own: a number of its steps for each claim.
        """
        del effort
        if pair.unsupported:
            return Open(Reason.UNSUPPORTED, pair.unsupported)
        if pair.pred.columns != pair.gold.columns:
            return Open()
        if pair.sums_apart:
            return Open(
                Reason.UNSUPPORTED, "AggFunc: a sum that rounds, in an order of rows that is left open"
            )
        assert pair.pred.tree is not None
        assert pair.gold.tree is not None
        try:
            shown = self._show(pair, pair.pred.tree, pair.gold.tree)
        except UnsupportedError as error:
            return Open(Reason.UNSUPPORTED, str(error))
        if shown is None:
            return Open()
        broken = self._trial.run(pair, shown.steps)[1] if self._trial is not None else ""
        if broken:
            return Open(Reason.CONFLICT, f"a step of the proof is false: {broken}")
        return self._proved(pair, pair.pred.tree, pair.gold.tree, shown)

    def _show(self, pair: Pair, pred: exp.Expression, gold: exp.Expression) -> _Shown | None:
        """A match of forms that keep order and duplicates, or else of those for the relation asked for."""
        for rows in dict.fromkeys((Rows.LIST, pair.relation.rows)):
            trees = self._normal(pred, pair, rows), self._normal(gold, pair, rows)
            world = World(pair.schema, pair.facts)
            prover = Z3Prover(world)
            answers = translate(trees[0].tree, world), translate(trees[1].tree, world)
            match = equivalent(*answers, pair.relation, world, prover)
            if match is None and self._watch is None:
                continue
            steps = _steps(pair, trees, answers, match, world)
            if self._watch is not None:
                self._watch(steps)
            if match is not None:
                kept = max((match.relation.rows, trees[0].under, trees[1].under), key=list(Rows).index)
                match = replace(match, relation=Relation(kept, match.relation.columns))
                used = (*trees[0].facts, *trees[1].facts, *world.used, *pair.facts_of_sums)
                facts = tuple(dict.fromkeys(used))
                obligations = tuple(Obligation(o.text, o.smtlib) for o in prover.obligations)
                return _Shown(match, rows, facts, obligations, steps)
        return None

    def _normal(self, tree: exp.Expression, pair: Pair, rows: Rows, *, trace: bool = False) -> Normalised:
        return self._forms.of(tree, Context(pair.schema, pair.facts, rows), trace=trace)

    def _proved(self, pair: Pair, pred: exp.Expression, gold: exp.Expression, shown: _Shown) -> Proved:
        steps = [self._normal(tree, pair, shown.rows, trace=True).steps for tree in (pred, gold)]
        forms = [page_of(form) for form in shown.match.forms]
        proof = Proof(steps[0], steps[1], forms[0], forms[1], _lines(shown), shown.obligations)
        return Proved(proof, shown.facts, shown.match.relation)


def _steps(
    pair: Pair,
    trees: tuple[Normalised, Normalised],
    answers: tuple[Answer, Answer],
    match: Match | None,
    world: World,
) -> Steps:
    """What an attempt went through, to be tried."""
    pred, gold = pair.pred.sql, pair.gold.sql
    plain = tuple(range(pair.gold.columns))
    sets = [tree.under is Rows.SET for tree in trees]
    readings = [
        Reading(query.sql, answer, plain, as_set=False)
        for query in (pair.pred, pair.gold)
        if (answer := _as_written(query, pair)) is not None
    ]
    readings += [Reading(pred, answers[0], plain, sets[0]), Reading(gold, answers[1], plain, sets[1])]
    if match is not None:
        readings.append(Reading(pred, match.forms[0], plain, sets[0]))
        readings.append(Reading(gold, match.forms[1], match.columns, sets[1]))
    return Steps(tuple(readings), tuple(world.stated), tuple(world.steps))


def _as_written(query: Query, pair: Pair) -> Answer | None:
    """A query in the algebra before any rule; None where only a rewritten one can be translated."""
    assert query.tree is not None
    try:
        return translate(query.tree, World(pair.schema, pair.facts))
    except UnsupportedError:
        return None


def _lines(shown: _Shown) -> tuple[str, ...]:
    """The correspondences of a match, a line each."""
    labels = Labels(*shown.match.forms)
    lines = [
        f"{text_of(pairing.left, labels)}  =  {text_of(pairing.right, labels)}"
        for pairing in shown.match.pairings
    ]
    columns = shown.match.columns
    if columns != tuple(range(len(columns))):
        lines.append("columns: " + ", ".join(f"{n + 1} = {c + 1}" for n, c in enumerate(columns)))
    return tuple(lines or ("each set of rows is included in the other",))
