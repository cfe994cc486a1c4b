"""Witnesses: a database on which a pair is tried, shrunk, and replayed as a script before it is believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TypeVar

from sqlglot import exp

from equiv import verdict as v
from equiv.answers import choices as choice_functions
from equiv.answers.answers import (
    CAREFUL_RUNS,
    QUICK_RUNS,
    THOROUGH_RUNS,
    DatabaseFinding,
    Noted,
    explains,
    find,
    other_answer,
    ties,
)
from equiv.answers.compare import same_result
from equiv.answers.difference import classify, differs_by_a_bound
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.core.runner import Failure, Guarded, Limits, Result, RunnerError
from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.sides import gold_side, pred_side
from equiv.dialects.protocol import Dialect, DialectEngine, Printer, Rerunner, Session, ValueSort
from equiv.facts import FactKind, Facts
from equiv.generate.database import Arena, Database, TableRows, drop_rows, shrink
from equiv.names import fold, quoted, quoted_name
from equiv.relation import RELATIONS, Relation, Rows
from equiv.schema.violations import FactChecker, has_orphans
from equiv.tiers.bindings import replays
from equiv.tiers.outcome import Open, Refuted

ELSEWHERE = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
"""What another version of the engine may spend on each query of a witness."""


def script(pair: Pair, database: Database) -> str:
    """The DDL of the database's tables and of those the queries read, and an INSERT per row.

    Unstated settings that the queries depend on are set, so that the script shows the same everywhere.
    """
    schema, taken = pair.schema, pair.taken_settings
    if taken and not pair.is_across:
        given = ((fact.columns[0], fact.expression) for fact in taken)
        schema = replace(schema, settings=(*schema.settings, *given))
    if pair.asks_catalogue:
        schema = replace(schema, is_asked_for=True)
    return pair.dialect.engine.script(schema, _tables(pair, database.tables), database.tables)


def _tables(pair: Pair, filled: Mapping[str, TableRows]) -> list[str]:
    """Tables and views that the script must create: the filled ones, and any that a query's text names."""
    texts = fold(pair.pred.sql + " " + pair.gold.sql)
    names = [each.name for each in pair.schema.tables] + [each.name for each in pair.schema.native_views]
    named = [name for name in names if fold(name).rpartition(".")[2] in texts]
    if pair.schema.views or pair.schema.triggers:
        named = [table.name for table in pair.schema.tables]
    return [*named, *filled]


def replay(pair: Pair, sql: str) -> Session:
    """A fresh database of the pair's dialect on which the script has run.

    Raises:
        RunnerError: the script does not run.
    """
    played = pair.dialect.engine.replay(sql)
    choice_functions.register(played.core.connection)
    return played


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A witness that has been replayed, and what it shows."""

    witness: v.Witness
    difference: v.Difference
    weakest: Relation
    """The loosest relation that it breaks, among those that the pair's relation implies."""
    by_rounding: bool = False
    """Whether the queries would not differ if arithmetic were exact."""

    @property
    def refutation(self) -> Refuted:
        """The outcome of a tier that has found the witness."""
        return Refuted(self.witness, self.difference, self.weakest, by_rounding=self.by_rounding)


def confirm(pair: Pair, database: Database, caps: Limits) -> Confirmed | None:
    """The witness that a database makes, if a fresh replay of its script distinguishes the queries."""
    sql = script(pair, database)
    try:
        played = replay(pair, sql)
    except RunnerError:
        return None
    with played:
        witness = show(pair, played, sql, database, caps)
        noted = Noted()
        finding = (
            DatabaseFinding.FAILED if witness is None else finding_on(pair, played.core, caps, noted=noted)
        )
        if witness is None or not pair.is_refuted_by(finding) or not replays(pair, played, caps):
            return None
        if has_orphans(played.core.connection, pair.facts):
            return None
        tied = any(ties(played.core, plan, caps) for plan in pair.plans)
        results = witness.pred_rows, witness.gold_rows
        by_a_bound = partial(differs_by_a_bound, pair, *results, played.core, caps)
        rounded = finding is DatabaseFinding.ROUNDED
        if rounded:
            difference = v.Difference.ROUNDING
        elif pair.pred.apart and same_result(*results, pair.relation):
            difference = v.Difference.TYPE
        else:
            difference = classify(pair, *results, by_a_bound=by_a_bound, tied=tied)
        loosest = weakest(pair, played.core, *results, caps, noted=noted) if pair.is_shown else pair.relation
        return Confirmed(witness, difference, loosest, by_rounding=rounded)


