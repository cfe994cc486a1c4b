-- keys: questions that merge equal rows: DISTINCT, GROUP BY, UNION, windows, aggregates

SELECT DISTINCT $e FROM $T AS t
SELECT $e FROM $T AS t GROUP BY $e
SELECT $e FROM $T AS t UNION SELECT $e FROM $T AS t
SELECT c FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q
SELECT DISTINCT c FROM (SELECT $e AS c FROM $T AS t) AS q
SELECT MIN($e) FROM $T AS t GROUP BY $e
SELECT MAX($e) FROM $T AS t GROUP BY $e
SELECT $e FROM $T AS t INTERSECT SELECT $e FROM $T AS t
SELECT c FROM (SELECT $e AS c FROM $T AS t) AS q GROUP BY c
SELECT $e FROM $T AS t

SELECT COUNT(DISTINCT $e) FROM $T AS t
SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q WHERE c IS NOT NULL
SELECT COUNT(c) FROM (SELECT $e AS c FROM $T AS t GROUP BY 1) AS q
SELECT COUNT(DISTINCT c) FROM (SELECT $e AS c FROM $T AS t) AS q
SELECT COUNT(c) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q
SELECT COUNT(DISTINCT $e) FROM $T AS t WHERE $e IS NOT NULL
SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t WHERE $x IS NOT NULL) AS q
SELECT COUNT(c) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $e FROM $T AS t) AS q
SELECT COUNT(DISTINCT $e) FILTER (WHERE $x IS NOT NULL) FROM $T AS t
SELECT COUNT($e) FROM $T AS t

SELECT $s, COUNT(DISTINCT CASE WHEN $p THEN $e END) FROM $T AS t GROUP BY $s
SELECT $s, COUNT(DISTINCT $e) FILTER (WHERE $p) FROM $T AS t GROUP BY $s
SELECT $s, COUNT(DISTINCT IIF($p, $e, NULL)) FROM $T AS t GROUP BY $s
SELECT $s, COUNT(DISTINCT CASE WHEN NOT $p THEN NULL ELSE $e END) FROM $T AS t GROUP BY $s
SELECT $s, COUNT(DISTINCT CASE WHEN $p THEN $e ELSE NULL END) FROM $T AS t GROUP BY $s
SELECT $s, COUNT(DISTINCT CASE WHEN $p THEN $e END COLLATE NOCASE) FROM $T AS t GROUP BY $s

SELECT COUNT(DISTINCT CASE WHEN $p THEN $e END) FROM $T AS t
SELECT COUNT(DISTINCT $e) FROM $T AS t WHERE $p
SELECT COUNT(DISTINCT $e) FILTER (WHERE $p) FROM $T AS t
SELECT COUNT(*) FROM (SELECT DISTINCT $e FROM $T AS t WHERE $p AND $x IS NOT NULL) AS q
SELECT COUNT(c) FROM (SELECT DISTINCT CASE WHEN $p THEN $e END AS c FROM $T AS t) AS q
SELECT COUNT(c) FROM (SELECT CASE WHEN $p THEN $e END AS c FROM $T AS t GROUP BY 1) AS q

SELECT $s, $A(CASE WHEN $p THEN $e END) FROM $T AS t GROUP BY $s
SELECT $s, $A($e) FILTER (WHERE $p) FROM $T AS t GROUP BY $s
SELECT $s, $A(IIF($p, $e, NULL)) FROM $T AS t GROUP BY $s
SELECT $s, (SELECT $A($es) FROM $T AS s WHERE s.$sn IS $s AND $ps) FROM $T AS t GROUP BY $s
SELECT $s, $A($e) FROM $T AS t WHERE $p GROUP BY $s

SELECT COUNT(*) FROM $T AS t GROUP BY $e
SELECT COUNT(*) FROM $T AS t GROUP BY $e, $e
SELECT n FROM (SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1) AS q
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q GROUP BY c
SELECT n FROM (SELECT DISTINCT $e, COUNT(*) OVER (PARTITION BY $e) AS n FROM $T AS t) AS q
SELECT COUNT(*) FROM $T AS t GROUP BY $e, $x
SELECT (SELECT COUNT(*) FROM $T AS s WHERE $es IS q.c) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q
SELECT SUM(n) FROM (SELECT $x AS c, COUNT(*) AS n FROM $T AS t GROUP BY $x) AS q GROUP BY c

SELECT COUNT(*) FROM $T AS t GROUP BY $e, $f
SELECT COUNT(*) FROM $T AS t GROUP BY $f, $e
SELECT COUNT(*) FROM (SELECT $e AS c, $f AS d FROM $T AS t) AS q GROUP BY c, d
SELECT COUNT(*) FROM $T AS t WHERE $e = $f GROUP BY $e
SELECT COUNT(*) FROM $T AS t WHERE $e = $f GROUP BY $f
SELECT COUNT(*) FROM $T AS t WHERE $e = $f GROUP BY $e, $f

SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT c FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS r) AS q
SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION SELECT $e FROM $T AS t) AS q
SELECT COUNT(*) FROM (SELECT c FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS r GROUP BY c) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t UNION SELECT DISTINCT $g FROM $U AS u) AS q
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u UNION SELECT $e FROM $T AS t) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT c FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u) AS r) AS q

SELECT COUNT(*) FROM (SELECT $e FROM $T AS t INTERSECT SELECT $g FROM $U AS u) AS q
SELECT COUNT(*) FROM (SELECT $g FROM $U AS u INTERSECT SELECT $e FROM $T AS t) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT $e FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $g IS $e)) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT $e FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $e IS $g)) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT $e FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u)) AS q
SELECT COUNT(*) FROM (SELECT $e FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u) GROUP BY $e) AS q

SELECT $e FROM $T AS t EXCEPT SELECT $g FROM $U AS u
SELECT DISTINCT $e FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE $g IS $e)
SELECT DISTINCT $e FROM $T AS t WHERE $e NOT IN (SELECT $g FROM $U AS u)
SELECT DISTINCT $e FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE $e = $g)
SELECT $e FROM $T AS t EXCEPT SELECT DISTINCT $g FROM $U AS u
SELECT DISTINCT $e FROM $T AS t LEFT JOIN $U AS u ON $g = $e WHERE $uk IS NULL

SELECT $x FROM $T AS t WHERE $e = $l UNION SELECT $x FROM $T AS t WHERE $e = $m
SELECT DISTINCT $x FROM $T AS t WHERE $e = $l OR $e = $m
SELECT DISTINCT $x FROM $T AS t WHERE $e IN ($l, $m)
SELECT $x FROM $T AS t WHERE $e IN ($l, $m) GROUP BY $x
SELECT $x FROM $T AS t WHERE $e = $m UNION SELECT $x FROM $T AS t WHERE $e = $l
SELECT $k FROM $T AS t WHERE $e = $l UNION SELECT $k FROM $T AS t WHERE $e = $m

SELECT $k, COUNT(*) OVER (PARTITION BY $e) FROM $T AS t
SELECT $k, (SELECT COUNT(*) FROM $T AS s WHERE $es IS $e) FROM $T AS t
SELECT $k, (SELECT COUNT(*) FROM $T AS s WHERE $es = $e) FROM $T AS t
SELECT $k, q.n FROM $T AS t JOIN (SELECT $es AS c, COUNT(*) AS n FROM $T AS s GROUP BY $es) AS q ON q.c IS $e
SELECT $k, q.n FROM $T AS t JOIN (SELECT $es AS c, COUNT(*) AS n FROM $T AS s GROUP BY $es) AS q ON $e IS q.c
SELECT $k, COUNT(*) OVER (PARTITION BY c) FROM (SELECT *, $e AS c FROM $T AS t) AS t
SELECT $k, SUM(1) OVER (PARTITION BY $e) FROM $T AS t

