"""Witnesses: a generated database as a script, replayed on a fresh database before it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from equiv.answers.answers import THOROUGH_RUNS, Finding, Noted, explains, find, ties
from equiv.answers.bounds import differs_by_a_bound
from equiv.answers.choices import functions as choice_functions
from equiv.answers.compare import same_result
from equiv.answers.difference import classify
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.identifiers import quoted
from equiv.core.runner import Failure, Guarded, Limits, RunnerError
from equiv.dialects.crossing.session import gold_side
from equiv.dialects.protocol import Session
from equiv.generate.database import Database, TableRows
from equiv.relation import RELATIONS, Relation
from equiv.schema.violations import has_orphans
from equiv.tiers.bindings import replays
from equiv.tiers.outcome import Refuted
from equiv.verdict import Difference, Witness


def script(pair: Pair, database: Database) -> str:
    """The DDL of the database's tables and of those the queries read, and an INSERT per row."""
    return pair.dialect.engine.script(pair.schema, _tables(pair, database.tables), database.tables)


def _tables(pair: Pair, filled: Mapping[str, TableRows]) -> list[str]:
    """Tables and views that the script must create: the filled ones, and any that a query's text names."""
    texts = (pair.pred.sql + " " + pair.gold.sql).lower()
    names = [each.name for each in pair.schema.tables] + [each.name for each in pair.schema.native_views]
    named = [name for name in names if name.lower().rpartition(".")[2] in texts]
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

    witness: Witness
    difference: Difference
    weakest: Relation
    """The loosest relation that it breaks, among those that the pair's relation implies."""
    by_rounding: bool = False
    """Whether the queries would not differ if arithmetic were exact."""

    @property
    def refutation(self) -> Refuted:
        """The outcome of a tier that has found the witness."""
        return Refuted(self.witness, self.difference, self.weakest, by_rounding=self.by_rounding)


def confirm(pair: Pair, database: Database, caps: Limits) -> Confirmed | None:
    """The witness that a database makes, if a fresh replay of its script tells the queries apart."""
    sql = script(pair, database)
    try:
        played = replay(pair, sql)
    except RunnerError:
        return None
    with played:
        witness = show(pair, played, sql, database, caps)
        noted = Noted()
        finding = Finding.FAILED if witness is None else finding_on(pair, played.core, caps, noted=noted)
        if witness is None or not pair.is_refuted_by(finding) or not replays(pair, played, caps):
            return None
        if has_orphans(played.core.connection, pair.facts):
            return None
        tied = any(ties(played.core, plan, caps) for plan in pair.plans)
        results = witness.pred_rows, witness.gold_rows
        by_a_bound = partial(differs_by_a_bound, pair, *results, played.core, caps)
        rounded = finding is Finding.ROUNDED
        if rounded:
            difference = Difference.ROUNDING
        elif pair.pred.apart and same_result(*results, pair.relation):
            difference = Difference.TYPE
        else:
            difference = classify(pair, *results, by_a_bound=by_a_bound, tied=tied)
        loosest = weakest(pair, played.core, *results, caps, noted=noted)
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
        # Of columns whose types are told apart it is known which one faces which.
        if relation == pair.relation or pair.pred.apart:
            break
        if (
            pair.relation.implies(relation)
            and not same_result(pred, gold, relation)
            and pair.is_refuted_by(finding_on(pair, engine, caps, relation, noted))
        ):
            return relation
    return pair.relation


def show(pair: Pair, played: Session, sql: str, database: Database, caps: Limits) -> Witness | None:
    """The witness with the results of both queries on a database; None if one of them fails."""
    pred, gold = played.run(pair.pred.sql, caps), gold_side(played).run(pair.gold.sql, caps)
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return None
    return Witness(sql, pred.rows, gold.rows, stored(pair, played.core, database))


def why_unreplayed(pair: Pair, database: Database, caps: Limits) -> str:
    """What the engine says of the two queries on a fresh copy of a database; '' if nothing."""
    try:
        with replay(pair, script(pair, database)) as played:
            found = [played.run(query.sql, caps) for query in (pair.pred, pair.gold)]
    except RunnerError as error:
        return str(error)
    return next((each.message for each in found if isinstance(each, Failure)), "")


def stored(pair: Pair, engine: Guarded, database: Database) -> dict[str, TableRows]:
    """The filled tables as stored, with the columns that the queries mention (all inserted ones if none)."""
    mentioned = pair.reading.mentioned
    stored = {}
    for table, (inserted, _) in database.tables.items():
        columns = tuple(mentioned.get(table, ())) or inserted
        select = f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(table)}"
        stored[table] = (columns, tuple(engine.connection.execute(select)))
    return stored


def show_results(pair: Pair, database: Database, caps: Limits) -> Witness | None:
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
) -> Finding:
    """What the database of an engine shows of the queries, within the facts about arithmetic.

    Args:
        relation: how results are compared; by default as the pair says.
        noted: what the queries answered before on the same database.
    """
    if pair.pred.columns != pair.gold.columns:
        return Finding.APART
    pred, gold = pair.plans
    finding = find(
        engine,
        pred,
        gold,
        relation or pair.relation,
        caps,
        runs=THOROUGH_RUNS,
        exact_arithmetic=pair.exact_arithmetic,
        no_overflow=pair.no_overflow,
        rounding_shows=pair.rounding_shows,
        noted=noted,
    )
    if pair.is_refuted_by(finding) and not all(explains(engine, plan, caps) for plan in pair.plans):
        return Finding.FAILED
    return finding
