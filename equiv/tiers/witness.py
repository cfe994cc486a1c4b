"""Witnesses: a generated database as a script, replayed on a fresh SQLite before it is believed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from equiv.answers.answers import THOROUGH_RUNS, Finding, explains, find, ties
from equiv.answers.bounds import differs_by_a_bound
from equiv.answers.choices import functions as choice_functions
from equiv.answers.compare import same_result
from equiv.answers.difference import classify
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.generate.database import Database, TableRows
from equiv.relation import RELATIONS, Relation
from equiv.schema.render import create_statements
from equiv.sqlite.execute import Failure, Guarded, Limits, open_memory
from equiv.sqlite.identifiers import quoted
from equiv.sqlite.literals import sql_literal
from equiv.tiers.bindings import replays
from equiv.verdict import Difference, Witness


def script(pair: Pair, database: Database) -> str:
    """The DDL of the database's tables and of those the queries read, and an INSERT per row."""
    statements = create_statements(pair.schema, _tables(pair, database.tables))
    for table, (columns, rows) in database.tables.items():
        head = f"INSERT INTO {quoted(table)} ({', '.join(map(quoted, columns))}) VALUES "
        statements += [head + "(" + ", ".join(map(sql_literal, row)) + ")" for row in rows]
    return "".join(f"{statement};\n" for statement in statements)


def _tables(pair: Pair, filled: Mapping[str, TableRows]) -> list[str]:
    """Tables that the script must create: the filled ones, and any whose name a query's text holds."""
    texts = (pair.pred.sql + " " + pair.gold.sql).lower()
    named = [table.name for table in pair.schema.tables if table.name.lower() in texts]
    if pair.schema.views:
        named = [table.name for table in pair.schema.tables]
    return [*named, *filled]


def replay(sql: str) -> Guarded:
    """A fresh in-memory SQLite on which the script has run.

    Raises:
        sqlite3.Error: the script does not run.
    """
    engine = open_memory()
    engine.connection.executescript(sql)
    choice_functions.register(engine.connection)
    return engine


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A witness that has been replayed, and what it shows."""

    witness: Witness
    difference: Difference
    weakest: Relation
    """The loosest relation that it breaks, among those that the pair's relation implies."""


def confirm(pair: Pair, database: Database, caps: Limits) -> Confirmed | None:
    """The witness that a database makes, if a fresh replay of its script tells the queries apart."""
    sql = script(pair, database)
    try:
        engine = replay(sql)
    except sqlite3.Error:
        return None
    with engine:
        shown = show(pair, engine, sql, database, caps)
        if shown is None or not tells_apart(pair, engine, caps) or not replays(pair, engine, caps):
            return None
        tied = any(ties(engine, plan, caps) for plan in pair.plans)
        results = shown.pred_rows, shown.gold_rows
        by_a_bound = partial(differs_by_a_bound, pair, *results, engine, caps)
        difference = classify(pair, *results, by_a_bound=by_a_bound, tied=tied)
        return Confirmed(shown, difference, weakest(pair, engine, *results, caps))


def weakest(pair: Pair, engine: Guarded, pred: Sequence[Row], gold: Sequence[Row], caps: Limits) -> Relation:
    """The loosest relation that two results of a pair break, among those that its own implies."""
    if pair.pred.columns != pair.gold.columns:
        return RELATIONS[-1]
    for relation in reversed(RELATIONS):
        if relation == pair.relation:
            break
        if (
            pair.relation.implies(relation)
            and not same_result(pred, gold, relation)
            and tells_apart(pair, engine, caps, relation)
        ):
            return relation
    return pair.relation


def show(pair: Pair, engine: Guarded, sql: str, database: Database, caps: Limits) -> Witness | None:
    """What both queries return on the database of an engine; None if one of them fails."""
    pred, gold = engine.run(pair.pred.sql, caps), engine.run(pair.gold.sql, caps)
    if isinstance(pred, Failure) or isinstance(gold, Failure):
        return None
    return Witness(sql, pred.rows, gold.rows, _stored(pair, engine, database))


def _stored(pair: Pair, engine: Guarded, database: Database) -> dict[str, TableRows]:
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
        with replay(sql) as engine:
            return show(pair, engine, sql, database, caps)
    except sqlite3.Error:
        return None


def tells_apart(pair: Pair, engine: Guarded, caps: Limits, relation: Relation | None = None) -> bool:
    """Whether the database of an engine tells the queries apart, within the facts about arithmetic."""
    if pair.pred.columns != pair.gold.columns:
        return True
    pred, gold = pair.plans
    found = find(
        engine,
        pred,
        gold,
        relation or pair.relation,
        caps,
        runs=THOROUGH_RUNS,
        exact_arithmetic=pair.exact_arithmetic,
        no_overflow=pair.no_overflow,
    )
    return found is Finding.APART and explains(engine, pred, caps) and explains(engine, gold, caps)
