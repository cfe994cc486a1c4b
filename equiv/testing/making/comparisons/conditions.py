"""Values compared with literals and with columns: by operators, IN, BETWEEN, CASE."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from equiv.testing.making.comparisons.keys import Ways

_ROWS = "SELECT $k, $y FROM $T AS t WHERE "
_VALUES = "SELECT $k, "


def where(*conditions: str) -> Ways:
    """Queries for the rows that a condition takes, one for each."""
    return tuple(_ROWS + condition for condition in conditions)


def shown(*values: str) -> Ways:
    """Queries for a value of each row, one for each."""
    return tuple(f"{_VALUES}{value} FROM $T AS t" for value in values)


CONDITIONS: tuple[Ways, ...] = (
    where(
        "$e = $l",
        "$l = $e",
        "$e IN ($l)",
        "$e IN ($l, $l)",
        "$e BETWEEN $l AND $l",
        "CASE $e WHEN $l THEN 1 ELSE 0 END",
        "NULLIF($e, $l) IS NULL AND $x IS NOT NULL",
        "$e IS $l",
        "NOT $e <> $l",
        "$e >= $l AND $e <= $l",
        "($e, 1) = ($l, 1)",
        "$e IN (SELECT $l)",
        "$e = (SELECT $l)",
        "(SELECT $e) = $l",
        "EXISTS (SELECT 1 WHERE $e = $l)",
        "$e = +$l",
        "$e = $l COLLATE NOCASE",
        "IFNULL($e = $l, 0)",
        "$e LIKE $l",
        "NOT $e NOT IN ($l)",
        "($e, 1) IN (SELECT $l, 1)",
        "EXISTS (SELECT $e INTERSECT SELECT $l)",
        "CASE WHEN $e = $l THEN 1 END",
        "$e IN (VALUES ($l))",
    ),
    where(
        "$e = $f",
        "$f = $e",
        "$e IN ($f)",
        "$e IN ($f, $f)",
        "$e BETWEEN $f AND $f",
        "CASE $e WHEN $f THEN 1 END",
        "NULLIF($e, $f) IS NULL AND $x IS NOT NULL",
        "$e IN (SELECT $f)",
        "(SELECT $e) = $f",
        "$e IS $f AND $x IS NOT NULL",
        "NOT ($e < $f OR $e > $f)",
        "$e <= $f AND $e >= $f",
        "($e, $k) = ($f, $k)",
        "($e, 1) IN (SELECT $f, 1)",
        "EXISTS (SELECT $e INTERSECT SELECT $f)",
        "MIN($e, $f) = MAX($e, $f)",
        "NOT $e NOT IN ($f)",
    ),
    where(
        "$e < $f",
        "$f > $e",
        "NOT $e >= $f",
        "($e, 1) < ($f, 1)",
        "$e <= $f AND $e <> $f",
        "NOT $e BETWEEN $f AND $e",
        "$e < $f AND $e IS NOT NULL",
        "(SELECT $e) < $f",
        "$e < (SELECT $f)",
    ),
    where(
        "$e IN ($l, $m)",
        "$e = $l OR $e = $m",
        "$e IN ($l) OR $e IN ($m)",
        "CASE $e WHEN $l THEN 1 WHEN $m THEN 1 ELSE 0 END",
        "$e IN (SELECT $l UNION SELECT $m)",
        "$e IN (VALUES ($l), ($m))",
        "NOT ($e <> $l AND $e <> $m)",
        "NOT $e NOT IN ($l, $m)",
        "$e IN ($m, $l)",
        "$l = $e OR $m = $e",
        "CASE WHEN $e = $l THEN 1 WHEN $e = $m THEN 1 END",
        "EXISTS (SELECT 1 FROM (SELECT $l AS c UNION ALL SELECT $m) AS q WHERE q.c = $e)",
    ),
    where(
        "$e NOT IN ($l, $m)",
        "NOT ($e = $l OR $e = $m)",
        "$e <> $l AND $e <> $m",
        "CASE $e WHEN $l THEN 0 WHEN $m THEN 0 ELSE 1 END AND $x IS NOT NULL",
        "$e NOT IN (SELECT $l UNION SELECT $m)",
        "NOT EXISTS (SELECT 1 FROM (SELECT $l AS c UNION ALL SELECT $m) AS q WHERE q.c = $e) AND $x IS NOT NULL",
    ),
    where(
        "$e IN ($l, $f)",
        "$e = $l OR $e = $f",
        "$e IN ($f, $l)",
        "$e IN ($f) OR $e IN ($l)",
        "$f = $e OR $l = $e",
        "NOT ($e <> $l AND $e <> $f)",
        "CASE $e WHEN $l THEN 1 WHEN $f THEN 1 ELSE 0 END",
    ),
    where(
        "$l IN ($e, $f)",
        "$l = $e OR $l = $f",
        "$e = $l OR $f = $l",
        "$l IN ($f, $e)",
        "$l IN (SELECT $e UNION ALL SELECT $f)",
        "NOT $l NOT IN ($e, $f)",
    ),
    where(
        "$e BETWEEN $l AND $m",
        "$e >= $l AND $e <= $m",
        "$l <= $e AND $m >= $e",
        "NOT ($e < $l OR $e > $m)",
        "NOT $e NOT BETWEEN $l AND $m",
        "($e, 1) BETWEEN ($l, 1) AND ($m, 1)",
        "(SELECT $e) BETWEEN $l AND $m",
        "CASE WHEN $e < $l THEN 0 WHEN $e > $m THEN 0 ELSE 1 END AND $x IS NOT NULL",
    ),
    where(
        "$e BETWEEN $f AND $m",
        "$e >= $f AND $e <= $m",
        "$f <= $e AND $m >= $e",
        "NOT ($e < $f OR $e > $m)",
        "NOT $e NOT BETWEEN $f AND $m",
        "$e >= $f AND $m >= $e",
    ),
    where(
        "$l BETWEEN $e AND $f",
        "$l >= $e AND $l <= $f",
        "$e <= $l AND $f >= $l",
        "NOT $l NOT BETWEEN $e AND $f",
        "NOT ($l < $e OR $l > $f)",
    ),
)
