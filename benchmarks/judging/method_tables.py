"""What judging each method takes, of the 19 that ROSE's paper evaluates."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.judging.cost_tables import Judged, calls
from equiv.eval.metrics.measured import grouped

METHODS = (
    *("GPT-5", "DeepSeek-Chat", "GPT-4o", "GPT-4", "GPT-3.5", "Alpha-SQL-32B", "OpenSearch-SQL"),
    *("RSL-SQL (DeepSeek)", "RSL-SQL (GPT-4o)", "SuperSQL", "TA-SQL", "DAIL-SQL", "CoT", "C3-SQL"),
    *("CSC-SQL-32B", "OmniSQL-32B", "CodeS-15B", "CHESS-V1", "RESDSQL-3B"),
)
"""The 19 methods that ROSE's paper evaluates."""

PUBLISHED = {
    "gpt-4o": "DeepSeek-Chat",  # by its scores: benchmarks/seeds.md
    "opensearch-ds": "OpenSearch-SQL",
    "dail": "DAIL-SQL",
    "c3": "C3-SQL",
    "omni-32b": "OmniSQL-32B",
    "resd-3B": "RESDSQL-3B",
}
"""The methods whose predictions and replies are published, by the names of the files."""


def methods_table(judged: Judged) -> Iterator[str]:
    """Each method on its own: the calls of its judge, what is saved, its score with and without savings."""
    ways = {way: grouped(judged.runs[way], "system") for way in ("none", "all")}
    yield "| method | predictions | calls | calls, all savings | saved | score | score, all savings |"
    yield "|---|---|---|---|---|---|---|"
    for name in METHODS:
        file = next((file for file, method in PUBLISHED.items() if method == name), "")
        if file not in ways["none"]:
            yield f"| {name} | not at hand | | | | | |"
            continue
        none, saving = ways["none"][file], ways["all"][file]
        less = 100 * (1 - calls(saving) / max(calls(none), 1))
        shares = (f"{100 * sum(r['score'] == 1 for r in own) / len(own):.2f}" for own in (none, saving))
        called = f"{name} (`{file}`)"
        cells = [called, str(len(none)), f"{calls(none):,}", f"{calls(saving):,}", f"{less:.0f} %", *shares]
        yield f"| {' | '.join(cells)} |"
    yield ""
