"""``equiv explain --algebra``: the rewrites of both sides, with the facts that they rest on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

DDL = "CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER);"


def test_the_rewrites_of_both_sides_are_shown(equiv: Callable[..., Any], tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text(DDL)
    asked = "SELECT DISTINCT id FROM a", "SELECT id FROM a WHERE x = x OR x IS NULL"
    plain = equiv("explain", *asked, "--schema", schema).out
    shown = equiv("explain", *asked, "--schema", schema, "--algebra").out
    assert "in the algebra" not in plain
    assert "prediction, step 1" in shown
    assert "inline_distinct_on_key" in shown
    assert "unique(a.id)" in shown
    assert "gold, step 1" in shown


def test_a_query_without_rewrites_is_said_to_be_normal(equiv: Callable[..., Any], tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text(DDL)
    shown = equiv("explain", "SELECT id FROM a", "SELECT x FROM a", "--schema", schema, "--algebra").out
    assert "prediction: already in the algebra's normal form" in shown
