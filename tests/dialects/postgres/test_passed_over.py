"""Of each kind of object that a script may lose: what it takes with it, and what is claimed without it."""

from __future__ import annotations

import pytest
from kit.engines import read_text

from equiv import Checker
from equiv.core.model import Schema
from equiv.core.query import Broken
from equiv.dialects.registry import dialect_named
from equiv.verdict import Verdict

TABLE = "CREATE TABLE t (id int PRIMARY KEY, a int, b text);\n"
OTHER = "CREATE TABLE u (id int PRIMARY KEY, t_id int NOT NULL REFERENCES t, c int);\n"


def load(ddl: str) -> Schema:
    return dialect_named("postgres").loader.read_ddl(ddl)


def ask(ddl: str, pred: str, gold: str) -> Verdict:
    with Checker(ddl, dialect="postgres") as checker:
        return checker.check(pred, gold)


def said(verdict: Verdict) -> str:
    return " | ".join(each.text for each in verdict.remarks)


def test_a_setting_that_postgres_would_refuse_is_named() -> None:
    refused = (
        "SET timezone = 'Nowhere/Place'",
        "SET nosuch = 3",
        "SET SESSION nosuch_2 TO 'a'",
        "ALTER DATABASE postgres SET nosuch_3 TO 'a'",
    )
    taken = ("SET work_mem = '4MB'", "SET app.user = 'x'", "SET ROLE TO me", "SET TIME ZONE 'UTC'")
    ddl = "".join(f"{each};\n" for each in (*refused, *taken)) + TABLE
    told = said(ask(ddl, "SELECT a FROM t", "SELECT t.a FROM t"))
    assert told == " | ".join(f"skipped: {each}" for each in refused)


LOST = {
    "type": ("CREATE TYPE r AS RANGE (subtype = nope);", "type r"),
    "domain": ("CREATE DOMAIN d AS nope;", "domain d"),
    "enum": ("CREATE TYPE e AS ENUM ('a', 'a');", "type e"),
    "table": (
        "CREATE TABLE v (id nope); ALTER TABLE v ADD UNIQUE (id); CREATE INDEX i ON v (id);",
        "table v",
    ),
    "view": ("CREATE VIEW v AS SELECT nope FROM t;", "view v"),
    "matview": ("CREATE MATERIALIZED VIEW m AS SELECT nope FROM t;", "materialized view m"),
    "index": ("CREATE INDEX i ON t USING nope (a);", "index i on t"),
    "function": ("CREATE FUNCTION f(x int) RETURNS int LANGUAGE nope AS 'x';", "function f"),
    "trigger": (
        "CREATE TRIGGER g BEFORE UPDATE OF a ON t FOR EACH ROW EXECUTE FUNCTION f();",
        "trigger g on t",
    ),
    "rule": ("CREATE RULE k AS ON DELETE TO t DO INSTEAD NOTHING;", "rule k on t"),
    "policy": ("CREATE POLICY p ON t USING (a > 0);", "policy p on t"),
    "partition": (
        "CREATE TABLE y (a int) PARTITION BY LIST (a); CREATE TABLE y1 PARTITION OF y FOR VALUES IN (nope);",
        "table y1",
    ),
    "inheritance": ("CREATE TABLE x (a int); CREATE TABLE w (c nope) INHERITS (x);", "table w"),
    "extension": ("CREATE EXTENSION nope; CREATE TABLE v (id nope);", "extension nope"),
    "schema": ("CREATE SCHEMA pg_nope; CREATE TABLE pg_nope.v (id int);", "schema pg_nope"),
    "temporary": ("CREATE TEMP TABLE v (id int); ALTER TABLE v ADD c int;", "temporary table v"),
}


@pytest.mark.parametrize("kind", LOST)
def test_an_object_is_named_once_and_takes_nothing_that_does_not_name_it(kind: str) -> None:
    ddl, name = LOST[kind]
    schema = load(TABLE + ddl + OTHER)
    assert {"t", "u"} <= {table.name for table in schema.tables}
    assert [f"{each.kind} {each.name}" for each in schema.passed][:1] == [name]
    assert len(schema.passed) == 1 + (kind in ("extension", "schema")), schema.passed
    assert schema.passed[0].line == 2
    assert not schema.notes
    assert not any(table.looser for table in schema.tables)
    assert all(name not in {table.name for table in schema.tables} for name in "vwxy")


LOOSE = (
    "ALTER TABLE t ADD CONSTRAINT positive CHECK (nope(a));",
    "ALTER TABLE ONLY public.t ADD CHECK (nope(a) > 0);",
    "ALTER TABLE t ADD CONSTRAINT no_two EXCLUDE USING nope (a WITH =);",
    "ALTER TABLE t ADD CONSTRAINT k UNIQUE (nope);",
    "ALTER TABLE t ADD CONSTRAINT of_x FOREIGN KEY (a) REFERENCES x;",
    "CREATE UNIQUE INDEX i ON t (nope(a));",
)


