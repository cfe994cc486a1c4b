from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from equiv.core.model import ForeignKey, Schema, Table
from equiv.dialects.sqlite.pragmas import load_sqlite
from equiv.errors import InputError
from equiv.names import quoted


def load(tmp_path: Path, ddl: str) -> Schema:
    path = tmp_path / "some.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ddl)
    return load_sqlite(path)


def table(tmp_path: Path, ddl: str) -> Table:
    return load(tmp_path, ddl).tables[0]


def not_null(found: Table) -> list[str]:
    return [column.name for column in found.columns if column.not_null]


def test_text_primary_key_admits_null(tmp_path: Path) -> None:
    found = table(tmp_path, "CREATE TABLE t (a TEXT PRIMARY KEY, b)")
    assert (found.primary_key, found.rowid_alias, not_null(found)) == (("a",), None, [])


def test_integer_primary_key_is_the_rowid_and_never_null(tmp_path: Path) -> None:
    found = table(tmp_path, "CREATE TABLE t (a integer, b INT, PRIMARY KEY (A))")
    assert (found.rowid_alias, not_null(found)) == ("a", ["a"])


@pytest.mark.parametrize("declaration", ["INT PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "BIGINT PRIMARY KEY"])
def test_other_integer_keys_are_not_the_rowid(tmp_path: Path, declaration: str) -> None:
    found = table(tmp_path, f"CREATE TABLE t (a {declaration})")
    assert (found.primary_key, found.rowid_alias, not_null(found)) == (("a",), None, [])


@pytest.mark.parametrize(
    "option", ["WITHOUT ROWID", "STRICT", "STRICT, WITHOUT ROWID", "without /* c */ rowid"]
)
def test_key_of_without_rowid_or_strict_is_never_null(tmp_path: Path, option: str) -> None:
    found = table(tmp_path, f"CREATE TABLE t (a TEXT, b INT, c INT, PRIMARY KEY (b, a)) {option}")
    assert (found.primary_key, not_null(found)) == (("b", "a"), ["a", "b"])
    assert found.without_rowid == ("ROWID" in option.upper())
    assert found.strict == ("STRICT" in option)


def test_any_in_a_strict_table_has_no_affinity(tmp_path: Path) -> None:
    found = table(tmp_path, "CREATE TABLE t (a ANY, b TEXT) STRICT")
    assert [column.affinity for column in found.columns] == ["BLOB", "TEXT"]


def test_unique_is_read_from_constraints_and_indexes(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        """CREATE TABLE t (a TEXT UNIQUE, b, c, UNIQUE (c, b));
        CREATE UNIQUE INDEX i ON t (b); CREATE INDEX j ON t (c)""",
    )
    assert found.unique == (("a",), ("b",), ("c", "b"))


@pytest.mark.parametrize("index", ["(a) WHERE b > 0", "(lower(a))", "(a, b + 1)", "(a COLLATE NOCASE)"])
def test_partial_expression_and_foreign_collation_indexes_are_no_unique(tmp_path: Path, index: str) -> None:
    assert table(tmp_path, f"CREATE TABLE t (a TEXT, b); CREATE UNIQUE INDEX i ON t {index}").unique == ()


def test_unique_under_another_collation_than_the_column_is_none(tmp_path: Path) -> None:
    found = table(
        tmp_path, "CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT, UNIQUE (a COLLATE BINARY), UNIQUE (b))"
    )
    assert found.unique == (("b",),)
    assert (
        table(
            tmp_path / "..", "CREATE TABLE u (a COLLATE nocase, PRIMARY KEY (a COLLATE binary))"
        ).primary_key
        == ()
    )


def test_collations_are_those_of_the_columns(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        """CREATE TABLE t (a TEXT COLLATE nocase DEFAULT 'COLLATE RTRIM',
        "collate" TEXT CHECK ("collate" > 'x' COLLATE RTRIM), [c d] TEXT -- COLLATE NOCASE
        DEFAULT ('a' COLLATE NOCASE), e TEXT COLLATE "RTRIM", UNIQUE (e COLLATE RTRIM))""",
    )
    assert [c.collation for c in found.columns] == ["NOCASE", "BINARY", "BINARY", "RTRIM"]
    assert found.unique == (("e",),)


def test_checks_are_the_users_own_text(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        "CREATE TABLE t (a CHECK (a <> ')' AND +a>0), \"check\" TEXT /* CHECK (x) */ CONSTRAINT k "
        "CHECK(a IN (1, 2)), CONSTRAINT z CHECK (a > 1 -- why\n))",
    )
    assert found.checks == ("a <> ')' AND +a>0", "a IN (1, 2)", "a > 1")


def test_foreign_keys_without_parent_columns_mean_the_parents_key(tmp_path: Path) -> None:
    schema = load(
        tmp_path,
        """CREATE TABLE child (A INT REFERENCES Parent, b REFERENCES pair, c REFERENCES missing,
            FOREIGN KEY (a, B) REFERENCES pair, FOREIGN KEY (c) REFERENCES PARENT (OTHER));
        CREATE TABLE parent (Id INTEGER PRIMARY KEY, other);
        CREATE TABLE pair (x, y, PRIMARY KEY (y, x))""",
    )
    assert schema.tables[0].foreign_keys == (
        ForeignKey(("A",), "parent", ("Id",)),
        ForeignKey(("A", "b"), "pair", ("y", "x")),
        ForeignKey(("c",), "parent", ("other",)),
    )


def test_generated_columns_and_defaults(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        "CREATE TABLE t (a INT DEFAULT -1, b INT AS (a + 1), c TEXT GENERATED ALWAYS AS ('x') STORED)",
    )
    assert [(c.name, c.generated, c.default) for c in found.columns] == [
        ("a", False, "-1"),
        ("b", True, None),
        ("c", True, None),
    ]


def test_what_a_generated_column_computes_is_read(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        """CREATE TABLE t (a INT, "as" GENERATED ALWAYS /* as (1) */ AS (coalesce(a, ')')) UNIQUE,
            c CHECK (c > CAST('1' AS INT)), d as(A+1)stored)""",
    )
    assert [column.expression for column in found.columns] == ["", "coalesce(a, ')')", "", "A+1"]


def test_a_file_of_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its encoding is UTF-16le, not UTF-8"):
        load(tmp_path, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)")


def test_views_are_read_with_their_columns(tmp_path: Path) -> None:
    schema = load(
        tmp_path,
        """CREATE TABLE t (a); CREATE VIEW v ("x y", b) AS SELECT a, (SELECT 1 AS one) FROM t -- the end;
        ; CREATE VIEW IF NOT EXISTS w AS WITH q AS (SELECT 1) SELECT * FROM q""",
    )
    first, second = schema.views
    assert (first.columns, first.sql) == (("x y", "b"), "SELECT a, (SELECT 1 AS one) FROM t")
    assert (second.columns, second.sql) == ((), "WITH q AS (SELECT 1) SELECT * FROM q")


def test_odd_names_survive(tmp_path: Path) -> None:
    name = "a\"b'c`d [e] é;"
    schema = load(
        tmp_path, f"CREATE TABLE {quoted(name)} ({quoted(name)} TEXT UNIQUE, \"\" INT, 'q' COLLATE NOCASE)"
    )
    found = schema.tables[0]
    assert (found.name, [c.name for c in found.columns]) == (name, [name, "", "q"])
    assert found.unique == ((name,),)
    assert found.columns[2].collation == "NOCASE"


def test_names_are_found_without_regard_to_case(tmp_path: Path) -> None:
    schema = load(tmp_path, "CREATE TABLE Person (Id INTEGER PRIMARY KEY)")
    found = schema.table("PERSON")
    assert found is not None
    assert found.column("iD") is not None


def test_virtual_tables_are_left_out_unless_they_keep_texts_that_they_search(tmp_path: Path) -> None:
    made = """
        CREATE VIRTUAL TABLE f USING fts5(x, y UNINDEXED, tokenize = 'porter'); CREATE TABLE t (a);
        CREATE VIRTUAL TABLE g USING fts5(a, content = t); CREATE VIRTUAL TABLE h USING fts5(a, content='')
    """
    try:
        schema = load(tmp_path, made)
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no fts5")
    found = schema.table("f")
    assert found is not None
    assert [(each.name, each.hidden) for each in found.columns] == [
        ("rowid", True),
        ("x", False),
        ("y", False),
    ]
    assert schema.table("f_data") is None
    assert schema.table("t") is not None
    assert schema.table("g") is None
    assert schema.table("h") is None


def test_column_added_later_is_read(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        "CREATE TABLE t (a, CHECK (a > 0)); ALTER TABLE t ADD COLUMN b TEXT COLLATE NOCASE CHECK (b <> '')",
    )
    assert found.columns[1].collation == "NOCASE"
    assert set(found.checks) == {"a > 0", "b <> ''"}


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0 and then nonsense" * 100])
def test_other_files_are_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.sqlite"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"file\.sqlite: not a.* SQLite database") as caught:
        load_sqlite(path)
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.sqlite", tmp_path):
        with pytest.raises(ValueError, match=path.name) as caught:
            load_sqlite(path)
        assert str(caught.value).count(str(path)) == 1


def test_nothing_is_written_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    before = sorted(tmp_path.iterdir())
    assert load_sqlite(path).table("t") is not None
    assert sorted(tmp_path.iterdir()) == before


def test_changes_that_wait_in_a_log_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "live.sqlite"
    with closing(sqlite3.connect(path)) as writer:
        writer.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert load_sqlite(path).table("t") is not None
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
