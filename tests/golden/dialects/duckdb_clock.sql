schema dialect=duckdb
SET TimeZone = 'UTC';
CREATE TABLE t (id INTEGER PRIMARY KEY, w TIMESTAMPTZ NOT NULL, done TIMESTAMPTZ, ts TIMESTAMP, d DATE)
----

decide
SELECT id FROM t WHERE w >= now() - INTERVAL '7 days'
----
SELECT id FROM t WHERE get_current_timestamp() - w <= INTERVAL 1 WEEK
----
equivalent

decide
SELECT id FROM t WHERE w + INTERVAL 2 HOURS > current_timestamp
----
SELECT id FROM t WHERE transaction_timestamp() - INTERVAL '120 minutes' < w
----
equivalent

# Told apart at another instant than now, which stands in both texts.
decide
SELECT id FROM t WHERE w >= now() - INTERVAL '7 days'
----
SELECT id FROM t WHERE w > now() - INTERVAL '7 days'
----
not_equivalent

decide
SELECT id FROM t WHERE w >= now() - INTERVAL 7 DAYS
----
SELECT id FROM t WHERE w >= today() - 7
----
not_equivalent

decide
SELECT id FROM t WHERE d = current_date
----
SELECT id FROM t WHERE d = now()::DATE
----
equivalent

# A month is no number of days.
decide
SELECT id FROM t WHERE w > now() - INTERVAL 1 MONTH
----
SELECT id FROM t WHERE w > now() - INTERVAL 30 DAYS
----
not_equivalent

decide
SELECT id FROM t WHERE done + INTERVAL 3 DAYS < '2026-03-10'
----
SELECT id FROM t WHERE done < TIMESTAMPTZ '2026-03-10' - INTERVAL '3 days'
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('quarter', w) = '2026-01-01'
----
SELECT id FROM t WHERE quarter(w) = 1 AND extract(year FROM w) = 2026
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('week', ts) = '2026-03-02'
----
SELECT id FROM t WHERE ts >= '2026-03-02' AND ts < '2026-03-09'
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('week', ts) = '2026-03-03'
----
SELECT id FROM t WHERE ts >= '2026-03-03' AND ts < '2026-03-10'
----
not_equivalent

decide
SELECT id FROM t WHERE strftime(w, '%Y-%m') = '2026-01'
----
SELECT id FROM t WHERE date_trunc('month', w) = '2026-01-01'
----
equivalent

schema dialect=duckdb
CREATE TABLE c (id INTEGER PRIMARY KEY, current_date INTEGER, w TIMESTAMPTZ)
----

# A column with the name of the clock is none.
decide
SELECT id FROM c WHERE w > now() AND c.current_date = 1
----
SELECT id FROM c WHERE w >= now() AND c.current_date = 1
----
undecided UNSUPPORTED
