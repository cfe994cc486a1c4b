"""One small schema of what resolution has to distinguish: affinities, collations, keys, odd names, views."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query

DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, x INT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INT REFERENCES t (id), b TEXT COLLATE NOCASE, y REAL);
CREATE TABLE w (a INT, b TEXT, z, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE r (k TEXT, v NUMERIC);
CREATE TABLE one (v INT);
CREATE TABLE "order" ("group" INT, "two words" TEXT, "true" INT);
CREATE VIEW counts AS SELECT a, count(*) AS n FROM t GROUP BY a;
CREATE VIEW merged (p, q) AS SELECT a, b FROM t UNION SELECT t_id, b FROM u;
"""


@pytest.fixture(scope="session")
def schema() -> Schema:
    return load_ddl(DDL)


@pytest.fixture
def probe() -> Iterator[Connection]:
    connection = Connection()
    connection.run_script(DDL)
    yield connection
    connection.close()


@pytest.fixture
def read(schema: Schema, probe: Connection) -> Callable[[str], Query]:
    """Reads a text that must be a query."""

    def reader(sql: str) -> Query:
        found = read_query(sql, schema, probe)
        assert isinstance(found, Query), found
        return found

    return reader
