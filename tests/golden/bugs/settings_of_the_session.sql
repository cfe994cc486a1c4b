# What PostgreSQL reads under its session's settings was read under UTC and MDY, whatever the schema said: these were proved.
schema dialect=postgres
SET timezone = 'America/New_York';
ALTER DATABASE shop SET DateStyle TO 'SQL, DMY';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE)

# Five hours apart in New York.
decide
SELECT id FROM t WHERE at >= '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00'
----
not_equivalent

decide
SELECT id FROM t WHERE at >= '2026-03-01'
----
SELECT id FROM t WHERE '2026-03-01 05:00:00+00' <= at
----
equivalent

# Around a change of clocks the local time of an instant is not even monotonic.
decide
SELECT id FROM t WHERE at >= ts
----
SELECT id FROM t WHERE at::timestamp >= ts
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE at::timestamp >= ts AND id > 1
----
SELECT id FROM t WHERE id > 1 AND at::timestamp >= ts
----
equivalent

decide
SELECT id FROM t WHERE d = '01/02/2026'
----
SELECT id FROM t WHERE d = '2026-01-02'
----
not_equivalent

decide
SELECT id FROM t WHERE d = '01/02/2026'
----
SELECT id FROM t WHERE d = '2026-02-01'
----
equivalent

# Dates are texts of another form there.
decide
SELECT id FROM t WHERE d::text = '2026-02-01'
----
SELECT id FROM t WHERE d = '2026-02-01'
----
undecided NO_PROOF

# What no setting changes is read as ever.
decide
SELECT id FROM t WHERE ts::date = '2026-02-01'
----
SELECT id FROM t WHERE ts >= '2026-02-01' AND ts < '2026-02-02'
----
equivalent

# Of a schema that states nothing each is unknown: what hangs on it is not proved, and the fact is offered.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE)

decide
SELECT id FROM t WHERE at >= '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00'
----
not_equivalent

# What converts is one function in both queries.
decide
SELECT id FROM t WHERE at::date = '2026-03-01' AND id > 1
----
SELECT id FROM t WHERE id > 1 AND at::date = '2026-03-01'
----
equivalent

decide
SELECT id FROM t WHERE d = '01/02/2026'
----
SELECT id FROM t WHERE d = '2026-01-02'
----
not_equivalent

# A text is as equal to itself as ever, whatever it hangs on.
decide
SELECT id, at::date FROM t WHERE at >= '2026-03-01'
----
SELECT q.id, at::date AS day FROM t AS q WHERE at >= '2026-03-01'
----
equivalent

decide
SELECT id, at::date FROM t WHERE at >= '2026-03-01'
----
SELECT id, at::date FROM t WHERE at >= '2026-03-01'
----
equivalent

decide
SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00'
----
SELECT id FROM t WHERE '2026-03-01 01:00:00+01' <= at
----
equivalent

# The fact is named among those that a verdict rests on.
schema dialect=postgres assume="setting(TimeZone = 'UTC')" assume="setting(DateStyle = 'ISO, MDY')"
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE)

decide names="setting(TimeZone = 'UTC')"
SELECT id FROM t WHERE at >= '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00'
----
equivalent

decide names="setting(TimeZone = 'UTC')"
SELECT id FROM t WHERE at >= ts
----
SELECT id FROM t WHERE at::timestamp >= ts
----
equivalent

decide names="setting(DateStyle = 'ISO, MDY')"
SELECT id FROM t WHERE d = '01/02/2026'
----
SELECT id FROM t WHERE d = '2026-01-02'
----
equivalent

# A CHECK is read under the zone that the script states.
schema dialect=postgres
SET TIME ZONE 'Asia/Tokyo';
CREATE TABLE u (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL CHECK (at >= '2026-03-01'))

decide
SELECT id FROM u WHERE at >= '2026-02-28 15:00:00+00'
----
SELECT id FROM u
----
equivalent

decide
SELECT id FROM u WHERE at >= '2026-02-28 15:00:01+00'
----
SELECT id FROM u
----
not_equivalent

# Others change what a text means; each was taken to be as it is by default, without a word.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, name TEXT, seen TIMESTAMPTZ)

decide names="setting(transform_null_equals = 'off')"
SELECT id FROM t WHERE n = NULL OR n = 1
----
SELECT id FROM t WHERE n = 1
----
equivalent

decide names="setting(standard_conforming_strings = 'on')"
SELECT id FROM t WHERE name LIKE 'a\%'
----
SELECT id FROM t WHERE name LIKE 'a!%' ESCAPE '!'
----
equivalent

# Under the policy declared nothing is assumed of a session.
schema dialect=postgres facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, name TEXT)

decide
SELECT id FROM t WHERE n = NULL OR n = 1
----
SELECT id FROM t WHERE n = 1
----
undecided NO_PROOF

schema dialect=postgres
SET transform_null_equals = on;
SET standard_conforming_strings = off;
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, name TEXT)

decide names="setting(transform_null_equals = 'on')"
SELECT id FROM t WHERE n = NULL OR n = 1
----
SELECT id FROM t WHERE n IS NULL OR n = 1
----
equivalent

decide
SELECT id FROM t WHERE name LIKE 'a\%'
----
SELECT id FROM t WHERE name LIKE 'a!%' ESCAPE '!'
----
undecided UNSUPPORTED