@pytest.mark.parametrize("ddl", LOOSE)
def test_a_table_stands_without_a_constraint_that_cannot_be_made(ddl: str) -> None:
    schema = load(TABLE + ddl + OTHER)
    (lost,) = schema.passed
    assert lost.line == 2
    assert [bool(table.looser) for table in schema.tables] == [True, False]


def test_without_a_constraint_a_table_proves_what_holds_anyhow_and_refutes_nothing() -> None:
    with Checker(TABLE + LOOSE[0] + OTHER, dialect="postgres") as checker:
        same = checker.check("SELECT DISTINCT id FROM t WHERE NOT a < 0", "SELECT id FROM t WHERE a >= 0")
        assert same.name == "equivalent"
        # What refers to a row of it needs one that the constraint may forbid.
        for table in ("t", "u"):
            other = checker.check(f"SELECT id FROM {table} WHERE id > 0", f"SELECT id FROM {table}")
            assert (other.name, getattr(other, "reason", "")) == ("undecided", "UNREPLAYED"), other
            assert "t is read without a constraint of your schema: check positive" in getattr(
                other, "detail", ""
            )


REMARKED = (
    ("CREATE TRIGGER g BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();", "trigger g"),
    ("CREATE CONSTRAINT TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();", "trigger g"),
    ("CREATE RULE k AS ON INSERT TO public.t DO INSTEAD NOTHING;", "rule k was skipped: statements on the"),
    ("CREATE POLICY p ON t USING (a > 0);", "row-level security was skipped"),
    ("ALTER TABLE t ENABLE ROW LEVEL SECURITY;", "row-level security was skipped"),
)


@pytest.mark.parametrize(("ddl", "word"), REMARKED)
def test_a_table_says_what_may_bind_its_rows_and_was_passed_over(ddl: str, word: str) -> None:
    schema = load(f"{TABLE}{ddl}CREATE TABLE w (id int);")
    assert [word in table.remark for table in schema.tables] == [True, False]
    assert len(schema.passed) == 1


def test_a_remark_is_made_to_those_alone_who_read_the_table() -> None:
    with Checker(f"{TABLE}{REMARKED[0][0]}CREATE TABLE w (id int);", dialect="postgres") as checker:
        read = checker.check("SELECT id FROM t WHERE a > 0", "SELECT id FROM t")
        assert (read.name, "trigger g" in said(read)) == ("not_equivalent", True)
        besides = checker.check("SELECT id FROM w WHERE id > 0", "SELECT id FROM w")
        assert (besides.name, said(besides)) == ("not_equivalent", "")


def test_a_trigger_that_no_insert_fires_forbids_no_rows_that_are_made() -> None:
    ddl = "CREATE TRIGGER g BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION f();"
    assert not any(table.remark for table in load(TABLE + ddl).tables)


def test_a_foreign_key_to_what_is_left_out_is_said_to_be_taken_for_kept() -> None:
    ddl = (
        "CREATE TABLE x (id int PRIMARY KEY); CREATE TABLE y (a int REFERENCES x); ALTER TABLE x ADD c nope;"
    )
    schema = load(ddl)
    assert [table.name for table in schema.tables] == ["y"]
    found = ask(ddl, "SELECT a FROM y WHERE a > 0", "SELECT a FROM y")
    assert "its foreign key y_a_fkey to public.x, which was skipped, is assumed to hold" in said(found)


def test_what_wants_a_later_object_is_made_when_that_is_there() -> None:
    ddl = """CREATE VIEW v AS SELECT w.b FROM w;
CREATE VIEW w AS SELECT b FROM later;
ALTER TABLE child ADD CONSTRAINT c CHECK (a > 0);
CREATE TABLE child (a int REFERENCES later (id), m mood);
CREATE INDEX ON child (a);
CREATE TYPE mood AS ENUM ('sad');
CREATE TABLE later (id int, b text);
ALTER TABLE later ADD PRIMARY KEY (id);
"""
    schema = load(ddl)
    assert not schema.passed
    assert {table.name for table in schema.tables} == {"child", "later"}
    assert {view.name for view in schema.native_views} == {"v", "w"}
    child = schema.table("child")
    assert child is not None
    assert child.foreign_keys
    assert "a > 0" in "".join(child.checks)
    found = ask(ddl, "SELECT b FROM v WHERE b > 'x'", "SELECT b FROM v")
    assert found.name == "not_equivalent"


def test_what_waits_keeps_its_place_among_the_statements_about_one_object() -> None:
    ddl = (
        TABLE
        + "ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES x; ALTER TABLE t DROP CONSTRAINT c;"
    )
    alone = load(ddl)
    assert not alone.passed
    assert not any(table.foreign_keys or table.looser for table in alone.tables)
    (one, other) = load(ddl + "CREATE TABLE x (id int PRIMARY KEY);").tables
    assert not one.foreign_keys
    assert not one.looser
    assert other.name == "x"


