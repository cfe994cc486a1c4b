"""Recursions that are equal part by part have the same rows; what changes rows within a query is refused."""

from __future__ import annotations

from contextlib import closing

from kit.engines import PROVER, assert_not_proved, engine_fixture, open_engine
from kit.sizes import sampled

from equiv.core.query import Query
from equiv.engine.make import make_tiers
from equiv.engine.pipeline import Engine
from equiv.facts import FactKind
from equiv.records.certificate import certificate_of
from equiv.records.recheck import Holding, recheck
from equiv.records.record import Item
from equiv.verdict import Equivalent, NotEquivalent, Tier, Undecided

DDL = """
CREATE TABLE p (id int PRIMARY KEY, up int REFERENCES p, s text, m jsonb, n numeric, x int);
CREATE TABLE q (id int PRIMARY KEY, up int, s text, m jsonb, n numeric, x int);
"""
UP = """WITH RECURSIVE r AS (
    SELECT id, up, m FROM p WHERE id = {start} {union} SELECT p.id, p.up, p.m FROM p JOIN r ON {on}{more}
) {asked}"""


def walk(
    asked: str = "SELECT id FROM r",
    *,
    start: str = "1",
    union: str = "UNION ALL",
    on: str = "p.id = r.up",
    more: str = "",
) -> str:
    return UP.format(asked=asked, start=start, union=union, on=on, more=more)


ORDERED = """WITH RECURSIVE r AS (
    SELECT id, up FROM q WHERE x = 1 UNION (SELECT p.id, p.up FROM p JOIN r ON p.id = r.up ORDER BY p.x)
) SELECT id FROM r"""
LIMITED = ORDERED.replace("BY p.x", "BY p.x LIMIT 1")
AROUND = """SELECT (WITH RECURSIVE r AS (
    SELECT p.{} AS id UNION SELECT q.up FROM q JOIN r ON r.id = q.id
) SELECT max(id) FROM r) FROM p"""
BESIDE = """WITH RECURSIVE a AS (SELECT id FROM q WHERE x = {}), r AS (
    SELECT id FROM a UNION SELECT q.up FROM q JOIN r ON r.id = q.id
) SELECT id FROM r"""
NESTED = """WITH RECURSIVE r AS (SELECT id FROM p UNION ALL SELECT s.id FROM r, LATERAL (
    WITH RECURSIVE t AS (SELECT r.id UNION SELECT q.up FROM q JOIN t ON t.id = q.id)
    SELECT id FROM t WHERE id > r.id
) s) SELECT * FROM r"""
TWICE = """WITH RECURSIVE r AS (SELECT m FROM q UNION SELECT q.m FROM q JOIN r ON r.m = q.m),
    s AS (SELECT m FROM q UNION SELECT q.m FROM q JOIN s ON s.m = q.m)
    SELECT r.m::text FROM r JOIN {} s USING (m)"""
