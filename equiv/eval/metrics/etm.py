"""ETM: one tree after the rules of ETM, the later version of ESM+ (*Future Internet* 17(8)).

Here the rules of this project that do what its rules do, under the conditions of this project: those that
it shares with ESM+, and those of its own that are sound under some condition (docs/esm-plus-audit.md).
"""

from __future__ import annotations

from equiv.eval.metrics.esm_plus import matched_by
from equiv.eval.metrics.metric import Asked, Metric, Needs

NOT_ITS = frozenset({12, 13})
"""The rules of ESM+ that ETM does not have."""

ITS_OWN = (
    "convert_average_to_quotient",
    "convert_real_quotient",
    "convert_sum_to_count",
    "convert_divided_sum_to_count",
    "convert_guarded_argument",
    "convert_prefix_pattern_to_slice",
    "eliminate_julian_day_of_term",
    "convert_iif_to_case",
    "convert_anti_join_to_not_exists",
    "convert_not_in_to_not_exists",
    "inline_cte",
)
"""The rules here that do what ETM's rules 8, 9, 16, 17 and 24 to 26 do, the conditions being ours."""


def score(asked: Asked) -> bool | None:
    """ETM of a pair."""
    return matched_by(asked, NOT_ITS, ITS_OWN)


METRIC = Metric(
    name="etm",
    needs=Needs.SCHEMA,
    meaning="one tree after the rules of ETM",
    source="ETM, arXiv 2407.07313 (later version), Future Internet 17(8)",
    score=score,
    heeds=frozenset({"values", "distinct"}),
)