def test_a_table_stands_without_a_default_that_calls_what_is_not_there() -> None:
    ddl = """CREATE EXTENSION "uuid-ossp";
CREATE TABLE t (id uuid DEFAULT public.uuid_generate_v4() NOT NULL PRIMARY KEY,
  a int DEFAULT nope(1, (2))::int UNIQUE, b uuid DEFAULT uuid_generate_v4(),
  CHECK (a::text <> ' DEFAULT nope()'));
CREATE TABLE u (t_id uuid NOT NULL REFERENCES t);
"""
    schema = load(ddl)
    assert [f"{each.kind} {each.name}" for each in schema.passed] == ['extension "uuid-ossp"', "default of t"]
    assert [table.name for table in schema.tables] == ["t", "u"]
    assert not any(table.looser for table in schema.tables)
    (t, _) = schema.tables
    assert (t.primary_key, t.unique) == (("id",), (("a",),))
    assert [column.name for column in t.columns] == ["id", "a", "b"]
    assert "' DEFAULT nope()'" in "".join(t.native)
    nested = """CREATE DOMAIN d AS text DEFAULT lower(ext.foo()) NOT NULL;
CREATE TABLE a (k text DEFAULT encode(public.gen_random_bytes(16), 'hex'::text) NOT NULL PRIMARY KEY,
  b text DEFAULT ((lower(public.foo()))) CHECK (b <> ''), c int DEFAULT nextval('gone'::regclass) NULL,
  d boolean DEFAULT true IS DISTINCT FROM NULL NOT NULL, e text DEFAULT 'x'::nope, f d);
ALTER TABLE a ADD COLUMN g int DEFAULT (nope() + 1) UNIQUE;
CREATE TABLE z (a_k text NOT NULL REFERENCES a);
"""
    schema = load(nested)
    a, z = schema.tables
    assert [f"{each.kind} {each.name}" for each in schema.passed] == ["default of d", "default of a"]
    assert [column.name for column in a.columns] == [*"kbcdefg"]
    assert [column.name for column in a.columns if column.not_null] == ["k", "d"]
    assert (a.primary_key, a.unique, z.foreign_keys[0].parent) == (("k",), (("g",),), "a")
    # What calls it elsewhere is not a default.
    generated = "CREATE TABLE v (a int DEFAULT 1, b int GENERATED ALWAYS AS (nope(a)) STORED);"
    assert load(TABLE + generated).table("v") is None
    assert load(TABLE + "CREATE TABLE v (a int CHECK (nope(a)));").table("v") is None


def test_what_a_script_runs_from_elsewhere_may_define_anything() -> None:
    query = "SELECT 'CREATE TABLE u (a int)' \\gexec\n"
    for command in ("\\i types.sql\n", "\\ir 'more types.sql'\n", "\\include_relative x.sql\n", query):
        ddl = f"{command}CREATE TABLE v (a mood);\n{TABLE}"
        schema = load(ddl)
        assert [table.name for table in schema.tables] == ["t"]
        assert [each.kind for each in schema.passed] == ["included file", "table"]
        assert schema.passed[0].name == command.strip().removeprefix(query.split("\\", maxsplit=1)[0])
        for text in ("SELECT a FROM u", "SELECT c FROM t", "SELECT own(a) FROM t", "SELECT a FROM v"):
            found = read_text("postgres", ddl, text)
            assert isinstance(found, Broken)
            assert found.cause == "WITHHELD"
    # What is printed, or kept in a variable, is no statement of another file.
    assert not load(f"SELECT 1 AS x \\gset\n\\echo done\n{TABLE}").passed


def test_a_name_is_found_in_the_path_of_its_place() -> None:
    ddl = """CREATE SCHEMA a; CREATE SCHEMA b; SET search_path = a;
CREATE TABLE child (x int REFERENCES parent);
SET search_path = b;
CREATE TABLE parent (id int PRIMARY KEY);
CREATE TABLE a.parent (id int PRIMARY KEY);
"""
    schema = load(ddl)
    assert not schema.passed
    child = schema.table("a.child")
    assert child is not None
    assert [key.parent for key in child.foreign_keys] == ["a.parent"]
    assert ask(ddl, "SELECT id FROM parent WHERE id > 0", "SELECT id FROM b.parent").name == "not_equivalent"


def test_a_query_that_mentions_what_was_passed_over_hears_why() -> None:
    ddl = TABLE + "CREATE TABLE v (id nope);"
    found = ask(ddl, "SELECT id FROM v", "SELECT id FROM t")
    assert found.name == "undecided"
    assert 'skipped in the schema: type "nope" does not exist' in getattr(found, "detail", "")


def test_a_dump_that_drops_first_loses_nothing() -> None:
    ddl = """ALTER TABLE ONLY public.t DROP CONSTRAINT t_pkey;
DROP TABLE public.t;
DROP TYPE public.mood;
CREATE TYPE public.mood AS ENUM ('sad');
CREATE TABLE public.t (id integer NOT NULL, m public.mood);
ALTER TABLE public.t OWNER TO somebody;
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);
"""
    schema = load(ddl)
    assert not schema.passed
    assert [table.primary_key for table in schema.tables] == [("id",)]
