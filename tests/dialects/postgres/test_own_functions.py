"""Functions and blocks of a schema's own are made, and run as the reader: they change nothing and nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from kit.engines import PROVER, assert_not_proved, engine_fixture, open_engine
from kit.sizes import sampled

from equiv import Checker
from equiv.core.model import Schema
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.dialects.postgres.sandbox import Sandbox, why_not_run
from equiv.dialects.postgres.wire import WireError
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine
from equiv.errors import InputError
from equiv.facts import FactKind, Grade
from equiv.schema.policy import parse_fact
from equiv.verdict import Difference, Equivalent, NotEquivalent, Undecided, Witness

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
CREATE FUNCTION glue(text, text) RETURNS text LANGUAGE plpgsql AS $_$ BEGIN RETURN $1 || $2; END $_$;
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


def test_pairs_beside_functions_are_decided_and_those_that_call_what_has_no_label_are_not() -> None:
    with Checker(SHOP, dialect="postgres") as checker:
        some = "SELECT id FROM t WHERE b > 2"
        assert checker.check(some, "SELECT id FROM t WHERE NOT b <= 2").name == "equivalent"
        assert checker.check(some, "SELECT id FROM t").name == "not_equivalent"
        for call in ("(SELECT ids FROM v)", "glue(m::text, '')", "glued(m::text)"):
            for other in (f"SELECT {call} FROM t", "SELECT 1 FROM t"):
                found = checker.check(f"SELECT {call} FROM t", other)
                assert (found.name, getattr(found, "reason", "")) == ("undecided", "UNSUPPORTED"), found
                kinds = (
                    "a function of the schema that is not",
                    "an aggregate or set of rows of the schema's own",
                )
                assert any(kind in getattr(found, "detail", "") for kind in kinds), found


LABELLED = """
CREATE SCHEMA session;
CREATE DOMAIN price AS numeric;
CREATE TABLE t (id int PRIMARY KEY, x int, y int, s text, a numeric, b numeric, c numeric(9, 2),
  d numeric(9, 3), p price, q price, f float8, g float8);
