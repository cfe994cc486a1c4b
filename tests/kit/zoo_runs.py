"""A small evaluation, for tests of how evaluations are run: its files, and how its records compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DDL = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"
MANY = "SELECT name FROM animal WHERE legs >= 4"
COUNT = "SELECT count(*) FROM animal"
PAIRS = [
    ("SELECT name FROM animal WHERE legs > 4", MANY, "not_equivalent"),
    ("SELECT name FROM animal WHERE NOT legs < 4", MANY, "equivalent"),
    ("SELECT count(name) FROM animal", COUNT, "not_equivalent"),
    ("SELECT DISTINCT name FROM animal WHERE legs >= 4", MANY, "not_equivalent"),
    ("SELECT count(id) FROM animal", COUNT, "equivalent"),
    ("SELECT name FROM animal WHERE legs > 4", MANY, "not_equivalent"),
    ("SELEC count(*) FROM animal", COUNT, "invalid"),
    ("SELECT name FROM animal WHERE legs BETWEEN 4 AND 9", MANY, "not_equivalent"),
    ("SELECT count(id) FROM animal", COUNT, "equivalent"),
]
"""Prediction, gold query and verdict; some predictions stand twice, as those of two systems do."""


def write_zoo(folder: Path) -> tuple[str, ...]:
    """The files of the evaluation, as arguments of ``equiv eval``."""
    (folder / "ddl").mkdir()
    (folder / "ddl" / "zoo.sql").write_text(DDL)
    records = [
        {"question_id": n, "db_id": "zoo", "predicted_sql": pred, "gold_sql": gold}
        for n, (pred, gold, _) in enumerate(PAIRS)
    ]
    (folder / "system.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return str(folder / "system.jsonl"), "--schema", str(folder / "ddl")


def records_of(path: Path) -> list[dict[str, Any]]:
    """The records of a results file, as they stand."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_times(path: Path) -> list[str]:
    """The lines of a results file in a fixed order, less what no two runs share."""
    lines = []
    for record in records_of(path):
        record["ms"] = dict.fromkeys(record["ms"], 0)
        record["attempts"] = [{**attempt, "ms": 0} for attempt in record["attempts"]]
        lines.append(json.dumps(record))
    return sorted(lines)
