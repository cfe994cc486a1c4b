"""The report on results files: what every metric says of their records."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.blocks import Block, Text
from equiv.eval.metrics.agreement import agreement_blocks
from equiv.eval.metrics.measured import (
    GROUPS,
    Measured,
    against_labels,
    by_judge,
    by_verdict,
    pairs_in,
    share_grid,
)
from equiv.record import Record


def report_of(records: Sequence[Record], measures: Sequence[Measured] = ()) -> list[Block]:
    """Shares by system, difficulty and database, and agreement with labels where there are some.

    Args:
        records: result records.
        measures: metrics beside the verdicts and the scores of judges, which the records hold.
    """
    if not records:
        return [Text("No record.")]
    found = [by_verdict(records), *by_judge(records), *measures]
    records = pairs_in(records)
    blocks: list[Block] = [
        grid
        for by in GROUPS
        if by != "difference" and len((grid := share_grid(records, found, by)).rows) > (by != "all")
    ]
    return [*blocks, *labels(records, found)]


def labels(records: Sequence[Record], measures: Sequence[Measured]) -> list[Block]:
    """The agreement of metrics with the labels; nothing without labels."""
    outcomes = {measured.name: against_labels(records, measured) for measured in measures}
    samples = {name: counts for name, counts in outcomes.items() if counts}
    return agreement_blocks(samples) if samples else []