SELECT $k, DENSE_RANK() OVER (ORDER BY $e) FROM $T AS t
SELECT $k, 1 + (SELECT COUNT(DISTINCT $es) FROM $T AS s WHERE $es < $e) FROM $T AS t
SELECT $k, RANK() OVER (ORDER BY $e) FROM $T AS t
SELECT $k, 1 + (SELECT COUNT(*) FROM $T AS s WHERE $es < $e) FROM $T AS t
SELECT $k, RANK() OVER (ORDER BY c) FROM (SELECT *, $e AS c FROM $T AS t) AS t
SELECT $k, COUNT(*) OVER (ORDER BY $e) FROM $T AS t

SELECT $k FROM (SELECT $k AS $kn, ROW_NUMBER() OVER (PARTITION BY $e ORDER BY $k) AS n FROM $T AS t) AS t WHERE n = 1
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE $es IS $e AND s.$kn < $k)
SELECT MIN($k) FROM $T AS t GROUP BY $e
SELECT $k FROM $T AS t WHERE $k = (SELECT MIN(s.$kn) FROM $T AS s WHERE $es IS $e)
SELECT $k FROM $T AS t WHERE $k IN (SELECT MIN(s.$kn) FROM $T AS s GROUP BY $es)
SELECT $k FROM (SELECT $k AS $kn, RANK() OVER (PARTITION BY $e ORDER BY $k) AS n FROM $T AS t) AS t WHERE n = 1

SELECT $s FROM $T AS t GROUP BY $s HAVING COUNT(DISTINCT $e) = 1
SELECT $s FROM $T AS t GROUP BY $s HAVING MIN($e) = MAX($e)
SELECT $s FROM $T AS t WHERE $x IS NOT NULL GROUP BY $s HAVING COUNT(DISTINCT $e) = 1
SELECT $s FROM $T AS t GROUP BY $s HAVING COUNT(DISTINCT $e) > 0 AND NOT COUNT(DISTINCT $e) > 1
SELECT $s FROM (SELECT DISTINCT $s, $e AS c FROM $T AS t WHERE $x IS NOT NULL) AS t GROUP BY $s HAVING COUNT(*) = 1
SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) = MIN($e)

SELECT SUM(DISTINCT $e) FROM $T AS t
SELECT SUM(c) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q
SELECT SUM(c) FROM (SELECT $e AS c FROM $T AS t GROUP BY $e) AS q
SELECT SUM(DISTINCT c) FROM (SELECT $e AS c FROM $T AS t) AS q
SELECT SUM(c) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $e FROM $T AS t) AS q

-- conditions: values compared with literals and with columns, by operators, IN, BETWEEN, CASE

WHERE
$e = $l
$l = $e
$e IN ($l)
$e IN ($l, $l)
$e BETWEEN $l AND $l
CASE $e WHEN $l THEN 1 ELSE 0 END
NULLIF($e, $l) IS NULL AND $x IS NOT NULL
$e IS $l
NOT $e <> $l
$e >= $l AND $e <= $l
($e, 1) = ($l, 1)
$e IN (SELECT $l)
$e = (SELECT $l)
(SELECT $e) = $l
EXISTS (SELECT 1 WHERE $e = $l)
$e = +$l
$e = $l COLLATE NOCASE
IFNULL($e = $l, 0)
$e LIKE $l
NOT $e NOT IN ($l)
($e, 1) IN (SELECT $l, 1)
EXISTS (SELECT $e INTERSECT SELECT $l)
CASE WHEN $e = $l THEN 1 END
$e IN (VALUES ($l))

WHERE
$e = $f
$f = $e
$e IN ($f)
$e IN ($f, $f)
$e BETWEEN $f AND $f
CASE $e WHEN $f THEN 1 END
NULLIF($e, $f) IS NULL AND $x IS NOT NULL
$e IN (SELECT $f)
(SELECT $e) = $f
$e IS $f AND $x IS NOT NULL
NOT ($e < $f OR $e > $f)
$e <= $f AND $e >= $f
($e, $k) = ($f, $k)
($e, 1) IN (SELECT $f, 1)
EXISTS (SELECT $e INTERSECT SELECT $f)
MIN($e, $f) = MAX($e, $f)
NOT $e NOT IN ($f)

WHERE
$e < $f
$f > $e
NOT $e >= $f
($e, 1) < ($f, 1)
$e <= $f AND $e <> $f
NOT $e BETWEEN $f AND $e
$e < $f AND $e IS NOT NULL
(SELECT $e) < $f
$e < (SELECT $f)

WHERE
$e IN ($l, $m)
$e = $l OR $e = $m
$e IN ($l) OR $e IN ($m)
CASE $e WHEN $l THEN 1 WHEN $m THEN 1 ELSE 0 END
$e IN (SELECT $l UNION SELECT $m)
$e IN (VALUES ($l), ($m))
NOT ($e <> $l AND $e <> $m)
NOT $e NOT IN ($l, $m)
$e IN ($m, $l)
$l = $e OR $m = $e
CASE WHEN $e = $l THEN 1 WHEN $e = $m THEN 1 END
EXISTS (SELECT 1 FROM (SELECT $l AS c UNION ALL SELECT $m) AS q WHERE q.c = $e)

WHERE
$e NOT IN ($l, $m)
NOT ($e = $l OR $e = $m)
$e <> $l AND $e <> $m
CASE $e WHEN $l THEN 0 WHEN $m THEN 0 ELSE 1 END AND $x IS NOT NULL
$e NOT IN (SELECT $l UNION SELECT $m)
NOT EXISTS (SELECT 1 FROM (SELECT $l AS c UNION ALL SELECT $m) AS q WHERE q.c = $e) AND $x IS NOT NULL

WHERE
$e IN ($l, $f)
$e = $l OR $e = $f
$e IN ($f, $l)
$e IN ($f) OR $e IN ($l)
$f = $e OR $l = $e
NOT ($e <> $l AND $e <> $f)
CASE $e WHEN $l THEN 1 WHEN $f THEN 1 ELSE 0 END

WHERE
$l IN ($e, $f)
$l = $e OR $l = $f
$e = $l OR $f = $l
$l IN ($f, $e)
$l IN (SELECT $e UNION ALL SELECT $f)
NOT $l NOT IN ($e, $f)

WHERE
$e BETWEEN $l AND $m
$e >= $l AND $e <= $m
$l <= $e AND $m >= $e
NOT ($e < $l OR $e > $m)
NOT $e NOT BETWEEN $l AND $m
($e, 1) BETWEEN ($l, 1) AND ($m, 1)
(SELECT $e) BETWEEN $l AND $m
CASE WHEN $e < $l THEN 0 WHEN $e > $m THEN 0 ELSE 1 END AND $x IS NOT NULL

WHERE
$e BETWEEN $f AND $m
$e >= $f AND $e <= $m
$f <= $e AND $m >= $e
NOT ($e < $f OR $e > $m)
NOT $e NOT BETWEEN $f AND $m
$e >= $f AND $m >= $e

WHERE
$l BETWEEN $e AND $f
$l >= $e AND $l <= $f
$e <= $l AND $f >= $l
NOT $l NOT BETWEEN $e AND $f
NOT ($l < $e OR $l > $f)

-- chosen: values that a comparison chooses, and comparisons with them: CASE, NULLIF, COALESCE, MAX of two

SHOW
CASE $e WHEN $l THEN 'p' WHEN $f THEN 'q' END
CASE WHEN $e = $l THEN 'p' WHEN $e = $f THEN 'q' END
CASE WHEN $l = $e THEN 'p' WHEN $f = $e THEN 'q' END
IIF($e = $l, 'p', IIF($e = $f, 'q', NULL))
CASE WHEN $e IN ($l) THEN 'p' WHEN $e IN ($f) THEN 'q' END
CASE $e WHEN $f THEN 'q' WHEN $l THEN 'p' END

