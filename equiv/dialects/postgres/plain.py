"""Texts that surely have one answer on a database, order apart, and in which nothing rounds."""

from __future__ import annotations

import re

from equiv.core.affinity import Affinity
from equiv.core.model import Schema
from equiv.dialects.postgres.statements import code

_WORDS = r"""
    limit offset fetch over window tablesample collate xmlagg mode age random\w* now current_\w+ localtime\w*
    \w*user clock_timestamp statement_timestamp transaction_timestamp timeofday \w*_agg json\w* any_value
    first_value reg\w+ oid ctid tableoid xmin xmax cmin cmax array
    avg stddev\w* var_\w+ variance corr covar_\w+ percentile_cont real double float\w* sqrt cbrt power pow exp
    ln log\w* sin\w* cos\w* tan\w* asin\w* acos\w* atan\w* cot\w* pi degrees radians \w*div\w* dsqrt dpow dexp
    dlog\w* numeric_\w+
"""
"""Names of what chooses or reads the clock or the server, and of what rounds."""
_CHOOSING = re.compile(rf"\b(distinct\s+on|{'|'.join(_WORDS.split())})\b|[/^@%]", re.IGNORECASE)
_ADDING = re.compile(r"[-+*]|\bsum\b", re.IGNORECASE)
_NAME = re.compile(r"\w+")
_NOW = re.compile(r"'\s*(now|today|tomorrow|yesterday)\s*'", re.IGNORECASE)


def is_plain_text(text: str, schema: Schema) -> bool:
    """Whether a query, as given or as PostgreSQL prints it, holds nothing that chooses or rounds."""
    if _NOW.search(text):
        return False
    parts = [text[start:end] for start, end in code(text)]
    if any(map(_CHOOSING.search, parts)):
        return False
    real = {c.name for t in schema.tables for c in t.columns if c.affinity is Affinity.REAL}
    return real.isdisjoint(_NAME.findall(text)) or not any(map(_ADDING.search, parts))
