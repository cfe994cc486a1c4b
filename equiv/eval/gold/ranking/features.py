"""What a probability rests on: findings, the form of question and query, what systems predicted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.signs.words import superlatives_of

Features = Mapping[str, float]
"""Numbers from 0 to 1 by name; what is not named is 0."""

ON_DATA = frozenset(
    {
        *(Kind.EMPTY, Kind.TIE, Kind.NULL_FIRST, Kind.TEXT_NUMBERS, Kind.DUPLICATES),
        Kind.AVERAGES_ZEROS,
    }
)
"""Kinds that data show: one feature together, since few labelled queries have data."""
SLIPS = frozenset(
    {
        Kind.PRECEDENCE,
        Kind.EXCLUDED_BY_VALUE,
        Kind.OTHER_COMPARISON,
        Kind.OTHER_BOUND,
        Kind.REPEATED_CONDITION,
        Kind.COUNTS_ELSE,
        Kind.IDLE_ORDER,
        Kind.NEGATED_ROW,
        Kind.UNORDERED_LIMIT,
        Kind.DIRECTION,
    }
)
"""Kinds that are rare and hardly ever meant: one feature together."""
ELSEWHERE = frozenset(
    {
        *(Kind.UNSOLVED, Kind.OUTVOTED, Kind.CONTRADICTED, Kind.UNSUPPORTED),
        *(Kind.REPEATS_ROWS, Kind.STRANGE_CONSTANT, Kind.MISSING_DISTINCT, Kind.NONDETERMINISTIC),
        *(Kind.SELF_EQUALITY, Kind.ONE_SIDED_JOIN, Kind.UNJOINED_TABLE),
    }
)
"""Kinds that are no features.

Those of systems count by their numbers, some tell nothing of a fault, and some no labelled query showed.
"""

_ASKED = {
    "asks.percentage": re.compile(r"percent|ratio|proportion|rate\b", re.IGNORECASE),
    "asks.average": re.compile(r"average|\bmean\b", re.IGNORECASE),
    "asks.yes_no": re.compile(
        r"^(?:is|are|was|were|did|does|do|has|have)\b|, (?:was|is|did|does)\b", re.IGNORECASE
    ),
    "asks.difference": re.compile(r"difference|compar|more than|how much", re.IGNORECASE),
}


def features_of(gold: GoldQuery, findings: Iterable[Finding]) -> dict[str, float]:
    """The features of a gold query without systems."""
    found: dict[str, float] = {}
    for finding in findings:
        if finding.basis is Basis.DATA and finding.kind in ON_DATA:
            found["found.on_data"] = 1.0
        elif finding.kind in SLIPS:
            found["found.slip"] = 1.0
        elif finding.kind not in ELSEWHERE:
            found[f"found.{finding.kind}"] = 1.0
    found |= {name: 1.0 for name, form in _ASKED.items() if form.search(gold.question)}
    if superlatives_of(gold.question):
        found["asks.superlative"] = 1.0
    words = re.findall(r"\w+", gold.sql.upper())
    found["text.joins"] = min(words.count("JOIN"), 4) / 4
    found["text.nested"] = min(words.count("SELECT") - 1, 3) / 3
    found["text.limit"] = float("LIMIT" in words)
    return {name: value for name, value in found.items() if value}
