-- Values, queries, joins and set operations in words that DuckDB alone has, in several ways.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- shown
$i / 2
$i // 2
($i / 2)::INTEGER
TRUNC($i / 2)::INTEGER
FLOOR($i / 2)::INTEGER
$i * 0.5
$i * 0.5::DOUBLE
$i::DOUBLE / 2
($i - $i % 2) // 2
CASE WHEN $i < 0 THEN -(-$i // 2) ELSE $i // 2 END

-- where
$i / 2 = 1
$i // 2 = 1
$i = 2
$i IN (2, 3)
$i / 2 >= 1 AND $i / 2 < 2
$i >= 2 AND $i < 4
($i / 2)::INTEGER = 1
$i / 2.0 = 1.0

-- shown
$i % 2
$i - $i // 2 * 2
MOD($i, 2)
ABS($i) % 2
($i % 2 + 2) % 2
$i % -2
$i - 2 * FLOOR($i / 2)

-- shown
$a / 4
$a * 0.25
$a / 4.0
$a::DOUBLE / 4
$a / 2 / 2
$a // 4
($a / 4)::DECIMAL(9,2)

-- shown
$a::INTEGER
ROUND($a)
ROUND($a)::INTEGER
TRUNC($a)::INTEGER
$a::DECIMAL(9,0)
$a::DECIMAL(9,0)::INTEGER
$a::DOUBLE::INTEGER
FLOOR($a + 0.5)
CEIL($a - 0.5)::INTEGER

-- shown
$a::DECIMAL(9,1)
ROUND($a, 1)
ROUND($a::DECIMAL(9,3), 1)
$a::DECIMAL(9,2)::DECIMAL(9,1)
$a::DOUBLE::DECIMAL(9,1)
($a * 10)::INTEGER / 10
TRUNC($a * 10) / 10

-- shown
$a + $o
$o + $a
$a::DOUBLE + $o
$a - -$o
COALESCE($a + $o, $a, $o)
COALESCE($a, 0) + COALESCE($o, 0)
($a + $o)::DECIMAL(9,2)
($a * 2 + $o * 2) / 2

-- where
$a = 1.5
$a * 2 = 3
$a = 1.50::DECIMAL(9,2)
$a::DECIMAL(9,1) = 1.5
$a::DOUBLE = 1.5
$a - 1.5 = 0
$a > 1 AND $a < 2
$a IN (1.5, NULL)
NOT $a <> 1.5
$a = 3 / 2
$a = 3 // 2

-- shown
GREATEST($a, $o)
CASE WHEN $a >= $o THEN $a ELSE $o END
CASE WHEN $a >= $o OR $o IS NULL THEN $a ELSE $o END
COALESCE(GREATEST($a, $o), $a)
-LEAST(-$a, -$o)
IF($a > $o, $a, $o)
COALESCE(CASE WHEN $a > $o THEN $a ELSE $o END, $a)
GREATEST($a, $o, NULL)

-- shown
$i ** 2
$i * $i
POW($i, 2)
$i ^ 2
($i * $i)::DOUBLE
ABS($i) * $i
POWER(ABS($i), 2)

-- shown
$b::INTEGER
IF($b, 1, 0)
CASE WHEN $b THEN 1 WHEN NOT $b THEN 0 END
CASE $b WHEN true THEN 1 ELSE 0 END
COALESCE($b::INTEGER, 0)
1 - (NOT $b)::INTEGER
$b::TINYINT + 0

-- where
$b
$b = true
$b > false
$b >= true
$b::INTEGER = 1
$b IS NOT DISTINCT FROM true
$b IS NOT FALSE
NOT ($b = false)
IFNULL($b, true)

-- shown
t.i::VARCHAR
CONCAT(t.i)
'' || t.i
COALESCE(t.i::VARCHAR, '')
CASE WHEN t.i < 0 THEN '-' || ABS(t.i)::VARCHAR ELSE t.i::VARCHAR END
(t.i + 0)::VARCHAR
ABS(t.i)::VARCHAR

-- where
$d::DATE = DATE '2000-01-01'
$d::DATE::VARCHAR = '2000-01-01'
$d::DATE::VARCHAR = DATE '2000-01-01'::VARCHAR
$d::DATE = '1999-12-31'::DATE + 1
$d::DATE - DATE '1999-12-31' = 1
$d::DATE - DATE '1999-12-31' = DATE '2000-02-29' - DATE '2000-02-28'
$d = DATE '2000-01-01'
STRFTIME($d, '%Y-%m-%d') = DATE '2000-01-01'::VARCHAR

-- shown
CONCAT($c, 'x')
$c || 'x'
COALESCE($c, '') || 'x'
COALESCE($c || 'x', 'x')
CONCAT($c, '', 'x', NULL)
CASE WHEN $c IS NULL THEN 'x' ELSE CONCAT($c, 'x') END
CONCAT('x', $c)

-- shown
$c[1]
LEFT($c, 1)
SUBSTR($c, 1, 1)
$c[1:1]
$c[:1]
SUBSTRING($c, 0, 2)
LEFT(TRIM($c), 1)
$c[0:1]
$c[:2]

-- where
$c LIKE 'a%'
STARTS_WITH($c, 'a')
$c ^@ 'a'
PREFIX($c, 'a')
$c ILIKE 'a%'
LEFT($c, 1) = 'a'
$c >= 'a' AND $c < 'b'
$c GLOB 'a*'
$c ~~ 'a%'
$c[1] = 'a'
INSTR($c, 'a') = 1

-- where
CONTAINS($c, 'a')
$c LIKE '%a%'
INSTR($c, 'a') > 0
STRPOS($c, 'a') <> 0
$c ILIKE '%a%'
REPLACE($c, 'a', '') <> $c
POSITION('a' IN $c) >= 1
$c LIKE '%a' OR $c LIKE 'a%'
SUFFIX($c, 'a') OR STARTS_WITH($c, 'a')

-- where
$c = 'a'
$c = 'a '
TRIM($c) = 'a'
RTRIM($c) = 'a'
LOWER($c) = 'a'
$c ILIKE 'a'
$c LIKE 'a'
UPPER($c) = 'A'
$c IN ('a', 'A')
$c = 'a' COLLATE NOCASE

-- where
YEAR($d) = 2000
EXTRACT(YEAR FROM $d) = 2000
STRFTIME($d, '%Y') = '2000'
DATE_PART('year', $d) = 2000
$d >= '2000-01-01' AND $d < '2001-01-01'
$d BETWEEN '2000-01-01' AND '2000-12-31'
DATE_TRUNC('year', $d) = '2000-01-01'
DATE_DIFF('year', DATE '2000-01-01', $d::DATE) = 0
$d::DATE <= DATE '2000-12-31' AND $d > DATE '1999-12-31'
STRFTIME($d, '%Y') >= '2000'

-- where
STRFTIME($d, '%Y-%m') = '2000-02'
YEAR($d) = 2000 AND MONTH($d) = 2
DATE_TRUNC('month', $d) = '2000-02-01'
$d >= '2000-02-01' AND $d < '2000-03-01'
$d BETWEEN '2000-02-01' AND '2000-02-29'
$d::DATE BETWEEN '2000-02-01' AND '2000-02-29'
MONTH($d) = 2
STRFTIME($d, '%Y%m') = '200002'

-- shown
$d + INTERVAL 1 MONTH
$d + INTERVAL 30 DAY
$d::TIMESTAMP + INTERVAL '1 month'
($d + INTERVAL 1 MONTH)::DATE
$d + INTERVAL 4 WEEK
$d - INTERVAL (-1) MONTH
$d + INTERVAL 1 DAY + INTERVAL 1 MONTH - INTERVAL 1 DAY

-- shown
$d::DATE + 1
($d + INTERVAL 1 DAY)::DATE
($d + INTERVAL 24 HOUR)::DATE
$d + INTERVAL 1 DAY
$d::DATE - -1
1 + $d::DATE
($d::TIMESTAMP + INTERVAL 1 DAY)::DATE

-- shown
DATE_DIFF('day', DATE '2000-01-01', $d::DATE)
$d::DATE - DATE '2000-01-01'
DATEDIFF('day', DATE '2000-01-01', $d::DATE)
DATE_DIFF('day', TIMESTAMP '2000-01-01 12:00:00', $d::TIMESTAMP)
-($d::DATE - DATE '2000-01-01') * -1
DATE_DIFF('day', DATE '1999-12-31', $d::DATE) - 1
DATE_DIFF('month', DATE '2000-01-01', $d::DATE) * 30

-- shown
DATE_DIFF('month', DATE '2000-01-31', $d::DATE)
(YEAR($d) - 2000) * 12 + MONTH($d) - 1
DATE_DIFF('month', DATE '2000-01-01', $d::DATE)
DATE_DIFF('year', DATE '2000-01-01', $d::DATE) * 12 + MONTH($d) - 1
DATE_DIFF('year', DATE '2000-01-01', $d::DATE) * 12

-- shown
LAST_DAY($d)
(DATE_TRUNC('month', $d) + INTERVAL 1 MONTH - INTERVAL 1 DAY)::DATE
(DATE_TRUNC('month', $d) + INTERVAL 1 MONTH)::DATE - 1
DATE_TRUNC('month', $d + INTERVAL 1 MONTH)::DATE - 1
(DATE_TRUNC('month', $d) + INTERVAL 31 DAY)::DATE - 1

-- query
SELECT $e, COUNT(*) FROM t GROUP BY ALL
SELECT $e, COUNT(*) FROM t GROUP BY $e
SELECT $e, COUNT(*) FROM t GROUP BY $x
SELECT $e, COUNT($x) FROM t GROUP BY ALL
SELECT $e, COUNT(*) FROM t GROUP BY 1
SELECT $e AS k, COUNT(*) FROM t GROUP BY k
FROM t SELECT $e, COUNT(*) GROUP BY ALL
SELECT $e, COUNT(*) FROM t WHERE $x IS NOT NULL GROUP BY ALL
SELECT DISTINCT $e, COUNT(*) OVER (PARTITION BY $e) FROM t

-- query
SELECT $s, $e, SUM($a) FROM t GROUP BY ALL
SELECT $s, $e, SUM($a) FROM t GROUP BY $s, $e
SELECT $s, $e, SUM($a) FROM t GROUP BY $s, $x
SELECT $s, $e, SUM($a) FROM t GROUP BY $e, $s
SELECT $s, $e, SUM($a::DOUBLE) FROM t GROUP BY ALL
SELECT $s, $e, COALESCE(SUM($a), 0) FROM t GROUP BY ALL
SELECT $s, $e, $a FROM t GROUP BY ALL

-- query
SELECT $e + 0 AS k, MAX($s) FROM t GROUP BY ALL HAVING COUNT(*) > 1
SELECT $e + 0 AS k, MAX($s) FROM t GROUP BY k HAVING COUNT(*) > 1
SELECT $e + 0 AS k, MAX($s) FROM t GROUP BY ALL HAVING COUNT(k) > 1
SELECT $e + 0 AS k, MAX($s) FROM t GROUP BY $x HAVING COUNT(*) > 1
SELECT k, m FROM (SELECT $e + 0 AS k, MAX($s) AS m, COUNT(*) AS n FROM t GROUP BY k) WHERE n > 1

-- query
SELECT t.id, $e AS k FROM t WHERE k = $l
SELECT t.id, $e AS k FROM t WHERE $e = $l
SELECT t.id, $e AS k FROM t WHERE $x = $l
SELECT id, k FROM (SELECT t.id, $e AS k FROM t) WHERE k = $l
SELECT t.id, $l AS k FROM t WHERE $e = $l
SELECT t.id, $e AS k FROM t QUALIFY k = $l AND ROW_NUMBER() OVER (PARTITION BY t.id ORDER BY t.id) >= 1

-- query
SELECT t.id, t.i + 1 AS i FROM t WHERE i > 1
SELECT t.id, t.i + 1 AS i FROM t WHERE t.i > 1
SELECT t.id, t.i + 1 AS k FROM t WHERE k > 1
SELECT t.id, t.i + 1 AS k FROM t WHERE t.i > 0
SELECT t.id, t.i + 1 AS k FROM t WHERE t.i + 1 > 1
SELECT id, i FROM (SELECT t.id, t.i + 1 AS i FROM t) WHERE i > 1

-- query
SELECT t.i + 1 AS k, k * 2 AS h FROM t
SELECT t.i + 1, (t.i + 1) * 2 FROM t
SELECT t.i + 1 AS k, t.i * 2 + 1 FROM t
SELECT t.i + 1 AS i, i * 2 FROM t
SELECT k, k * 2 FROM (SELECT t.i + 1 AS k FROM t)
SELECT k, k + k FROM (SELECT t.i + 1 AS k FROM t)
WITH z AS (SELECT t.i + 1 AS k FROM t) FROM z SELECT k, 2 * k

-- query
SELECT t.id, $s FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) = 1
SELECT id, k FROM (SELECT t.id, $s AS k, ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) AS n FROM t) WHERE n = 1
SELECT t.id, $s FROM t QUALIFY RANK() OVER (PARTITION BY $e ORDER BY t.id) = 1
SELECT t.id, $s FROM t WHERE t.id = (SELECT MIN(z.id) FROM t AS z WHERE z.$xn IS NOT DISTINCT FROM $x)
SELECT t.id, $s FROM t WHERE t.id = (SELECT MIN(z.id) FROM t AS z WHERE z.$xn = $x)
SELECT t.id, $s FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id DESC) = 1
SELECT t.id, $s FROM t QUALIFY t.id = MIN(t.id) OVER (PARTITION BY $e)
SELECT t.id, $s FROM t WHERE $p QUALIFY ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) = 1
SELECT id, k FROM (SELECT t.id, $s AS k, $p AS p FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) = 1) WHERE p

