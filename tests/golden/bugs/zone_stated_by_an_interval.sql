# A zone that SET TIME ZONE gives as an interval was taken for unknown, and a database under UTC distinguished these.
schema dialect=postgres
SET TIME ZONE INTERVAL '+02:00' HOUR TO MINUTE;
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide
SELECT id FROM t WHERE at::date = '2026-07-01'
----
SELECT id FROM t WHERE at >= '2026-07-01 00:00+02' AND at < '2026-07-02 00:00+02'
----
equivalent
