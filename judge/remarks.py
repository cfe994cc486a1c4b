"""What is worth saying after a run with a judge: what it cost, and what was taken on trust."""

from __future__ import annotations

from .asking.budget import Budget
from .classes import Contradiction
from .stage import Stage


def spent(budget: Budget, *, priced: bool) -> str:
    """The cost of a run's calls in words: tokens, and dollars if their price is known."""
    used = budget.spent
    parts = [f"{used.calls:,} calls to the judge"]
    if used.prompt_tokens:
        parts.append(f"{used.prompt_tokens:,} prompt tokens ({used.cached_tokens:,} of them cached)")
        parts.append(f"{used.completion_tokens:,} completion tokens")
    if priced and budget.uncounted:
        parts.append(f"${budget.dollars:.4f} at most: the tokens of {budget.uncounted:,} were not counted")
    elif priced:
        parts.append(f"${budget.dollars:.4f}")
    return ", ".join(parts)


def told_of(stage: Stage) -> list[str]:
    """The remarks on predictions accepted by the saving ``execution``, and on contradictions of the judge."""
    told = [_told(one) for one in stage.contradictions]
    if not any(stage.accepted):
        return told
    pairs, apart = len(stage.accepted), sum(stage.accepted)
    text = f"{pairs:,} pairs scored 1 for equal results alone, {apart:,} of them although a database tells "
    return [f"{text}the queries apart (--savings without 'execution' has them judged)", *told]


def _told(one: Contradiction) -> str:
    db_id, question, _ = one.question
    return (
        f"question {question} of {db_id}: {len(one.passed)} predictions passed and {len(one.failed)} failed "
        f"that are proven equivalent: the judge contradicts itself"
    )
