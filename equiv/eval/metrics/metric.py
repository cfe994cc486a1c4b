"""A metric: its name, what it needs, what can be switched off, and what it says of a pair.

The published tools of execution accuracy compare cells exactly, as one engine gives them. Two engines
give one number as 5 and as 5.0, and add up floats in another order: across dialects numbers of equal
values are made the same cells.

Of ESM and ESM+ rules, values and DISTINCT can be switched off, as in arXiv 2407.07313, sections 2.2 and
5.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import isfinite
from pathlib import Path

from equiv.cells import Cell
from equiv.core.query import Broken, Query
from equiv.core.runner import Failure, Limits, Result
from equiv.dialects.crossing.dialect import is_across
from equiv.engine.pipeline import Engine
from equiv.eval.plan import Setting
from equiv.eval.reading.loading import joined_operators
from equiv.eval.worker import WORKER


@dataclass(frozen=True, slots=True)
class EsmSwitches:
    """The parts of ESM and ESM+ that are switched off."""

    disabled: frozenset[int] = frozenset()
    """Rules of ESM+ by number."""
    values: bool = True
    """Whether the values that columns are compared with count."""
    distinct: bool = True
    """Whether DISTINCT counts."""


EVERYTHING_COUNTS = EsmSwitches()


DIGITS = 12
"""The significant digits of a number that count."""

EngineAnswer = Result | Failure


def shown_alike(answers: tuple[EngineAnswer, EngineAnswer]) -> tuple[EngineAnswer, EngineAnswer]:
    """Both results, whole real numbers as integers, others rounded to :data:`DIGITS` significant digits."""
    pred, gold = map(_shown, answers)
    return pred, gold


def _shown(answer: EngineAnswer) -> EngineAnswer:
    if isinstance(answer, Failure):
        return answer
    return replace(answer, rows=tuple(tuple(map(_cell, row)) for row in answer.rows))


def _cell(cell: Cell) -> Cell:
    if not isinstance(cell, float) or not isfinite(cell):
        return cell
    number = cell if cell.is_integer() else float(f"{cell:.{DIGITS}g}")
    return int(number) if number.is_integer() else number


LIMITS = Limits(seconds=25.0)
"""What one query may cost on a populated database."""

BothAnswers = tuple[Result | Failure, Result | Failure]


class Needs(StrEnum):
    """The needs of a metric beside the two texts; a later one includes all earlier ones."""

    TEXTS = "nothing"
    SCHEMA = "a schema"
    DATABASE = "a populated database"


@dataclass(frozen=True)
class MetricPair:
    """A pair that metrics are asked about, with what several of them read, each thing once.

    Of the properties, a metric may use those that belong to what it :class:`Needs`; they are to be had inside
    a worker process alone, since they read and run the texts.
    """

    db_id: str
    pred: str
    gold: str
    switches: EsmSwitches = EVERYTHING_COUNTS

    @cached_property
    def engine(self) -> Engine:
        """The engine for the schema."""
        return WORKER.engine(self.db_id)

    @cached_property
    def queries(self) -> tuple[Query | Broken, Query | Broken]:
        """Prediction and gold query as they are read on the schema, with split operators joined."""
        gold = self.engine.read(joined_operators(self.gold), gold=True)
        return self.engine.read(joined_operators(self.pred)), gold

    @property
    def setting(self) -> Setting:
        """How pairs on the database are checked."""
        return WORKER.settings[self.db_id]

    @property
    def database(self) -> Path:
        """The file of the populated database."""
        path = self.setting.place.database
        assert path is not None
        return path

    @cached_property
    def answers(self) -> BothAnswers:
        """The results of prediction and gold query on the database."""
        return self.answers_on(self.database, self.pred, self.gold)

    def answers_on(self, file: Path, pred: str, gold: str) -> BothAnswers:
        """The results of two texts on a file, each on the engine of its dialect.

        Across dialects neither is known where the engines do not hold the same rows, and numbers are shown
        alike: see :func:`~equiv.eval.metrics.metric.shown_alike`.
        """
        answers = WORKER.answers(self.db_id, file, pred, gold, LIMITS)
        return shown_alike(answers) if is_across(self.setting.dialect) else answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A score of 1 or 0 for each pair of a prediction and a gold query."""

    name: str
    needs: Needs
    meaning: str
    """When a pair scores 1, in a line."""
    source: str
    """Who defines the metric: the publication, and the script where there is one."""
    score: Callable[[MetricPair], bool | None]
    """True scores 1, False 0; None: the pair cannot be measured, because the gold query fails, say."""
    heeds: frozenset[str] = frozenset()
    """The fields of :class:`EsmSwitches` that change the score."""
    leads: bool = False
    """Whether a report shows the share that scores 1 among its first figures."""
    across: bool = False
    """Whether the score is one of results, which queries of two dialects have as well."""
    relation: str = ""
    """The preset of ``--relation`` under which an evaluation measures this execution accuracy."""
    databases: frozenset[str] = frozenset()
    """The databases that the metric is about, by name; empty: any."""

    def stands(self, switches: EsmSwitches) -> bool:
        """Whether a score that was measured with everything counting is the score under the switches too."""
        return all(getattr(switches, name) == getattr(EVERYTHING_COUNTS, name) for name in self.heeds)


def same_results(answers: BothAnswers, same: Callable[[Result, Result], bool]) -> bool | None:
    """Whether results are the same by a comparison.

    A prediction that fails, or takes too long, is wrong, as every published tool has it; nothing is
    measured where the gold query fails.
    """
    match answers:
        case Result() as pred, Result() as gold:
            return same(pred, gold)
        case Failure(), Result():
            return False
    return None
