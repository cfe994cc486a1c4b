"""The metrics, in the order in which reports show them, and the measuring of pairs by them.

Some need more than the records: the schema, or the populated database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from equiv.dialects.crossing.dialect import giver_of, is_across
from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.metrics.execution import EX_BIRD, EX_ROSE, EX_SPIDER, Credit, credited
from equiv.eval.metrics.metric import EVERYTHING_COUNTS, EsmSwitches, Metric, MetricPair, Needs
from equiv.eval.metrics.nl2sqlbench import GoldSchema, gold_schema
from equiv.eval.metrics.reliability import EX_TRUSTSQL
from equiv.eval.metrics.scores import Measured, PairId, by_execution, golds_of, pair_of
from equiv.eval.metrics.structure import EM, ESM, ESM_PLUS, ETM, accumulated
from equiv.eval.plan import settings_of
from equiv.eval.worker import WORKER, SideWorker
from equiv.options import Options, dialects_in
from equiv.records.record import Record
from equiv.schema.locate import Place, places_for_eval

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
    """The scores of metrics for a pair, computed inside a worker process.

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


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a metric says of a prediction that may meet any gold query."""

    score: bool | None = None
    """None where nothing can be measured with any of them."""
    late: frozenset[str] = frozenset()
    """The sides that ran out of :data:`~equiv.eval.metrics.metric.LIMITS`: ``pred``, ``gold``."""
    ms: float = 0.0


def scored_on_any(db_id: str, pred: str, golds: Sequence[str], name: str) -> Scoring:
    """The metric's word on a prediction that may meet any gold query, computed inside a worker process."""
    begun = perf_counter()
    WORKER.late.clear()
    found = [scored(db_id, pred, gold, (name,))[name] for gold in golds]
    known = [score for score in found if score is not None]
    spent = round(1000 * (perf_counter() - begun), 3)
    return Scoring(any(known) if known else None, frozenset(WORKER.late), spent)


@dataclass(frozen=True, slots=True)
class MetricContext:
    """The databases and options with which pairs are measured."""

    db_root: Path | None = None
    schema: Path | None = None
    switches: EsmSwitches = EVERYTHING_COUNTS
    """What does not count, for metrics that heed it."""
    ablation: bool = False
    """Whether the rules of ESM+ are added one by one too."""
    gold_schemas: bool = False
    """Whether to tell which tables and columns gold queries read."""
    dialect: str = ""
    """The dialect of the pairs, by name; '' is the one that the records tell, else the reference."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of measuring metrics."""

    measures: tuple[Measured, ...]
    steps: tuple[Measured, ...] = ()
    """ESM+ with its rules added one by one."""
    remarks: tuple[str, ...] = ()
    gold_schemas: Mapping[tuple[str, str], GoldSchema] = field(default_factory=dict)
    """The tables and columns that gold queries read, by database and text, if wanted."""
    credits: Mapping[PairId, Credit] = field(default_factory=dict)
    """Partial credit, where there is a database."""


