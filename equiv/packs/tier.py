"""Tier ``packs``: the rules of users besides our own, asked when every other tier is done.

So a pack decides nothing that can be decided without it, and a wrong rule of it has had every refuting tier
against it.  Of each step that a rule of a pack takes, the algebra is asked for a proof; what it does not
prove is on trust, and the derivation says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from equiv.answers.pair import Pair
from equiv.core.query import Broken, Query
from equiv.dialects.registry import reference
from equiv.facts import Fact
from equiv.packs.pack import SEPARATOR, Pack, PackError
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.rewrite.rule import Rule
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.tiers.rules import COLUMN_ORDER, RulesTier
from equiv.verdict import Derivation, Step, Tier

Read = Callable[[str], Query | Broken]
Prove = Callable[[Pair], Outcome]


@dataclass(frozen=True, slots=True)
class _Side:
    """Of one query, the rules of packs that are on trust, and the facts by which the algebra proves steps."""

    trusted: tuple[str, ...]
    facts: tuple[Fact, ...]


class PacksTier:
    """Settles as equivalent what our rules and those of packs rewrite to one normal form.

    Args:
        own: our rules, which are applied before those of packs.
        packs: the packs.
        prove: the algebra, which knows no rules.
    """

    tier = Tier.PACKS

    def __init__(self, own: Iterable[Rule], packs: Sequence[Pack], prove: Prove) -> None:
        self._rules = RulesTier(RuleSet((*own, *(rule for pack in packs for rule in pack.rules))))
        self._prove = prove

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """A derivation that names, of the rules of packs in it, those that are on trust."""
        try:
            outcome = self._rules.settle(pair, effort)
        except PackError as error:
            return Open(detail=str(error))
        if not isinstance(outcome, Proved) or not isinstance(outcome.evidence, Derivation):
            return outcome
        derivation = outcome.evidence
        # The steps are printed trees: text of the reference dialect, whichever the pair is of.
        with reference().engine.empty(pair.schema) as empty:
            read = partial(reference().reader.read, schema=pair.schema, empty=empty)
            sides = [
                self._looked_at(steps, pair, read) for steps in (derivation.pred_steps, derivation.gold_steps)
            ]
        trusted = dict.fromkeys(name for side in sides for name in side.trusted)
        facts = dict.fromkeys((*outcome.facts, *(fact for side in sides for fact in side.facts)))
        return replace(outcome, facts=tuple(facts), evidence=replace(derivation, on_trust=tuple(trusted)))

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """Whether there is such a derivation, without looking at its steps."""
        try:
            return self._rules.make_again(pair, effort)
        except PackError as error:
            return Open(detail=str(error))

    def show_again(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of :meth:`settle`."""
        return self.settle(pair, effort)

    def _looked_at(self, steps: Iterable[Step], pair: Pair, read: Read) -> _Side:
        """The steps of one side from the first of a pack on, each put to the algebra.

        A rule of ours may rely on what a pack has made of the tree, so that the pack answers for it as well.
        """
        foreign = ""
        trusted: list[str] = []
        facts: list[Fact] = []
        for step in steps:
            if SEPARATOR in step.rule:
                foreign = step.rule
            if not foreign:
                continue
            proved = self._proved(step, pair, read)
            if proved is None:
                trusted.append(foreign)
            else:
                facts += proved.facts
        return _Side(tuple(trusted), tuple(facts))

    def _proved(self, step: Step, pair: Pair, read: Read) -> Proved | None:
        before, after = read(step.before), read(step.after)
        if isinstance(before, Broken) or isinstance(after, Broken):
            return None
        columns = Columns.ANY if step.rule == COLUMN_ORDER else Columns.ORDERED
        kept = Relation(Rows(step.under), columns)
        outcome = self._prove(pair.of_core_texts(before, after, kept))
        return outcome if isinstance(outcome, Proved) else None
