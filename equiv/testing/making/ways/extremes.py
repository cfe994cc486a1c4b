"""The largest, the second largest, the largest of each group."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

EXTREMES: tuple[Ways, ...] = (
    (
        "SELECT $k FROM $T WHERE $x < (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE $x <> (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE NOT $x >= (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE $x NOT IN (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s WHERE s.$x > t.$x)",
        "SELECT $k FROM $T WHERE $x <= (SELECT MAX($x) FROM $T)",
    ),
    (
        "SELECT MAX($x) FROM $T WHERE $x < (SELECT MAX($x) FROM $T)",
        "SELECT DISTINCT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT $x FROM $T GROUP BY $x ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT MAX($x) FROM $T WHERE $x <> (SELECT MAX($x) FROM $T)",
        "SELECT (SELECT DISTINCT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1)",
    ),
    (
        "SELECT $k FROM $T WHERE $x = (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM (SELECT $k, RANK() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM (SELECT $k, DENSE_RANK() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM (SELECT $k, ROW_NUMBER() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM $T WHERE $x IS (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T ORDER BY $x DESC LIMIT 1",
        "SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE s.$x > t.$x)",
    ),
    (
        "SELECT $k FROM $T AS t WHERE $x = (SELECT MAX(s.$x) FROM $T AS s WHERE s.$y = t.$y)",
        "SELECT $k FROM (SELECT $k, RANK() OVER (PARTITION BY $y ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT t.$k FROM $T AS t JOIN (SELECT $y, MAX($x) AS m FROM $T GROUP BY $y) AS q ON q.$y = t.$y AND q.m = t.$x",
        "SELECT $k FROM $T WHERE ($y, $x) IN (SELECT $y, MAX($x) FROM $T GROUP BY $y)",
        "SELECT $k FROM (SELECT $k, $x, MAX($x) OVER (PARTITION BY $y) AS m FROM $T) AS q WHERE $x = m",
    ),
    (
        "SELECT MAX($x) FROM $T WHERE $y = $one",
        "SELECT $x FROM $T WHERE $y = $one ORDER BY $x DESC LIMIT 1",
        "SELECT MAX($x) FROM $T WHERE $y = $one AND $x IS NOT NULL",
    ),
)