def weakest(
    pair: Pair,
    engine: Guarded,
    pred: Sequence[Row],
    gold: Sequence[Row],
    caps: Limits,
    *,
    noted: Noted | None = None,
) -> Relation:
    """The loosest relation that two results of a pair break, among those that its own implies."""
    noted = noted or Noted()
    if pair.pred.columns != pair.gold.columns:
        return RELATIONS[-1]
    for relation in reversed(RELATIONS):
        # Of columns whose types are distinguished it is known which one faces which.
        if relation == pair.relation or pair.pred.apart:
            break
        if (
            pair.relation.implies(relation)
            and not same_result(pred, gold, relation)
            and pair.is_refuted_by(finding_on(pair, engine, caps, relation, noted))
        ):
            return relation
    return pair.relation


def both_results(pair: Pair, played: Session, caps: Limits) -> tuple[Result | Failure, Result | Failure]:
    """The results of both queries on a database, each on its own engine."""
    return played.run(pair.pred.sql, caps), gold_side(played).run(pair.gold.sql, caps)


def show(pair: Pair, played: Session, sql: str, database: Database, caps: Limits) -> v.Witness | None:
    """The witness with the results of both queries on a database; None if one of them fails."""
    pred, gold = both_results(pair, played, caps)
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return None
    read = [table.name for table in pair.tables_read]
    demanded = frozenset(table.name for table in pair.schema.parents_first(read)).difference(read)
    tables = stored(pair, played.core, database)
    return v.Witness(sql, pred.rows, gold.rows, tables, demanded=demanded)


def why_unreplayed(pair: Pair, database: Database, caps: Limits) -> str:
    """The engine's message on the two queries on a fresh copy of a database; '' if there is none."""
    try:
        with replay(pair, script(pair, database)) as played:
            found = [played.run(query.sql, caps) for query in (pair.pred, pair.gold)]
    except RunnerError as error:
        columns = ((t.name, c) for t in map(pair.schema.table, database.tables) if t for c in t.columns)
        unknown = (
            f" ({table}.{c.name} is NOT NULL, and no value of its type, {c.native_type}, is known)"
            for table, c in columns
            if c.not_null and c.samples == ()
        )
        return f"{error}{next(unknown, '')}"
    return next((each.message for each in found if isinstance(each, Failure)), "")


def replay_elsewhere(verdict: v.Verdict, dialect: Dialect, texts: tuple[str, str]) -> Iterator[v.Remark]:
    """The remark on what another version of the engine, if there is one, makes of a verdict's witness.

    The verdict stands whatever that is: the engine of the core is what it speaks of.

    Args:
        dialect: the dialect of both queries.
        texts: both, run where the witness does not say what else was run.
    """
    engine = dialect.engine
    if not (isinstance(verdict, v.NotEquivalent) and isinstance(verdict.evidence, v.Witness)):
        return
    if not (isinstance(engine, Rerunner) and engine.other_version):
        return
    shown = verdict.evidence
    if shown.binding is not None:
        texts = shown.binding.pred_sql, shown.binding.gold_sql
    pred, gold = engine.run_elsewhere(shown.sql, texts, ELSEWHERE)
    why = _why_not_elsewhere(verdict, shown, pred, gold)
    other = f"{engine.other_version}, Python's own"
    said = f", not on {other}: {why}" if why else f" and on {other}"
    text = f"it distinguishes the queries on {dialect.title} {engine.version}{said}"
    yield v.Remark(v.RemarkKind.REPLAY, "witness", text)


def _why_not_elsewhere(
    verdict: v.NotEquivalent, shown: v.Witness, pred: Result | Failure, gold: Result | Failure
) -> str:
    """Why two results do not distinguish the queries; '' if they do."""
    raised = [isinstance(each, Failure) and each.kind == "error" for each in (pred, gold)]
    if verdict.difference is v.Difference.ERROR and raised == [
        bool(shown.pred_error),
        bool(shown.gold_error),
    ]:
        return ""
    for who, result in (("the prediction", pred), ("the gold query", gold)):
        if isinstance(result, Failure):
            return f"{who} fails there ({' '.join(result.message.split())})"
    assert isinstance(pred, Result)
    assert isinstance(gold, Result)
    if (pred.rows, gold.rows) == (shown.pred_rows, shown.gold_rows) or pred.columns != gold.columns:
        return ""
    return "there both return the same rows" if same_result(pred.rows, gold.rows, verdict.relation) else ""


