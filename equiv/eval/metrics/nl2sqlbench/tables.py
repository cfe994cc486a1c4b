"""NL2SQLBench's tables, a system a row: the metrics of each module, over post-processed questions.

Source: NL2SQLBench, section 3.1, by the numbers of its equations; Tables 23 and 24 (appendix A.10); CR@budget
(section 4.5.1).  Fractions; NaN where a denominator is 0.  What the paper averages over questions
(precision, recall, F1, tokens, calls) is averaged over questions here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TypeVar

from equiv.eval.metrics.nl2sqlbench.postprocess import (
    CLASSES,
    Answered,
    GoldSchema,
    Graded,
    QuestionGrade,
    SystemQuestion,
)
from equiv.eval.reading.nl2sqlbench import Module
from equiv.show.page import Block, Grid

T = TypeVar("T")

Elements = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Selection:
    """Precision, recall and F1 of a schema selection (equations 1 to 3)."""

    precision: float
    recall: float
    f1: float


def selection(relevant: Elements, selected: Elements) -> Selection:
    """Equations 1 to 3; a selection of nothing has precision 0, as in the paper's code.

    Where nothing is relevant, nothing is measured.
    """
    if not relevant:
        return Selection(nan, nan, nan)
    both = len(relevant & selected)
    precision, recall = both / len(selected) if selected else 0.0, both / len(relevant)
    return Selection(precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0)


def tables_of(schema: GoldSchema) -> Elements:
    """Its tables."""
    return frozenset((table,) for table in schema)


def columns_of(schema: GoldSchema) -> Elements:
    """Its columns, with their tables."""
    return frozenset((table, column) for table, columns in schema.items() for column in columns)


@dataclass(frozen=True, slots=True)
class Rates:
    """Correct, incorrect and error rate (equations 4 to 6), and the error rate by class; CR + IR + ER = 1."""

    correct: float
    incorrect: float
    error: float
    classes: dict[str, float]


def rates(results: Sequence[Graded]) -> Rates:
    """Equations 4 to 6."""
    counts = {outcome: sum(r.outcome is outcome for r in results) for outcome in QuestionGrade}
    total = len(results)
    by_class = {name: _ratio(sum(r.error == name for r in results), total) for name in CLASSES}
    correct, incorrect, error = (_ratio(counts[outcome], total) for outcome in QuestionGrade)
    return Rates(correct, incorrect, error, by_class)


def pass_at(k: int, candidates: Sequence[Sequence[Graded]]) -> float:
    """Pass@k (equation 7): a right query among the first k."""
    solved = sum(any(r.outcome is QuestionGrade.CORRECT for r in own[:k]) for own in candidates)
    return _ratio(solved, len(candidates))


@dataclass(frozen=True, slots=True)
class Revision:
    """What revising changes (equations 8 to 12)."""

    improvement: float
    """CI."""
    incorrect_to_correct: float
    error_to_correct: float
    correct_to_incorrect: float
    correct_to_error: float


def revision(changes: Sequence[tuple[QuestionGrade, QuestionGrade]]) -> Revision:
    """Equations 8 to 12, for (outcome before, outcome after) of each question."""

    def moved(before: QuestionGrade, after: QuestionGrade) -> float:
        own = [late for early, late in changes if early is before]
        return _ratio(own.count(after), len(own))

    before = sum(early is QuestionGrade.CORRECT for early, _ in changes)
    after = sum(late is QuestionGrade.CORRECT for _, late in changes)
    return Revision(
        _ratio(after - before, before),
        moved(QuestionGrade.INCORRECT, QuestionGrade.CORRECT),
        moved(QuestionGrade.ERROR, QuestionGrade.CORRECT),
        moved(QuestionGrade.CORRECT, QuestionGrade.INCORRECT),
        moved(QuestionGrade.CORRECT, QuestionGrade.ERROR),
    )


def spent(questions: Iterable[Answered], module: Module | None = None) -> tuple[float, float, float]:
    """Tokens, calls and cost of a module for a question on average (section 3.1.4); None: of all modules."""
    own = [_spent(question, module) for question in questions]
    tokens, calls, costs = zip(*own, strict=True) if own else ((), (), ())
    return _ratio(sum(tokens), len(own)), _ratio(sum(calls), len(own)), _ratio(sum(costs), len(own))


def _spent(question: Answered, module: Module | None) -> tuple[int, int, float]:
    known = question.spent or {}
    chosen = [found for name, found in known.items() if module in (None, name)]
    return sum(c[0] for c in chosen), sum(c[1] for c in chosen), sum(c[2] for c in chosen)


def correct_at_budget(
    questions: Sequence[Answered], *, tokens: int | None = None, calls: int | None = None
) -> float:
    """CR@budget (section 4.5.1): right answers within a cap on tokens or calls; beyond it none counts."""
    solved = 0
    for question in questions:
        used_tokens, used_calls, _ = _spent(question, None)
        within = (tokens is None or used_tokens <= tokens) and (calls is None or used_calls <= calls)
        solved += within and _is_right(question.final)
    return _ratio(solved, len(questions))


def correct_by_recall(
    questions: Iterable[Answered], *, revised: bool
) -> tuple[tuple[float, int], tuple[float, int]]:
    """Table 23: the correct rate, and of how many, where the schema's recall is 1 and where it is less."""
    told = [(recall_of(q), _is_right(_result(q, revised=revised))) for q in questions]
    known = [(recall, right) for recall, right in told if not isnan(recall)]
    whole = [right for recall, right in known if recall == 1]
    partial = [right for recall, right in known if recall < 1]
    return (_ratio(sum(whole), len(whole)), len(whole)), (_ratio(sum(partial), len(partial)), len(partial))


