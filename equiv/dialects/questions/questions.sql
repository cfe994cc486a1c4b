-- Conditions, texts, numbers, dates and whole queries, each question in several ways, of which many are near misses.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- where
$e = $l
$l = $e
$e IN ($l)
$e = ANY (ARRAY[$l])
NOT $e <> $l
$e BETWEEN $l AND $l
$e IS NOT DISTINCT FROM $l
($e, t.id) = ($l, t.id)
NULLIF($e, $l) IS NULL AND $x IS NOT NULL
EXISTS (SELECT $e INTERSECT SELECT $l)
CASE WHEN $e = $l THEN true ELSE false END
$e >= $l AND $e <= $l
($e = $l) IS TRUE
COALESCE($e = $l, false)
NOT ($e <> $l) IS TRUE
CASE $e WHEN $l THEN true END

-- where
$e = $f
$f = $e
$e IN ($f)
$e IS NOT DISTINCT FROM $f
$e IS NOT DISTINCT FROM $f AND $x IS NOT NULL
NOT $e <> $f
NOT ($e < $f OR $e > $f)
($e, 1) = ($f, 1)
$e = (SELECT $f)
LEAST($e, $f) = GREATEST($e, $f)
NULLIF($e, $f) IS NULL AND $x IS NOT NULL
$e = ANY (ARRAY[$f, $f])
$e = ALL (ARRAY[$f])

-- where
$e <> $l
NOT $e = $l
$e IS DISTINCT FROM $l
$e NOT IN ($l)
$e <> ALL (ARRAY[$l, $l])
$e < $l OR $e > $l
($e = $l) IS NOT TRUE
($e = $l) IS FALSE
$e IS DISTINCT FROM $l AND $x IS NOT NULL
COALESCE($e <> $l, true)

-- where
$e < $f
$f > $e
NOT $e >= $f
($e, t.id) < ($f, t.id)
$e <= $f AND $e <> $f
($e >= $f) IS NOT TRUE
$e < (SELECT $f)
GREATEST($e, $f) <> $e

-- where
$e IN ($l, $m)
$e = $l OR $e = $m
$e = ANY (ARRAY[$l, $m])
$e IN (VALUES ($l), ($m))
$e IN (SELECT $l UNION SELECT $m)
NOT $e NOT IN ($l, $m)
CASE $e WHEN $l THEN true WHEN $m THEN true ELSE false END
EXISTS (SELECT 1 FROM (VALUES ($l), ($m)) AS z (c) WHERE z.c = $e)
COALESCE($e IN ($m, $l), false)
$e IN ($l) OR $e IN ($m)

-- where
$e NOT IN ($l, $m)
$e <> $l AND $e <> $m
NOT ($e = $l OR $e = $m)
$e <> ALL (ARRAY[$l, $m])
($e IN ($l, $m)) IS FALSE
($e IN ($l, $m)) IS NOT TRUE
$e NOT IN (SELECT $l UNION ALL SELECT $m)
NOT EXISTS (SELECT 1 FROM (VALUES ($l), ($m)) AS z (c) WHERE z.c = $e)

-- where
$e BETWEEN $l AND $m
$e >= $l AND $e <= $m
NOT ($e < $l OR $e > $m)
$e BETWEEN SYMMETRIC $l AND $m
$e BETWEEN $l AND $m OR $e BETWEEN $m AND $l
$l <= $e AND $m >= $e
NOT $e NOT BETWEEN $l AND $m
($e < $l OR $e > $m) IS FALSE

-- where
$e > ALL (SELECT $g FROM u)
NOT EXISTS (SELECT 1 FROM u WHERE $g >= $e)
NOT EXISTS (SELECT 1 FROM u WHERE ($e > $g) IS NOT TRUE)
$e > (SELECT MAX($g) FROM u)
NOT ($e <= ANY (SELECT $g FROM u))
COALESCE($e > (SELECT MAX($g) FROM u), true)

-- where
$e > ANY (SELECT $g FROM u)
EXISTS (SELECT 1 FROM u WHERE $e > $g)
$e > (SELECT MIN($g) FROM u)
$e > SOME (SELECT $g FROM u WHERE $v IS NOT NULL)
NOT ($e <= ALL (SELECT $g FROM u))
$e > (SELECT $g FROM u WHERE $v IS NOT NULL ORDER BY $g, u.id LIMIT 1)

-- where
$e IN (SELECT $g FROM u)
EXISTS (SELECT 1 FROM u WHERE $g = $e)
$e = ANY (SELECT $g FROM u WHERE $v IS NOT NULL)
($e, 1) IN (SELECT $g, 1 FROM u)
EXISTS (SELECT 1 FROM u WHERE $g IS NOT DISTINCT FROM $e)
$e IN (SELECT DISTINCT $g FROM u)
(SELECT COUNT(*) FROM u WHERE $g = $e) > 0
$e IN (SELECT $g FROM u WHERE u.id = t.id)
COALESCE($e IN (SELECT $g FROM u), false)

-- where
$e NOT IN (SELECT $g FROM u)
NOT EXISTS (SELECT 1 FROM u WHERE $g = $e)
$e <> ALL (SELECT $g FROM u)
NOT EXISTS (SELECT 1 FROM u WHERE ($g = $e) IS NOT FALSE)
$e NOT IN (SELECT $g FROM u WHERE $v IS NOT NULL)
(SELECT COUNT(*) FROM u WHERE $g = $e) = 0
($e IN (SELECT $g FROM u)) IS NOT TRUE

