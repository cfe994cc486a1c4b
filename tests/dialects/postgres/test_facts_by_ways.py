"""The facts of one schema are the same by script, by ``pg_dump``, by a server, by what its catalogue says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from equiv.core.connection import path_of
from equiv.core.model import Column, Schema
from equiv.dialects.postgres import server
from equiv.dialects.postgres.server import place
from equiv.dialects.postgres.wire import Wire
from equiv.dialects.registry import dialect_named
from equiv.facts import Fact, FactKind
from equiv.schema.policy import facts_for

NAME = f"ways_{os.getpid()}"

SCRIPTS = {
    "keys": """
      CREATE TABLE p (a int, b int, c text NOT NULL, PRIMARY KEY (a, b), UNIQUE NULLS NOT DISTINCT (c));
      CREATE TABLE c (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int, b int, d serial UNIQUE,
        FOREIGN KEY (a, b) REFERENCES p MATCH FULL, self bigint REFERENCES c);
      CREATE TABLE late (a int UNIQUE DEFERRABLE, b bigint REFERENCES c DEFERRABLE INITIALLY DEFERRED);
      CREATE UNIQUE INDEX ON p (b) WHERE a > 0; CREATE UNIQUE INDEX ON p (lower(c));
      CREATE UNIQUE INDEX ON c (b)""",
    "values": """
      CREATE TYPE mood AS ENUM ('sad', 'it''s ok'); CREATE TYPE pair AS (x int, y text);
      CREATE DOMAIN amount AS numeric(10, 2) NOT NULL CHECK (VALUE >= 0);
      CREATE TABLE t (m mood NOT NULL DEFAULT 'sad', n amount, b int CHECK (b BETWEEN 1 AND 9), p pair,
        v varchar(5), g int GENERATED ALWAYS AS (b + 1) STORED, h int GENERATED ALWAYS AS (b * 2) VIRTUAL,
        e text[], j jsonb, CHECK (b > 3 OR v IS NULL), d date CHECK (d > '2000-01-01'), ts timestamptz,
        r real, c char(3) COLLATE "C")""",
    "unsure": """
      CREATE TABLE q (id int PRIMARY KEY); CREATE TABLE t (a int, b int, c int, k int NOT NULL NO INHERIT);
      ALTER TABLE t ADD CHECK (a > 0) NOT VALID; ALTER TABLE t ADD CONSTRAINT s CHECK (b > 0) NOT VALID;
      ALTER TABLE t VALIDATE CONSTRAINT s; ALTER TABLE t ADD CONSTRAINT n NOT NULL c NOT VALID;
      ALTER TABLE t ADD CHECK (c > 0) NOT ENFORCED; ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES q NOT VALID;
      ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES q NOT ENFORCED;
      CREATE TABLE x (r int4range, EXCLUDE USING gist (r WITH &&))""",
    "families": """
      CREATE TABLE base (a int PRIMARY KEY, b int CHECK (b > 0), c int CHECK (c > 0) NO INHERIT,
        d int NOT NULL NO INHERIT);
      CREATE TABLE derived (e int NOT NULL) INHERITS (base);
      CREATE TABLE m (k int, v int, w int, PRIMARY KEY (k)) PARTITION BY RANGE (k);
      CREATE TABLE m1 PARTITION OF m (v NOT NULL, CHECK (w > 0)) FOR VALUES FROM (0) TO (10);
      CREATE TABLE m2 PARTITION OF m (v NOT NULL, CHECK (w > 0), UNIQUE (w)) FOR VALUES FROM (10) TO (20);
      CREATE TABLE l (k text, v int) PARTITION BY LIST (k);
      CREATE TABLE l1 PARTITION OF l (CHECK (v > 1)) FOR VALUES IN ('a') PARTITION BY RANGE (v);
      CREATE TABLE l11 PARTITION OF l1 FOR VALUES FROM (2) TO (9); CREATE TABLE l2 PARTITION OF l DEFAULT""",
    "views": """
      CREATE SCHEMA s; CREATE TABLE s.t (id int PRIMARY KEY, a int NOT NULL CHECK (a > 0),
        p int REFERENCES s.t);
      CREATE TABLE public.t (b text); CREATE VIEW v AS SELECT id, a FROM s.t WHERE a > 1;
      CREATE MATERIALIZED VIEW mv AS SELECT a, count(*) AS n FROM v GROUP BY a;
      CREATE UNIQUE INDEX ON mv (a);
      CREATE MATERIALIZED VIEW mw AS SELECT a FROM mv, public.t WITH NO DATA""",
}  # fmt: skip


def facts(schema: Schema) -> set[Fact]:
    # Those of a session a server alone states.
    return {fact for fact in facts_for(schema, "intended") if fact.kind is not FactKind.SETTING}


def columns(schema: Schema) -> dict[str, tuple[Column, ...]]:
    return {table.name: table.columns for table in schema.tables}


@pytest.fixture
def database() -> Iterator[str]:
    """The URL of an empty database that stands for a user's."""
    at = server.running()
    with Wire(server.address(at, "postgres", server.ADMIN)) as admin:
        admin.execute(f"CREATE DATABASE {NAME}")
        yield f"postgresql://{server.ADMIN}@/{NAME}?host={at.socket}"
        admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def run(script: str) -> None:
    with Wire(server.address(server.running(), NAME, server.ADMIN)) as made:
        made.execute(script)


@pytest.mark.parametrize("name", SCRIPTS)
def test_facts_are_the_same_by_script_dump_and_server(name: str, database: str, tmp_path: Path) -> None:
    loader = dialect_named("postgres").loader
    by_script = loader.read_ddl(SCRIPTS[name])
    assert not by_script.notes
    run(SCRIPTS[name])
    dump = tmp_path / "dump.sql"
    made = [str(place().programs / "pg_dump"), "--file", str(dump), database]
    subprocess.run(made, check=True)
    by_dump = loader.read_database(dump)
    by_server = loader.read_database(path_of(database))
    # What the server's catalogue says, as a script of its own.
    again = loader.read_ddl(";\n".join(by_server.native))
    for other in (by_dump, by_server, again):
        assert facts(other) == facts(by_script)
        assert columns(other) == columns(by_script)
