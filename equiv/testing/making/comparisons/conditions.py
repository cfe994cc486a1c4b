"""Values compared with literals and with columns, by operators, IN, BETWEEN, CASE; tests of their truth."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

import re

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

_WORDS = ("W", "W COLLATE NOCASE", "(W COLLATE RTRIM)", "((W) COLLATE BINARY COLLATE NOCASE)")
"""A word that SQLite finds behind all that stands around it: ``W`` is TRUE or FALSE, ``N`` the number, ``O`` the other word."""

_VALUES_OF_WORDS = (
    *(
        "N",
        "(N)",
        "N COLLATE NOCASE",
        "-(N COLLATE NOCASE)",
        "- -N",
        "-(-W)",
        "'N'",
        '"W"',
        "1 IS W COLLATE RTRIM",
    ),
    *("(SELECT W)", "CAST(W AS INTEGER)", "W || ''", "NOT O"),
)
"""What it does not find the word behind."""

_TRUTH = (
    *(f"$e IS {form}" for form in (*_WORDS, *_VALUES_OF_WORDS)),
    *(f"NOT $e IS NOT {form}" for form in _WORDS),
    *(f"$e IS NOT DISTINCT FROM {form}" for form in _WORDS),
    *(f"$e = {form}" for form in _WORDS),
    *("$e IN (W)", "CASE $e WHEN W THEN 1 ELSE 0 END", "($e, 1) = (W, 1)", "(SELECT $e) IS W COLLATE RTRIM"),
    *("EXISTS (SELECT 1 WHERE $e IS W COLLATE NOCASE)", "$e IS W IS TRUE COLLATE BINARY"),
    *(
        "IIF($e IS (W COLLATE RTRIM), TRUE, FALSE)",
        "($e <> 0) = N",
        "($e AND TRUE) = N",
        "($e COLLATE NOCASE OR O) IS W",
    ),
    *(
        "NOT NOT $e IS W",
        "-$e IS W COLLATE BINARY",
        "NOT $e IS O",
        "CASE WHEN $e THEN TRUE ELSE FALSE END IS W",
    ),
)


def _told(way: str, word: str, number: str, other: str) -> str:
    return re.sub(
        "[WNO](?![A-Z])(?<![A-Z].)", lambda found: {"W": word, "N": number, "O": other}[found[0]], way
    )


TRUTH_TESTS: tuple[Ways, ...] = (
    *(
        where(*(f"{_told(way, *words)}{more}" for way in _TRUTH))
        for words in (("TRUE", "1", "FALSE"), ("FALSE", "0", "TRUE"))
        for more in ("", " AND HEX($x) = HEX($l)", " AND $p")
    ),
    where(
        "$e IS NOT TRUE",
        "$e IS NOT TRUE COLLATE NOCASE",
        "$e IS NOT (TRUE COLLATE RTRIM)",
        "$e IS DISTINCT FROM TRUE COLLATE NOCASE",
        "NOT $e IS TRUE COLLATE BINARY",
        "$e IS NOT 1",
        "$e IS NOT 1 COLLATE NOCASE",
        "NOT IFNULL($e, 0)",
        "$e IS FALSE COLLATE NOCASE OR $e IS NULL",
        "NOT $e OR $e ISNULL",
        "COALESCE($e, FALSE) = 0",
        "$e IS NOT -(-TRUE)",
        "NOT COALESCE($e, FALSE)",
    ),
    where(
        "$e IS NULL",
        "$e ISNULL",
        "$e IS NULL COLLATE NOCASE",
        "$e COLLATE NOCASE ISNULL",
        "($e) IS (NULL)",
        "$e IS NOT DISTINCT FROM NULL COLLATE RTRIM",
        "NOT $e NOTNULL",
        "$e NOT NULL IS FALSE COLLATE NOCASE",
        "-$e IS NULL",
        "$e IS TRUE IS NULL",
        "NOT ($e NOT NULL) IS TRUE",
    ),
    (
        "SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS b",
        "SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS b COLLATE NOCASE",
        "SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS (b)",
        "SELECT TRUE COLLATE NOCASE AS b, $k FROM $T AS t WHERE $e IS b",
        "SELECT 1 AS b, $k FROM $T AS t WHERE $e IS b COLLATE NOCASE",
        "SELECT q.b, $k FROM $T AS t, (SELECT TRUE AS b) AS q WHERE $e IS q.b COLLATE NOCASE",
        "SELECT q.b, $k FROM $T AS t, (SELECT TRUE AS b) AS q WHERE $e IS q.b",
        "WITH q(b) AS (SELECT TRUE COLLATE NOCASE) SELECT q.b, $k FROM $T AS t, q WHERE $e IS q.b COLLATE RTRIM",
        "SELECT 1, $k FROM $T AS t WHERE $e IS TRUE COLLATE RTRIM",
        "SELECT 1, $k FROM $T AS t WHERE $e IS 1",
    ),
    (
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY (1)",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY +1",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 COLLATE NOCASE",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY c COLLATE NOCASE",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY $e",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY ($e COLLATE BINARY)",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1.0",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY '1'",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 IS TRUE",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY - -1",
        "SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 COLLATE RTRIM",
    ),
    (
        "SELECT $e AS c FROM $T AS t ORDER BY 1 LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY (1) LIMIT ($n)",
        "SELECT $e AS c FROM $T AS t ORDER BY +1 LIMIT +$n",
        "SELECT $e AS c FROM $T AS t ORDER BY 1 COLLATE NOCASE LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY c COLLATE NOCASE LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY (c) LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY (c COLLATE RTRIM) LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY $e LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY 1.0 LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY -(-1) LIMIT $n",
        "SELECT $e AS c FROM $T AS t ORDER BY +c LIMIT $n",
        "SELECT $e AS c FROM $T AS t LIMIT $n",
    ),
    shown(
        "-$e",
        "-($e)",
        "-($e COLLATE NOCASE)",
        "- - -$e",
        "0 - $e",
        "+(-$e)",
        "-CAST($e AS NUMERIC)",
        "$e * -1",
        "~$e + 1",
        "-(+$e)",
    ),
)
"""COLLATE, signs and brackets around tests of truth and of NULL, around positions and around numbers.

