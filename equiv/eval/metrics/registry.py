"""The metrics, in the order in which reports show them."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.errors import InputError
from equiv.eval.metrics.execution import EX_BIRD, EX_ROSE, EX_SPIDER
from equiv.eval.metrics.metric import Metric, MetricPair, Needs
from equiv.eval.metrics.reliability import EX_TRUSTSQL
from equiv.eval.metrics.structure import EM, ESM, ESM_PLUS, ETM
from equiv.eval.metrics.switches import EVERYTHING_COUNTS, EsmSwitches
from equiv.eval.running.worker import WORKER

METRICS: tuple[Metric, ...] = (
    EM,
    ESM,
    ESM_PLUS,
    ETM,
    EX_BIRD,
    EX_SPIDER,
    EX_ROSE,
    EX_TRUSTSQL,
)


def metrics_of(needs: Needs) -> list[Metric]:
    """The metrics that need so much."""
    return [metric for metric in METRICS if metric.needs is needs]


def metric_named(name: str) -> Metric:
    """The metric of that name.

    Raises:
        InputError: there is none.
    """
    for metric in METRICS:
        if metric.name == name:
            return metric
    raise InputError(f"no metric {name!r}; choose one of {', '.join(each.name for each in METRICS)}")


def execution_metric(relation: str) -> str:
    """The name of the execution accuracy that goes with a relation; with no preset, that of BIRD."""
    return next((each.name for each in METRICS if each.relation == relation != ""), EX_BIRD.name)


def scored(
    db_id: str, pred: str, gold: str, names: Sequence[str], switches: EsmSwitches = EVERYTHING_COUNTS
) -> dict[str, bool | None]:
    """What metrics say of a pair, inside a worker process.

    Args:
        db_id: the database.
        pred: the prediction.
        gold: the gold query.
        names: of the metrics; one that needs a populated database measures nothing where there is none.
        switches: what does not count.
    """
    asked = MetricPair(db_id, pred, gold, switches)
    has_rows = WORKER.settings[db_id].place.database is not None
    metrics = map(metric_named, names)
    return {m.name: m.score(asked) if has_rows or m.needs is not Needs.DATABASE else None for m in metrics}


def scored_on_any(db_id: str, pred: str, golds: Sequence[str], name: str) -> bool | None:
    """What a metric says of a prediction that may meet any gold query, inside a worker process.

    None where nothing can be measured with any of them.
    """
    found = [scored(db_id, pred, gold, (name,))[name] for gold in golds]
    known = [score for score in found if score is not None]
    return any(known) if known else None