-- where
($e, $s) = ($f, $r)
$e = $f AND $s = $r
$e = $f AND $s IS NOT DISTINCT FROM $r
($s, $e) = ($r, $f)
NOT (($e, $s) <> ($f, $r))
($e, $s) IS NOT DISTINCT FROM ($f, $r)

-- where
($e, t.id) < ($l, 2)
$e < $l OR $e = $l AND t.id < 2
$e <= $l AND ($e < $l OR t.id < 2)
$e < $l OR t.id < 2
NOT (($e, t.id) >= ($l, 2))

-- where
$p AND $e = $l
CASE WHEN $p THEN $e = $l ELSE false END
NOT (NOT ($p) OR $e <> $l)
CASE WHEN $p THEN $e = $l END
($p) = ($e = $l)
($p) IS TRUE AND ($e = $l) IS TRUE
NOT ($p) IS NOT TRUE AND $e = $l

-- where
COALESCE($e, $f) = $l
CASE WHEN $x IS NOT NULL THEN $e ELSE $f END = $l
$e = $l OR $x IS NULL AND $f = $l
COALESCE($e = $l, $f = $l)
COALESCE($f, $e) = $l
$l IN (COALESCE($e, $f))

-- where
$b
$b = true
$b IS TRUE
$b IS NOT FALSE
NOT NOT $b
$b <> false
$b IS DISTINCT FROM false
NOT ($b = false)
$b::int = 1
CASE WHEN $b THEN true ELSE false END
$b = ANY (ARRAY[true])

-- where
$b AND $g2
($b, $g2) = (true, true)
LEAST($b, $g2)
$b::int + $g2::int = 2
$b::int * $g2::int = 1
NOT (NOT $b OR NOT $g2)
CASE WHEN $b THEN $g2 END
$b = $g2 AND $b

-- where
$c LIKE 'a%'
$c >= 'a' AND $c < 'b'
LEFT($c, 1) = 'a'
SUBSTR($c, 1, 1) = 'a'
STARTS_WITH($c, 'a')
$c ILIKE 'a%'
POSITION('a' IN $c) = 1
STRPOS($c, 'a') = 1
NOT $c NOT LIKE 'a%'
$c ~~ 'a%'
LOWER($c) LIKE 'a%'

-- where
$c ILIKE 'ab'
LOWER($c) = 'ab'
UPPER($c) = 'AB'
$c = 'ab'
LOWER($c) LIKE 'ab'
$c LIKE 'ab'
$c IN ('ab', 'AB', 'aB', 'Ab')
$c ILIKE 'AB'
UPPER($c) LIKE 'AB'

-- where
$c LIKE '%a%'
STRPOS($c, 'a') > 0
POSITION('a' IN $c) > 0
REPLACE($c, 'a', '') <> $c
$c ILIKE '%A%'
$c LIKE '%a' OR $c LIKE 'a%'
LENGTH(REPLACE($c, 'a', '')) < LENGTH($c)
$c SIMILAR TO '%a%'

-- where
$c LIKE 'a\%'
$c = 'a%'
$c LIKE 'a!%' ESCAPE '!'
$c LIKE 'a%'
$c LIKE 'a_'
$c = 'a\%'

-- where
$c LIKE '__'
LENGTH($c) = 2
CHAR_LENGTH($c) = 2
OCTET_LENGTH($c) = 2
$c LIKE '_%' AND $c NOT LIKE '___%'
LENGTH($c || '') = 2
BTRIM($c) LIKE '__'

-- where
$c = ''
LENGTH($c) = 0
$c LIKE ''
TRIM($c) = ''
$c || 'x' = 'x'
COALESCE($c, '') = ''
NULLIF($c, '') IS NULL
NULLIF($c, '') IS NULL AND $c IS NOT NULL
$c::char(2) = ''

-- where
$c = 'a '
$c = 'a'
$c::text = 'a'
RTRIM($c) = 'a'
$c::char(3) = 'a'
$c || '' = 'a'
$c::varchar(1) = 'a'
$c LIKE 'a'
$c::char(2)::text = 'a'

-- shown
$c || 'x'
CONCAT($c, 'x')
$c || 'x' || ''
COALESCE($c || 'x', 'x')
COALESCE($c, '') || 'x'
$c::text || 'x'
CONCAT($c, NULL, 'x')
CASE WHEN $c IS NULL THEN 'x' ELSE $c || 'x' END

-- shown
LENGTH($c)
CHAR_LENGTH($c)
LENGTH(RTRIM($c))
LENGTH($c || 'x') - 1
OCTET_LENGTH($c)
LENGTH($c::text)
LENGTH(CONCAT($c))

-- shown
SUBSTRING($c FROM 2)
SUBSTR($c, 2)
RIGHT($c, -1)
SUBSTR($c, 2, 10)
RIGHT($c, LENGTH($c) - 1)
SUBSTR($c || '', 2)
SUBSTRING($c, 2, 5)

-- shown
UPPER(LOWER($c))
UPPER($c)
LOWER(UPPER($c))
INITCAP($c)
UPPER(UPPER($c))
UPPER($c || '')

