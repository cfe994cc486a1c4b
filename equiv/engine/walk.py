"""This module leads one pair through the tiers: :class:`Walk` keeps every attempt, and tests every proof.

It turns the outcome of a tier into the verdict on the pair.  :class:`Fewest` makes a proof again from fewer
facts, until none can be spared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from equiv import verdict as v
from equiv.answers.difference import caveat
from equiv.answers.pair import Pair
from equiv.core.model import NUMBERS
from equiv.facts import Fact, FactKind, Facts, Grade, rests_on_exactness
from equiv.relation import Relation, Rows
from equiv.tiers.outcome import (
    Deferred,
    Looker,
    Maker,
    Open,
    Proved,
    Refuted,
    Settler,
    TierOutcome,
    most_telling,
)
from equiv.tiers.witness import SHOWING

Attack = Callable[[Pair, int], TierOutcome]
"""What a tier is asked about a pair, with so many databases."""


class Walk:
    """One pair's way through the tiers: what each found, and the verdicts that this makes."""

    def __init__(
        self,
        pair: Pair,
        effort: int,
        dropped: tuple[Fact, ...],
        before: tuple[v.Attempt, ...],
        *,
        naming: v.Naming | None = None,
    ) -> None:
        self.pair = pair
        self.naming = naming
        self.effort = effort
        self.dropped = dropped
        self.attempts = list(before)
        self.open: list[Open] = []
        self.looked: tuple[v.Tier, float] | None = None
        """The tier that had a first look, and the milliseconds that it took."""

    @property
    def remarks(self) -> tuple[v.Remark, ...]:
        """The remarks of the tiers that settled nothing."""
        return tuple(remark for outcome in self.open for remark in outcome.remarks)

    def first_look(self, tier: Looker) -> v.Verdict | None:
        """The verdict if a tier settles the pair at first sight; what that cost is put down to the tier."""
        start, shown = perf_counter(), SHOWING.ms
        try:
            refuted = tier.first_look(self.pair, self.effort)
        except Exception:  # noqa: BLE001 - it will come up again when the tier has its turn
            refuted = None
        self.looked = (tier.tier, (perf_counter() - start) * 1000 - (SHOWING.ms - shown))
        if refuted is None:
            return None
        self.attempts.append(v.Attempt(tier.tier, "settled", "", self.looked[1]))
        return self.refuted(refuted, tier.tier)

    @property
    def is_paused(self) -> bool:
        """Whether the tier that settled nothing last has more databases to try."""
        return bool(self.open) and self.open[-1].pauses

    def attempt(self, tier: Settler, effort: int, *, attack: Attack | None = None) -> TierOutcome:
        """The outcome of one tier on the pair, or on a proof of it; an exception is an outcome too."""
        start = perf_counter()
        outcome: TierOutcome
        shown = SHOWING.ms
        try:
            read = self.pair.for_proofs if tier.tier in v.PROVERS else self.pair
            outcome = (attack or tier.settle)(read, effort)
        except (RecursionError, MemoryError) as error:
            outcome = Open(v.Reason.RESOURCE, type(error).__name__)
        except Exception as error:  # noqa: BLE001 - a pair must always end with a verdict
            outcome = Open(v.Reason.INTERNAL, " ".join(f"{type(error).__name__}: {error}".split()))
        if self._is_excused(outcome, tier):
            outcome = Open()
        spent = (perf_counter() - start) * 1000 - (SHOWING.ms - shown)
        if self.looked is not None and self.looked[0] is tier.tier:
            spent, self.looked = spent + self.looked[1], None
        if isinstance(outcome, Open):
            self.open.append(outcome)
            reason = f"{outcome.reason} {outcome.detail}".strip()
            self.attempts.append(v.Attempt(tier.tier, "passed", reason, spent))
        else:
            self.attempts.append(v.Attempt(tier.tier, "settled", "", spent))
        return outcome

    def may_be_hidden(self, tier: Settler) -> bool:
        """Whether what a tier finds may be rows that the user's own database has not, or does not show."""
        return bool(self.pair.unbound) and tier.tier is not v.Tier.DATA

    def pass_over(self, tier: v.Tier) -> None:
        """Let the refutation by a tier be none."""
        why = self.pair.unbound
        self.open.append(Open(v.Reason.UNREPLAYED, why))
        self.attempts[-1] = v.Attempt(tier, "passed", f"{v.Reason.UNREPLAYED} {why}", self.attempts[-1].ms)

    def _is_excused(self, outcome: TierOutcome, tier: Settler) -> bool:
        """Whether an error on every database made counts for nothing: on the given one both answered."""
        if not isinstance(outcome, Refuted) or outcome.difference is not v.Difference.ERROR:
            return False
        if self.may_be_hidden(tier):
            return True
        return not self.pair.errors_count and any(each.answered for each in self.open)

    def is_exact(self, proved: Proved, prover: Settler) -> bool:
        """Whether a proof says no more than that the queries agree where nothing is rounded."""
        return rests_on_exactness(self._with_its_facts(proved, prover).facts)

    def _with_its_facts(self, proved: Proved, prover: Settler) -> Proved:
        """The proof with the facts that are to be named."""
        if self.naming is None or prover.tier is v.Tier.PACKS:  # fewer facts would mean more on trust
            return proved
        start = perf_counter()
        if isinstance(prover, Deferred):
            prover = prover.made
        again, show = prover.settle, prover.settle
        if isinstance(prover, Maker):
            again, show = prover.make_again, prover.show_again
        fewest = Fewest(
            self.pair.for_proofs,
            proved,
            lambda pair: show(pair, self.effort),
            lambda pair: again(pair, self.effort),
        )
        named = fewest.find() if self.naming is v.Naming.FEWEST else fewest.enough()
        spent = (perf_counter() - start) * 1000
        self.attempts.append(v.Attempt(prover.tier, "passed", v.FEWER_FACTS, spent))
        return named

    def proved(self, proved: Proved, prover: Settler) -> v.Verdict:
        """The verdict for a proof that no database broke, with the facts that it rests on."""
        proved = self._with_its_facts(proved, prover)
        rounded = next((outcome.rounding for outcome in self.open if outcome.rounding is not None), None)
        if rounded is not None and not rests_on_exactness(proved.facts):
            witness = rounded if isinstance(rounded, v.Witness) else None
            said = f"the tier {prover.tier} proved the pair, but rounding refutes it; {v.OUR_BUG}"
            return self.left_open(Open(v.Reason.CONFLICT, said, witness))
        return v.Equivalent(
            relation=self.pair.relation,
            tier=prover.tier,
            # What is true of the whole numbers no schema promises.
            facts=tuple(fact for fact in proved.facts if fact.table != NUMBERS.name),
            facts_dropped=self.dropped,
            attempts=tuple(self.attempts),
            remarks=self.remarks,
            evidence=proved.evidence,
            strongest=_strongest(proved, self.pair.relation),
            caveat=caveat(self.pair, proved.facts, rounded),
        )

    def conflict(
        self, prover: v.Tier | None, proof: v.Proof | v.Derivation, tester: v.Tier, found: Refuted
    ) -> v.Undecided:
        """The verdict for a proof that a database breaks: one is a bug, or a rule of a pack is wrong."""
        witness = found.evidence if isinstance(found.evidence, v.Witness) else None
        said = f"the tier {prover} proved the pair, but the tier {tester} refutes it ({found.difference})"
        trusted = proof.on_trust if isinstance(proof, v.Derivation) else ()
        whose = f"wrong is a rule of your pack: {' or '.join(trusted)}" if trusted else v.OUR_BUG
        return self.left_open(Open(v.Reason.CONFLICT, f"{said}; {whose}", witness))

    def refuted(self, refuted: Refuted, tier: v.Tier) -> v.Verdict:
        """The verdict for a database that distinguishes the queries."""
        raises = refuted.difference is v.Difference.ERROR
        there = replace(self.pair, under=refuted.under)
        labels = (FactKind.IMMUTABLE, FactKind.STABLE)
        others = {fact for kind in labels for fact in self.pair.facts.of(kind)} - {*(self.pair.labels or ())}
        others |= {*self.pair.facts.of(FactKind.NO_ERROR)} if raises else set()
        facts = (fact for fact in self.pair.facts if fact not in others)
        return v.NotEquivalent(
            relation=self.pair.relation,
            tier=tier,
            facts=(*facts, *there.taken_settings),
            facts_dropped=self.dropped,
            attempts=tuple(self.attempts),
            remarks=(*self.remarks, *_under_settings(there)),
            evidence=refuted.evidence,
            difference=refuted.difference,
            weakest=refuted.weakest or self.pair.relation,
        )

    def undecided(self) -> v.Verdict:
        """The verdict when no tier settled the pair."""
        # What the core cannot run is no obstacle to provers that read it with symbols.
        is_read = not self.pair.for_proofs.unsupported
        plain = v.Reason.UNSUPPORTED, self.pair.unsupported
        found = [each for each in self.open if not (is_read and (each.reason, each.detail) == plain)]
        return self.left_open(most_telling(found))

    def left_open(self, outcome: Open) -> v.Undecided:
        """The verdict for an outcome that settles nothing, with what all the tiers found out."""
        code = next((o.failure_code for o in self.open if o.failure_code is not None), None)
        return v.Undecided(
            relation=self.pair.relation,
            facts_dropped=self.dropped,
            attempts=tuple(self.attempts),
            remarks=self.remarks,
            reason=outcome.reason,
            detail=outcome.detail,
            failure_code=code,
            evidence=outcome.evidence,
            bounded=max((o.bounded for o in self.open if o.bounded is not None), default=None),
            parts=next((o.parts for o in self.open if o.parts is not None), None),
            databases=sum(o.databases for o in self.open),
        )


