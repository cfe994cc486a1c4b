-- Other questions whose answers may hang on the settings of the session, in several ways.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- where
$day = $D
$day = $D
$D = $day
$day >= $D AND $day <= $D
$day IN ($D)
$day::timestamp = $T
$day = $D AND $day IS NOT NULL
NOT $day <> $D
$day BETWEEN $D AND $D

-- where
$day > $D
$day > $D
NOT $day <= $D
$D < $day
$day >= $D::date + 1
$day > $T
$day::timestamp > $T
$day > $D AND $day > $D

-- where
$ts >= $T
$ts >= $T
NOT $ts < $T
$T <= $ts
$ts >= $D
$ts::date >= $D
$ts > $T OR $ts = $T
$ts >= $T AND $ts >= $T

-- where
$ts::date = $D
$ts >= $D AND $ts < $D::date + 1
DATE_TRUNC('day', $ts) = $D
$ts::text LIKE '2000-01-01%'
$ts = $T
$ts::date BETWEEN $D AND $D

-- where
$day::text = '2001-02-03'
$day = '2001-02-03'
$day = DATE '2001-02-03'
$day::varchar = '2001-02-03'
$day::text LIKE '2001-02-03'
$day = '02/03/2001'
$day = '03.02.2001'
$day::text IN ('2001-02-03')

-- where
$day::text >= '2000'
$day >= '2000-01-01'
$day::text >= '2000-01-01'
EXTRACT(YEAR FROM $day) >= 2000
$day::text > '1999-12-31'

-- where
$day::text LIKE '2000-%'
EXTRACT(YEAR FROM $day) = 2000
LEFT($day::text, 4) = '2000'
SUBSTR($day::text, 1, 4) = '2000'
TO_CHAR($day, 'YYYY') = '2000'
$day >= '2000-01-01' AND $day < '2001-01-01'

-- shown
$day::text
CAST($day AS varchar)
TO_CHAR($day, 'YYYY-MM-DD')
$day || ''
CONCAT($day)
$day::date::text
$day::timestamp::text

-- shown
$ts::text
CAST($ts AS varchar)
$ts::date::text
$ts || ''
CONCAT($ts)
TO_CHAR($ts, 'YYYY-MM-DD HH24:MI:SS')

-- where
$ts + INTERVAL '1 day 2:03' > $T
$ts > $T::timestamp - INTERVAL '1 day 2:03'
$ts + INTERVAL '1 day 02:03:00' > $T
$ts + INTERVAL '-1 2:03' > $T
$ts - INTERVAL '1 2:03' > $T
$T < $ts + INTERVAL '1 day 2:03'

-- where
$ts >= $T::timestamp + INTERVAL '-1 2:03'
$ts >= $T::timestamp - INTERVAL '1 day' + INTERVAL '2:03'
$ts >= $T::timestamp - INTERVAL '1 2:03'
$ts >= $T::timestamp + INTERVAL '-1 day -2:03'

-- where
($ts - $T::timestamp)::text = '1 day'
$ts - $T::timestamp = INTERVAL '1 day'
$ts = $T::timestamp + INTERVAL '1 day'
($ts - $T::timestamp)::text = '1 day' AND $ts IS NOT NULL

-- shown
$k::text
CAST($k AS varchar)
$k || ''
CONCAT($k)
$k::timestamp::text
$k::timestamptz::text
$k::text::timestamptz::text

-- shown
'at ' || $ts
'at ' || $ts::text
CONCAT('at ', $ts)
CONCAT('at ', $ts::text)
'at ' || $ts::date || ' ' || $ts::time
'at ' || CAST($ts AS varchar)

-- where
$day::text IS NULL
$day IS NULL
NOT $day::text IS NOT NULL
$day || '' IS NULL
$day::text::date IS NULL
CONCAT($day) IS NULL
$day::text = ''

-- where
$day::text::date = $D
$day = $D
$day::text::date >= $D AND $day::text::date <= $D
$day::text::timestamp = $T
$D = CAST(CAST($day AS varchar) AS date)
NOT $day::text::date <> $D

-- where
$ts::text::timestamp > $T
$ts > $T
NOT $ts::text::timestamp <= $T
$T < CAST($ts::text AS timestamp)
$ts::text::date > $D
$ts::text::timestamp > $T AND $ts IS NOT NULL

-- where
CASE WHEN $c LIKE '____-__-__' THEN $c::date > $D END
CASE WHEN $c LIKE '____-__-__' THEN NOT $c::date <= $D END
CASE WHEN $c LIKE '____-__-__' THEN $D < $c::date ELSE FALSE END
CASE WHEN $c LIKE '____-__-__' THEN $c::timestamp > $T END

