"""Tier ``search``: a solver makes a database of few rows that tells the queries apart.

What random data misses is found here: rows that must agree in many places, a second-largest value,
a threshold of so many rows.  The queries are evaluated over tables whose cells range over the pools
that generation draws from, every function computed by SQLite itself, and a SAT solver is asked for
cells on which their possible answers are disjoint.  A model counts only if SQLite replays it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.answers.answers import CAREFUL_RUNS, QUICK_RUNS, Finding, find
from equiv.answers.choices import functions as choice_functions
from equiv.answers.pair import Pair
from equiv.facts import FactKind, Facts
from equiv.generate.arena import Arena
from equiv.generate.database import Database
from equiv.generate.plan import make_plan
from equiv.generate.rows.stamps import Plan
from equiv.generate.shrink import shrink
from equiv.query.resolve.scope import UnsupportedError
from equiv.schema.model import Schema
from equiv.schema.violations import FactChecker
from equiv.sqlite.execute import Limits
from equiv.tiers.bindings import settle_bound
from equiv.tiers.outcome import Open, Outcome, Refuted
from equiv.tiers.witness import Confirmed, confirm, show_results
from equiv.verdict import Reason, Tier

if TYPE_CHECKING:
    from equiv.search.deepening import TableSearch
    from equiv.search.rows import Made

CAPS = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
"""What one query may cost on a database that the search made."""

MOST_BINDINGS = 6
"""With how many bindings of their parameters queries are searched."""

SHRINK_STEPS = 200
"""How many smaller databases are tried to shrink a witness."""


class SearchTier:
    """Searches symbolic tables of one row each, then of two, and so on."""

    tier = Tier.SEARCH

    def __init__(self, schema: Schema, facts: Facts) -> None:
        # That tables have rows is the pair's business: see Pair.occupied.
        self._facts = FactChecker(schema, facts.without(facts.of(FactKind.NOT_EMPTY)))
        self._arena = Arena(schema)
        choice_functions.register(self._arena.engine.connection)

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """Look for a database of few rows that the facts allow and that tells the queries apart."""
        from equiv.search.deepening import TableSearch

        if pair.has_parameters:
            return settle_bound(self.settle, pair, effort, most=MOST_BINDINGS)
        if pair.pred.columns != pair.gold.columns:
            return Open()
        for query in (pair.pred, pair.gold):
            if query.unsupported is not None:
                return Open(Reason.UNSUPPORTED, f"{query.unsupported.node}: {query.unsupported.why}")
        opaque = next((plan.opaque for plan in pair.plans if plan.opaque), "")
        if opaque:
            return Open(Reason.UNSUPPORTED, opaque)
        plan = make_plan(pair)
        try:
            search = TableSearch(pair, plan, effort)
        except UnsupportedError as error:
            return Open(Reason.UNSUPPORTED, str(error))
        return _Attempt(self, pair, plan).run(search)

    def finding(self, pair: Pair, database: Database, runs: int = QUICK_RUNS) -> Finding:
        """What a database shows about a pair; FAILED if the facts do not allow it."""
        engine = self._arena.engine
        if not pair.occupied <= database.tables.keys():
            return Finding.FAILED
        if not self._arena.load(database) or not self._facts.holds(engine.connection):
            return Finding.FAILED
        return find(
            engine,
            *pair.plans,
            pair.relation,
            CAPS,
            runs=runs,
            exact_arithmetic=pair.exact_arithmetic,
            no_overflow=pair.no_overflow,
        )


class _Attempt:
    """One pair's models, replayed."""

    def __init__(self, owner: SearchTier, pair: Pair, plan: Plan) -> None:
        self._owner = owner
        self._pair = pair
        self._plan = plan
        self._tie: Database | None = None
        self._unreplayed = 0
        self._refused = 0

    def run(self, search: TableSearch) -> Outcome:
        for made in search.models():
            confirmed = self._replayed(made)
            if confirmed is not None:
                return Refuted(confirmed.witness, confirmed.difference)
        if self._tie is not None:
            small = shrink(self._tie, self._is_tied, SHRINK_STEPS)
            shown = show_results(self._pair, small, CAPS)
            return Open(Reason.NONDETERMINISTIC, "a free choice decides", shown)
        if self._unreplayed:
            return Open(Reason.UNREPLAYED, f"{self._unreplayed} symbolic differences did not replay")
        refused = "the DDL forbids what was found, in a way that the search does not see"
        detail = search.detail or (refused if self._refused else "")
        return Open(Reason.NO_PROOF, detail, bounded=search.bounded)

    def _replayed(self, made: Made) -> Confirmed | None:
        """The witness that a model makes, if SQLite agrees."""
        from equiv.search.rows import databases

        tied = False
        for database in databases(self._plan, made):
            if self._tells_apart(database):
                confirmed = self._confirmed(database)
                if confirmed is not None:
                    return confirmed
            elif not tied and self._is_tied(database):
                tied, self._tie = True, self._tie or database
        # A multiplied database is a guess, and so no bug if it does not replay; what the DDL forbids is none.
        if any(self._plan.specs[table].enforcer is not None for table in made.rows):
            self._refused += not tied
        else:
            self._unreplayed += not tied and made.factor == 1
        return None

    def _confirmed(self, database: Database) -> Confirmed | None:
        small = shrink(self._without_needless_nulls(database), self._tells_apart, SHRINK_STEPS)
        for candidate in (small, database):
            confirmed = confirm(self._pair, candidate, CAPS)
            if confirmed is not None:
                return confirmed
        return None

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
        return self._owner.finding(self._pair, database) is Finding.APART

    def _is_tied(self, database: Database) -> bool:
        return self._owner.finding(self._pair, database, CAREFUL_RUNS) is Finding.TIED