EQUIVALENT = (
    (walk("SELECT id FROM r WHERE id > 2"), walk("SELECT id FROM r WHERE 2 < id", on="r.up = p.id")),
    (walk("SELECT * FROM r", start="$1"), walk("SELECT id, up, m FROM r", start="$1", on="r.up = p.id")),
    (
        walk("SELECT * FROM r", union="UNION", more=" WHERE p.x > 1 AND p.s = 'a'"),
        walk("SELECT * FROM r", union="UNION", more=" WHERE 'a' = p.s AND 1 < p.x"),
    ),
    (
        walk("SELECT q.id FROM r JOIN q ON q.id = r.id WHERE q.x > 1"),
        walk("SELECT q.id FROM q, r WHERE 1 < q.x AND r.id = q.id"),
    ),
    (walk("SELECT count(*) FROM r"), walk("SELECT count(*) FROM (SELECT id FROM r) w")),
    (ORDERED, ORDERED.replace("ORDER BY p.x", "").replace(" r", " w").replace("r.", "w.")),
    # What it says, said otherwise.
    (
        walk(),
        walk(start="1 AND NOT id <> 1").replace(
            "p JOIN r ON p.id = r.up", "(SELECT up FROM r) w, p WHERE w.up = p.id"
        ),
    ),
    (AROUND.format("id"), AROUND.format("id").replace("q JOIN r ON r.id = q.id", "r, q WHERE q.id = r.id")),
    (
        BESIDE.format(1),
        BESIDE.format(1)
        .replace("a AS (SELECT id FROM q WHERE x = 1), ", "")
        .replace("a UNION", "q WHERE x = 1 UNION"),
    ),
    (LIMITED.replace("p.x", "p.id"), LIMITED.replace("p.x", "p.id").replace("p.id = r.up", "r.up = p.id")),
    (NESTED, NESTED.replace("q JOIN t ON t.id = q.id", "t JOIN q ON q.id = t.id")),
)
APART = (
    # Another first step, another step, another kind, another condition within.
    (walk(), walk(start="2")),
    (walk(), walk(on="p.up = r.id")),
    (walk(), walk(on="p.id = r.id")),
    (walk(), walk(union="UNION")),
    (walk(), walk(more=" WHERE p.x > 1")),
    (walk(more=" WHERE p.x > 1"), walk(more=" WHERE p.x >= 1")),
    (walk(more=" WHERE p.x > 1"), walk(more=" WHERE p.x < 1")),
    (walk(more=" WHERE p.x > p.up"), walk(more=" WHERE p.up > p.x")),
    (walk(more=" WHERE p.x - p.up = 1"), walk(more=" WHERE p.up - p.x = 1")),
    (walk(), walk().replace("FROM p JOIN", "FROM q p JOIN")),
    (walk(), walk().replace("SELECT p.id, p.up", "SELECT p.up, p.id")),
    (walk(start="$1"), walk(start="$1 + 0").replace("$1 + 0", "$2")),
    # The same recursion, asked otherwise.
    (walk("SELECT id FROM r"), walk("SELECT up FROM r")),
    (walk("SELECT id FROM r"), walk("SELECT DISTINCT id FROM r")),
    (walk("SELECT id FROM r"), walk("SELECT id FROM r WHERE id IS NOT NULL")),
    (walk("SELECT r.id FROM r"), walk("SELECT r.id FROM r JOIN r s ON s.id = r.id")),
    (walk("SELECT id FROM r"), "SELECT id FROM p"),
    (walk("SELECT 1 WHERE EXISTS (SELECT 1 FROM r)"), "SELECT 1 WHERE EXISTS (SELECT 1 FROM p WHERE id = 1)"),
    (walk("SELECT r.id, n FROM r JOIN q USING (id)"), walk("SELECT r.id, n FROM r LEFT JOIN q USING (id)")),
    # How often a step has a row counts, what it begins with, and what is around it.
    (walk(), walk().replace("SELECT p.id, p.up, p.m FROM p", "SELECT DISTINCT p.id, p.up, p.m FROM p")),
    (walk(), walk().replace("id = 1 UNION", "id = 1 UNION ALL SELECT id, up, m FROM p WHERE id = 1 UNION")),
    (
        walk(on="p.id = r.up"),
        walk(on="p.id = r.up").replace("JOIN r ON", "JOIN (SELECT DISTINCT up FROM r) r ON"),
    ),
    (NESTED, NESTED.replace("t.id = q.id", "t.id = q.up")),
    # A choice within, what is around it, and what WITH has besides.
    (LIMITED, LIMITED.replace("p.id = r.up", "r.up = p.id")),
    (LIMITED, ORDERED),
    (AROUND.format("id"), AROUND.format("up")),
    (BESIDE.format(1), BESIDE.format(2)),
    (TWICE.format("r"), TWICE.format("s")),
)
CHANGING = (
    "WITH a AS (INSERT INTO q VALUES (1) RETURNING id) SELECT id FROM a",
    "WITH a AS MATERIALIZED (\n update q SET x = 1 RETURNING id) SELECT id FROM a",
    "WITH a AS (SELECT 1) DELETE FROM q USING a",
    "WITH a AS (WITH b AS (SELECT 1) INSERT INTO q SELECT * FROM b RETURNING id) SELECT id FROM a",
    "WITH a AS (/* ( */ DELETE FROM q RETURNING *) SELECT id FROM a",
)


prover = engine_fixture(DDL, "postgres", **PROVER)


@sampled("pred, gold", EQUIVALENT)
def test_recursions_that_begin_and_go_on_alike_have_the_same_rows(
    prover: Engine, pred: str, gold: str
) -> None:
    found = prover.check(pred, gold)
    assert isinstance(found, Equivalent), found
    assert FactKind.NO_ERROR in [fact.kind for fact in found.facts]


def test_a_proof_of_rows_that_are_symbols_is_made_anew(prover: Engine) -> None:
    """From the facts that its certificate names, and what is known of the numbers of rows."""
    series = "SELECT {} FROM q, generate_series(1, x) g"
    for pred, gold in (EQUIVALENT[5], (series.format("g + 1"), series.format("1 + g"))):
        found = prover.check(pred, gold)
        assert isinstance(found, Equivalent), found
        made = certificate_of(Item("m", 1, "d", gold, pred), prover.schema, prover.facts, found)
        findings = list(recheck(made, [], lambda schema, facts: make_tiers(schema, facts, None)))
        assert {each.result for each in findings} <= {Holding.HOLDS, Holding.TRUSTED}, findings


@sampled("pred, gold", APART)
def test_no_more_is_known_of_a_recursion(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


@sampled("query", CHANGING)
def test_what_changes_rows_within_a_query_is_refused_at_once(prover: Engine, query: str) -> None:
    found = prover.check(query, "SELECT id FROM q")
    assert isinstance(found, Undecided), found
    assert "statements that change rows are not compared" in found.detail
    assert {attempt.tier for attempt in found.attempts} == {Tier.PARSE}


def test_a_recursion_that_never_ends_on_some_rows_is_told_apart_on_others() -> None:
    pred, gold = (
        walk(start=start).replace("FROM p", "FROM q p").replace("m FROM", "x FROM") for start in "23"
    )
    with closing(open_engine(DDL, "postgres", effort="60")) as engine:
        found = engine.check(pred.replace("p.m", "p.x"), gold.replace("p.m", "p.x"))
    assert isinstance(found, NotEquivalent), found


def test_what_is_combined_or_derived_does_not_ask_the_catalogue(prover: Engine) -> None:
    for text in (walk(), "SELECT id FROM (SELECT id FROM p) s", "SELECT id FROM p UNION SELECT up FROM p"):
        found = prover.read(text)
        assert isinstance(found, Query), found
        assert not found.asks_catalogue
