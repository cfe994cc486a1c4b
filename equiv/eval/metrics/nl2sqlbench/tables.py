"""NL2SQLBench's tables, a system a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from equiv.eval.metrics.nl2sqlbench.benchmark import (
    columns_of,
    correct_at_budget,
    correct_by_recall,
    jaccard,
    mean,
    overlap,
    pass_at,
    rates,
    recall_by_outcome,
    revision,
    selection,
    solved_by,
    spent,
    tables_of,
)
from equiv.eval.metrics.nl2sqlbench.outcomes import CLASSES, Outcome
from equiv.eval.metrics.nl2sqlbench.postprocess import Answered, Question
from equiv.eval.reading.nl2sqlbench_nodes import Module
from equiv.show.page import Block, Grid

Systems = Mapping[str, Sequence[Answered]]
Wrong = frozenset[tuple[str, str]]
"""Questions, as database and id, to which a system answers with an incorrect query."""

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
        _outcomes(systems, Module.GENERATION),
        _passes(systems),
        _outcomes(systems, Module.REVISION),
        *_revised(systems),
        _recall(systems),
        _whole(systems, calls, tokens),
        *_overlaps(questions),
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


def _outcomes(systems: Systems, module: Module) -> Grid:
    """The rates and classes of errors of what a module gives, by difficulty.

    Tables 5, 6 and 15 to 18 and figures 8 to 11 for the first candidate; figures 4, 5 and 12 to 15 for the
    revision.
    """
    is_revision = module is Module.REVISION
    rows = []
    for name, questions in systems.items():
        for kind, own in _by_difficulty(questions).items():
            results = [r for q in own if (r := q.revision if is_revision else q.first) is not None]
            if results:
                found = rates(results)
                figures = (found.correct, found.incorrect, found.error, *found.classes.values())
                cells = (name, kind, str(len(results)), *map(_percent, figures))
                rows.append((*cells, *_efficiency(own, module)))
    columns = ("system", "difficulty", "questions", "CR", "IR", "ER", *CLASSES, *EFFICIENCY)
    of = (
        "query revision (figures 4, 5, 12 to 15)"
        if is_revision
        else "candidate generation, the first candidate (Tables 5, 15)"
    )
    return Grid(f"{of}: percent", columns, tuple(rows))


def _by_difficulty(questions: Sequence[Answered]) -> dict[str, list[Answered]]:
    """All questions, and those of each difficulty that is known."""
    kinds: dict[str, list[Answered]] = {"all": list(questions)}
    for question in questions:
        if question.difficulty != "-":
            kinds.setdefault(question.difficulty, []).append(question)
    return kinds


def _passes(systems: Systems) -> Grid:
    """Pass@k (figure 3)."""
    rows = []
    for name, questions in systems.items():
        given = [question.candidates for question in questions if question.candidates]
        if max(map(len, given), default=0) > 1:
            rows.append((name, *(_percent(pass_at(k, given)) for k in PASSES)))
    return Grid("pass@k (figure 3): percent", ("system", *(f"k = {k}" for k in PASSES)), tuple(rows))


def _revised(systems: Systems) -> list[Grid]:
    """Rates before and after revising (figures 4 and 5), and what became of what (Tables 7 and 19)."""
    sides, moves = [], []
    for name, questions in systems.items():
        both = [(q.candidates[0], q.revision) for q in questions if q.candidates and q.revision is not None]
        if both:
            early, late = rates([before for before, _ in both]), rates([after for _, after in both])
            found = revision([(before.outcome, after.outcome) for before, after in both])
            changes = (early.correct, late.correct, early.incorrect, late.incorrect, early.error, late.error)
            sides.append((name, str(len(both)), *map(_percent, changes)))
            own = [question for question in questions if question.candidates and question.revision]
            moved = (
                *(found.improvement, found.incorrect_to_correct, found.error_to_correct),
                *(found.correct_to_incorrect, found.correct_to_error),
            )
            moves.append((name, str(len(both)), *map(_percent, moved), *_efficiency(own, Module.REVISION)))
    rate_columns = tuple(f"{rate} {when}" for rate in ("CR", "IR", "ER") for when in ("before", "after"))
    move_columns = ("system", "questions", "CI", "I2C", "E2C", "C2I", "C2E", *EFFICIENCY)
    return [
        Grid(
            "before and after revision (figures 4, 5): percent",
            ("system", "questions", *rate_columns),
            tuple(sides),
        ),
        Grid("query revision (Tables 7, 19): percent", move_columns, tuple(moves)),
    ]


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


def _overlaps(questions: Mapping[Question, Answered]) -> list[Grid]:
    """The overlap of incorrect answers (figures 6, 16), and how many systems solve a question (figure 7)."""
    by_question: dict[tuple[str, str], dict[str, Answered]] = {}
    for (system, db_id, number), question in questions.items():
        by_question.setdefault((db_id, number), {})[system] = question
    systems = list(dict.fromkeys(system for system, _, _ in questions))
    if len(systems) < 2:
        return []
    wrong = {
        system: frozenset(place for place, own in by_question.items() if _is_wrong(own.get(system)))
        for system in systems
    }
    return [
        *(
            _matrix(f"incorrect answers in common (figure 6): {coefficient.__name__}", wrong, coefficient)
            for coefficient in (overlap, jaccard)
        ),
        _solved(by_question, len(systems)),
    ]


def _is_wrong(question: Answered | None) -> bool:
    return question is not None and question.final is not None and question.final.outcome is Outcome.INCORRECT


def _matrix(
    title: str,
    wrong: Mapping[str, Wrong],
    coefficient: Callable[[Wrong, Wrong], float],
) -> Grid:
    rows = [
        (
            one,
            *("-" if isnan(value := coefficient(own, other)) else f"{value:.2f}" for other in wrong.values()),
        )
        for one, own in wrong.items()
    ]
    return Grid(title, ("system", *wrong), tuple(rows))


def _solved(by_question: Mapping[tuple[str, str], Mapping[str, Answered]], systems: int) -> Grid:
    """Figure 7, for all questions and by difficulty."""
    kinds: dict[str, dict[tuple[str, str], dict[str, bool]]] = {"questions": {}}
    for place, own in by_question.items():
        right = {
            system: question.final is not None and question.final.outcome is Outcome.CORRECT
            for system, question in own.items()
        }
        kinds["questions"][place] = right
        for difficulty in {question.difficulty for question in own.values()} - {"-"}:
            kinds.setdefault(difficulty, {})[place] = right
    counts = {kind: solved_by(told) for kind, told in kinds.items()}
    rows = [
        (f"{n} of {systems}", *(str(own.get(n, 0)) for own in counts.values())) for n in counts["questions"]
    ]
    title = "questions by how many systems solve them (figure 7)"
    return Grid(title, ("solved by", *counts), tuple(rows))
