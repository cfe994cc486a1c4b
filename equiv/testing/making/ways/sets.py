"""Sets: both of two values, either of two, those without a partner."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

SETS: tuple[Ways, ...] = (
    (
        "SELECT $x FROM $T WHERE $y = $one INTERSECT SELECT $x FROM $T WHERE $y = $two",
        "SELECT $x FROM $T WHERE $y IN ($one, $two) GROUP BY $x HAVING COUNT(DISTINCT $y) = 2",
        "SELECT $x FROM $T WHERE $y IN ($one, $two) GROUP BY $x HAVING COUNT(*) = 2",
        "SELECT $x FROM $T GROUP BY $x HAVING SUM($y = $one) > 0 AND SUM($y = $two) > 0",
        "SELECT $x FROM $T GROUP BY $x HAVING MAX($y = $one) AND MAX($y = $two)",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON s.$x = t.$x WHERE t.$y = $one AND s.$y = $two",
        "SELECT DISTINCT $x FROM $T WHERE $y = $one AND $x IN (SELECT $x FROM $T WHERE $y = $two)",
    ),
    (
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w = $three INTERSECT SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w = $four",
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w IN ($three, $four) GROUP BY c.$f HAVING COUNT(DISTINCT p.$w) = 2",
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g GROUP BY c.$f HAVING SUM(p.$w = $three) >= 1 AND SUM(p.$w = $four) >= 1",
    ),
    (
        "SELECT $x FROM $T WHERE $y = $one OR $y = $two",
        "SELECT $x FROM $T WHERE $y = $one UNION SELECT $x FROM $T WHERE $y = $two",
        "SELECT $x FROM $T WHERE $y = $one UNION ALL SELECT $x FROM $T WHERE $y = $two",
        "SELECT DISTINCT $x FROM $T WHERE $y IN ($one, $two)",
    ),
    (
        "SELECT DISTINCT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g OR c.$v = p.$g",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g UNION SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$v = p.$g",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c) OR p.$g IN (SELECT c.$v FROM $C AS c)",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE p.$g IN (c.$f, c.$v))",
    ),
    (
        "SELECT DISTINCT p.$w FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g LEFT JOIN $C AS d ON d.$v = p.$g WHERE c.$f IS NOT NULL OR d.$v IS NOT NULL",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g UNION SELECT p.$w FROM $P AS p JOIN $C AS d ON d.$v = p.$g",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE p.$g IN (SELECT $f FROM $C) OR p.$g IN (SELECT $v FROM $C)",
    ),
    (
        "SELECT p.$w FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g WHERE c.$f IS NULL",
        "SELECT p.$w FROM $P AS p WHERE p.$g NOT IN (SELECT c.$f FROM $C AS c)",
        "SELECT p.$w FROM $P AS p WHERE p.$g NOT IN (SELECT c.$f FROM $C AS c WHERE c.$f IS NOT NULL)",
        "SELECT p.$w FROM $P AS p WHERE NOT EXISTS (SELECT 1 FROM $C AS c WHERE c.$f = p.$g)",
        "SELECT p.$w FROM $P AS p WHERE (SELECT COUNT(*) FROM $C AS c WHERE c.$f = p.$g) = 0",
    ),
    (
        "SELECT q.$z FROM $Q AS q WHERE (q.$j, q.$u) IN (SELECT b.$g1, b.$g2 FROM $B AS b)",
        "SELECT q.$z FROM $Q AS q WHERE EXISTS (SELECT 1 FROM $B AS b WHERE b.$g1 = q.$j AND b.$g2 = q.$u)",
        "SELECT DISTINCT q.$z FROM $Q AS q JOIN $B AS b ON (b.$g1, b.$g2) = (q.$j, q.$u)",
    ),
    (
        "SELECT $a FROM $N WHERE $a > 1 UNION ALL SELECT $a FROM $N WHERE NOT $a > 1",
        "SELECT $a FROM $N WHERE $a <= 1 UNION ALL SELECT $a FROM $N WHERE $a > 1",
        "SELECT $a FROM $N WHERE $a IS NOT NULL",
    ),
    (
        "SELECT $a FROM $N WHERE $a > 1 UNION ALL SELECT $a FROM $N WHERE $a > 2",
        "SELECT $a FROM $N WHERE $a > 2 UNION ALL SELECT $a FROM $N WHERE $a > 2 UNION ALL SELECT $a FROM $N WHERE $a > 1 AND $a <= 2",
    ),
)
