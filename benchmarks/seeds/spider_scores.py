"""ESM, ESM+ and execution accuracy of the eight systems of Spider dev, measured once and kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import ROOT
from benchmarks.journal import keep_line, kept_lines
from benchmarks.pairs.corpora import DATA
from equiv.eval.metrics.execution import EX_SPIDER
from equiv.eval.metrics.metric import EsmSwitches, MetricPair
from equiv.eval.metrics.structure import ESM, ESM_PLUS
from equiv.eval.plan import settings_of
from equiv.eval.reading.loading import joined_operators
from equiv.eval.worker import WORKER
from equiv.options import Options
from equiv.schema.locate import Place, places_for_eval

SPIDER = DATA / "spider"
KEPT = ROOT / "results" / "seeds.spider.jsonl"
WITHOUT_ROWS = "wta_1"
"""The one database of Spider dev that is not at hand with its rows."""

LOOSE = EsmSwitches(values=False, distinct=False)
"""Neither values nor DISTINCT count: how leaderboards have it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of ESM+'s Table 2, and how it is measured."""

    name: str
    score: Callable[[MetricPair], bool | None]
    switches: EsmSwitches
    has_rows: bool
    """Whether schemas are those of the databases; else of ``tables.json``."""


MEASURES = (
    Measure("EXE", EX_SPIDER.score, EsmSwitches(distinct=False), has_rows=True),
    Measure("ESM", ESM.score, LOOSE, has_rows=False),
    Measure("ESM+", ESM_PLUS.score, EsmSwitches(), has_rows=True),
)


@dataclass(frozen=True, slots=True)
class Score:
    """What a measure says of a system, question by question."""

    scores: tuple[bool | None, ...]
    """None where nothing is measured."""
    seconds: float

    @property
    def percent(self) -> float:
        """The share of what was measured."""
        known = [score for score in self.scores if score is not None]
        return 100 * sum(known) / len(known)


def scores(systems: list[str]) -> dict[tuple[str, str], Score]:
    """The scores by system and measure, from the file that keeps them; what it lacks is measured."""
    known = _kept()
    for measure in MEASURES:
        for system in systems:
            if (system, measure.name) not in known:
                print(f"measuring {measure.name} of {system}", file=sys.stderr, flush=True)
                known[system, measure.name] = _keep(system, measure.name, _measured(system, measure))
    return known


def seconds_spent() -> float:
    """How long the kept scores took to measure."""
    return sum(score.seconds for score in _kept().values())


def _kept() -> dict[tuple[str, str], Score]:
    lines = kept_lines(KEPT)
    return {
        (each["system"], each["measure"]): Score(tuple(each["scores"]), each["seconds"]) for each in lines
    }


def _keep(system: str, name: str, score: Score) -> Score:
    keep_line(KEPT, {"system": system, "measure": name, "seconds": score.seconds, "scores": score.scores})
    return score


def pairs(system: str) -> list[MetricPair]:
    """The pairs of a system; a prediction may have its database after a tab."""
    golds = [line.rsplit("\t", 1) for line in _lines("gold")]
    predictions = (line.split("\t")[0] for line in _lines(system))
    return [
        MetricPair(db_id, joined_operators(pred), joined_operators(gold))
        for pred, (gold, db_id) in zip(predictions, golds, strict=True)
    ]


def _lines(name: str) -> list[str]:
    return (SPIDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _places(names: set[str], *, has_rows: bool) -> dict[str, Place]:
    if not has_rows:
        return places_for_eval(sorted(names), None, SPIDER / "tables.json")
    places = places_for_eval(sorted(names - {WITHOUT_ROWS}), SPIDER / "database", None)
    return {**places, **places_for_eval([WITHOUT_ROWS], None, SPIDER / "tables.json")}


def _measured(system: str, measure: Measure) -> Score:
    own = pairs(system)
    WORKER.__init__()  # type: ignore[misc]
    WORKER.settings = settings_of(_places({a.db_id for a in own}, has_rows=measure.has_rows), Options())
    needs_rows = measure.name == "EXE"
    start = time.perf_counter()
    found = tuple(
        None
        if needs_rows and asked.db_id == WITHOUT_ROWS
        else bool(measure.score(MetricPair(asked.db_id, asked.pred, asked.gold, measure.switches)))
        for asked in own
    )
    return Score(found, round(time.perf_counter() - start, 1))


VERDICTS = ROOT / "results" / "seeds.spider_verdicts.jsonl"


def verdicts(asked: Sequence[MetricPair]) -> list[str]:
    """The verdicts on some pairs under Spider's relation, kept like the scores."""
    known = {tuple(line["pair"]): str(line["verdict"]) for line in kept_lines(VERDICTS)}
    wanted = sorted({(a.db_id, a.pred, a.gold) for a in asked} - known.keys())
    WORKER.__init__()  # type: ignore[misc]
    places = _places({db_id for db_id, _, _ in wanted} | {WITHOUT_ROWS}, has_rows=True)
    WORKER.settings = settings_of(places, Options(relation="spider"))
    for pair in wanted:
        known[pair] = WORKER.engine(pair[0]).check(*pair[1:]).name
        keep_line(VERDICTS, {"pair": pair, "verdict": known[pair]})
    return [known[a.db_id, a.pred, a.gold] for a in asked]


def is_at_hand() -> bool:
    """Whether the predictions and databases are."""
    return (SPIDER / "gold.txt").exists()
