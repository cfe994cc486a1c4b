"""A fuzzing run: batch after batch until the time or the number is reached, kept and resumed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from equiv.core.model import REFERENCE, Schema
from equiv.dialects.registry import dialect_named
from equiv.testing.fuzz.attacker import Asking
from equiv.testing.fuzz.batches import attacked, batches
from equiv.testing.fuzz.findings import Findings
from equiv.testing.fuzz.own_words import batches as own_words
from equiv.testing.fuzz.report import Written, write_findings
from equiv.testing.fuzz.tasks import Task, run

KEPT = "fuzz.jsonl"
"""The file of a run's folder that keeps what came of each batch."""


@dataclass(frozen=True, slots=True)
class FuzzOrder:
    """The request of a fuzzing run.

    Attributes:
        out: the folder of the run, which a rerun goes on from.
        seed: what the pairs are drawn from.
        schema: what they are made on; None: schemas are drawn.
        dialect: what dialect they are of, by name.
        asking: how much is asked and tried of each pair.
        pairs: how many; None: as many as there is time for.
        seconds: after so long no further batch is begun; None: when the pairs are done.
        workers: processes.
    """

    out: Path
    seed: int
    schema: Schema | None
    dialect: str
    asking: Asking
    pairs: int | None
    seconds: float | None
    workers: int


@dataclass(slots=True)
class Done:
    """The outcome of a fuzzing run."""

    found: Findings
    seconds: float = 0.0
    lost: int = 0
    """Batches that were lost with their process."""
    is_cut_short: bool = False
    """It was interrupted; what was done is kept."""


def fuzz(order: FuzzOrder, tell: Callable[[str], None]) -> Done:
    """Ask about random pairs; each finding is told, and written, when it comes."""
    done, start = Done(Findings()), monotonic()
    work, do = _work_of(order)
    limit = math.inf if order.seconds is None else order.seconds
    try:
        for each in run(work, do, order.workers, order.out / KEPT, seconds=limit, tell=tell):
            if each is None:
                done.lost += 1
                continue
            own = Findings()
            own.add(each)
            _tell_of(write_findings(own, order.out), order.dialect, tell)
            done.found.add(each)
    except KeyboardInterrupt:
        done.is_cut_short = True
    done.seconds = monotonic() - start
    return done


def _work_of(order: FuzzOrder) -> tuple[Iterable[Task], Callable[[Any], dict[str, Any]]]:
    """The batches, and what does one in a worker."""
    if order.dialect == REFERENCE:
        return batches(order.seed, order.schema, order.asking, order.pairs), attacked
    drawn = own_words.batches(order.dialect, order.seed, order.asking, order.pairs)
    return drawn, own_words.attacked


def _tell_of(written: Written, dialect: str, tell: Callable[[str], None]) -> None:
    for path in written.findings:
        tell(f"found: {path}")
    for path in written.scripts:
        tell(f"replay: {' '.join(dialect_named(dialect).engine.command(str(path), None))}")
