-- Questions that hang on what DuckDB alone has: collations by COLLATE, //, ORDER BY ALL, calendars.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- where
$c COLLATE NOCASE = 'a'
$c = 'a'
LOWER($c) = 'a'
$c = 'a' COLLATE NOCASE
$c COLLATE NOCASE = 'A'
$c ILIKE 'a'

-- where
$i // 2 = 1
$i / 2 = 1
$i // 2 = 1 AND $i > 0
1 = $i // 2
$i = 2 OR $i = 3
FLOOR($i / 2) = 1

-- query
SELECT LIST($x ORDER BY $x, id) FROM t
SELECT LIST($x ORDER BY $x NULLS LAST, id) FROM t
SELECT LIST($x ORDER BY $x ASC, id ASC) FROM t
SELECT STRING_AGG($x::VARCHAR, ',' ORDER BY $x, id) FROM t
SELECT STRING_AGG($x::VARCHAR, ',' ORDER BY $x ASC NULLS LAST, id ASC) FROM t

-- query
SELECT $s, id FROM t ORDER BY ALL
SELECT $s, id FROM t ORDER BY $s, id
SELECT $s, id FROM t ORDER BY ALL ASC NULLS LAST
SELECT $s, id FROM t ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST

-- query
SELECT DISTINCT ON ($x) $x, id FROM t ORDER BY $x, id
SELECT DISTINCT ON ($x) $x, id FROM t ORDER BY $x NULLS LAST, id
SELECT $x, MIN(id) FROM t GROUP BY $x ORDER BY $x
SELECT DISTINCT ON ($x) $x, id FROM t ORDER BY $x ASC, id ASC

-- query
SELECT ARG_MIN(id, $x) FROM t
SELECT id FROM t WHERE $x IS NOT NULL ORDER BY $x LIMIT 1
SELECT id FROM t ORDER BY $x LIMIT 1
SELECT ARG_MIN(id, $x) FROM t WHERE $x IS NOT NULL

-- where
$c ~ 'a'
REGEXP_MATCHES($c, 'a')
REGEXP_FULL_MATCH($c, 'a')
$c LIKE '%a%'
$c = 'a'

-- shown
YEAR($k)
EXTRACT(YEAR FROM $k)
DATE_PART('year', $k)
YEAR($k::DATE)
YEAR($k AT TIME ZONE 'UTC')

-- shown
DATE_DIFF('day', $k, $k2)
DATE_DIFF('day', $k::DATE, $k2::DATE)
$k2::DATE - $k::DATE
DATE_SUB('day', $k, $k2)

-- shown
STRFTIME($k, '%Y-%m-%d')
$k::DATE::VARCHAR
STRFTIME($k::TIMESTAMP, '%Y-%m-%d')
STRFTIME($k::DATE, '%Y-%m-%d')
