"""Queries whose results the engine of their dialect tells apart by types that the core has as one."""

from __future__ import annotations

from dataclasses import replace

from equiv.core.query import Query
from equiv.core.unsupported import Unsupported

_NUMBERS = frozenset(("boolean", "number"))


def told_apart_by_types(pred: Query, gold: Query, *, alike: bool) -> tuple[Query, Query]:
    """Both queries; without trees if a column has types whose values are never equal.

    The core, in which a boolean is 0 or 1 and a date a text, would take such values for equal: no rule, no
    proof and no core text says anything of such a pair.

    Args:
        pred: the prediction.
        gold: the gold query.
        alike: whether a boolean equals 0 or 1.
    """
    if pred.columns != gold.columns or not pred.types or not gold.types:
        return pred, gold
    if alike:
        pred, gold = _as_numbers(pred), _as_numbers(gold)
    for place, (one, other) in enumerate(zip(pred.types, gold.types, strict=True), 1):
        if one != other:
            why = Unsupported("Column", f"column {place} is of {one} here and of {other} there")
            return _untranslated(pred, why), _untranslated(gold, why)
    return pred, gold


def _as_numbers(query: Query) -> Query:
    return replace(query, types=tuple("number" if each in _NUMBERS else each for each in query.types))


def _untranslated(query: Query, why: Unsupported) -> Query:
    return replace(query, tree=None, unsupported=why, core_text="")
