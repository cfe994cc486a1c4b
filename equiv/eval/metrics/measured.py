"""What a metric says of some records, and what it comes to: shares by group, outcomes against labels.

A share is the part of *all* records of a group that the metric gives 1: what it
cannot measure counts as no, and is told.  Its interval is Wilson's (E. B. Wilson,
JASA 22, 1927, formula 1), which needs no resampling.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from equiv.blocks import Grid
from equiv.record import Record

Z = 1.959963984540054
"""The 97.5th percentile of the normal distribution: an interval of 95 %."""


PairId = tuple[str, str, str, str, str]
"""What tells pairs apart however they were checked: source, question id, database and both texts."""


def pair_of(record: Record) -> PairId:
    """The pair that a record is about; a file may hold it with and without a judge."""
    number = json.dumps(record["question_id"], sort_keys=True)
    return record["source"], number, record["db_id"], record["predicted_sql"], record["gold_sql"]


def pairs_in(records: Iterable[Record]) -> list[Record]:
    """One record a pair, the last one."""
    return list({pair_of(record): record for record in records}.values())


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric's answers by pair; a pair that is missing has none."""

    name: str
    scores: Mapping[PairId, bool]


def by_verdict(records: Iterable[Record]) -> Measured:
    """``equiv``: 1 if proved equivalent, 0 if refuted or invalid, nothing if undecided."""
    known = {"equivalent": True, "not_equivalent": False, "invalid": False}
    return Measured("equiv", {pair_of(r): known[r["verdict"]] for r in records if r["verdict"] in known})


def by_judge(records: Iterable[Record]) -> list[Measured]:
    """The scores of each judge by which some of the records were judged."""
    found: dict[str, dict[PairId, bool]] = {}
    for record in records:
        if record["judge"]:
            scores = found.setdefault(name_of_judge(record), {})
            if record["score"] is not None:
                scores[pair_of(record)] = record["score"] == 1
    return [Measured(name, scores) for name, scores in found.items()]


def name_of_judge(record: Record) -> str:
    """How a judged record was judged."""
    judge = record["judge"]
    run = f", run {judge['run']}" if judge["run"] else ""
    savings = ", ".join(judge["savings"]) or "none"
    return f"{judge['model']}{run}, variant {judge['variant']}, savings {savings}"


def against_labels(records: Iterable[Record], measured: Measured) -> Counter[tuple[bool, bool]]:
    """How many (label, score) pairs there are, of the records that have both."""
    return Counter(
        (record["label"], measured.scores[pair_of(record)])
        for record in records
        if isinstance(record["label"], bool) and pair_of(record) in measured.scores
    )


def wilson(ones: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a share."""
    if not total:
        return 0.0, 1.0
    share, spread = ones / total, Z * Z / total
    middle = share + spread / 2
    reach = Z * sqrt(share * (1 - share) / total + spread / (4 * total))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return (0.0 if ones == 0 else low), (1.0 if ones == total else high)


def share(ones: int, total: int) -> str:
    """A share in percent with its interval."""
    if not total:
        return "-"
    low, high = wilson(ones, total)
    return f"{100 * ones / total:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


GROUPS: dict[str, Callable[[Record], str]] = {
    "all": lambda _: "all",
    "system": lambda record: record["source"],
    "difficulty": lambda record: text_of(record["difficulty"]),
    "database": lambda record: record["db_id"],
    "difference": lambda record: text_of(record["difference"]),
}
"""What records may be grouped by."""


def text_of(value: object) -> str:
    """A field as the name of a group."""
    if value is None or value == "":
        return "-"
    return value if isinstance(value, str) else json.dumps(value)


def grouped(records: Iterable[Record], by: str) -> dict[str, list[Record]]:
    """Records by group, in order of appearance."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(GROUPS[by](record), []).append(record)
    return found


def share_grid(records: Sequence[Record], measures: Sequence[Measured], by: str) -> Grid:
    """The share of each metric in each group; a last row for all, if there are several groups."""
    groups = grouped(records, by)
    if len(groups) > 1:
        groups["all"] = list(records)
    rows = tuple(
        (name, str(len(own)), *(_share_of(own, measured) for measured in measures))
        for name, own in groups.items()
    )
    title = "scored 1" if by == "all" else f"scored 1, by {by}"
    return Grid(
        f"{title}: percent of all pairs with 95 % intervals", (by, "pairs", *(m.name for m in measures)), rows
    )


def _share_of(records: Sequence[Record], measured: Measured) -> str:
    scores = [measured.scores.get(pair_of(record)) for record in records]
    unknown = scores.count(None)
    shown = share(scores.count(True), len(scores))
    return f"{shown}, {unknown} open" if unknown else shown