def stored(pair: Pair, engine: Guarded, database: Database) -> dict[str, TableRows]:
    """The filled tables as stored, with the columns that the queries mention, in the order of the schema.

    If they mention none, all columns that were inserted.
    """
    stored = {}
    for table, (inserted, _) in database.tables.items():
        named, known = pair.reading.mentioned.get(table) or inserted, pair.schema.table(table)
        declared = [column.name for column in known.columns] if known else ()
        columns = tuple(name for name in declared if name in named) or tuple(named)
        select = f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(table)}"
        stored[table] = (columns, tuple(engine.connection.execute(select)))
    return stored


def show_results(pair: Pair, database: Database, caps: Limits) -> v.Witness | None:
    """A database that shows a tie, or rounding, as a script with one result of each query."""
    sql = script(pair, database)
    try:
        with replay(pair, sql) as played:
            return show(pair, played, sql, database, caps)
    except RunnerError:
        return None


def finding_on(
    pair: Pair,
    engine: Guarded,
    caps: Limits,
    relation: Relation | None = None,
    noted: Noted | None = None,
    *,
    runs: int = THOROUGH_RUNS,
) -> DatabaseFinding:
    """The finding on the queries on a database of an engine, within the facts about arithmetic.

    Args:
        relation: how results are compared; by default as the pair says.
        noted: what the queries answered before on the same database.
        runs: how often choices are made.
    """
    if pair.pred.columns != pair.gold.columns:
        return DatabaseFinding.APART
    finding = _found(pair, engine, caps, relation or pair.relation, runs, noted=noted)
    if pair.is_refuted_by(finding) and not all(explains(engine, plan, caps) for plan in pair.plans):
        return DatabaseFinding.FAILED
    return finding


def _found(
    pair: Pair,
    engine: Guarded,
    caps: Limits,
    relation: Relation,
    runs: int,
    *,
    results: tuple[Result | None, Result | None] = (None, None),
    noted: Noted | None = None,
) -> DatabaseFinding:
    return find(
        engine,
        *pair.plans,
        relation,
        caps,
        runs=runs,
        exact_arithmetic=pair.exact_arithmetic,
        no_overflow=pair.no_overflow,
        rounding_shows=pair.rounding_shows,
        results=results,
        noted=noted,
    )


CAPS = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
"""The limits of one query on a generated database."""

_ENDLESS_CAPS = replace(CAPS, seconds=0.025)


def caps_of(pair: Pair) -> Limits:
    """The limits of a query on a generated database: less where rows in a circle may let it run for ever."""
    return _ENDLESS_CAPS if pair.recurses else CAPS


SHRINK_STEPS = 250
"""How many smaller databases are tried to shrink a witness."""
_ROWS_SHRUNK = 30 * SHRINK_STEPS


class Bench:
    """One database of a schema, filled in turn with what the facts in force allow.

    Attributes:
        arena: the database.
        choices: what makes the choices of queries that are laid open.
    """

    def __init__(self, schema: Schema, facts: Facts) -> None:
        # That tables have rows is the pair's business: see Pair.occupied.
        self._facts = FactChecker(schema, facts.without(facts.of(FactKind.NOT_EMPTY)))
        self.arena = Arena(schema)
        self._has_triggers = bool(schema.triggers)
        self.choices = choice_functions.register(self.arena.engine.connection)

    @property
    def engine(self) -> Guarded:
        """The engine on which queries run."""
        return self.arena.engine

    def close(self) -> None:
        """Close the database."""
        self.arena.close()

    def load(self, pair: Pair, database: Database) -> bool:
        """Fill the arena; False if the facts in force for a pair do not allow the database."""
        return self.arena.load(database) and self.allows(pair, database)

    def allows(self, pair: Pair, database: Database) -> bool:
        """Whether the facts in force for a pair allow the database that the arena holds."""
        if not pair.occupied <= database.tables.keys():
            return False
        if self._has_triggers:
            return self._facts.holds(self.engine.connection)
        return self._facts.rows_hold(self.engine.connection, frozenset(database.tables))

    def find(
        self, pair: Pair, runs: int = QUICK_RUNS, results: tuple[Result | None, Result | None] = (None, None)
    ) -> DatabaseFinding:
        """The finding of the database in the arena on a pair."""
        return _found(pair, self.engine, caps_of(pair), pair.relation, runs, results=results)

    def finding(self, pair: Pair, database: Database, runs: int = QUICK_RUNS) -> DatabaseFinding:
        """The finding of a database on a pair; FAILED if the facts do not allow the database."""
        return self.find(pair, runs) if self.load(pair, database) else DatabaseFinding.FAILED

    def is_tied(self, pair: Pair, database: Database) -> bool:
        """Whether a free choice decides on a database, as far as many runs show."""
        return self.finding(pair, database, CAREFUL_RUNS) is DatabaseFinding.TIED


