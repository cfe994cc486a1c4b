"""Texts of strangers read the pair's tables and nothing else, within a deadline and caps."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kit.sizes import sampled

from equiv.core.query import Broken
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.duckdb import dialect
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.workers.process import set_memory_cap

duckdb = pytest.importorskip("duckdb")

DUCKDB = dialect_named("duckdb")
LIMITS = Limits(seconds=0.3, rows=1000, bytes=1_000_000)
SCRIPT = "CREATE TABLE t (a INTEGER, b VARCHAR); INSERT INTO t VALUES (1, 'x'), (2, NULL);"
DENIED = """
SELECT 1; SELECT 2
ATTACH ':memory:' AS other
COPY t TO 'equiv-hostile.csv'
COPY (SELECT 1) TO 'equiv-hostile.csv'
COPY t FROM '/etc/passwd'
EXPORT DATABASE 'equiv-hostile.csv'
IMPORT DATABASE '/tmp'
INSTALL httpfs
LOAD httpfs
SET threads = 8
SET memory_limit = '100GB'
RESET lock_configuration
PRAGMA disable_optimizer
PRAGMA enable_profiling
CREATE TABLE u (a INTEGER)
CREATE MACRO f(x) AS x
CREATE SECRET s (TYPE S3)
INSERT INTO t VALUES (3, 'y')
UPDATE t SET a = 1
DELETE FROM t
DROP TABLE t
TRUNCATE t
VACUUM
CHECKPOINT
BEGIN
COMMIT
USE memory
CALL pragma_version()
EXPLAIN SELECT 1
EXECUTE p
PREPARE p AS SELECT 1
DESCRIBE t
SUMMARIZE t
SHOW TABLES
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT * FROM glob('/*')
SELECT * FROM 'https://localhost:1/x.csv'
SELECT * FROM read_parquet('s3://bucket/x')
SELECT * FROM read_json('/etc/passwd')
SELECT * FROM read_blob('/etc/passwd')
SELECT * FROM sniff_csv('/etc/passwd')
SELECT * FROM 'x.duckdb'.t
SELECT * FROM seq_scan('t')
SELECT * FROM pragma_table_info('t')
SELECT * FROM which_secret('x', 's3')
SELECT * FROM repeat('a', 1000000000)
SELECT * FROM range(0, 100)
SELECT * FROM range(5) WITH ORDINALITY
SELECT * FROM unnest(range(1, 1000000000))
SELECT * FROM generate_series(1, 2), range(1000000000)
SELECT range(1, 1000000000) FROM range(2)
SELECT unnest(range(1, 1000000000000))
SELECT getenv('HOME')
SELECT checkpoint()
SELECT printf('%1000000000d', 1)
SELECT rpad('a', 1000000000, 'b')
SELECT * FROM t AT (VERSION => 1)
WITH x AS (INSERT INTO t VALUES (3, 'z') RETURNING a) SELECT * FROM x
WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x
WITH x AS (UPDATE t SET a = 5 RETURNING a) SELECT * FROM x
MERGE INTO t USING t AS k ON t.a = k.a WHEN MATCHED THEN DELETE
FORCE INSTALL httpfs
SET GLOBAL memory_limit = '100GB'
ATTACH 'https://localhost:1/x.duckdb' AS other
DETACH memory
COMMENT ON TABLE t IS 'x'
ALTER TABLE t ADD COLUMN c INTEGER
CREATE VIEW w AS SELECT * FROM read_text('/etc/passwd')
CREATE TABLE w AS SELECT 1
SELECT * FROM range(1000000000000)
SELECT * FROM generate_series(1, 1000000000000)
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('t')
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_tables
SELECT * FROM information_schema.tables
SELECT * FROM pg_catalog.pg_class
SELECT * FROM sqlite_master
SELECT * FROM pragma_version()
SELECT * FROM json_execute_serialized_sql('{}')
SELECT (SELECT count(*) FROM duckdb_settings())
WITH x AS (SELECT * FROM duckdb_settings()) SELECT * FROM x
SELECT a FROM t WHERE EXISTS (FROM read_csv('/etc/passwd'))
SELECT repeat('a', 1000000000)
SELECT range(1, 1000000000)
SELECT lpad('a', 1000000000, 'b')
SELECT current_setting('memory_limit')
SELECT getvariable('x')
SELECT sleep_ms(60000)
SELECT write_log('x')
SELECT nextval('s')
SELECT setseed(0.5)
SELECT random()
SELECT error('x')
SELECT json_serialize_sql('SELECT 1')
SELECT * FROM t USING SAMPLE 1 ROWS (no_such)
FROM t SELECT foo(a)
""".strip().splitlines()


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with DUCKDB.engine.replay(SCRIPT) as found:
        yield found


@pytest.fixture
def little_memory() -> Iterator[None]:
    """A cap on what the process maps; what DuckDB binds is not counted by its own limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    set_memory_cap(4 * 1024**3)
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_what_is_no_query_of_the_tables_is_refused_in_one_line(
    session: Session, subtests: pytest.Subtests
) -> None:
    for text in DENIED:
        with subtests.test(text):
            started = time.monotonic()
            found = session.run(text, LIMITS)
            assert isinstance(found, Failure), found
            assert found.message
            assert "\n" not in found.message
            assert time.monotonic() - started < 5
    assert not Path("equiv-hostile.csv").exists()
    assert session.run("SELECT count(*) FROM t") == Result(((2,),), 1)


