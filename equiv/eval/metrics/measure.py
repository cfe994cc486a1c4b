"""Metrics that need more than the records: the schema, or the populated database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.aside import Aside
from equiv.eval.metrics.execution import EX_METRICS, executed
from equiv.eval.metrics.measured import Measured, PairId, pair_of
from equiv.eval.plan import Setting, settings_of
from equiv.locate import Place, places_for_eval
from equiv.options import Options
from equiv.record import Record


@dataclass(frozen=True, slots=True)
class Bench:
    """Where pairs are measured, and how."""

    db_root: Path | None = None
    schema: Path | None = None
    keep_distinct: bool = True
    """Whether DISTINCT counts in ``ex-spider``, ``esm`` and ``esm+``."""


def measure(records: Sequence[Record], bench: Bench) -> tuple[list[Measured], list[str]]:
    """What the metrics that the bench allows say of some records, and what is worth saying of it.

    Raises:
        InputError: an option leads nowhere.
    """
    if bench.db_root is None and bench.schema is None:
        return [], []
    places, missing = _places({record["db_id"] for record in records}, bench)
    settings = settings_of(places, Options())
    known = [record for record in records if record["db_id"] in settings]
    remarks = [f"no database or schema, so not measured: {', '.join(missing)}"] if missing else []
    with closing(Aside(settings)) as aside:
        return _by_execution(known, settings, aside, bench), remarks


def _places(names: set[str], bench: Bench) -> tuple[dict[str, Place], list[str]]:
    """The places of the databases that can be found, and the names of the others."""
    places: dict[str, Place] = {}
    missing = []
    for name in sorted(names):
        try:
            places |= places_for_eval([name], bench.db_root, bench.schema)
        except InputError:
            missing.append(name)
    if names and not places:
        places_for_eval(sorted(names), bench.db_root, bench.schema)
    return places, missing


def _by_execution(
    records: Sequence[Record], settings: Mapping[str, Setting], aside: Aside, bench: Bench
) -> list[Measured]:
    """The EX metrics, if any of the databases has rows."""
    populated = [r for r in records if settings[r["db_id"]].place.database is not None]
    if not populated:
        return []
    scores: dict[str, dict[PairId, bool]] = {name: {} for name in EX_METRICS}
    for record in populated:
        texts = record["predicted_sql"], record["gold_sql"]
        found = aside.ask(executed, record["db_id"], *texts, bench.keep_distinct) or {}
        for name, score in found.items():
            if score is not None:
                scores[name][pair_of(record)] = score
    return [Measured(name, own) for name, own in scores.items()]