class Stopwatch:
    """The milliseconds of this process within its ``with``, of which one may stand in another."""

    def __init__(self) -> None:
        self.ms = 0.0
        self._since: list[float] = []

    def __enter__(self) -> None:
        self._since.append(perf_counter())

    def __exit__(self, *raised: object) -> None:
        began = self._since.pop()
        if not self._since:
            self.ms += (perf_counter() - began) * 1000


SHOWING = Stopwatch()
"""What it takes to shrink, replay and describe databases that distinguish pairs."""


def smallest_witness(
    pair: Pair, database: Database, tells_apart: Callable[[Database], bool]
) -> tuple[Database, Confirmed] | None:
    """The smallest witness found below a database that distinguishes the queries, if one replays.

    Where plainer values do not replay, rows go whose values stay.
    """
    smaller = (
        (partial(_shrunk, pair), partial(drop_rows, links=(), work=_ROWS_SHRUNK)) if pair.is_shown else ()
    )
    with SHOWING:
        for shrunk in (*smaller, None):
            candidate = shrunk(database, still_differs=tells_apart) if shrunk else database
            confirmed = confirm(pair, candidate, CAPS)
            if confirmed is not None:
                return candidate, confirmed
    return None


def _shrunk(pair: Pair, database: Database, still_differs: Callable[[Database], bool]) -> Database:
    """A smaller database, in which values stay of columns that take few others."""
    few = {(t.name, c.name) for t in pair.schema.tables for c in t.columns if c.samples is not None}
    filled = database.tables.items()
    places = [(rows, at) for name, (own, rows) in filled for at, c in enumerate(own) if (name, c) in few]
    return shrink(database, still_differs, SHRINK_STEPS, {row[at] for rows, at in places for row in rows})


def smallest_shown(pair: Pair, database: Database, shows: Callable[[Database], bool]) -> v.Witness | None:
    """The smallest database found below one that shows a tie or rounding, with what the queries return."""
    with SHOWING:
        return show_results(pair, _shrunk(pair, database, shows), CAPS)


def open_by_choice(bench: Bench, pair: Pair, database: Database) -> Open:
    """The open outcome where the queries differ by choices alone; with a database if the choices are ties."""
    if pair.relation.rows is Rows.LIST and pair.pred.orders != pair.gold.orders:
        free, query = ("gold query", pair.gold) if pair.pred.orders else ("prediction", pair.pred)
        as_bags = replace(pair, relation=replace(pair.relation, rows=Rows.BAG))
        # LIMIT makes a choice of rows of what is else a choice of their order.
        cuts = query.tree is None or query.tree.find(exp.Limit, exp.Offset, exp.Fetch) is not None
        if not cuts and bench.finding(as_bags, database, CAREFUL_RUNS) is DatabaseFinding.SAME:
            detail = f"the {free} has no ORDER BY, so that its rows may come in any order"
            return Open(v.Reason.NONDETERMINISTIC, f"{detail}, which --relation bag ignores")
    witness = smallest_shown(pair, database, lambda each: bench.is_tied(pair, each))
    also = "" if witness is None else "".join(_others(pair, witness))
    return Open(v.Reason.NONDETERMINISTIC, f"the difference depends on ties{also}", witness)


def _others(pair: Pair, witness: v.Witness) -> Iterator[str]:
    """For each query that may answer otherwise on a database that shows a tie, with which rows."""
    shown = witness.pred_rows, witness.gold_rows
    with suppress(RunnerError), replay(pair, witness.sql) as played:
        for who, plan, rows in zip(("prediction", "gold query"), pair.plans, shown, strict=True):
            ordered = pair.relation.rows is Rows.LIST
            other = other_answer(played.core, plan, rows, CAPS, ordered=ordered)
            if other is not None:
                text = ", ".join(f"({', '.join(map(sql_literal, row))})" for row in other) or "no rows"
                short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
                yield f"; on this database the {who} may return {short} as well"


_SHOWN = 120
"""How many characters of another answer are told."""