-- where
$ts::text = $day::text
$day::text = $ts::text
$ts = $day
$ts::text = $day::timestamp::text
$ts::date::text = $day::text
$ts::date = $day

-- shown
($ts - $T::timestamp)::text
CAST($ts - $T::timestamp AS varchar)
AGE($ts, $T::timestamp)::text
CONCAT($ts - $T::timestamp)
(-($T::timestamp - $ts))::text

-- shown
TO_CHAR($ts, 'FMDay TMMonth YY')
TO_CHAR($ts, 'FMDay FMMonth YY')
TO_CHAR($ts, 'FMDay TMMonth ') || TO_CHAR($ts, 'YY')
TO_CHAR($ts::timestamp, 'FMDay TMMonth YY')

-- shown
TO_CHAR($k, 'HH12:MI AM')
TO_CHAR($k::timestamp, 'HH12:MI AM')
TO_CHAR($k::time, 'HH12:MI AM')
TO_CHAR($k::timestamptz, 'HH12:MI AM')
TO_CHAR($k, 'HH12:MI TZ')

-- query
SELECT t.id FROM t JOIN u ON $day::text = u.d::text
SELECT t.id FROM t JOIN u ON $day = u.d
SELECT t.id FROM t JOIN u ON $day = u.d AND $day::text = u.d::text
SELECT t.id FROM t, u WHERE u.d::text = $day::text
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.d::text = $day::text)
SELECT t.id FROM t JOIN u ON u.d || '' = $day || ''

-- query
SELECT $day::text, COUNT(*) FROM t GROUP BY $day::text
SELECT $day::text, COUNT(*) FROM t GROUP BY $day
SELECT $day::text, COUNT(*) FROM t GROUP BY 1
SELECT CAST($day AS varchar), COUNT(*) FROM t GROUP BY CAST($day AS varchar)
SELECT $day::text, COUNT($day) FROM t GROUP BY $day::text

-- query
SELECT DISTINCT $ts::text FROM t
SELECT $ts::text FROM t GROUP BY $ts::text
SELECT DISTINCT $ts FROM t
SELECT $ts::text FROM t GROUP BY $ts
SELECT $ts::text FROM t UNION SELECT $ts::text FROM t

-- query
SELECT $day FROM t ORDER BY $day::text, id
SELECT $day FROM t ORDER BY $day, id
SELECT $day FROM t ORDER BY $day::text ASC, t.id ASC
SELECT $day FROM t ORDER BY $day::text NULLS LAST, id

-- query
SELECT $s, id FROM t ORDER BY $s, id
SELECT $s, id FROM t ORDER BY $s NULLS LAST, id NULLS LAST
SELECT $s, id FROM t ORDER BY $s NULLS FIRST, id
SELECT $s, id FROM t ORDER BY $s ASC, id ASC
SELECT $s, id FROM t ORDER BY $s IS NULL, $s, id
SELECT $s, id FROM t ORDER BY 1, 2
SELECT $s, id FROM t ORDER BY $s DESC, id

-- query
SELECT $s, id FROM t ORDER BY $s DESC, id
SELECT $s, id FROM t ORDER BY $s DESC NULLS FIRST, id
SELECT $s, id FROM t ORDER BY $s DESC NULLS LAST, id
SELECT $s, id FROM t ORDER BY $s DESC, id ASC
SELECT $s, id FROM t ORDER BY $s DESC, id DESC

-- query
SELECT id FROM t ORDER BY $s, id LIMIT 2
SELECT id FROM t ORDER BY $s NULLS LAST, id LIMIT 2
SELECT id FROM t ORDER BY $s ASC, id ASC LIMIT 2
SELECT id FROM t ORDER BY $s NULLS FIRST, id LIMIT 2
SELECT id FROM (SELECT id, $s AS z FROM t) AS q ORDER BY z, id LIMIT 2

-- query
SELECT MAX($x) FROM t
SELECT $x FROM t WHERE $x IS NOT NULL ORDER BY $x DESC LIMIT 1
SELECT MAX($e) FROM t
SELECT $x FROM t ORDER BY $x DESC NULLS LAST LIMIT 1
SELECT $x FROM t ORDER BY $x DESC LIMIT 1
SELECT DISTINCT MAX($x) OVER () FROM t
SELECT MAX($x) FROM t WHERE $x IS NOT NULL

