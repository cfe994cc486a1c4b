"""How long the judge's prompts are, by part, as Markdown; no model is asked.

Usage: ``python -m benchmarks.judging.prompt_lengths``.  Fixed texts by role and standard; schema and
documentation of the BIRD databases and the queries of ROSE-VEC from the reference data.  Tokens are
characters / 4.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import median

from benchmarks.journal import markdown, section
from benchmarks.pairs.corpora import DATA
from equiv.judge.case import Role, Standard, Variant
from equiv.judge.describe import Descriptions, DescriptionSource
from equiv.judge.prompt import system_text


def _fixed() -> Iterator[str]:
    rows = [
        (f"{role.value}, standard `{standard.value}`", len(system_text(role, Variant.ROSE, standard)))
        for standard in Standard
        for role in (Role.PROVER, Role.REFUTER)
    ]
    shown = ((name, f"{length:,}", f"{length // 4:,}") for name, length in rows)
    yield from section(("fixed text", "characters", "tokens"), shown)


def _material() -> Iterator[str]:
    pairs = json.loads((DATA / "rose-vec" / "bird.json").read_text())
    names = sorted({pair["db_id"] for pair in pairs})
    ddl = [len((DATA / "bird" / "ddl" / f"{name}.sql").read_text()) for name in names]
    found = Descriptions(DescriptionSource(root=DATA / "bird" / "description"))
    documented = [len(found.of(name)) for name in names]
    rows = {
        "schema as DDL": ddl,
        "what the columns hold": documented,
        "question and hint": [len(pair["question"]) + len(pair.get("evidence") or "") for pair in pairs],
        "one query": [len(pair[name]) for pair in pairs for name in ("predicted_sql", "gold_sql")],
    }
    head = ("material (BIRD, ROSE-VEC)", "characters, least", "median", "most", "tokens, median")
    shown = (
        (name, min(all_), int(median(all_)), max(all_), int(median(all_)) // 4) for name, all_ in rows.items()
    )
    yield from markdown(head, ((name, *(f"{each:,}" for each in numbers)) for name, *numbers in shown))


if __name__ == "__main__":
    print(*_fixed(), *_material(), sep="\n")