SHOW
NULLIF($e, $f)
CASE WHEN $e = $f THEN NULL ELSE $e END
CASE $e WHEN $f THEN NULL ELSE $e END
CASE WHEN $f = $e THEN NULL ELSE $e END
IIF($e = $f, NULL, $e)
CASE WHEN $e <> $f OR $y IS NULL THEN $e END

WHERE
NULLIF($e, $l) = $m
CASE WHEN $e = $l THEN NULL ELSE $e END = $m
$e <> $l AND $e = $m
CASE $e WHEN $l THEN NULL ELSE $e END = $m
IIF($e = $l, NULL, $e) IN ($m)

WHERE
COALESCE($e, $f) = $l
CASE WHEN $e IS NOT NULL THEN $e ELSE $f END = $l
IFNULL($e, $f) = $l
($e = $l OR $x IS NULL AND $f = $l)
IIF($e IS NULL, $f, $e) = $l
COALESCE($e, $f) IN ($l)
CASE WHEN $x IS NOT NULL THEN $e = $l ELSE $f = $l END
$l = COALESCE($e, $f)
COALESCE($e = $l, $f = $l)

WHERE
CASE WHEN $p THEN $e ELSE $f END = $l
CASE WHEN $p THEN $e = $l ELSE $f = $l END
$l = CASE WHEN $p THEN $e ELSE $f END
IIF($p, $e, $f) = $l
($p AND $e = $l OR ($p) IS NOT TRUE AND $f = $l)
IIF($p, $e = $l, $f = $l)
(SELECT CASE WHEN $p THEN $e ELSE $f END) = $l

WHERE
MAX($e, $f) = $l
CASE WHEN $e > $f THEN $e ELSE $f END = $l
CASE WHEN $e >= $f THEN $e ELSE $f END = $l
CASE WHEN $e > $f THEN $e = $l ELSE $f = $l END
MAX($f, $e) = $l
$l = MAX($e, $f)
MAX($e, $f) IN ($l)

-- equal: several comparisons at once, and values in the place of equal ones: what follows, what is exchanged

WHERE
$e = $l AND $f = $e
$e = $l AND $f = $l
$e = $l AND $e = $f
$f = $l AND $f = $e
$e = $l AND $f = $e AND $f = $l
$e IN ($l) AND $f IN ($e)

WHERE
$e = $l AND $e = $m
0
$e = $l AND $e = $m AND $l = $m
$e IN ($l) AND $e IN ($m)
$e = $l AND $e IN ($m, $l)
$e = $l
$e BETWEEN $l AND $m AND $e = $l

WHERE
$e = $f AND $e > $l
$e = $f AND $f > $l
$f = $e AND $l < $e
$e = $f AND $e > $l AND $f > $l
$e = $f AND NOT $f <= $l

WHERE
$e = $l AND LENGTH($x) = 1
$e = $l AND LENGTH($l) = 1
$e = $l
$e = $l AND TYPEOF($x) = TYPEOF($l)
$e = $l AND $x LIKE $l
$e = $l AND $x GLOB $l
$e = $l AND LOWER($x) = LOWER($l)
$e = $l AND $x || '' = $l || ''
$e = $l AND UPPER($x) = UPPER($l)

SELECT $x FROM $T AS t WHERE $e = $l
SELECT $l FROM $T AS t WHERE $e = $l
SELECT $e FROM $T AS t WHERE $l = $e
SELECT $x FROM $T AS t WHERE $e IN ($l)
SELECT $x FROM $T AS t WHERE $e IS $l
SELECT CASE WHEN $e = $l THEN $l END FROM $T AS t WHERE $e = $l

SELECT $x FROM $T AS t WHERE $e = $f
SELECT $y FROM $T AS t WHERE $e = $f
SELECT $e FROM $T AS t WHERE $f = $e
SELECT $f FROM $T AS t WHERE $e IS $f AND $x IS NOT NULL
SELECT COALESCE($x, $y) FROM $T AS t WHERE $e = $f
SELECT MAX($x, $y) FROM $T AS t WHERE $e = $f
SELECT CASE WHEN $e = $f THEN $x ELSE $y END FROM $T AS t WHERE $e = $f

-- derived: values compared through derived tables, CTEs, compounds and groups

SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q WHERE c = $l
SELECT COUNT(*) FROM $T AS t WHERE $e = $l
WITH q AS (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l
WITH q AS MATERIALIZED (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t ORDER BY 1) AS q WHERE $l = c
SELECT COUNT(CASE WHEN $e = $l THEN 1 END) FROM $T AS t
SELECT COUNT(*) FILTER (WHERE $e = $l) FROM $T AS t
SELECT COUNT(*) FROM $T AS t WHERE (SELECT $e) = $l
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l) AS q
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT NULL) AS q WHERE c = $l

SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c = $l
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION ALL SELECT $g FROM $U AS u WHERE $g = $l) AS q
SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION ALL SELECT $e FROM $T AS t) AS q WHERE c = $l
SELECT (SELECT COUNT(*) FROM $T AS t WHERE $e = $l) + (SELECT COUNT(*) FROM $U AS u WHERE $g = $l)
WITH q AS (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) SELECT COUNT(*) FROM q WHERE $l = c
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c IN ($l)

SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u) AS q WHERE c = $l
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $g = $l) AS q
SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $l = $g) AS q
SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION SELECT $e FROM $T AS t) AS q WHERE c = $l

SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING $e = $l
SELECT COUNT(*) FROM $T AS t WHERE $e = $l GROUP BY $e
SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MAX($e) = $l
SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MIN($e) = $l
SELECT n FROM (SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY $e) AS q WHERE c = $l
SELECT COUNT(*) FROM $T AS t WHERE $e = $l HAVING COUNT(*) > 0
SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q GROUP BY c HAVING c = $l

-- rows: row values: component by component, with NULL among them, by IN with lists and queries

WHERE
($e, $f) = ($l, $m)
$e = $l AND $f = $m
($e, $f) IN (SELECT $l, $m)
($e, $f) IN (VALUES ($l, $m))
($l, $m) = ($e, $f)
NOT ($e, $f) <> ($l, $m)
($f, $e) = ($m, $l)
($e, $f) BETWEEN ($l, $m) AND ($l, $m)
NOT ($e <> $l OR $f <> $m)
($e, $f) IS ($l, $m)
CASE WHEN ($e, $f) = ($l, $m) THEN 1 END

WHERE
($e, $f) < ($l, $m)
$e < $l OR $e = $l AND $f < $m
($l, $m) > ($e, $f)
NOT ($e, $f) >= ($l, $m)
$e <= $l AND ($e < $l OR $f < $m)
$e < $l OR ($e, $f) < ($l, $m)

WHERE
($e, $f) IN (VALUES ($l, $m), ($m, $l))
($e, $f) = ($l, $m) OR ($e, $f) = ($m, $l)
$e = $l AND $f = $m OR $e = $m AND $f = $l
($e, $f) IN (SELECT $l, $m UNION ALL SELECT $m, $l)
EXISTS (SELECT 1 FROM (SELECT $l AS c, $m AS d UNION ALL SELECT $m, $l) AS q WHERE (q.c, q.d) = ($e, $f))

WHERE
($e, $f) NOT IN (VALUES ($l, $m), ($m, $l))
NOT (($e, $f) = ($l, $m) OR ($e, $f) = ($m, $l))
($e, $f) <> ($l, $m) AND ($e, $f) <> ($m, $l)
NOT ($e = $l AND $f = $m OR $e = $m AND $f = $l)
($e, $f) NOT IN (SELECT $l, $m UNION SELECT $m, $l)