-- query
SELECT $e, COUNT(*) FROM t GROUP BY $e QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) = 1
SELECT k, n FROM (SELECT $e AS k, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t GROUP BY ALL) WHERE r = 1
SELECT $e, COUNT(*) AS n FROM t GROUP BY $e HAVING n = (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM t GROUP BY $e))
SELECT $e, COUNT(*) FROM t GROUP BY ALL HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM t GROUP BY $e)
SELECT $e, COUNT(*) FROM t GROUP BY $e QUALIFY DENSE_RANK() OVER (ORDER BY COUNT(*)) = 1

-- query
SELECT DISTINCT ON ($s) $s, t.id FROM t ORDER BY $s, t.id
SELECT $s, MIN(t.id) FROM t GROUP BY $s ORDER BY $s
SELECT $s, t.id FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY $s ORDER BY t.id) = 1 ORDER BY $s
SELECT DISTINCT ON ($s) $s, t.id FROM t ORDER BY $s, t.id DESC
SELECT DISTINCT ON ($s) $s, t.id FROM t ORDER BY $s DESC, t.id
SELECT $s AS k, MAX(t.id) FROM t GROUP BY k ORDER BY k
SELECT DISTINCT $s, MIN(t.id) OVER (PARTITION BY $s) FROM t ORDER BY ALL

