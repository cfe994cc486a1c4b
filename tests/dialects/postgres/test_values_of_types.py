"""Every type of the server, and of extensions that come with it, has values with which tables are filled."""

from __future__ import annotations

from contextlib import closing

import pytest
from kit.engines import open_engine

from equiv.core.runner import Result
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine
from equiv.verdict import NotEquivalent, Reason, Undecided, Witness

EXTENSIONS = ("cube", "hstore", "ltree", "seg", "isn", "intarray", "lo", "tablefunc", "citext", "vector")
OWN = """
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b mood);
CREATE TYPE deep AS (p pair, q citext, x xml);
CREATE TYPE span AS RANGE (subtype = float8);
CREATE DOMAIN word AS citext NOT NULL;
CREATE DOMAIN other_word AS word CHECK (VALUE <> 'z');
"""
SIZED = (
    *("bit(3)", "bit varying(2)", "numeric(3,1)", "character varying(2)", "character(2)", "interval(2)"),
    *("interval day to second", "time(3) without time zone"),
)
WITHOUT_VALUES = frozenset(
    (
        *("pg_node_tree", "pg_ndistinct", "pg_dependencies", "pg_mcv_list", "gtsvector", "xml"),
        *("pg_brin_bloom_summary", "pg_brin_minmax_multi_summary", "ltree_gist", "gtrgm", "ghstore"),
        *("intbig_gkey", "public.ltree_gist", "public.gtrgm", "public.ghstore", "public.intbig_gkey"),
    )
)
"""Types with which no value is written: the server's own, and xml, for which its build has no library."""
TYPES = """
SELECT format_type(t.oid, NULL), EXISTS (SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod
  WHERE m.amname = 'btree' AND o.opcdefault AND o.opcintype IN (t.oid, t.typbasetype)) AS ordered
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
WHERE t.typtype <> 'p' AND (t.typtype <> 'c' OR c.relkind = 'c')
  AND n.nspname NOT IN ('information_schema', 'pg_toast')
  AND NOT EXISTS (SELECT FROM pg_type e LEFT JOIN pg_class r ON r.oid = e.typrelid
    WHERE e.typarray = t.oid AND (e.typtype = 'p' OR r.relkind <> 'c'))
ORDER BY t.oid
"""


def types_there() -> list[tuple[str, bool]]:
    """The types of a database with the extensions, and whether a key may hold them."""
    ddl = "".join(f"CREATE EXTENSION {each};" for each in EXTENSIONS) + OWN
    dialect = dialect_named("postgres")
    schema = dialect.loader.read_ddl(ddl + "CREATE TABLE t (id int);")
    assert not schema.passed
    with closing(dialect.engine.empty(schema)) as session:
        found = session.run(TYPES)
    assert isinstance(found, Result), found
    return [(str(name), bool(is_ordered)) for name, is_ordered in found.rows]


@pytest.fixture(scope="module")
def filled() -> list[tuple[str, bool]]:
    return [each for each in types_there() if each[0] not in WITHOUT_VALUES]


def schema_of(parts: str) -> str:
    return "".join(f"CREATE EXTENSION {each};\n" for each in EXTENSIONS) + OWN + parts


def assert_told(engine: Engine, table: str) -> None:
    found = engine.check(f"SELECT id FROM {table} WHERE n <> 'x'", f"SELECT id FROM {table}")
    assert isinstance(found, NotEquivalent), getattr(found, "detail", found)


def test_columns_of_all_types_that_are_complete_are_filled(filled: list[tuple[str, bool]]) -> None:
    names = [*(name for name, _ in filled), *SIZED]
    columns = ", ".join(f"c{at} {name} NOT NULL" for at, name in enumerate(names))
    keys = ", ".join(f"c{at} {name} NOT NULL UNIQUE" for at, (name, is_key) in enumerate(filled) if is_key)
    ddl = schema_of(
        f"CREATE TABLE a (id int PRIMARY KEY, n text, {columns});"
        f"CREATE TABLE k (id int PRIMARY KEY, n text, {keys});"
        "CREATE TABLE p (s citext PRIMARY KEY, w word UNIQUE);"
        "CREATE TABLE c (id int PRIMARY KEY, n text, s citext NOT NULL REFERENCES p, w word REFERENCES p (w))"
    )
    with closing(open_engine(ddl, "postgres")) as engine:
        assert len(engine.schema.tables) == 4, engine.schema.passed
        for table in ("a", "k", "c"):
            assert_told(engine, table)


def test_a_type_without_values_is_named() -> None:
    with closing(
        open_engine("CREATE TABLE a (id int PRIMARY KEY, n text, s xml NOT NULL);", "postgres")
    ) as engine:
        found = engine.check("SELECT id FROM a WHERE n <> 'x'", "SELECT id FROM a")
    assert isinstance(found, Undecided)
    assert found.reason is Reason.UNREPLAYED
    assert "a.s is NOT NULL, and no value of its type, xml, is known" in found.detail


def test_a_witness_has_no_row_that_nothing_refers_to() -> None:
    ddl = """CREATE TYPE tier AS ENUM ('free', 'team');
    CREATE TABLE account (id int PRIMARY KEY, settings jsonb NOT NULL, kind tier NOT NULL);
    CREATE TABLE customer (id uuid PRIMARY KEY, account int NOT NULL REFERENCES account);
    CREATE TABLE note (id int PRIMARY KEY, customer uuid NOT NULL REFERENCES customer);
    """
    with closing(open_engine(ddl, "postgres")) as engine:
        found = engine.check("SELECT id FROM note WHERE id > 3", "SELECT id FROM note WHERE id >= 3")
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Witness)
    assert {name: len(rows) for name, (_, rows) in found.evidence.tables.items()} == {
        "account": 1,
        "customer": 1,
        "note": 1,
    }
    assert found.evidence.demanded == {"account", "customer"}
