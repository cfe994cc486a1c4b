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

decide names="setting(TimeZone = 'America/New_York')"
SELECT id FROM t WHERE at::timestamp = ts
----
SELECT id FROM t WHERE at = ts
----
not_equivalent

decide
SELECT id, at::timestamp::timestamptz FROM t
----
SELECT id, at FROM t
----
not_equivalent

# Clocks that are half an hour apart begin hours at other instants.
decide names="setting(TimeZone = 'Australia/Lord_Howe')"
SELECT date_trunc('hour', at), count(*) FROM t GROUP BY 1
----
SELECT date_trunc('hour', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', count(*) FROM t GROUP BY 1
----
not_equivalent

decide
SELECT count(DISTINCT at::date) FROM t
----
SELECT count(DISTINCT at) FROM t
----
not_equivalent

# How a session writes and reads dates it alone knows: a text of one is one function in both queries.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT NOT NULL, s TEXT, i INTERVAL);
CREATE TABLE u (id INTEGER PRIMARY KEY, d DATE, ts TIMESTAMP, i INTERVAL UNIQUE)

decide
SELECT t.d::text, count(*) FROM t JOIN u ON t.d = u.d WHERE n > 1 GROUP BY t.d::text
----
SELECT u.d::varchar, count(t.id) FROM t, u WHERE 1 < n AND u.d = t.d GROUP BY u.d::varchar
----
equivalent

decide
SELECT at::text || ' and ' || ts FROM t WHERE d::text IS NULL
----
SELECT at::text || ' and ' || ts::text FROM t WHERE d IS NULL
----
equivalent

decide names=no_error
SELECT s::date, s::timestamptz FROM t WHERE s::timestamp > ts
----
SELECT s::date, s::timestamptz FROM t WHERE NOT s::timestamp <= ts
----
equivalent

decide
SELECT to_char(ts, 'FMDay, TMMonth'), to_char(at, 'HH12 TZ') FROM t WHERE n = 1
----
SELECT to_char(ts, 'FMDay, TMMonth'), to_char(at, 'HH12 TZ') FROM t WHERE 1 = n
----
equivalent

# The text of an interval is known by what made it.
decide
SELECT (t.ts - u.ts)::text, age(t.ts, u.ts)::text FROM t JOIN u ON t.d = u.d AND t.n = 1
----
SELECT (t.ts - u.ts)::text, age(t.ts, u.ts)::text FROM t, u WHERE u.d = t.d AND 1 = t.n
----
equivalent

# A month and 30 days are equal, and no one text.
decide
SELECT t.i::text FROM t JOIN u ON t.i = u.i
----
SELECT u.i::text FROM t JOIN u ON t.i = u.i
----
not_equivalent

decide
SELECT n FROM t WHERE interval '1 mon'::text = s
----
SELECT n FROM t WHERE interval '30 days'::text = s
----
not_equivalent

# Two dates may have one text for all that a proof knows, and an order of their own.
decide
SELECT count(DISTINCT d::text) FROM t
----
SELECT count(DISTINCT d) FROM t
----
undecided NO_PROOF

decide
SELECT d::text FROM t
----
SELECT to_char(d, 'YYYY-MM-DD') FROM t
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE d::text LIKE '2026-%'
----
SELECT id FROM t WHERE extract(year FROM d) = 2026
----
undecided NO_PROOF

# What is written with the day first may be read with the month first: German, MDY.
decide
SELECT d::text::date FROM t
----
SELECT d FROM t
----
undecided NO_PROOF

decide
SELECT at::text FROM t
----
SELECT at::timestamp::text FROM t
----
not_equivalent

# What a session states is known, and what another one states is a symbol still.
schema dialect=postgres
SET DateStyle = 'German, DMY';
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT NOT NULL, s TEXT)

decide
SELECT d::text FROM t WHERE n = 1 AND s::date = d
----
SELECT d::varchar FROM t WHERE d = s::date AND 1 = n
----
equivalent

decide
SELECT d::text FROM t
----
SELECT d::timestamp::text FROM t
----
undecided NO_PROOF

