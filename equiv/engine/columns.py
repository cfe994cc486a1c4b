"""The column names of the results in a verdict, as the engine gives them; no verdict depends on them."""

from __future__ import annotations

from dataclasses import replace

from equiv.core.runner import Limits, Result
from equiv.dialects.crossing.sides import gold_side
from equiv.dialects.protocol import Session
from equiv.verdict import Caveat, Equivalent, Execution, NotEquivalent, Undecided, Verdict, Witness

LIMITS = Limits(seconds=0.5, rows=1_000, bytes=1_000_000)
"""What may be spent on the names of a query's columns."""


def with_columns(verdict: Verdict, texts: tuple[str, str], empty: Session) -> Verdict:
    """The verdict, its evidence with the names of the columns of both results.

    Args:
        verdict: the verdict.
        texts: the prediction and the gold query, run where the evidence does not say what else was run.
        empty: an empty database of the schema.
    """
    match verdict:
        case NotEquivalent(evidence=shown):
            pred, gold = _names(shown, texts, empty)
            return replace(verdict, evidence=replace(shown, pred_columns=pred, gold_columns=gold))
        case Undecided(evidence=Witness() as shown):
            pred, gold = _names(shown, texts, empty)
            return replace(verdict, evidence=replace(shown, pred_columns=pred, gold_columns=gold))
        case Equivalent(caveat=Caveat(evidence=(Witness() | Execution()) as shown) as caveat):
            pred, gold = _names(shown, texts, empty)
            named = replace(shown, pred_columns=pred, gold_columns=gold)
            return replace(verdict, caveat=replace(caveat, evidence=named))
    return verdict


def _names(
    shown: Witness | Execution, texts: tuple[str, str], empty: Session
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if shown.binding is not None:
        texts = (shown.binding.pred_sql, shown.binding.gold_sql)
    pred, gold = _columns(texts[0], empty), _columns(texts[1], gold_side(empty))
    return pred, gold


def _columns(sql: str, empty: Session) -> tuple[str, ...]:
    """The names of a query's columns; none if it cannot be run on the empty database in little time."""
    found = empty.run(sql, LIMITS)
    return found.names if isinstance(found, Result) else ()
