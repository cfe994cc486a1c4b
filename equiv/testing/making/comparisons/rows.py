"""Row values compared: component by component, with NULL among them, by IN with lists and queries."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from equiv.testing.making.comparisons.conditions import where
from equiv.testing.making.comparisons.keys import Ways

ROW_VALUES: tuple[Ways, ...] = (
    where(
        "($e, $f) = ($l, $m)",
        "$e = $l AND $f = $m",
        "($e, $f) IN (SELECT $l, $m)",
        "($e, $f) IN (VALUES ($l, $m))",
        "($l, $m) = ($e, $f)",
        "NOT ($e, $f) <> ($l, $m)",
        "($f, $e) = ($m, $l)",
        "($e, $f) BETWEEN ($l, $m) AND ($l, $m)",
        "NOT ($e <> $l OR $f <> $m)",
        "($e, $f) IS ($l, $m)",
        "CASE WHEN ($e, $f) = ($l, $m) THEN 1 END",
    ),
    where(
        "($e, $f) < ($l, $m)",
        "$e < $l OR $e = $l AND $f < $m",
        "($l, $m) > ($e, $f)",
        "NOT ($e, $f) >= ($l, $m)",
        "$e <= $l AND ($e < $l OR $f < $m)",
        "$e < $l OR ($e, $f) < ($l, $m)",
    ),
    where(
        "($e, $f) IN (VALUES ($l, $m), ($m, $l))",
        "($e, $f) = ($l, $m) OR ($e, $f) = ($m, $l)",
        "$e = $l AND $f = $m OR $e = $m AND $f = $l",
        "($e, $f) IN (SELECT $l, $m UNION ALL SELECT $m, $l)",
        "EXISTS (SELECT 1 FROM (SELECT $l AS c, $m AS d UNION ALL SELECT $m, $l) AS q WHERE (q.c, q.d) = ($e, $f))",
    ),
    where(
        "($e, $f) NOT IN (VALUES ($l, $m), ($m, $l))",
        "NOT (($e, $f) = ($l, $m) OR ($e, $f) = ($m, $l))",
        "($e, $f) <> ($l, $m) AND ($e, $f) <> ($m, $l)",
        "NOT ($e = $l AND $f = $m OR $e = $m AND $f = $l)",
        "($e, $f) NOT IN (SELECT $l, $m UNION SELECT $m, $l)",
    ),
    where(
        "($e, $f) IN (SELECT $g, $h FROM $U AS u)",
        "EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f)",
        "EXISTS (SELECT 1 FROM $U AS u WHERE $e = $g AND $f = $h)",
        "EXISTS (SELECT 1 FROM $U AS u WHERE ($e, $f) = ($g, $h))",
        "($f, $e) IN (SELECT $h, $g FROM $U AS u)",
        "($e, $f) IN (SELECT DISTINCT $g, $h FROM $U AS u)",
        "$e IN (SELECT $g FROM $U AS u WHERE $h = $f)",
        "$f IN (SELECT $h FROM $U AS u WHERE $g = $e)",
        "(SELECT COUNT(*) FROM $U AS u WHERE ($g, $h) = ($e, $f)) > 0",
        "($e, $f) IN (SELECT c, d FROM (SELECT $g AS c, $h AS d FROM $U AS u) AS q)",
        "NOT ($e, $f) NOT IN (SELECT $g, $h FROM $U AS u)",
    ),
    where(
        "($e, $f) NOT IN (SELECT $g, $h FROM $U AS u)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($g = $e AND $h = $f) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($e = $g AND $f = $h) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE (($e, $f) = ($g, $h)) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f)",
        "($f, $e) NOT IN (SELECT $h, $g FROM $U AS u)",
        "(($e, $f) IN (SELECT $g, $h FROM $U AS u)) = 0",
        "(SELECT COUNT(*) FROM $U AS u WHERE (($g, $h) = ($e, $f)) IS NOT 0) = 0",
        "NOT ($e, $f) IN (SELECT $g, $h FROM $U AS u)",
    ),
    where(
        "($e, $f) NOT IN (SELECT $g, $h FROM $U AS u WHERE $q)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND ($g = $e AND $h = $f) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND (($e, $f) = ($g, $h)) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND ($e = $g OR $e IS NULL OR $g IS NULL) AND ($f = $h OR $f IS NULL OR $h IS NULL))",
        "($e, $f) NOT IN (SELECT $g, $h FROM $U AS u WHERE $q) OR NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q)",
    ),
    where(
        "($e, NULL) IN (SELECT $g, $h FROM $U AS u)",
        "0",
        "NULL",
        "($e, NULL) IN (SELECT $g, $h FROM $U AS u) IS TRUE",
    ),
    where(
        "($e, NULL) NOT IN (SELECT $g, $h FROM $U AS u)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($e = $g) IS NOT 0)",
        "NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($g = $e) IS NOT 0)",
        "$e NOT IN (SELECT $g FROM $U AS u)",
        "(NULL, $e) NOT IN (SELECT $h, $g FROM $U AS u)",
    ),
    (
        "SELECT $k, ($e, $f) IN (SELECT $g, $h FROM $U AS u) FROM $T AS t",
        "SELECT $k, EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f) FROM $T AS t",
        "SELECT $k, NOT ($e, $f) NOT IN (SELECT $g, $h FROM $U AS u) FROM $T AS t",
        "SELECT $k, MAX(($e, $f) = ($g, $h)) FROM $T AS t LEFT JOIN $U AS u GROUP BY $k",
        "SELECT $k, CASE WHEN EXISTS (SELECT 1 FROM $U AS u WHERE ($e, $f) = ($g, $h)) THEN 1 WHEN EXISTS (SELECT 1 FROM $U AS u WHERE (($e, $f) = ($g, $h)) IS NULL) THEN NULL ELSE 0 END FROM $T AS t",
        "SELECT $k, COALESCE((SELECT MAX(($g, $h) = ($e, $f)) FROM $U AS u), 0) FROM $T AS t",
    ),
    (
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) = ($g, $h)",
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e = $g AND $f = $h",
        "SELECT $k, $uk FROM $T AS t, $U AS u WHERE $g = $e AND $h = $f",
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($g, $h) = ($e, $f)",
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) IN (SELECT $g, $h)",
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) IS ($g, $h)",
        "SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e IS $g AND $f IS $h",
    ),
)
