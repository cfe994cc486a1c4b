"""NL2SQLBench's tables, a system a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from equiv.eval.metrics.nl2sqlbench.benchmark import (
    columns_of,
    correct_at_budget,
    correct_by_recall,
    mean,
    pass_at,
    rates,
    recall_by_outcome,
    revision,
    selection,
    solved_by,
    spent,
    tables_of,
)
from equiv.eval.metrics.nl2sqlbench.postprocess import CLASSES, Answered, Outcome, Question
from equiv.eval.reading.nl2sqlbench_nodes import Module
from equiv.show.page import Block, Grid

Systems = Mapping[str, Sequence[Answered]]
PASSES = (1, 5, 10, 15, 20)


def module_blocks(
    questions: Mapping[Question, Answered], calls: int | None, tokens: int | None
) -> list[Block]:
    """All tables that the collected nodes allow; ``calls`` and ``tokens`` are a budget for a question."""
    systems: dict[str, list[Answered]] = {}
    for (system, _, _), question in questions.items():
        systems.setdefault(system, []).append(question)
    grids = [
        _selection(systems),
        *_generation(systems),
        _revision(systems),
        _recall(systems),
        _whole(systems, calls, tokens),
        _overlap(questions),
    ]
    return [grid for grid in grids if grid.rows]


def _percent(value: float) -> str:
    return "-" if isnan(value) else f"{100 * value:.2f}"


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:,.2f}"


def _efficiency(questions: Sequence[Answered], module: Module | None) -> tuple[str, ...]:
    tokens, calls, cost = spent(questions, module)
    return _number(tokens), _number(calls), "-" if isnan(cost) else f"{cost:.4f}"


EFFICIENCY = ("tokens", "calls", "cost")


def _selection(systems: Systems) -> Grid:
    """Table 4."""
    rows = []
    for name, questions in systems.items():
        known = [(q.gold, q.selected) for q in questions if q.gold is not None and q.selected is not None]
        if not known:
            continue
        cells = [name, str(len(known))]
        for elements in (tables_of, columns_of):
            found = [selection(elements(gold), elements(selected)) for gold, selected in known]
            cells += [_percent(mean(f.precision for f in found)), _percent(mean(f.recall for f in found))]
            cells.append(_percent(mean(f.f1 for f in found)))
        rows.append((*cells, *_efficiency(questions, Module.SELECTION)))
    figures = tuple(f"{what} {figure}" for what in ("tables", "columns") for figure in ("P", "R", "F1"))
    columns = ("system", "questions", *figures, *EFFICIENCY)
    return Grid("schema selection (Table 4): percent", columns, tuple(rows))


def _generation(systems: Systems) -> list[Grid]:
    """Tables 5 and 15, by difficulty as appendix A.3.2 has them, and pass@k (figure 3)."""
    kinds: dict[tuple[str, str], list[Answered]] = {}
    for name, questions in systems.items():
        for question in questions:
            if question.candidates:
                kinds.setdefault((name, "all"), []).append(question)
                if question.difficulty != "-":
                    kinds.setdefault((name, question.difficulty), []).append(question)
    rows, passes = [], []
    for (name, kind), own in kinds.items():
        found = rates([question.candidates[0] for question in own])
        figures = (found.correct, found.incorrect, found.error, *found.classes.values())
        rows.append(
            (name, kind, str(len(own)), *map(_percent, figures), *_efficiency(own, Module.GENERATION))
        )
        if kind == "all" and max(len(question.candidates) for question in own) > 1:
            values = [pass_at(k, [question.candidates for question in own]) for k in PASSES]
            passes.append((name, *map(_percent, values)))
    columns = ("system", "difficulty", "questions", "CR", "IR", "ER", *CLASSES, *EFFICIENCY)
    return [
        Grid("candidate generation, the first candidate (Tables 5, 15): percent", columns, tuple(rows)),
        Grid("pass@k (figure 3): percent", ("system", *(f"k = {k}" for k in PASSES)), tuple(passes)),
    ]


def _revision(systems: Systems) -> Grid:
    """Tables 7 and 19."""
    rows = []
    for name, questions in systems.items():
        own = [q for q in questions if q.candidates and q.revision is not None]
        changes = [(q.candidates[0].outcome, q.revision.outcome) for q in own if q.revision is not None]
        if changes:
            found = revision(changes)
            moves = (
                *(found.improvement, found.incorrect_to_correct, found.error_to_correct),
                *(found.correct_to_incorrect, found.correct_to_error),
            )
            rows.append((name, str(len(own)), *map(_percent, moves), *_efficiency(own, Module.REVISION)))
    columns = ("system", "questions", "CI", "I2C", "E2C", "C2I", "C2E", *EFFICIENCY)
    return Grid("query revision (Tables 7, 19): percent", columns, tuple(rows))


def _recall(systems: Systems) -> Grid:
    """Tables 23 and 24."""
    rows = []
    for name, questions in systems.items():
        for revised, module in ((False, Module.GENERATION), (True, Module.REVISION)):
            own = [q for q in questions if (q.revision is not None if revised else q.candidates)]
            (whole, many), (partial, few) = correct_by_recall(own, revised=revised)
            right, wrong = recall_by_outcome(own, revised=revised)
            if many or few:
                given = (f"{_percent(whole)} of {many}", f"{_percent(partial)} of {few}")
                rows.append((name, module.value, *given, _percent(right), _percent(wrong)))
    columns = ("system", "module", "CR, recall = 1", "CR, recall < 1", "recall if right", "recall if wrong")
    return Grid("correctness and schema recall (Tables 23, 24): percent", columns, tuple(rows))


def _whole(systems: Systems, calls: int | None, tokens: int | None) -> Grid:
    """Table 9, and the correct rate within a budget."""
    rows = []
    for name, questions in systems.items():
        right = correct_at_budget(questions)
        capped = correct_at_budget(questions, calls=calls, tokens=tokens)
        budget = () if calls is None and tokens is None else (_percent(capped),)
        cells = (name, str(len(questions)), _percent(right), *budget, *_efficiency(questions, None))
        rows.append(cells)
    caps = [f"{cap:,} {what}" for cap, what in ((calls, "calls"), (tokens, "tokens")) if cap is not None]
    within = (f"CR within {', '.join(caps)}",) if caps else ()
    columns = ("system", "questions", "CR", *within, *EFFICIENCY)
    return Grid("end to end (Table 9): percent", columns, tuple(rows))


def _overlap(questions: Mapping[Question, Answered]) -> Grid:
    """Figure 7: how many questions no system, one only, …, all systems solve."""
    by_question: dict[tuple[str, str], dict[str, bool]] = {}
    for (system, db_id, number), question in questions.items():
        right = question.final is not None and question.final.outcome is Outcome.CORRECT
        by_question.setdefault((db_id, number), {})[system] = right
    systems = {system for system, _, _ in questions}
    if len(systems) < 2:
        return Grid("", (), ())
    rows = tuple((f"{n} of {len(systems)}", str(count)) for n, count in solved_by(by_question).items())
    return Grid("questions by how many systems solve them (figure 7)", ("solved by", "questions"), rows)