-- shown
$c::varchar(2)
LEFT($c, 2)
SUBSTR($c, 1, 2)
$c::char(2)
LEFT($c, 2) || ''
SUBSTR($c, 0, 3)

-- shown
$c::char(3) = $c
$c IS NOT NULL
LENGTH($c) <= 3
LEFT($c, 3) = $c
RTRIM(LEFT($c, 3)) = RTRIM($c)
$c = $c

-- shown
$i / 2
($i - $i % 2) / 2
TRUNC($i / 2.0)
FLOOR($i / 2.0)
$i::numeric / 2
($i / 2.0)::int
DIV($i, 2)
CASE WHEN $i >= 0 THEN $i / 2 ELSE -((-$i) / 2) END

-- shown
$i % 3
MOD($i, 3)
$i - $i / 3 * 3
$i - 3 * FLOOR($i / 3.0)
$i - 3 * TRUNC($i / 3.0)
MOD($i, -3)
ABS($i) % 3
MOD($i::numeric, 3)

-- where
$i % 2 = 1
$i % 2 <> 0
MOD(ABS($i), 2) = 1
$i % 2 IN (1, -1)
ABS($i % 2) = 1
NOT $i % 2 = 0
$i / 2 * 2 <> $i

-- shown
$a::int
ROUND($a)
TRUNC($a)
ROUND($a)::int
FLOOR($a + 0.5)
CASE WHEN $a < 0 THEN CEIL($a - 0.5) ELSE FLOOR($a + 0.5) END
$a::float8::int
$a::numeric(5,0)
ROUND($a::numeric, 0)

-- shown
$a::numeric(8,1)
ROUND($a::numeric, 1)
TRUNC($a::numeric, 1)
ROUND($a::numeric, 2)::numeric(8,1)
$a::numeric(9,2)::numeric(8,1)
ROUND($a::numeric * 10) / 10

-- shown
$a + $o
$o + $a
$a - -$o
COALESCE($a, 0) + COALESCE($o, 0)
-(-$a - $o)
$a * 1 + $o
($a * 2 + $o * 2) / 2

-- shown
$a / 4
$a * 0.25
$a / 4.0
$a::float8 / 4
$a / 2 / 2
$a::numeric / 4

-- where
$a > 1.5
$a * 2 > 3
$a >= 2
$a - 1.5 > 0
NOT $a <= 1.5
$a::numeric > 1.5
$a::float8 > 1.5
-$a < -1.5
1.5 < $a
$a > 1.50

-- where
$a > 1
$a >= 2
$a + 1 > 2
$a - 1 > 0
NOT $a <= 1
$a > 1.0
FLOOR($a) > 1
CEIL($a) > 1

-- where
$a = 2
$a = 2.0
$a::int = 2
$a IN (2.00)
$a * 2 = 4
ROUND($a::numeric) = 2
$a - 2 = 0
$a BETWEEN 2 AND 2
ABS($a) = 2
ABS($a) = 2 AND $a > 0
$a::text = '2'

-- shown
ABS($a)
GREATEST($a, -$a)
CASE WHEN $a < 0 THEN -$a ELSE $a END
SQRT(($a * $a)::float8)
@ $a
CASE WHEN $a > 0 THEN $a ELSE -$a END
ABS(-$a)

-- shown
GREATEST($a, $o)
CASE WHEN $a > $o THEN $a ELSE $o END
CASE WHEN $a >= $o OR $o IS NULL THEN $a ELSE $o END
-LEAST(-$a, -$o)
GREATEST($o, $a)
GREATEST($a, $o, NULL)
COALESCE(GREATEST($a, $o), $a, $o)

-- shown
COALESCE($a, 0)
CASE WHEN $a IS NULL THEN 0 ELSE $a END
GREATEST($a, 0)
COALESCE($a, 0.0)
COALESCE(NULLIF($a, 0), 0)
COALESCE($a, NULL, 0)

-- shown
NULLIF($a, 0)
CASE WHEN $a <> 0 THEN $a END
CASE WHEN $a = 0 THEN NULL ELSE $a END
NULLIF($a, 0.0)
CASE $a WHEN 0 THEN NULL ELSE $a END
1 / NULLIF(1 / NULLIF($a, 0), 0)

-- shown
$b::int
CASE WHEN $b THEN 1 ELSE 0 END
CASE WHEN $b THEN 1 WHEN NOT $b THEN 0 END
COALESCE($b::int, 0)
($b IS TRUE)::int
1 - (NOT $b)::int
CASE $b WHEN true THEN 1 WHEN false THEN 0 END

-- where
EXTRACT(YEAR FROM $d) = 2000
$d >= DATE '2000-01-01' AND $d < DATE '2001-01-01'
DATE_PART('year', $d) = 2000
TO_CHAR($d, 'YYYY') = '2000'
DATE_TRUNC('year', $d) = DATE '2000-01-01'
$d BETWEEN DATE '2000-01-01' AND DATE '2000-12-31'
EXTRACT(YEAR FROM $d)::int = 2000
$d > DATE '1999-12-31' AND $d < DATE '2001-01-01'