def recall_by_outcome(questions: Iterable[Answered], *, revised: bool) -> tuple[float, float]:
    """Table 24: the schema's mean recall where the query is right, and where it is wrong."""
    told = [(recall_of(q), _is_right(_result(q, revised=revised))) for q in questions]
    known = [(recall, right) for recall, right in told if not isnan(recall)]
    right = [recall for recall, is_right in known if is_right]
    wrong = [recall for recall, is_right in known if not is_right]
    return _ratio(sum(right), len(right)), _ratio(sum(wrong), len(wrong))


def recall_of(question: Answered) -> float:
    """The recall of all that a question's schema selection should have selected: tables and columns."""
    if question.gold is None or question.selected is None:
        return nan
    wanted = tables_of(question.gold) | columns_of(question.gold)
    given = tables_of(question.selected) | columns_of(question.selected)
    return selection(wanted, given).recall


def solved_by(questions: dict[tuple[str, str], dict[str, bool]]) -> dict[int, int]:
    """How many questions so many systems solve (figures 6 and 7): none, one only, …, all."""
    found: dict[int, int] = {}
    for systems in questions.values():
        solvers = sum(systems.values())
        found[solvers] = found.get(solvers, 0) + 1
    return dict(sorted(found.items()))


def overlap(one: frozenset[T], other: frozenset[T]) -> float:
    """The overlap coefficient of two sets: what they share, of the smaller one."""
    return _ratio(len(one & other), min(len(one), len(other)))


def jaccard(one: frozenset[T], other: frozenset[T]) -> float:
    """The Jaccard index of two sets: what they share, of what either has."""
    return _ratio(len(one & other), len(one | other))


def mean(values: Iterable[float]) -> float:
    """The mean of those that are defined."""
    known = [value for value in values if not isnan(value)]
    return _ratio(sum(known), len(known))


def _result(question: Answered, *, revised: bool) -> Graded | None:
    return question.revision if revised else question.first


def _is_right(result: Graded | None) -> bool:
    return result is not None and result.outcome is QuestionGrade.CORRECT


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan


Systems = Mapping[str, Sequence[Answered]]
Wrong = frozenset[tuple[str, str]]
"""Questions, as database and id, to which a system answers with an incorrect query."""

PASSES = (1, 5, 10, 15, 20)


def module_blocks(
    questions: Mapping[SystemQuestion, Answered], calls: int | None, tokens: int | None
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


def _overlaps(questions: Mapping[SystemQuestion, Answered]) -> list[Grid]:
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
    return (
        question is not None
        and question.final is not None
        and question.final.outcome is QuestionGrade.INCORRECT
    )


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
            system: question.final is not None and question.final.outcome is QuestionGrade.CORRECT
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