@pytest.mark.usefixtures("little_memory")
def test_the_reader_refuses_the_same_texts(subtests: pytest.Subtests) -> None:
    schema = DUCKDB.loader.read_ddl("CREATE TABLE t (a INTEGER, b VARCHAR)")
    with DUCKDB.engine.empty(schema) as empty:
        for text in DENIED:
            with subtests.test(text):
                found = DUCKDB.reader.read(text, schema, empty)
                assert isinstance(found, Broken) or found.tree is None, found


@pytest.mark.usefixtures("little_memory")
def test_a_text_for_which_memory_does_not_suffice_is_no_fault_of_the_text() -> None:
    schema = DUCKDB.loader.read_ddl("CREATE TABLE t (a INTEGER)")
    with DUCKDB.engine.empty(schema) as empty:
        found = DUCKDB.reader.read("SELECT * FROM unnest(range(1, 1000000000))", schema, empty)
    assert isinstance(found, Broken), found
    assert (found.cause, found.is_fault) == ("EXHAUSTED", False)


def test_what_is_nested_more_deeply_than_can_be_read_is_refused_in_one_line() -> None:
    schema = DUCKDB.loader.read_ddl("CREATE TABLE t (a INTEGER)")
    deep = f"SELECT {'CASE WHEN a = 1 THEN ' * 400}1{' END' * 400} FROM t"
    with DUCKDB.engine.empty(schema) as empty:
        found = DUCKDB.reader.read(deep, schema, empty)
    assert isinstance(found, Broken), found
    assert (found.cause, found.message) == ("WITHHELD", "a query nested too deeply is not supported")


ENDLESS = (
    "SELECT count(*) FROM " + ", ".join(f"t t{at}" for at in range(32)),
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(x) AS (SELECT 'aaaaaaaa' UNION ALL SELECT x || x FROM r) SELECT max(len(x)) FROM r",
    "SELECT len(string_agg(t0.b, 'aaaaaaaa')) FROM " + ", ".join(f"t t{at}" for at in range(32)),
    "SELECT len(list(t0.a)) FROM " + ", ".join(f"t t{at}" for at in range(32)),
)


@sampled("text", ENDLESS, 3)
def test_a_deadline_ends_a_query(session: Session, text: str) -> None:
    found = session.run(text, LIMITS)
    assert isinstance(found, Failure)
    assert found.kind in ("timeout", "resource")


def test_a_result_has_a_cap(session: Session) -> None:
    wide = ", ".join(f"t t{at}" for at in range(12))
    found = session.run(f"SELECT 1 FROM {wide}", LIMITS)
    assert isinstance(found, Failure)
    assert found.kind == "resource"


def test_variables_of_the_program_are_no_tables(session: Session) -> None:
    secret = duckdb.sql("SELECT 42 AS x")
    found = session.run("SELECT * FROM secret", LIMITS)
    assert secret is not None
    assert isinstance(found, Failure)


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TEMP TABLE t (a INTEGER)",
        "CREATE OR REPLACE TABLE t (a INTEGER)",
        "CREATE TEMP MACRO f(x) AS x",
        "COPY t TO 'x'",
        "SELECT 1",
        "ATTACH 'x'",
        "PRAGMA version",
        "DROP TABLE t",
    ],
)
def test_a_script_does_what_a_witness_does(script: str) -> None:
    with pytest.raises(RunnerError, match="not allowed in a witness's script"):
        DUCKDB.engine.replay(script)


@pytest.mark.parametrize(
    "ddl",
    [
        "CREATE TABLE t AS SELECT * FROM read_csv('/etc/passwd')",
        "CREATE TABLE t (a NO_SUCH_TYPE)",
        "CREATE TABLE",
        "SELECT 1",
        "",
        "\0",
    ],
)
def test_ddl_that_reads_files_or_makes_nothing_is_one_line(ddl: str) -> None:
    with pytest.raises(InputError) as caught:
        DUCKDB.loader.read_ddl(ddl)
    assert "\n" not in str(caught.value)


def test_a_view_of_a_file_is_passed_over() -> None:
    ddl = "CREATE VIEW v AS SELECT * FROM read_text('/etc/passwd'); CREATE TABLE t (a INTEGER)"
    schema = DUCKDB.loader.read_ddl(ddl)
    assert [table.name for table in schema.tables] == ["t"]
    assert not schema.views
    assert [f"{each.kind} {each.name}" for each in schema.passed] == ["view v"]


def test_a_file_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCRIPT)
    before = path.read_bytes()
    with DUCKDB.engine.open(path) as opened:
        assert opened.run("SELECT a FROM t ORDER BY a") == Result(((1,), (2,)), 1)
        assert isinstance(opened.run("INSERT INTO t VALUES (5, 'z')"), Failure)
    assert path.read_bytes() == before
    assert DUCKDB.loader.read_database(path).table("t") is not None