def _under_settings(pair: Pair) -> Iterator[v.Remark]:
    """The remark on the settings under which a pair is distinguished, if nobody states what they are."""
    taken = [f"{fact.columns[0]} = '{fact.expression}'" for fact in pair.taken_settings]
    if taken:
        how = "the queries differ" if pair.under else "a query depends on a setting: this is shown"
        said = f"{how} under {' and '.join(taken)}, which neither the schema nor a fact states"
        yield v.Remark(v.RemarkKind.SETTING, "witness", said)


def _strongest(proved: Proved, asked: Relation) -> Relation:
    """The strictest relation of a proof, and no stricter one than each rewriting step keeps."""
    claimed = proved.strongest or asked
    found = proved.evidence
    steps = (*found.pred_steps, *found.gold_steps) if isinstance(found, v.Derivation) else ()
    kept = [claimed.rows, *(Rows(step.under) for step in steps)]
    loosest = next(rows for rows in reversed(Rows) if rows in kept)
    return replace(claimed, rows=loosest)


TRIES = 24
"""How often a proof is made again at most; past that, facts stay that might be spared."""

_SUFFICE = 8
"""How often at most, once the facts that a proof lists do not suffice, where they need not be the fewest."""

_FEW = 2
"""Whether so many facts suffice at all shows soon enough while they are looked through."""