def with_texts(verdict: v.Verdict, pred: Query | Broken, gold: Query | Broken) -> v.Verdict:
    """The verdict, its evidence with the texts that were run if these are not the texts as given."""
    if not isinstance(verdict, v.NotEquivalent | v.Undecided) or verdict.evidence is None:
        return verdict
    if not isinstance(pred, Query) or not isinstance(gold, Query) or not (pred.asked or gold.asked):
        return verdict
    binding = verdict.evidence.binding or v.ParameterBinding((), pred.sql, gold.sql)
    if isinstance(verdict, v.NotEquivalent):
        return replace(verdict, evidence=replace(verdict.evidence, binding=binding))
    return replace(verdict, evidence=replace(verdict.evidence, binding=binding))


_FOR_PRINTING = Limits(seconds=0.5, rows=1_000, bytes=1_000_000)
"""What may be spent on printing the result of a query."""


def as_printed(
    verdict: v.Verdict, queries: tuple[Query, Query], empty: Session, engine: DialectEngine
) -> v.Verdict:
    """The verdict, its evidence with the names of the columns of both results, and as the engine prints it.

    Args:
        queries: the prediction and the gold query, run where the evidence does not say what else was run.
        empty: an empty database of the schema.
        engine: the engine on which a witness is replayed.
    """
    printed = partial(_printed, queries=queries, empty=empty, engine=engine)
    match verdict:
        case v.NotEquivalent(evidence=v.Execution(few=few, binding=binding) as shown):
            few = few and printed(replace(few, binding=binding))
            return replace(verdict, evidence=replace(_on_sides(shown, queries, empty), few=few))
        case v.NotEquivalent(evidence=v.Witness() as shown) | v.Undecided(evidence=v.Witness() as shown):
            return replace(verdict, evidence=printed(shown))
        case v.Equivalent(caveat=v.Caveat(evidence=(v.Witness() | v.Execution()) as shown) as caveat):
            told = printed(shown) if isinstance(shown, v.Witness) else _on_sides(shown, queries, empty)
            return replace(verdict, caveat=replace(caveat, evidence=told))
    return verdict


def _printed(
    shown: v.Witness, queries: tuple[Query, Query], empty: Session, engine: DialectEngine
) -> v.Witness:
    if isinstance(pred_side(empty), Printer) or isinstance(gold_side(empty), Printer):
        with suppress(RunnerError), engine.replay(shown.sql) as played:
            side = pred_side(played)
            tables = {name: _table_printed(name, *content, side) for name, content in shown.tables.items()}
            return _on_sides(replace(shown, tables=tables), queries, played)
    return _on_sides(shown, queries, empty)


E = TypeVar("E", v.Witness, v.Execution)


def _on_sides(shown: E, queries: tuple[Query, Query], session: Session) -> E:
    binding = shown.binding
    texts = (binding.pred_sql, binding.gold_sql) if binding else (queries[0].sql, queries[1].sql)
    pred, pred_rows = _result_printed(texts[0], shown.pred_rows, queries[0], pred_side(session))
    gold, gold_rows = _result_printed(texts[1], shown.gold_rows, queries[1], gold_side(session))
    return replace(shown, pred_columns=pred, gold_columns=gold, pred_rows=pred_rows, gold_rows=gold_rows)


def _result_printed(
    sql: str, rows: tuple[Row, ...], query: Query, session: Session
) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """The names of a query's columns, none if it cannot be run in little time, and its rows as printed.

    Of rows that are another database's the types tell which are booleans.
    """
    found = (session.printed if isinstance(session, Printer) else session.run)(sql, _FOR_PRINTING)
    if isinstance(found, Failure):
        return (), rows
    if found.printed and found.rows == rows:
        return found.names, found.printed
    truths = {place for place, kind in enumerate(query.types) if kind == ValueSort.BOOLEAN}
    shown = (
        tuple(bool(c) if n in truths and isinstance(c, int) else c for n, c in enumerate(row)) for row in rows
    )
    return found.names, tuple(shown)


def _table_printed(name: str, columns: tuple[str, ...], rows: tuple[Row, ...], side: Session) -> TableRows:
    """The rows of a table as the engine prints them; as they are where it does not."""
    table = ".".join(map(quoted_name, name.rsplit(".", 1)))
    text = f"SELECT {', '.join(map(quoted_name, columns))} FROM {table}"
    found = side.printed(text, _FOR_PRINTING) if isinstance(side, Printer) else None
    return columns, found.printed if isinstance(found, Result) and len(found.printed) == len(rows) else rows