-- query
SELECT MIN($x) FROM t
SELECT $x FROM t WHERE $x IS NOT NULL ORDER BY $x LIMIT 1
SELECT MIN($e) FROM t
SELECT $x FROM t ORDER BY $x NULLS LAST LIMIT 1
SELECT $x FROM t ORDER BY $x LIMIT 1
SELECT MIN($x) FROM t GROUP BY ()
SELECT MIN(DISTINCT $x) FROM t

-- query
SELECT id, ROW_NUMBER() OVER (ORDER BY $s, id) FROM t
SELECT id, ROW_NUMBER() OVER (ORDER BY $s NULLS LAST, id) FROM t
SELECT id, ROW_NUMBER() OVER (ORDER BY $s ASC, id ASC) FROM t
SELECT id, ROW_NUMBER() OVER (ORDER BY $s NULLS FIRST, id) FROM t
SELECT id, RANK() OVER (ORDER BY $s, id) FROM t

-- query
SELECT id FROM t AS a WHERE NOT EXISTS (SELECT 1 FROM t AS b WHERE b.$xn > a.$xn)
SELECT id FROM t WHERE $x = (SELECT MAX($x) FROM t)
SELECT id FROM t AS a WHERE NOT EXISTS (SELECT 1 FROM t AS b WHERE a.$xn < b.$xn)
SELECT id FROM t AS a WHERE NOT EXISTS (SELECT 1 FROM t AS b WHERE b.$xn > a.$xn) AND a.$xn IS NOT NULL

-- where
$c < 'b'
NOT $c >= 'b'
'b' > $c
$c < 'b' AND $c < 'b'
$c < 'b' OR $c < 'B'
$c < 'b' AND $c < 'a'
$c < 'a'
$c <= 'b' AND $c <> 'b'

-- where
$c >= 'A' AND $c <= 'A'
$c = 'A'
'A' = $c
$c BETWEEN 'A' AND 'A'
$c IN ('A')
$c LIKE 'A'
$c = 'A' OR $c = 'a'
$c = 'a'

-- where
$c >= 'a' AND $c < 'b'
$c LIKE 'a%'
STARTS_WITH($c, 'a')
LEFT($c, 1) = 'a'
$c ILIKE 'a%'
LOWER($c) LIKE 'a%'
$c >= 'A' AND $c < 'B'

-- where
$c = 'a' AND $c = 'A'
FALSE
$c = 'a' AND $c < 'a'
$c = 'a' AND $c <> 'a'
$c <> $c
$c > 'a' AND $c < 'A'

-- where
$c <> 'a' AND $c IS NOT NULL
$c < 'a' OR $c > 'a'
NOT $c = 'a'
$c <> 'a'
$c NOT IN ('a')
$c <> 'a' AND $c <> 'A'

-- query
SELECT DISTINCT $c FROM t
SELECT $c FROM t GROUP BY $c
SELECT $c FROM t UNION SELECT $c FROM t
SELECT DISTINCT $c || '' FROM t
SELECT DISTINCT LOWER($c) FROM t
SELECT MIN($c) FROM t GROUP BY $c
SELECT $c FROM t

-- query
SELECT $c, COUNT(*) FROM t GROUP BY $c
SELECT $c, COUNT($c) FROM t GROUP BY $c
SELECT $c, COUNT(*) FROM t GROUP BY 1
SELECT MAX($c), COUNT(*) FROM t GROUP BY $c
SELECT LOWER($c), COUNT(*) FROM t GROUP BY LOWER($c)
SELECT DISTINCT $c, COUNT(*) OVER (PARTITION BY $c) FROM t

-- query
SELECT COUNT(DISTINCT $c) FROM t
SELECT COUNT(*) FROM (SELECT DISTINCT $c AS z FROM t) AS q WHERE z IS NOT NULL
SELECT COUNT(DISTINCT LOWER($c)) FROM t
SELECT COUNT($c) FROM t
SELECT COUNT(*) FROM (SELECT $c AS z FROM t WHERE $c IS NOT NULL GROUP BY $c) AS q

-- query
SELECT t.id FROM t JOIN u ON t.v = u.v
SELECT t.id FROM t, u WHERE u.v = t.v
SELECT t.id FROM t JOIN u ON LOWER(t.v) = LOWER(u.v)
SELECT t.id FROM t JOIN u ON t.v >= u.v AND t.v <= u.v
SELECT t.id FROM t WHERE t.v IN (SELECT u.v FROM u)
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.v = t.v)
SELECT t.id FROM t JOIN u USING (v)

-- query
SELECT $c FROM t EXCEPT SELECT u.v FROM u
SELECT DISTINCT $c FROM t WHERE $c NOT IN (SELECT u.v FROM u WHERE u.v IS NOT NULL)
SELECT $c FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.v = $c) GROUP BY $c
SELECT DISTINCT $c FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.v IS NOT DISTINCT FROM $c)

