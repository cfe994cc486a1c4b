"""The report on results files: what every metric says of their records.

Of conversational sets it shows accuracy by question and by interaction. Source: CoSQL (arXiv 1909.05378,
section 5) and SParC, as ESM+ (arXiv 2407.07313, Table 3) shows them: a question is right by itself; an
interaction is right if each of its questions is. Turns are those of Spider's ``evaluation.py``: 1 to 4, and
later ones together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.metrics.agreement import (
    System,
    agreement_blocks,
    class_grid,
    gap_grids,
    kind_grid,
    metrics_named,
    time_grid,
)
from equiv.eval.metrics.execution import credit_grid
from equiv.eval.metrics.nl2sqlbench import answered
from equiv.eval.metrics.nl2sqlbench_tables import module_blocks
from equiv.eval.metrics.registry import Measurement, execution_metric
from equiv.eval.metrics.reliability import is_about_abstention, reliability_blocks
from equiv.eval.metrics.scores import (
    Measured,
    against_labels,
    against_verdicts,
    by_execution,
    by_judge,
    by_verdict,
    compared,
    group_grid,
    grouped,
    missed_grid,
    pair_of,
    pairs_in,
    read_scores,
    share,
    share_grid,
    wrong_grid,
)
from equiv.eval.reading.nl2sqlbench import ModuleNode
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text

Interaction = tuple[str, str]
"""System and interaction."""


def interactions_in(records: Sequence[Record]) -> dict[Interaction, list[Record]]:
    """The questions of each interaction in order; records that name none are left out."""
    found: dict[Interaction, list[Record]] = {}
    for record in records:
        if record["interaction"] is not None:
            name = json.dumps(record["interaction"], sort_keys=True)
            found.setdefault((record["source"], name), []).append(record)
    return found


def interaction_grid(records: Sequence[Record], measures: Sequence[Measured]) -> Grid | None:
    """Each metric by question and by interaction, a system a row; None without interactions."""
    told = [record for record in records if record["interaction"] is not None]
    if not told:
        return None
    rows = []
    for system, own in grouped(told, "system").items():
        talks = list(interactions_in(own).values())
        cells = [_both(own, talks, measured) for measured in measures]
        rows.append((system, str(len(own)), str(len(talks)), *(cell for pair in cells for cell in pair)))
    figures = tuple(f"{measured.name}, by {level}" for measured in measures for level in ("Q", "I"))
    columns = ("system", "questions (Q)", "interactions (I)", *figures)
    return Grid("questions and interactions right: percent with 95 % intervals", columns, tuple(rows))


def _both(
    records: Sequence[Record], talks: Sequence[Sequence[Record]], measured: Measured
) -> tuple[str, str]:
    right = [_is_right(record, measured) for record in records]
    whole = [all(_is_right(record, measured) for record in talk) for talk in talks]
    return share(sum(right), len(right)), share(sum(whole), len(whole))


def _is_right(record: Record, measured: Measured) -> bool:
    return measured.scores.get(pair_of(record)) is True


def turn_grid(records: Sequence[Record], measures: Sequence[Measured]) -> Grid | None:
    """Each metric by turn, over all systems; None without interactions."""
    turns: dict[str, list[Record]] = {}
    for talk in interactions_in(records).values():
        for number, record in enumerate(talk, 1):
            turns.setdefault(f"turn {number}" if number <= 4 else "turn > 4", []).append(record)
    rows = tuple(
        (turn, str(len(own)), *(share(sum(_is_right(r, m) for r in own), len(own)) for m in measures))
        for turn, own in sorted(turns.items())
    )
    columns = ("turn", "questions", *(measured.name for measured in measures))
    return Grid("questions right by turn: percent with 95 % intervals", columns, rows) if rows else None


@dataclass(frozen=True, slots=True)
class ReportChoices:
    """The options of a report."""

    right_by: str = ""
    """The metric that says what is right where a system may abstain; '' chooses one."""
    penalties: tuple[str, ...] = ("0", "10", "N")
    nodes: tuple[ModuleNode, ...] = ()
    """What the modules of systems gave."""
    calls: int | None = None
    """A budget for a question, in calls to a model."""
    tokens: int | None = None
    scores: tuple[Path, ...] = ()
    """Files with recorded scores of other metrics."""
    gap: str = ""
    """Two metrics, as ``ONE:OTHER``."""
    systems: Mapping[str, System] = field(default_factory=dict)
    """Class and date of systems by name."""


DEFAULTS = ReportChoices()

LOGS = "logs"
"""What ``right_by`` says where the logs of modules tell what was right."""

COLUMNS = 7
"""How many metrics stand side by side."""


def report_of(
    records: Sequence[Record], measurement: Measurement, wanted: ReportChoices = DEFAULTS
) -> list[Block]:
    """Shares by system, difficulty and database, agreement with labels, and what each metric gets wrong.

    Args:
        records: result records.
        measurement: metrics beside the verdicts and the scores of judges, which the records hold.
        wanted: choices of the user.

    Raises:
        InputError: there is no such metric.
    """
    if not records:
        return [Text("No record.")]
    everything = pairs_in(records)
    records = compared(records)
    measures = measures_of(records, measurement, wanted.scores)
    records = pairs_in(records)
    blocks: list[Block] = [share_grid(records, measures)]
    for by in ("system", "difficulty", "database"):
        grids = [group_grid(records, few, by) for few in _few(measures)]
        blocks += [grid for grid in grids if len(grid.rows) > 1]
    talks = interaction_grid(records, measures), turn_grid(records, measures)
    blocks += [grid for grid in talks if grid is not None]
    blocks += [*labels(records, measures), *mistakes(records, measures)]
    if measurement.credits:
        blocks.append(credit_grid(records, measurement.credits))
    if wanted.gap:
        blocks += _parted(records, *metrics_named(wanted.gap, measures), wanted.systems)
    if is_about_abstention(everything):
        blocks += reliability_blocks(everything, chosen(measures, wanted.right_by), wanted.penalties)
    if wanted.nodes:
        right = None if wanted.right_by == LOGS else chosen(measures, wanted.right_by)
        questions = answered(wanted.nodes, records, right, measurement.gold_schemas)
        blocks += module_blocks(questions, wanted.calls, wanted.tokens)
    return [*blocks, *ablation(records, measurement.steps)]


def _parted(
    records: Sequence[Record], first: Measured, second: Measured, systems: Mapping[str, System]
) -> list[Block]:
    """Where two metrics part: by group, by what the Refuter says, by class of system and over time."""
    grids: list[Grid | None] = [*gap_grids(records, first, second), kind_grid(records, first, second)]
    if systems:
        grids += [make(records, first, second, systems) for make in (class_grid, time_grid)]
    return [grid for grid in grids if grid is not None]


def measures_of(
    records: Sequence[Record], measurement: Measurement, scores: Sequence[Path] = ()
) -> list[Measured]:
    """Every metric at hand: verdicts, judges, what was measured, and what stands recorded in files.

    Raises:
        InputError: a file of recorded scores cannot be read.
    """
    own = [by_verdict(records), *by_judge(records), *measurement.measures]
    names = {measured.name for measured in own}
    own += [measured for measured in by_execution(records) if measured.name not in names]
    return [*own, *read_scores(scores, pairs_in(records))]


def chosen(measures: Sequence[Measured], name: str) -> Measured:
    """The metric of that name; where none is named, execution accuracy if there is some, else the verdict.

    Raises:
        InputError: there is none.
    """
    known = {measured.name: measured for measured in measures}
    if not name:
        return known.get(execution_metric(""), known["equiv"])
    if name not in known:
        raise InputError(f"no metric {name!r} here; choose one of {', '.join(known)}")
    return known[name]


def labels(records: Sequence[Record], measures: Sequence[Measured]) -> list[Block]:
    """The agreement of metrics with the labels; nothing without labels."""
    outcomes = {measured.name: against_labels(records, measured) for measured in measures}
    samples = {name: counts for name, counts in outcomes.items() if counts}
    return agreement_blocks(samples) if samples else []


def mistakes(records: Sequence[Record], measures: Sequence[Measured]) -> list[Block]:
    """The errors of metrics against labels and proofs, by system."""
    truths = (
        (measures, against_labels, "against the labels: percent of pairs"),
        (measures[1:], against_verdicts, "against what is proved: percent of pairs"),
    )
    grids = [
        wrong_grid(records, few, against, title)
        for chosen_ones, against, title in truths
        for few in _few(chosen_ones)
    ]
    return [grid for grid in grids if grid is not None]


def _few(measures: Sequence[Measured]) -> list[Sequence[Measured]]:
    """The metrics in lots that a table has room for."""
    return [measures[start : start + COLUMNS] for start in range(0, len(measures), COLUMNS)]


def ablation(records: Sequence[Record], steps: Sequence[Measured]) -> list[Block]:
    """How many right predictions ESM+ misses as its rules are added."""
    truths = ("the labels", against_labels), ("what is proved or refuted", against_verdicts)
    return [
        missed_grid(records, steps, against, f"false negatives of ESM+ against {name}: percent of pairs")
        for name, against in truths
        if steps and any(against(records, step) for step in steps)
    ]
