"""PostgreSQL's words for random schemas and questions."""

from __future__ import annotations

from equiv.dialects.questions import QUESTIONS
from equiv.dialects.questions.words import Words

WORDS = Words(
    types={
        "n": ("numeric(6,2)", "numeric(5,1)", "numeric(8,3)", "numeric"),
        "o": ("numeric(7,2)", "numeric(4,0)"),
        "i": ("integer",),
        "j": ("smallint", "bigint", "integer"),
        "f": ("double precision", "real"),
        "c": ("char(3)", "char(2)", "char(5)"),
        "e": ("char(3)", "char(5)"),
        "v": ("varchar(4)", "varchar(10)"),
        "s": ("text",),
        "b": ("boolean",),
        "g": ("boolean",),
        "d": ("date",),
        "x": ("date",),
        "m": ("timestamp",),
        "y": ("timestamp",),
    },
    unique=("UNIQUE", "UNIQUE", "UNIQUE", "UNIQUE NULLS NOT DISTINCT"),
    checks=("CHECK (i >= -100)", "CHECK (c <> 'zz')", "CHECK (n < 1000)", "CHECK (b OR NOT b)"),
    literals={
        "number": ("0", "1", "2", "-1", "1.5", "0.5", "2.0", "1.50", "2.25", "NULL"),
        "text": ("'a'", "'A'", "'ab'", "'a '", "''", "'b'", "'1'", "NULL"),
        "boolean": ("true", "false", "NULL"),
        "date": (
            "DATE '2000-01-01'",
            "DATE '1999-12-31'",
            "DATE '2000-02-29'",
            "TIMESTAMP '2000-01-01 12:34:56'",
        ),
    },
    wrappers={
        "number": (
            "$ + 0",
            "-(-$)",
            "$ * 1",
            "COALESCE($, 0)",
            "$::numeric",
            "$::numeric(8,1)",
            "ABS($)",
            "$::int",
        ),
        "text": (
            "$ || ''",
            "TRIM($)",
            "LOWER($)",
            "$::text",
            "$::varchar(2)",
            "$::char(3)",
            "COALESCE($, '')",
        ),
        "boolean": ("NOT NOT $", "$ IS TRUE", "$ = true", "COALESCE($, false)", "NOT $"),
        "date": ("$::timestamp", "$::date", "DATE_TRUNC('month', $)", "$ + INTERVAL '1 day'"),
    },
    questions=QUESTIONS,
)