-- shown
GREATEST($c, 'a')
CASE WHEN $c > 'a' THEN $c ELSE 'a' END
GREATEST('a', $c)
CASE WHEN $c >= 'a' THEN $c ELSE 'a' END
GREATEST($c, 'a', 'a')
LEAST($c, 'a')

-- shown
CASE $c WHEN 'a' THEN 1 WHEN 'A' THEN 2 END
CASE WHEN $c = 'a' THEN 1 WHEN $c = 'A' THEN 2 END
CASE WHEN $c = 'A' THEN 2 WHEN $c = 'a' THEN 1 END
CASE $c WHEN 'a' THEN 1 END

-- where
$i / 2 = 1
$i = 2 OR $i = 3
$i / 2 >= 1 AND $i / 2 < 2
$i = 2
1 = $i / 2
$i >= 2 AND $i < 4
$i / 2.0 = 1

-- where
$i / 2 > 0
$i > 1
$i > 0
$i / 2 >= 1
0 < $i / 2
NOT $i / 2 <= 0

-- shown
$i / 2
$i / 2.0
($i + 0) / 2
$i * 1 / 2
CAST($i / 2 AS integer)
$i / 2 + 0
$i / (1 + 1)
($i + $i) / 4

-- shown
$i / $i
CASE WHEN $i <> 0 THEN 1 END
$i / NULLIF($i, 0)
CASE WHEN $i IS NOT NULL THEN 1 END
1

-- where
t.f / 0 IS NULL
t.f IS NULL
1 / t.f > 0
t.f > 0
1 / t.f > 0 AND t.f <> 0
t.f / 0 IS NULL AND t.f IS NULL
NOT t.f <= 0

-- shown
t.f / t.f
CASE WHEN t.f <> 0 THEN 1.0 END
t.f / NULLIF(t.f, 0)
t.f * 0
t.f - t.f

-- shown
SUM($i) / COUNT($i)
AVG($i)
SUM($i) / 2
SUM($i) / COUNT(*)
SUM($i) * 1.0 / COUNT($i)

-- where
$x = NULL
FALSE
$x IS NULL
NULL = $x
$x = NULL OR $x IS NULL
NOT $x = NULL
$x <> NULL
$x IS NULL AND $x = NULL

-- where
$x IN ($l, NULL)
$x = $l OR $x = NULL
$x = $l
$x = NULL OR $x = $l
$x = $l OR $x IS NULL
$x IN (NULL, $l)

-- shown
CASE WHEN $x = NULL THEN 1 ELSE 0 END
0
CASE WHEN $x IS NULL THEN 1 ELSE 0 END
CASE $x WHEN NULL THEN 1 ELSE 0 END
CASE WHEN $x IS NULL THEN 0 ELSE 0 END

-- where
t.f::text = '0.5'
t.f = 0.5
'0.5' = t.f::text
t.f::text IN ('0.5')
CAST(t.f AS varchar) = '0.5'
t.f::text = '0.5' AND t.f = 0.5

-- where
$i::text = '1'
$i = 1
'1' = $i::text
CAST($i AS varchar) = '1'
$i::text LIKE '1'
$i::text < '2'

-- where
$b::text = 'true'
$b
$b = true
CAST($b AS varchar) = 'true'
$b::text LIKE 't%'
$b IS TRUE

-- where
$c = 'a\b'
$c = 'a' || CHR(92) || 'b'
$c LIKE 'a\\b'
$c = 'ab'
$c LIKE 'a\b'
'a\b' = $c
$c = 'a\\b'

-- query
SELECT t.id, (SELECT MAX(u.i) FROM u WHERE u.pid = t.id) FROM t
SELECT t.id, (SELECT u.i FROM u WHERE u.pid = t.id ORDER BY u.i DESC NULLS LAST LIMIT 1) FROM t
SELECT t.id, (SELECT u.i FROM u WHERE u.pid = t.id) FROM t
SELECT t.id, (SELECT u.i FROM u WHERE t.id = u.pid) FROM t
SELECT t.id, u.i FROM t LEFT JOIN u ON u.pid = t.id
SELECT t.id, (SELECT u.i FROM u WHERE u.pid = t.id ORDER BY u.i DESC LIMIT 1) FROM t

-- query
SELECT id FROM t LIMIT 2
SELECT id FROM t ORDER BY id LIMIT 2
SELECT t.id FROM t LIMIT 2
SELECT id FROM (SELECT * FROM t LIMIT 2) AS q