WHERE
($e, $f) IN (SELECT $g, $h FROM $U AS u)
EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f)
EXISTS (SELECT 1 FROM $U AS u WHERE $e = $g AND $f = $h)
EXISTS (SELECT 1 FROM $U AS u WHERE ($e, $f) = ($g, $h))
($f, $e) IN (SELECT $h, $g FROM $U AS u)
($e, $f) IN (SELECT DISTINCT $g, $h FROM $U AS u)
$e IN (SELECT $g FROM $U AS u WHERE $h = $f)
$f IN (SELECT $h FROM $U AS u WHERE $g = $e)
(SELECT COUNT(*) FROM $U AS u WHERE ($g, $h) = ($e, $f)) > 0
($e, $f) IN (SELECT c, d FROM (SELECT $g AS c, $h AS d FROM $U AS u) AS q)
NOT ($e, $f) NOT IN (SELECT $g, $h FROM $U AS u)

WHERE
($e, $f) NOT IN (SELECT $g, $h FROM $U AS u)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($g = $e AND $h = $f) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($e = $g AND $f = $h) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE (($e, $f) = ($g, $h)) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f)
($f, $e) NOT IN (SELECT $h, $g FROM $U AS u)
(($e, $f) IN (SELECT $g, $h FROM $U AS u)) = 0
(SELECT COUNT(*) FROM $U AS u WHERE (($g, $h) = ($e, $f)) IS NOT 0) = 0
NOT ($e, $f) IN (SELECT $g, $h FROM $U AS u)

WHERE
($e, $f) NOT IN (SELECT $g, $h FROM $U AS u WHERE $q)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND ($g = $e AND $h = $f) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND (($e, $f) = ($g, $h)) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q AND ($e = $g OR $e IS NULL OR $g IS NULL) AND ($f = $h OR $f IS NULL OR $h IS NULL))
($e, $f) NOT IN (SELECT $g, $h FROM $U AS u WHERE $q) OR NOT EXISTS (SELECT 1 FROM $U AS u WHERE $q)

WHERE
($e, NULL) IN (SELECT $g, $h FROM $U AS u)
0
NULL
($e, NULL) IN (SELECT $g, $h FROM $U AS u) IS TRUE

WHERE
($e, NULL) NOT IN (SELECT $g, $h FROM $U AS u)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($e = $g) IS NOT 0)
NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($g = $e) IS NOT 0)
$e NOT IN (SELECT $g FROM $U AS u)
(NULL, $e) NOT IN (SELECT $h, $g FROM $U AS u)

SELECT $k, ($e, $f) IN (SELECT $g, $h FROM $U AS u) FROM $T AS t
SELECT $k, EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e AND $h = $f) FROM $T AS t
SELECT $k, NOT ($e, $f) NOT IN (SELECT $g, $h FROM $U AS u) FROM $T AS t
SELECT $k, MAX(($e, $f) = ($g, $h)) FROM $T AS t LEFT JOIN $U AS u GROUP BY $k
SELECT $k, CASE WHEN EXISTS (SELECT 1 FROM $U AS u WHERE ($e, $f) = ($g, $h)) THEN 1 WHEN EXISTS (SELECT 1 FROM $U AS u WHERE (($e, $f) = ($g, $h)) IS NULL) THEN NULL ELSE 0 END FROM $T AS t
SELECT $k, COALESCE((SELECT MAX(($g, $h) = ($e, $f)) FROM $U AS u), 0) FROM $T AS t

SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) = ($g, $h)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e = $g AND $f = $h
SELECT $k, $uk FROM $T AS t, $U AS u WHERE $g = $e AND $h = $f
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($g, $h) = ($e, $f)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) IN (SELECT $g, $h)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON ($e, $f) IS ($g, $h)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e IS $g AND $f IS $h

-- joins: rows with partners: joins by ON, USING and NATURAL, IN, EXISTS, keys and references

SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e = $g
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $g = $e
SELECT $k, $uk FROM $T AS t, $U AS u WHERE $e = $g
SELECT $k, $uk FROM $U AS u JOIN $T AS t ON $g = $e
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e IN ($g)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e IN (SELECT $g)
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $e BETWEEN $g AND $g
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g WHERE $uk IS NOT NULL
SELECT q.k, r.k FROM (SELECT $k AS k, $e AS c FROM $T AS t) AS q JOIN (SELECT $uk AS k, $g AS c FROM $U AS u) AS r USING (c)
SELECT q.k, r.l FROM (SELECT $k AS k, $e AS c FROM $T AS t) AS q NATURAL JOIN (SELECT $uk AS l, $g AS c FROM $U AS u) AS r
SELECT q.k, r.k FROM (SELECT $k AS k, $e AS c FROM $T AS t) AS q JOIN (SELECT $uk AS k, $g AS c FROM $U AS u) AS r ON q.c = r.c
SELECT q.k, r.k FROM (SELECT $k AS k, $e AS c FROM $T AS t) AS q JOIN (SELECT $uk AS k, $g AS c FROM $U AS u) AS r ON r.c = q.c
WITH q AS (SELECT $k AS k, $e AS c FROM $T AS t) SELECT q.k, $uk FROM q JOIN $U AS u ON q.c = $g

SELECT c FROM (SELECT $e AS c FROM $T AS t) AS q JOIN (SELECT $g AS c FROM $U AS u) AS r USING (c)
SELECT q.c FROM (SELECT $e AS c FROM $T AS t) AS q JOIN (SELECT $g AS c FROM $U AS u) AS r ON q.c = r.c
SELECT r.c FROM (SELECT $e AS c FROM $T AS t) AS q JOIN (SELECT $g AS c FROM $U AS u) AS r ON q.c = r.c
SELECT $e FROM $T AS t JOIN $U AS u ON $e = $g
SELECT $g FROM $T AS t JOIN $U AS u ON $e = $g
SELECT c FROM (SELECT $e AS c FROM $T AS t) AS q NATURAL JOIN (SELECT $g AS c FROM $U AS u) AS r

SELECT c, COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q LEFT JOIN (SELECT $g AS c FROM $U AS u) AS r USING (c) GROUP BY c
SELECT q.c, COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q LEFT JOIN (SELECT $g AS c FROM $U AS u) AS r ON q.c = r.c GROUP BY q.c
SELECT $e, COUNT(*) FROM $T AS t LEFT JOIN $U AS u ON $e = $g GROUP BY $e
SELECT $e, COUNT(*) FROM $T AS t LEFT JOIN $U AS u ON $g = $e GROUP BY $e
SELECT c, COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q FULL JOIN (SELECT $g AS c FROM $U AS u) AS r USING (c) GROUP BY c
SELECT COALESCE(q.c, r.c), COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q FULL JOIN (SELECT $g AS c FROM $U AS u) AS r ON q.c = r.c GROUP BY 1

SELECT $k FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $e = $g)
SELECT DISTINCT $k FROM $T AS t JOIN $U AS u ON $e = $g
SELECT DISTINCT $k FROM $T AS t JOIN $U AS u ON $g = $e
SELECT $k FROM $T AS t WHERE $e IN (SELECT DISTINCT $g FROM $U AS u)
SELECT $k FROM $T AS t WHERE ($e, 1) IN (SELECT $g, 1 FROM $U AS u)
SELECT $k FROM $T AS t WHERE (SELECT COUNT(*) FROM $U AS u WHERE $g = $e) > 0
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $e IN ($g))
SELECT $k FROM $T AS t WHERE EXISTS (SELECT $e INTERSECT SELECT $g FROM $U AS u)
SELECT $k FROM $T AS t JOIN (SELECT DISTINCT $g AS c FROM $U AS u) AS q ON $e = q.c
SELECT $k FROM $T AS t JOIN (SELECT $g AS c FROM $U AS u GROUP BY $g) AS q ON q.c = $e
SELECT $k FROM $T AS t WHERE $e IN (SELECT c FROM (SELECT $g AS c FROM $U AS u) AS q)
SELECT $k FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u UNION SELECT $g FROM $U AS u)

