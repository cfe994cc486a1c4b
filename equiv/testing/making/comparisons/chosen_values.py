"""Values that a comparison chooses, and comparisons with them: CASE, NULLIF, COALESCE, MAX of two."""

from __future__ import annotations

from equiv.testing.making.comparisons.conditions import shown, where
from equiv.testing.making.comparisons.keys import Ways

CHOSEN: tuple[Ways, ...] = (
    shown(
        "CASE $e WHEN $l THEN 'p' WHEN $f THEN 'q' END",
        "CASE WHEN $e = $l THEN 'p' WHEN $e = $f THEN 'q' END",
        "CASE WHEN $l = $e THEN 'p' WHEN $f = $e THEN 'q' END",
        "IIF($e = $l, 'p', IIF($e = $f, 'q', NULL))",
        "CASE WHEN $e IN ($l) THEN 'p' WHEN $e IN ($f) THEN 'q' END",
        "CASE $e WHEN $f THEN 'q' WHEN $l THEN 'p' END",
    ),
    shown(
        "NULLIF($e, $f)",
        "CASE WHEN $e = $f THEN NULL ELSE $e END",
        "CASE $e WHEN $f THEN NULL ELSE $e END",
        "CASE WHEN $f = $e THEN NULL ELSE $e END",
        "IIF($e = $f, NULL, $e)",
        "CASE WHEN $e <> $f OR $y IS NULL THEN $e END",
    ),
    where(
        "NULLIF($e, $l) = $m",
        "CASE WHEN $e = $l THEN NULL ELSE $e END = $m",
        "$e <> $l AND $e = $m",
        "CASE $e WHEN $l THEN NULL ELSE $e END = $m",
        "IIF($e = $l, NULL, $e) IN ($m)",
    ),
    where(
        "COALESCE($e, $f) = $l",
        "CASE WHEN $e IS NOT NULL THEN $e ELSE $f END = $l",
        "IFNULL($e, $f) = $l",
        "($e = $l OR $x IS NULL AND $f = $l)",
        "IIF($e IS NULL, $f, $e) = $l",
        "COALESCE($e, $f) IN ($l)",
        "CASE WHEN $x IS NOT NULL THEN $e = $l ELSE $f = $l END",
        "$l = COALESCE($e, $f)",
        "COALESCE($e = $l, $f = $l)",
    ),
    where(
        "CASE WHEN $p THEN $e ELSE $f END = $l",
        "CASE WHEN $p THEN $e = $l ELSE $f = $l END",
        "$l = CASE WHEN $p THEN $e ELSE $f END",
        "IIF($p, $e, $f) = $l",
        "($p AND $e = $l OR ($p) IS NOT TRUE AND $f = $l)",
        "IIF($p, $e = $l, $f = $l)",
        "(SELECT CASE WHEN $p THEN $e ELSE $f END) = $l",
    ),
    where(
        "MAX($e, $f) = $l",
        "CASE WHEN $e > $f THEN $e ELSE $f END = $l",
        "CASE WHEN $e >= $f THEN $e ELSE $f END = $l",
        "CASE WHEN $e > $f THEN $e = $l ELSE $f = $l END",
        "MAX($f, $e) = $l",
        "$l = MAX($e, $f)",
        "MAX($e, $f) IN ($l)",
    ),
)
