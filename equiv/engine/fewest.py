"""The fewest facts that a proof needs: it is made again from fewer, until none can be spared.

So a verdict lists facts from which alone the proof was made, and none that the proof does without.
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

_LARGE = 12
"""A proof of so many claims is made again half as often, and so on."""


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

    def find(self) -> Proved:
        """The proof made from as few facts as were found to do, no less strict than it was.

        Where the facts that it lists are too few, the others in force are looked through as well.
        """
        for facts in (self._proved.facts, (*self._proved.facts, *self._pair.facts)):
            found = self._made_from(_most_trusted_first(facts))
            if found is None:
                continue
            for chosen in (self._needed((), found.facts, changed=True), found.facts):
                whole = self._whole_from(chosen)
                if whole is not None:
                    return whole
        return replace(self._proved, facts=tuple(self._pair.facts))

    def _whole_from(self, facts: tuple[Fact, ...]) -> Proved | None:
        if self._whole is not None and set(facts) == set(self._whole.facts):
            return self._whole
        return self._again(self._prove, facts)

    def _needed(self, given: Sequence[Fact], open_ones: Sequence[Fact], *, changed: bool) -> tuple[Fact, ...]:
        """Of some facts those that are needed besides others: QuickXplain (Junker, AAAI 2004)."""
        if changed and self._made_from(given) is not None:
            return ()
        if len(open_ones) <= 1:
            return tuple(open_ones)
        half = len(open_ones) // 2
        first, second = open_ones[:half], open_ones[half:]
        late = self._needed((*given, *first), second, changed=True)
        early = self._needed((*given, *late), first, changed=bool(late))
        return (*early, *late)

    def _made_from(self, facts: Sequence[Fact]) -> Proved | None:
        key = frozenset(facts)
        if key not in self._made:
            self._tries -= 1
            found = self._again(self._quick, facts) if self._tries >= 0 else None
            self._made[key] = found
        return self._made[key]

    def _again(self, prove: Callable[[Pair], Outcome], facts: Sequence[Fact]) -> Proved | None:
        try:
            outcome = prove(replace(self._pair, facts=Facts(facts), relation=self._wanted))
        except (RecursionError, MemoryError):
            return None
        if not isinstance(outcome, Proved):
            return None
        return replace(outcome, facts=tuple(facts), strongest=self._wanted)


def _most_trusted_first(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Where one of several facts would do, the first is kept."""
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: list(Grade).index(fact.grade)))


def _size(proved: Proved) -> int:
    evidence = proved.evidence
    claims = len(evidence.obligations) if isinstance(evidence, Proof) else 0
    return claims + (len(evidence.pred_steps) + len(evidence.gold_steps)) // 4