SELECT $k FROM $T AS t WHERE $e NOT IN (SELECT $g FROM $U AS u)
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE $g = $e)
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($g = $e) IS NOT 0)
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE ($e = $g) IS NOT 0)
SELECT $k FROM $T AS t LEFT JOIN $U AS u ON $e = $g WHERE $uk IS NULL
SELECT $k FROM $T AS t LEFT JOIN $U AS u ON $g = $e WHERE $v IS NULL
SELECT $k FROM $T AS t WHERE (SELECT COUNT(*) FROM $U AS u WHERE $g = $e) = 0
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u WHERE $e = $g)
SELECT $k FROM $T AS t WHERE $e NOT IN (SELECT $g FROM $U AS u WHERE $v IS NOT NULL)
SELECT $k FROM $T AS t WHERE ($e, 1) NOT IN (SELECT $g, 1 FROM $U AS u)

SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g WHERE $g = $l
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g WHERE $e = $l
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g WHERE $e = $l AND $g = $l
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $l AND $g = $l
SELECT $k FROM $T AS t JOIN $U AS u ON $g = $e WHERE $l = $g
SELECT $k FROM $T AS t JOIN (SELECT * FROM $U AS u WHERE $g = $l) AS u ON $e = $g

SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g JOIN $U AS w ON $gw = $g
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g JOIN $U AS w ON $gw = $e
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g JOIN $U AS w ON $e = $gw
SELECT $k FROM $T AS t JOIN $U AS u ON $e = $g JOIN $U AS w ON $g = $gw AND $e = $gw
SELECT $k FROM $T AS t JOIN $U AS w ON $e = $gw JOIN $U AS u ON $g = $gw

SELECT t.$z FROM $T AS t JOIN $T AS s ON $es = $e
SELECT t.$z FROM $T AS t WHERE $x IS NOT NULL
SELECT s.$z FROM $T AS t JOIN $T AS s ON $es = $e
SELECT t.$z FROM $T AS t JOIN $T AS s ON $e = $es
SELECT t.$z FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s WHERE $es = $e)
SELECT t.$z FROM $T AS t WHERE $e IN (SELECT $es FROM $T AS s)
SELECT DISTINCT t.$z FROM $T AS t JOIN $T AS s ON $es = $e
SELECT t.$z FROM $T AS t WHERE $e = $e

SELECT t.$z FROM $T AS t JOIN $T AS s ON s.$kn = $K
SELECT t.$z FROM $T AS t WHERE $k IS NOT NULL
SELECT s.$z FROM $T AS t JOIN $T AS s ON s.$kn = $K
SELECT t.$z FROM $T AS t JOIN $T AS s ON $K = s.$kn
SELECT t.$z FROM $T AS t LEFT JOIN $T AS s ON s.$kn = $K
SELECT t.$z FROM $T AS t
SELECT t.$z FROM $T AS t WHERE $K IN (SELECT s.$kn FROM $T AS s)
SELECT (SELECT s.$z FROM $T AS s WHERE s.$kn = $K) FROM $T AS t
SELECT (SELECT MAX(s.$z) FROM $T AS s WHERE s.$kn = $K) FROM $T AS t

SELECT DISTINCT $K, t.$z FROM $T AS t
SELECT $K, t.$z FROM $T AS t
SELECT $K, t.$z FROM $T AS t GROUP BY $K, t.$z
SELECT $K, MAX(t.$z) FROM $T AS t GROUP BY $K
SELECT $K, t.$z FROM $T AS t GROUP BY $K
SELECT DISTINCT $k, t.$z FROM $T AS t

SELECT COUNT(*) FROM (SELECT $K AS c FROM $T AS t UNION SELECT $K FROM $T AS t) AS q
SELECT COUNT(*) FROM $T AS t
SELECT COUNT(DISTINCT $K) FROM $T AS t
SELECT COUNT($K) FROM $T AS t
SELECT COUNT(*) FROM (SELECT DISTINCT $K FROM $T AS t) AS q
SELECT COUNT(*) FROM (SELECT $K FROM $T AS t GROUP BY $K) AS q

SELECT t.$z FROM $T AS t WHERE $K = $l
SELECT t.$z FROM $T AS t WHERE $K = $l LIMIT 1
SELECT MAX(t.$z) FROM $T AS t WHERE $K = $l HAVING COUNT(*) > 0
SELECT t.$z FROM $T AS t WHERE $K IN ($l)
SELECT DISTINCT t.$z FROM $T AS t WHERE $K = $l
SELECT t.$z FROM $T AS t WHERE $l = $K
SELECT t.$z FROM $T AS t WHERE $K = $l ORDER BY t.$z LIMIT 1

SELECT c.$cz FROM $C AS c JOIN $P AS p ON $F = p.$pg
SELECT c.$cz FROM $C AS c WHERE c.$cf IS NOT NULL
SELECT c.$cz FROM $C AS c WHERE $F IN (SELECT p.$pg FROM $P AS p)
SELECT c.$cz FROM $C AS c WHERE EXISTS (SELECT 1 FROM $P AS p WHERE p.$pg = $F)
SELECT c.$cz FROM $C AS c JOIN $P AS p ON p.$pg = $F
SELECT c.$cz FROM $C AS c LEFT JOIN $P AS p ON p.$pg = $F
SELECT c.$cz FROM $C AS c
SELECT c.$cz FROM $C AS c LEFT JOIN $P AS p ON $F = p.$pg WHERE p.$pg IS NOT NULL

SELECT c.$cf FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg WHERE p.$pg = $l
SELECT p.$pg FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg WHERE p.$pg = $l
SELECT c.$cf FROM $C AS c WHERE c.$cf = $l
SELECT c.$cf FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg WHERE c.$cf = $l
SELECT c.$cf FROM $C AS c JOIN $P AS p ON p.$pg = c.$cf WHERE c.$cf = $l

SELECT COUNT(DISTINCT p.$pg) FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg
SELECT COUNT(DISTINCT c.$cf) FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg
SELECT COUNT(DISTINCT c.$cf) FROM $C AS c
SELECT COUNT(*) FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE c.$cf = p.$pg)
SELECT COUNT(*) FROM $P AS p WHERE p.$pg IN (SELECT c.$cf FROM $C AS c)
SELECT COUNT(*) FROM (SELECT 1 FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg GROUP BY p.$pg) AS q
SELECT COUNT(*) FROM (SELECT 1 FROM $C AS c JOIN $P AS p ON c.$cf = p.$pg GROUP BY c.$cf) AS q

-- extremes: greatest and least values, orders, and values put beside aggregates

SELECT MAX($e) FROM $T AS t
SELECT (SELECT $e FROM $T AS t ORDER BY $e DESC LIMIT 1)
SELECT MAX(c) FROM (SELECT $e AS c FROM $T AS t) AS q
SELECT MAX(c) FROM (SELECT DISTINCT $e AS c FROM $T AS t) AS q
SELECT MAX($e) FROM $T AS t WHERE $x IS NOT NULL
SELECT (SELECT DISTINCT $e FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE $es > $e) LIMIT 1)
SELECT MAX(c) FROM (SELECT MAX($e) AS c FROM $T AS t GROUP BY $s) AS q
SELECT MAX(c) FROM (SELECT $e AS c FROM $T AS t GROUP BY $e) AS q
SELECT $e FROM $T AS t ORDER BY 1 DESC LIMIT 1

