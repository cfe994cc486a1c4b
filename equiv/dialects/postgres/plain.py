"""Texts that surely have one answer on a database, order apart, and in which nothing rounds."""

from __future__ import annotations

import re
from itertools import pairwise

from equiv.core.model import Affinity, Schema
from equiv.dialects.postgres.statements import code

_CHOOSING = frozenset(
    """limit offset fetch over window tablesample collate distinct_on xmlagg mode age now user clock_timestamp
    statement_timestamp transaction_timestamp timeofday any_value first_value oid ctid tableoid xmin xmax cmin
    cmax array avg variance corr percentile_cont real double sqrt cbrt power pow exp ln pi degrees radians
    dsqrt dpow dexp""".split()  # noqa: SIM905
)
"""Names of what chooses or reads the clock or the server, and of what rounds."""
_BEGINNINGS = (
    *("random", "current_", "localtime", "session_", "system_", "json", "reg", "stddev", "var_", "covar_"),
    *("float", "log", "sin", "cos", "tan", "asin", "acos", "atan", "cot", "dlog", "numeric_"),
)
_NAME = re.compile(r"\w+")
_CLOCK = ("now", "today", "tomorrow", "yesterday")


def is_plain_text(text: str, schema: Schema) -> bool:
    """Whether a query, as given or as PostgreSQL prints it, holds nothing that chooses or rounds."""
    if any(word in text.lower() for word in _CLOCK):
        return False
    parts = " ".join(text[start:end] for start, end in code(text))
    words = _NAME.findall(parts.lower())
    if any(map(_is_choosing, words)) or ("distinct", "on") in pairwise(words) or set("/^@%") & set(parts):
        return False
    real = {c.name.lower() for t in schema.tables for c in t.columns if c.affinity is Affinity.REAL}
    adds = "sum" in words or bool(set("-+*") & set(parts))
    return not adds or real.isdisjoint(_NAME.findall(text.lower()))


def _is_choosing(word: str) -> bool:
    return word in _CHOOSING or word.startswith(_BEGINNINGS) or word.endswith("_agg") or "div" in word