-- where
EXTRACT(MONTH FROM $d) = 2
TO_CHAR($d, 'MM') = '02'
DATE_PART('month', $d) = 2
EXTRACT(MONTH FROM $d) IN (2)
TO_CHAR($d, 'FMMM') = '2'
EXTRACT(QUARTER FROM $d) = 1 AND EXTRACT(MONTH FROM $d) > 1 AND EXTRACT(MONTH FROM $d) < 3
EXTRACT(DAY FROM $d) = 29

-- shown
DATE_TRUNC('month', $d)
DATE_TRUNC('month', $d::timestamp)
DATE_TRUNC('month', $d::date)::timestamp
TO_CHAR($d, 'YYYY-MM-01')
DATE_TRUNC('day', $d)
($d::date - (EXTRACT(DAY FROM $d)::int - 1))::timestamp

-- shown
$d::date
DATE_TRUNC('day', $d)::date
CAST($d AS date)
$d::timestamp::date
TO_CHAR($d, 'YYYY-MM-DD')::date
($d::date + 1) - 1
($d + INTERVAL '1 day')::date - 1
($d + INTERVAL '12 hours')::date

-- where
$d > TIMESTAMP '2000-01-01 00:00:00'
$d::date > DATE '2000-01-01'
$d > DATE '2000-01-01'
$d >= DATE '2000-01-02'
NOT $d <= DATE '2000-01-01'
$d::date >= DATE '2000-01-02'

-- where
$d <= DATE '1999-12-31'
$d < DATE '2000-01-01'
$d::date <= DATE '1999-12-31'
$d::date < DATE '2000-01-01'
NOT $d > DATE '1999-12-31'
EXTRACT(YEAR FROM $d) < 2000

-- where
$d >= DATE '2000-01-31' + INTERVAL '1 month'
$d >= DATE '2000-02-29'
$d - INTERVAL '1 month' >= DATE '2000-01-31'
$d >= DATE '2000-03-01'
$d > DATE '2000-02-28'

-- shown
$d::date - DATE '2000-01-01'
EXTRACT(DAY FROM $d::timestamp - TIMESTAMP '2000-01-01')
$d::date - DATE '1999-12-31' - 1
EXTRACT(DOY FROM $d) - 1
($d::date - DATE '2000-01-01')::numeric

-- shown
EXTRACT(YEAR FROM $d)
DATE_PART('year', $d)
EXTRACT(YEAR FROM $d::date)
TO_CHAR($d, 'YYYY')::int
EXTRACT(YEAR FROM $d)::int
EXTRACT(ISOYEAR FROM $d)

-- query
SELECT DISTINCT $e FROM t
SELECT $e FROM t GROUP BY $e
SELECT $e FROM t UNION SELECT $e FROM t
SELECT $e FROM t
SELECT MAX($e) FROM t GROUP BY $e
SELECT DISTINCT ON (c) c FROM (SELECT $e AS c FROM t) z
SELECT $e FROM t INTERSECT SELECT $e FROM t
SELECT c FROM (SELECT $e AS c, ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) AS n FROM t) z WHERE n = 1

-- query
SELECT DISTINCT ON ($e) $e, t.id FROM t ORDER BY $e, t.id
SELECT $e, MIN(t.id) FROM t GROUP BY $e ORDER BY $e
SELECT c, id FROM (SELECT $e AS c, t.id, ROW_NUMBER() OVER (PARTITION BY $e ORDER BY t.id) AS n FROM t) z WHERE n = 1 ORDER BY c
SELECT DISTINCT ON ($e) $e, t.id FROM t ORDER BY $e, t.id DESC
SELECT $e, t.id FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS z WHERE z.$xn IS NOT DISTINCT FROM $x AND z.id < t.id) ORDER BY $e
SELECT DISTINCT ON ($e) $e, t.id FROM t ORDER BY $e NULLS FIRST, t.id
SELECT $e, MIN(t.id) FROM t GROUP BY $e ORDER BY $e NULLS FIRST

-- query
SELECT t.id, $e FROM t ORDER BY $e, t.id
SELECT t.id, $e FROM t ORDER BY $e NULLS LAST, t.id
SELECT t.id, $e FROM t ORDER BY $e IS NULL, $e, t.id
SELECT t.id, $e FROM t ORDER BY $e NULLS FIRST, t.id
SELECT t.id, $e FROM t ORDER BY $e DESC, t.id
SELECT t.id, $e FROM t ORDER BY 2, 1
SELECT id, c FROM (SELECT t.id, $e AS c FROM t) z ORDER BY c, id

-- query
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e, t.id LIMIT 1
SELECT MIN(t.id) FROM t WHERE $e IS NOT DISTINCT FROM (SELECT MIN($e) FROM t) HAVING COUNT(*) > 0
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e DESC, t.id LIMIT 1
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e NULLS LAST, t.id FETCH FIRST 1 ROW ONLY
SELECT id FROM (SELECT t.id, ROW_NUMBER() OVER (ORDER BY $e, t.id) AS n FROM t WHERE t.id IS NOT NULL) z WHERE n = 1
SELECT t.id FROM t WHERE t.id IS NOT NULL AND $x IS NOT NULL ORDER BY $e, t.id LIMIT 1

