-- Questions on timestamps with a time zone, whose answers may hang on the settings of the session, in several ways.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- where
$k >= $U
$k >= $U
NOT $k < $U
$U <= $k
$k >= $T
$k::timestamp >= $T
$k AT TIME ZONE 'UTC' >= $T
$k > $U OR $k = $U
$k::timestamp >= $U

-- where
$k = $U
$k = $U
$U = $k
$k >= $U AND $k <= $U
$k IN ($U)
$k = $T
$k::timestamp = $T
NOT $k <> $U
$k BETWEEN $U AND $U

-- where
$k < $U AND $k < $U
$k < $U
$k < $U AND $k IS NOT NULL
NOT $k >= $U
$k < $T
$k < $U OR $k < $U
$k <= $U AND $k <> $U

-- where
$k::date = $D
$k >= $D AND $k < $D::date + INTERVAL '1 day'
DATE_TRUNC('day', $k) = $D
$k::timestamp::date = $D
($k AT TIME ZONE 'UTC')::date = $D
$k::date BETWEEN $D AND $D
NOT $k::date <> $D
$k::date >= $D AND $k::date <= $D
$k::timestamp >= $D AND $k::timestamp < $D::date + INTERVAL '1 day'

-- where
EXTRACT(YEAR FROM $k) = 2000
DATE_PART('year', $k) = 2000
$k >= '2000-01-01' AND $k < '2001-01-01'
$k >= '2000-01-01 00:00:00+00' AND $k < '2001-01-01 00:00:00+00'
EXTRACT(YEAR FROM $k AT TIME ZONE 'UTC') = 2000
EXTRACT(YEAR FROM $k::timestamp) = 2000
DATE_TRUNC('year', $k) = '2000-01-01'
EXTRACT(YEAR FROM $k::date) = 2000

-- where
$k >= $ts
$k::timestamp >= $ts
NOT $k < $ts
$ts <= $k
$k >= $ts::timestamptz
$k AT TIME ZONE 'UTC' >= $ts
$k > $ts OR $k = $ts

-- where
$k = $ts
$k::timestamp = $ts
$ts = $k
$k = $ts AND $ts IS NOT NULL
$k = $ts::timestamptz
NOT $k <> $ts

-- where
$k > $k2
$k::timestamp > $k2::timestamp
$k2 < $k
NOT $k <= $k2
$k AT TIME ZONE 'UTC' > $k2 AT TIME ZONE 'UTC'
EXTRACT(EPOCH FROM $k) > EXTRACT(EPOCH FROM $k2)
$k - $k2 > INTERVAL '0 seconds'

-- where
$k + INTERVAL '1 day' > $U
$k > $U::timestamptz - INTERVAL '1 day'
$k + INTERVAL '24 hours' > $U
$k + INTERVAL '1 month' > $U
$k > $U
$U < $k + INTERVAL '1 day'

-- where
$k + INTERVAL '1 hour' > $k2
$k > $k2 - INTERVAL '1 hour'
$k + INTERVAL '60 minutes' > $k2
$k::timestamp + INTERVAL '1 hour' > $k2::timestamp
$k2 < $k + INTERVAL '1 hour'

-- where
$k >= $day
$k::date >= $day
$day <= $k
$k::timestamp >= $day
$k >= $day::timestamp
NOT $k < $day
$k >= $day::timestamptz

-- shown
$k::date
DATE_TRUNC('day', $k)::date
($k AT TIME ZONE 'UTC')::date
$k::timestamp::date
CAST($k AS date)
$k::text::date
$k::timestamptz::date

-- shown
$k
$k::timestamptz
$k::timestamp::timestamptz
$k AT TIME ZONE 'UTC' AT TIME ZONE 'UTC'
$k::text::timestamptz
$k + INTERVAL '0 days'
$k - INTERVAL '1 day' + INTERVAL '1 day'

-- shown
EXTRACT(HOUR FROM $k)
DATE_PART('hour', $k)
EXTRACT(HOUR FROM $k::timestamp)
EXTRACT(HOUR FROM $k AT TIME ZONE 'UTC')
EXTRACT(HOUR FROM $k::time)
EXTRACT(DAY FROM $k)

-- shown
$ts::timestamptz
$ts AT TIME ZONE 'UTC'
$ts::timestamptz::timestamp::timestamptz
$ts::timestamptz::timestamp
$ts
$ts::timestamptz AT TIME ZONE 'UTC'

-- query
SELECT MIN($k) FROM t
SELECT $k FROM t WHERE $k IS NOT NULL ORDER BY $k LIMIT 1
SELECT MIN($k::timestamp) FROM t
SELECT MIN($k)::timestamp FROM t
SELECT MIN($k AT TIME ZONE 'UTC') FROM t
SELECT $k FROM t WHERE $k <= ALL (SELECT $k FROM t WHERE $k IS NOT NULL)
SELECT DISTINCT MIN($k) OVER () FROM t

-- query
SELECT $k::date, COUNT(*) FROM t GROUP BY $k::date
SELECT DATE_TRUNC('day', $k)::date, COUNT(*) FROM t GROUP BY DATE_TRUNC('day', $k)
SELECT $k::date, COUNT(*) FROM t GROUP BY 1
SELECT ($k AT TIME ZONE 'UTC')::date, COUNT(*) FROM t GROUP BY 1
SELECT $k::timestamp::date, COUNT(*) FROM t GROUP BY $k::timestamp::date
SELECT $k::date, COUNT($k) FROM t GROUP BY $k::date

-- query
SELECT $k FROM t ORDER BY $k, id
SELECT $k FROM t ORDER BY $k::timestamp, id
SELECT $k FROM t ORDER BY $k ASC, t.id ASC
SELECT $k FROM t ORDER BY $k::date, $k, id
SELECT $k FROM t ORDER BY $k AT TIME ZONE 'UTC', id
SELECT $k FROM t ORDER BY $k NULLS LAST, id

-- query
SELECT t.id FROM t JOIN u ON $k = u.k
SELECT t.id FROM t JOIN u ON $k::timestamp = u.k::timestamp
SELECT t.id FROM t JOIN u ON u.k = $k
SELECT t.id FROM t JOIN u ON $k = u.k::timestamptz
SELECT t.id FROM t JOIN u ON $k::date = u.k::date AND $k = u.k
SELECT t.id FROM t JOIN u ON $k = u.m

-- where
$k >= CURRENT_DATE
$k >= CURRENT_DATE::timestamp
$k::date >= CURRENT_DATE
$k >= now()
$k >= CURRENT_TIMESTAMP
NOT $k < CURRENT_DATE

-- where
$day < CURRENT_DATE
$day < now()
CURRENT_DATE > $day
$day < now()::date
$day::timestamp < CURRENT_DATE
$day < CURRENT_TIMESTAMP
