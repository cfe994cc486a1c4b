"""The fewest facts for a proof: the proof is made again from fewer facts until none can be spared.

So a verdict lists facts from which alone the proof was made, and none that the proof does without.
Of several that would do, the most trusted is kept: each fact in turn, the least trusted first, is left
out, and stays out if there still is a proof; then twice as many are tried.  What that proof does not list
stays out with it.  Before that, what served both queries alike is left out at once: mostly, they are as
equal without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from equiv.answers.pair import Pair
from equiv.facts import Fact, Facts, Grade
from equiv.tiers.outcome import Outcome, Proved
from equiv.verdict import Derivation, Proof

TRIES = 24
"""How often a proof is made again at most; past that, facts stay that might be spared."""

_FEW = 2
"""Whether so many facts suffice at all shows soon enough while they are looked through."""

_LARGE = 12
"""A proof of so many claims is made again half as often, and so on."""

_LETTERS = 250
"""Normal forms of so many letters count as one claim more."""


class Fewest:
    """Looks for the fewest facts of one proof.

    Args:
        pair: what was proved.
        proved: the proof.
        prove: makes it again, from other facts.
        quick: says whether ``prove`` may succeed, for less; by default, ``prove``.
    """

    def __init__(
        self,
        pair: Pair,
        proved: Proved,
        prove: Callable[[Pair], Outcome],
        quick: Callable[[Pair], Outcome] | None = None,
    ) -> None:
        self._pair = pair
        self._proved = proved
        self._prove = prove
        self._quick = quick or prove
        self._wanted = proved.strongest or pair.relation
        self._made: dict[frozenset[Fact], Proved | None] = {}
        self._tries = TRIES * _LARGE // (_LARGE + _size(proved))
        self._whole: Proved | None = None
        if isinstance(proved.evidence, Derivation) and self._wanted == pair.relation:
            # Each guard of a rule names the facts by which it holds.
            self._made[frozenset(proved.facts)] = self._whole = proved
        else:
            self._tries -= 1  # for the proof from the facts that are found

    def find(self) -> Proved:
        """The proof made from as few facts as were found to do, no less strict than it was.

        Where the facts that it lists are too few, the others in force are looked through as well.
        """
        for facts in (self._proved.facts, (*self._proved.facts, *self._pair.facts)):
            found = self._fewest_of(_most_trusted_first(facts))
            if found is not None:
                return found
        return replace(self._proved, facts=tuple(self._pair.facts))

    def _fewest_of(self, facts: tuple[Fact, ...]) -> Proved | None:
        """The whole proof from the fewest of some facts; None if they do not suffice."""
        tried = []
        for is_trusting in (True, False):
            chosen = self._needed(facts, is_trusting=is_trusting)
            if chosen is None:
                return None
            if chosen not in tried:
                tried.append(chosen)
                whole = self._whole_from(chosen)
                if whole is not None:
                    return whole
        return self._whole_from(facts) if facts not in tried else None

    def _needed(self, facts: tuple[Fact, ...], *, is_trusting: bool) -> tuple[Fact, ...] | None:
        """Some facts less each that can be spared, the least trusted first; None if they do not suffice.

        Args:
            facts: the most trusted first.
            is_trusting: whether a fact that a proof was given and does not list is spared without a proof.
        """
        open_ones, kept = facts, tuple[Fact, ...]()
        # Those that a proof lists nearly always suffice; if not, the proof from what is found fails.
        if self._whole is None and len(facts) > _FEW and set(facts) != set(self._proved.facts):
            proved = self._made_from(facts)
            if proved is None:
                return None
            open_ones = _listed(facts, proved, is_trusting=is_trusting)
        alike = self._proved.on_both_sides
        if len(alike & set(open_ones)) > 1:
            fewer = [fact for fact in open_ones if fact not in alike]
            proved = self._made_from(tuple(fewer))
            if proved is not None:
                open_ones = _listed(fewer, proved, is_trusting=is_trusting)
        many, early = 1, set[Fact]()
        while open_ones:
            others, last = open_ones[:-many], open_ones[-many:]
            proved = self._made_from((*others, *kept))
            if proved is not None:
                open_ones, many = _listed(others, proved, is_trusting=is_trusting), 2 * many
                early = set(kept)
            elif many > 1:
                many = 1
            else:
                open_ones, kept = others, (*last, *kept)
        for fact in kept[::-1]:
            # Facts steer a proof, so that one that was needed beside others may be spared without them.
            fewer = [each for each in kept if each != fact]
            if fact in early and (proved := self._made_from(tuple(fewer))) is not None:
                kept = _listed(fewer, proved, is_trusting=is_trusting)
        return kept

    def _whole_from(self, facts: tuple[Fact, ...]) -> Proved | None:
        if self._whole is not None and set(facts) == set(self._whole.facts):
            return self._whole
        found = self._made.get(frozenset(facts)) if self._quick is self._prove else None
        found = found or self._again(self._prove, facts)
        return None if found is None else replace(found, facts=facts)

    def _made_from(self, facts: tuple[Fact, ...]) -> Proved | None:
        """A proof from some facts, with those that it lists; None if there is none, or no more tries."""
        key = frozenset(facts)
        if key not in self._made:
            self._tries -= 1
            self._made[key] = self._again(self._quick, facts) if self._tries >= 0 else None
        return self._made[key]

    def _again(self, prove: Callable[[Pair], Outcome], facts: tuple[Fact, ...]) -> Proved | None:
        try:
            outcome = prove(replace(self._pair, facts=Facts(facts), relation=self._wanted))
        except (RecursionError, MemoryError):
            return None
        return replace(outcome, strongest=self._wanted) if isinstance(outcome, Proved) else None


def _listed(facts: Sequence[Fact], found: Proved, *, is_trusting: bool) -> tuple[Fact, ...]:
    """Those of some facts that a proof lists which was given them; all, if that is not to be trusted."""
    listed = found.facts if is_trusting else facts
    return tuple(fact for fact in facts if fact in listed)


def _most_trusted_first(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Where one of several facts would do, the first is kept."""
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: list(Grade).index(fact.grade)))


def _size(proved: Proved) -> int:
    evidence = proved.evidence
    if isinstance(evidence, Proof):
        return len(evidence.obligations) + (len(evidence.pred_form) + len(evidence.gold_form)) // _LETTERS
    return (len(evidence.pred_steps) + len(evidence.gold_steps)) // 4
