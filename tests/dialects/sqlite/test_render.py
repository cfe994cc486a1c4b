from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from equiv.core.model import Column, Schema, Table
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.pragmas import load_sqlite, read_schema
from equiv.dialects.sqlite.render import create_statements, script
from equiv.errors import InputError
from equiv.schema.tables_json import load_tables_json

TRAPS = """
CREATE TABLE "order by" (
    id INTEGER PRIMARY KEY, "a ""quoted"" name" varchar(20) NOT NULL DEFAULT 'it''s' UNIQUE);
CREATE TABLE child (x INT DEFAULT (1 + 2), y REAL DEFAULT -1.5, p REFERENCES parent, q REFERENCES missing (z),
    FOREIGN KEY (x, y) REFERENCES pair ON DELETE CASCADE);
CREATE TABLE parent (k TEXT COLLATE NOCASE PRIMARY KEY, other INT REFERENCES child (x), CHECK (k <> ')'));
CREATE TABLE pair (a INT, b TEXT COLLATE rtrim, c BLOB, UNIQUE (c, a), PRIMARY KEY (b, a)) WITHOUT ROWID;
CREATE TABLE strict_one (a ANY, b INT PRIMARY KEY, d TEXT DEFAULT "text") STRICT;
CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, b DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE self (id INTEGER PRIMARY KEY, boss INT REFERENCES self, no_type, t "odd [type]");
CREATE UNIQUE INDEX i ON self (boss, no_type);
CREATE VIEW v (one, "two words") AS SELECT id, boss FROM self WHERE boss > 0;
CREATE VIEW w AS SELECT * FROM v
"""


def without_ddl(schema: Schema) -> tuple[object, ...]:
    tables = frozenset(replace(table, ddl="") for table in schema.tables)
    return tables, schema.views


def made(statements: list[str]) -> Schema:
    with closing(Connection()) as connection:
        for statement in statements:
            connection.execute(statement)
        return read_schema(connection)


def assert_survives(schema: Schema) -> None:
    """The schema comes back from its statements, with the tables' own DDL and without."""
    assert without_ddl(made(create_statements(schema))) == without_ddl(schema)
    bare = replace(schema, tables=tuple(replace(table, ddl="") for table in schema.tables))
    assert without_ddl(made(create_statements(bare))) == without_ddl(schema)


def test_every_trap_survives() -> None:
    assert_survives(load_ddl(TRAPS))


def test_generated_columns_survive_by_their_own_ddl() -> None:
    schema = load_ddl("CREATE TABLE t (a INT, b INT AS (a + 1)); CREATE UNIQUE INDEX i ON t (a)")
    assert without_ddl(made(create_statements(schema))) == without_ddl(schema)


def test_generated_columns_are_made_anew_from_what_they_compute() -> None:
    assert_survives(load_ddl("CREATE TABLE t (a INT, b INT NOT NULL GENERATED ALWAYS AS (a + (1)) UNIQUE)"))
    column = Column("b", "INT", generated=True)
    with pytest.raises(InputError, match="generated"):
        create_statements(Schema((Table("t", (Column("a", "INT"), column)),)))


def test_keys_under_other_collations_need_their_own_ddl() -> None:
    (table,) = load_ddl("CREATE TABLE t (a TEXT, UNIQUE (a COLLATE NOCASE))").tables
    assert create_statements(Schema((table,))) == [table.ddl]
    with pytest.raises(InputError, match="collations"):
        create_statements(Schema((replace(table, ddl=""),)))


INDEXES = """
CREATE TABLE t (k INTEGER PRIMARY KEY, y TEXT, z TEXT COLLATE NOCASE);
CREATE UNIQUE INDEX folded ON t (y COLLATE NOCASE); -- not by BINARY
CREATE UNIQUE INDEX some ON t (abs(k)) WHERE y IS NOT NULL;
CREATE UNIQUE INDEX exact ON t (z COLLATE BINARY DESC, k);
CREATE INDEX parsed ON t (json_extract(y, '$.a'));
CREATE UNIQUE INDEX plain ON t (y, z);
CREATE INDEX idle ON t (z)
"""


def test_indexes_that_forbid_rows_survive() -> None:
    schema = load_ddl(INDEXES)
    assert schema.tables[0].unique == (("y", "z"),)
    names = [index.removeprefix("CREATE ").split(" ON ")[0] for index in schema.tables[0].indexes]
    assert names == ["UNIQUE INDEX folded", "UNIQUE INDEX some", "UNIQUE INDEX exact", "INDEX parsed"]
    assert_survives(schema)


def test_an_index_that_cannot_be_made_here_is_one_clear_error() -> None:
    table = replace(load_ddl("CREATE TABLE t (a)").tables[0], indexes=("CREATE INDEX i ON t (strange(a))",))
    with pytest.raises(InputError, match=r"no such function: strange"):
        create_statements(Schema((table,)))


def test_ddl_that_says_something_else_is_not_used() -> None:
    table = replace(load_ddl("CREATE TABLE t (a INT NOT NULL, b)").tables[0], ddl="CREATE TABLE t (a INT, b)")
    assert_survives(Schema((table,)))


def test_parents_stand_before_children_and_cycles_end() -> None:
    schema = load_ddl(
        """CREATE TABLE c (b REFERENCES b); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a);
        CREATE TABLE a (id INTEGER PRIMARY KEY, z REFERENCES z);
        CREATE TABLE z (id INTEGER PRIMARY KEY, a REFERENCES a)"""
    )
    order = [table.name for table in made(create_statements(schema)).tables]
    assert order == ["z", "a", "b", "c"]


def test_only_the_tables_named_and_every_view() -> None:
    found = made(create_statements(load_ddl(TRAPS), ["SELF", "nothing"]))
    assert [table.name for table in found.tables] == ["self"]
    assert [view.name for view in found.views] == ["v", "w"]


@pytest.mark.long
def test_published_schemas_survive(data: Path) -> None:
    for file in sorted((data / "bird" / "ddl").glob("*.sql")):
        assert_survives(load_ddl(file.read_text(), file.stem))
    for file in sorted(data.glob("*/database*/*/*.sqlite")):
        assert_survives(load_sqlite(file))
    for folder in ("bird", "spider"):
        for schema in load_tables_json(data / folder / "tables.json").values():
            assert_survives(schema)


def test_ddl_that_would_run_a_query_is_not_used() -> None:
    endless = "WITH RECURSIVE n AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM n) SELECT a FROM n"
    table = replace(load_ddl("CREATE TABLE t (a)").tables[0], ddl=f"CREATE TABLE t AS {endless}")
    assert_survives(Schema((table,)))


FAMILY = (
    "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p)"
)


@pytest.mark.parametrize(
    ("filled", "says"),
    [
        ({"p": (("id",), [(1,)]), "c": (("id", "p"), [(1, 1)])}, False),
        ({"p": (("id",), [(1,)]), "c": (("id", "p"), [(1, 2)])}, True),
        ({"c": (("id", "p"), [(1, None)])}, True),
        ({"p": (("id",), [(1,)])}, False),
    ],
    ids=["a parent", "no parent", "no table of parents", "no child"],
)
def test_a_script_runs_where_foreign_keys_are_enforced(
    filled: dict[str, tuple[tuple[str, ...], list[tuple[int | None, ...]]]], *, says: bool
) -> None:
    text = script(load_ddl(FAMILY), filled, filled)
    assert text.startswith("-- SQLite enforces foreign keys only") == says
    with closing(Connection()) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.run_script(text)