-- query
SELECT t.id, $e FROM t ORDER BY $e, t.id
SELECT t.id, $e FROM t ORDER BY $e NULLS LAST, t.id
SELECT t.id, $e FROM t ORDER BY $e NULLS FIRST, t.id
SELECT t.id, $e FROM t ORDER BY $e IS NULL, $e, t.id
SELECT t.id, $e FROM t ORDER BY $x, t.id
SELECT t.id, $e AS k FROM t ORDER BY k, id
SELECT t.id, $e FROM t ORDER BY 2, 1

-- query
SELECT t.id, $e FROM t ORDER BY $e DESC, t.id
SELECT t.id, $e FROM t ORDER BY $e DESC NULLS LAST, t.id
SELECT t.id, $e FROM t ORDER BY $e DESC NULLS FIRST, t.id
SELECT t.id, $e FROM t ORDER BY $e IS NOT NULL DESC, $e DESC, t.id
SELECT t.id, $e FROM t ORDER BY $e IS NULL, $e DESC, t.id ASC
SELECT t.id, $e FROM t ORDER BY $e DESC, t.id DESC

-- query
SELECT $s, t.id FROM t ORDER BY ALL
SELECT $s, t.id FROM t ORDER BY $s, t.id
SELECT $s, t.id FROM t ORDER BY t.id, $s
SELECT $s, t.id FROM t ORDER BY ALL DESC
SELECT $s, t.id FROM t ORDER BY $s DESC, t.id DESC
SELECT $s, t.id FROM t ORDER BY ALL NULLS FIRST
SELECT $s, t.id FROM t ORDER BY 1 NULLS LAST, 2

