"""Benchmarking: the metrics of each module, over post-processed questions.

Source: NL2SQLBench, section 3.1, by the numbers of its equations; Tables 23 and 24 (appendix A.10); CR@budget
(section 4.5.1).  Fractions; NaN where a denominator is 0.  What the paper averages over questions
(precision, recall, F1, tokens, calls) is averaged over questions here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TypeVar

from equiv.eval.metrics.nl2sqlbench.outcomes import CLASSES, Outcome, Result
from equiv.eval.metrics.nl2sqlbench.postprocess import Answered, GoldSchema
from equiv.eval.reading.nl2sqlbench_nodes import Module

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


def rates(results: Sequence[Result]) -> Rates:
    """Equations 4 to 6."""
    counts = {outcome: sum(r.outcome is outcome for r in results) for outcome in Outcome}
    total = len(results)
    by_class = {name: _ratio(sum(r.error == name for r in results), total) for name in CLASSES}
    correct, incorrect, error = (_ratio(counts[outcome], total) for outcome in Outcome)
    return Rates(correct, incorrect, error, by_class)


def pass_at(k: int, candidates: Sequence[Sequence[Result]]) -> float:
    """Pass@k (equation 7): a right query among the first k."""
    solved = sum(any(r.outcome is Outcome.CORRECT for r in own[:k]) for own in candidates)
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


def revision(changes: Sequence[tuple[Outcome, Outcome]]) -> Revision:
    """Equations 8 to 12, for (outcome before, outcome after) of each question."""

    def moved(before: Outcome, after: Outcome) -> float:
        own = [late for early, late in changes if early is before]
        return _ratio(own.count(after), len(own))

    before = sum(early is Outcome.CORRECT for early, _ in changes)
    after = sum(late is Outcome.CORRECT for _, late in changes)
    return Revision(
        _ratio(after - before, before),
        moved(Outcome.INCORRECT, Outcome.CORRECT),
        moved(Outcome.ERROR, Outcome.CORRECT),
        moved(Outcome.CORRECT, Outcome.INCORRECT),
        moved(Outcome.CORRECT, Outcome.ERROR),
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


def _result(question: Answered, *, revised: bool) -> Result | None:
    return question.revision if revised else question.first


def _is_right(result: Result | None) -> bool:
    return result is not None and result.outcome is Outcome.CORRECT


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan
