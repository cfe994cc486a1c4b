"""EM: equal texts."""

from __future__ import annotations

from equiv.eval.metrics.metric import Asked, Metric, Needs


def exact_match(pred: str, gold: str) -> bool:
    """Whether the texts are equal but for white space around them."""
    return pred.strip() == gold.strip()


def score(asked: Asked) -> bool | None:
    """EM of a pair."""
    return exact_match(asked.pred, asked.gold)


METRIC = Metric(
    name="em",
    needs=Needs.TEXTS,
    meaning="equal texts but for white space around them",
    source="ROSE, arXiv 2604.12988, baseline EM",
    score=score,
)
