"""PostgreSQL's DDL, as people have it, becomes the core's tables, with PostgreSQL's own beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiv.cells import Row
from equiv.core.model import Schema
from equiv.core.runner import Failure, Result
from equiv.dialects.protocol import Filled
from equiv.dialects.registry import dialect_named, reference
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.schema.policy import facts_for

DUMP = Path(__file__).parent / "dump.sql"


def load(ddl: str) -> Schema:
    return dialect_named("postgres").loader.read_ddl(ddl)


def facts(schema: Schema, policy: str = "declared") -> Facts:
    return facts_for(schema, policy)


def held(schema: Schema, kind: FactKind, policy: str = "declared") -> set[tuple[str, ...]]:
    return {(f.table, *f.columns, str(f.grade)) for f in facts(schema, policy).of(kind)}


def fetched(found: Result | Failure) -> tuple[Row, ...]:
    assert isinstance(found, Result)
    return found.rows


TYPES = """
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE DOMAIN amount AS numeric(10, 2) NOT NULL CHECK (VALUE >= 0);
CREATE TABLE t (
  a serial PRIMARY KEY, b bigint GENERATED ALWAYS AS IDENTITY, c numeric(8, 3), d double precision,
  e varchar(20), f char(3), g boolean, h date, i timestamp, j timestamptz(3), k interval, m mood, n amount,
  o text[], p jsonb, q uuid, r bytea, s time, u int GENERATED ALWAYS AS (a + 1) STORED, v text COLLATE "POSIX"
);
"""


def test_types_of_the_core_and_types_of_the_engine() -> None:
    schema = load(TYPES)
    (table,) = schema.tables
    types = {column.name: (column.declared_type, column.native_type) for column in table.columns}
    assert types == {
        "a": ("INTEGER", "integer"),
        "b": ("INTEGER", "bigint"),
        "c": ("NUMERIC", "numeric(8,3)"),
        "d": ("REAL", "double precision"),
        "e": ("TEXT", "character varying(20)"),
        "f": ("TEXT", "character(3)"),
        "g": ("BOOLEAN", "boolean"),
        "h": ("DATE TEXT", "date"),
        "i": ("TIMESTAMP TEXT", "timestamp without time zone"),
        "j": ("TIMESTAMP TEXT", "timestamp(3) with time zone"),
        "k": ("TEXT", "interval"),
        "m": ("TEXT", "public.mood"),
        "n": ("NUMERIC", "public.amount"),
        "o": ("TEXT", "text[]"),
        "p": ("TEXT", "jsonb"),
        "q": ("TEXT", "uuid"),
        "r": ("BLOB", "bytea"),
        "s": ("TEXT", "time without time zone"),
        "u": ("INTEGER", "integer"),
        "v": ("TEXT", "text"),
    }
    assert [c.name for c in table.columns if c.not_null] == ["a", "b"]
    assert ("t", "n", "intended") in held(schema, FactKind.NOT_NULL, "intended")
    assert [c.name for c in table.columns if c.derived or c.generated] == ["u"]
    assert 'v text COLLATE pg_catalog."POSIX"' in table.native[0]
    assert table.primary_key == ("a",)
    assert table.checks == ("m IN ('sad', 'it''s ok')", "n >= 0")
    assert {f[1:] for f in held(schema, FactKind.TYPE)} >= {
        ("a", "declared"),
        ("g", "declared"),
        ("d", "assumed"),
    }
    assert held(schema, FactKind.ISO_DATE) == {("t", "h", "assumed")}
    assert held(schema, FactKind.ISO_TIMESTAMP) == {("t", "i", "assumed"), ("t", "j", "assumed")}
    assert reference().create(schema)


KEYS = """
CREATE TABLE p (a int PRIMARY KEY, b int, c int, UNIQUE (b, c));
CREATE TABLE firm (a int REFERENCES p, b int, c int, FOREIGN KEY (b, c) REFERENCES p (b, c) MATCH FULL);
CREATE TABLE late (a int UNIQUE DEFERRABLE, b int REFERENCES p DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE loose (a int, b int, c int UNIQUE NULLS NOT DISTINCT);
ALTER TABLE loose ADD FOREIGN KEY (a) REFERENCES p NOT VALID;
ALTER TABLE loose ADD FOREIGN KEY (b) REFERENCES p NOT ENFORCED;
ALTER TABLE loose ADD CHECK (a > 0) NOT VALID;
ALTER TABLE loose ADD CONSTRAINT nn NOT NULL b NOT VALID;
CREATE TABLE parts (a int, b int, PRIMARY KEY (a, b)) PARTITION BY LIST (a);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
ALTER TABLE parts_2 ADD UNIQUE (b);
CREATE TABLE base (a int PRIMARY KEY, b int CHECK (b > 0));
CREATE TABLE derived (c int) INHERITS (base);
CREATE TABLE indexed (a int, b text, c int, d int);
CREATE UNIQUE INDEX ON indexed (a) INCLUDE (c);
CREATE UNIQUE INDEX ON indexed (c) WHERE d > 0;
CREATE UNIQUE INDEX ON indexed (lower(b));
CREATE INDEX ON indexed (d);
"""


def test_keys_promise_what_postgresql_enforces() -> None:
    schema = load(KEYS)
    assert [table.name for table in schema.tables] == [
        "p",
        "firm",
        "late",
        "loose",
        "parts",
        "base",
        "indexed",
    ]
    unique = held(schema, FactKind.UNIQUE)
    assert unique == {
        ("p", "a", "declared"), ("p", "b", "c", "declared"), ("loose", "c", "declared"),
        ("parts", "a", "b", "declared"), ("indexed", "a", "declared"),
    }  # fmt: skip
    assert held(schema, FactKind.UNIQUE, "intended") - unique == {("late", "a", "intended")}
    included = held(schema, FactKind.INCLUSION)
    assert included == {("firm", "a", "declared"), ("firm", "b", "c", "declared")}
    assert held(schema, FactKind.INCLUSION, "intended") - included == {
        ("late", "b", "intended"), ("loose", "a", "intended"), ("loose", "b", "intended"),
    }  # fmt: skip
    # NULLS NOT DISTINCT says more where the table has a key besides: rows with a NULL there are one row.
    strict = load("CREATE TABLE s (id int PRIMARY KEY, a int UNIQUE NULLS NOT DISTINCT, b int UNIQUE)")
    assert held(strict, FactKind.FUNCTIONAL) == {("s", "a", "declared")}
    loose = schema.table("loose")
    assert loose is not None
    assert not any(column.not_null for column in loose.columns)
    # Rows of a table that inherits stand in its parent too, whose key does not bind them.
    assert not any(f[0] == "base" for f in unique)


def test_other_schemas_and_the_search_path() -> None:
    schema = load(
        'CREATE SCHEMA sales; CREATE TABLE sales.t (a int); SET search_path TO "Shop", public;'
        'CREATE SCHEMA "Shop"; CREATE TABLE u (a int); CREATE TABLE public.t (b text);'
    )
    assert [(t.name, t.namespace) for t in schema.tables] == [
        ("sales.t", "sales"), ("Shop.u", "Shop"), ("public.t", "public")
    ]  # fmt: skip
    engine = dialect_named("postgres").engine
    filled: Filled = {
        "sales.t": (("a",), ((1,),)),
        "public.t": (("b",), (("x",),)),
        "Shop.u": (("a",), ((2,),)),
    }
    with engine.replay(engine.script(schema, [], filled)) as played:
        assert str(played.run('SELECT * FROM sales.t, "Shop".u, t, u w')).count("(1, 2, 'x', 2)") == 1
        assert fetched(played.core.run('SELECT * FROM "sales.t", "Shop.u", "public.t"')) == ((1, 2, "x"),)


@pytest.mark.parametrize(("ddl", "line"), [
    ("SELECT 1", "no table was created: the script has no CREATE TABLE"),
    ("\n\nCREATE TABLE t (a nope)", 'no table was created: type "nope" does not exist (line 3)'),
    ("FROBNICATE t", "not DDL"),
    ("CREATE TABLE t (a int);\n\\connect -reuse-previous=on \"my shop\"\n\\c - me\nCREATE TABLE u (a int)",
     "several databases (the database it starts in and my shop)"),
    ("CREATE TABLE t (a int, \"A\" text)", "differ only in letter case"),
    ("CREATE TABLE t (a int CHECK (pg_sleep(9) IS NULL)); SELECT", ""),
    ("CREATE TABLE t (a text DEFAULT pg_read_file('/etc/passwd')); SELECT 1", ""),
    ("CREATE TABLE t AS SELECT pg_read_file('/etc/passwd')", "permission denied for function pg_read_file"),
    ("CREATE TABLE t AS SELECT set_config('role', 'none', false)", "denied for function set_config"),
    ("CREATE TABLE t AS SELECT * FROM pg_catalog.pg_authid", "permission denied"),
    ("CREATE TABLE t (a int) \x00", "NUL"),
])  # fmt: skip
def test_what_cannot_be_made_gets_one_line(ddl: str, line: str) -> None:
    if not line or "pg_sleep" in ddl:
        assert load(ddl).tables
        return
    with pytest.raises(InputError) as caught:
        load(ddl)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_setting_of_a_database_comes_before_the_server_s_and_two_that_roles_part_are_none() -> None:
    altered = (
        ("DATABASE a SET TimeZone = 'Asia/Tokyo'", "DATABASE a SET TimeZone = 'America/New_York'"),
        ("SYSTEM SET TimeZone = 'Asia/Tokyo'", "DATABASE a SET TimeZone TO 'America/New_York'"),
        ("ROLE b IN DATABASE a SET TimeZone = 'Asia/Tokyo'", "ROLE c IN DATABASE a SET TimeZone = 'UTC'"),
    )
    for one, other in altered:
        script = f"CREATE TABLE t (id int); ALTER {one}; ALTER {other}"
        found = dialect_named("postgres").loader.read_ddl(script)
        if "ROLE" in one:
            assert not found.settings
            said = "TimeZone is set to 'Asia/Tokyo' and 'UTC', depending on the role that connects"
            assert found.notes == (f"{said}, so it counts as unknown",)
        else:
            assert (found.settings, found.notes) == ((("TimeZone", "America/New_York"),), ())


def test_a_witness_holds_only_what_its_tables_need() -> None:
    """A sequence does not bring along the table that owns it, and no query calls a function of triggers."""
    dialect = dialect_named("postgres")
    script = """
        CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
        CREATE TABLE product (id bigint PRIMARY KEY);
        CREATE SEQUENCE product_id_seq;
        ALTER SEQUENCE product_id_seq OWNED BY product.id;
        CREATE SEQUENCE numbers;
        CREATE TABLE sale (id int DEFAULT nextval('numbers') PRIMARY KEY, total numeric(10, 2));
    """
    made = dialect.engine.script(dialect.loader.read_ddl(script), ["sale"], {"sale": (("id",), ((1,),))})
    assert "TABLE product" not in made
    assert "touch" not in made
    assert "CREATE SEQUENCE numbers" in made


def test_a_dump_is_read_whole() -> None:
    """``dump.sql`` is what pg_dump 18 writes of a small shop: a function, a trigger, rights and rows."""
    schema = load(DUMP.read_text(encoding="utf-8"))
    assert [table.name for table in schema.tables] == ["customers", "sales.orders"]
    assert [view.name for view in schema.native_views] == ["big_orders"]
    assert [each.kind for each in schema.passed] == ["trigger"]
    assert not schema.notes
    fact = Fact(FactKind.INCLUSION, Grade.DECLARED, "sales.orders", ("customer_id",), "customers", ("id",))
    assert fact in set(facts(schema))


def test_scripts_keep_what_the_ddl_forbids() -> None:
    engine, schema = dialect_named("postgres").engine, load(KEYS)
    filled: Filled = {"parts": (("a", "b"), ((1, 1), (2, 1)))}
    with engine.replay(engine.script(schema, [], filled)) as played:
        assert fetched(played.core.run("SELECT * FROM parts")) == ((1, 1), (2, 1))
    for table, columns, rows in (
        ("parts", ("a", "b"), ((3, 1),)),
        ("indexed", ("c", "d"), ((1, 1), (1, 2))),
        ("indexed", ("b",), (("x",), ("X",))),
        ("loose", ("c",), ((None,), (None,))),
        ("firm", ("a",), ((7,),)),
        ("base", ("a",), ((1,), (1,))),
    ):
        with pytest.raises(Exception, match=r"constraint|partition"):
            engine.replay(engine.script(schema, [], {table: (columns, rows)}))


def test_columns_say_which_numbers_they_store() -> None:
    ddl = """CREATE TABLE t (a numeric(4, 0), b numeric(5, 2), c numeric(3, -2), d smallint, e bigint,
      f varchar(2), g real)"""
    (table,) = dialect_named("postgres").loader.read_ddl(ddl).tables
    column = {each.name: each for each in table.columns}
    stored = {
        "a": (9999, -3, 0), "b": (999.99, 0.25, 1), "c": (0, 200, 99900),
        "d": (32767,), "e": (2**62,), "f": ("ab",), "g": (0.125, 1e300),
    }  # fmt: skip
    refused = {"a": (10000, 0.5), "b": (1000, 0.125), "c": (50, 0.5), "d": (40000,), "f": ("abc",)}
    assert all(column[name].stores(value) for name, values in stored.items() for value in values)
    assert not any(column[name].stores(value) for name, values in refused.items() for value in values)
