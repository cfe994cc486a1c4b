"""docs/coverage.md is fresh; each entry of an engine's catalogue is in one class, as its reader has it."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import pytest

from benchmarks.outcomes.coverage import ENTRIES, INTRODUCTION, PAGE, Entry, page
from equiv.core.functions.catalogue import Known, entries
from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.registry import OWN_NAMES, dialect_named, reference

TEXT = PAGE.read_text(encoding="utf-8")


LISTED = [pytest.param(name, marks=pytest.mark.long) if name == "postgres" else name for name in OWN_NAMES]
"""PostgreSQL's catalogue is the longest."""


@pytest.fixture(scope="module", params=LISTED)
def listed(request: pytest.FixtureRequest) -> tuple[str, list[Entry]]:
    """A dialect and the entries of its engine's catalogue."""
    if request.param == "postgres" and not is_installed():
        pytest.skip("no embedded PostgreSQL")
    # In a process of its own: what another test makes DuckDB load has functions of its own.
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return request.param, pool.submit(_entries, request.param).result()


def _entries(dialect: str) -> list[Entry]:
    return list(ENTRIES[dialect]())


def test_the_page_is_fresh(listed: tuple[str, list[Entry]]) -> None:
    dialect, found = listed
    own = page({dialect: found}).removeprefix(INTRODUCTION)
    assert own.strip() in TEXT, "stale: make pages"


def test_each_entry_is_in_one_class(listed: tuple[str, list[Entry]]) -> None:
    dialect, found = listed
    lines = TEXT.partition(f"## {dialect_named(dialect).title} ")[2].splitlines()
    row = next(line for line in lines if line.startswith("| all |"))
    count, *classes = map(int, row.strip("| ").split(" | ")[1:])
    assert count == sum(classes) == len(found)


SCRIPT = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT, d TEXT)"


def test_sqlite_reads_what_is_no_more_than_a_symbol(subtests: pytest.Subtests) -> None:
    schema = reference().loader.read_ddl(SCRIPT)
    known = {entry.name: entry.known for entry in ENTRIES["sqlite"]() if entry.kind == "functions"}
    with closing(reference().engine.empty(schema)) as empty:
        for entry in entries():
            if entry.is_scalar and entry.name.isidentifier() and 0 <= entry.count <= 4:
                with subtests.test(entry.name):
                    call = f"{entry.name}({', '.join('abcd'[: entry.count])})"
                    found = reference().reader.read(f"SELECT {call} FROM t", schema, empty)
                    is_refused = not isinstance(found, Query) or found.unsupported is not None
                    assert is_refused or known[entry.name] is not Known.REFUSED


@pytest.mark.skipif(not is_installed(), reason="no embedded PostgreSQL")
@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("length(a)", Known.MODELLED),
        ("md5(a)", Known.SYMBOL),
        ("reverse(a)", Known.SYMBOL),
        ("pg_size_pretty(id::int8)", Known.SYMBOL),
        ("set_config(a, b, false)", Known.REFUSED),
    ],
)
def test_postgres_reads_as_the_page_says(call: str, known: Known) -> None:
    dialect = dialect_named("postgres")
    schema: Schema = dialect.loader.read_ddl(SCRIPT)
    name = call.partition("(")[0]
    classes = {e.known for e in ENTRIES["postgres"]() if (e.name, e.kind) == (name, "functions")}
    assert known in classes
    with closing(dialect.engine.empty(schema)) as empty:
        found = dialect.reader.read(f"SELECT {call} FROM t", schema, empty)
    if known is Known.REFUSED:
        assert not isinstance(found, Query) or (found.tree is None and found.with_symbols is None)
    else:
        assert isinstance(found, Query)
        assert (found.tree is not None) == (known is Known.MODELLED)
        assert found.tree is not None or found.with_symbols is not None
