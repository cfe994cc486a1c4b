"""Functions and blocks of a schema's own are made, and run as the reader: they change nothing and nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from equiv import Checker
from equiv.core.model import Schema
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.postgres.sandbox import Sandbox, why_not_run
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.registry import dialect_named

LIMITS = Limits(seconds=0.3, rows=1000, bytes=1_000_000)

SHOP = """
CREATE FUNCTION is_even(x int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF x IS NULL THEN RETURN false; END IF;
  RETURN x % 2 = 0;
END $$;
CREATE OR REPLACE FUNCTION is_even(x int) RETURNS boolean LANGUAGE sql IMMUTABLE
AS 'SELECT x % 2 = 0 AND ''a'' = ''a''';
CREATE DOMAIN even AS int CHECK (is_even(VALUE));
DO $$ BEGIN CREATE TYPE mood AS ENUM ('sad', 'ok'); EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE TYPE mood AS ENUM ('sad', 'ok'); EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE t (id int PRIMARY KEY, a even, b int CHECK (is_even(b)), m mood DEFAULT 'sad',
  twice int GENERATED ALWAYS AS (CASE WHEN is_even(b) THEN b ELSE 0 END) STORED);
CREATE UNIQUE INDEX ON t (is_even(b)) WHERE b > 100;
CREATE FUNCTION glue(text, text) RETURNS text LANGUAGE sql AS $_$ SELECT $1 || $2 $_$;
CREATE AGGREGATE glued(text) (SFUNC = glue, STYPE = text);
CREATE VIEW v AS SELECT m, glued(id::text) AS ids FROM t GROUP BY m;
CREATE FUNCTION counted() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM t';
DO $$ BEGIN UPDATE t SET a = 2; END $$;
"""


def load(ddl: str) -> Schema:
    return dialect_named("postgres").loader.read_ddl(ddl)


def test_what_rests_on_functions_and_blocks_is_made() -> None:
    schema = load(SHOP)
    assert not schema.passed
    assert [table.name for table in schema.tables] == ["t"]
    assert [view.name for view in schema.native_views] == ["v"]
    engine = dialect_named("postgres").engine
    script = engine.script(schema, ["t"], {"t": (("id", "a", "b"), ((1, 2, 4), (2, None, 6)))})
    with engine.replay(script) as played:
        assert played.run("SELECT id, twice FROM t", LIMITS) == Result(((1, 4), (2, 6)), 2)
    for rows in (((1, 1, 2),), ((1, 2, 3),), ((1, 2, 102), (2, 2, 104))):
        with pytest.raises(RunnerError, match="constraint"):
            engine.replay(engine.script(schema, ["t"], {"t": (("id", "a", "b"), rows)}))


def test_pairs_beside_functions_are_decided_and_those_that_call_them_are_not() -> None:
    with Checker(SHOP, dialect="postgres") as checker:
        some = "SELECT id FROM t WHERE b > 2"
        assert checker.check(some, "SELECT id FROM t WHERE NOT b <= 2").name == "equivalent"
        assert checker.check(some, "SELECT id FROM t").name == "not_equivalent"
        for call in ("is_even(b)", "(SELECT ids FROM v)", "counted()", "glued(m::text)"):
            for other in (f"SELECT {call} FROM t", "SELECT 1 FROM t"):
                found = checker.check(f"SELECT {call} FROM t", other)
                assert (found.name, getattr(found, "reason", "")) == ("undecided", "UNSUPPORTED"), found
                assert "a function of the schema's own" in getattr(found, "detail", ""), found


def test_a_type_that_no_table_has_is_there_where_queries_are_replayed() -> None:
    ddl = """CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE FUNCTION is_even(x int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT x % 2 = 0';
CREATE DOMAIN even AS int CHECK (is_even(VALUE)); CREATE TABLE t (id int PRIMARY KEY, a int);"""
    with Checker(ddl, dialect="postgres", effort="quick") as checker:
        for cast in ("2::even", "2::positive", "length('sad'::mood::text)"):
            plain = "3" if "mood" in cast else "2"
            found = checker.check(f"SELECT {cast} FROM t", f"SELECT {plain} FROM t")
            assert found.name != "not_equivalent", found


def test_a_block_that_is_not_run_is_doubt_on_the_tables_that_it_names() -> None:
    ddl = """CREATE TABLE t (a int); CREATE TABLE u (a int);
DO $$ BEGIN EXECUTE 'ALTER TABLE t ADD CHECK (a > 0)'; END $$;"""
    schema = load(ddl)
    assert [str(each) for each in schema.passed] == [
        "do block: it puts statements together as it runs (line 2)"
    ]
    assert ["a block on line 2 was passed over" in table.remark for table in schema.tables] == [True, False]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        opened.define("CREATE TABLE t (a int)")
        opened.define("CREATE SEQUENCE s")
        opened.define("INSERT INTO t VALUES (1)")
        yield opened


REFUSED = (
    "$$ BEGIN EXECUTE 'SET ROLE equiv'; END $$ LANGUAGE plpgsql",
    "$$ BEGIN SET ROLE equiv; END $$ LANGUAGE plpgsql",
    "$$ BEGIN IF true THEN RESET ROLE; END IF; END $$ LANGUAGE plpgsql",
    "$$ BEGIN /* UPDATE t */ SET SESSION AUTHORIZATION equiv; END $$ LANGUAGE plpgsql",
    "$$ BEGIN <<l>> SET standard_conforming_strings = off; END $$ LANGUAGE plpgsql",
    "'SET ROLE equiv' LANGUAGE sql",
    "'SELECT ''a''; SET ROLE equiv' LANGUAGE sql",
    "E'\\x53ET ROLE equiv' LANGUAGE sql",
    "U&'\\0053ET ROLE equiv' LANGUAGE sql",
    "/* ' */ $$ SET ROLE equiv $$ /* ' */ LANGUAGE sql",
    "$$ SELECT 1 $$ LANGUAGE sql SET role = equiv",
    "$$ SELECT 1 $$ LANGUAGE sql SET \"TimeZone\" = 'Asia/Tokyo'",
    "$$ COPY t TO PROGRAM 'id' $$ LANGUAGE sql",
    "$$ COPY t TO '/tmp/equiv-own' $$ LANGUAGE sql",
    "$$ LOAD 'x' $$ LANGUAGE sql",
    "'x', 'y' LANGUAGE c",
    "'now' LANGUAGE internal",
    "$$ pass $$ LANGUAGE plpython3u",
)


@pytest.mark.parametrize("rest", REFUSED)
def test_code_that_may_leave_its_role_is_not_made(sandbox: Sandbox, rest: str) -> None:
    with pytest.raises(WireError):
        sandbox.define(f"CREATE FUNCTION f() RETURNS void AS {rest}")
    assert why_not_run(f"CREATE FUNCTION f() RETURNS void AS {rest}", "FUNCTION")


BLOCKS = (
    "DO $$ BEGIN RESET ROLE; END $$",
    "DO LANGUAGE sql 'RESET ROLE'",
    "DO $$ BEGIN CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f(); END $$",
    "DO $$ BEGIN INSERT INTO t VALUES (2); CREATE TABLE u (a int); END $$",
    "DO $$ BEGIN COMMIT; END $$",
    "DO $$ BEGIN PERFORM set_config('role', 'none', false); END $$",
    "CREATE PROCEDURE p() LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA s CREATE TABLE w (a int) CREATE TRIGGER g BEFORE INSERT ON w EXECUTE FUNCTION f()",
    "ALTER FUNCTION counted() SECURITY INVOKER",
    "ALTER FUNCTION counted() SET role = equiv",
    "CREATE EXTENSION dblink",
    "CREATE EXTENSION file_fdw",
    "CREATE EXTENSION postgres_fdw",
    "SELECT equiv_make_extension('dblink', 'public')",
)


@pytest.mark.parametrize("statement", BLOCKS)
def test_a_block_that_is_more_than_ddl_is_not_run(sandbox: Sandbox, statement: str) -> None:
    with pytest.raises(WireError):
        sandbox.define(statement)


RUN = (
    "INSERT INTO t VALUES (2)",
    "UPDATE t SET a = 2",
    "DELETE FROM t",
    "CREATE TABLE u (a int)",
    "CREATE TEMP TABLE u (a int)",
    "PERFORM pg_read_file('/etc/passwd')",
    "PERFORM set_config('role', 'none', false)",
    "PERFORM pg_sleep(60)",
    "PERFORM rolpassword FROM pg_authid",
    "PERFORM lo_create(0)",
    "PERFORM pg_terminate_backend(1)",
    "PERFORM nextval('s')",
)


@pytest.mark.parametrize("body", RUN)
def test_a_function_runs_under_the_readers_rights(sandbox: Sandbox, body: str) -> None:
    sandbox.wire.execute("SAVEPOINT here")
    sandbox.define(f"CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN 1; END $$")
    # Whoever calls it.
    with pytest.raises(WireError, match="permission denied"):
        sandbox.define("CREATE TABLE made AS SELECT f()")
    assert isinstance(sandbox.run("SELECT f()", LIMITS), Failure)
    sandbox.wire.execute("ROLLBACK TO here")
    assert sandbox.wire.execute("SELECT current_user, a FROM public.t").rows == [("equiv", "1")]


def test_a_function_of_one_name_with_ours_is_never_called_by_us(sandbox: Sandbox) -> None:
    sandbox.wire.execute("SAVEPOINT here")
    sandbox.define("CREATE FUNCTION quote_ident(name) RETURNS text LANGUAGE sql AS $$ SELECT 'nope; DROP' $$")
    sandbox.define("CREATE FUNCTION to_json(text[]) RETURNS json LANGUAGE sql AS $$ SELECT '[]'::json $$")
    sandbox.open_to_reader()
    assert sandbox.run("SELECT quote_ident('a'::name)", LIMITS) == Result((("nope; DROP",),), 1)
    sandbox.wire.execute("ROLLBACK TO here")


@pytest.mark.parametrize("body", ["LOOP END LOOP", "RETURN f()", "LOOP a := a || a; END LOOP"])
def test_a_function_without_an_end_meets_a_limit(sandbox: Sandbox, body: str) -> None:
    sandbox.wire.execute("SAVEPOINT here")
    sandbox.define(
        f"CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ DECLARE a text := 'x'; BEGIN {body}; END $$"
    )
    assert isinstance(sandbox.run("SELECT f() FROM t", LIMITS), Failure)
    sandbox.wire.execute("ROLLBACK TO here")
    assert isinstance(sandbox.run("SELECT 1", LIMITS), Result)


def test_extensions_that_come_with_the_server_are_made() -> None:
    schema = load(
        """CREATE SCHEMA ext; CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA ext;
CREATE EXTENSION citext; CREATE EXTENSION IF NOT EXISTS btree_gist; CREATE EXTENSION postgis;
CREATE TABLE t (id int PRIMARY KEY, v ext.vector(3), c citext, EXCLUDE USING gist (id WITH =));
CREATE INDEX ON t USING hnsw (v ext.vector_l2_ops);"""
    )
    assert [f"{each.kind} {each.name}" for each in schema.passed] == ["extension postgis"]
    assert [column.native_type for column in schema.tables[0].columns] == [
        "integer",
        "ext.vector(3)",
        "public.citext",
    ]
    engine = dialect_named("postgres").engine
    with engine.replay(engine.script(schema, ["t"], {"t": (("id", "v"), ((1, "[1,2,3]"),))})) as played:
        assert played.run("SELECT id FROM t WHERE v IS NOT NULL", LIMITS) == Result(((1,),), 1)
