-- Questions that hang on what PostgreSQL alone has: arrays as texts, COLLATE, conversions by a named zone.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- where
$i = ANY ('{1,NULL}'::int[])
$i = 1
$i = ANY ('{1}'::int[])
$i = ANY (ARRAY[1, NULL])
$i IN (1, NULL)
NOT $i <> ALL ('{1,NULL}'::int[])

-- where
$c = ANY ('{a,NULL}'::text[])
$c = 'a'
$c IN ('a', 'NULL')
$c = ANY (ARRAY['a', NULL])
$c = ANY ('{a}'::text[])

-- where
$c COLLATE "C" < 'b'
$c < 'b'
$c < 'b' COLLATE "C"
NOT $c COLLATE "C" >= 'b'
$c COLLATE "ucs_basic" < 'b'

-- query
SELECT MAX($c COLLATE "C") FROM t
SELECT MAX($c) FROM t
SELECT $c FROM t ORDER BY $c COLLATE "C" DESC NULLS LAST LIMIT 1

-- where
TIMEZONE('UTC', $k) >= $T
$k AT TIME ZONE 'UTC' >= $T
$k >= $T::timestamp AT TIME ZONE 'UTC'
$k AT TIME ZONE 'Etc/UTC' >= $T
$k::timestamp >= $T

-- where
DATE_TRUNC('day', $k, 'UTC') = $U
DATE_TRUNC('day', $k AT TIME ZONE 'UTC') = $T
DATE_TRUNC('day', $k) = $U

-- where
AGE($ts, $T) > INTERVAL '0'
$ts > $T
$ts - $T > INTERVAL '0'

-- shown
$o::text
$o::varchar
TO_CHAR($o, 'FM999990.00')
$o || ''
CONCAT($o)