_LARGE = 12
"""A proof of so many claims is made again half as often, and so on."""

_LETTERS = 250
"""Normal forms of so many letters count as one claim more."""


TELLING = (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW, FactKind.CHECK)
"""The kinds of facts that say more of a pair: that it rounds, may raise errors, depends on an order."""


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
        prove: Callable[[Pair], TierOutcome],
        quick: Callable[[Pair], TierOutcome] | None = None,
    ) -> None:
        self._pair = pair
        self._proved = proved
        self._prove = prove
        self._quick = quick or prove
        self._wanted = proved.strongest or pair.relation
        # Whoever makes the proof again has what is known of the core's own table, whichever facts are named.
        # What symbols rest on is named in any case: a proof made anew is given it, too.
        own = {*(pair.labels or ())}
        self._own = tuple(fact for fact in pair.facts if fact.table == NUMBERS.name or fact in own)
        self._made: dict[frozenset[Fact], Proved | None] = {}
        self._tries = TRIES * _LARGE // (_LARGE + _size(proved))
        self._whole: Proved | None = None
        if isinstance(proved.evidence, v.Derivation):
            # Each guard of a rule names the facts by which it holds.
            self._made[frozenset(proved.facts)] = self._whole = proved
        else:
            self._tries -= 1  # for the proof from the facts that are found

    def find(self) -> Proved:
        """The proof made from as few facts as were found to do, no less strict than it was.

        Where the facts that it lists are too few, the others in force are looked through as well, those of
        the tables that are read before all.
        """
        read = {table.name for table in self._pair.tables_read}
        near = tuple(fact for fact in self._pair.facts if not fact.table or fact.table in read)
        listed = self._proved.facts
        for facts in (listed, (*listed, *near), (*listed, *self._pair.facts)):
            found = self._fewest_of(_most_trusted_first(facts))
            if found is not None:
                return found
        return replace(self._proved, facts=tuple(self._pair.facts))

    def enough(self) -> Proved:
        """The proof, no less strict, with facts that suffice, less those that would say more for nothing.

        A proof need not list all that it looked at: one is made from those that it lists.
        """
        named = self._proved.facts
        if self._whole is None and self._made_from(named) is None:
            self._tries = min(self._tries, _SUFFICE)
            return self.find()
        for fact in [fact for fact in named if fact.kind in TELLING]:
            fewer = tuple(each for each in named if each != fact)
            if self._made_from(fewer) is not None:
                named = fewer
        return replace(self._proved, facts=named, strongest=self._wanted)

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
        if self._made.get(frozenset(facts), self._proved) is None:
            return None
        open_ones, kept = facts, tuple[Fact, ...]()
        # Those that a proof lists nearly always suffice; if not, the proof from what is found fails.
        if self._whole is None and len(facts) > _FEW and set(facts) != set(self._proved.facts):
            proved = self._made_from(facts)
            if proved is None:
                return None
            open_ones = _listed(facts, proved, is_trusting=is_trusting)
            if self._made.get(frozenset(open_ones), proved) is None:  # known not to suffice
                open_ones, is_trusting = facts, False
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

    def _again(self, prove: Callable[[Pair], TierOutcome], facts: tuple[Fact, ...]) -> Proved | None:
        try:
            given = Facts((*(fact for fact in facts if fact not in self._own), *self._own))
            outcome = prove(replace(self._pair, facts=given, relation=self._wanted))
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
    if isinstance(evidence, v.Proof):
        return len(evidence.obligations) + (len(evidence.pred_form) + len(evidence.gold_form)) // _LETTERS
    return (len(evidence.pred_steps) + len(evidence.gold_steps)) // 4