-- query
SELECT MAX($e) FROM t
SELECT (SELECT $e FROM t WHERE $x IS NOT NULL ORDER BY $e DESC LIMIT 1)
SELECT (SELECT $e FROM t ORDER BY $e DESC LIMIT 1)
SELECT (SELECT $e FROM t ORDER BY $e DESC NULLS LAST LIMIT 1)
SELECT MAX(c) FROM (SELECT DISTINCT $e AS c FROM t) z
SELECT MAX($e) FILTER (WHERE $x IS NOT NULL) FROM t
SELECT $e FROM t ORDER BY $e DESC NULLS LAST LIMIT 1

-- query
SELECT COUNT($e) FROM t
SELECT COUNT(*) FROM t WHERE $x IS NOT NULL
SELECT COUNT(*) FROM t WHERE $e IS NOT NULL
SELECT COUNT(*) FILTER (WHERE $e IS NOT NULL) FROM t
SELECT COUNT(*) FROM t
SELECT SUM(CASE WHEN $e IS NOT NULL THEN 1 ELSE 0 END) FROM t
SELECT COALESCE(SUM(CASE WHEN $e IS NULL THEN 0 ELSE 1 END), 0) FROM t
SELECT COUNT(DISTINCT $e) FROM t

-- query
SELECT COUNT(*) FILTER (WHERE $p) FROM t
SELECT COUNT(*) FROM t WHERE $p
SELECT COUNT(CASE WHEN $p THEN 1 END) FROM t
SELECT SUM(CASE WHEN $p THEN 1 ELSE 0 END) FROM t
SELECT COALESCE(SUM(($p)::int), 0) FROM t
SELECT COUNT(NULLIF($p, false)) FROM t
SELECT COUNT($p) FROM t
SELECT SUM(($p)::int) FROM t

-- query
SELECT $s, COUNT(*) FILTER (WHERE $p) FROM t GROUP BY $s
SELECT $s, COUNT(*) FROM t WHERE $p GROUP BY $s
SELECT $s, SUM(CASE WHEN $p THEN 1 ELSE 0 END) FROM t GROUP BY $s
SELECT $s, COUNT(CASE WHEN $p THEN 1 END) FROM t GROUP BY $s
SELECT $s, SUM(($p)::int) FROM t GROUP BY $s
SELECT $s, COUNT(*) - COUNT(*) FILTER (WHERE NOT ($p)) FROM t GROUP BY $s
SELECT $s, COUNT(*) - COUNT(*) FILTER (WHERE ($p) IS NOT TRUE) FROM t GROUP BY $s

-- query
SELECT $s, SUM($a) FROM t GROUP BY $s
SELECT $s, SUM($a) FILTER (WHERE $a IS NOT NULL) FROM t GROUP BY $s
SELECT $s, COALESCE(SUM($a), 0) FROM t GROUP BY $s
SELECT $s, SUM(COALESCE($a, 0)) FROM t GROUP BY $s
SELECT $s, SUM($a) FROM t WHERE $a IS NOT NULL GROUP BY $s
SELECT DISTINCT $s, SUM($a) OVER (PARTITION BY $s) FROM t
SELECT $s, AVG($a) * COUNT($a) FROM t GROUP BY $s
SELECT $s, -SUM(-$a) FROM t GROUP BY $s

-- query
SELECT $s, AVG($a) FROM t GROUP BY $s
SELECT $s, SUM($a) / COUNT($a) FROM t GROUP BY $s
SELECT $s, SUM($a)::float8 / NULLIF(COUNT($a), 0) FROM t GROUP BY $s
SELECT $s, SUM($a)::numeric / COUNT(*) FROM t GROUP BY $s
SELECT $s, AVG($a::numeric) FROM t GROUP BY $s
SELECT $s, AVG(COALESCE($a, 0)) FROM t GROUP BY $s
SELECT $s, AVG($a) FROM t WHERE $a IS NOT NULL GROUP BY $s

-- query
SELECT BOOL_AND($p) FROM t
SELECT EVERY($p) FROM t
SELECT NOT BOOL_OR(NOT ($p)) FROM t
SELECT MIN(($p)::int) = 1 FROM t
SELECT COUNT(*) FILTER (WHERE NOT ($p)) = 0 FROM t
SELECT NOT EXISTS (SELECT 1 FROM t WHERE NOT ($p))
SELECT COUNT(*) = COUNT(*) FILTER (WHERE $p) FROM t

-- query
SELECT $s, $r, COUNT(*) FROM t GROUP BY ROLLUP ($s, $r)
SELECT $s, $r, COUNT(*) FROM t GROUP BY GROUPING SETS (($s, $r), ($s), ())
SELECT $s, $r, COUNT(*) FROM t GROUP BY $s, $r UNION ALL SELECT $s, NULL, COUNT(*) FROM t GROUP BY $s UNION ALL SELECT NULL, NULL, COUNT(*) FROM t
SELECT $s, $r, COUNT(*) FROM t GROUP BY CUBE ($s, $r)
SELECT $s, $r, COUNT(*) FROM t GROUP BY $s, $r
SELECT $s, $r, COUNT(*) FROM t GROUP BY $s, ROLLUP ($r)
SELECT $s, $r, COUNT(*) FROM t GROUP BY GROUPING SETS (($s, $r), ($s)) UNION ALL SELECT NULL, NULL, COUNT(*) FROM t

