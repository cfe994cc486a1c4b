"""How many systems return on the given data what a gold query returns there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equiv.eval.gold.systems import REFUTED
from equiv.records.record import Record


def results_of(
    records: Sequence[Record], same: Sequence[bool | None], strengths: Mapping[str, float]
) -> dict[str, float]:
    """The features of results on data; empty if fewer than two predictions have one.

    Args:
        records: the predictions for one gold query.
        same: of each, whether it returns the same set of rows; None where that is not known.
        strengths: how often each system is proven right.
    """
    known = [(record, equal) for record, equal in zip(records, same, strict=True) if equal is not None]
    if len(known) < 2:
        return {}
    right = [record for record, equal in known if equal]
    weight = sum(strengths[record["source"]] for record, _ in known) or 1.0
    found = {
        "right": len(right) / len(known),
        "none_right": float(not right),
        "strong_right": sum(strengths[record["source"]] for record in right) / weight,
        "refuted_right": sum(record["verdict"] == REFUTED for record in right) / len(known),
    }
    return {f"results.{name}": round(value, 4) for name, value in found.items() if value}
