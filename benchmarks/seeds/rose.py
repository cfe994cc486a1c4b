"""ROSE: agreement with experts, and where it parts from execution accuracy (arXiv 2604.12988).

The paper's numbers are those that public summaries of it quote and that the figure scripts of its repository
hold; the text of the paper is not at hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks.journal import read_lines
from benchmarks.pairs.corpora import DATA
from benchmarks.seeds.table import Cell, Paper, Table, numbers, printed, rows_of
from equiv.eval.metrics.agreement import (
    FIGURES,
    System,
    agreement,
    class_grid,
    parted_by_kind,
    system_gap,
    time_grid,
)
from equiv.eval.metrics.scores import Measured, grouped, pair_of
from equiv.judge.asking.published import Published, read_published
from equiv.judge.case import Case, Variant
from equiv.judge.stage import judge_case
from equiv.records.record import Item, Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided

VEC = DATA / "rose-vec" / "bird.json"
JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
BENCH = DATA / "rose-bench" / "pairs.jsonl"
PRINTED = printed(__file__)
STATED = {
    name: {row: numbers(words) for row, words in rows_of(text)} for name, text in PRINTED["numbers"].items()
}
"""The numbers that the paper states, by table and row."""
SYSTEMS = {name: System(*words) for name, words in PRINTED["systems"].items()}
VARIANTS = {"ROSE": Variant.ROSE, "ProverOnly": Variant.PROVER_ONLY}


def tables() -> Iterator[Table]:
    """All tables and figures with numbers."""
    if not (JUDGEMENTS.exists() and BENCH.exists()):
        stated = sum(len(row) for rows in STATED.values() for row in rows.values())
        yield Table("All tables", "", "", more=stated, missing=f"the published data ({DATA}).")
        return
    yield Table(cells=tuple(agreements("vec")), **PRINTED["vec"])
    yield Table(cells=tuple(agreements("bird")), **PRINTED["bird"])
    for cells in (errors, overall, by_difficulty, over_time, shares, rates, by_class):
        yield Table(cells=tuple(cells()), **PRINTED[cells.__name__])
    yield from (Table(**each) for each in PRINTED["absent"])


@cache
def labels() -> Mapping[str, bool]:
    """The experts' labels by question id."""
    return {json.dumps(p["question_id"]): bool(p["label"]) for p in _vec()}


@cache
def _vec() -> Sequence[Mapping[str, object]]:
    found: Sequence[Mapping[str, object]] = json.loads(VEC.read_text(encoding="utf-8"))
    return found


@cache
def judged(metric: str, model: str) -> Mapping[str, bool]:
    """The scores of a metric: by this project's cascade from replies, where there are some; else recorded."""
    if metric in VARIANTS:
        published = read_published(JUDGEMENTS, model=model, run=metric)
        return {json.dumps(pair["question_id"]): _replayed(pair, published, metric) for pair in _vec()}
    return {
        json.dumps(line["question_id"]): line["score"] == 1
        for line in read_lines(JUDGEMENTS)
        if (line["metric"], line["model"]) == (metric, model)
    }


_TEXTS = ("db_id", "question", "evidence", "predicted_sql", "gold_sql")


def _replayed(pair: Mapping[str, object], published: Published, metric: str) -> bool:
    db_id, question, hint, pred, gold = (str(pair[name]) for name in _TEXTS)
    case = Case("", pair["question_id"], db_id, question, hint, "", pred, gold)
    equal, _ = published.results_equal(case)
    known = replace(case, results_equal=equal)
    return judge_case(known, published, variant=VARIANTS[metric], model=published.model).score == 1


def agreements(table: str) -> Iterator[Cell]:
    """The agreement of metrics with labels."""
    for name, papers in STATED[table].items():
        metric, _, model = name.partition(",")
        scores = judged(metric, model)
        found = agreement((label, scores[key]) for key, label in labels().items()).figures
        for figure, paper in zip(FIGURES, papers, strict=True):
            yield Cell(f"{metric} {model}", figure, paper, 100 * found[figure].value)