-- query
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e, t.id LIMIT 1
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e NULLS LAST, t.id LIMIT 1
SELECT t.id FROM t WHERE t.id IS NOT NULL QUALIFY ROW_NUMBER() OVER (ORDER BY $e, t.id) = 1
SELECT t.id FROM t WHERE t.id IS NOT NULL AND $x IS NOT NULL ORDER BY $e, t.id LIMIT 1
SELECT MIN(t.id) FROM t WHERE $e = (SELECT MIN($e2) FROM t AS z)
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e NULLS FIRST, t.id LIMIT 1

-- query
SELECT * EXCLUDE (pid, n, o, f, k, l) FROM t WHERE $p
SELECT id, i, j, c, e, v, s, b, g, d, x, m, y FROM t WHERE $p
SELECT t.* EXCLUDE (f, o, l, k, n, pid) FROM t WHERE $p
SELECT * EXCLUDE (pid, n, o, f, k, l) REPLACE (i + 0 AS i) FROM t WHERE $p
SELECT * EXCLUDE (pid, n, o, f, k, l) REPLACE (ABS(i) AS i) FROM t WHERE $p
SELECT * EXCLUDE (pid, n, o, f, k, l) REPLACE (j AS i) FROM t WHERE $p
FROM t SELECT * EXCLUDE (pid, n, o, f, k, l) WHERE $p
SELECT id, j AS i, i AS j, c, e, v, s, b, g, d, x, m, y FROM t WHERE $p
SELECT * EXCLUDE (pid, n, o, f, k, l) RENAME (i AS z) FROM t WHERE $p

