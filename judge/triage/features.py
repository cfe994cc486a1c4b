"""What triage sees of a pair: what the engine found out, nothing of what queries or question say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equiv.records.record import Record

NAMES = ("equal", "settled", "difference", "weakest", "relation", "rows")
"""The features, each with a few values."""

Features = Mapping[str, str]
"""One value for each of :data:`NAMES`."""


def features_of(record: Record, equal: bool | None) -> Features:
    """The features of a record of the engine.

    - ``equal``: whether both queries return the same on the given database;
    - ``settled``: the verdict with its tier, or with its reason;
    - ``difference``, ``weakest``: what a witness shows, and the weakest relation that it breaks;
    - ``relation``: the one asked for;
    - ``rows``: which query returns more on the witness, and which nothing.

    Args:
        record: of one pair, judged or not.
        equal: None where there is no database.
    """
    return {
        "equal": {True: "yes", False: "no", None: "unknown"}[equal],
        "settled": f"{record['verdict']} by {record['tier'] or record['reason']}",
        "difference": record["difference"] or "none",
        "weakest": record["weakest"] or "none",
        "relation": record["relation"],
        "rows": _rows(record["evidence"]),
    }


def _rows(evidence: Mapping[str, Any] | None) -> str:
    match evidence:
        case {"pred_rows": [], "gold_rows": []}:
            return "none on either side"
        case {"pred_rows": []}:
            return "none predicted"
        case {"gold_rows": []}:
            return "none of gold"
        case {"pred_rows": list(pred), "gold_rows": list(gold)}:
            return "as many" if len(pred) == len(gold) else "more" if len(pred) > len(gold) else "fewer"
    return "no witness"
