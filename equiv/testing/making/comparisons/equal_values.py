"""Several comparisons at once, and values in the place of equal ones: what follows, what is exchanged."""

from __future__ import annotations

from equiv.testing.making.comparisons.conditions import where
from equiv.testing.making.comparisons.keys import Ways

EQUAL: tuple[Ways, ...] = (
    where(
        "$e = $l AND $f = $e",
        "$e = $l AND $f = $l",
        "$e = $l AND $e = $f",
        "$f = $l AND $f = $e",
        "$e = $l AND $f = $e AND $f = $l",
        "$e IN ($l) AND $f IN ($e)",
    ),
    where(
        "$e = $l AND $e = $m",
        "0",
        "$e = $l AND $e = $m AND $l = $m",
        "$e IN ($l) AND $e IN ($m)",
        "$e = $l AND $e IN ($m, $l)",
        "$e = $l",
        "$e BETWEEN $l AND $m AND $e = $l",
    ),
    where(
        "$e = $f AND $e > $l",
        "$e = $f AND $f > $l",
        "$f = $e AND $l < $e",
        "$e = $f AND $e > $l AND $f > $l",
        "$e = $f AND NOT $f <= $l",
    ),
    where(
        "$e = $l AND LENGTH($x) = 1",
        "$e = $l AND LENGTH($l) = 1",
        "$e = $l",
        "$e = $l AND TYPEOF($x) = TYPEOF($l)",
        "$e = $l AND $x LIKE $l",
        "$e = $l AND $x GLOB $l",
        "$e = $l AND LOWER($x) = LOWER($l)",
        "$e = $l AND $x || '' = $l || ''",
        "$e = $l AND UPPER($x) = UPPER($l)",
    ),
    (
        "SELECT $x FROM $T AS t WHERE $e = $l",
        "SELECT $l FROM $T AS t WHERE $e = $l",
        "SELECT $e FROM $T AS t WHERE $l = $e",
        "SELECT $x FROM $T AS t WHERE $e IN ($l)",
        "SELECT $x FROM $T AS t WHERE $e IS $l",
        "SELECT CASE WHEN $e = $l THEN $l END FROM $T AS t WHERE $e = $l",
    ),
    (
        "SELECT $x FROM $T AS t WHERE $e = $f",
        "SELECT $y FROM $T AS t WHERE $e = $f",
        "SELECT $e FROM $T AS t WHERE $f = $e",
        "SELECT $f FROM $T AS t WHERE $e IS $f AND $x IS NOT NULL",
        "SELECT COALESCE($x, $y) FROM $T AS t WHERE $e = $f",
        "SELECT MAX($x, $y) FROM $T AS t WHERE $e = $f",
        "SELECT CASE WHEN $e = $f THEN $x ELSE $y END FROM $T AS t WHERE $e = $f",
    ),
)
