"""The table of how published rewrites end."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.postgres.rewrites import pairs_of, table


def record(verdict: str, seconds: float, *, equal: bool, reason: str | None = None) -> dict[str, object]:
    found = {"verdict": verdict, "executed_equal": equal, "reason": reason, "detail": "", "db_id": "dsb"}
    return found | {"seconds": seconds}


def test_ends_are_counted_by_what_one_database_showed() -> None:
    records = [
        record("equivalent", 1.0, equal=True),
        record("equivalent", 3.0, equal=True),
        record("undecided", 20.0, equal=True, reason="TIMEOUT"),
        record("not_equivalent", 2.0, equal=False),
    ]
    lines = list(table(records))
    assert "| equal | 3 | 2 (67 %) | 0 (0 %) | 1 (33 %) |" in lines
    assert "| unequal | 1 | 0 (0 %) | 1 (100 %) | 0 (0 %) |" in lines
    assert "| TIMEOUT | dsb |  | 1 |" in lines
    assert lines[-1].startswith("Processor seconds: median 2.5")


def test_pairs_come_in_an_order_of_the_seed_without_those_never_executed(tmp_path: Path) -> None:
    rows = [{"executed_equal": None if n % 3 == 0 else bool(n % 2)} for n in range(30)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    first, second = ([pair["key"] for pair in pairs_of(tmp_path, seed)] for seed in (1, 2))
    assert sorted(first) == sorted(second) == [n for n in range(30) if n % 3]
    assert first != second
    assert first == [pair["key"] for pair in pairs_of(tmp_path, 1)]
