"""ESM: exact set match; see :mod:`equiv.eval.metrics.exact_set`."""

from __future__ import annotations

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.eval.metrics.exact_set import block_of, matches
from equiv.eval.metrics.metric import Asked, Metric, Needs
from equiv.eval.metrics.switches import Switches, seen


def exact_set_match(
    pred: Query | Broken, gold: Query | Broken, schema: Schema, switches: Switches
) -> bool | None:
    """ESM; None where the gold query is not read."""
    wanted = block_of(seen(gold, switches), schema) if isinstance(gold, Query) else None
    if wanted is None:
        return None
    return isinstance(pred, Query) and matches(block_of(seen(pred, switches), schema), wanted)


def score(asked: Asked) -> bool | None:
    """ESM of a pair."""
    return exact_set_match(*asked.queries, asked.engine.schema, asked.switches)


METRIC = Metric(
    name="esm",
    needs=Needs.SCHEMA,
    meaning="exact set match: each clause the same set",
    source="Spider, arXiv 1809.08887, section 6; `evaluation.py`",
    score=score,
    heeds=frozenset({"values", "distinct"}),
)
