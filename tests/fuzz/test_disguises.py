"""A query in disguise is never distinguished from itself, whatever free choices it leaves.

The refuting tier is run alone, without the rules that would prove most of the
pairs.  Some disguises read the table in another order, so that ties really
fall otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from random import Random

import pytest
from drawing.queries import COLUMNS, DDL, Maker
from kit.sizes import seeds, sized

from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.dialects.sqlite.render import create_statements
from equiv.generate.database import Database
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.schema.violations import violated
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted
from equiv.tiers.witness import CAPS, confirm
from equiv.verdict import Witness

EFFORT = 25
SCHEMA = load_ddl(DDL, "disguises")
FACTS = facts_for(SCHEMA, "intended")

FUNCTIONS = (
    *("ROW_NUMBER()", "RANK()", "NTILE(2)", "LAG({v})", "FIRST_VALUE({v})", "LAST_VALUE({v})"),
    *("NTH_VALUE({v}, 2)", "SUM({v})", "MAX({v})", "GROUP_CONCAT({v})", "COUNT(*)", "AVG({v})"),
)
FRAMES = (
    "",
    "",
    "ROWS UNBOUNDED PRECEDING",
    "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
    "GROUPS CURRENT ROW",
    "GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES",
)
DISGUISES: tuple[Callable[[str], str], ...] = (
    lambda sql: f"SELECT * FROM ({sql}) AS disguised",
    lambda sql: f"WITH disguised AS ({sql}) SELECT * FROM disguised",
    lambda sql: sql.replace("FROM t", "FROM (SELECT * FROM t) AS t"),
    lambda sql: sql.replace("FROM t", "FROM (SELECT * FROM t WHERE id IS NOT NULL) AS t"),
    lambda sql: sql.replace("FROM t", "FROM (SELECT * FROM t ORDER BY id DESC LIMIT -1) AS t"),
    lambda sql: sql.replace("FROM t", "FROM (SELECT * FROM t ORDER BY i, s DESC LIMIT -1) AS t"),
)


class Chooser(Maker):
    """Makes queries that leave choices."""

    def query(self) -> str:
        shapes = (self.bare, self.limited, self.windowed, self.scalar, self.concatenated, self.merged)
        return self.random.choice(shapes)() if self.random.random() < 0.7 else super().query()

    def plain_column(self) -> str:
        return f"t.{self.random.choice(COLUMNS['t'])}"

    def bare(self) -> str:
        a, b, c = (self.plain_column() for _ in range(3))
        aggregate = self.random.choice((f"MAX({b})", f"MIN({b})", "COUNT(*)", f"MIN({b}), MAX({c})"))
        having = self.random.choice(("", f" HAVING {self.condition(0)}"))
        return f"SELECT {a} AS x, {aggregate} FROM t GROUP BY {c}{having}"

    def limited(self) -> str:
        a, b = self.plain_column(), self.plain_column()
        offset = self.random.choice(("", " OFFSET 1"))
        distinct = self.random.choice(("", "DISTINCT "))
        inner = f"SELECT {distinct}{a} AS x FROM t ORDER BY {b} LIMIT {self.random.choice('123')}{offset}"
        uses = (inner, f"SELECT COUNT(*) FROM ({inner}) AS q WHERE q.x = {self.literal()}")
        return self.random.choice(uses)

    def windowed(self) -> str:
        a, b, c = (self.plain_column() for _ in range(3))
        function = self.random.choice(FUNCTIONS).format(v=a)
        partition = self.random.choice(("", f"PARTITION BY {c} "))
        order = self.random.choice((f"ORDER BY {b} ", f"ORDER BY {b} DESC "))
        return f"SELECT {c}, {function} OVER ({partition}{order}{self.random.choice(FRAMES)}) AS x FROM t"

    def scalar(self) -> str:
        a, b = self.plain_column(), self.plain_column()
        return f"SELECT (SELECT {a} FROM t WHERE {self.condition(0)}) {self.comparison()} {b} AS x FROM t"

    def concatenated(self) -> str:
        distinct = self.random.choice(("", "DISTINCT "))
        return f"SELECT GROUP_CONCAT({distinct}{self.value(1)}) AS x FROM t GROUP BY {self.plain_column()}"

    def merged(self) -> str:
        a, b = self.value(1), self.value(1)
        kind = self.random.choice(("UNION", "INTERSECT", "EXCEPT", "UNION ALL"))
        return f"SELECT q.x / 2 AS x, typeof(q.x) FROM (SELECT {a} AS x FROM t {kind} SELECT {b} FROM t) AS q"


@pytest.fixture(scope="module")
def probe() -> Connection:
    connection = Connection()
    for statement in create_statements(SCHEMA):
        connection.execute(statement)
    return connection


def settle(tier: GenerateTier, probe: Connection, pred: str, gold: str, rows: Rows) -> object:
    """What the refuting tier says; None if one of the texts is no query."""
    left, right = (read_query(sql, SCHEMA, probe) for sql in (pred, gold))
    if not isinstance(left, Query) or not isinstance(right, Query):
        return None
    return tier.settle(Pair(left, right, SCHEMA, FACTS, Relation(rows)), EFFORT)


@sized("count", 6, 20)
def test_a_disguise_is_never_told_apart(probe: Connection, count: int) -> None:
    tier = GenerateTier(SCHEMA, FACTS)
    for seed in seeds(count):
        random = Random(seed)
        sql = Chooser(random).query()
        disguised = random.choice(DISGUISES)(sql)
        rows = random.choice((Rows.BAG, Rows.SET, Rows.LIST))
        outcome = settle(tier, probe, disguised, sql, rows)
        assert not isinstance(outcome, Refuted), f"seed {seed} ({rows})\n{disguised}\n{sql}\n{outcome}"


@sized("count", 15, 60)
def test_a_witness_replays_in_a_bare_sqlite_and_keeps_every_fact(probe: Connection, count: int) -> None:
    tier = GenerateTier(SCHEMA, FACTS)
    refuted = 0
    for seed in seeds(count):
        random = Random(seed)
        maker = Chooser(random)
        pred, gold = f"SELECT * FROM ({maker.query()})", maker.query()
        outcome = settle(tier, probe, pred, gold, Rows.BAG)
        if not isinstance(outcome, Refuted):
            continue
        refuted += 1
        assert isinstance(outcome.evidence, Witness)
        with closing(Connection()) as bare:
            bare.run_script(outcome.evidence.sql)
            assert not violated(bare, SCHEMA, FACTS), (seed, outcome.evidence.sql)
            for sql, rows in ((pred, outcome.evidence.pred_rows), (gold, outcome.evidence.gold_rows)):
                assert tuple(bare.execute(sql)) == rows, (seed, sql, outcome.evidence.sql)
        assert isinstance(settle(tier, probe, gold, pred, Rows.BAG), Refuted), (seed, pred, gold)
    assert refuted > count // 4


def test_an_empty_database_is_a_witness_where_row_counts_differ(probe: Connection) -> None:
    texts = ("SELECT MAX(i) FROM t", "SELECT i FROM t LIMIT 1")
    left, right = (read_query(sql, SCHEMA, probe) for sql in texts)
    assert isinstance(left, Query)
    assert isinstance(right, Query)
    pair = Pair(left, right, SCHEMA, FACTS, Relation(Rows.BAG))
    assert confirm(pair, Database.of({}), CAPS) is not None
