"""Tier ``generate``: a generated database distinguishes the queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from math import isfinite
from random import Random

from sqlglot import exp

from equiv.answers.answers import DatabaseFinding
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE, Schema
from equiv.core.printing import to_sql
from equiv.core.runner import Failure
from equiv.facts import Facts
from equiv.generate.database import Database, EarlierWitnesses, shrink
from equiv.generate.nearby_databases import databases_across, nudged, with_changing_clocks, with_other_numbers
from equiv.generate.plan import MOST, databases
from equiv.tiers.bindings import reads_any_clock, settle_at_instants, settle_bound
from equiv.tiers.native import (
    find_error,
    may_show_rounding,
    settle_natively,
    settle_under_settings,
    show_rounding,
)
from equiv.tiers.outcome import BACKSTOP_EFFORT, Open, Refuted, TierOutcome
from equiv.tiers.witness import (
    CAPS,
    SHRINK_STEPS,
    Bench,
    Confirmed,
    caps_of,
    confirm,
    open_by_choice,
    smallest_shown,
    smallest_witness,
    why_unreplayed,
)
from equiv.verdict import Difference, Reason, Tier, Witness

MAX_TIES = 100
"""After so many databases that show nothing but a tie, the search stops."""

TIE_EFFORT = 30
"""How many databases are looked at for a tie that the runs themselves did not show."""

MAX_NUDGES = 300
"""How many databases near one that shows a tie are looked at for a difference without one."""

_TIED_KEPT = 12
_ROUNDED_KEPT = 4
_MODELS, _OF_NUMBERS = 24, 32
_NATIVE_MODELS, _NATIVE_OF_NUMBERS, _NATIVE_STEPS = 6, 10, 40
"""How many databases are taken as models, and how many are made of them with other numbers, which may round;
the same, and how many steps of shrinking, on the engine of a dialect."""
_LARGER = 30
"""How many databases are tried where queries of different widths are to be shown."""

_BEFORE_PROOFS = 8
"""Of the databases that are drawn this share comes before a proof is sought: of 439 published pairs that
databases distinguish, one needed more."""
_BEFORE_ACROSS = 8
"""How many databases come before those on which engines are known to part."""

MAX_FAILURES = 20
"""After so many databases on which a query fails or runs out of time, the search stops."""


MAX_UNREPLAYED = 60
"""After so many differences that the dialect's engine does not show (it raises), the search stops."""

_SHRUNK_UNREPLAYED = 2
"""After so many a difference is shrunk only if it replays as it is."""


