"""Greatest and least values, orders, and values put beside aggregates."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from equiv.testing.making.comparisons.keys import Ways

EXTREMES: tuple[Ways, ...] = (
    (
        "SELECT MAX($e) FROM $T AS t",
        "SELECT (SELECT $e FROM $T AS t ORDER BY $e DESC LIMIT 1)",
        "SELECT MAX(c) FROM (SELECT $e AS c FROM $T AS t) AS q",
        "SELECT MAX(c) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q",
        "SELECT MAX($e) FROM $T AS t WHERE $x IS NOT NULL",
        "SELECT (SELECT DISTINCT $e FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE $es > $e) LIMIT 1)",
        "SELECT MAX(c) FROM (SELECT MAX($e) AS c FROM $T AS t GROUP BY $s) AS q",
        "SELECT MAX(c) FROM (SELECT $e AS c FROM $T AS t GROUP BY $e) AS q",
        "SELECT $e FROM $T AS t ORDER BY 1 DESC LIMIT 1",
    ),
    (
        "SELECT $k FROM $T AS t WHERE $e = (SELECT MAX($es) FROM $T AS s)",
        "SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE $es > $e) AND $x IS NOT NULL",
        "SELECT $k FROM $T AS t WHERE (SELECT MAX($es) FROM $T AS s) = $e",
        "SELECT $k FROM $T AS t WHERE $e IN (SELECT MAX($es) FROM $T AS s)",
        "SELECT $k FROM $T AS t WHERE $e >= (SELECT MAX($es) FROM $T AS s)",
        "SELECT $k FROM $T AS t WHERE $e = (SELECT $es FROM $T AS s ORDER BY $es DESC LIMIT 1)",
        "SELECT $k FROM $T AS t JOIN (SELECT MAX($es) AS c FROM $T AS s) AS q ON $e = q.c",
        "SELECT $k FROM (SELECT $k, RANK() OVER (ORDER BY $e DESC) AS n FROM $T AS t WHERE $x IS NOT NULL) AS t WHERE n = 1",
        "SELECT $k FROM (SELECT $k, $e AS c, MAX($e) OVER () AS n FROM $T AS t) AS t WHERE c = n",
    ),
    (
        "SELECT $k FROM $T AS t WHERE $e > (SELECT MIN($g) FROM $U AS u)",
        "SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $g < $e)",
        "SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $e > $g)",
        "SELECT DISTINCT $k FROM $T AS t JOIN $U AS u ON $e > $g",
        "SELECT $k FROM $T AS t WHERE (SELECT MIN($g) FROM $U AS u) < $e",
    ),
    (
        "SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) = $l",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING SUM($e = $l) > 0 AND NOT SUM($e > $l) > 0",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING $l = MAX($e)",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) IN ($l)",
        "SELECT q.a FROM (SELECT $s AS a, MAX($e) AS c FROM $T AS t GROUP BY $s) AS q WHERE q.c = $l",
    ),
    (
        "SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) > $l",
        "SELECT $s FROM $T AS t WHERE $e > $l GROUP BY $s",
        "SELECT DISTINCT $s FROM $T AS t WHERE $e > $l",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING SUM($e > $l) > 0",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING COUNT(CASE WHEN $e > $l THEN 1 END) > 0",
        "SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e > $l)",
    ),
    (
        "SELECT $k, $x FROM $T AS t ORDER BY $e, $k",
        "SELECT $k, $x FROM $T AS t ORDER BY $x, $k",
        "SELECT $k, c FROM (SELECT $k, $x AS c FROM $T AS t) AS t ORDER BY c, $k",
        "SELECT $k, $e AS c FROM $T AS t ORDER BY c, $k",
        "SELECT $k, $e FROM $T AS t ORDER BY 2, 1",
        "SELECT $k, $x FROM $T AS t GROUP BY $k, $x ORDER BY $e, $k",
    ),
    (
        "SELECT $k FROM $T AS t ORDER BY $e, $k LIMIT 1",
        "SELECT MIN($k) FROM $T AS t WHERE $e IS (SELECT MIN($es) FROM $T AS s) HAVING COUNT(*) > 0",
        "SELECT $k FROM $T AS t ORDER BY $x, $k LIMIT 1",
        "SELECT $k FROM (SELECT $k, ROW_NUMBER() OVER (ORDER BY $e, $k) AS n FROM $T AS t) AS t WHERE n = 1",
        "SELECT $k FROM $T AS t ORDER BY $e, $e, $k LIMIT 1",
        "SELECT $k FROM $T AS t WHERE $x IS NOT NULL ORDER BY $e, $k LIMIT 1",
    ),
    (
        "SELECT COUNT(*) FROM $T AS t WHERE $e = (SELECT $g FROM $U AS u WHERE $uk = $n)",
        "SELECT COUNT(*) FROM $T AS t, $U AS u WHERE $e = $g AND $uk = $n",
        "SELECT COUNT(*) FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u WHERE $uk = $n)",
        "SELECT COUNT(*) FROM $T AS t WHERE (SELECT $e = $g FROM $U AS u WHERE $uk = $n)",
        "SELECT COUNT(*) FROM $T AS t WHERE (SELECT $g = $e FROM $U AS u WHERE $uk = $n)",
        "SELECT COUNT(*) FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $uk = $n AND $e = $g)",
    ),
)
