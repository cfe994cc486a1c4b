"""Joins and set operations in words that DuckDB alone has, in several ways."""

from __future__ import annotations

from equiv.dialects.questions.ways import Ways

SETS: tuple[Ways, ...] = (
    (
        "SELECT t.id, $s FROM t SEMI JOIN u ON $g = $e",
        "SELECT t.id, $s FROM t WHERE EXISTS (FROM u WHERE $g = $e)",
        "SELECT t.id, $s FROM t WHERE $e IN (SELECT $g FROM u)",
        "SELECT t.id, $s FROM t JOIN u ON $g = $e",
        "SELECT DISTINCT t.id, $s FROM t JOIN u ON $g = $e",
        "SELECT t.id, $s FROM t SEMI JOIN u ON $g IS NOT DISTINCT FROM $e",
        "SELECT t.id, $s FROM t SEMI JOIN (SELECT DISTINCT $g AS k FROM u) z ON z.k = $e",
        "SELECT t.id, $s FROM t WHERE $e = ANY (SELECT $g FROM u)",
        "SELECT t.id, $s FROM t WHERE (SELECT COUNT(*) FROM u WHERE $g = $e) > 0",
    ),
    (
        "SELECT t.id, $s FROM t ANTI JOIN u ON $g = $e",
        "SELECT t.id, $s FROM t WHERE NOT EXISTS (FROM u WHERE $g = $e)",
        "SELECT t.id, $s FROM t WHERE $e NOT IN (SELECT $g FROM u)",
        "SELECT t.id, $s FROM t LEFT JOIN u ON $g = $e WHERE u.id IS NULL",
        "SELECT t.id, $s FROM t LEFT JOIN u ON $g = $e WHERE $v IS NULL",
        "SELECT t.id, $s FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e",
        "SELECT t.id, $s FROM t ANTI JOIN (SELECT $g AS k FROM u WHERE $v IS NOT NULL) z ON z.k = $e",
        "SELECT t.id, $s FROM t WHERE $e <> ALL (SELECT $g FROM u)",
    ),
    (
        "SELECT t.id FROM t SEMI JOIN u USING (id)",
        "SELECT t.id FROM t SEMI JOIN u ON t.id = u.id",
        "SELECT id FROM t JOIN u USING (id)",
        "SELECT t.id FROM t WHERE t.id IN (SELECT u.id FROM u)",
        "SELECT id FROM t INTERSECT SELECT id FROM u",
        "SELECT id FROM t INTERSECT ALL SELECT id FROM u",
        "SELECT u.id FROM u SEMI JOIN t USING (id)",
    ),
    (
        "SELECT t.id, $q FROM t JOIN u ON t.id = u.pid WHERE $p",
        "SELECT t.id, $q FROM t, u WHERE t.id = u.pid AND $p",
        "SELECT t.id, $q FROM u JOIN (FROM t WHERE $p) AS t ON t.id = u.pid",
        "SELECT t.id, $q FROM t LEFT JOIN u ON t.id = u.pid WHERE $p AND u.pid IS NOT NULL",
        "SELECT t.id, $q FROM t LEFT JOIN u ON t.id = u.pid WHERE $p",
        "SELECT u.pid, $q FROM u JOIN t ON t.id = u.pid WHERE $p",
        "SELECT u.pid, $q FROM u SEMI JOIN (FROM t WHERE $p) AS z ON z.id = u.pid",
    ),
    (
        "SELECT id, $xn FROM t UNION ALL BY NAME SELECT $xn, id FROM t",
        "SELECT id, $xn FROM t UNION ALL SELECT id, $xn FROM t",
        "SELECT id, $xn FROM t UNION ALL BY NAME SELECT id, $xn FROM t",
        "SELECT id, $xn FROM t UNION BY NAME SELECT $xn, id FROM t",
        "SELECT DISTINCT id, $xn FROM t",
        "SELECT t.id, $x FROM t, (VALUES (1), (2)) AS z (k)",
    ),
    (
        "SELECT $e FROM t EXCEPT ALL SELECT $g FROM u",
        "SELECT $e FROM t EXCEPT SELECT $g FROM u",
        "SELECT DISTINCT $e FROM t WHERE NOT EXISTS (FROM u WHERE $g IS NOT DISTINCT FROM $e)",
        "SELECT DISTINCT $e FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e",
        "SELECT $e FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e",
        "SELECT DISTINCT $e FROM t ANTI JOIN u ON $g = $e",
    ),
    (
        "SELECT $e FROM t INTERSECT ALL SELECT $g FROM u",
        "SELECT $e FROM t INTERSECT SELECT $g FROM u",
        "SELECT DISTINCT $e FROM t SEMI JOIN u ON $g IS NOT DISTINCT FROM $e",
        "SELECT DISTINCT $e FROM t SEMI JOIN u ON $g = $e",
        "SELECT DISTINCT $e FROM t WHERE $e IN (SELECT $g FROM u)",
    ),
    (
        "SELECT $s, COUNT(*) FROM t GROUP BY ROLLUP ($s)",
        "SELECT $s, COUNT(*) FROM t GROUP BY GROUPING SETS (($s), ())",
        "SELECT $s, COUNT(*) FROM t GROUP BY $s UNION ALL SELECT NULL, COUNT(*) FROM t",
        "SELECT $s, COUNT(*) FROM t GROUP BY CUBE ($s)",
        "SELECT $s, COUNT(*) FROM t GROUP BY $s UNION SELECT NULL, COUNT(*) FROM t",
        "SELECT $s, COUNT(*) FROM t GROUP BY ALL",
    ),
    (
        "SELECT t.id, $e FROM t WHERE $x = (SELECT MAX(z.$xn) FROM t AS z)",
        "SELECT t.id, $e FROM t WHERE $x IS NOT NULL QUALIFY RANK() OVER (ORDER BY $x DESC) = 1",
        "SELECT t.id, $e FROM t QUALIFY RANK() OVER (ORDER BY $x DESC) = 1",
        "SELECT t.id, $e FROM t QUALIFY $x = MAX($x) OVER ()",
        "SELECT t.id, $e FROM t ANTI JOIN t AS z ON z.$xn > $x",
        "SELECT t.id, $e FROM t ANTI JOIN t AS z ON z.$xn > $x WHERE $x IS NOT NULL",
    ),
    (
        "WITH z AS (FROM t SELECT $e AS k, $s AS h) FROM z SELECT k, COUNT(DISTINCT h) GROUP BY ALL",
        "SELECT $e, COUNT(DISTINCT $s) FROM t GROUP BY ALL",
        "SELECT k, COUNT(h) FROM (SELECT DISTINCT $e AS k, $s AS h FROM t) GROUP BY ALL",
        "SELECT k, COUNT(*) FROM (SELECT DISTINCT $e AS k, $s AS h FROM t) GROUP BY ALL",
        "SELECT $e, COUNT($s) FROM t GROUP BY ALL",
        "SELECT k, COUNT(*) FROM (SELECT $e AS k FROM t WHERE $s IS NOT NULL GROUP BY $e, $s) GROUP BY k",
    ),
)
"""SEMI and ANTI joins, set operations with all copies and by name, grouping sets."""
