"""Ranges, averages and shares of numbers."""

from __future__ import annotations

Ways = tuple[str, ...]

NUMBERS: tuple[Ways, ...] = (
    (
        "SELECT $nk FROM $N WHERE $a BETWEEN 1 AND 3",
        "SELECT $nk FROM $N WHERE $a >= 1 AND NOT $a > 3",
        "SELECT $nk FROM $N WHERE NOT ($a < 1 OR $a > 3)",
    ),
    (
        "SELECT AVG($a) FROM $N WHERE $b > 1",
        "SELECT SUM($a) / COUNT($a) FROM $N WHERE $b > 1",
        "SELECT CAST(SUM($a) AS REAL) / COUNT($a) FROM $N WHERE $b > 1",
    ),
    (
        "SELECT CAST(SUM(CASE WHEN $a > 2 THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM $N",
        "SELECT SUM(CASE WHEN $a > 2 THEN 1.0 ELSE 0 END) / COUNT(*) * 100 FROM $N",
        "SELECT AVG(CASE WHEN $a > 2 THEN 100.0 ELSE 0 END) FROM $N",
    ),
    (
        "SELECT ABS($a) FROM $N WHERE MAX($a, 2) = $a",
        "SELECT $a FROM $N WHERE $a >= 2",
        "SELECT IIF($a < 0, -$a, $a) FROM $N WHERE MIN($a, 2) = 2",
    ),
    (
        "SELECT CAST($a AS INTEGER) FROM $N WHERE $a >= 0",
        "SELECT CAST(ABS($a) AS INTEGER) FROM $N WHERE NOT $a < 0",
    ),
)
