"""The tiers that decide small pairs completely: ``fragment`` one way or the other, ``search`` by a database.

Tier ``fragment`` decides pairs of unions of conjunctive queries.

Tier ``search``: a solver makes a database of few rows that distinguishes the queries. What random data
misses is found here: rows that must agree in many places, a second-largest value, a threshold of so many
rows. The queries are evaluated over tables whose cells range over the pools that generation draws from,
every function computed by SQLite itself, and a SAT solver is asked for cells on which their possible
answers are disjoint. A model counts only if SQLite replays it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.answers.answers import DatabaseFinding
from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.facts import Facts
from equiv.fragment.decision import Apart, database_of, decide, proof_of, side_of
from equiv.fragment.queries import OutsideError
from equiv.fragment.recognition import recognised
from equiv.generate.database import Database
from equiv.generate.plan import make_plan
from equiv.generate.scratch import folds_keys
from equiv.generate.templates import Plan
from equiv.tiers.bindings import settle_bound
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.tiers.witness import CAPS, Bench, Confirmed, open_by_choice, smallest_witness, why_unreplayed
from equiv.verdict import OUTSIDE_FRAGMENT, Reason, Tier

if TYPE_CHECKING:
    from equiv.search.deepening import TableSearch
    from equiv.search.tables import Made


class FragmentTier:
    """Settles each pair of the fragment: by containment mappings or isomorphisms, or by a frozen body."""

    tier = Tier.FRAGMENT

    def __init__(self, schema: Schema, facts: Facts) -> None:
        self._schema, self._facts = schema, facts
        self._bench: Bench | None = None

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Decide a pair that lies in the fragment; whether it does, no effort changes."""
        del effort
        return self._decided(pair, shows=True)

    def make_again(self, pair: Pair, effort: int) -> TierOutcome:
        """Whether a pair is proved from its facts; no database is made if it is not."""
        del effort
        return self._decided(pair, shows=False)

    def show_again(self, pair: Pair, effort: int) -> TierOutcome:
        """The proof of :meth:`settle`, if there is one; no database is made if there is none."""
        del effort
        return self._decided(pair, shows=False)

    def _decided(self, pair: Pair, *, shows: bool) -> TierOutcome:
        try:
            found = recognised(pair)
            pred, gold = (side_of(union, found.constraints) for union in (found.pred, found.gold))
            decided = decide(pred, gold)
            if not isinstance(decided, Apart):
                return Proved(proof_of(pred, gold, decided), found.constraints.facts, pair.relation)
            return self._refuted(pair, decided) if shows else Open()
        except OutsideError as error:
            return Open(Reason.NO_PROOF, f"{OUTSIDE_FRAGMENT}: {error}")

    def _refuted(self, pair: Pair, apart: Apart) -> TierOutcome:
        """The refutation by the first of the databases that SQLite replays."""
        if self._bench is None:
            self._bench = Bench(self._schema, self._facts)
        bench = self._bench
        bench.choices.seed(0)

        def tells_apart(database: Database) -> bool:
            return bench.finding(pair, database) is DatabaseFinding.APART

        for tableau in apart.databases:
            database = database_of(tableau, pair)
            if tells_apart(database):
                witness = smallest_witness(pair, database, tells_apart)
                if witness is not None:
                    return witness[1].refutation
        said = (
            "the fragment tier calls the queries different, but SQLite showed no difference on its databases"
        )
        return Open(Reason.UNREPLAYED, f"{said}; please report this")


MOST_BINDINGS = 6
"""With how many bindings of their parameters queries are searched."""


