"""A verdict shows results with the names and the spellings of the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.registry import dialect_named, dialect_of
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.relation import Relation, Rows
from equiv.tiers.witness import as_printed
from equiv.verdict import (
    Caveat,
    Derivation,
    Difference,
    Equivalent,
    Execution,
    NotEquivalent,
    ParameterBinding,
    Reason,
    Undecided,
    Verdict,
    Witness,
)

BAG = Relation(Rows.BAG)
SCHEMA = load_ddl("CREATE TABLE t (a INTEGER, b TEXT);", "d")
TEXTS = ("SELECT a AS x, count(*) FROM t", "SELECT * FROM t")
NAMES = (("x", "count(*)"), ("a", "b"))
SHOWN = Witness("", ((1, 2),), ((1, 2),))


def named(verdict: Verdict, texts: tuple[str, str] = TEXTS) -> Verdict:
    dialect = dialect_of(SCHEMA)
    with dialect.engine.empty(SCHEMA) as empty:
        pred, gold = (dialect.reader.read(text, SCHEMA, empty) for text in texts)
        assert isinstance(pred, Query)
        assert isinstance(gold, Query)
        return as_printed(verdict, (pred, gold), empty, dialect.engine)


@pytest.mark.parametrize(
    "verdict",
    [
        NotEquivalent(relation=BAG, evidence=SHOWN, difference=Difference.VALUES),
        NotEquivalent(relation=BAG, evidence=Execution("d", (), ()), difference=Difference.VALUES),
        Undecided(relation=BAG, reason=Reason.NONDETERMINISTIC, evidence=SHOWN),
        Equivalent(relation=BAG, evidence=Derivation((), (), ""), caveat=Caveat((), SHOWN)),
    ],
    ids=["witness", "execution", "tie", "caveat"],
)
def test_results_have_the_names_of_their_columns(verdict: Verdict) -> None:
    found = named(verdict)
    shown = found.caveat.evidence if isinstance(found, Equivalent) and found.caveat else None
    shown = found.evidence if isinstance(found, NotEquivalent | Undecided) else shown
    assert shown is not None
    assert (shown.pred_columns, shown.gold_columns) == NAMES


def test_what_was_run_counts_where_that_is_another_text() -> None:
    shown = Witness("", (), (), binding=ParameterBinding((("?1", 1),), "SELECT 1 AS one", "SELECT 2 AS two"))
    found = named(NotEquivalent(relation=BAG, evidence=shown, difference=Difference.VALUES))
    assert isinstance(found, NotEquivalent)
    assert (found.evidence.pred_columns, found.evidence.gold_columns) == (("one",), ("two",))


def test_a_query_that_does_not_end_or_fails_has_no_names() -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    found = named(
        NotEquivalent(relation=BAG, evidence=SHOWN, difference=Difference.VALUES),
        (endless, "SELECT abs(-9223372036854775808)"),
    )
    assert isinstance(found, NotEquivalent)
    assert (found.evidence.pred_columns, found.evidence.gold_columns) == ((), ())


DDL = {
    "postgres": "CREATE TABLE t (a int, on_ bool, d numeric(4,2), w interval, j json, z timestamptz, c name)",
    "duckdb": "CREATE TABLE t (a INT, on_ BOOL, d DECIMAL(4,2), w INTERVAL, j JSON, z TIMESTAMPTZ, c INT[])",
}
CELLS = {
    "postgres": (True, "2.00", "1 mon", '{"a": 1.0}', "2020-01-01 00:00:00+00", "x"),
    "duckdb": (True, "2.00", "1 month", '{"a": 1.0}', "2020-01-01 00:00:00+00", "[1, NULL]"),
}
GIVEN = {"postgres": "'x'", "duckdb": "[1, NULL]"}
CALLED = {"postgres": ("?column?", "count"), "duckdb": ("(1 + 1)", "count_star()")}


@pytest.mark.parametrize("name", ["postgres", "duckdb"])
def test_a_witness_speaks_its_engines_language(name: str) -> None:
    rows = f"VALUES (1, true, 2, '1 month', '{{\"a\": 1.0}}', '2020-01-01 00:00:00+00', {GIVEN[name]})"
    dialect = dialect_named(name)
    schema = dialect.loader.read_ddl(DDL[name], "d")
    shown = Witness(
        f"{DDL[name]};\nINSERT INTO t {rows};\n", ((1,),), ((2, 1),), {"t": (("on_", "d"), ((1, 2),))}
    )
    texts = "SELECT on_, d, w, j, z, c FROM t", "SELECT 1 + 1, count(*) FROM t"
    with dialect.engine.empty(schema) as empty, dialect.engine.replay(shown.sql) as played:
        queries = [dialect.reader.read(text, schema, empty) for text in texts]
        results = [played.run(text) for text in texts]
        pred, gold = (each.rows for each in results if isinstance(each, Result))
        shown = replace(shown, pred_rows=pred, gold_rows=gold)
        verdict = NotEquivalent(relation=BAG, evidence=shown, difference=Difference.VALUES)
        both = tuple(each for each in queries if isinstance(each, Query))
        assert len(both) == 2
        found = as_printed(verdict, (both[0], both[1]), empty, dialect.engine)
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Witness)
    (row,) = found.evidence.pred_rows
    assert (row[0], repr(row[1]), *row[2:]) == CELLS[name]
    assert found.evidence.tables["t"][1] == ((True, 2.0),)
    assert (found.evidence.pred_columns, found.evidence.gold_columns) == (("on_", *"dwjzc"), CALLED[name])