SELECT $k FROM $T AS t WHERE $e = (SELECT MAX($es) FROM $T AS s)
SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE $es > $e) AND $x IS NOT NULL
SELECT $k FROM $T AS t WHERE (SELECT MAX($es) FROM $T AS s) = $e
SELECT $k FROM $T AS t WHERE $e IN (SELECT MAX($es) FROM $T AS s)
SELECT $k FROM $T AS t WHERE $e >= (SELECT MAX($es) FROM $T AS s)
SELECT $k FROM $T AS t WHERE $e = (SELECT $es FROM $T AS s ORDER BY $es DESC LIMIT 1)
SELECT $k FROM $T AS t JOIN (SELECT MAX($es) AS c FROM $T AS s) AS q ON $e = q.c
SELECT $k FROM (SELECT $k, RANK() OVER (ORDER BY $e DESC) AS n FROM $T AS t WHERE $x IS NOT NULL) AS t WHERE n = 1
SELECT $k FROM (SELECT $k, $e AS c, MAX($e) OVER () AS n FROM $T AS t) AS t WHERE c = n

SELECT $k FROM $T AS t WHERE $e > (SELECT MIN($g) FROM $U AS u)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $g < $e)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $e > $g)
SELECT DISTINCT $k FROM $T AS t JOIN $U AS u ON $e > $g
SELECT $k FROM $T AS t WHERE (SELECT MIN($g) FROM $U AS u) < $e

SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) = $l
SELECT $s FROM $T AS t GROUP BY $s HAVING SUM($e = $l) > 0 AND NOT SUM($e > $l) > 0
SELECT $s FROM $T AS t GROUP BY $s HAVING $l = MAX($e)
SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) IN ($l)
SELECT q.a FROM (SELECT $s AS a, MAX($e) AS c FROM $T AS t GROUP BY $s) AS q WHERE q.c = $l

SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e) > $l
SELECT $s FROM $T AS t WHERE $e > $l GROUP BY $s
SELECT DISTINCT $s FROM $T AS t WHERE $e > $l
SELECT $s FROM $T AS t GROUP BY $s HAVING SUM($e > $l) > 0
SELECT $s FROM $T AS t GROUP BY $s HAVING COUNT(CASE WHEN $e > $l THEN 1 END) > 0
SELECT $s FROM $T AS t GROUP BY $s HAVING MAX($e > $l)

SELECT $k, $x FROM $T AS t ORDER BY $e, $k
SELECT $k, $x FROM $T AS t ORDER BY $x, $k
SELECT $k, c FROM (SELECT $k, $x AS c FROM $T AS t) AS t ORDER BY c, $k
SELECT $k, $e AS c FROM $T AS t ORDER BY c, $k
SELECT $k, $e FROM $T AS t ORDER BY 2, 1
SELECT $k, $x FROM $T AS t GROUP BY $k, $x ORDER BY $e, $k

SELECT $k FROM $T AS t ORDER BY $e, $k LIMIT 1
SELECT MIN($k) FROM $T AS t WHERE $e IS (SELECT MIN($es) FROM $T AS s) HAVING COUNT(*) > 0
SELECT $k FROM $T AS t ORDER BY $x, $k LIMIT 1
SELECT $k FROM (SELECT $k, ROW_NUMBER() OVER (ORDER BY $e, $k) AS n FROM $T AS t) AS t WHERE n = 1
SELECT $k FROM $T AS t ORDER BY $e, $e, $k LIMIT 1
SELECT $k FROM $T AS t WHERE $x IS NOT NULL ORDER BY $e, $k LIMIT 1

SELECT COUNT(*) FROM $T AS t WHERE $e = (SELECT $g FROM $U AS u WHERE $uk = $n)
SELECT COUNT(*) FROM $T AS t, $U AS u WHERE $e = $g AND $uk = $n
SELECT COUNT(*) FROM $T AS t WHERE $e IN (SELECT $g FROM $U AS u WHERE $uk = $n)
SELECT COUNT(*) FROM $T AS t WHERE (SELECT $e = $g FROM $U AS u WHERE $uk = $n)
SELECT COUNT(*) FROM $T AS t WHERE (SELECT $g = $e FROM $U AS u WHERE $uk = $n)
SELECT COUNT(*) FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $uk = $n AND $e = $g)

-- truth_words: tests of truth, with a word W, its number N and the other word O; each is asked alone and beside more

WHERE
$e IS W
$e IS W COLLATE NOCASE
$e IS (W COLLATE RTRIM)
$e IS ((W) COLLATE BINARY COLLATE NOCASE)
$e IS N
$e IS (N)
$e IS N COLLATE NOCASE
$e IS -(N COLLATE NOCASE)
$e IS - -N
$e IS -(-W)
$e IS 'N'
$e IS "W"
$e IS 1 IS W COLLATE RTRIM
$e IS (SELECT W)
$e IS CAST(W AS INTEGER)
$e IS W || ''
$e IS NOT O
NOT $e IS NOT W
NOT $e IS NOT W COLLATE NOCASE
NOT $e IS NOT (W COLLATE RTRIM)
NOT $e IS NOT ((W) COLLATE BINARY COLLATE NOCASE)
$e IS NOT DISTINCT FROM W
$e IS NOT DISTINCT FROM W COLLATE NOCASE
$e IS NOT DISTINCT FROM (W COLLATE RTRIM)
$e IS NOT DISTINCT FROM ((W) COLLATE BINARY COLLATE NOCASE)
$e = W
$e = W COLLATE NOCASE
$e = (W COLLATE RTRIM)
$e = ((W) COLLATE BINARY COLLATE NOCASE)
$e IN (W)
CASE $e WHEN W THEN 1 ELSE 0 END
($e, 1) = (W, 1)
(SELECT $e) IS W COLLATE RTRIM
EXISTS (SELECT 1 WHERE $e IS W COLLATE NOCASE)
$e IS W IS TRUE COLLATE BINARY
IIF($e IS (W COLLATE RTRIM), TRUE, FALSE)
($e <> 0) = N
($e AND TRUE) = N
($e COLLATE NOCASE OR O) IS W
NOT NOT $e IS W
-$e IS W COLLATE BINARY
NOT $e IS O
CASE WHEN $e THEN TRUE ELSE FALSE END IS W

-- truth_tests: COLLATE, signs and brackets around tests of truth and of NULL, around positions and around numbers; SQLite looks behind some of them, and not behind others

WHERE
$e IS NOT TRUE
$e IS NOT TRUE COLLATE NOCASE
$e IS NOT (TRUE COLLATE RTRIM)
$e IS DISTINCT FROM TRUE COLLATE NOCASE
NOT $e IS TRUE COLLATE BINARY
$e IS NOT 1
$e IS NOT 1 COLLATE NOCASE
NOT IFNULL($e, 0)
$e IS FALSE COLLATE NOCASE OR $e IS NULL
NOT $e OR $e ISNULL
COALESCE($e, FALSE) = 0
$e IS NOT -(-TRUE)
NOT COALESCE($e, FALSE)

WHERE
$e IS NULL
$e ISNULL
$e IS NULL COLLATE NOCASE
$e COLLATE NOCASE ISNULL
($e) IS (NULL)
$e IS NOT DISTINCT FROM NULL COLLATE RTRIM
NOT $e NOTNULL
$e NOT NULL IS FALSE COLLATE NOCASE
-$e IS NULL
$e IS TRUE IS NULL
NOT ($e NOT NULL) IS TRUE

SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS b
SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS b COLLATE NOCASE
SELECT TRUE AS b, $k FROM $T AS t WHERE $e IS (b)
SELECT TRUE COLLATE NOCASE AS b, $k FROM $T AS t WHERE $e IS b
SELECT 1 AS b, $k FROM $T AS t WHERE $e IS b COLLATE NOCASE
SELECT q.b, $k FROM $T AS t, (SELECT TRUE AS b) AS q WHERE $e IS q.b COLLATE NOCASE
SELECT q.b, $k FROM $T AS t, (SELECT TRUE AS b) AS q WHERE $e IS q.b
WITH q(b) AS (SELECT TRUE COLLATE NOCASE) SELECT q.b, $k FROM $T AS t, q WHERE $e IS q.b COLLATE RTRIM
SELECT 1, $k FROM $T AS t WHERE $e IS TRUE COLLATE RTRIM
SELECT 1, $k FROM $T AS t WHERE $e IS 1

SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY (1)
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY +1
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 COLLATE NOCASE
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY c COLLATE NOCASE
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY $e
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY ($e COLLATE BINARY)
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1.0
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY '1'
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 IS TRUE
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY - -1
SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY 1 COLLATE RTRIM

SELECT $e AS c FROM $T AS t ORDER BY 1 LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY (1) LIMIT ($n)
SELECT $e AS c FROM $T AS t ORDER BY +1 LIMIT +$n
SELECT $e AS c FROM $T AS t ORDER BY 1 COLLATE NOCASE LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY c COLLATE NOCASE LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY (c) LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY (c COLLATE RTRIM) LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY $e LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY 1.0 LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY -(-1) LIMIT $n
SELECT $e AS c FROM $T AS t ORDER BY +c LIMIT $n
SELECT $e AS c FROM $T AS t LIMIT $n

SHOW
-$e
-($e)
-($e COLLATE NOCASE)
- - -$e
0 - $e
+(-$e)
-CAST($e AS NUMERIC)
$e * -1
~$e + 1
-(+$e)

-- errors: queries of which one may raise an error where another, that answers the same else, does not

WHERE
$p AND abs($x) >= 0
abs($x) >= 0 AND $p
$p AND $x IS NOT NULL
CASE WHEN $p THEN abs($x) >= 0 END
$p AND (abs($x) >= 0 OR abs($x) < 0)
NOT (NOT $p OR abs($x) < 0)
abs($x) IS NOT NULL AND $p
$p AND abs($x) IN (abs($x))
EXISTS (SELECT 1 WHERE $p AND abs($x) >= 0)
$p AND COALESCE(abs($x), -1) >= 0
IIF($p, abs($x) >= 0, 0)
$p AND abs($x) > -1 AND $y IS $y

WHERE
$p
($p) IS TRUE
($p) OR abs(-9223372036854775808) = 1
abs(-9223372036854775808) = 1 OR ($p)
($p) AND abs(-9223372036854775808) <> 1
CASE WHEN $p THEN 1 ELSE abs(-9223372036854775808) = 1 END
COALESCE($p, abs(-9223372036854775808) = 1)
($p) AND (1 OR abs(-9223372036854775808))
($p) AND NOT (0 AND abs(-9223372036854775808))
($p) AND $k IS NOT NULL OR $k IS NULL AND abs(-9223372036854775808)

SHOW
abs($x)
abs(+$x)
+abs($x)
COALESCE(abs($x), NULL)
CASE WHEN $x >= 0 THEN $x ELSE abs($x) END
MAX(abs($x), abs($x))
IIF(1, abs($x), abs($y))
CASE WHEN 0 THEN abs($y) ELSE abs($x) END
CASE WHEN $y IS NULL THEN abs($x) ELSE abs($x) END
(SELECT abs($x))
abs($x) * 1

WHERE
$p AND $s LIKE 'a' ESCAPE $y
$s LIKE 'a' ESCAPE $y AND $p
CASE WHEN $p THEN $s LIKE 'a' ESCAPE $y END
$p AND $s LIKE 'a'
$p AND NOT $s NOT LIKE 'a' ESCAPE $y

SELECT SUM($x) FROM $T AS t WHERE $p
SELECT SUM($x) FROM $T AS t WHERE ($p) IS TRUE
SELECT SUM($x) FROM $T AS t WHERE $p AND $x IS NOT NULL
SELECT SUM($x) FROM $T AS t WHERE $p LIMIT 1
SELECT SUM($x) FROM $T AS t WHERE $p HAVING COUNT(*) >= 0
SELECT SUM(CASE WHEN $p THEN $x END) FROM $T AS t
SELECT SUM($x) FILTER (WHERE $p) FROM $T AS t
SELECT COALESCE(SUM($x), NULL) FROM $T AS t WHERE $p
SELECT SUM(q.a) FROM (SELECT SUM($x) AS a FROM $T AS t WHERE $p GROUP BY $y) AS q
SELECT SUM(q.a) FROM (SELECT $x AS a FROM $T AS t WHERE $p) AS q
SELECT SUM(s.$sn) FROM $T AS s WHERE $ps

SELECT $y, SUM($x) FROM $T AS t GROUP BY $y HAVING $y = $l
SELECT $y, SUM($x) FROM $T AS t WHERE $y = $l GROUP BY $y
SELECT q.a, q.b FROM (SELECT $y AS a, SUM($x) AS b FROM $T AS t GROUP BY $y) AS q WHERE q.a = $l
SELECT $y, SUM($x) FROM $T AS t WHERE $l = $y GROUP BY $y
SELECT $y, SUM($x) FROM $T AS t GROUP BY $y HAVING $y = $l AND COUNT(*) > 0

SELECT $k FROM $T AS t
SELECT q.a FROM (SELECT $k AS a, abs($x) AS b FROM $T AS t) AS q
SELECT q.a FROM (SELECT $k AS a, abs($x) AS b FROM $T AS t) AS q WHERE q.b IS q.b
SELECT q.a FROM (SELECT $k AS a, SUM($x) OVER () AS b FROM $T AS t) AS q
SELECT $k FROM $T AS t ORDER BY abs($x)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT abs($x))
SELECT $k FROM $T AS t WHERE 1 OR abs($x)
SELECT COALESCE($k, abs(-9223372036854775808)) FROM $T AS t WHERE $k IS NOT NULL OR $k IS NULL

SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $x = $v AND abs($w) >= 0
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON abs($w) >= 0 AND $x = $v
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $x = $v AND $w IS NOT NULL
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $x = $v AND abs($w) IS NOT NULL
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $v = $x AND abs($w) >= 0
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON CASE WHEN $x = $v THEN abs($w) >= 0 END

-- constant_joins: joins on constants under every outer join, alone, beside other conjuncts and nested, with filters above

SELECT $k FROM $T AS t
SELECT $k FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $yes
SELECT $k FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $e = $g
SELECT $k FROM ($U AS u JOIN $U AS w ON $no) RIGHT JOIN $T AS t ON $yes
SELECT $k FROM $T AS t LEFT JOIN ($U AS u JOIN $U AS w ON $no) ON $yes
SELECT $k FROM $T AS t FULL JOIN ($U AS u JOIN $U AS w ON $no) ON $yes
SELECT $k FROM $U AS u JOIN $U AS w ON $no FULL JOIN $T AS t ON $e = $gw
SELECT $k FROM $T AS t LEFT JOIN $U AS u ON $no
SELECT $k FROM $T AS t LEFT JOIN $U AS u ON $yes
SELECT $k FROM $U AS u RIGHT JOIN $T AS t ON $no
SELECT $k FROM $U AS u RIGHT JOIN $T AS t ON $e = $g AND $no
SELECT $k FROM $U AS u LEFT JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $no
SELECT $k FROM $U AS u LEFT JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $yes
SELECT $k FROM $U AS w RIGHT JOIN $U AS u ON $no RIGHT JOIN $T AS t ON $no
SELECT $k FROM $T AS t FULL JOIN $U AS u ON $no WHERE $uk IS NULL
SELECT $k FROM $T AS t LEFT JOIN (SELECT $v AS a FROM $U AS u WHERE $no) AS q ON $yes

SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $yes AND $e = $g
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g AND ($no OR $yes)
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g OR $no
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON CASE WHEN $yes THEN $e = $g ELSE $yes END
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON $e = $g AND $yes
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON NOT ($no) AND $g = $e
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g WHERE $yes
SELECT $k, $uk FROM $T AS t LEFT JOIN ($U AS u JOIN (SELECT 1 AS a) AS q ON $yes) ON $e = $g
SELECT $k, $uk FROM $T AS t LEFT JOIN ($U AS u LEFT JOIN $T AS s ON $no) ON $e = $g
SELECT $k, $uk FROM $U AS u LEFT JOIN $T AS s ON $no RIGHT JOIN $T AS t ON $e = $g
SELECT $k, $uk FROM (SELECT 1 AS a) AS q JOIN $U AS u ON $yes RIGHT JOIN $T AS t ON $e = $g

SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $no
SELECT $k, $uk FROM $U AS u FULL JOIN $T AS t ON $no
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $e = $g AND $no
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no UNION ALL SELECT NULL, $uk FROM $U AS u
SELECT $k, NULL FROM $T AS t UNION ALL SELECT NULL, $uk FROM $U AS u
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no UNION SELECT $k, $uk FROM $T AS t RIGHT JOIN $U AS u ON $no
SELECT $k, $uk FROM $T AS t RIGHT JOIN $U AS u ON $no UNION ALL SELECT $k, NULL FROM $T AS t
SELECT $k, $uk FROM $T AS t LEFT JOIN $T AS s ON $no FULL JOIN $U AS u ON $no
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $yes

SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $yes
SELECT $k, $uk FROM $U AS u FULL JOIN $T AS t ON $yes
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $yes
SELECT $k, $uk FROM $T AS t RIGHT JOIN $U AS u ON $yes
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u WHERE $yes
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $yes
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $yes WHERE $k IS NOT NULL AND $uk IS NOT NULL
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $yes WHERE $uk IS NOT NULL
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u UNION ALL SELECT $k, NULL FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $U AS u)
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u LEFT JOIN $U AS w ON $no

SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no WHERE $p
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON $no WHERE $p
SELECT $k, NULL FROM $T AS t WHERE $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no WHERE $p AND $uk IS NULL
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $no WHERE $p
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $no AND $p WHERE $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $p AND $no WHERE $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no WHERE $p AND ($q) IS NULL
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no AND $q WHERE $yes AND $p
SELECT $k, u.a FROM $T AS t LEFT JOIN (SELECT $uk AS a FROM $U AS u WHERE $q) AS u ON $no WHERE $p
SELECT $k, $uk FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $yes WHERE $p

SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $p AND $yes
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON ($p) IS TRUE
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $yes WHERE $p UNION ALL SELECT $k, NULL FROM $T AS t WHERE ($p) IS NOT TRUE
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u WHERE $p
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $p
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $yes WHERE $p
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $yes WHERE $p
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON $yes WHERE $p
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $p WHERE $k IS NOT NULL

SELECT $uk FROM $T AS t LEFT JOIN $U AS u ON $no LEFT JOIN $U AS w ON $gw = $g
SELECT $gw FROM $T AS t LEFT JOIN $U AS u ON $no LEFT JOIN $U AS w ON $gw = $g
SELECT NULL FROM $T AS t
SELECT $uk FROM $T AS t LEFT JOIN ($U AS u JOIN $U AS w ON $gw = $g AND $no) ON $yes
SELECT $uk FROM $T AS t LEFT JOIN ($U AS u LEFT JOIN $U AS w ON $gw = $g) ON $no
SELECT $uk FROM $T AS t LEFT JOIN ($U AS u FULL JOIN $U AS w ON $no) ON $no
SELECT $uk FROM $T AS t LEFT JOIN ($U AS u FULL JOIN $U AS w ON $no) ON $gw = $g
SELECT $uk FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $gw = $g
SELECT $uk FROM $U AS u CROSS JOIN $U AS w RIGHT JOIN $T AS t ON $no
SELECT (SELECT $uk FROM $U AS u JOIN $U AS w ON $no) FROM $T AS t

SELECT COUNT(*), COUNT($uk) FROM $T AS t LEFT JOIN $U AS u ON $no
SELECT COUNT(*), 0 FROM $T AS t
SELECT COUNT(*), COUNT($uk) FROM $U AS u RIGHT JOIN $T AS t ON $no
SELECT COUNT(*), COUNT($uk) FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $yes
SELECT COUNT(*), COUNT(u.a) FROM $T AS t LEFT JOIN (SELECT $uk AS a FROM $U AS u WHERE $no) AS u ON $yes
SELECT COUNT(*), COUNT($uk) FROM $T AS t FULL JOIN $U AS u ON $no
SELECT COUNT(*), COUNT($uk) FROM $T AS t LEFT JOIN $U AS u ON $no WHERE $uk IS NULL
SELECT COUNT($k), COUNT($uk) FROM $T AS t LEFT JOIN $U AS u ON $no
SELECT SUM(q.c), 0 FROM (SELECT COUNT(*) AS c FROM $T AS t LEFT JOIN $U AS u ON $no) AS q

SELECT $x, COUNT($uk) FROM $T AS t LEFT JOIN $U AS u ON $no GROUP BY $x
SELECT $x, 0 FROM $T AS t GROUP BY $x
SELECT DISTINCT $x, 0 FROM $T AS t
SELECT $x, COUNT($uk) FROM $U AS u RIGHT JOIN $T AS t ON $no AND $e = $g GROUP BY $x
SELECT $x, COUNT($uk) FROM $T AS t FULL JOIN $U AS u ON $no GROUP BY $x
SELECT $x, COUNT($uk) FROM $T AS t LEFT JOIN $U AS u ON $no GROUP BY $x HAVING $yes
SELECT $x, COUNT($uk) FROM $U AS u JOIN $U AS w ON $no RIGHT JOIN $T AS t ON $yes GROUP BY $x

SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u LEFT JOIN $U AS w ON $no WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS w RIGHT JOIN $U AS u ON $no WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u LEFT JOIN $U AS w ON $e = $gw AND $no WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s JOIN $U AS w ON $no RIGHT JOIN $U AS u ON $yes WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u JOIN $U AS w ON $yes WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $U AS u FULL JOIN $U AS w ON $no WHERE $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM (SELECT 1) AS a LEFT JOIN $U AS u ON $q)
SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM (SELECT 1) AS a JOIN $U AS u ON $q)

SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $e = $g WHERE $no
SELECT $k, NULL FROM $T AS t WHERE $no
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $yes WHERE $no
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $no
SELECT $k, $uk FROM $T AS t LEFT JOIN $U AS u ON $no WHERE $uk IS NOT NULL
SELECT $k, $uk FROM $U AS u RIGHT JOIN $T AS t ON $no WHERE $g = $e
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $no WHERE $g = $e
SELECT $k, $uk FROM $T AS t CROSS JOIN $U AS u JOIN $U AS w ON $no
SELECT $k, $uk FROM $T AS t FULL JOIN $U AS u ON $no JOIN $U AS w ON $no
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $no LEFT JOIN $U AS w ON $yes
SELECT $k, $uk FROM $T AS t JOIN $U AS u ON $no RIGHT JOIN $U AS w ON $yes

SELECT q.a, $k FROM (SELECT 1 AS a) AS q LEFT JOIN $T AS t ON $no
SELECT 1, NULL
SELECT q.a, $k FROM (SELECT 1 AS a) AS q LEFT JOIN $T AS t ON $yes
SELECT q.a, $k FROM $T AS t RIGHT JOIN (SELECT 1 AS a) AS q ON $no
SELECT q.a, $k FROM $T AS t RIGHT JOIN (SELECT 1 AS a) AS q ON $yes
SELECT q.a, $k FROM (SELECT 1 AS a) AS q LEFT JOIN $T AS t ON $e = 7 AND $no
SELECT q.a, $k FROM (SELECT 1 AS a) AS q FULL JOIN $T AS t ON $no
SELECT q.a, $k FROM $T AS t JOIN $U AS u ON $no RIGHT JOIN (SELECT 1 AS a) AS q ON q.a = 1
SELECT q.a, $k FROM (VALUES (1)) AS v LEFT JOIN $T AS t ON $no JOIN (SELECT 1 AS a) AS q ON $yes
