"""Groups: one row each, those of several rows, counts by condition."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

GROUPS: tuple[Ways, ...] = (
    (
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT(*) $op $n",
        "SELECT $k FROM $T WHERE 1 $op $n",
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT($x) $op $n",
        "SELECT $k FROM $T WHERE ($x IS NOT NULL) $op $n",
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT(DISTINCT $x) $op $n",
    ),
    (
        "SELECT $x, MAX($x) FROM $T GROUP BY $x",
        "SELECT $x, MIN($x) FROM $T GROUP BY $x",
        "SELECT DISTINCT $x, $x FROM $T",
        "SELECT $x, SUM($x) FROM $T GROUP BY $x",
    ),
    (
        "SELECT $k, SUM($x), COUNT($x), AVG($x) FROM $T GROUP BY $k",
        "SELECT $k, $x, $x IS NOT NULL, $x FROM $T",
        "SELECT $k, MAX($x), COUNT(*), MIN($x) FROM $T GROUP BY $k",
        "SELECT $k, TOTAL($x), COUNT(DISTINCT $x), AVG($x) FROM $T GROUP BY $k, $x",
    ),
    (
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(*) >= 2",
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(DISTINCT $k) > 1",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON t.$x = s.$x AND t.$k <> s.$k",
        "SELECT DISTINCT $x FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s WHERE s.$x = t.$x AND s.$k <> t.$k)",
        "SELECT $x FROM $T GROUP BY $x HAVING MIN($k) < MAX($k)",
        "SELECT DISTINCT $x FROM $T AS t WHERE (SELECT COUNT(*) FROM $T AS s WHERE s.$x = t.$x) > 1",
    ),
    (
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(DISTINCT $y) >= 2",
        "SELECT $x FROM $T GROUP BY $x HAVING MIN($y) <> MAX($y)",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON t.$x = s.$x WHERE t.$y <> s.$y",
    ),
    (
        "SELECT $x, $k FROM $T GROUP BY $x HAVING COUNT(*) = 1",
        "SELECT $x, MAX($k) FROM $T GROUP BY $x HAVING COUNT(*) = 1",
        "SELECT $x, MIN($k) FROM $T GROUP BY $x HAVING COUNT(*) < 2",
        "SELECT $x, $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE s.$x IS t.$x AND s.$k <> t.$k)",
    ),
    (
        "SELECT COUNT(*) FILTER (WHERE $y = $one) FROM (SELECT $y FROM $T WHERE $x IS NULL UNION ALL SELECT $y FROM $T WHERE $x IS NOT NULL) AS u",
        "SELECT COUNT(*) FROM $T WHERE $y = $one",
        "SELECT SUM($y = $one) FROM $T",
        "SELECT (SELECT COUNT(*) FILTER (WHERE $y = $one) FROM $T WHERE $x IS NULL) + (SELECT COUNT(*) FILTER (WHERE $y = $one) FROM $T WHERE $x IS NOT NULL)",
        "SELECT COUNT(CASE WHEN $y = $one THEN 1 END) FROM $T",
    ),
    (
        "SELECT COUNT(DISTINCT $f) FROM $C WHERE $v = $five",
        "SELECT COUNT(*) FROM (SELECT DISTINCT $f FROM $C WHERE $v = $five) AS d",
        "SELECT COUNT(*) FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE c.$f = p.$g AND c.$v = $five)",
    ),
    (
        "SELECT p.$g, COUNT(c.$v) FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g GROUP BY p.$g",
        "SELECT p.$g, COUNT(c.$f) FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g GROUP BY p.$g",
        "SELECT p.$g, (SELECT COUNT(*) FROM $C AS c WHERE c.$f = p.$g) FROM $P AS p",
    ),
    (
        "SELECT $f, SUM($m * $l) FROM $C GROUP BY $f",
        "SELECT $f, SUM($l * $m) FROM $C GROUP BY $f",
        "SELECT p.$g, (SELECT SUM(c.$m * c.$l) FROM $C AS c WHERE c.$f = p.$g) FROM $P AS p",
    ),
)
