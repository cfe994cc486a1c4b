"""PostgreSQL's words for random schemas and questions."""

from __future__ import annotations

from equiv.dialects.questions import QUESTIONS
from equiv.dialects.questions.ways import Ways, shown
from equiv.dialects.questions.words import Words

OWN: tuple[Ways, ...] = (
    shown(
        "t.o::text",
        "t.o::numeric(9, 3)::text",
        "(t.o + 0)::numeric(7, 2)::text",
        "RTRIM(t.o::text, '0')",
        "t.o::numeric(7, 2)::text",
        "CASE WHEN t.o IS NOT NULL THEN t.o::text END",
    ),
    (
        "SELECT t.id FROM t JOIN generate_series(1, 3) AS g ON g = t.i",
        "SELECT t.id FROM t WHERE t.i BETWEEN 1 AND 3",
        "SELECT t.id FROM t WHERE t.i IN (SELECT * FROM generate_series(1, 3))",
        "SELECT t.id FROM t WHERE t.i IN (1, 3)",
        "SELECT t.id FROM t, unnest(ARRAY[1, 2, 3]) AS x WHERE x = t.i",
        "SELECT t.id FROM t, unnest(ARRAY[1, 2, 2, 3]) AS x WHERE x = t.i",
        "SELECT t.id FROM t, generate_series(1, 3) AS g WHERE g >= t.i",
        "SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM generate_series(1, 3) AS g WHERE g = t.i)",
    ),
)
"""Questions that PostgreSQL alone has: the text of a numeric, functions in FROM."""

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
    questions=(*QUESTIONS, *OWN),
)