-- query
SELECT $s, GROUPING($s), COUNT(*) FROM t GROUP BY ROLLUP ($s)
SELECT $s, CASE WHEN GROUPING($s) = 1 THEN 1 ELSE 0 END, COUNT(*) FROM t GROUP BY ROLLUP ($s)
SELECT $s, 0, COUNT(*) FROM t GROUP BY $s UNION ALL SELECT NULL, 1, COUNT(*) FROM t
SELECT $s, CASE WHEN $s IS NULL THEN 1 ELSE 0 END, COUNT(*) FROM t GROUP BY ROLLUP ($s)
SELECT $s, 0, COUNT(*) FROM t GROUP BY $s UNION SELECT NULL, 1, COUNT(*) FROM t

-- query
SELECT $e FROM t EXCEPT SELECT $g FROM u
SELECT DISTINCT $e FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE $g IS NOT DISTINCT FROM $e)
SELECT DISTINCT $e FROM t WHERE $e NOT IN (SELECT $g FROM u)
SELECT DISTINCT $e FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE $g = $e)
SELECT $e FROM t WHERE $p OR NOT ($p) EXCEPT SELECT $g FROM u
SELECT $e FROM t EXCEPT ALL SELECT $g FROM u

-- query
SELECT $e FROM t INTERSECT SELECT $g FROM u
SELECT $g FROM u INTERSECT SELECT $e FROM t
SELECT DISTINCT $e FROM t WHERE $e IN (SELECT $g FROM u)
SELECT DISTINCT $e FROM t WHERE EXISTS (SELECT 1 FROM u WHERE $g IS NOT DISTINCT FROM $e)
SELECT DISTINCT $e FROM t JOIN u ON $g = $e
SELECT $e FROM t INTERSECT ALL SELECT $g FROM u

-- query
SELECT $e FROM t UNION SELECT $g FROM u
SELECT DISTINCT c FROM (SELECT $e AS c FROM t UNION ALL SELECT $g FROM u) z
SELECT $g FROM u UNION SELECT $e FROM t
SELECT $e FROM t UNION ALL SELECT $g FROM u
SELECT c FROM (SELECT $e AS c FROM t UNION ALL SELECT $g FROM u) z GROUP BY c
SELECT DISTINCT COALESCE($e, $g) FROM t FULL JOIN u ON $e = $g

-- query
SELECT t.id, u.id FROM t JOIN u ON $e = $g
SELECT t.id, u.id FROM u JOIN t ON $g = $e
SELECT t.id, u.id FROM t, u WHERE $e = $g
SELECT t.id, z.id FROM t CROSS JOIN LATERAL (SELECT u.id FROM u WHERE $g = $e) z
SELECT t.id, z.id FROM t JOIN LATERAL (SELECT u.id FROM u WHERE $g = $e) z ON true
SELECT t.id, u.id FROM t LEFT JOIN u ON $e = $g WHERE $g IS NOT NULL
SELECT t.id, u.id FROM t LEFT JOIN u ON $e = $g
SELECT t.id, u.id FROM t JOIN u ON $e IS NOT DISTINCT FROM $g
SELECT t.id, u.id FROM t JOIN u ON ($e = $g) IS TRUE

-- query
SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.pid AND $q
SELECT t.id, z.id FROM t LEFT JOIN (SELECT * FROM u WHERE $q) z ON t.id = z.pid
SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.pid WHERE $q
SELECT t.id, z.id FROM t LEFT JOIN LATERAL (SELECT u.id FROM u WHERE t.id = u.pid AND $q) z ON true
SELECT t.id, u.id FROM u RIGHT JOIN t ON u.pid = t.id AND $q
SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.pid WHERE $q OR u.id IS NULL
SELECT t.id, u.id FROM t JOIN u ON t.id = u.pid AND $q

-- query
SELECT u.id, $g FROM u JOIN t ON t.id = u.pid
SELECT u.id, $g FROM u WHERE u.pid IS NOT NULL
SELECT u.id, $g FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.id = u.pid)
SELECT u.id, $g FROM u WHERE u.pid IN (SELECT t.id FROM t)
SELECT u.id, $g FROM u
SELECT u.id, $g FROM u LEFT JOIN t ON t.id = u.pid
SELECT u.id, $g FROM u LEFT JOIN t ON t.id = u.pid WHERE t.id IS NOT NULL

-- query
SELECT t.id FROM t LEFT JOIN u ON $e = $g WHERE u.id IS NULL
SELECT t.id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE $e = $g)
SELECT t.id FROM t WHERE $e NOT IN (SELECT $g FROM u)
SELECT t.id FROM t LEFT JOIN u ON $e = $g WHERE $v IS NULL
SELECT t.id FROM t EXCEPT SELECT t.id FROM t JOIN u ON $e = $g
SELECT t.id FROM t WHERE (SELECT COUNT(*) FROM u WHERE $e = $g) = 0

-- query
SELECT COUNT(*) FROM t FULL JOIN u ON $e = $g
SELECT COUNT(*) FROM u FULL JOIN t ON $e = $g
SELECT (SELECT COUNT(*) FROM t LEFT JOIN u ON $e = $g) + (SELECT COUNT(*) FROM u WHERE NOT EXISTS (SELECT 1 FROM t WHERE $e = $g))
SELECT COUNT(*) FROM t LEFT JOIN u ON $e = $g
SELECT COUNT(COALESCE(t.id, u.id)) FROM t FULL JOIN u ON $e = $g