schema dialect=postgres assume="setting(DateStyle = 'ISO, MDY')"
CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, d DATE, n INT NOT NULL, s TEXT)

decide names="setting(DateStyle = 'ISO, MDY')"
SELECT 'on ' || d FROM t WHERE d::text = '2026-02-01'
----
SELECT 'on 2026-02-01' FROM t WHERE d = '2026-02-01'
----
equivalent

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
undecided NO_PROOF

decide
SELECT id FROM t WHERE s >= 'B' AND s < 'C'
----
SELECT id FROM t WHERE s LIKE 'B%'
----
undecided NO_PROOF

# A column may have an order of its own.
decide
SELECT id FROM t WHERE c < v AND c = 'a'
----
SELECT id FROM t WHERE c < v AND s IS NULL AND c = 'a'
----
undecided UNSUPPORTED

# The least text is the one of the least key.
schema dialect=postgres
CREATE DATABASE shop LOCALE_PROVIDER = icu LOCALE = 'en_US.UTF-8' ICU_LOCALE = 'en-US';
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, v VARCHAR(20), n INT NOT NULL, c TEXT COLLATE "C");
CREATE TABLE u (id INTEGER PRIMARY KEY, s TEXT)

decide
SELECT n, min(s), max(DISTINCT v) FROM t GROUP BY n HAVING min(s) < 'b' ORDER BY min(s), n
----
SELECT n, min(s) AS m, max(v) FROM t GROUP BY n HAVING 'b' > min(s) ORDER BY m, n
----
equivalent

decide relation=list
SELECT DISTINCT ON (n) n, greatest(s, v) FROM t ORDER BY n, s, id
----
SELECT DISTINCT ON (n) n, greatest(v, s) FROM t ORDER BY n, s ASC, id
----
equivalent

decide relation=list
SELECT s FROM t UNION SELECT s FROM u ORDER BY 1 LIMIT 3
----
SELECT s FROM u UNION SELECT s FROM t ORDER BY s LIMIT 3
----
equivalent

decide
SELECT id FROM t WHERE (s, n) < (v, 2) AND n = 1
----
SELECT id FROM t WHERE n = 1 AND (s, n) < (v, 2)
----
equivalent

# 'B' stands between 'a' and 'b', or before both.
decide
SELECT greatest(s, 'a', 'B') FROM t
----
SELECT greatest(s, 'a') FROM t
----
undecided NO_PROOF

decide
SELECT max(lower(s)) FROM t
----
SELECT lower(max(s)) FROM t
----
undecided NO_PROOF

decide
SELECT max(n::text) FROM t
----
SELECT max(n)::text FROM t
----
undecided NO_PROOF

decide
SELECT max(c) FROM t WHERE n = 1
----
SELECT max(c) FROM t WHERE 1 = n
----
undecided UNSUPPORTED

# Arrays and documents: an operator is told by one of those that are its opposite, or turn its sides.
schema dialect=postgres
CREATE TABLE product (id bigint PRIMARY KEY, sku text NOT NULL, tags text[], facts jsonb);
----

decide
SELECT id FROM product WHERE 'a' = ANY (tags) AND 'b' = ANY (tags)
----
SELECT id FROM product WHERE '{b,a}' <@ tags
----
equivalent

decide
SELECT id FROM product WHERE NOT 'a' <> ALL (tags)
----
SELECT id FROM product WHERE tags && ARRAY['a']
----
equivalent

# An element that is NULL may be the one that is looked for, but none of those that are held.
decide tiers=rules,proof
SELECT id FROM product WHERE NOT 'a' = ANY (tags)
----
SELECT id FROM product WHERE NOT tags @> ARRAY['a']
----
undecided

decide tiers=rules,proof
SELECT id FROM product WHERE tags && '{a,NULL}'
----
SELECT id FROM product WHERE tags && '{a,"NULL"}'
----
undecided

