"""Conditional equivalence: a smallest set of further facts under which a pair is proved equivalent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from equiv.answers.pair import Pair
from equiv.core.runner import RunnerError
from equiv.dialects.protocol import FactSource
from equiv.engine.candidates import candidates
from equiv.engine.driver import decide
from equiv.facts import Fact, FactKind, Facts
from equiv.schema.violations import FactChecker, violated
from equiv.tiers.bench import CAPS
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import BACKSTOP_EFFORT, Refuted, Settler
from equiv.tiers.witness import replay, tells_apart
from equiv.verdict import Condition, Equivalent, Execution, NotEquivalent, Undecided, Witness

MOST_PROOFS = 16
"""How often the provers are asked about one pair."""

_LEAST_NATURAL_FIRST = (
    FactKind.UNIQUE,
    FactKind.INCLUSION,
    FactKind.NUMERIC_TEXT,
    FactKind.ISO_DATE,
    FactKind.TYPE,
    FactKind.NOT_NULL,
    FactKind.NOT_EMPTY,
)


class ConditionSearch:
    """Looks for the facts that a pair would need.

    Args:
        provers: the tiers that settle as equivalent, in order.
        dropped: facts that were given up because the given data violates them.
        database: the populated database, if there is one.
    """

    def __init__(
        self, provers: Sequence[Settler], dropped: tuple[Fact, ...] = (), database: Path | None = None
    ) -> None:
        self._provers = tuple(provers)
        self._dropped = dropped
        self._database = database

    def find(self, pair: Pair, verdict: NotEquivalent | Undecided) -> tuple[Condition, ...]:
        """The conditions, none of which can be spared; empty if none were found.

        A set that the verdict's own database keeps, or under which a short run of generation tells the
        queries apart, is a bug of a prover and is not reported.
        """
        if pair.pred.columns != pair.gold.columns or pair.pred.tree is None or pair.gold.tree is None:
            return ()
        needed = self._needed(pair)
        if not needed or self._is_broken(pair, needed, verdict):
            return ()
        conditions = self._conditions(pair, needed)
        shown_on_data = isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Execution)
        if shown_on_data and all(condition.satisfied for condition in conditions):
            return ()
        return conditions

    def _needed(self, pair: Pair) -> tuple[Fact, ...]:
        """Candidates under which the pair is proved, less every one that can be spared."""
        further = candidates(pair, self._dropped)
        found = self._proved_with(pair, further) if further else None
        if found is None:
            return ()
        kept = sorted(found, key=lambda fact: _rank(fact.kind))
        needed, proofs = 0, 1
        # Facts steer a proof: one that was needed beside others may be spared without them.
        while needed < len(kept):
            if proofs == MOST_PROOFS:
                return ()
            fact, proofs = kept.pop(0), proofs + 1
            fewer = self._proved_with(pair, kept)
            if fewer is None:
                kept, needed = [*kept, fact], needed + 1
            else:
                kept, needed = [other for other in kept if other in fewer], 0
        return tuple(sorted(kept, key=further.index))

    def _proved_with(self, pair: Pair, further: Iterable[Fact]) -> set[Fact] | None:
        """Those of some further facts that a proof rests on, or None if there is no proof."""
        given = tuple(further)
        verdict = decide(_with(pair, given), self._provers, 0)
        return set(given) & set(verdict.facts) if isinstance(verdict, Equivalent) else None

    def _is_broken(self, pair: Pair, needed: tuple[Fact, ...], verdict: NotEquivalent | Undecided) -> bool:
        """Whether a database that keeps the conditions tells the queries apart after all."""
        held = _with(pair, needed)
        if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness):
            with replay(pair, verdict.evidence.sql) as played:
                kept = FactChecker(pair.schema, needed).holds(played.core.connection)
                if kept and tells_apart(held, played.core, CAPS):
                    return True
        outcome = GenerateTier(pair.schema, held.facts).settle(held, BACKSTOP_EFFORT)
        return isinstance(outcome, Refuted)

    def _conditions(self, pair: Pair, needed: tuple[Fact, ...]) -> tuple[Condition, ...]:
        if self._database is None:
            return tuple(Condition(fact, None) for fact in needed)
        try:
            with pair.dialect.engine.open(self._database) as data:
                if isinstance(data, FactSource):
                    broken = data.violated(pair.schema, needed)
                else:
                    broken = violated(data.core.connection, pair.schema, needed)
        except RunnerError:
            return tuple(Condition(fact, None) for fact in needed)
        return tuple(Condition(fact, _is_kept(fact, broken)) for fact in needed)


def _is_kept(fact: Fact, broken: Iterable[Fact]) -> bool | None:
    """Whether data keeps a fact; of one about arithmetic stored values say only that they break it."""
    return False if fact in broken else True if fact.table else None


def _with(pair: Pair, further: Sequence[Fact]) -> Pair:
    return replace(pair, facts=Facts((*pair.facts, *further)))


def _rank(kind: FactKind) -> int:
    return _LEAST_NATURAL_FIRST.index(kind) if kind in _LEAST_NATURAL_FIRST else len(_LEAST_NATURAL_FIRST)