-- query
SELECT t.id, (SELECT COUNT(*) FROM u WHERE u.pid = t.id AND $q) FROM t
SELECT t.id, COUNT(u.id) FROM t LEFT JOIN u ON u.pid = t.id AND $q GROUP BY t.id
SELECT t.id, COUNT(*) FROM t LEFT JOIN u ON u.pid = t.id AND $q GROUP BY t.id
SELECT t.id, COALESCE(z.n, 0) FROM t LEFT JOIN (SELECT u.pid, COUNT(*) AS n FROM u WHERE $q GROUP BY u.pid) z ON z.pid = t.id
SELECT t.id, z.n FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.pid = t.id AND $q) z
SELECT t.id, z.n FROM t LEFT JOIN (SELECT u.pid, COUNT(*) AS n FROM u WHERE $q GROUP BY u.pid) z ON z.pid = t.id

-- query
SELECT t.id, (SELECT MAX($g) FROM u WHERE u.pid = t.id) FROM t
SELECT t.id, MAX($g) FROM t LEFT JOIN u ON u.pid = t.id GROUP BY t.id
SELECT t.id, (SELECT $g FROM u WHERE u.pid = t.id AND $v IS NOT NULL ORDER BY $g DESC LIMIT 1) FROM t
SELECT t.id, (SELECT $g FROM u WHERE u.pid = t.id ORDER BY $g DESC LIMIT 1) FROM t
SELECT t.id, z.m FROM t LEFT JOIN (SELECT u.pid, MAX($g) AS m FROM u GROUP BY u.pid) z ON z.pid = t.id
SELECT t.id, z.m FROM t CROSS JOIN LATERAL (SELECT MAX($g) AS m FROM u WHERE u.pid = t.id) z
SELECT t.id, z.m FROM t LEFT JOIN LATERAL (SELECT $g AS m FROM u WHERE u.pid = t.id ORDER BY $g DESC NULLS LAST LIMIT 1) z ON true

-- shown
RANK() OVER (ORDER BY $e)
1 + (SELECT COUNT(*) FROM t AS z WHERE z.$xn < $x)
DENSE_RANK() OVER (ORDER BY $e)
RANK() OVER (ORDER BY $e NULLS FIRST)
RANK() OVER (ORDER BY $e NULLS LAST)
1 + COUNT(*) OVER (ORDER BY $e) - COUNT(*) OVER (PARTITION BY $e)
RANK() OVER (ORDER BY $e IS NULL, $e)

-- query
SELECT t.id, COUNT(*) OVER (PARTITION BY $e) FROM t
SELECT t.id, (SELECT COUNT(*) FROM t AS z WHERE z.$xn IS NOT DISTINCT FROM $x) FROM t
SELECT t.id, (SELECT COUNT(*) FROM t AS z WHERE z.$xn = $x) FROM t
SELECT t.id, z.n FROM t JOIN (SELECT $e AS c, COUNT(*) AS n FROM t GROUP BY $e) z ON z.c IS NOT DISTINCT FROM $e
SELECT t.id, z.n FROM t JOIN (SELECT $e AS c, COUNT(*) AS n FROM t GROUP BY $e) z ON z.c = $e
SELECT t.id, SUM(1) OVER (PARTITION BY $e) FROM t

