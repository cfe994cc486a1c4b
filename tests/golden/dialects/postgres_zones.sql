# Under a zone that the script names, what its clock shows is compared by instants.
schema dialect=postgres
SET TIME ZONE 'Europe/Berlin';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, n INT NOT NULL)

decide names="setting(TimeZone = 'Europe/Berlin')"
SELECT id FROM t WHERE at::date = '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01' AND at < '2026-03-02'
----
equivalent

# Clocks are set at three, so that the day has 23 hours.
decide
SELECT id FROM t WHERE at::date = '2026-03-29'
----
SELECT id FROM t WHERE at >= '2026-03-28 23:00+00' AND at < '2026-03-29 22:00+00'
----
equivalent

decide
SELECT id FROM t WHERE at::date = '2026-03-29'
----
SELECT id FROM t WHERE at >= '2026-03-29' AND at < timestamptz '2026-03-29' + interval '24 hours'
----
not_equivalent

decide
SELECT id FROM t WHERE date_trunc('month', at) = '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01' AND at < '2026-04-01'
----
equivalent

decide
SELECT id FROM t WHERE NOT extract(year FROM at) <> 2026
----
SELECT id FROM t WHERE at BETWEEN '2026-01-01' AND '2026-12-31 23:59:59.999999'
----
equivalent

decide
SELECT id FROM t WHERE extract(year FROM at) = 2026
----
SELECT id FROM t WHERE at >= '2026-01-01 00:00+00' AND at < '2027-01-01 00:00+00'
----
not_equivalent

decide
SELECT id FROM t WHERE at::date IN ('2026-10-25', '2026-10-26')
----
SELECT id FROM t WHERE (at AT TIME ZONE 'Europe/Berlin') >= '2026-10-25' AND at < '2026-10-27'
----
equivalent

# In the hour that comes twice, a clock shows less than half past two until half past two comes again.
decide
SELECT id FROM t WHERE at AT TIME ZONE 'Europe/Berlin' < '2026-10-25 02:30'
----
SELECT id FROM t WHERE at < '2026-10-25 02:30'
----
not_equivalent

decide
SELECT id FROM t WHERE at AT TIME ZONE 'Europe/Berlin' < '2026-10-25 02:30'
----
SELECT id FROM t WHERE at < '2026-10-25 00:30+00' OR (at >= '2026-10-25 01:00+00' AND at < '2026-10-25 01:30+00')
----
equivalent

# A week begins on Monday; a month that begins within one begins no week.
decide
SELECT id FROM t WHERE date_trunc('week', at) = '2026-03-02'
----
SELECT id FROM t WHERE at >= '2026-03-02' AND at < '2026-03-09'
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('week', at) = '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-02-23' AND at < '2026-03-02'
----
not_equivalent

# Clocks that are set back from one to midnight show that midnight twice, and a text means the later one.
schema dialect=postgres
SET TIME ZONE 'America/Havana';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE at::date = '2026-11-01'
----
SELECT id FROM t WHERE at >= '2026-11-01' AND at < '2026-11-02'
----
not_equivalent

decide
SELECT id FROM t WHERE at::date = '2026-11-01'
----
SELECT id FROM t WHERE at >= '2026-11-01 00:00-04' AND at < '2026-11-02 00:00-05'
----
equivalent

# A midnight that is skipped is the moment at which it is.
decide
SELECT id FROM t WHERE at::date = '2026-03-08'
----
SELECT id FROM t WHERE at >= '2026-03-08' AND at < '2026-03-09'
----
equivalent

# Clocks that are set back from midnight show the last hour of a day twice.
schema dialect=postgres
SET TIME ZONE 'America/Sao_Paulo';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE at::date = '2019-02-16'
----
SELECT id FROM t WHERE at >= '2019-02-16' AND at < '2019-02-17'
----
equivalent

decide
SELECT id FROM t WHERE at::date = '2019-02-16'
----
SELECT id FROM t WHERE at >= '2019-02-16' AND at < timestamptz '2019-02-16' + interval '24 hours'
----
not_equivalent

# A zone that a query names hangs on no setting.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE (at AT TIME ZONE 'Asia/Beirut')::date = '2026-03-29'
----
SELECT id FROM t WHERE at >= '2026-03-28 22:00+00' AND at < '2026-03-29 21:00+00'
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('day', at AT TIME ZONE 'Asia/Beirut') AT TIME ZONE 'Asia/Beirut' = '2026-03-28 22:00+00'
----
SELECT id FROM t WHERE at >= timestamp '2026-03-29' AT TIME ZONE 'Asia/Beirut' AND at < timestamp '2026-03-30' AT TIME ZONE 'Asia/Beirut'
----
equivalent

decide
SELECT id FROM t WHERE at::date = '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01' AND at < '2026-03-02'
----
undecided NO_PROOF