decide
SELECT id FROM product WHERE id = ANY ('{1,2,NULL}') AND sku = ANY ('{a,"b,c"}')
----
SELECT id FROM product WHERE id IN (1, 2) AND sku IN ('a', 'b,c')
----
equivalent

decide
SELECT id FROM product WHERE id <> ALL ('{1,2,NULL}')
----
SELECT id FROM product WHERE id NOT IN (1, 2)
----
not_equivalent

decide
SELECT id FROM product WHERE facts >= '{}' AND '{"a": 1}' <@ facts
----
SELECT id FROM product WHERE facts @> '{"a": 1}' AND NOT '{}' > facts
----
equivalent

decide
SELECT id FROM product WHERE (array_length(tags, 1) IS NULL AND tags IS NOT NULL) AND length(sku) > 0
----
SELECT id FROM product WHERE tags = '{}' AND NOT cardinality(tags) <> 0 AND sku <> ''
----
equivalent

decide
SELECT id FROM product ORDER BY id LIMIT $1 OFFSET $2
----
SELECT id FROM product ORDER BY id LIMIT $1
----
not_equivalent

# A parameter of a narrower type bounds rows as one of LIMIT's own does.
schema dialect=postgres
CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL)

decide
SELECT id FROM t WHERE name > 'a' AND id > 0 ORDER BY id LIMIT $1::int OFFSET $2::smallint
----
SELECT id FROM t WHERE 0 < id AND name > 'a' ORDER BY id LIMIT CAST($1 AS int) OFFSET $2::smallint
----
equivalent by=rules

decide
SELECT id FROM t ORDER BY id LIMIT $1::int
----
SELECT id FROM t ORDER BY id LIMIT $2::int
----
not_equivalent by=generate

# A negative one raises, of a narrower type too: of rows that no condition lets through nobody asks for it.
decide names=no_error
SELECT id FROM t WHERE EXISTS (SELECT FROM t AS u LIMIT $1::int) AND id = 1 AND id = 2
----
SELECT id FROM t WHERE EXISTS (SELECT FROM t AS u LIMIT $1::int) AND 1 = 2
----
equivalent by=rules

# To bit_or and bit_and it does not matter how often a value is there.
schema dialect=postgres
CREATE TABLE r (id int PRIMARY KEY, x int, y int NOT NULL)

decide
SELECT y, bit_or(x), bit_and(DISTINCT x) FROM r GROUP BY y
----
SELECT y, bit_or(DISTINCT x), bit_and(x) FROM (SELECT DISTINCT x, y FROM r) AS d GROUP BY y
----
equivalent

decide
SELECT bit_xor(x) FROM r
----
SELECT bit_xor(DISTINCT x) FROM r
----
not_equivalent

decide
SELECT regr_count(x, y), regr_count(y, x) FILTER (WHERE id > 1) FROM r
----
SELECT count(x), count(CASE WHEN id > 1 THEN x END) FROM r
----
equivalent

decide
SELECT regr_count(x, y) FROM r
----
SELECT count(*) FROM r
----
not_equivalent

# No operator of jsonb below raises an error on any value, so that strict errors forbid nothing.
schema dialect=postgres errors=strict
CREATE TABLE t (id int PRIMARY KEY, j jsonb, d json)

decide
SELECT id FROM t WHERE j ->> 'k' <> 'web'
----
SELECT id FROM t WHERE NOT j ->> 'k' = 'web'
----
equivalent

decide
SELECT id FROM t WHERE j @> '{"a": 1}' AND j -> 'b' ? 'c'
----
SELECT id FROM t WHERE j -> 'b' ? 'c' AND j @> '{"a": 1}'
----
equivalent

# A json may hold an escaped NUL, of which no text is made.
decide
SELECT id FROM t WHERE d ->> 'k' <> 'web'
----
SELECT id FROM t WHERE NOT d ->> 'k' = 'web'
----
undecided NO_PROOF

# Beside it something that raises still counts.
decide
SELECT id FROM t WHERE (j ->> 'k')::int <> 1
----
SELECT id FROM t WHERE NOT (j ->> 'k')::int = 1
----
undecided NO_PROOF