CREATE FUNCTION pure(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 * 7 % 5; END';
CREATE FUNCTION low(int) RETURNS int LANGUAGE plpgsql IMMUTABLE
AS $$ BEGIN IF $1 > 2 THEN RETURN NULL; END IF; RETURN $1; END $$;
CREATE FUNCTION strictly(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN 1; END';
CREATE FUNCTION counted() RETURNS bigint LANGUAGE plpgsql STABLE
AS 'BEGIN RETURN (SELECT count(*) FROM t); END';
CREATE FUNCTION counted(int) RETURNS bigint LANGUAGE plpgsql STABLE
AS 'BEGIN RETURN (SELECT count(*) FROM t WHERE x = $1); END';
CREATE FUNCTION "Free"(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
CREATE FUNCTION half(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION half(bigint) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE FUNCTION shown(numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1::text; END';
CREATE FUNCTION shown(price, int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1::text; END';
CREATE FUNCTION shown(float8) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1::text; END';
CREATE FUNCTION upper(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION age(timestamp, timestamp) RETURNS interval LANGUAGE plpgsql IMMUTABLE
AS 'BEGIN RETURN $1 - $2; END';
CREATE FUNCTION session.back(int) RETURNS int LANGUAGE plpgsql IMMUTABLE
AS 'BEGIN RETURN CASE WHEN $1 > 1 THEN 1 END; END';
CREATE FUNCTION raises(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1 / $1 > 0; END';
CREATE VIEW halved AS SELECT id, pure(x) AS half FROM t;
CREATE MATERIALIZED VIEW kept AS SELECT id, counted() AS n FROM t;
"""


PROVES = {**PROVER, "assume": ("immutable(Free)",)}
prover = engine_fixture(LABELLED, "postgres", **PROVES)


@pytest.mark.parametrize(
    ("pred", "gold", "named"),
    [
        ("SELECT pure(x) FROM t WHERE x > 3", "SELECT pure(x) FROM t WHERE 3 < x", ["immutable(pure)"]),
        ("SELECT pure(x) FROM t WHERE x = y", "SELECT pure(y) FROM t WHERE y = x", ["immutable(pure)"]),
        ("SELECT half FROM halved WHERE id = 1", "SELECT pure(x) FROM t WHERE 1 = id", ["immutable(pure)"]),
        ("SELECT x FROM t WHERE counted() > 1", "SELECT x FROM t WHERE 1 < counted()", ["stable(counted)"]),
        (
            "SELECT id FROM t WHERE strictly(x) = 1 AND x IS NOT NULL",
            "SELECT id FROM t WHERE strictly(x) = 1",
            ["immutable(strictly)"],
        ),
        (
            "SELECT id FROM t WHERE session.back(x) = 1 AND y > 2",
            "SELECT id FROM t WHERE y > 2 AND session.back(x) = 1",
            ['immutable("session.back")'],
        ),
        (
            'SELECT "Free"(x) FROM t WHERE y > 2',
            'SELECT "Free"(x) FROM t WHERE 2 < y',
            ["immutable(Free)"],
        ),
        ("SELECT pure(1) FROM t", "SELECT pure(1) FROM t", ["immutable(pure)"]),
    ],
)
def test_a_labelled_function_equals_itself_and_the_verdict_names_the_label(
    prover: Engine, pred: str, gold: str, named: list[str]
) -> None:
    found = prover.check(pred, gold)
    assert isinstance(found, Equivalent), found
    labels = [each for each in found.facts if each.kind in (FactKind.IMMUTABLE, FactKind.STABLE)]
    assert [str(each) for each in labels] == named
    grade = Grade.ASSUMED if "Free" in named[0] else Grade.INTENDED
    assert [each.grade for each in labels] == [grade]


def test_a_witness_makes_the_functions_that_the_queries_call() -> None:
    with Checker(LABELLED, dialect="postgres", effort="quick") as checker:
        found = checker.check("SELECT id FROM t WHERE low(x) IS NULL", "SELECT id FROM t WHERE x IS NULL")
    assert isinstance(found, NotEquivalent), found
    assert isinstance(found.evidence, Witness)
    assert "CREATE FUNCTION low" in found.evidence.sql
    assert found.difference is not Difference.ERROR
    kinds = (FactKind.IMMUTABLE, FactKind.STABLE)
    assert [fact.expression for fact in found.facts if fact.kind in kinds] == ["low"]


def test_a_label_does_not_count_where_only_what_is_enforced_does() -> None:
    with closing(open_engine(LABELLED, "postgres", facts="declared", **PROVES)) as strict:
        found = strict.check("SELECT pure(x) FROM t WHERE y > 3", "SELECT pure(x) FROM t WHERE 3 < y")
        assert isinstance(found, Undecided), found
        assert "immutable(pure)" in found.detail


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT pure(x) FROM t", "SELECT pure(y) FROM t"),
        ("SELECT id FROM t WHERE low(x) IS NULL", "SELECT id FROM t WHERE x IS NULL"),
        ("SELECT id FROM t WHERE low(x) IS NOT NULL", "SELECT id FROM t"),
        ("SELECT id FROM t WHERE strictly(x) IS NOT NULL", "SELECT id FROM t"),
        ("SELECT id, shown(a) FROM t WHERE a = b", "SELECT id, shown(b) FROM t WHERE a = b"),
        ("SELECT id, shown(c) FROM t WHERE c = d", "SELECT id, shown(d) FROM t WHERE c = d"),
        ("SELECT id, shown(p, 1) FROM t WHERE p = q", "SELECT id, shown(q, 1) FROM t WHERE p = q"),
        ("SELECT id, shown(p) FROM t WHERE p = q", "SELECT id, shown(q) FROM t WHERE p = q"),
        ("SELECT id, shown(f) FROM t WHERE f = g", "SELECT id, shown(g) FROM t WHERE f = g"),
        ("SELECT shown(1.0) FROM t", "SELECT shown(1.00) FROM t"),
        ("SELECT id FROM t WHERE session.back(x) IS NULL", "SELECT id FROM t WHERE x IS NULL"),
        ("SELECT id, public.upper(s) FROM t", "SELECT id, upper(s) FROM t"),
        (
            "SELECT public.age('2020-01-01'::timestamp + id * '1 day'::interval, '2019-01-01')::text FROM t",
            "SELECT age('2020-01-01'::timestamp + id * '1 day'::interval, '2019-01-01')::text FROM t",
        ),
        ("SELECT counted() FROM t", "SELECT count(*) FROM t"),
        ("SELECT counted() FROM t", "SELECT (SELECT count(*) FROM t) FROM t"),
        ("SELECT counted(x) FROM t", "SELECT counted() FROM t"),
        ("SELECT max(pure(x)) FROM t", "SELECT pure(max(x)) FROM t"),
        ("SELECT DISTINCT pure(x) FROM t", "SELECT pure(x) FROM t"),
        ("SELECT pure(x + 0) FROM t WHERE x = 1.0", "SELECT pure(y) FROM t WHERE x = 1.0"),
        ("SELECT n FROM kept", "SELECT counted() FROM t"),
        ('SELECT "Free"(x) FROM t', "SELECT x FROM t"),
        ("SELECT half(x) FROM t", "SELECT half(x::bigint) FROM t"),
        ("SELECT half(x) FROM t WHERE y > 1", "SELECT half(x) FROM t WHERE 1 < y"),
    ],
)
def test_no_more_is_known_of_a_labelled_function(prover: Engine, pred: str, gold: str) -> None:
    assert_not_proved(prover, pred, gold)


def test_an_error_of_a_function_is_one_that_the_other_query_need_not_raise(prover: Engine) -> None:
    pair = "SELECT id FROM t WHERE y <> 0 AND raises(x)", "SELECT id FROM t WHERE raises(x) AND y <> 0"
    found = prover.check(*pair)
    assert isinstance(found, Equivalent), found
    assert FactKind.NO_ERROR in [fact.kind for fact in found.facts]
    with closing(open_engine(LABELLED, "postgres", errors="strict", **PROVES)) as strict:
        assert not isinstance(strict.check(*pair), Equivalent)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("immutable(no)", "no function 'no'"),
        ("stable(t.x)", "an example is stable"),
        ("immutable", "not a fact"),
    ],
)
def test_a_label_is_assumed_of_a_function_that_there_is(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_fact(text, load(LABELLED))


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
DO $$ BEGIN EXECUTE 'ALTER TABLE t' || ' ADD CHECK (a > 0)'; END $$;"""
    schema = load(ddl)
    assert [str(each) for each in schema.passed] == ["do block: it uses dynamic SQL (line 2)"]
    assert ["a block on line 2 was skipped" in table.remark for table in schema.tables] == [True, False]


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


@sampled("rest", REFUSED)
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


@sampled("statement", BLOCKS)
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


@sampled("body", RUN)
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
