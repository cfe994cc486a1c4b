"""Beginnings of texts."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

TEXTS: tuple[Ways, ...] = (
    (
        "SELECT $sk FROM $S WHERE SUBSTR($s, 1, 2) = 'ab'",
        "SELECT $sk FROM $S WHERE $s GLOB 'ab*'",
        "SELECT $sk FROM $S WHERE $s >= 'ab' AND $s < 'ac'",
    ),
    (
        "SELECT $sk FROM $S WHERE $s LIKE 'abc%' AND $s LIKE 'ab%'",
        "SELECT $sk FROM $S WHERE $s LIKE 'ABC%'",
    ),
    (
        "SELECT t.$sk FROM $S AS t JOIN $S AS o ON SUBSTR(t.$s, 1, 3) = SUBSTR(o.$s, 1, 3) AND SUBSTR(t.$s, 1, 2) = SUBSTR(o.$s, 1, 2)",
        "SELECT t.$sk FROM $S AS t JOIN $S AS o ON SUBSTR(o.$s, 1, 3) = SUBSTR(t.$s, 1, 3)",
    ),
    (
        "SELECT $sk FROM $S WHERE $s LIKE 'a!%%' ESCAPE '!'",
        "SELECT $sk FROM $S WHERE SUBSTR($s, 1, 2) = 'a%'",
    ),
)
