"""Execution accuracy (EX) as BIRD compares (arXiv 2305.03111, section 4; ``evaluation_ex.py`` of mini-dev).

The comparisons of execution accuracy are not the relations of this project: cells compare exactly as the
published tool has it, defects included, so that its published figures are what one gets.
"""

from __future__ import annotations

from equiv.core.runner import Result
from equiv.eval.metrics.metric import Asked, Metric, Needs, same_results


def as_bird(pred: Result, gold: Result) -> bool:
    """``set(predicted) == set(gold)``, as BIRD has it; two empty results are equal whatever their columns."""
    return set(pred.rows) == set(gold.rows)


def score(asked: Asked) -> bool | None:
    """BIRD's execution accuracy of a pair."""
    return same_results(asked.answers, as_bird)


METRIC = Metric(
    name="ex-bird",
    needs=Needs.DATABASE,
    meaning="both queries return the same set of rows on the given database",
    source="BIRD, arXiv 2305.03111, section 4; `evaluation_ex.py`",
    score=score,
    leads=True,
    across=True,
    relation="bird",
)
