"""Tier ``data``: the populated database distinguishes the queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from equiv import verdict as v
from equiv.answers import choices as choice_functions
from equiv.answers.answers import QUICK_RUNS, DatabaseFinding, cut_tie, ties
from equiv.answers.compare import match_rows, same_result
from equiv.answers.difference import classify, differs_by_a_bound
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.connection import shown_name
from equiv.core.model import REFERENCE, Column, Schema, Table
from equiv.core.runner import Failure, Guarded, Limits, Result
from equiv.dialects.crossing.sides import gold_side, why_apart
from equiv.dialects.protocol import Dialect, Session, UsersDatabase
from equiv.facts import FactKind, Facts
from equiv.generate.database import Database, drop_rows
from equiv.generate.excerpt import Excerpt, demands, narrowed
from equiv.names import fold, folded, quoted
from equiv.relation import RELATIONS, Rows
from equiv.tiers.bindings import replays, settle_bound
from equiv.tiers.native import (
    bag_of,
    error_of,
    is_plain,
    look_natively,
    marked,
    may_show_rounding,
    parts_by_error,
    rows_of,
    tells_apart_natively,
)
from equiv.tiers.native import weakest as weakest_natively
from equiv.tiers.outcome import Open, Refuted, TierOutcome
from equiv.tiers.witness import CAPS as SMALL
from equiv.tiers.witness import SHOWING, Bench, Confirmed, both_results, confirm, finding_on, weakest

CAPS = Limits(seconds=10.0, rows=200_000, bytes=64 * 1024 * 1024)
"""The limits of one query on the populated database."""

_BUDGET = replace(CAPS, steps=4_000_000)
"""The limits of one query before databases are made, and of one that tests a proof: ten times what a query
of 50,000 rows takes as a rule."""

_BRIEF = replace(CAPS, seconds=1.0)
"""The limits of a query that only serves to label a difference."""

DEAR = 64 * 1024 * 1024
"""A file of so many bytes is asked after a few databases that are made, which cost milliseconds."""

_EXCERPTS = (4, 16, 64, 256, 1024)
"""How many rows of a table are taken for one reason, until some show the difference."""

_WORK, _NATIVE_WORK = 40_000, 3_000
"""How many rows are loaded at most to make an excerpt small, on the core and on another engine."""

_TELLING_ROWS = 3
"""Of so many rows that one result alone has, the values are looked for in the tables."""

_GOLD_RESULTS, _GOLD_ROWS = 64, 400_000
"""How many answers of gold queries are kept, and how many rows of them."""
_COUNT_FOR_NOTHING = (
    "the results on the rows given differ, which refutes nothing: a window, a LIMIT or an aggregate may "
    "leave a choice there, which equiv does not follow through values of these types"
)
_SAMPLE = 3
"""How many values of a column of the data a parameter is tried with."""


class DataTier:
    """Executes both queries on one database file; gold results are kept."""

    tier = v.Tier.DATA

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: Session | None = None
        self._gold_results: dict[tuple[str, Limits], Result | Failure] = {}
        self._bench: tuple[Schema, Facts, Bench] | None = None

    @property
    def is_dear(self) -> bool:
        """Whether a query of the database may take seconds; of a server that is not known."""
        return self._path.is_file() and self._path.stat().st_size >= DEAR

    def open(self, dialect: Dialect) -> Session:
        """See :class:`~equiv.tiers.outcome.Opener`."""
        if self._data is None:
            self._data = dialect.engine.open(self._path)
            if not why_apart(self._data) and self._data.has_core:
                choice_functions.register(self._data.core.connection)
        return self._data

    def close(self) -> None:
        """Close the database, in which a session may hold locks of the user's own tables."""
        if self._data is not None:
            self._data.close()
            self._data = None
        self._close_bench()

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        """Compare what both queries return on the database, ties considered.

        Choices below the top level are not weighed here: among many tied rows, the one that would make
        the results equal may never come up at random.  Generated databases are small enough for that.
        """
        return self._settle(pair, effort, CAPS)

    def begin(self, pair: Pair, effort: int) -> TierOutcome:
        """As :meth:`settle` within the budget of :meth:`attack`; what exceeds it is put off.

        Returns:
            An outcome that pauses where the budget ended a query: databases that are made come first.
        """
        found = self.attack(pair, effort)
        is_cut = isinstance(found, Open) and found.reason is v.Reason.RESOURCE
        return Open(pauses=True) if is_cut else found

    def attack(self, pair: Pair, effort: int) -> TierOutcome:
        """As :meth:`settle`, of a pair that is proved: what takes much work tests nothing."""
        return self._settle(pair, effort, _BUDGET)

    def _settle(self, pair: Pair, effort: int, limits: Limits) -> TierOutcome:
        data = self.open(pair.dialect)
        limits = CAPS if pair.may_fail else limits  # rows that raise an error are of more weight
        if apart := why_apart(data):
            said = f"the two engines hold different rows: {apart}"
            return Open(remarks=(v.Remark(v.RemarkKind.DIALECT, "schema", said),))
        if pair.has_parameters:
            return settle_bound(partial(self._settle, limits=limits), pair, effort, self._sample)
        gold = self._gold(data, pair.gold.sql, limits)
        # Beside a gold query that a limit ended, a prediction shows nothing.
        pred = data.run(pair.pred.sql, limits) if isinstance(gold, Result) or error_of(gold) else gold
        if parts_by_error(pair, pred, gold):
            return Refuted(self._shown(pair, pred, gold), v.Difference.ERROR, RELATIONS[-1])
        if isinstance(gold, Failure):
            return _failed("gold query", gold, v.FailureCode.GOLD_EXEC, v.FailureCode.GOLD_TIMEOUT)
        if isinstance(pred, Failure):
            return _failed("prediction", pred, v.FailureCode.PRED_EXEC, v.FailureCode.PRED_TIMEOUT)
        outcome = self._compared(pair, data, pred, gold)
        if isinstance(outcome, Open):
            return replace(outcome, answered=_has_rows(pair, data))
        if isinstance(data, UsersDatabase):
            ran = (pair.pred.sql, pred), (pair.gold.sql, gold)
            doubts = [why for text, found in ran if (why := data.doubt(text, found, limits))]
            outcome = Open(v.Reason.UNREPLAYED, doubts[0]) if doubts else outcome
        if _reads_elsewhere(pair) and both_results(pair, data, limits) != (pred, gold):
            return Open(v.Reason.UNREPLAYED, "the rows of a foreign table change during the check")
        return outcome

    def _compared(self, pair: Pair, data: Session, pred: Result, gold: Result) -> TierOutcome:
        """What two results say of a pair."""
        are_alike = pair.pred.columns == pair.gold.columns
        if not _is_in_core(pair, data) or (are_alike and not pair.runs_on_core):
            return self._settle_natively(pair, pred, gold)
        if (few := self._few(pair, data.core, pred, gold)) is not None:
            confirmed, difference = few
            shown = replace(self._shown(pair, pred, gold), few=confirmed.witness)
            return Refuted(shown, difference, confirmed.weakest)
        finding = self._finding(pair, data.core, pred, gold)
        if finding in (DatabaseFinding.SAME, DatabaseFinding.FAILED):
            if self._rounds(pair, pred, gold):
                shown = replace(self._shown(pair, pred, gold), few=self._few_natively(pair, pred, gold))
                loosest = weakest_natively(pair, pred.rows, gold.rows)
                return Refuted(shown, v.Difference.ROUNDING, loosest, by_rounding=True)
            # Where the core does not show what the user's own engine does, that has the last word.
            seen = self._settle_natively(pair, pred, gold) if isinstance(data, UsersDatabase) else None
            if isinstance(seen, Refuted):
                return seen
        remarks = () if pair.is_refuted_by(finding) else tuple(self._remarks(pair, data.core))
        rounded = finding is DatabaseFinding.ROUNDED
        if rounded and not pair.rounding_shows:
            return Open(rounding=self._shown(pair, pred, gold), remarks=remarks)
        if not pair.is_refuted_by(finding) or not replays(pair, data, CAPS):
            return Open(remarks=remarks)
        tied = any(ties(data.core, plan, CAPS) for plan in pair.plans)
        by_a_bound = partial(differs_by_a_bound, pair, pred.rows, gold.rows, data.core, _BRIEF)
        difference = classify(pair, pred.rows, gold.rows, by_a_bound=by_a_bound, tied=tied)
        loosest = weakest(pair, data.core, pred.rows, gold.rows, _BRIEF)
        witness = self._shown(pair, pred, gold)
        return Refuted(
            witness, v.Difference.ROUNDING if rounded else difference, loosest, by_rounding=rounded
        )

    @staticmethod
    def _rounds(pair: Pair, pred: Result, gold: Result) -> bool:
        """Whether the engine of the dialect rounds where the core, which shows no difference, does not."""
        is_apart = not same_result(pred.rows, gold.rows, bag_of(pair.relation))
        may_round = pair.schema.dialect != REFERENCE and bool(pair.computed) and pair.rounding_shows
        return is_apart and may_round and may_show_rounding(pair)

    def _few(
        self, pair: Pair, core: Guarded, pred: Result, gold: Result
    ) -> tuple[Confirmed, v.Difference] | None:
        """A few rows of the database that distinguish the queries by themselves, and what all of it shows.

        What they show is shown as by a database that is made: ties and arithmetic are weighed there.
        """
        if pair.pred.apart:
            return None
        broken = (
            each
            for each in reversed(RELATIONS)
            if pair.relation.implies(each) and not same_result(pred.rows, gold.rows, each)
        )
        loosest = next(broken, None)
        if loosest is None:
            return None
        wanted, bench = replace(pair, relation=loosest), self._bench_for(pair)
        small = self._fewest(pair, core, (pred, gold), partial(_is_apart, bench, wanted), _WORK)
        if small is None:
            return None
        with SHOWING:
            confirmed = confirm(wanted, small, SMALL)
            if confirmed is None or not bench.load(pair, small):
                return None
            witness = confirmed.witness
            results = pair, witness.pred_rows, witness.gold_rows
            by_a_bound = partial(differs_by_a_bound, *results, bench.engine, SMALL)
            tied = any(ties(bench.engine, plan, SMALL) for plan in pair.plans)
        return confirmed, classify(pair, pred.rows, gold.rows, by_a_bound=by_a_bound, tied=tied)

    def _few_natively(self, pair: Pair, pred: Result, gold: Result) -> v.Witness | None:
        """A few rows that tell texts apart which the engine of their dialect alone runs."""
        data = self._data
        if data is None or not _is_in_core(pair, data):
            return None
        bench = self._bench_for(pair)

        def is_apart(database: Database) -> bool:
            return bench.load(pair, database) and tells_apart_natively(pair, database, SMALL)

        small = self._fewest(pair, data.core, (pred, gold), is_apart, _NATIVE_WORK)
        with SHOWING:
            shown = None if small is None else look_natively(pair, small, SMALL)
        return shown.witness if isinstance(shown, Confirmed) else None

    @staticmethod
    def _fewest(
        pair: Pair,
        core: Guarded,
        results: tuple[Result, Result],
        is_apart: Callable[[Database], bool],
        work: int,
    ) -> Database | None:
        """The smallest part found of the database on which the claim holds, loading so many rows at most."""
        if pair.pred.columns != pair.gold.columns or pair.needs_data or pair.unbound:
            return None
        pred, gold = results
        lost, extra = match_rows(gold.rows, pred.rows)
        excerpt = Excerpt(pair, core, [*lost[:_TELLING_ROWS], *extra[:_TELLING_ROWS]])
        grown = takewhile(lambda made: made is not None and made.size <= work, map(excerpt.grown, _EXCERPTS))
        database = next((made for made in grown if made is not None and is_apart(made)), None)
        if database is None:
            return None
        with SHOWING:
            small = drop_rows(database, demands(pair), is_apart, work)
            for kinds in ((), (FactKind.NOT_NULL,), tuple(FactKind)):
                narrow = narrowed(small, pair, kinds)
                if is_apart(narrow):
                    return drop_rows(narrow, demands(pair), is_apart, work)
        return small

    def _bench_for(self, pair: Pair) -> Bench:
        """The bench for the schema and facts of a pair, which are those of the pair before as a rule."""
        if self._bench is None or self._bench[0] is not pair.schema or self._bench[1] is not pair.facts:
            self._close_bench()
            self._bench = pair.schema, pair.facts, Bench(pair.schema, pair.facts)
        return self._bench[-1]

    def _close_bench(self) -> None:
        if self._bench is not None:
            self._bench[-1].close()
            self._bench = None

    def _settle_natively(self, pair: Pair, pred: Result, gold: Result) -> TierOutcome:
        """What the results say of texts that the core cannot run, or not on so many rows."""
        marked_pred, marked_gold = marked(pair, pred.rows, gold.rows)
        is_known = is_plain(pair, on_data=isinstance(self._data, UsersDatabase)) and not pair.are_watched
        if same_result(marked_pred, marked_gold, bag_of(pair.relation)):
            return Open()
        if not is_known:
            return Open(remarks=(v.Remark(v.RemarkKind.TIE, "witness", _COUNT_FOR_NOTHING),))
        apart = same_result(pred.rows, gold.rows, bag_of(pair.relation))
        difference = v.Difference.TYPE if apart else classify(pair, pred.rows, gold.rows)
        shown = replace(self._shown(pair, pred, gold), few=self._few_natively(pair, pred, gold))
        return Refuted(shown, difference, weakest_natively(pair, marked_pred, marked_gold))

    def _sample(self, table: Table, column: Column) -> list[Cell]:
        """A sample of the values of a column in the data."""
        if self._data is None or not self._data.has_core:
            return []
        name = quoted(column.name)
        sql = f"SELECT DISTINCT {name} FROM {quoted(table.name)} WHERE {name} IS NOT NULL LIMIT {_SAMPLE}"
        found = self._data.core.run(sql, CAPS)
        return [] if isinstance(found, Failure) else [cell for (cell,) in found.rows]

    @staticmethod
    def _remarks(pair: Pair, engine: Guarded) -> Iterator[v.Remark]:
        """That a tie of the data leaves an answer open; once for two equal texts."""
        sides = {pair.gold.sql: ("gold", pair.plans[1])} | (
            {pair.pred.sql: ("pred", pair.plans[0])} if not pair.are_one_text else {}
        )
        for side, plan in sides.values():
            cut = cut_tie(engine, plan, CAPS)
            if cut is not None:
                taken = f"its LIMIT keeps {cut[0]} of {cut[1]} tied rows of the data"
                yield v.Remark(v.RemarkKind.TIE, side, f"{taken}, so the answer is not determined")

    def _shown(self, pair: Pair, pred: Result | Failure, gold: Result | Failure) -> v.Execution:
        pred_rows, gold_rows = rows_of(pred), rows_of(gold)
        if pair.relation.rows is not Rows.LIST:
            pred_rows, gold_rows = _differing_first(pred_rows, gold_rows)
        return v.Execution(
            shown_name(self._path),
            pred_rows[: v.EXECUTION_ROWS],
            gold_rows[: v.EXECUTION_ROWS],
            pred_error=error_of(pred),
            gold_error=error_of(gold),
        )

    def _gold(self, data: Session, sql: str, limits: Limits) -> Result | Failure:
        """What a gold query returns, computed once; what some limits end, others may not."""
        kept = self._gold_results
        known = kept.get((sql, CAPS)) or kept.get((sql, limits))
        if known is None:
            known = gold_side(data).run(sql, limits)
            kept[sql, CAPS if isinstance(known, Result) else limits] = known
            while len(kept) > _GOLD_RESULTS or sum(len(rows_of(each)) for each in kept.values()) > _GOLD_ROWS:
                del kept[next(iter(kept))]
        return known

    def _finding(self, pair: Pair, engine: Guarded, pred: Result, gold: Result) -> DatabaseFinding:
        if pair.pred.columns != pair.gold.columns:
            return DatabaseFinding.APART
        if not pair.pred.apart and same_result(pred.rows, gold.rows, pair.relation):
            return DatabaseFinding.SAME
        if any(plan.has_choices for plan in pair.plans):
            return DatabaseFinding.TIED
        return finding_on(pair, engine, CAPS, runs=QUICK_RUNS)


def _is_apart(bench: Bench, pair: Pair, database: Database) -> bool:
    """Whether the facts allow a database that distinguishes the queries whatever is left to choice."""
    try:
        if not bench.arena.load(database):
            return False
    except UnicodeEncodeError:  # a text of the user's that is not UTF-8
        return False
    found = (bench.engine.run(query.core_sql, SMALL) for query in (pair.pred, pair.gold))
    pred, gold = found
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return False
    if same_result(pred.rows, gold.rows, pair.relation) or not bench.allows(pair, database):
        return False
    bench.choices.seed(0)
    return bench.find(pair, results=(pred, gold)) is DatabaseFinding.APART


def _differing_first(pred: Sequence[Row], gold: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Both results with the rows first that the other lacks, so that these are shown."""
    only_pred, only_gold = match_rows(pred, gold)
    rest_pred, rest_gold = Counter(pred) - Counter(only_pred), Counter(gold) - Counter(only_gold)
    return (*only_pred, *rest_pred.elements()), (*only_gold, *rest_gold.elements())


def _is_in_core(pair: Pair, data: Session) -> bool:
    """Whether the core has all rows that a pair reads: of an earlier time it may lack them."""
    if not data.has_core:
        return False
    if not any(table.earlier for table in pair.tables_read):
        return True
    there = folded(str(name) for (name,) in data.core.connection.execute("SELECT name FROM sqlite_master"))
    return all(fold(table.name) in there for table in pair.tables_read)


def _has_rows(pair: Pair, data: Session) -> bool:
    """Whether a table that the pair reads has rows; true if that is not to be told."""
    if not _is_in_core(pair, data):
        return True
    tables = pair.tables_read
    found = (data.core.run(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1", _BRIEF) for table in tables)
    return any(isinstance(each, Failure) or each.rows for each in found)


def _reads_elsewhere(pair: Pair) -> bool:
    """Whether rows may lie elsewhere, so that no transaction holds them fast between two queries."""
    tables = pair.schema.tables if pair.needs_data else pair.tables_read
    return any(table.is_unenforced for table in tables)


def _failed(side: str, failure: Failure, error: v.FailureCode, timeout: v.FailureCode) -> Open:
    match failure.kind:
        case "timeout":
            return Open(v.Reason.TIMEOUT, f"{side}: {failure.message}", failure_code=timeout)
        case "resource":
            return Open(v.Reason.RESOURCE, f"{side}: {failure.message}")
        case _:
            return Open(v.Reason.NO_PROOF, f"{side}: {failure.message}", failure_code=error)
