"""Texts of strangers read the pair's tables and nothing else, within a deadline and caps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.postgres.analysis.scope import Catalogue, views_of
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed.lowering.unknown import is_fixed

LIMITS = Limits(seconds=0.2, rows=1000, bytes=1_000_000)


@pytest.fixture(scope="module")
def session() -> Iterator[PostgresSession]:
    sandbox = Sandbox()
    sandbox.define("CREATE TABLE t (a int, b text)")
    sandbox.define("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    sandbox.open_to_reader()
    with PostgresSession(sandbox) as opened:
        yield opened


DENIED = [
    *"""
    SELECT pg_sleep(60)
    SELECT pg_read_file('/etc/passwd')
    SELECT pg_ls_dir('.')
    SELECT lo_import('/etc/passwd')
    SELECT lo_export(1, '/tmp/x')
    SELECT lo_create(0)
    SELECT pg_stat_file('PG_VERSION')
    SELECT pg_terminate_backend(1)
    SELECT pg_cancel_backend(1)
    SELECT pg_reload_conf()
    SELECT pg_advisory_lock(1)
    SELECT pg_advisory_unlock_all()
    SELECT pg_try_advisory_xact_lock(2)
    SELECT pg_notify('a', 'b')
    SELECT set_config('role', 'none', false)
    SELECT set_config('statement_timeout', '0', true)
    SELECT current_setting('data_directory')
    SELECT pg_backend_pid()
    SELECT version()
    SELECT txid_current()
    SELECT pg_current_wal_lsn()
    SELECT inet_server_addr()
    SELECT query_to_xml('SELECT 1', true, true, '')
    SELECT random()
    SELECT database_to_xml(true, true, '')
    SELECT nextval('s')
    SELECT setval('s', 1)
    SELECT pg_size_pretty(1::bigint)
    SELECT ts_stat('SELECT 1')
    SELECT age('1'::xid)
    SELECT * FROM pg_catalog.pg_authid
    SELECT * FROM pg_database
    SELECT * FROM pg_statistic
    SELECT * FROM information_schema.applicable_roles
    SELECT * FROM pg_stat_activity
    SELECT * FROM pg_settings
    TABLE pg_user
    SELECT dblink('dbname=postgres', 'SELECT 1')
    SELECT * FROM dblink_connect('x')
    SELECT 1; SELECT 2
    SELECT 1; DROP TABLE t
    COMMIT
    ROLLBACK
    ROLLBACK TO equiv
    END; SELECT 1
    SET ROLE equiv
    RESET ROLE
    RESET ALL
    SET SESSION AUTHORIZATION DEFAULT
    SHOW ALL
    SET statement_timeout = 0
    DO $$ BEGIN END $$
    CALL f()
    COPY t TO PROGRAM 'id'
    COPY t TO '/tmp/equiv-hostile'
    COPY t FROM '/etc/passwd'
    LISTEN a
    NOTIFY a
    UNLISTEN *
    LOCK TABLE t
    VACUUM t
    ANALYZE t
    EXPLAIN ANALYZE SELECT 1
    PREPARE p AS SELECT 1
    EXECUTE p
    DECLARE c CURSOR FOR SELECT 1
    FETCH ALL FROM equiv
    CLOSE ALL
    DISCARD ALL
    LOAD 'x'
    CREATE TABLE u (a int)
    CREATE TEMP TABLE u (a int)
    DROP TABLE t
    TRUNCATE t
    GRANT ALL ON t TO PUBLIC
    INSERT INTO t VALUES (3)
    UPDATE t SET a = 1
    DELETE FROM t RETURNING *
    MERGE INTO t USING t u ON false
    WITH x AS (INSERT INTO t VALUES (3) RETURNING a) SELECT * FROM x
    WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x
    WITH x AS (UPDATE t SET a = 0 RETURNING 1) TABLE x
    SELECT * FROM t FOR UPDATE
    SELECT * FROM t FOR KEY SHARE
    SELECT * INTO u FROM t
    /* /* */
    $$
    SELECT 'open
    SELECT 1) TO STDOUT; --
    """.strip().splitlines(),
    "SELECT a FROM t \x00",
    "SELECT '\ud800'",
    "",
    "  -- nothing",
    "SELECT " + "(" * 100_000 + "1" + ")" * 100_000,
    "SELECT " + "NOT " * 60_000 + "true",
    "SELECT " + "1+" * 90_000 + "1",
    "x" * 300_000,
]


@pytest.mark.parametrize("text", DENIED, ids=lambda text: text.strip()[:50])
def test_it_is_refused(session: PostgresSession, text: str) -> None:
    assert isinstance(session.run(text, LIMITS), Failure)
    assert session.run("SELECT a FROM t ORDER BY a", LIMITS) == Result(((1,), (2,)), 1)


ENDLESS = [
    "SELECT count(*) FROM generate_series(1, 100000000000) g",
    "SELECT * FROM generate_series(1, 100000000000) g",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT * FROM r",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT count(*) FROM r",
    "SELECT count(*) FROM generate_series(1,99999) a, generate_series(1,99999) b, generate_series(1,99999) c",
    "SELECT repeat('x', 1000000000)",
    "SELECT repeat('x', 100000000) FROM generate_series(1, 1000)",
    "SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 100000)",
    "SELECT array_agg(g) FROM generate_series(1, 1000000000) g",
    "SELECT lpad('', 2147483647, 'x')",
    "SELECT 9 ^ 99999.5 ^ 99999::numeric",
    "SELECT a.* FROM " + ", ".join(f"t t{i}" for i in range(60)) + ", t a",
]  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS, ids=lambda text: text[:50])
def test_it_ends(session: PostgresSession, text: str) -> None:
    start = time.perf_counter()
    found = session.run(text, LIMITS)
    assert isinstance(found, Failure)
    assert found.kind in ("timeout", "resource") or "^" in text or "lpad" in text or "repeat" in text
    assert time.perf_counter() - start < 20
    assert session.run("SELECT a FROM t ORDER BY a", LIMITS) == Result(((1,), (2,)), 1)


def test_what_is_read_of_the_catalogue_is_the_same_in_one_transaction(session: PostgresSession) -> None:
    asked = session.sandbox.wire.one(_READABLE).rows
    views = {str(name): f":relid {oid}" for name, oid in asked}
    assert {"pg_class", "pg_indexes", "information_schema.columns"} <= views.keys()
    catalogue = Catalogue(session.sandbox.wire)
    for name, tree in views.items():
        assert all(map(is_fixed, catalogue.called_in(views_of(tree, session.sandbox.wire).values()))), name
    for name in ("pg_class", "information_schema.tables", "pg_views", "information_schema.routines"):
        first, second = (session.run(f"SELECT * FROM {name} ORDER BY 1, 2, 3", LIMITS_OF_ROWS) for _ in "12")
        assert isinstance(first, Result)
        assert first == second


LIMITS_OF_ROWS = Limits(seconds=5, rows=10_000, bytes=20_000_000)
_READABLE = """
SELECT c.oid::regclass, c.oid FROM pg_class c
WHERE c.oid < 16384 AND c.relkind IN ('r', 'v') AND has_table_privilege('equiv_reader', c.oid, 'select')
"""


def test_nothing_stays_behind(session: PostgresSession) -> None:
    for text in ("SELECT 1 FROM t", "SELECT set_config('a.b', 'x', false)", "SELECT * FROM t FOR SHARE"):
        session.run(text, LIMITS)
    assert isinstance(session.run("SELECT current_setting('a.b')", LIMITS), Failure)
    with pytest.raises(WireError, match="multiple commands"):
        session.sandbox.viewed("SELECT 1; DROP TABLE t")
    for text in (
        "SELECT 1 AS c0) AS x; --",
        "WITH x AS (DELETE FROM t RETURNING *) TABLE x",
        "DELETE FROM t",
    ):
        with pytest.raises(WireError):
            session.sandbox.viewed(text)
    assert session.run("SELECT count(*) FROM t") == Result(((2,),), 1)


@pytest.mark.parametrize("script", [
    "SET ROLE equiv;", "SET ROLE NONE; CREATE TABLE t (a int);", "RESET ROLE;", "COMMIT;", "BEGIN; SELECT 1;",
    "COPY t FROM PROGRAM 'id';", "DO $$ BEGIN RESET ROLE; END $$;", "SELECT 1;", "CREATE ROLE x;",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'RESET ROLE';", "DROP TABLE t;", "CREATE DATABASE x;",
    "ALTER SYSTEM SET a = 1;",
    "CREATE TABLE t (a int); INSERT INTO t SELECT length(pg_read_file('/etc/passwd'));",
    "CREATE TABLE t (a text DEFAULT set_config('role', 'none', false)); INSERT INTO t DEFAULT VALUES;",
    "CREATE TABLE t (a text CHECK (pg_sleep(9) IS NULL)); INSERT INTO t VALUES (1);",
    "CREATE EXTENSION dblink;", "CREATE EXTENSION file_fdw;", "ALTER ROLE equiv SUPERUSER;", "CREATE TABLE",
    "CREATE VIEW pg_catalog.x AS SELECT 1;", "CREATE TABLE pg_catalog.x (a int);",
])  # fmt: skip
def test_a_script_does_what_a_witness_does_and_nothing_else(script: str) -> None:
    with pytest.raises(RunnerError):
        dialect_named("postgres").engine.replay(script)


def test_a_file_that_was_to_be_written_is_not_there() -> None:
    assert not Path("/tmp/equiv-hostile").exists()  # noqa: S108
