"""Questions in several ways in words that DuckDB alone has, as :mod:`equiv.dialects.questions` has them."""

from __future__ import annotations

from equiv.dialects.duckdb.questions.queries import QUERIES
from equiv.dialects.duckdb.questions.sets import SETS
from equiv.dialects.duckdb.questions.values import VALUES

QUESTIONS = (*VALUES, *QUERIES, *SETS)
"""By kind of what differs."""
