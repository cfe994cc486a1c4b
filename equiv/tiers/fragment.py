"""Tier ``fragment``: pairs of unions of conjunctive queries, decided completely, one way or the other."""

from __future__ import annotations

from equiv.answers.answers import Finding
from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.facts import Facts
from equiv.fragment.decision import Apart, database_of, decide, proof_of, side_of
from equiv.fragment.queries import OutsideError
from equiv.fragment.recognition import recognised
from equiv.generate.database import Database
from equiv.tiers.outcome import Open, Outcome, Proved
from equiv.tiers.trial_database import Bench, smallest_witness
from equiv.verdict import Reason, Tier


class FragmentTier:
    """Settles each pair of the fragment: by containment mappings or isomorphisms, or by a frozen body."""

    tier = Tier.FRAGMENT

    def __init__(self, schema: Schema, facts: Facts) -> None:
        self._schema, self._facts = schema, facts
        self._bench: Bench | None = None

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Decide a pair that lies in the fragment; whether it does, no effort changes."""
        del effort
        return self._decided(pair, shows=True)

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """Whether a pair is proved from its facts; no database is made if it is not."""
        del effort
        return self._decided(pair, shows=False)

    def show_again(self, pair: Pair, effort: int) -> Outcome:
        """The proof of :meth:`settle`, if there is one; no database is made if there is none."""
        del effort
        return self._decided(pair, shows=False)

    def _decided(self, pair: Pair, *, shows: bool) -> Outcome:
        try:
            found = recognised(pair)
            pred, gold = (side_of(union, found.constraints) for union in (found.pred, found.gold))
            decided = decide(pred, gold)
            if not isinstance(decided, Apart):
                return Proved(proof_of(pred, gold, decided), found.constraints.facts, pair.relation)
            return self._refuted(pair, decided) if shows else Open()
        except OutsideError as error:
            return Open(Reason.NO_PROOF, f"outside the fragment: {error}")

    def _refuted(self, pair: Pair, apart: Apart) -> Outcome:
        """The refutation by the first of the databases that SQLite replays."""
        if self._bench is None:
            self._bench = Bench(self._schema, self._facts)
        bench = self._bench
        bench.choices.seed(0)

        def tells_apart(database: Database) -> bool:
            return bench.finding(pair, database) is Finding.APART

        for tableau in apart.databases:
            database = database_of(tableau, pair)
            if tells_apart(database):
                witness = smallest_witness(pair, database, tells_apart)
                if witness is not None:
                    return witness[1].refutation
        return Open(Reason.UNREPLAYED, "no frozen body told the queries apart on SQLite")