-- query
FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT * FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT t.* FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT COLUMNS(*) FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT DISTINCT * FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT * REPLACE (s AS s) FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT * REPLACE (s || '' AS s) FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
SELECT * REPLACE (COALESCE(s, '') AS s) FROM (SELECT * EXCLUDE (k, l) FROM t) AS t WHERE $p
FROM (FROM (SELECT * EXCLUDE (k, l) FROM t) AS t) AS t WHERE ($p) IS TRUE

-- query
SELECT SUM(t.i) FROM t
SELECT SUM(t.i)::BIGINT FROM t
SELECT SUM(t.i::DOUBLE) FROM t
SELECT SUM(t.i::HUGEINT) FROM t
SELECT COALESCE(SUM(t.i), 0) FROM t
SELECT SUM(t.i + 0) FROM t
SELECT SUM(DISTINCT t.i) FROM t
SELECT AVG(t.i) * COUNT(t.i) FROM t
SELECT SUM(t.i) FILTER (t.i <> 0) FROM t

-- query
SELECT $s, AVG(t.j) FROM t GROUP BY ALL
SELECT $s, SUM(t.j) / COUNT(t.j) FROM t GROUP BY ALL
SELECT $s, SUM(t.j) // COUNT(t.j) FROM t GROUP BY ALL
SELECT $s, SUM(t.j) / COUNT(*) FROM t GROUP BY ALL
SELECT $s, AVG(COALESCE(t.j, 0)) FROM t GROUP BY ALL
SELECT $s, SUM(t.j)::DOUBLE / COUNT(t.j) FROM t GROUP BY $s
SELECT $s, MEAN(t.j) FROM t GROUP BY $s

