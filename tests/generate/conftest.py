"""A pair on a schema that has keys of every kind, and an arena to try its databases in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.core.runner import Limits, Result
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.facts import Fact, Facts
from equiv.generate.database import Arena, Database
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for

DDL = """
CREATE TABLE dept (
    id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, name TEXT NOT NULL,
    boss INTEGER REFERENCES emp (id), opened DATE, budget DECIMAL(10, 2) CHECK (budget >= 0)
);
CREATE TABLE emp (
    id INT NOT NULL PRIMARY KEY, dept_code TEXT REFERENCES dept (code), mgr INT NOT NULL REFERENCES emp (id),
    name TEXT, salary REAL, lo INT, hi INT, born TEXT, active BOOLEAN DEFAULT 1,
    status TEXT CHECK (status IN ('new', 'old')), CHECK (lo <= hi)
);
CREATE TABLE pay (
    emp INT REFERENCES emp (id), year INT, month INT, amount NUMERIC, note TEXT,
    PRIMARY KEY (emp, year, month)
) WITHOUT ROWID;
CREATE TABLE part (
    emp INT, year INT, month INT, seq INT,
    FOREIGN KEY (emp, year, month) REFERENCES pay (emp, year, month), UNIQUE (seq, emp)
);
CREATE TABLE tag (a TEXT, b TEXT, PRIMARY KEY (a, b)) STRICT;
CREATE TABLE gen (x INT, y INT GENERATED ALWAYS AS (x * 2) STORED, z INT DEFAULT 7 UNIQUE);
CREATE TABLE one (id INT PRIMARY KEY REFERENCES dept (id), v, flag BOOLEAN NOT NULL UNIQUE);
CREATE TABLE member (emp INT REFERENCES emp (id), dept INT REFERENCES dept (id), PRIMARY KEY (emp, dept));
CREATE TABLE hen (id INT NOT NULL PRIMARY KEY, name TEXT, egg INT NOT NULL REFERENCES egg (id));
CREATE TABLE egg (id INT NOT NULL PRIMARY KEY, size INT, hen INT NOT NULL REFERENCES hen (id));
CREATE VIEW rich AS SELECT * FROM emp WHERE salary > 100;
"""
SCHEMA = load_ddl(DDL, "office")
LIMITS = Limits(seconds=5.0, rows=10_000)


@pytest.fixture(scope="session")
def schema() -> Schema:
    return SCHEMA


@pytest.fixture(scope="session")
def arena() -> Arena:
    return Arena(SCHEMA)


@pytest.fixture(scope="session")
def facts() -> Facts:
    return facts_for(SCHEMA, "intended")


@pytest.fixture(scope="session")
def pair_of(arena: Arena, facts: Facts) -> Callable[..., Pair]:
    """Makes a pair of two texts, under the intended facts or others."""

    def make(pred: str, gold: str, policy: str = "intended", assumed: Iterable[Fact] = ()) -> Pair:
        predicted, wanted = (read_query(sql, SCHEMA, arena.connection) for sql in (pred, gold))
        assert isinstance(predicted, Query), predicted
        assert isinstance(wanted, Query), wanted
        given = facts if policy == "intended" and not assumed else facts_for(SCHEMA, policy, assumed)
        return Pair(predicted, wanted, SCHEMA, given, Relation(Rows.BAG))

    return make


@pytest.fixture(scope="session")
def differs(arena: Arena) -> Callable[[Pair, Database], bool]:
    """Whether both queries run on a database and return different bags of rows."""

    def test(pair: Pair, database: Database) -> bool:
        if not arena.load(database):
            return False
        results = [arena.engine.run(query.sql, LIMITS) for query in (pair.pred, pair.gold)]
        bags = [Counter(result.rows) for result in results if isinstance(result, Result)]
        return len(bags) == 2 and bags[0] != bags[1]

    return test