SQLite looks behind some of them, and not behind others.
"""

_LEAST = "abs(-9223372036854775808)"
_SUMS = "SELECT SUM($x) FROM $T AS t"
_JOINED = "SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON "

ERRORS: tuple[Ways, ...] = (
    where(
        "$p AND abs($x) >= 0",
        "abs($x) >= 0 AND $p",
        "$p AND $x IS NOT NULL",
        "CASE WHEN $p THEN abs($x) >= 0 END",
        "$p AND (abs($x) >= 0 OR abs($x) < 0)",
        "NOT (NOT $p OR abs($x) < 0)",
        "abs($x) IS NOT NULL AND $p",
        "$p AND abs($x) IN (abs($x))",
        "EXISTS (SELECT 1 WHERE $p AND abs($x) >= 0)",
        "$p AND COALESCE(abs($x), -1) >= 0",
        "IIF($p, abs($x) >= 0, 0)",
        "$p AND abs($x) > -1 AND $y IS $y",
    ),
    where(
        "$p",
        "($p) IS TRUE",
        f"($p) OR {_LEAST} = 1",
        f"{_LEAST} = 1 OR ($p)",
        f"($p) AND {_LEAST} <> 1",
        f"CASE WHEN $p THEN 1 ELSE {_LEAST} = 1 END",
        f"COALESCE($p, {_LEAST} = 1)",
        f"($p) AND (1 OR {_LEAST})",
        f"($p) AND NOT (0 AND {_LEAST})",
        f"($p) AND $k IS NOT NULL OR $k IS NULL AND {_LEAST}",
    ),
    shown(
        "abs($x)",
        "abs(+$x)",
        "+abs($x)",
        "COALESCE(abs($x), NULL)",
        "CASE WHEN $x >= 0 THEN $x ELSE abs($x) END",
        "MAX(abs($x), abs($x))",
        "IIF(1, abs($x), abs($y))",
        "CASE WHEN 0 THEN abs($y) ELSE abs($x) END",
        "CASE WHEN $y IS NULL THEN abs($x) ELSE abs($x) END",
        "(SELECT abs($x))",
        "abs($x) * 1",
    ),
    where(
        "$p AND $s LIKE 'a' ESCAPE $y",
        "$s LIKE 'a' ESCAPE $y AND $p",
        "CASE WHEN $p THEN $s LIKE 'a' ESCAPE $y END",
        "$p AND $s LIKE 'a'",
        "$p AND NOT $s NOT LIKE 'a' ESCAPE $y",
    ),
    (
        f"{_SUMS} WHERE $p",
        f"{_SUMS} WHERE ($p) IS TRUE",
        f"{_SUMS} WHERE $p AND $x IS NOT NULL",
        f"{_SUMS} WHERE $p LIMIT 1",
        f"{_SUMS} WHERE $p HAVING COUNT(*) >= 0",
        "SELECT SUM(CASE WHEN $p THEN $x END) FROM $T AS t",
        "SELECT SUM($x) FILTER (WHERE $p) FROM $T AS t",
        "SELECT COALESCE(SUM($x), NULL) FROM $T AS t WHERE $p",
        "SELECT SUM(q.a) FROM (SELECT SUM($x) AS a FROM $T AS t WHERE $p GROUP BY $y) AS q",
        "SELECT SUM(q.a) FROM (SELECT $x AS a FROM $T AS t WHERE $p) AS q",
        "SELECT SUM(s.$sn) FROM $T AS s WHERE $ps",
    ),
    (
        "SELECT $y, SUM($x) FROM $T AS t GROUP BY $y HAVING $y = $l",
        "SELECT $y, SUM($x) FROM $T AS t WHERE $y = $l GROUP BY $y",
        "SELECT q.a, q.b FROM (SELECT $y AS a, SUM($x) AS b FROM $T AS t GROUP BY $y) AS q WHERE q.a = $l",
        "SELECT $y, SUM($x) FROM $T AS t WHERE $l = $y GROUP BY $y",
        "SELECT $y, SUM($x) FROM $T AS t GROUP BY $y HAVING $y = $l AND COUNT(*) > 0",
    ),
    (
        "SELECT $k FROM $T AS t",
        "SELECT q.a FROM (SELECT $k AS a, abs($x) AS b FROM $T AS t) AS q",
        "SELECT q.a FROM (SELECT $k AS a, abs($x) AS b FROM $T AS t) AS q WHERE q.b IS q.b",
        "SELECT q.a FROM (SELECT $k AS a, SUM($x) OVER () AS b FROM $T AS t) AS q",
        "SELECT $k FROM $T AS t ORDER BY abs($x)",
        "SELECT $k FROM $T AS t WHERE EXISTS (SELECT abs($x))",
        "SELECT $k FROM $T AS t WHERE 1 OR abs($x)",
        f"SELECT COALESCE($k, {_LEAST}) FROM $T AS t WHERE $k IS NOT NULL OR $k IS NULL",
    ),
    (
        f"{_JOINED}$x = $v AND abs($w) >= 0",
        f"{_JOINED}abs($w) >= 0 AND $x = $v",
        f"{_JOINED}$x = $v AND $w IS NOT NULL",
        f"{_JOINED}$x = $v AND abs($w) IS NOT NULL",
        f"{_JOINED}$v = $x AND abs($w) >= 0",
        f"{_JOINED}CASE WHEN $x = $v THEN abs($w) >= 0 END",
    ),
)
"""Queries of which one may raise an error where another, that answers the same else, does not."""
