"""How gold queries end across two dialects, in Markdown, without a text of theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from benchmarks.duckdb.pair_tables import kind_of_message

Record = dict[str, Any]

_HEAD = (
    *("gold queries", "pairs", "transpiled", "both prepared", "both translated"),
    *("agree", "differ", "undecided", "seconds: median"),
)
NAMES = {
    "edition": "SQLite's against the PostgreSQL edition's",
    "duckdb": "SQLite's against sqlglot's for DuckDB",
    "postgres": "SQLite's against sqlglot's for PostgreSQL",
}


def tables(records: Sequence[Record]) -> Iterator[str]:
    """The tables of a results file."""
    runs = [run for run in NAMES if any(record["run"] == run for record in records)]
    yield f"| {' | '.join(_HEAD)} |"
    yield "|---" * len(_HEAD) + "|"
    for run in runs:
        yield _row(run, [record for record in records if record["run"] == run])
    for title, count in (("differs by", kinds), ("is refused", refusals), ("undecided", undecided)):
        yield from ("", f"| gold queries | {title} | pairs |", "|---|---|---|")
        for run in runs:
            for what, number in count([r for r in records if r["run"] == run]).most_common():
                yield f"| {NAMES[run]} | {what} | {number} |"


def _row(run: str, records: Sequence[Record]) -> str:
    read = [record for record in records if "read" in record]
    prepared = [r for r in read if not any(each.startswith("refused") for each in r["read"])]
    translated = [r for r in prepared if r["read"] == ["read", "read"]]
    verdicts = Counter(record["verdict"] for record in prepared)
    times = [record["seconds"] for record in prepared] or [0.0]
    cells = (
        *(NAMES[run], len(records), len(read), len(prepared), len(translated), verdicts["equivalent"]),
        *(verdicts["not_equivalent"], verdicts["undecided"], f"{median(times):.2f}"),
    )
    return f"| {' | '.join(map(str, cells))} |"


def kinds(records: Sequence[Record]) -> Counter[str]:
    """By what refuted pairs differ; a pair that two mends each repair counts for the first."""
    found: Counter[str] = Counter()
    for record in records:
        if record["verdict"] == "not_equivalent":
            mends = record["kinds"]
            found[mends[0][0] if mends else f"something else ({record['difference']})"] += 1
    return found


def refusals(records: Sequence[Record]) -> Counter[str]:
    """Why one of the engines refuses its text."""
    found: Counter[str] = Counter()
    for record in records:
        for ended in record.get("read", ()):
            if ended.startswith("refused"):
                found[kind_of_message(ended.removeprefix("refused: "))] += 1
    return found


def undecided(records: Sequence[Record]) -> Counter[str]:
    """Why pairs that both engines prepare are undecided."""
    found: Counter[str] = Counter()
    for record in records:
        refused = any(each.startswith("refused") for each in record.get("read", ()))
        if record["verdict"] == "undecided" and not refused:
            detail = record["detail"].removeprefix("prediction: ").removeprefix("gold query: ")
            found[f"{record['reason']} {kind_of_message(detail)}".strip()] += 1
    return found
