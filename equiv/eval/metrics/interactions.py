"""Question- and interaction-level accuracy of conversational sets.

Source: CoSQL (arXiv 1909.05378, section 5) and SParC, as ESM+ (arXiv 2407.07313, Table 3) shows them: a
question is right by itself; an interaction is right if each of its questions is.  Turns are those of Spider's
``evaluation.py``: 1 to 4, and later ones together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from equiv.eval.metrics.measured import Measured, grouped, pair_of
from equiv.eval.metrics.shares import share
from equiv.records.record import Record
from equiv.show.page import Grid

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
