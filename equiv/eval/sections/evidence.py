"""The section on evidence: rules, facts and differences behind verdicts, and reasons of undecided pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from equiv.eval.metrics.shares import Counting, kinds_of_remarks, said
from equiv.eval.sections.section import ReportSection
from equiv.records.record import Record
from equiv.rewrite.normalise import CANONICAL_ORDER
from equiv.show.page import Grid
from equiv.show.verdicts import DIFFERENCES, REASONS

Describe = Callable[[str], str]
"""The first sentence of a rule's documentation, by its name; '' where there is none."""

SORTS = {CANONICAL_ORDER: "Rename outputs and sort operands, so that equal trees look the same."}
"""What stands in derivations without being a rule."""


def _meaning_in(meanings: Mapping[Any, str]) -> Describe:
    texts = {str(name): text for name, text in meanings.items()}
    return lambda name: texts.get(name, "")


COUNTINGS = (
    Counting(
        "undecided by reason",
        "reason",
        lambda r: [r["reason"]] if r["verdict"] == "undecided" else [],
        _meaning_in(REASONS),
        shared=True,
    ),
    Counting(
        "unsupported, by construct (30 at most)",
        "construct",
        lambda r: [str(r["detail"] or "-")] if r["reason"] == "UNSUPPORTED" else [],
        most=30,
    ),
    Counting("differences shown", "difference", said("difference"), _meaning_in(DIFFERENCES), shared=True),
    Counting("queries that cannot be used", "failure", said("failure_code"), shared=True),
    Counting("remarks", "about", kinds_of_remarks, shared=True),
)


def section_of(records: Sequence[Record], describe: Describe) -> ReportSection:
    """The section on evidence."""
    counted = (counting.grid_of(counting.counts_of(records), len(records)) for counting in COUNTINGS)
    grids = (*counted, _rules(records, describe), _facts(records))
    about = "What is undecided and why, what witnesses show, and what the equivalences rest on."
    return ReportSection("evidence", "Evidence", about, tuple(grid for grid in grids if grid.rows))


def rules_of(record: Record) -> list[str]:
    """The rules that a record's derivation applies, in order, each as often as it is applied."""
    evidence = record["evidence"] or {}
    return [str(step["rule"]) for step in evidence.get("steps", ())]


def _rules(records: Sequence[Record], describe: Describe) -> Grid:
    pairs: Counter[str] = Counter()
    applied: Counter[str] = Counter()
    for record in records:
        rules = rules_of(record)
        applied.update(rules)
        pairs.update(set(rules))
    ordered = sorted(pairs, key=lambda name: (-pairs[name], name))
    rows = tuple(
        (name, str(pairs[name]), str(applied[name]), describe(name) or SORTS.get(name, ""))
        for name in ordered
    )
    return Grid("rules used", ("rule", "pairs", "applications", "what it does"), rows)


def _facts(records: Sequence[Record]) -> Grid:
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        if record["verdict"] == "equivalent":
            counts.update(set(_kinds(record)))
    rows = tuple((kind, grade, str(count)) for (kind, grade), count in counts.most_common())
    return Grid("facts that equivalences rest on", ("fact", "grade", "pairs"), rows)


def _kinds(record: Record) -> Iterator[tuple[str, str]]:
    return ((str(fact["kind"]), str(fact["grade"])) for fact in record["facts"])
