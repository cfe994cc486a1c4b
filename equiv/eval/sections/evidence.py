"""The section on evidence: rules, facts and differences behind verdicts, and reasons of undecided pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from equiv.eval.sections.section import ReportSection
from equiv.records.record import Record
from equiv.rewrite.normalise import CANONICAL_ORDER
from equiv.show.page import Grid
from equiv.show.verdicts import DIFFERENCES, REASONS

Describe = Callable[[str], str]
"""The first sentence of a rule's documentation, by its name; '' where there is none."""

SORTS = {CANONICAL_ORDER: "Rename outputs and sort operands, so that equal trees look the same."}
"""What stands in derivations without being a rule."""


def section_of(records: Sequence[Record], describe: Describe) -> ReportSection:
    """The section on evidence."""
    grids = (
        _open(records),
        _details(records),
        _differences(records),
        _codes(records),
        _remarks(records),
        _rules(records, describe),
        _facts(records),
    )
    about = "What is undecided and why, what witnesses show, and what the equivalences rest on."
    return ReportSection("evidence", "Evidence", about, tuple(grid for grid in grids if grid.rows))


def rules_of(record: Record) -> list[str]:
    """The rules that a record's derivation applies, in order, each as often as it is applied."""
    evidence = record["evidence"] or {}
    return [str(step["rule"]) for step in evidence.get("steps", ())]


def _open(records: Sequence[Record]) -> Grid:
    counts = Counter(r["reason"] for r in records if r["verdict"] == "undecided")
    meanings = {str(reason): text for reason, text in REASONS.items()}
    rows = _counted(counts, len(records), lambda name: meanings.get(name, ""))
    return Grid("undecided by reason", ("reason", "pairs", "share", "meaning"), rows)


def _details(records: Sequence[Record]) -> Grid:
    """What the pairs that are outside of what is modelled have."""
    counts = Counter(str(r["detail"] or "-") for r in records if r["reason"] == "UNSUPPORTED")
    rows = tuple((name, str(count)) for name, count in counts.most_common(30))
    return Grid("unsupported, by construct (30 at most)", ("construct", "pairs"), rows)


def _differences(records: Sequence[Record]) -> Grid:
    counts = Counter(r["difference"] for r in records if r["difference"])
    meanings = {str(difference): text for difference, text in DIFFERENCES.items()}
    rows = _counted(counts, len(records), lambda name: meanings.get(name, ""))
    return Grid("differences shown", ("difference", "pairs", "share", "meaning"), rows)


def _codes(records: Sequence[Record]) -> Grid:
    counts = Counter(r["failure_code"] for r in records if r["failure_code"])
    rows = tuple(row[:3] for row in _counted(counts, len(records), lambda _: ""))
    return Grid("queries that cannot be used", ("failure", "pairs", "share"), rows)


def _remarks(records: Sequence[Record]) -> Grid:
    counts = Counter(kind for r in records for kind in {one["kind"] for one in r.get("remarks", ())})
    rows = tuple(row[:3] for row in _counted(counts, len(records), lambda _: ""))
    return Grid("remarks", ("about", "pairs", "share"), rows)


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


def _counted(counts: Counter[str], total: int, meaning: Describe) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (str(name), str(count), f"{100 * count / total:.1f} %", meaning(str(name)))
        for name, count in counts.most_common()
    )
