"""The report on results files: what every metric says of their records.

Of conversational sets it shows accuracy by question and by interaction. Source: CoSQL (arXiv 1909.05378,
section 5) and SParC, as ESM+ (arXiv 2407.07313, Table 3) shows them: a question is right by itself; an
interaction is right if each of its questions is. Turns are those of Spider's ``evaluation.py``: 1 to 4,
and later ones together.

Of systems whose modules left logs it shows NL2SQLBench's tables, a system a row: the metrics of each
module, and what a question costs by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from math import isnan
from operator import attrgetter
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.metrics import nl2sqlbench as n
from equiv.eval.metrics import scores as s
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
from equiv.eval.metrics.registry import Measurement, execution_metric
from equiv.eval.metrics.reliability import is_about_abstention, reliability_blocks
from equiv.eval.reading.nl2sqlbench import Module, ModuleNode
from equiv.graphs import grouped_by
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text

Systems = Mapping[str, Sequence[n.Answered]]
Wrong = frozenset[tuple[str, str]]
"""Questions, as database and id, to which a system answers with an incorrect query."""

ModuleRow = tuple[tuple[str, ...], Sequence[float], Sequence[n.Answered]]
"""What names a row, its figures as fractions, and the questions whose cost stands behind them."""

PASSES = (1, 5, 10, 15, 20)
EFFICIENCY = ("tokens", "calls", "cost")
RATES = ("CR", "IR", "ER")


def module_blocks(
    questions: Mapping[n.SystemQuestion, n.Answered], calls: int | None, tokens: int | None
) -> list[Block]:
    """All tables that the collected nodes allow; ``calls`` and ``tokens`` are a budget for a question."""
    systems: dict[str, list[n.Answered]] = {}
    for (system, _, _), question in questions.items():
        systems.setdefault(system, []).append(question)
    first = attrgetter("first"), "candidate generation, the first candidate (Tables 5, 15)"
    revised = attrgetter("revision"), "query revision (figures 4, 5, 12 to 15)"
    caps = [f"{cap:,} {what}" for cap, what in ((calls, "calls"), (tokens, "tokens")) if cap is not None]
    within = (f"CR within {', '.join(caps)}",) if caps else ()
    one, several = ("system", "questions"), ("system", "difficulty", "questions")
    parts = [f"{what} {figure}" for what in ("tables", "columns") for figure in ("P", "R", "F1")]
    sides = [f"{rate} {when}" for rate in RATES for when in ("before", "after")]
    moves = ("CI", "I2C", "E2C", "C2I", "C2E")
    grids = [
        _table("schema selection (Table 4)", one, parts, _selections(systems), Module.SELECTION),
        _table(first[1], several, (*RATES, *n.CLASSES), _outcomes(systems, first[0]), Module.GENERATION),
        _passes(systems),
        _table(revised[1], several, (*RATES, *n.CLASSES), _outcomes(systems, revised[0]), Module.REVISION),
        _costless("before and after revision (figures 4, 5)", one, sides, _sides(systems)),
        _table("query revision (Tables 7, 19)", one, moves, _moves(systems), Module.REVISION),
        _recall(systems),
        _table("end to end (Table 9)", one, ("CR", *within), _whole(systems, calls, tokens), None),
        *_overlaps(questions),
    ]
    return [grid for grid in grids if grid.rows]


def _table(
    title: str,
    names: tuple[str, ...],
    figures: Iterable[str],
    rows: Iterable[ModuleRow],
    module: Module | None,
) -> Grid:
    """A table with what a question costs by a module, on average; None: by all modules."""
    told = list(rows)
    bare = _costless(title, names, figures, told)
    costs = (n.spent(questions, module) for *_, questions in told)
    efficiency = [
        (_number(tokens), _number(calls), "-" if isnan(cost) else f"{cost:.4f}")
        for tokens, calls, cost in costs
    ]
    cells = tuple((*row, *own) for row, own in zip(bare.rows, efficiency, strict=True))
    return Grid(bare.title, (*bare.columns, *EFFICIENCY), cells)


def _costless(title: str, names: tuple[str, ...], figures: Iterable[str], rows: Iterable[ModuleRow]) -> Grid:
    cells = tuple((*own, *map(s.percent, fractions)) for own, fractions, _ in rows)
    return Grid(f"{title}: percent", (*names, *figures), cells)


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:,.2f}"


def _selections(systems: Systems) -> Iterator[ModuleRow]:
    """Table 4."""
    for name, questions in systems.items():
        known = [(q.gold, q.selected) for q in questions if q.gold is not None and q.selected is not None]
        found = [
            [n.selection(elements(gold), elements(selected)) for gold, selected in known]
            for elements in (n.tables_of, n.columns_of)
        ]
        means = [n.mean(map(attrgetter(f), own)) for own in found for f in ("precision", "recall", "f1")]
        if known:
            yield (name, str(len(known))), means, questions


def _outcomes(systems: Systems, query_of: Callable[[n.Answered], n.Graded | None]) -> Iterator[ModuleRow]:
    """The rates and classes of errors of what a module gives, by difficulty.

    Tables 5, 6 and 15 to 18 and figures 8 to 11 for the first candidate; figures 4, 5 and 12 to 15 for the
    revision.
    """
    for name, questions in systems.items():
        for kind, own in _by_difficulty(questions).items():
            results = [result for q in own if (result := query_of(q)) is not None]
            found = n.rates(results)
            figures = (found.correct, found.incorrect, found.error, *found.classes.values())
            if results:
                yield (name, kind, str(len(results))), figures, own


def _by_difficulty(questions: Sequence[n.Answered]) -> dict[str, list[n.Answered]]:
    """All questions, and those of each difficulty that is known."""
    known = (question for question in questions if question.difficulty != "-")
    return {"all": list(questions)} | grouped_by(attrgetter("difficulty"), known)


def _passes(systems: Systems) -> Grid:
    """Pass@k (figure 3)."""
    given = {name: [q.candidates for q in questions if q.candidates] for name, questions in systems.items()}
    several = {name: own for name, own in given.items() if max(map(len, own), default=0) > 1}
    rows = [((name,), [n.pass_at(k, own) for k in PASSES], ()) for name, own in several.items()]
    return _costless("pass@k (figure 3)", ("system",), (f"k = {k}" for k in PASSES), rows)


def _revised(systems: Systems) -> Iterator[tuple[str, list[n.Answered], list[tuple[n.Graded, n.Graded]]]]:
    """Each system with the questions that have a revision, and their outcomes before and after it."""
    for name, questions in systems.items():
        own = [q for q in questions if q.candidates and q.revision is not None]
        if own:
            yield name, own, [(q.candidates[0], q.revision) for q in own if q.revision is not None]


def _sides(systems: Systems) -> Iterator[ModuleRow]:
    """Rates before and after revising (figures 4 and 5)."""
    for name, own, both in _revised(systems):
        early, late = n.rates([before for before, _ in both]), n.rates([after for _, after in both])
        changes = (early.correct, late.correct, early.incorrect, late.incorrect, early.error, late.error)
        yield (name, str(len(both))), changes, own


def _moves(systems: Systems) -> Iterator[ModuleRow]:
    """What became of what by revising (Tables 7 and 19)."""
    for name, own, both in _revised(systems):
        found = n.revision([(before.outcome, after.outcome) for before, after in both])
        yield (name, str(len(both))), astuple(found), own


def _recall(systems: Systems) -> Grid:
    """Tables 23 and 24."""
    rows = []
    for name, questions in systems.items():
        for revised, module in ((False, Module.GENERATION), (True, Module.REVISION)):
            own = [q for q in questions if (q.revision is not None if revised else q.candidates)]
            (whole, many), (partial, few) = n.correct_by_recall(own, revised=revised)
            right, wrong = n.recall_by_outcome(own, revised=revised)
            if many or few:
                given = (f"{s.percent(whole)} of {many}", f"{s.percent(partial)} of {few}")
                rows.append((name, module.value, *given, s.percent(right), s.percent(wrong)))
    columns = ("system", "module", "CR, recall = 1", "CR, recall < 1", "recall if right", "recall if wrong")
    return Grid("correctness and schema recall (Tables 23, 24): percent", columns, tuple(rows))


def _whole(systems: Systems, calls: int | None, tokens: int | None) -> Iterator[ModuleRow]:
    """Table 9, and the correct rate within a budget."""
    for name, questions in systems.items():
        rate = n.correct_at_budget(questions)
        capped = n.correct_at_budget(questions, calls=calls, tokens=tokens)
        figures = (rate,) if calls is None and tokens is None else (rate, capped)
        yield (name, str(len(questions))), figures, questions


def _overlaps(questions: Mapping[n.SystemQuestion, n.Answered]) -> list[Grid]:
    """The overlap of incorrect answers (figures 6, 16), and how many systems solve a question (figure 7)."""
    by_question: dict[tuple[str, str], dict[str, n.Answered]] = {}
    for (system, db_id, number), question in questions.items():
        by_question.setdefault((db_id, number), {})[system] = question
    systems = list(dict.fromkeys(system for system, _, _ in questions))
    if len(systems) < 2:
        return []
    wrong = {
        system: frozenset(
            place
            for place, own in by_question.items()
            if system in own and own[system].ended_as(n.QuestionGrade.INCORRECT)
        )
        for system in systems
    }
    return [
        *(_matrix(wrong, coefficient) for coefficient in (n.overlap, n.jaccard)),
        _solved(by_question, len(systems)),
    ]


def _matrix(wrong: Mapping[str, Wrong], coefficient: Callable[[Wrong, Wrong], float]) -> Grid:
    values = {one: [coefficient(own, other) for other in wrong.values()] for one, own in wrong.items()}
    rows = tuple((one, *("-" if isnan(v) else f"{v:.2f}" for v in own)) for one, own in values.items())
    title = f"incorrect answers in common (figure 6): {coefficient.__name__}"
    return Grid(title, ("system", *wrong), rows)


def _solved(by_question: Mapping[tuple[str, str], Mapping[str, n.Answered]], systems: int) -> Grid:
    """Figure 7, for all questions and by difficulty."""
    kinds: dict[str, dict[tuple[str, str], dict[str, bool]]] = {"questions": {}}
    for place, own in by_question.items():
        right = {system: question.ended_as(n.QuestionGrade.CORRECT) for system, question in own.items()}
        kinds["questions"][place] = right
        for difficulty in {question.difficulty for question in own.values()} - {"-"}:
            kinds.setdefault(difficulty, {})[place] = right
    counts = {kind: n.solved_by(told) for kind, told in kinds.items()}
    rows = [
        (f"{number} of {systems}", *(str(own.get(number, 0)) for own in counts.values()))
        for number in counts["questions"]
    ]
    title = "questions by how many systems solve them (figure 7)"
    return Grid(title, ("solved by", *counts), tuple(rows))


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


def interaction_grid(records: Sequence[Record], measures: Sequence[s.Measured]) -> Grid | None:
    """Each metric by question and by interaction, a system a row; None without interactions."""
    told = [record for record in records if record["interaction"] is not None]
    if not told:
        return None
    rows = []
    for system, own in s.grouped(told, "system").items():
        talks = list(interactions_in(own).values())
        cells = [_both(own, talks, measured) for measured in measures]
        rows.append((system, str(len(own)), str(len(talks)), *(cell for pair in cells for cell in pair)))
    figures = tuple(f"{measured.name}, by {level}" for measured in measures for level in ("Q", "I"))
    columns = ("system", "questions (Q)", "interactions (I)", *figures)
    return Grid("questions and interactions right: percent with 95 % intervals", columns, tuple(rows))


def _both(
    records: Sequence[Record], talks: Sequence[Sequence[Record]], measured: s.Measured
) -> tuple[str, str]:
    right = [_is_right(record, measured) for record in records]
    whole = [all(_is_right(record, measured) for record in talk) for talk in talks]
    return s.share(sum(right), len(right)), s.share(sum(whole), len(whole))


def _is_right(record: Record, measured: s.Measured) -> bool:
    return measured.scores.get(s.pair_of(record)) is True


def turn_grid(records: Sequence[Record], measures: Sequence[s.Measured]) -> Grid | None:
    """Each metric by turn, over all systems; None without interactions."""
    turns: dict[str, list[Record]] = {}
    for talk in interactions_in(records).values():
        for number, record in enumerate(talk, 1):
            turns.setdefault(f"turn {number}" if number <= 4 else "turn > 4", []).append(record)
    rows = tuple(
        (turn, str(len(own)), *(s.share(sum(_is_right(r, m) for r in own), len(own)) for m in measures))
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

COLUMNS = 5
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
    everything = s.pairs_in(records)
    records = s.compared(records)
    measures = measures_of(records, measurement, wanted.scores)
    records = s.pairs_in(records)
    # Systems answer the same questions: no interval is told over their pairs together.
    blocks: list[Block] = [s.share_grid(records, measures)] * (len(s.grouped(records, "system")) < 2)
    for by in ("system", "difficulty", "database"):
        grids = _in_lots(measures, partial(s.group_grid, records, by=by))
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
        questions = n.answered(wanted.nodes, records, right, measurement.gold_schemas)
        blocks += module_blocks(questions, wanted.calls, wanted.tokens)
    return [*blocks, *ablation(records, measurement.steps)]


def _parted(
    records: Sequence[Record], first: s.Measured, second: s.Measured, systems: Mapping[str, System]
) -> list[Block]:
    """Where two metrics part: by group, by what the Refuter says, by class of system and over time."""
    grids: list[Grid | None] = [*gap_grids(records, first, second), kind_grid(records, first, second)]
    if systems:
        grids += [make(records, first, second, systems) for make in (class_grid, time_grid)]
    return [grid for grid in grids if grid is not None]


def measures_of(
    records: Sequence[Record], measurement: Measurement, scores: Sequence[Path] = ()
) -> list[s.Measured]:
    """Every metric at hand: verdicts, judges, what was measured, and what stands recorded in files.

    Raises:
        InputError: a file of recorded scores cannot be read.
    """
    own = [s.by_verdict(records), *s.by_judge(records), *measurement.measures]
    names = {measured.name for measured in own}
    own += [measured for measured in s.by_execution(records) if measured.name not in names]
    return [*own, *s.read_scores(scores, s.pairs_in(records))]


def chosen(measures: Sequence[s.Measured], name: str) -> s.Measured:
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


def labels(records: Sequence[Record], measures: Sequence[s.Measured]) -> list[Block]:
    """The agreement of metrics with the labels; nothing without labels."""
    outcomes = {measured.name: s.against_labels(records, measured) for measured in measures}
    samples = {name: counts for name, counts in outcomes.items() if counts}
    return agreement_blocks(samples) if samples else []


def mistakes(records: Sequence[Record], measures: Sequence[s.Measured]) -> list[Block]:
    """The errors of metrics against labels and proofs, by system."""
    truths = (
        (measures, s.against_labels, "against the labels: percent of pairs"),
        (measures[1:], s.against_verdicts, "refuted but scored 1 (FP), proved but scored 0 (FN), percent"),
    )
    return [
        grid
        for some, against, title in truths
        for grid in _in_lots(some, partial(s.wrong_grid, records, against=against, title=title))
    ]


def _in_lots(
    measures: Sequence[s.Measured], make: Callable[[Sequence[s.Measured]], Grid | None]
) -> Iterator[Grid]:
    """A table for each lot of metrics that one has room for; the title of one of several says which."""
    for start in range(0, len(measures), COLUMNS):
        few = measures[start : start + COLUMNS]
        which = " to ".join(dict.fromkeys((few[0].name, few[-1].name)))
        if grid := make(few):
            yield grid if len(few) == len(measures) else replace(grid, title=f"{grid.title}; {which}")


def ablation(records: Sequence[Record], steps: Sequence[s.Measured]) -> list[Block]:
    """How many right predictions ESM+ misses as its rules are added."""
    truths = ("the labels", s.against_labels), ("what is proved or refuted", s.against_verdicts)
    return [
        s.missed_grid(records, steps, against, f"false negatives of ESM+ against {name}: percent of pairs")
        for name, against in truths
        if steps and any(against(records, step) for step in steps)
    ]