StepWatch = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Watches over so many steps: gives what is called after each."""


def measure(
    records: Sequence[Record], context: MetricContext, watch: StepWatch = lambda _: nullcontext(lambda: None)
) -> Measurement:
    """Measure the metrics that the context allows on some records; the measurement has remarks on it.

    Args:
        context: where they are measured.
        watch: is told how many times a pair is looked at in a worker, and each time.

    Raises:
        InputError: an option leads nowhere, or the records are of several dialects, or of another one.
    """
    dialect = dialect_named(_dialect_of(records, context.dialect))
    texts = _given(metrics_of(Needs.TEXTS), dialect)
    by_texts = [_by_texts(metric, records, context.switches) for metric in texts]
    apart = [_NOT_ACROSS.format(", ".join(m.name for m in METRICS if not m.across))] * is_across(dialect)
    if context.db_root is None and context.schema is None:
        return Measurement(tuple(by_texts), remarks=tuple(apart))
    if apart and context.ablation:
        raise InputError("the ablation of ESM+ compares trees of one dialect: leave --ablation out")
    places, missing = _places({record["db_id"] for record in records}, context, giver_of(dialect).name)
    settings = settings_of(places, Options(**dialects_in(dialect.name)))
    known = sorted((r for r in records if r["db_id"] in settings), key=lambda record: str(record["db_id"]))
    unplaced = [f"no database or schema, so not measured: {', '.join(missing)}"] if missing else []
    populated = [r for r in known if settings[r["db_id"]].place.database is not None]
    held = _held(records, context.switches)
    names = tuple(metric.name for metric in _given(metrics_of(Needs.SCHEMA), dialect))
    # By structure once a pair, and twice by its results: for accuracy and for partial credit.
    looks = (bool(names) + context.ablation) * len(known) + 2 * len(populated)
    with watch(looks) as advance, closing(SideWorker(settings, advance)) as aside:
        executed = _given(metrics_of(Needs.DATABASE), dialect)
        executions = _executions(aside, context.switches, populated, held, executed) if populated else held
        structural = _run(aside, known, scored, names, context.switches) if names else []
        measures = (*by_texts, *structural, *executions)
        steps = _run(aside, known, accumulated, context.switches) if context.ablation else []
        schemas = _gold_schemas(known, aside) if context.gold_schemas else {}
        remarks = (*apart, *unplaced)
        return Measurement(measures, tuple(steps), remarks, schemas, _credits(populated, aside))


_NOT_ACROSS = "{} compare texts or trees of one dialect, and are not given across two"


def _given(metrics: Sequence[Metric], dialect: Dialect) -> list[Metric]:
    """The metrics that there are for pairs of a dialect."""
    return [metric for metric in metrics if metric.across or not is_across(dialect)]


def _dialect_of(records: Iterable[Record], named: str) -> str:
    """The name of the dialect of some records, which an option may name as well.

    Raises:
        InputError: there are several, or the option names another one.
    """
    told = sorted({record.get("dialect", "") for record in records} - {""})
    if len(told) > 1:
        raise InputError(f"the records have several dialects; report one at a time: {', '.join(told)}")
    if told and named and dialect_named(named).name != told[0]:
        raise InputError(f"the records have the dialect {told[0]}, not {named}")
    return told[0] if told else named


def _held(records: Sequence[Record], switches: EsmSwitches) -> list[Measured]:
    """The execution accuracies that records hold, measured as the switches have it."""
    stale = {metric.name for metric in METRICS if not metric.stands(switches)}
    return [own for own in by_execution(records) if own.name not in stale]


def _executions(
    aside: SideWorker,
    switches: EsmSwitches,
    records: Sequence[Record],
    held: Sequence[Measured],
    metrics: Sequence[Metric],
) -> list[Measured]:
    """Every execution accuracy of some records; what these hold is not measured again."""
    about = {record["db_id"] for record in records}
    measured = tuple(m.name for m in metrics if not m.databases or m.databases & about)
    scores: dict[str, dict[PairId, bool]] = {name: {} for name in measured}
    scores |= {own.name: dict(own.scores) for own in held}
    missing: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        names = tuple(name for name in measured if pair_of(record) not in scores[name])
        missing.setdefault(names, []).append(record)
    for names, own in missing.items():
        for found in _run(aside, own, scored, names, switches) if names else []:
            scores[found.name] |= found.scores
    return [Measured(name, own) for name, own in scores.items()]


def _golds(record: Record) -> list[str]:
    """The gold queries of a record that are texts; the best of them counts."""
    return [gold for gold in golds_of(record) if gold.strip()]


def _by_texts(metric: Metric, records: Iterable[Record], switches: EsmSwitches) -> Measured:
    """What a metric of the texts alone says; untrusted ones are neither read nor run for it."""
    scores: dict[PairId, bool] = {}
    for record in records:
        asked = (
            MetricPair(record["db_id"], record["predicted_sql"], gold, switches) for gold in _golds(record)
        )
        known = [score for score in map(metric.score, asked) if score is not None]
        if known:
            scores[pair_of(record)] = any(known)
    return Measured(metric.name, scores)


def _credits(records: Sequence[Record], aside: SideWorker) -> dict[PairId, Credit]:
    found = {pair_of(r): aside.ask(credited, r["db_id"], r["predicted_sql"], golds_of(r)) for r in records}
    return {pair: one for pair, one in found.items() if one is not None}


def _gold_schemas(records: Sequence[Record], aside: SideWorker) -> dict[tuple[str, str], GoldSchema]:
    wanted = dict.fromkeys((record["db_id"], record["gold_sql"]) for record in records)
    found = {place: aside.ask(gold_schema, *place) for place in wanted}
    return {place: schema for place, schema in found.items() if schema is not None}


def _places(names: set[str], context: MetricContext, dialect: str) -> tuple[dict[str, Place], list[str]]:
    """The places of the databases that can be found, and the names of the others."""
    places: dict[str, Place] = {}
    missing = []
    for name in sorted(names):
        try:
            places |= places_for_eval([name], context.db_root, context.schema, dialect)
        except (InputError, ValueError):  # ValueError: a name that no file system takes
            missing.append(name or "no db_id")
    if names and not places:
        places_for_eval(sorted(names), context.db_root, context.schema, dialect)
    return places, missing


def _run(
    aside: SideWorker,
    records: Sequence[Record],
    function: Callable[..., dict[str, bool | None]],
    *how: object,
) -> list[Measured]:
    """The scores that a function gives by metric, of each record; the best gold query counts."""
    scores: dict[str, dict[PairId, bool]] = {}
    for record in records:
        for gold in _golds(record):
            texts = record["predicted_sql"], gold
            for name, score in (aside.ask(function, record["db_id"], *texts, *how) or {}).items():
                own = scores.setdefault(name, {})
                if score is not None:
                    own[pair_of(record)] = score or own.get(pair_of(record), False)
    return [Measured(name, own) for name, own in scores.items()]
