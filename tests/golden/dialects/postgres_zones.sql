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

# Days and months that a clock shows in any zone: of a group, a key, an order, a result.
decide
SELECT at::date, COUNT(*) FROM t GROUP BY at::date ORDER BY at::date
----
SELECT date_trunc('day', at)::date, COUNT(*) FROM t GROUP BY date_trunc('day', at) ORDER BY date_trunc('day', at)
----
equivalent

decide
SELECT extract(year FROM at), extract(month FROM at), COUNT(*) FROM t GROUP BY 1, 2
----
WITH q AS (SELECT date_trunc('month', at) AS m FROM t) SELECT date_part('year', m)::numeric, extract(month FROM m), COUNT(*) FROM q GROUP BY m
----
equivalent

decide
SELECT COUNT(*) FROM t GROUP BY to_char(at, 'YYYY-MM')
----
SELECT COUNT(*) FROM t GROUP BY date_trunc('month', at::date)
----
equivalent

# A month of any year is no month.
decide
SELECT COUNT(*) FROM t GROUP BY to_char(at, 'MM')
----
SELECT COUNT(*) FROM t GROUP BY date_trunc('month', at)
----
not_equivalent

decide
SELECT id FROM t WHERE at::date = CURRENT_DATE
----
SELECT id FROM t WHERE date_trunc('day', at) = date_trunc('day', now())
----
equivalent

# A day that a clock skips has its midnight taken for that of the next one.
schema dialect=postgres
SET TIME ZONE 'Pacific/Apia';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, d DATE)

decide
SELECT id FROM t WHERE at::date = d
----
SELECT id FROM t WHERE date_trunc('day', at) = d
----
undecided

# Each day of New York's is shown from its midnight to the next one alone.
schema dialect=postgres
SET TIME ZONE 'America/New_York';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, d DATE)

decide names="setting(TimeZone = 'America/New_York')"
SELECT id FROM t WHERE at::date = $1
----
SELECT id FROM t WHERE at >= $1::date AND at < $1::date + 1
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('day', at) = d
----
SELECT id FROM t WHERE at >= d AND at < d + interval '1 day'
----
equivalent

decide
SELECT id FROM t WHERE at::date = $1
----
SELECT id FROM t WHERE at >= $1::date AND at <= $1::date + 2
----
not_equivalent

# An instant at which the clock shows midnight is no value of any database.
decide
SELECT id FROM t WHERE at::date = $1
----
SELECT id FROM t WHERE at >= $1::date AND at <= $1::date + 1
----
undecided

# Berlin's clocks were set back to the midnight of 1 October 1916, which therefore came twice.
schema dialect=postgres
SET TIME ZONE 'Europe/Berlin';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE at::date >= $1
----
SELECT id FROM t WHERE at >= $1::date
----
undecided

# By an offset as by a name, of which a call may have any that is no abbreviation.
schema dialect=postgres
SET TIME ZONE 'Japan';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE at::date = '2026-03-01' AND (at AT TIME ZONE 'UTC')::date = '2026-03-01' AND (at AT TIME ZONE '+02')::date = '2026-02-28'
----
SELECT id FROM t WHERE at >= '2026-02-28 15:00+00' AND at < '2026-03-01 02:00+00' AND at >= '2026-03-01 00:00+00' AND at < '2026-03-01 15:00+00'
----
equivalent

# A zone may call any time UTC, and is asked first.
schema dialect=postgres
SET TIME ZONE 'UTC+5';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE (at AT TIME ZONE 'UTC')::date = '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01 00:00+00' AND at < '2026-03-02 00:00+00'
----
not_equivalent

# Without a zone.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMP NOT NULL, n INT NOT NULL);
CREATE TABLE days (d DATE PRIMARY KEY)

decide
SELECT id FROM t WHERE at::date BETWEEN $1 AND $2
----
SELECT id FROM t WHERE at >= $1::date AND at < $2::date + interval '1 day'
----
equivalent

decide
SELECT t.id, days.d FROM t JOIN days ON t.at::date = days.d
----
SELECT t.id, days.d FROM t, days WHERE t.at >= days.d AND t.at < days.d + 1
----
equivalent

decide
SELECT id FROM t ORDER BY extract(year FROM at), extract(month FROM at), id
----
SELECT id FROM t ORDER BY date_trunc('month', at), id
----
equivalent

decide
SELECT id FROM t ORDER BY at::date, id
----
SELECT id FROM t ORDER BY at, id
----
not_equivalent

decide
SELECT COUNT(DISTINCT at::date) FROM t
----
SELECT COUNT(DISTINCT date_trunc('day', at)) FROM t
----
equivalent

# The same numbers of rows, from the same place, of one list.
decide
SELECT n FROM t ORDER BY n LIMIT $1 OFFSET ($2 - 1) * $1
----
SELECT n FROM t ORDER BY n, id LIMIT $1 OFFSET ($2 - 1) * $1
----
equivalent

decide
SELECT n FROM t ORDER BY n LIMIT $1
----
SELECT DISTINCT n FROM t ORDER BY n LIMIT $1
----
not_equivalent
