"""DuckDB's words for random schemas and questions."""

from __future__ import annotations

from equiv.dialects.duckdb.questions import QUESTIONS as OWN
from equiv.dialects.questions import QUESTIONS
from equiv.dialects.questions.words import Words

WORDS = Words(
    types={
        "n": ("DECIMAL(6,2)", "DECIMAL(5,1)", "DECIMAL(8,3)", "DECIMAL(18,2)"),
        "o": ("DECIMAL(7,2)", "DECIMAL(4,0)"),
        "i": ("INTEGER",),
        "j": ("TINYINT", "SMALLINT", "BIGINT", "HUGEINT"),
        "f": ("DOUBLE",),
        "c": ("VARCHAR",),
        "e": ("VARCHAR",),
        "v": ("VARCHAR",),
        "s": ("VARCHAR",),
        "b": ("BOOLEAN",),
        "g": ("BOOLEAN",),
        "d": ("DATE",),
        "x": ("DATE",),
        "m": ("TIMESTAMP",),
        "y": ("TIMESTAMP",),
    },
    unique=("UNIQUE",),
    checks=("CHECK (i >= -100)", "CHECK (c <> 'zz')", "CHECK (n < 1000)", "CHECK (b OR NOT b)"),
    literals={
        "number": (
            *("0", "1", "2", "-1", "1.5", "0.5", "2.0", "1.50", "2.25", "1e0", "NULL"),
            *("5 // 2", "3 / 2", "-3 % 2", "2.5::DOUBLE::INTEGER", "2.5::DECIMAL(2,1)::INTEGER"),
            "(DATE '2000-03-01' - DATE '2000-02-28')",
        ),
        "text": (
            *("'a'", "'A'", "'ab'", "'a '", "''", "'b'", "'1'", "NULL"),
            *("1::VARCHAR", "'a' || 'b'", "LOWER('A')", "SUBSTR('abc', 1, 2)"),
        ),
        "boolean": ("true", "false", "NULL"),
        "date": (
            "DATE '2000-01-01'",
            "DATE '1999-12-31'",
            "DATE '2000-02-29'",
            "TIMESTAMP '2000-01-01 12:34:56'",
            "'2000-03-31'::DATE",
            "(DATE '2000-01-01' + 1)",
            "(DATE '2000-01-31' + INTERVAL 1 MONTH)",
            "DATE_TRUNC('year', DATE '2000-02-29')",
        ),
    },
    wrappers={
        "number": (
            "$ + 0",
            "-(-$)",
            "$ * 1",
            "$ / 1",
            "$ // 1",
            "COALESCE($, 0)",
            "$::DECIMAL(9,2)",
            "$::DECIMAL(9,1)",
            "$::DOUBLE",
            "$::INTEGER",
            "ABS($)",
        ),
        "text": ("$ || ''", "TRIM($)", "LOWER($)", "$::VARCHAR", "$[1:2]", "COALESCE($, '')", "CONCAT($)"),
        "boolean": ("NOT NOT $", "$ IS TRUE", "$ = true", "COALESCE($, false)", "NOT $", "($::INTEGER = 1)"),
        "date": (
            "$::TIMESTAMP",
            "$::DATE",
            "DATE_TRUNC('month', $)",
            "$ + INTERVAL 1 DAY",
            "$ - INTERVAL 1 DAY",
        ),
    },
    questions=(*QUESTIONS, *OWN, *OWN),
)
"""Half of the questions are those of all typed dialects."""