-- query
SELECT $s, COUNT(*) FILTER (WHERE $p) FROM t GROUP BY ALL
SELECT $s, COUNT(*) FILTER ($p) FROM t GROUP BY $s
SELECT $s, COUNT_IF($p) FROM t GROUP BY $s
SELECT $s, SUM(IF($p, 1, 0)) FROM t GROUP BY $s
SELECT $s, SUM(($p)::INTEGER) FROM t GROUP BY $s
SELECT $s, COUNT($p) FROM t GROUP BY $s
SELECT $s, COUNT(*) FROM t WHERE $p GROUP BY $s
SELECT $s, COUNT(CASE WHEN $p THEN t.id END) FROM t GROUP BY ALL

-- query
SELECT $s, BOOL_AND($p) FROM t GROUP BY ALL
SELECT $s, MIN($p) FROM t GROUP BY ALL
SELECT $s, NOT BOOL_OR(NOT ($p)) FROM t GROUP BY ALL
SELECT $s, COUNT(*) FILTER (NOT ($p)) = 0 FROM t GROUP BY ALL
SELECT $s, COUNT(*) FILTER ($p) = COUNT(*) FROM t GROUP BY ALL
SELECT $s, COUNT(*) FILTER ($p) = COUNT($p) FROM t GROUP BY ALL
SELECT $s, BOOL_AND(COALESCE($p, false)) FROM t GROUP BY ALL

-- query
SELECT t.id, $s FROM t SEMI JOIN u ON $g = $e
SELECT t.id, $s FROM t WHERE EXISTS (FROM u WHERE $g = $e)
SELECT t.id, $s FROM t WHERE $e IN (SELECT $g FROM u)
SELECT t.id, $s FROM t JOIN u ON $g = $e
SELECT DISTINCT t.id, $s FROM t JOIN u ON $g = $e
SELECT t.id, $s FROM t SEMI JOIN u ON $g IS NOT DISTINCT FROM $e
SELECT t.id, $s FROM t SEMI JOIN (SELECT DISTINCT $g AS k FROM u) z ON z.k = $e
SELECT t.id, $s FROM t WHERE $e = ANY (SELECT $g FROM u)
SELECT t.id, $s FROM t WHERE (SELECT COUNT(*) FROM u WHERE $g = $e) > 0

-- query
SELECT t.id, $s FROM t ANTI JOIN u ON $g = $e
SELECT t.id, $s FROM t WHERE NOT EXISTS (FROM u WHERE $g = $e)
SELECT t.id, $s FROM t WHERE $e NOT IN (SELECT $g FROM u)
SELECT t.id, $s FROM t LEFT JOIN u ON $g = $e WHERE u.id IS NULL
SELECT t.id, $s FROM t LEFT JOIN u ON $g = $e WHERE $v IS NULL
SELECT t.id, $s FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e
SELECT t.id, $s FROM t ANTI JOIN (SELECT $g AS k FROM u WHERE $v IS NOT NULL) z ON z.k = $e
SELECT t.id, $s FROM t WHERE $e <> ALL (SELECT $g FROM u)

-- query
SELECT t.id FROM t SEMI JOIN u USING (id)
SELECT t.id FROM t SEMI JOIN u ON t.id = u.id
SELECT id FROM t JOIN u USING (id)
SELECT t.id FROM t WHERE t.id IN (SELECT u.id FROM u)
SELECT id FROM t INTERSECT SELECT id FROM u
SELECT id FROM t INTERSECT ALL SELECT id FROM u
SELECT u.id FROM u SEMI JOIN t USING (id)

