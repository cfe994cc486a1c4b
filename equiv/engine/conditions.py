"""Conditional equivalence: a smallest set of further facts under which a pair is proved equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.runner import RunnerError
from equiv.dialects.protocol import FactSource, Session
from equiv.engine.candidates import candidates
from equiv.engine.driver import decide
from equiv.engine.granted import resting_on_settings
from equiv.facts import Fact, FactKind, Facts
from equiv.schema.observed import mine
from equiv.schema.violations import FactChecker, violated
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import BACKSTOP_EFFORT, Refuted, Settler
from equiv.tiers.witness import CAPS, finding_on, replay
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
        self._known: dict[Fact, bool | None] = {}
        """Whether the given data keeps the facts that were asked about."""
        self._found: dict[tuple[str, ...], tuple[Fact, ...]] = {}
        """What it was found to keep, by the tables that were looked at."""

    def find(self, pair: Pair, verdict: NotEquivalent | Undecided) -> tuple[Condition, ...]:
        """The conditions, none of which can be spared; empty if none were found.

        A set that the verdict's own database keeps, or under which a short run of generation tells the
        queries apart, is a bug of a prover and is not reported.
        """
        if pair.pred.columns != pair.gold.columns or pair.pred.tree is None or pair.gold.tree is None:
            return ()
        shown_on_data = isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Execution)
        needed, observed = ((), False) if shown_on_data else self._observed(pair)
        needed = needed or self._natural(pair, shown_on_data=shown_on_data)
        if not needed or self._is_broken(pair, needed, verdict):
            return ()
        conditions = self._conditions(pair, needed, observed=observed)
        if shown_on_data and all(condition.satisfied for condition in conditions):
            return ()
        return conditions

    def _observed(self, pair: Pair) -> tuple[tuple[Fact, ...], bool]:
        """What the policy ``observed`` finds in the given data and the pair needs; whether it proves it."""
        known = {_place(fact) for fact in pair.facts}
        found = tuple(fact for fact in self._mined(pair) if _place(fact) not in known)
        proved = self._proved_with(pair, found) if found else None
        needed = () if proved is None else self._needed(pair, found, proved)
        return needed, bool(needed)

    def _natural(self, pair: Pair, *, shown_on_data: bool) -> tuple[Fact, ...]:
        """Natural facts that the pair needs: such as the data keeps, if these do.

        What the data violates is a promise that is broken already.
        """
        further = candidates(pair, self._dropped)
        proved = self._proved_with(pair, further) if further else None
        if proved is None:
            return ()
        satisfied = self._satisfied(pair, further)
        kept = [fact for fact in further if satisfied[fact] is not False]
        if any(satisfied.values()) and len(kept) < len(further) and not shown_on_data:
            sufficient = self._proved_with(pair, kept)
            needed = () if sufficient is None else self._needed(pair, kept, sufficient)
            if needed:
                return needed
        return self._needed(pair, further, proved)

    def _needed(self, pair: Pair, further: Sequence[Fact], proved: set[Fact]) -> tuple[Fact, ...]:
        """Of the candidates that a proof rests on, those that cannot be spared."""
        kept = sorted(proved, key=lambda fact: _rank(fact.kind))
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
        if isinstance(verdict, Equivalent):
            rested = resting_on_settings(verdict, _with(pair, given))
            return set(given) & set(rested.facts) if isinstance(rested, Equivalent) else None
        return None

    def _is_broken(self, pair: Pair, needed: tuple[Fact, ...], verdict: NotEquivalent | Undecided) -> bool:
        """Whether a database that keeps the conditions tells the queries apart after all."""
        held = _with(pair, needed)
        if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness):
            with replay(pair, verdict.evidence.sql) as played:
                kept = FactChecker(pair.schema, needed).holds(played.core.connection)
                if kept and held.is_refuted_by(finding_on(held, played.core, CAPS)):
                    return True
        outcome = GenerateTier(pair.schema, held.facts).settle(held, BACKSTOP_EFFORT)
        return isinstance(outcome, Refuted)

    def _conditions(self, pair: Pair, needed: tuple[Fact, ...], *, observed: bool) -> tuple[Condition, ...]:
        """The conditions, those first that the data keeps and those last that it violates."""
        satisfied = self._satisfied(pair, needed)
        ordered = sorted(needed, key=lambda fact: _ORDER[satisfied[fact]])
        return tuple(Condition(fact, satisfied[fact], observed) for fact in ordered)

    def _satisfied(self, pair: Pair, facts: Iterable[Fact]) -> dict[Fact, bool | None]:
        """Whether the given data keeps each of some facts; None where there is none, or it says nothing."""
        wanted = tuple(facts)
        asked = [fact for fact in wanted if fact not in self._known]
        if asked:
            self._known |= self._asked(pair, asked)
        return {fact: self._known[fact] for fact in wanted}

    def _asked(self, pair: Pair, facts: Sequence[Fact]) -> dict[Fact, bool | None]:
        def broken_in(data: Session) -> tuple[Fact, ...]:
            if isinstance(data, FactSource):
                return data.violated(pair.schema, facts)
            return violated(data.core.connection, pair.schema, facts)

        broken = self._of_data(pair, broken_in)
        return dict.fromkeys(facts) if broken is None else {fact: _is_kept(fact, broken) for fact in facts}

    def _mined(self, pair: Pair) -> tuple[Fact, ...]:
        """What the policy ``observed`` finds in the given data, of the tables that the queries name."""
        trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
        named = {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)}
        tables = tuple(table.name for table in pair.schema.tables if table.name.lower() in named)

        def found_in(data: Session) -> tuple[Fact, ...]:
            if isinstance(data, FactSource):
                return tuple(fact for fact in data.observed(pair.schema) if fact.table in tables)
            return mine(data.core.connection, pair.schema, tables)

        if tables not in self._found:
            self._found[tables] = self._of_data(pair, found_in) or ()
        return self._found[tables]

    def _of_data(self, pair: Pair, ask: Callable[[Session], tuple[Fact, ...]]) -> tuple[Fact, ...] | None:
        """The answer of the given data; None where there is none."""
        if self._database is None:
            return None
        try:
            with pair.dialect.engine.open(self._database) as data:
                return ask(data)
        except RunnerError:
            return None


_ORDER = {True: 0, None: 1, False: 2}


def _place(fact: Fact) -> tuple[object, ...]:
    """The statement of a fact, whoever makes it."""
    return fact.kind, fact.table, fact.columns, fact.parent, fact.parent_columns


def _is_kept(fact: Fact, broken: Iterable[Fact]) -> bool | None:
    """Whether data keeps a fact; of one about arithmetic stored values say only that they break it."""
    return False if fact in broken else True if fact.table else None


def _with(pair: Pair, further: Sequence[Fact]) -> Pair:
    return replace(pair, facts=Facts((*pair.facts, *further)))


def _rank(kind: FactKind) -> int:
    return _LEAST_NATURAL_FIRST.index(kind) if kind in _LEAST_NATURAL_FIRST else len(_LEAST_NATURAL_FIRST)
