"""One question answered by several systems, the recorded replies of a judge, and runs of ``eval`` on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from equiv import cli

DDL = "CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER NOT NULL)"

GOLD = "SELECT name FROM animal WHERE legs >= 4"

PREDICTIONS = {
    "proven": "SELECT name FROM animal WHERE NOT legs < 4",
    "wrong": "SELECT name FROM animal WHERE legs = 5",
    "wrong again": "SELECT name FROM animal WHERE 5 = legs",
    "right": "SELECT DISTINCT name FROM animal WHERE legs > 3",
    "broken": "SELEC name FROM animal",
}

YES = {"verdict": True, "reason": "fits"}

NO = {"verdict": False, "reason": "does not fit"}

UPHELD = {"judgement": "no flaw", "verdict": False, "ambiguity": "na", "gold_correct": True}

OVERTURNED = {
    "judgement": "a flaw",
    "verdict": True,
    "ambiguity": "ambiguous question",
    "gold_correct": False,
}

REPLIES: dict[str, tuple[Any, Any]] = {
    "proven": (None, OVERTURNED),
    "wrong": (NO, None),
    "wrong again": (YES, UPHELD),
    "right": (YES, UPHELD),
}


def written(folder: Path) -> Path:
    """One question answered by several systems, with the recorded replies of a judge."""
    (folder / "zoo.sql").write_text(DDL)
    path = folder / "pairs.jsonl"
    records = [
        {
            "method": name,
            "question_id": 1,
            "db_id": "zoo",
            "question": "Which animals have four legs or more?",
            "predicted_sql": sql,
            "gold_sql": GOLD,
            "label": name in {"proven", "right"},
            "prover": REPLIES.get(name, (None, None))[0],
            "refuter": REPLIES.get(name, (None, None))[1],
            "rose_score": None,
            "ex_score": float(name in {"proven", "right"}),
        }
        for name, sql in PREDICTIONS.items()
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def evaluate(pairs: Path, out: Path, *options: object) -> int:
    schema = pairs.with_name("zoo.sql")
    return cli.run(["eval", *map(str, (pairs, "--schema", schema, "--out", out, "--effort", 60, *options))])


def records_of(out: Path) -> list[dict[str, Any]]:
    """All records of a results file, judged or not."""
    return [json.loads(line) for line in out.read_text().splitlines()]


def scores(out: Path) -> dict[str, tuple[Any, Any]]:
    """The judged records' scores; the last record of a key counts."""
    records = [json.loads(line) for line in out.read_text().splitlines()]
    return {record["source"]: (record["score"], record["score_by"]) for record in records if record["judge"]}


def replay(pairs: Path, *options: str) -> tuple[str, ...]:
    return ("--judge", f"replay:{pairs}", "--judge-model", "o3", *options)
