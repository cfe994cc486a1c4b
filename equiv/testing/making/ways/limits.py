"""First rows and first groups."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

Ways = tuple[str, ...]

LIMITS: tuple[Ways, ...] = (
    (
        "SELECT p.$w FROM $P AS p WHERE p.$g = (SELECT c.$f FROM $C AS c GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY p.$g ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY p.$g ORDER BY COUNT(c.$v) DESC LIMIT 1",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY p.$w ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (
        "SELECT $x FROM $T ORDER BY $x LIMIT $n",
        "SELECT $x FROM $T ORDER BY $x, $k LIMIT $n",
        "SELECT $x FROM $T ORDER BY $x, $y LIMIT $n",
        "SELECT $x FROM (SELECT * FROM $T ORDER BY $x, $k LIMIT $n) AS q ORDER BY $x",
        "SELECT MIN($x) FROM $T",
    ),
    (
        "SELECT $y FROM $T WHERE $x = (SELECT $x FROM $T ORDER BY $k LIMIT 1)",
        "SELECT $y FROM $T WHERE $x IN (SELECT $x FROM $T ORDER BY $k LIMIT 1)",
        "SELECT $y FROM $T WHERE $x IN (SELECT $x FROM $T ORDER BY $k LIMIT $n)",
    ),
    (
        "SELECT p.$w FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE c.$f = p.$g LIMIT 1 OFFSET 1)",
        "SELECT p.$w FROM $P AS p WHERE (SELECT COUNT(*) FROM $C AS c WHERE c.$f = p.$g) > 1",
        "SELECT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c GROUP BY c.$f HAVING COUNT(*) >= 2)",
        "SELECT p.$w FROM $P AS p WHERE EXISTS (SELECT DISTINCT c.$v FROM $C AS c WHERE c.$f = p.$g LIMIT 1 OFFSET 1)",
    ),
    (
        "SELECT $x FROM $T WHERE $y = $one UNION ALL SELECT $x FROM $T WHERE $y = $two LIMIT $n",
        "SELECT * FROM (SELECT $x FROM $T WHERE $y = $one LIMIT $n) AS q UNION ALL SELECT $x FROM $T WHERE $y = $two LIMIT $n",
        "SELECT * FROM (SELECT $x FROM $T WHERE $y = $one LIMIT $n) AS q UNION ALL SELECT * FROM (SELECT $x FROM $T WHERE $y = $two LIMIT $n) AS r LIMIT $n",
    ),
    (
        "SELECT c.$v, p.$w FROM $C AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v LIMIT $n",
        "SELECT c.$v, p.$w FROM (SELECT * FROM $C ORDER BY $v LIMIT $n) AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v LIMIT $n",
        "SELECT c.$v, p.$w FROM (SELECT * FROM $C ORDER BY $v LIMIT $n) AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v",
    ),
    (
        "SELECT DISTINCT $x FROM $T GROUP BY $x ORDER BY COUNT(*) DESC LIMIT $n",
        "SELECT $x FROM $T GROUP BY $x ORDER BY COUNT(*) DESC LIMIT $n",
        "SELECT DISTINCT $x FROM $T GROUP BY $x, $y ORDER BY COUNT(*) DESC LIMIT $n",
    ),
    (
        "SELECT $f FROM $C GROUP BY $f ORDER BY COUNT(*) DESC, $f LIMIT 1",
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON p.$g = c.$f GROUP BY c.$f ORDER BY COUNT(*) DESC, c.$f LIMIT 1",
    ),
    (
        "SELECT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c GROUP BY c.$f ORDER BY SUM(c.$m) DESC LIMIT 1)",
        "SELECT p.$w FROM $C AS c JOIN $P AS p ON p.$g = c.$f GROUP BY p.$g ORDER BY SUM(c.$m) DESC LIMIT 1",
    ),
    (
        "SELECT $w, (SELECT c.$v FROM $C AS c WHERE c.$f = $P.$g ORDER BY c.$i LIMIT 1) FROM $P",
        "SELECT p.$w, (SELECT d.$v FROM $C AS d WHERE d.$f = p.$g ORDER BY d.$i LIMIT 1) FROM $P AS p",
    ),
)