def errors() -> Iterable[Cell]:
    """The errors of ROSE with o3 (appendix I)."""
    scores = judged("ROSE", "o3")
    wrong = [label for key, label in labels().items() if scores[key] != label]
    return (
        Cell("o3", "disagreements", 29, len(wrong)),
        Cell("o3", "false negatives", 26, wrong.count(True)),
        Cell("o3", "false positives", 3, wrong.count(False)),
    )


@cache
def bench() -> tuple[list[Record], Measured, Measured]:
    """The predictions of six methods as records, with the scores of ROSE and EX."""
    records, rose, ex = [], {}, {}
    for line in read_lines(BENCH):
        record = _record(line)
        records.append(record)
        rose[pair_of(record)] = line["rose_score"] == 1
        ex[pair_of(record)] = line["ex_score"] == 1
    return records, Measured("ROSE", rose), Measured("EX", ex)


def _record(line: Mapping[str, Any]) -> Record:
    db_id, _, _, pred, gold = (str(line.get(name)) for name in _TEXTS)
    item = Item(str(line["method"]), line["question_id"], db_id, pred, gold, difficulty=line["difficulty"])
    relation = resolve_relation("bird", gold_orders=False)
    record = to_record(item, Undecided(relation=relation, reason=Reason.NO_PROOF), "")
    reply = line["refuter"]
    if not isinstance(reply, dict):
        return record
    is_question = str(reply.get("ambiguity")).strip().lower() == "ambiguous question"
    told = {"gold_correct": reply.get("gold_correct"), "ambiguity": "question" if is_question else "none"}
    return record | {"refuter_result": told}


def _share(records: Sequence[Record], measured: Measured) -> float:
    return 100 * sum(measured.scores[pair_of(r)] for r in records) / len(records)


def overall() -> Iterator[Cell]:
    """EX and ROSE of the methods at hand."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    for name, papers in STATED["overall"].items():
        for measured, paper in zip((ex, rose), papers, strict=True):
            yield Cell(name, measured.name, paper, _share(own[name], measured))


def by_difficulty() -> Iterator[Cell]:
    """EX and ROSE by difficulty."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    for name, stated in STATED["by_difficulty"].items():
        levels, papers = grouped(own[name], "difficulty"), iter(stated)
        for level in ("simple", "moderate", "challenging"):
            for measured in (ex, rose):
                yield Cell(name, f"{level} {measured.name}", next(papers), _share(levels[level], measured))


def over_time() -> Iterator[Cell]:
    """The gap by date."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    for date, name in (row[:2] for row in time_grid(records, rose, ex, SYSTEMS).rows):
        early, late = STATED["overall"][name]
        yield Cell(f"{date} {name}", "ROSE - EX", late - early, 100 * system_gap(own[name], rose, ex))


def shares() -> Iterator[Cell]:
    """Disagreements by what the Refuter says."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    for name in SYSTEMS:
        found = parted_by_kind(own[name], rose, ex)
        papers = STATED["shares"].get(name, (None,) * 3)
        for kind, paper in zip(("gold query wrong", "question ambiguous", "either"), papers, strict=True):
            yield Cell(name, kind, paper, 100 * found[kind].share)


def rates() -> Iterator[Cell]:
    """How often the metrics disagree on pairs of a kind."""
    found = parted_by_kind(*bench())
    for kind, bound, paper in (
        ("gold query wrong", "over 80", 80),
        ("question ambiguous", "around 60", 60),
        ("all", "less than 20", 20),
    ):
        yield Cell("six methods", f"{kind} ({bound})", paper, 100 * found[kind].rate)


def by_class() -> Iterator[Cell]:
    """The mean gap by class and difficulty: no number of the paper stands beside it."""
    grid = class_grid(*bench(), SYSTEMS)
    for row in grid.rows:
        for column, value in zip(grid.columns[2:], row[2:], strict=True):
            yield Cell(f"{row[0]} ({row[1]} systems)", column, None, float(value))


PAPER = Paper(
    "ROSE", "Pei et al., ROSE: An Intent-Centered Evaluation Metric for NL2SQL, arXiv 2604.12988.", tables
)
