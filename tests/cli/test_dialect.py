"""SQL of another dialect, as the command line names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

QUERY = "SELECT id FROM boats"
CAST = "SELECT id::text FROM boats"


def test_a_foreign_query_is_named_in_one_line_and_in_the_record(equiv: Run, tmp_path: Path) -> None:
    schema = tmp_path / "s.sql"
    schema.write_text("CREATE TABLE boats (id INTEGER PRIMARY KEY);", encoding="utf-8")
    done = equiv("check", CAST, QUERY, "--schema", schema)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.endswith(
        ":: looks like PostgreSQL; the queries are read as SQLite; in SQLite: CAST(x AS type);"
        " --dialect postgres reads PostgreSQL\n"
    )
    record = json.loads(equiv("check", CAST, QUERY, "--schema", schema, "--json").out)
    assert (record["score"], [r["kind"] for r in record["remarks"]]) == (0, ["dialect"])


def test_dialect_sqlite_refuses_a_foreign_schema(equiv: Run, tmp_path: Path) -> None:
    schema = tmp_path / "s.sql"
    schema.write_text("CREATE TABLE public.boats (id SERIAL PRIMARY KEY);", encoding="utf-8")
    for command in ("check", "explain"):
        done = equiv(command, QUERY, QUERY, "--schema", schema, "--dialect", "sqlite")
        line = "equiv: the schema is not in the dialect sqlite: SERIAL looks like PostgreSQL\n"
        assert (done.code, done.err) == (2, line)
    assert (
        "Note: the schema: SERIAL looks like PostgreSQL"
        in equiv("check", QUERY, QUERY, "--schema", schema).out
    )