def test_a_file_whose_macro_hides_a_function_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f"{SCRIPT}; CREATE MACRO twice(x) AS 2 * x; CREATE MACRO four(x) AS twice(twice(x))"
        )
        connection.execute(
            "CREATE MACRO told(x) AS current_setting('threads') || x; CREATE MACRO tells(x) AS told(x)"
        )
        connection.execute("CREATE MACRO counted(x) AS (SELECT count(*) FROM duckdb_tables())")
    with DUCKDB.engine.open(path) as opened:
        assert opened.run("SELECT twice(a) + four(a) FROM t ORDER BY a") == Result(((6,), (12,)), 1)
        for each in ("told(b)", "tells(b)", "counted(a)"):
            assert isinstance(opened.run(f"SELECT {each} FROM t"), Failure), each
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE MACRO upper(x) AS x")
    with pytest.raises(InputError, match="a macro replaces DuckDB's function upper"):
        DUCKDB.engine.open(path)


def test_a_macro_of_a_script_is_what_it_stands_for() -> None:
    script = (
        f"{SCRIPT}; CREATE MACRO told(x) AS current_setting('threads') || x; CREATE MACRO more(x) AS x + 1"
    )
    with DUCKDB.engine.replay(script) as played:
        assert played.run("SELECT more(more(a)) FROM t ORDER BY a") == Result(((3,), (4,)), 1)
        assert isinstance(played.run("SELECT told(b) FROM t"), Failure)
    with DUCKDB.engine.replay(f"{SCRIPT}; CREATE MACRO upper(x) AS current_setting('threads')") as played:
        assert isinstance(played.run("SELECT upper(b) FROM t"), Failure)
    grown = "".join(f"CREATE MACRO f{at + 1}(x) AS f{at}(x) + f{at}(x);" for at in range(30))
    with DUCKDB.engine.replay(f"{SCRIPT}; CREATE MACRO f0(x) AS x; {grown}") as played:
        assert isinstance(played.run("SELECT f30(a) FROM t"), Failure)


@pytest.mark.parametrize("content", [b"no database", b"", b"SQLite format 3\0" + b"\0" * 4096, b"\0" * 9000])
def test_a_file_that_is_none_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.duckdb"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        DUCKDB.engine.open(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("kept", [4096, 12_000, 100_000, 200_000])
def test_a_file_that_is_cut_off_or_damaged_is_no_crash(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT i AS a, i::VARCHAR AS b FROM range(20000) AS r (i)")
    whole = path.read_bytes()
    path.write_bytes(whole[:kept] + b"\xff" * 4096)
    with suppress(InputError), DUCKDB.engine.open(path) as opened:
        assert isinstance(opened.run("SELECT count(*), max(b) FROM t"), Result | Failure)


def test_a_view_of_a_file_reads_no_other_file(tmp_path: Path) -> None:
    path, other = tmp_path / "x.duckdb", tmp_path / "secret.txt"
    other.write_text("hidden", encoding="utf-8")
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"{SCRIPT}; CREATE VIEW leak AS SELECT content FROM read_text('{other}')")
        connection.execute(
            f"CREATE VIEW through AS SELECT a, (SELECT content FROM read_text('{other}')) AS c FROM t"
        )
    before = sorted(tmp_path.iterdir())
    opened = DUCKDB.engine.open(path)
    with opened:
        for text in ("FROM leak", "SELECT c FROM through", "SELECT * FROM t, leak"):
            found = opened.run(text)
            assert isinstance(found, Failure), text
            assert "hidden" not in found.message
    assert sorted(tmp_path.iterdir()) == before


def test_a_database_leaves_nothing_to_the_next() -> None:
    for _ in range(5):
        with DUCKDB.engine.replay(
            "CREATE TABLE memory.main.x (a INTEGER); CREATE TABLE t (a INTEGER)"
        ) as found:
            assert found.run("SELECT * FROM t") == Result((), 1)
        with DUCKDB.engine.replay("CREATE TABLE t (b INTEGER); INSERT INTO t VALUES (1)") as found:
            assert found.run("SELECT b FROM t") == Result(((1,),), 1)
            assert isinstance(found.run("SELECT * FROM x"), Failure)


def test_without_the_library_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "equiv.dialects.duckdb.database", raising=False)
    dialect._parts.cache_clear()
    with pytest.raises(InputError, match=r"equiv\[duckdb\]") as caught:
        DUCKDB.loader.read_ddl("CREATE TABLE t (a INTEGER)")
    assert "\n" not in str(caught.value)


def test_another_duckdb_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equiv.dialects.duckdb.database.VERSION", "1.4.5")
    dialect._parts.cache_clear()
    with pytest.raises(InputError, match=r"DuckDB 1\.4\.5 is installed, and equiv reads DuckDB 2") as caught:
        DUCKDB.loader.read_ddl("CREATE TABLE t (a INTEGER)")
    assert "\n" not in str(caught.value)
    dialect._parts.cache_clear()
