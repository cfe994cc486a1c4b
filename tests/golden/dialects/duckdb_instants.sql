# What hangs on a time zone that nobody states is one function in both queries, of which nothing else is known.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, k TIMESTAMPTZ, l TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INTEGER NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, k TIMESTAMPTZ)

# An instant with its offset is one under every zone.
decide
SELECT id FROM t WHERE k >= '2026-03-01 00:00:00+00' AND n = 1
----
SELECT id FROM t WHERE n = 1 AND TIMESTAMPTZ '2026-03-01 05:30:00+05:30' <= k
----
equivalent

# An offset that a literal does not have is that of the session.
decide names="setting(Calendar = 'gregorian')"
SELECT id FROM t WHERE k BETWEEN '2026-03-01' AND '2026-03-08 02:30'
----
SELECT id FROM t WHERE k >= DATE '2026-03-01' AND NOT k > TIMESTAMP '2026-03-08 02:30:00'
----
equivalent

decide
SELECT id FROM t WHERE k >= '2026-03-01'
----
SELECT id FROM t WHERE k >= '2026-03-01 00:00:00+00'
----
undecided NO_PROOF

decide
SELECT t.id, year(t.k), strftime(u.k, '%Y-%m') FROM t JOIN u ON t.k = u.k WHERE t.k::DATE = t.d
----
SELECT t.id, date_part('year', u.k::TIMESTAMP), strftime(t.k, '%Y-%m') FROM t, u WHERE u.k = t.k AND t.d = u.k::DATE
----
equivalent

decide
SELECT date_trunc('day', k)::DATE, count(*) FROM t WHERE ts < k GROUP BY date_trunc('day', k)
----
SELECT date_trunc('day', k)::DATE, count(n) FROM t WHERE k > ts::TIMESTAMPTZ GROUP BY date_trunc('day', k)
----
equivalent

decide
SELECT id FROM t WHERE k + INTERVAL 60 MINUTES > l AND k + INTERVAL 1 DAY > l
----
SELECT id FROM t WHERE l < INTERVAL 1 DAY + k AND l < k + INTERVAL 1 HOUR
----
equivalent

# A day has an hour more or less where clocks change.
decide
SELECT id FROM t WHERE k + INTERVAL 1 DAY > l
----
SELECT id FROM t WHERE k + INTERVAL 24 HOURS > l
----
undecided NO_PROOF

# The later local time may be the earlier instant.
decide
SELECT id FROM t WHERE k::TIMESTAMP > l::TIMESTAMP
----
SELECT id FROM t WHERE k > l
----
undecided NO_PROOF

decide
SELECT count(DISTINCT k::DATE) FROM t
----
SELECT count(DISTINCT k) FROM t
----
not_equivalent

# DuckDB computes what stands between constants as it binds a query, in the zone of the session.
decide
SELECT id FROM t WHERE ts + (TIMESTAMPTZ '2026-03-09 00:00:00+00' - TIMESTAMPTZ '2026-03-07 00:00:00+00') > '2026-03-01'
----
SELECT id FROM t WHERE ts + INTERVAL 2 DAYS > '2026-03-01'
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE TIMESTAMPTZ '2026-03-08 12:00:00+00'::DATE = d
----
SELECT id FROM t WHERE d = DATE '2026-03-08'
----
undecided NO_PROOF

# A quarter that begins before summer time does, of an instant in it, begins an hour late on DuckDB.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, moment TIMESTAMPTZ, shown TIMESTAMP)

decide tiers=rules,proof
SELECT id, date_trunc('quarter', moment) FROM t
----
SELECT id, date_trunc('quarter', moment::TIMESTAMP)::TIMESTAMPTZ FROM t
----
undecided

decide
SELECT date_trunc('quarter', shown)::DATE, COUNT(*) FROM t GROUP BY ALL
----
SELECT date_trunc('quarter', date_trunc('month', shown))::DATE, COUNT(*) FROM t GROUP BY ALL
----
equivalent

decide
SELECT COUNT(*) FROM t GROUP BY moment::DATE
----
SELECT COUNT(*) FROM t GROUP BY date_trunc('day', moment)
----
equivalent
