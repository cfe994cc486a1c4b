# What hangs on a time zone that nobody states is one function in both queries, of which nothing else is known.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL)

decide
SELECT date_trunc('day', at), count(*) FROM t WHERE n > 1 GROUP BY 1
----
SELECT date_trunc('day', at), count(id) FROM t WHERE 1 < n GROUP BY date_trunc('day', at)
----
equivalent

# An offset that a literal does not have is that of the session.
decide
SELECT id FROM t WHERE at >= '2026-03-01' AND n = 1
----
SELECT id FROM t WHERE n = 1 AND timestamp '2026-03-01 00:00:00' <= at
----
equivalent

decide
SELECT id FROM t WHERE at BETWEEN '2026-03-01' AND '2026-03-01 12:00+00'
----
SELECT id FROM t WHERE at >= '2026-03-01'::date AND at <= '2026-03-01 13:00+01'
----
equivalent

decide
SELECT t.id FROM t JOIN u ON u.at >= t.ts AND u.at = t.at WHERE u.id = 3
----
SELECT t.id FROM t, u WHERE t.ts::timestamptz <= t.at AND t.at = u.at AND u.id = 3
----
equivalent

decide
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.at::date = t.d) AND extract(hour FROM at) > 8
----
SELECT id FROM t WHERE d IN (SELECT u.at::date FROM u) AND extract(hour FROM at::timestamp) > 8
----
equivalent

decide
SELECT id FROM t WHERE at > now() - interval '7 days' AND d = now()::date
----
SELECT id FROM t WHERE d = CURRENT_DATE AND now() - interval '7 days' < at
----
equivalent

# Equal instants have equal dates.
decide
SELECT t.id, t.at::date FROM t, u WHERE t.at = u.at
----
SELECT t.id, u.at::date FROM t, u WHERE t.at = u.at
----
equivalent

# A week has an hour more or less where clocks change.
decide
SELECT id FROM t WHERE at > now() - interval '7 days'
----
SELECT id FROM t WHERE at > now() - interval '168 hours'
----
undecided NO_PROOF

# The later local time may be the earlier instant, and one time be shown twice, or never.
decide
SELECT id FROM t WHERE at >= '2026-03-08 02:30' AND at >= '2026-03-08 03:15'
----
SELECT id FROM t WHERE at >= '2026-03-08 03:15'
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE at::timestamp = ts
----
SELECT id FROM t WHERE at = ts
----
undecided NO_PROOF

decide
SELECT id, at::timestamp::timestamptz FROM t
----
SELECT id, at FROM t
----
undecided NO_PROOF

# Clocks that are half an hour apart begin hours at other instants.
decide
SELECT date_trunc('hour', at), count(*) FROM t GROUP BY 1
----
SELECT date_trunc('hour', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', count(*) FROM t GROUP BY 1
----
undecided UNSUPPORTED

decide
SELECT count(DISTINCT at::date) FROM t
----
SELECT count(DISTINCT at) FROM t
----
not_equivalent

# An order of texts that is not that of their bytes is one order in both queries, of which equality is known.
schema dialect=postgres
CREATE DATABASE shop LOCALE_PROVIDER = icu LOCALE = 'en_US.UTF-8' ICU_LOCALE = 'en-US';
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, v VARCHAR(20), n INT, c TEXT COLLATE "C")

decide
SELECT id, s FROM t WHERE s < 'b' AND n = 1 ORDER BY s, id
----
SELECT id, s FROM t WHERE n = 1 AND 'b' > s ORDER BY s, id
----
equivalent

decide
SELECT id FROM t WHERE s < 'b' AND v = 'b'
----
SELECT id FROM t WHERE s < v AND v = 'b'
----
equivalent

decide
SELECT id FROM t WHERE s BETWEEN v AND 'x'
----
SELECT id FROM t WHERE s >= v AND NOT s > 'x'
----
equivalent

# Which of two constants is the greater one it does not say.
decide
SELECT id FROM t WHERE s < 'a' AND s < 'b'
----
SELECT id FROM t WHERE s < 'a'
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE s >= 'B' AND s < 'C'
----
SELECT id FROM t WHERE s LIKE 'B%'
----
undecided UNSUPPORTED

# A column may have an order of its own.
decide
SELECT id FROM t WHERE c < v AND c = 'a'
----
SELECT id FROM t WHERE c < v AND s IS NULL AND c = 'a'
----
undecided UNSUPPORTED
