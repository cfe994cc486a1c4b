"""Dates and their parts."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

DATES: tuple[Ways, ...] = (
    (
        "SELECT $dk FROM $D WHERE STRFTIME('%Y', $d) = '2020'",
        "SELECT $dk FROM $D WHERE $d LIKE '2020%'",
        "SELECT $dk FROM $D WHERE $d BETWEEN '2020-01-01' AND '2020-12-31'",
        "SELECT $dk FROM $D WHERE SUBSTR($d, 1, 4) = '2020'",
        "SELECT $dk FROM $D WHERE CAST(STRFTIME('%Y', $d) AS INTEGER) = 2020",
    ),
    (
        "SELECT $dk FROM $D WHERE STRFTIME('%Y-%m', $d) = '2020-02'",
        "SELECT $dk FROM $D WHERE $d LIKE '2020-02-%'",
        "SELECT $dk FROM $D WHERE $d >= '2020-02-01' AND $d < '2020-03-01'",
        "SELECT $dk FROM $D WHERE STRFTIME('%Y', $d) = '2020' AND STRFTIME('%m', $d) = '02'",
        "SELECT $dk FROM $D WHERE SUBSTR($d, 1, 7) = '2020-02'",
    ),
    (
        "SELECT $dk FROM $D WHERE STRFTIME('%m', $d) < '06'",
        "SELECT $dk FROM $D WHERE CAST(STRFTIME('%m', $d) AS INTEGER) < 6",
        "SELECT $dk FROM $D WHERE SUBSTR($d, 6, 2) < '06'",
    ),
    (
        "SELECT t.$dk FROM $D AS t JOIN $E AS s ON JULIANDAY(s.$e) > JULIANDAY(t.$d)",
        "SELECT t.$dk FROM $D AS t JOIN $E AS s ON s.$e > t.$d",
    ),
    (
        "SELECT COUNT(*) FROM $D AS t WHERE STRFTIME('%Y', 'now') - STRFTIME('%Y', t.$d) > 3",
        "SELECT COUNT(*) FROM $D AS t WHERE CAST(STRFTIME('%Y', DATE('now')) AS INTEGER) - CAST(SUBSTR(t.$d, 1, 4) AS INTEGER) > 3",
    ),
)