-- shown
SUM($a) OVER (ORDER BY t.id ROWS UNBOUNDED PRECEDING)
SUM($a) OVER (ORDER BY t.id)
(SELECT SUM(z.$an) FROM t AS z WHERE z.id <= t.id)
SUM($a) OVER (ORDER BY t.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
SUM($a) OVER (ORDER BY t.id DESC)
SUM($a) OVER ()

-- shown
LAG($e) OVER (ORDER BY t.id)
LAG($e, 1) OVER (ORDER BY t.id)
LEAD($e) OVER (ORDER BY t.id DESC)
(SELECT z.$xn FROM t AS z WHERE z.id < t.id ORDER BY z.id DESC LIMIT 1)
MAX($e) OVER (ORDER BY t.id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING)
FIRST_VALUE($e) OVER (ORDER BY t.id ROWS 1 PRECEDING)

-- query
SELECT $s FROM t GROUP BY $s HAVING MAX($e) = $l
SELECT $s FROM t GROUP BY $s HAVING BOOL_OR($e = $l) AND NOT BOOL_OR($e > $l)
SELECT z.c FROM (SELECT $s AS c, MAX($e) AS m FROM t GROUP BY $s) z WHERE z.m = $l
SELECT $s FROM t WHERE $e = $l GROUP BY $s
SELECT $s FROM t GROUP BY $s HAVING BOOL_OR($e = $l) AND BOOL_AND($e <= $l)

-- query
SELECT $s FROM t GROUP BY $s HAVING COUNT(DISTINCT $e) = 1
SELECT $s FROM t GROUP BY $s HAVING MIN($e) = MAX($e)
SELECT $s FROM t GROUP BY $s HAVING COUNT(DISTINCT $e) = COUNT(*)
SELECT z.c FROM (SELECT DISTINCT $s AS c, $e AS m FROM t WHERE $x IS NOT NULL) z GROUP BY z.c HAVING COUNT(*) = 1
SELECT $s FROM t WHERE $x IS NOT NULL GROUP BY $s HAVING MIN($e) IS NOT DISTINCT FROM MAX($e)

-- query
SELECT t.id FROM t WHERE $e = (SELECT MAX($e2) FROM t AS z)
SELECT t.id FROM t WHERE $x IS NOT NULL AND NOT EXISTS (SELECT 1 FROM t AS z WHERE $e2 > $e)
SELECT t.id FROM t WHERE $e >= ALL (SELECT $e2 FROM t AS z)
SELECT t.id FROM t WHERE $e >= ALL (SELECT $e2 FROM t AS z WHERE z.$xn IS NOT NULL)
SELECT id FROM (SELECT t.id, RANK() OVER (ORDER BY $e DESC NULLS LAST) AS n FROM t WHERE $x IS NOT NULL) z WHERE n = 1
SELECT id FROM (SELECT t.id, RANK() OVER (ORDER BY $e DESC) AS n FROM t) z WHERE n = 1
SELECT t.id FROM t WHERE t.id IS NOT NULL ORDER BY $e DESC NULLS LAST FETCH FIRST 1 ROW WITH TIES

-- query
WITH z AS (SELECT $e AS c, t.id FROM t WHERE $p) SELECT z.c, y.id FROM z JOIN z AS y ON y.id = z.id
SELECT $e, t.id FROM t WHERE $p AND t.id IS NOT NULL
SELECT $e, t.id FROM t WHERE $p
WITH z AS MATERIALIZED (SELECT $e AS c, t.id FROM t) SELECT c, t.id FROM z JOIN t USING (id) WHERE $p
SELECT z.c, t.id FROM t JOIN (SELECT $e AS c, t.id FROM t) z USING (id) WHERE $p

-- query
SELECT (SELECT $g FROM u WHERE u.id = t.id) FROM t
SELECT $g FROM t LEFT JOIN u ON u.id = t.id
SELECT $g FROM t JOIN u ON u.id = t.id
SELECT (SELECT MAX($g) FROM u WHERE u.id = t.id) FROM t
SELECT z.c FROM t LEFT JOIN LATERAL (SELECT $g AS c FROM u WHERE u.id = t.id) z ON true

-- query
SELECT t.id FROM t WHERE (SELECT COUNT(*) FROM u WHERE $g = $e) >= 1
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE $g = $e)
SELECT DISTINCT t.id FROM t JOIN u ON $g = $e
SELECT t.id FROM t JOIN (SELECT DISTINCT $g AS c FROM u) z ON z.c = $e
SELECT t.id FROM t JOIN u ON $g = $e GROUP BY t.id
SELECT t.id FROM t JOIN u ON $g = $e

-- query
SELECT SUM(DISTINCT $a) FROM t
SELECT SUM(c) FROM (SELECT DISTINCT $a AS c FROM t) z
SELECT SUM($a) FROM t
SELECT SUM(c) FROM (SELECT $a AS c FROM t GROUP BY $a) z
SELECT SUM(c) FROM (SELECT DISTINCT $a::numeric(8,1) AS c FROM t) z

-- query
SELECT $e, $s FROM t WHERE $p UNION ALL SELECT $e, $s FROM t WHERE NOT ($p)
SELECT $e, $s FROM t
SELECT $e, $s FROM t WHERE ($p) IS NOT NULL
SELECT $e, $s FROM t WHERE $p OR NOT ($p)
SELECT $e, $s FROM t WHERE $p UNION ALL SELECT $e, $s FROM t WHERE ($p) IS NOT TRUE
SELECT $e, $s FROM t WHERE $p UNION SELECT $e, $s FROM t WHERE ($p) IS NOT TRUE

-- query
SELECT ROW_NUMBER() OVER (ORDER BY $e, t.id) AS place, $s FROM t ORDER BY place
SELECT RANK() OVER (ORDER BY $e, t.id) AS place, $s FROM t ORDER BY place
SELECT ROW_NUMBER() OVER (ORDER BY $e DESC, t.id) AS place, $s FROM t ORDER BY place
SELECT ROW_NUMBER() OVER (ORDER BY $e) AS place, $s FROM t ORDER BY place
SELECT ROW_NUMBER() OVER (ORDER BY $e, t.id) AS place, $s FROM t ORDER BY $e, t.id
SELECT DENSE_RANK() OVER (ORDER BY $e) AS place, $s FROM t ORDER BY place

-- query
WITH z AS (SELECT $e AS k, COUNT(*) AS n FROM t GROUP BY $e) SELECT a.n, b.n FROM z a JOIN z b ON a.k = b.k
WITH z AS (SELECT $e AS k, COUNT(*) AS n FROM t GROUP BY $e) SELECT a.n, a.n FROM z a
WITH z AS (SELECT $e AS k, COUNT(*) AS n FROM t GROUP BY $e) SELECT a.n, a.n FROM z a WHERE a.k IS NOT NULL
WITH z AS (SELECT $e AS k, COUNT(*) AS n FROM t GROUP BY $e) SELECT a.n, b.n FROM z a JOIN z b ON a.k IS NOT DISTINCT FROM b.k
WITH z AS (SELECT $e AS k, COUNT(*) AS n FROM t GROUP BY $e) SELECT a.n, b.n FROM z a, z b