class GenerateTier:
    """Tries databases that earlier refutations of the same question left, then generated ones.

    It is a :class:`~equiv.tiers.outcome.Looker`: it has a first look before the rules, and attacks proofs.
    """

    tier = Tier.GENERATE

    def __init__(self, schema: Schema, facts: Facts) -> None:
        self.bench = Bench(schema, facts)
        self._killers = EarlierWitnesses()
        self._begun: _Search | None = None

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Look for a database that the facts allow and that distinguishes the queries."""
        if pair.needs_data:
            return Open(Reason.UNSUPPORTED, pair.unsupported)
        if are_one_program(pair):
            return Open()
        if pair.has_parameters:
            return settle_bound(self.settle, pair, effort)
        effort = effort if pair.may_read_rows else 1
        if pair.pred.columns != pair.gold.columns:
            database = self._smallest(pair, effort)
            confirmed = confirm(pair, database, CAPS) if database is not None else None
            confirmed = confirmed or self._larger(pair, effort)
            if confirmed is not None:
                return replace(confirmed.refutation, difference=Difference.COLUMNS)
            return Open(Reason.UNREPLAYED, "the column counts differ, but no database ran both queries")
        if not pair.runs_on_core:
            outcome = settle_natively(
                pair,
                self.candidates(pair, effort),
                lambda made: self.bench.load(pair, made),
                CAPS,
                effort,
            )
        else:
            today = self._search(pair, effort).run(effort)
            outcome = settle_at_instants(
                lambda at, share: self._search(at, share).run(share), pair, effort, today
            )
        return self._unless_one_raises(pair, outcome, effort)

    def _unless_one_raises(self, pair: Pair, outcome: TierOutcome, effort: int) -> TierOutcome:
        """The outcome, or the refutation by an error that one query alone raises."""
        if not isinstance(outcome, Open):
            return outcome
        # Without a tree nothing says what may raise one; a detail tells of failures, or of no replay.
        if not (pair.may_fail or pair.unsupported or outcome.detail):
            return outcome
        made = self.candidates(pair, max(effort, BACKSTOP_EFFORT))
        return find_error(pair, made, self.bench) or outcome

    def _search(self, pair: Pair, effort: int) -> _Search:
        """A search, or the one that a first look has begun."""
        begun, self._begun = self._begun, None
        return begun if begun is not None and begun.pair is pair else _Search(self, pair, effort)

    def begin(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle`, which pauses where nothing but agreement was seen."""
        if not pair.runs_on_core and effort > BACKSTOP_EFFORT:
            first = self.settle(pair, BACKSTOP_EFFORT)
            return replace(first, pauses=True) if isinstance(first, Open) else first
        if effort <= BACKSTOP_EFFORT or self._is_settled_otherwise(pair):
            return self.settle(pair, effort)
        search = self._search(pair, effort)
        share = max(BACKSTOP_EFFORT, effort // _BEFORE_PROOFS)
        refuted = search.look(MOST + share)
        self._begun = search
        if refuted is None and not search.has_seen_nothing:
            return self.settle(pair, effort)
        return refuted or self._unless_one_raises(pair, Open(pauses=True), share)

    def _is_settled_otherwise(self, pair: Pair) -> bool:
        """Whether a pair is not settled by one search alone."""
        counts_more = pair.errors_count or bool(pair.unsupported) or reads_any_clock(pair)
        return counts_more or not pair.may_read_rows or self._needs_no_search(pair)

    def _needs_no_search(self, pair: Pair) -> bool:
        """Whether a pair is settled on its values, its data, its engine or its texts."""
        bound = pair.has_parameters or pair.needs_data or not pair.runs_on_core
        return bound or pair.pred.columns != pair.gold.columns or are_one_program(pair)

    def attack(self, pair: Pair, effort: int) -> TierOutcome:
        """The outcome of :meth:`settle`, without looking why no database distinguished the queries."""
        if self._needs_no_search(pair):
            return self.settle(pair, effort)
        search = self._search(pair, effort)
        rounded = search.look(effort) or search.refute_by_rounding()
        return self._unless_one_raises(pair, rounded or Open(rounding=search.show_rounding()), effort)

    def attack_rounding(self, pair: Pair, effort: int) -> TierOutcome:
        """Look for a database on which rounding shows, for a pair that is proved if nothing rounds."""
        if pair.has_parameters:
            return settle_bound(self.attack_rounding, pair, effort)
        if are_one_program(pair) or not pair.runs_on_core or any(plan.opaque for plan in pair.plans):
            return Open()
        return _Search(self, pair, effort).look_for_rounding(effort) or Open()

    def attack_settings(self, pair: Pair, effort: int) -> TierOutcome:
        """Look for a database that distinguishes the queries under settings that nobody states."""
        made = list(islice((each for each in self.candidates(pair, effort + 1) if each.size), effort))
        if any(fact.columns[0] == "TimeZone" for fact in pair.taken_settings):
            changing = (near for each in made[:2] for near in with_changing_clocks(each, pair.schema))
            made = [*made[: effort // 2], *islice(changing, effort - effort // 2)]
        return settle_under_settings(pair, made, lambda each: self.bench.load(pair, each), CAPS)

    def first_look(self, pair: Pair, effort: int) -> Refuted | None:
        """Settle a pair by the databases that a proof of it would have to stand, before a proof is sought.

        One that refutes it is the last word, whatever a rule may make of the pair.  What is tried of it next
        goes on from there.
        """
        if self._is_settled_otherwise(pair):
            return None
        self._begun = _Search(self, pair, effort)
        return self._begun.look(min(effort, BACKSTOP_EFFORT))

    def candidates(self, pair: Pair, effort: int, *, constructs: bool = True) -> Iterator[Database]:
        """Databases that told an earlier prediction of the same gold query apart, then new ones."""
        return databases(pair, effort, self.known(pair), constructs=constructs)

    def known(self, pair: Pair) -> tuple[Database, ...]:
        """Databases that told an earlier prediction of the same gold query apart."""
        return self._killers.candidates(pair.gold.sql)

    def _smallest(self, pair: Pair, effort: int) -> Database | None:
        """A database of as few rows as the facts allow; None if none was found."""
        if not pair.occupied:
            return Database.of({})
        found = next((made for made in databases(pair, effort) if self.bench.load(pair, made)), None)
        return found and shrink(found, lambda smaller: self.bench.load(pair, smaller), SHRINK_STEPS)

    def _larger(self, pair: Pair, effort: int) -> Confirmed | None:
        """Where a query fails on few rows (it divides by their number), what more rows show."""
        for made in islice(databases(pair, effort), _LARGER):
            if self.bench.load(pair, made) and (confirmed := confirm(pair, made, CAPS)):
                return confirmed
        return None

    def remember(self, pair: Pair, database: Database) -> None:
        self._killers.remember(pair.gold.sql, database)


def are_one_program(pair: Pair) -> bool:
    """Whether both queries are one text, or print as one, and leave no choice.

    SQLite then runs one program twice on the same rows: no database could distinguish the two runs.
    """
    pred, gold = pair.pred, pair.gold
    if pair.is_across:
        return False
    if pred.sql != gold.sql:
        if pred.tree is None or gold.tree is None:
            return False
        if to_sql(pred.tree, verbatim=True) != to_sql(gold.tree, verbatim=True):
            return False
    return all(plan.is_fixed for plan in pair.plans)


def _constants(pair: Pair) -> list[float]:
    """The numbers that stand in both queries, each once, in order."""
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    literals = (literal for tree in trees for literal in tree.find_all(exp.Literal))
    numbers = dict.fromkeys(float(each.name) for each in literals if not each.is_string)
    return [number for number in numbers if isfinite(number)]


_NO_ROWS = "the queries read no table, so that no database changes their answers"


class _Search:
    """One pair's search."""

    def __init__(self, owner: GenerateTier, pair: Pair, effort: int) -> None:
        self._owner = owner
        self.pair = pair
        self._known = len(owner.known(pair))
        self._databases = owner.candidates(pair, effort)
        if pair.is_across:
            likely = islice(self._databases, self._known + _BEFORE_ACROSS)
            self._databases = chain(likely, databases_across(pair.schema), self._databases)
        # Else what is chosen for a pair would depend on the pairs before it.
        owner.bench.choices.seed(0)
        self._tried = 0
        self._bench = owner.bench
        self._tie: Database | None = None
        self._tied: list[Database] = []
        self._rounded: list[Database] = []
        self._ties = 0
        self._failures: list[Failure] = []
        # Rows in circles are one database in three: a failure costs little there.
        self._most_failures = MAX_FAILURES * 3 if pair.recurses else MAX_FAILURES
        if not pair.may_read_rows:
            self._most_failures = 1
        self._unreplayed = 0
        self._why = ""

    def run(self, effort: int) -> TierOutcome:
        """Try known, constructed and so many drawn databases, then see why none distinguished the queries."""
        refuted = self.look(effort + MOST) or self.refute_by_rounding()
        if refuted is not None:
            return refuted
        is_plain = all(plan.is_plain for plan in self.pair.plans)
        if self._tie is None and not is_plain and len(self._failures) < self._most_failures:
            self._look_for_tie(effort)
        if self._tie is not None and not any(plan.opaque for plan in self.pair.plans):
            refuted = self._look_near_ties(effort)
            if refuted is not None:
                return refuted
        return replace(self._open(), rounding=self.show_rounding(), databases=self._tried)

    def look(self, effort: int) -> Refuted | None:
        """The refutation by the next databases, as many as the effort says; goes on where it stopped."""
        while self._tried < self._known + effort:
            if self._ties >= MAX_TIES or len(self._failures) >= self._most_failures or self._replays_nothing:
                break
            database = next(self._databases, None)
            if database is None:
                break
            self._tried += 1
            refuted = self._try(database)
            if refuted is not None:
                return refuted
        return None

    def _try(self, database: Database) -> Refuted | None:
        """The refutation by one database; a tie or rounding is remembered."""
        finding = self._finds(database)
        if finding is DatabaseFinding.TIED:
            self._ties += 1
            self._tie = self._tie or database
            self._tied = [*self._tied[1 - _TIED_KEPT :], database]
        if finding is DatabaseFinding.ROUNDED and len(self._rounded) < _ROUNDED_KEPT:
            self._rounded.append(database)
        if finding is DatabaseFinding.APART:
            confirmed = self._confirmed(database)
            if confirmed is not None:
                return confirmed.refutation
        return None

    def _look_near_ties(self, effort: int) -> Refuted | None:
        """Look near databases that show a tie for one on which the queries differ however ties fall."""
        assert self._tie is not None
        rng = Random(f"{self.pair.pred.sql}\x1f{self.pair.gold.sql}")
        first = (self._tie, *self._tied)
        for _ in range(min(effort, MAX_NUDGES)):
            if self._replays_nothing:
                break
            near = nudged(rng.choice((*first, *self._tied)), self.pair.schema, rng)
            refuted = self._try(near)
            if refuted is not None:
                return refuted
        return None

    def show_rounding(self) -> Witness | None:
        """The smallest database found on which rounding alone makes the results differ."""
        if not self._rounded:
            return None
        return smallest_shown(self.pair, self._rounded[0], self._is_rounded)

    def refute_by_rounding(self) -> Refuted | None:
        """The refutation by a database on which rounding alone makes the results differ, if that counts.

        Such databases come last: one that distinguishes the queries whatever is rounded says more.
        """
        for database in self._rounded if self.pair.rounding_shows else ():
            found = smallest_witness(self.pair, database, self._is_rounded)
            if found is not None:
                self._owner.remember(self.pair, found[0])
                return found[1].refutation
        return None

    def look_for_rounding(self, effort: int) -> Refuted | None:
        """The refutation by a database of numbers that are likely to round.

        Where the core has other numbers than the dialect's engine, that is asked about a few.
        """
        rng = Random(f"{self.pair.pred.sql}\x1f{self.pair.gold.sql}\x1frounding")
        models = [made for made in islice(self._databases, min(effort, _MODELS)) if made.size]
        constants = _constants(self.pair)
        nearby = [
            with_other_numbers(rng.choice(models), self.pair.schema, self.pair.reading, constants, rng)
            for _ in range(min(effort, _OF_NUMBERS) if models else 0)
        ]
        for database in nearby:
            refuted = self._try(database) or (self.refute_by_rounding() if self._rounded else None)
            if refuted is not None:
                return refuted
            if self._rounded:
                break  # as the core rounds, its engine may not
        if self.pair.dialect.name != REFERENCE and may_show_rounding(self.pair):
            return self._refute_by_the_engine([*nearby[:_NATIVE_OF_NUMBERS], *models[:_NATIVE_MODELS]])
        return None

    def _refute_by_the_engine(self, databases: Iterable[Database]) -> Refuted | None:
        """The refutation by a database on which the engine of the dialect rounds where the core does not."""
        pair = self.pair

        def shows(database: Database) -> bool:
            return self._bench.load(pair, database) and show_rounding(pair, database, CAPS) is not None

        for database in filter(shows, databases):
            found = show_rounding(pair, shrink(database, shows, _NATIVE_STEPS), CAPS)
            if found is not None:
                return found.refutation
        return None

    def _is_rounded(self, database: Database) -> bool:
        return self._finds(database) is DatabaseFinding.ROUNDED

    def _look_for_tie(self, effort: int) -> None:
        """Look for a database on which the possible answers differ although both runs gave the same."""
        # Constructed databases avoid ties: their free cells differ.
        drawn = self._owner.candidates(self.pair, min(effort, TIE_EFFORT), constructs=False)
        self._tie = next((each for each in drawn if self._bench.is_tied(self.pair, each)), None)

    def _finds(self, database: Database) -> DatabaseFinding:
        """The finding of one database; cheap where both queries return the same."""
        pair, bench = self.pair, self._bench
        if not bench.arena.load(database):
            return DatabaseFinding.FAILED
        caps = caps_of(pair)
        pred = bench.engine.run(pair.pred.core_sql, caps)
        gold = pred if isinstance(pred, Failure) else bench.engine.run(pair.gold.core_sql, caps)
        if isinstance(pred, Failure) or isinstance(gold, Failure):
            self._failures += [gold] if isinstance(gold, Failure) else []
            return DatabaseFinding.FAILED
        if same_result(pred.rows, gold.rows, pair.relation):
            return DatabaseFinding.SAME
        if not bench.allows(pair, database):
            return DatabaseFinding.FAILED
        found = bench.find(pair, results=(pred, gold))
        if found is DatabaseFinding.FAILED and pair.recurses:
            self._failures.append(Failure("timeout", "the recursion took too long on one of the databases"))
        return found

    @property
    def has_seen_nothing(self) -> bool:
        """Whether no tie, no rounding, no failure and no difference that did not replay was met."""
        return not (self._tied or self._rounded or self._failures or self._unreplayed)

    @property
    def _replays_nothing(self) -> bool:
        """Whether so many differences did not replay that no further one is looked for."""
        return self._unreplayed >= MAX_UNREPLAYED

    def _confirmed(self, database: Database) -> Confirmed | None:
        """The smallest witness found below a database that distinguishes the queries."""
        if self._unreplayed >= _SHRUNK_UNREPLAYED and confirm(self.pair, database, CAPS) is None:
            self._unreplayed += 1
            return None
        found = smallest_witness(
            self.pair, database, lambda smaller: self._finds(smaller) is DatabaseFinding.APART
        )
        if found is None:
            self._unreplayed += 1
            if self._unreplayed == 1:
                self._why = why_unreplayed(self.pair, database, CAPS)
            return None
        self._owner.remember(self.pair, found[0])
        return found[1]

    def _open(self) -> Open:
        opaque = next((plan.opaque for plan in self.pair.plans if plan.opaque), "")
        if self._tie is not None and opaque:
            return Open(Reason.UNSUPPORTED, opaque)
        if self._tie is not None:
            return open_by_choice(self._bench, self.pair, self._tie)
        if self._unreplayed:
            why = f": {self._why}" if self._why else ""
            return Open(Reason.UNREPLAYED, f"{self._unreplayed} differences were not reproduced{why}")
        if len(self._failures) >= self._most_failures:
            failure = self._failures[-1]
            reason = {"timeout": Reason.TIMEOUT, "resource": Reason.RESOURCE}.get(
                failure.kind, Reason.NO_PROOF
            )
            return Open(reason, failure.message)
        return Open() if self.pair.may_read_rows else Open(Reason.NO_PROOF, _NO_ROWS)
