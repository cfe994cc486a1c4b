# For each setting of PostgreSQL that changes answers a pair that differs by it alone: test_settings.py reads the names.
schema dialect=postgres facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT, s TEXT)

# TimeZone
decide names="setting(TimeZone = 'America/New_York')"
SELECT id FROM t WHERE at >= '2026-03-01'
----
SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00'
----
not_equivalent

# DateStyle
decide names="setting(DateStyle = 'ISO, DMY')"
SELECT id FROM t WHERE d = '01/02/2026'
----
SELECT id FROM t WHERE d = '2026-01-02'
----
not_equivalent

# IntervalStyle: a sign at the head is that of all fields under sql_standard.
decide
SELECT id FROM t WHERE d + interval '-1 2:03' > '2026-01-02'
----
SELECT id FROM t WHERE d + interval '-1 day 2:03' > '2026-01-02'
----
undecided NO_PROOF

# lc_collate: 'b' stands between 'B' and 'C' elsewhere.
decide
SELECT id FROM t WHERE s >= 'B' AND s < 'C'
----
SELECT id FROM t WHERE s LIKE 'B%'
----
undecided NO_PROOF

# lc_ctype: the letters beyond ASCII have no cases under C.
decide
SELECT id FROM t WHERE lower(s) = lower('É')
----
SELECT id FROM t WHERE lower(s) = 'é'
----
undecided NO_PROOF

# lc_ctype: a Turkish i has a dot as a capital, too.
decide
SELECT id FROM t WHERE upper(s) = upper('i')
----
SELECT id FROM t WHERE upper(s) = 'I'
----
undecided NO_PROOF

# What no locale changes rests on none.
decide
SELECT id FROM t WHERE s ILIKE 'ABC'
----
SELECT id FROM t WHERE lower(s) = 'abc'
----
equivalent

schema dialect=postgres facts=declared assume="setting(TimeZone = 'UTC')" assume="setting(DateStyle = 'ISO, MDY')" assume="setting(IntervalStyle = 'postgres')" assume="setting(lc_collate = 'C')" assume="setting(lc_ctype = 'C.UTF-8')"
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT, s TEXT)

decide names="setting(IntervalStyle = 'postgres')"
SELECT id FROM t WHERE d + interval '-1 2:03' > '2026-01-02'
----
SELECT id FROM t WHERE d + interval '-1 day 2:03' > '2026-01-02'
----
equivalent

decide names="setting(lc_collate = 'C')"
SELECT id FROM t WHERE s >= 'B' AND s < 'C'
----
SELECT id FROM t WHERE s LIKE 'B%'
----
equivalent

decide names="setting(lc_ctype = 'C.UTF-8')"
SELECT id FROM t WHERE lower(s) = lower('É')
----
SELECT id FROM t WHERE lower(s) = 'é'
----
equivalent

# lc_time: what it writes no proof knows.
decide
SELECT to_char(d, 'TMMonth') FROM t
----
SELECT to_char(d, 'FMMonth') FROM t
----
undecided NO_PROOF

# lc_numeric
decide
SELECT to_char(n, '9D9') FROM t
----
SELECT to_char(n, '9.9') FROM t
----
undecided NO_PROOF

# lc_monetary
decide
SELECT id FROM t WHERE '1,5'::money = '15'::money
----
SELECT id FROM t
----
undecided NO_PROOF

# default_text_search_config
decide
SELECT id FROM t WHERE to_tsvector(s) @@ to_tsquery('cats')
----
SELECT id FROM t WHERE to_tsvector('english', s) @@ to_tsquery('english', 'cats')
----
undecided NO_PROOF

# A database of another locale says so when it is created.
schema dialect=postgres
CREATE DATABASE shop LOCALE = 'C' LC_CTYPE = 'C';
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)

decide
SELECT id FROM t WHERE lower(s) = lower('É')
----
SELECT id FROM t WHERE lower(s) = 'é'
----
undecided UNSUPPORTED

# transform_null_equals: PostgreSQL reads the text under the value that a script states, and so is it read here.
schema dialect=postgres
SET transform_null_equals = on;
CREATE TABLE t (id INTEGER PRIMARY KEY, n INT)

decide names="setting(transform_null_equals = 'on')"
SELECT id FROM t WHERE n = NULL
----
SELECT id FROM t WHERE n IS NULL
----
equivalent

schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, n INT)

decide
SELECT id FROM t WHERE n = NULL
----
SELECT id FROM t WHERE n IS NULL
----
not_equivalent

# array_nulls: a NULL in a literal is a text where it is off.
decide
SELECT id FROM t WHERE array_position('{a,NULL}'::text[], 'NULL') = 2
----
SELECT id FROM t
----
not_equivalent

# backslash_quote
decide
SELECT id FROM t WHERE E'a\'b' = 'a''b'
----
SELECT id FROM t
----
equivalent

schema dialect=postgres
SET array_nulls = off;
SET backslash_quote = off;
CREATE TABLE t (id INTEGER PRIMARY KEY, n INT)

decide
SELECT id FROM t WHERE array_position('{a,NULL}'::text[], 'NULL') = 2
----
SELECT id FROM t
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE E'a\'b' = 'a''b'
----
SELECT id FROM t
----
invalid

# timezone_abbreviations: IST is Israel's time by default.
schema dialect=postgres
SET TimeZone = 'UTC';
SET timezone_abbreviations = 'India';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ)

decide names="setting(timezone_abbreviations = 'India')"
SELECT id FROM t WHERE at >= '2026-01-01 12:00 IST'
----
SELECT id FROM t WHERE at >= '2026-01-01 06:30+00'
----
equivalent

# standard_conforming_strings: a backslash in a plain string escapes where it is off.
schema dialect=postgres
SET standard_conforming_strings = off;
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)

decide
SELECT id FROM t WHERE s = 'a\\b'
----
SELECT id FROM t WHERE s = E'a\\b'
----
undecided UNSUPPORTED

# As every dump of pg_dump states it; declared, it stands where what is assumed does not.
schema dialect=postgres facts=declared
SET standard_conforming_strings = on;
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)

decide names="setting(standard_conforming_strings = 'on')"
SELECT id FROM t WHERE s = 'a\b'
----
SELECT id FROM t WHERE s = E'a\\b'
----
equivalent

# search_path
schema dialect=postgres
CREATE SCHEMA a;
CREATE SCHEMA b;
CREATE TABLE a.t (id INTEGER PRIMARY KEY);
CREATE TABLE b.t (id INTEGER PRIMARY KEY);
SET search_path = b, a;

decide
SELECT id FROM t
----
SELECT id FROM b.t
----
equivalent

decide
SELECT id FROM t
----
SELECT id FROM a.t
----
not_equivalent