-- query
SELECT t.id, $q FROM t JOIN u ON t.id = u.pid WHERE $p
SELECT t.id, $q FROM t, u WHERE t.id = u.pid AND $p
SELECT t.id, $q FROM u JOIN (FROM t WHERE $p) AS t ON t.id = u.pid
SELECT t.id, $q FROM t LEFT JOIN u ON t.id = u.pid WHERE $p AND u.pid IS NOT NULL
SELECT t.id, $q FROM t LEFT JOIN u ON t.id = u.pid WHERE $p
SELECT u.pid, $q FROM u JOIN t ON t.id = u.pid WHERE $p
SELECT u.pid, $q FROM u SEMI JOIN (FROM t WHERE $p) AS z ON z.id = u.pid

-- query
SELECT id, $xn FROM t UNION ALL BY NAME SELECT $xn, id FROM t
SELECT id, $xn FROM t UNION ALL SELECT id, $xn FROM t
SELECT id, $xn FROM t UNION ALL BY NAME SELECT id, $xn FROM t
SELECT id, $xn FROM t UNION BY NAME SELECT $xn, id FROM t
SELECT DISTINCT id, $xn FROM t
SELECT t.id, $x FROM t, (VALUES (1), (2)) AS z (k)

-- query
SELECT $e FROM t EXCEPT ALL SELECT $g FROM u
SELECT $e FROM t EXCEPT SELECT $g FROM u
SELECT DISTINCT $e FROM t WHERE NOT EXISTS (FROM u WHERE $g IS NOT DISTINCT FROM $e)
SELECT DISTINCT $e FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e
SELECT $e FROM t ANTI JOIN u ON $g IS NOT DISTINCT FROM $e
SELECT DISTINCT $e FROM t ANTI JOIN u ON $g = $e

-- query
SELECT $e FROM t INTERSECT ALL SELECT $g FROM u
SELECT $e FROM t INTERSECT SELECT $g FROM u
SELECT DISTINCT $e FROM t SEMI JOIN u ON $g IS NOT DISTINCT FROM $e
SELECT DISTINCT $e FROM t SEMI JOIN u ON $g = $e
SELECT DISTINCT $e FROM t WHERE $e IN (SELECT $g FROM u)

-- query
SELECT $s, COUNT(*) FROM t GROUP BY ROLLUP ($s)
SELECT $s, COUNT(*) FROM t GROUP BY GROUPING SETS (($s), ())
SELECT $s, COUNT(*) FROM t GROUP BY $s UNION ALL SELECT NULL, COUNT(*) FROM t
SELECT $s, COUNT(*) FROM t GROUP BY CUBE ($s)
SELECT $s, COUNT(*) FROM t GROUP BY $s UNION SELECT NULL, COUNT(*) FROM t
SELECT $s, COUNT(*) FROM t GROUP BY ALL

-- query
SELECT t.id, $e FROM t WHERE $x = (SELECT MAX(z.$xn) FROM t AS z)
SELECT t.id, $e FROM t WHERE $x IS NOT NULL QUALIFY RANK() OVER (ORDER BY $x DESC) = 1
SELECT t.id, $e FROM t QUALIFY RANK() OVER (ORDER BY $x DESC) = 1
SELECT t.id, $e FROM t QUALIFY $x = MAX($x) OVER ()
SELECT t.id, $e FROM t ANTI JOIN t AS z ON z.$xn > $x
SELECT t.id, $e FROM t ANTI JOIN t AS z ON z.$xn > $x WHERE $x IS NOT NULL

-- query
WITH z AS (FROM t SELECT $e AS k, $s AS h) FROM z SELECT k, COUNT(DISTINCT h) GROUP BY ALL
SELECT $e, COUNT(DISTINCT $s) FROM t GROUP BY ALL
SELECT k, COUNT(h) FROM (SELECT DISTINCT $e AS k, $s AS h FROM t) GROUP BY ALL
SELECT k, COUNT(*) FROM (SELECT DISTINCT $e AS k, $s AS h FROM t) GROUP BY ALL
SELECT $e, COUNT($s) FROM t GROUP BY ALL
SELECT k, COUNT(*) FROM (SELECT $e AS k FROM t WHERE $s IS NOT NULL GROUP BY $e, $s) GROUP BY k
