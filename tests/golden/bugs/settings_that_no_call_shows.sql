# What hangs on the time zone without a function that says so was taken for the same under all zones: these were proved.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL, ts TIMESTAMP NOT NULL, earlier TIMESTAMP NOT NULL)

# Rows compare an instant with a time by the operator of their types; where clocks go back, the later time may be
# the earlier instant.
decide
SELECT id FROM t WHERE (at, id) > (ts, id) AND ts > earlier
----
SELECT id FROM t WHERE (at, id) > (ts, id) AND ts > earlier AND (at, id) > (earlier, id)
----
undecided NO_PROOF

# The session's own zone may know an abbreviation first: India's.
decide
SELECT id FROM t WHERE at >= '2026-01-01 12:00 IST'
----
SELECT id FROM t WHERE at >= '2026-01-01 10:00+00'
----
not_equivalent

# Months between instants are those of the session's calendar, though the function is labelled immutable.
decide
SELECT id FROM t WHERE extract(month FROM age(at, '2026-03-01 00:00+00')) > 0
----
SELECT id FROM t WHERE 0 < extract(month FROM age(at, '2026-03-01 01:00+01'))
----
equivalent

decide
SELECT id FROM t WHERE '2026-01-01 12:00 Jan' IS NULL AND at >= '2026-01-01 12:00:00+00'
----
SELECT id FROM t WHERE at >= '2026-01-01 13:00:00+01' AND '2026-01-01 12:00 Jan' IS NULL
----
equivalent
