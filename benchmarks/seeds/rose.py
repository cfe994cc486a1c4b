"""ROSE: agreement with experts, and where it parts from execution accuracy (arXiv 2604.12988).

The paper's numbers are those that public summaries of it quote and that the figure scripts of its repository
hold; the text of the paper is not at hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from benchmarks.pairs.corpora import DATA
from benchmarks.seeds.table import Cell, Paper, Table, numbers, rows_of
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
from equiv.judge.cascade import judge_case
from equiv.judge.case import Case, Variant
from equiv.records.record import Item, Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided

VEC = DATA / "rose-vec" / "bird.json"
JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
BENCH = DATA / "rose-bench" / "pairs.jsonl"

TABLE_1 = """
EM,decisive 0.51 27.86 5.07 1.86
ETM,decisive 6.60 35.56 18.47 20.63
EX,decisive 25.56 55.90 37.23 57.00
FLEX,o3 56.70 78.97 62.01 83.31
ProverOnly,o3 60.74 85.47 61.46 90.40
ROSE,o3 80.43 91.79 81.04 94.16
ROSE,gemini-2.5-pro 69.68 86.84 71.01 90.41
ROSE,deepseek-r1 64.49 84.62 65.68 88.81
"""
"""Kappa, accuracy, MCC and F1 over all 585 pairs of ROSE-VEC."""

ABLATION = """
ROSE,o3 80.68 90.99 81.64 92.91
ROSE,gemini-2.5-pro 64.79 82.92 67.15 85.93
"""
"""The same over the 322 pairs of BIRD (Table 7); its variants without a stage are not at hand."""

MORE_ABLATION = 16

OVERALL = """
c3 42.36 46.29
dail 48.79 55.60
gpt-4o 52.13 72.21
opensearch-ds 69.37 80.96
omni-32b 68.92 79.49
resd-3B 35.87 34.57
"""
"""EX and ROSE of the methods whose predictions are at hand (Table 3, figure 2)."""

BY_DIFFICULTY = """
c3 61.03 62.50 36.89 43.11 28.87 30.93
dail 62.50 72.06 44.64 52.68 38.95 38.95
opensearch-ds 77.94 91.18 69.78 80.44 56.25 67.71
omni-32b 80.00 86.43 67.23 78.30 57.14 72.45
resd-3B 56.30 54.07 31.44 31.00 17.71 15.62
"""
"""EX and ROSE on simple, moderate and challenging questions (figure 5's data)."""

SHARES = """
opensearch-ds 46.24 15.05 58.06
omni-32b 44.19 13.95 54.65
"""
"""Of all disagreements: gold query wrong, question ambiguous, either (figure 4)."""

SYSTEMS = {
    "resd-3B": System("fine-tuned", "2023-02"),
    "c3": System("prompting", "2023-07"),
    "dail": System("prompting", "2023-11"),
    "opensearch-ds": System("prompting", "2024-09"),
    "gpt-4o": System("prompting", "2025-03"),
    "omni-32b": System("fine-tuned", "2025-03"),
}
"""Class and date of each method, from the scripts of figures 3 and 5."""

LABEL = (
    "The published predictions called `gpt-4o` have the scores of the paper's DeepSeek-Chat (52.13, "
    "72.21), not those of its GPT-4o "
    "(52.20, 71.37), and are compared as that."
)
STATED = (TABLE_1, ABLATION, OVERALL, BY_DIFFICULTY, SHARES)
VARIANTS = {"ROSE": Variant.ROSE, "ProverOnly": Variant.PROVER_ONLY}


def tables() -> Iterator[Table]:
    """All tables and figures with numbers."""
    if not (JUDGEMENTS.exists() and BENCH.exists()):
        stated = sum(len(words) for text in STATED for _, words in rows_of(text))
        yield Table("All tables", "", "", more=stated, missing=f"the published data ({DATA}).")
        return
    yield agreement_table("Table 1", "agreement with experts, percent", TABLE_1, whole=True)
    yield agreement_table("Tables 6 and 7", "agreement with experts on BIRD, percent", ABLATION, whole=False)
    yield errors()
    yield overall()
    yield by_difficulty()
    yield over_time()
    yield shares()
    yield rates()
    yield by_class()
    yield Table(
        "Table 2",
        "precision of the diagnoses (84.32, 91.23)",
        "",
        more=2,
        missing="the experts' check by hand.",
    )
    yield Table(
        "Tables 9 and 10",
        "seconds a question and dollars",
        "`equiv report` counts calls, tokens and dollars of a live run; benchmarks/judging/rose_cost.md "
        "estimates them.",
        more=4,
        missing="the token counts of its runs.",
    )


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
    lines = map(json.loads, JUDGEMENTS.read_text(encoding="utf-8").splitlines())
    return {
        json.dumps(line["question_id"]): line["score"] == 1
        for line in lines
        if (line["metric"], line["model"]) == (metric, model)
    }


def _replayed(pair: Mapping[str, object], published: Published, metric: str) -> bool:
    texts = (str(pair[name]) for name in ("db_id", "question", "evidence"))
    case = Case("", pair["question_id"], *texts, "", str(pair["predicted_sql"]), str(pair["gold_sql"]))
    equal, _ = published.results_equal(case)
    known = replace(case, results_equal=equal)
    return judge_case(known, published, variant=VARIANTS[metric], model=published.model).score == 1


def agreement_table(place: str, about: str, text: str, *, whole: bool) -> Table:
    """The agreement of metrics with labels."""
    cells = []
    for name, words in rows_of(text):
        metric, _, model = name.partition(",")
        scores = judged(metric, model)
        found = agreement((label, scores[key]) for key, label in labels().items()).figures
        for figure, paper in zip(FIGURES, numbers(words), strict=True):
            cells.append(Cell(f"{metric} {model}", figure, paper, 100 * found[figure].value))
    over = "all 585 pairs" if whole else "the 322 pairs of BIRD"
    return Table(
        place,
        about,
        f"The paper: {over}; here: the 322 of BIRD. ROSE and the Prover alone are this project's cascade "
        "over the recorded replies, "
        "the others recorded scores; agreement as `equiv report` has it.",
        tuple(cells),
        rounding=0.0051,
        near=5.0,
        reason="The 263 pairs of Spider are not at hand." if whole else "",
        more=0 if whole else MORE_ABLATION,
        missing=""
        if whole
        else "replies of the variants without gold query or without stages: those of Table 7.",
        digits=2,
    )


def errors() -> Table:
    """The errors of ROSE with o3 (appendix I)."""
    scores = judged("ROSE", "o3")
    wrong = [label for key, label in labels().items() if scores[key] != label]
    cells = (
        Cell("o3", "disagreements", 29, len(wrong)),
        Cell("o3", "false negatives", 26, wrong.count(True)),
        Cell("o3", "false positives", 3, wrong.count(False)),
    )
    return Table("Appendix I", "disagreements with experts on BIRD", "As Table 7.", cells, near=1, digits=0)


@cache
def bench() -> tuple[list[Record], Measured, Measured]:
    """The predictions of six methods as records, with the scores of ROSE and EX."""
    records, rose, ex = [], {}, {}
    for line in map(json.loads, BENCH.read_text(encoding="utf-8").splitlines()):
        record = _record(line)
        records.append(record)
        rose[pair_of(record)] = line["rose_score"] == 1
        ex[pair_of(record)] = line["ex_score"] == 1
    return records, Measured("ROSE", rose), Measured("EX", ex)


def _record(line: Mapping[str, object]) -> Record:
    texts = (str(line[name]) for name in ("db_id", "predicted_sql", "gold_sql"))
    item = Item(str(line["method"]), line["question_id"], *texts, difficulty=line["difficulty"])  # type: ignore[arg-type]
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


def overall() -> Table:
    """EX and ROSE of the methods at hand."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    cells = []
    for name, words in rows_of(OVERALL):
        for column, measured, paper in zip(("EX", "ROSE"), (ex, rose), numbers(words), strict=True):
            cells.append(Cell(name, column, paper, _share(own[name], measured)))
    return Table(
        "Table 3 and figure 2",
        "EX and ROSE, percent",
        "Shares of the recorded scores by `pair_of`, a pair once.",
        tuple(cells),
        rounding=0.0051,
        near=0.5,
        reason=LABEL,
        more=26,
        missing="the predictions of the 13 other methods.",
        digits=2,
    )


def by_difficulty() -> Table:
    """EX and ROSE by difficulty."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    cells = []
    for name, words in rows_of(BY_DIFFICULTY):
        levels = grouped(own[name], "difficulty")
        papers = iter(numbers(words))
        for level in ("simple", "moderate", "challenging"):
            for metric, measured in (("EX", ex), ("ROSE", rose)):
                cells.append(Cell(name, f"{level} {metric}", next(papers), _share(levels[level], measured)))
    return Table(
        "Table 3, by difficulty",
        "EX and ROSE, percent (the data of figure 5)",
        "As Table 3, by the difficulty of the question.",
        tuple(cells),
        rounding=0.0051,
        near=1.0,
        more=9 * 6,
        missing="the predictions of nine other methods (the five base models have no such numbers).",
        digits=2,
    )


def over_time() -> Table:
    """The gap by date."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    stated = {name: numbers(words) for name, words in rows_of(OVERALL)}
    dates = {row[1]: row[0] for row in time_grid(records, rose, ex, SYSTEMS).rows}
    cells = []
    for name, date in dates.items():
        early, late = stated[name]
        cells.append(Cell(f"{date} {name}", "ROSE - EX", late - early, 100 * system_gap(own[name], rose, ex)))
    return Table(
        "Figure 3",
        "the gap over time, percentage points",
        "`equiv report --gap … --systems FILE` (`system_gap`). The paper's figure has the prompting "
        "systems alone.",
        tuple(cells),
        rounding=0.0101,
        near=0.5,
        more=10,
        missing="the predictions of the ten other prompting systems.",
        digits=2,
    )


def shares() -> Table:
    """Disagreements by what the Refuter says."""
    records, rose, ex = bench()
    own = grouped(records, "system")
    kinds = ("gold query wrong", "question ambiguous", "either")
    cells = []
    for name in SYSTEMS:
        stated = {other: numbers(words) for other, words in rows_of(SHARES)}.get(name)
        found = parted_by_kind(own[name], rose, ex)
        for place, kind in enumerate(kinds):
            paper = stated[place] if stated else None
            cells.append(Cell(name, kind, paper, 100 * found[kind].share))
    return Table(
        "Figure 4",
        "share of disagreements, percent",
        "`equiv report --gap …` (`parted_by_kind`) over the recorded replies of the Refuter.",
        tuple(cells),
        rounding=0.0051,
        near=1.5,
        reason="The paper draws four systems, two of which are at hand; the others at hand have no number "
        "of the paper beside them.",
        more=6,
        missing="the replies on Alpha-SQL and RSL-SQL.",
        digits=2,
    )


def rates() -> Table:
    """How often the metrics disagree on pairs of a kind."""
    found = parted_by_kind(*bench())
    cells = (
        Cell("six methods", "gold query wrong (over 80)", 80, 100 * found["gold query wrong"].rate),
        Cell("six methods", "question ambiguous (around 60)", 60, 100 * found["question ambiguous"].rate),
        Cell("six methods", "all (less than 20)", 20, 100 * found["all"].rate),
    )
    return Table(
        "Table 4",
        "pairs on which ROSE and EX disagree, percent",
        "As figure 4; the paper's numbers are those of its text, over, around and below which its table is.",
        cells,
        near=12,
        reason="Six of 19 methods are at hand. A Refuter that was not asked says nothing of a pair.",
        digits=1,
    )


def by_class() -> Table:
    """The mean gap by class and difficulty: no number of the paper stands beside it."""
    records, rose, ex = bench()
    grid = class_grid(records, rose, ex, SYSTEMS)
    cells = tuple(
        Cell(f"{row[0]} ({row[1]} systems)", column, None, float(value))
        for row in grid.rows
        for column, value in zip(grid.columns[2:], row[2:], strict=True)
    )
    return Table(
        "Figure 5",
        "mean gap by class and difficulty, percentage points",
        "`equiv report --gap … --systems FILE` (`class_grid`).",
        cells,
        reason="The figure's bars have no numbers in the text at hand. As there, the gap of prompting "
        "systems is the larger one.",
        more=8,
        missing="the bars, and the predictions of the other methods.",
        digits=2,
    )


PAPER = Paper(
    "ROSE", "Pei et al., ROSE: An Intent-Centered Evaluation Metric for NL2SQL, arXiv 2604.12988.", tables
)