class SearchTier:
    """Searches symbolic tables of one row each, then of two, and so on."""

    tier = Tier.SEARCH

    def __init__(self, schema: Schema, facts: Facts) -> None:
        self._bench = Bench(schema, facts)

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Look for a database of few rows that the facts allow and that distinguishes the queries."""
        from equiv.search.deepening import TableSearch

        if pair.has_parameters:
            return settle_bound(self.settle, pair, effort, most=MOST_BINDINGS)
        if pair.pred.columns != pair.gold.columns:
            return Open()
        if pair.unsupported:
            return Open(Reason.UNSUPPORTED, pair.unsupported)
        opaque = next((plan.opaque for plan in pair.plans if plan.opaque), "")
        if opaque:
            return Open(Reason.UNSUPPORTED, opaque)
        plan = make_plan(pair)
        # Else what is chosen for a pair would depend on the pairs before it.
        self._bench.choices.seed(0)
        try:
            return _Attempt(self._bench, pair, plan).run(TableSearch(pair, plan, effort))
        except UnsupportedError as error:
            return Open(Reason.UNSUPPORTED, str(error))


_UNCOMPUTED = "Select: a difference was found, but its facts and choices cannot be checked"


class _Attempt:
    """One pair's models, replayed."""

    def __init__(self, bench: Bench, pair: Pair, plan: Plan) -> None:
        self._bench = bench
        self._pair = pair
        self._plan = plan
        self._tie: Database | None = None
        self._unreplayed = 0
        self._refused = 0
        self._failed = 0
        self._why = ""

    def run(self, search: TableSearch) -> TierOutcome:
        for made in search.models():
            confirmed = self._replayed(made)
            if confirmed is not None:
                return confirmed.refutation
        if self._tie is not None:
            return open_by_choice(self._bench, self._pair, self._tie)
        if self._unreplayed:
            said = f"{self._unreplayed} symbolic differences were not reproduced"
            return Open(Reason.UNREPLAYED, ": ".join(filter(None, (said, self._why))))
        if self._failed:
            return Open(Reason.UNSUPPORTED, _UNCOMPUTED)
        if search.unsupported and search.bounded is None:
            return Open(Reason.UNSUPPORTED, search.unsupported)
        refused = "the DDL rejects the database that was found, for a reason that the search does not model"
        detail = search.detail or (refused if self._refused else "")
        return Open(Reason.NO_PROOF, detail, bounded=search.bounded)

    def _replayed(self, made: Made) -> Confirmed | None:
        """The witness that a model makes, if SQLite agrees."""
        from equiv.search.tables import databases

        tied = failed = False
        for database in databases(self._plan, made):
            finding = self._bench.finding(self._pair, database)
            if finding is DatabaseFinding.APART:
                plain = self._without_needless_nulls(database)
                witness = smallest_witness(self._pair, plain, self._tells_apart)
                if witness is not None:
                    return witness[1]
            elif finding is DatabaseFinding.FAILED:
                failed = failed or self._bench.load(self._pair, database)
            elif not tied and self._bench.is_tied(self._pair, database):
                tied, self._tie = True, self._tie or database
        # A multiplied database is a guess, and so no bug if it does not replay; what the DDL forbids is none.
        if failed:
            self._failed += not tied
        elif any(self._is_refused_unseen(table) for table in made.rows):
            self._refused += not tied
        else:
            self._unreplayed += not tied and made.factor == 1
            said = (why_unreplayed(self._pair, each, CAPS) for each in databases(self._plan, made))
            self._why = self._why or next(said, "")
        return None

    def _is_refused_unseen(self, name: str) -> bool:
        """Whether the DDL of a table may forbid rows in a way that the search does not see."""
        table = self._pair.schema.table(name)
        return self._plan.specs[name].enforcer is not None or (table is not None and folds_keys(table))

    def _without_needless_nulls(self, database: Database) -> Database:
        """The database with plain values for the NULLs of each column where that changes nothing."""
        for table, (columns, rows) in database.tables.items():
            for at, name in enumerate(columns):
                pool = self._plan.specs[table].pools.get(name)
                if not pool or all(row[at] is not None for row in rows):
                    continue
                known = database.tables[table][1]
                cells = (pool[0] if row[at] is None else row[at] for row in known)
                plain = ((*row[:at], c, *row[at + 1 :]) for row, c in zip(known, cells, strict=True))
                candidate = database.with_table(table, columns, tuple(plain))
                if self._tells_apart(candidate):
                    database = candidate
        return database

    def _tells_apart(self, database: Database) -> bool:
        return self._bench.finding(self._pair, database) is DatabaseFinding.APART
