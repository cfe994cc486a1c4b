-- Questions of symbols, calls that the core has no meaning for: their arguments may be equal and not identical, NULL, or
-- raise an error.  Below "where" a line is the condition of SELECT t.id, $s FROM t, below "query" a whole query;
-- equiv/dialects/words.py reads them and says what $ stands for.

-- query
SELECT t.id FROM t WHERE t.n = t.o AND md5(t.n::text) < '8'
SELECT t.id FROM t WHERE t.n = t.o AND md5(t.o::text) < '8'
SELECT t.id FROM t WHERE md5(t.n::text) < '8' AND t.o = t.n
SELECT t.id FROM t WHERE t.n = t.o AND scale(t.n) = 2
SELECT t.id FROM t WHERE scale(t.o) = 2 AND t.n = t.o
SELECT t.id FROM t WHERE t.n = t.o AND scale(t.o::numeric(9, 3)) = 2
SELECT t.id FROM t WHERE t.n = t.o AND to_char(t.n, '9.99') = to_char(t.o, '9.99')
SELECT t.id FROM t WHERE t.n = t.o AND to_char(t.n, '9.99') IS NOT NULL

-- query
SELECT t.id, octet_length(t.c) FROM t WHERE t.c = t.e
SELECT t.id, octet_length(t.e) FROM t WHERE t.c = t.e
SELECT t.id, octet_length(t.c) FROM t WHERE t.e = t.c AND t.c IS NOT NULL
SELECT t.id, octet_length(t.c::char(5)) FROM t WHERE t.c = t.e
SELECT t.id, octet_length(t.c::text) FROM t WHERE t.c = t.e
SELECT t.id, octet_length(t.e::text) FROM t WHERE t.e = t.c
SELECT t.id, bit_length(t.c) / 8 FROM t WHERE t.c = t.e

-- query
SELECT t.id, md5(t.v) FROM t JOIN u ON t.v = u.s
SELECT t.id, md5(u.s) FROM t JOIN u ON u.s = t.v
SELECT t.id, md5(t.v) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.s = t.v)
SELECT t.id, md5(t.v) FROM t WHERE t.v IN (SELECT s FROM u)
SELECT t.id, md5(t.v) FROM t LEFT JOIN u ON t.v = u.s WHERE u.id IS NOT NULL
SELECT t.id, md5(t.v) FROM t LEFT JOIN u ON t.v = u.s
SELECT t.id, md5(u.s) FROM t LEFT JOIN u ON t.v = u.s
SELECT t.id, md5(t.v) FROM t JOIN u ON md5(t.v) = md5(u.s)

-- where
md5($c) IS NULL
$c IS NULL
reverse($c) IS NULL
NULLIF(md5($c), 'x') IS NULL
concat_ws('-', $c, $c) IS NULL
num_nulls($c, $c) = 2
COALESCE(md5($c), '') = ''
NOT (md5($c) IS NOT NULL)

-- where
t.i = ANY (ARRAY[t.j, t.i])
t.i = ANY (ARRAY[t.i, t.j])
t.i = ALL (ARRAY[t.j, t.i])
t.i <> ALL (ARRAY[t.j, 1])
NOT t.i = ANY (ARRAY[t.j, 1])
ARRAY[t.i] && ARRAY[t.j, t.i]
ARRAY[t.j, t.i] @> ARRAY[t.i]
array_position(ARRAY[t.j, t.i]::bigint[], t.i::bigint) IS NOT NULL
t.i IS NOT NULL AND t.i = ANY (ARRAY[t.i, t.j])

-- query
SELECT t.id FROM t WHERE ARRAY[t.n] = ARRAY[t.o]
SELECT t.id FROM t WHERE t.n = t.o
SELECT t.id FROM t WHERE ARRAY[t.n]::text = ARRAY[t.o]::text
SELECT t.id FROM t WHERE t.n::text = t.o::text
SELECT t.id FROM t WHERE t.n IS NOT DISTINCT FROM t.o
SELECT t.id FROM t WHERE to_jsonb(t.n) = to_jsonb(t.o)
SELECT t.id FROM t WHERE to_jsonb(t.n)::text = to_jsonb(t.o)::text

-- query
SELECT md5(t.v), count(*) FROM t GROUP BY t.v
SELECT md5(t.v), count(*) FROM t GROUP BY md5(t.v)
SELECT md5(t.v), count(md5(t.v)) FROM t GROUP BY t.v
SELECT DISTINCT md5(t.v), 1 FROM t
SELECT md5(v), 1 FROM (SELECT DISTINCT v FROM t) q
SELECT md5(t.v), count(t.v) FROM t GROUP BY md5(t.v)
SELECT md5(max(t.v)), count(*) FROM t GROUP BY t.v
SELECT max(md5(t.v)), count(*) FROM t GROUP BY t.v
SELECT md5(t.c), count(*) FROM t GROUP BY t.c
SELECT md5(max(t.c)), count(*) FROM t GROUP BY t.c

-- query
SELECT t.id, (t.m - t.y)::text FROM t WHERE t.m - t.y = justify_hours(t.m - t.y)
SELECT t.id, justify_hours(t.m - t.y)::text FROM t WHERE t.m - t.y = justify_hours(t.m - t.y)
SELECT t.id, (t.m - t.y)::text FROM t WHERE justify_hours(t.m - t.y) = t.m - t.y
SELECT t.id, (t.m - t.y)::text FROM t WHERE t.m IS NOT NULL AND t.y IS NOT NULL
SELECT t.id, justify_days(t.m - t.y)::text FROM t WHERE isfinite(t.m - t.y)
SELECT t.id, justify_days(t.m - t.y)::text FROM t
SELECT t.id, justify_days(t.m - t.y)::text FROM t WHERE NOT isfinite(t.m - t.y) IS NULL

-- query
SELECT t.id FROM t WHERE t.s ~ '^a' AND t.i <> 0
SELECT t.id FROM t WHERE t.i <> 0 AND t.s ~ '^a'
SELECT t.id FROM t WHERE CASE WHEN t.i <> 0 THEN t.s ~ '^a' ELSE false END
SELECT t.id FROM t WHERE t.s ~ '^a.*' AND t.i <> 0
SELECT t.id FROM t WHERE t.s ~* '^a' AND t.i <> 0
SELECT t.id FROM t WHERE NOT t.s !~ '^a' AND t.i <> 0
SELECT t.id FROM t WHERE (t.s ~ '^a') = true AND NOT t.i = 0
SELECT t.id FROM t WHERE (t.s ~ '^a') IS TRUE AND t.i <> 0
SELECT t.id FROM t WHERE (t.s ~ '^a') IS NOT FALSE AND t.i <> 0

-- query
SELECT t.id, sign(t.f) FROM t WHERE t.f = t.n
SELECT t.id, sign(t.n) FROM t WHERE t.f = t.n
SELECT t.id, t.f::text FROM t WHERE t.f = 0
SELECT t.id, (-t.f)::text FROM t WHERE t.f = 0
SELECT t.id, cbrt(t.f) FROM t WHERE t.f = 1
SELECT t.id, cbrt(t.n::float8) FROM t WHERE t.f = 1 AND t.f = t.n

-- query
SELECT t.id, x.r FROM t, string_to_table(t.s, 'a') AS x(r)
SELECT t.id, string_to_table(t.s, 'a') AS r FROM t
SELECT t.id, x.r FROM t LEFT JOIN LATERAL string_to_table(t.s, 'a') AS x(r) ON true
SELECT t.id, x.r FROM t LEFT JOIN LATERAL string_to_table(t.s, 'a') AS x(r) ON x.r <> ''
SELECT t.id, x.r FROM t JOIN LATERAL string_to_table(t.s, 'a') AS x(r) ON x.r <> ''
SELECT DISTINCT t.id, x.r FROM t, string_to_table(t.s, 'a') AS x(r)
SELECT t.id, x.r FROM t, string_to_table(t.s, 'a') WITH ORDINALITY AS x(r, o) WHERE x.o >= 1
SELECT t.id, x.r FROM t, string_to_table(t.s, 'a') WITH ORDINALITY AS x(r, o) WHERE x.o = 1
SELECT t.id, x.r FROM t, string_to_table(t.v, 'a') AS x(r) WHERE t.s = t.v
SELECT t.id, x.r FROM t, string_to_table(t.s, 'a') AS x(r) WHERE t.s = t.v

-- query
SELECT t.id, generate_series(1, t.i) AS g, string_to_table(t.s, 'a') AS r FROM t
SELECT t.id, x.g, x.r FROM t, ROWS FROM (generate_series(1, t.i), string_to_table(t.s, 'a')) AS x(g, r)
SELECT t.id, x.g, y.r FROM t, generate_series(1, t.i) AS x(g), string_to_table(t.s, 'a') AS y(r)
SELECT t.id, x.g, NULL AS r FROM t, generate_series(1, t.i) AS x(g)
SELECT DISTINCT t.id, generate_series(1, t.i) AS g, string_to_table(t.s, 'a') AS r FROM t

-- query
SELECT t.id, x.g::text FROM t, generate_series(t.o, 3) AS x(g) WHERE t.n = t.o
SELECT t.id, x.g::text FROM t, generate_series(t.o, 3) AS x(g) WHERE t.o = t.n
SELECT t.id, x.g::text FROM t, generate_series(t.n, 3) AS x(g) WHERE t.n = t.o
SELECT t.id, x.g::text FROM t, generate_series(t.n::numeric(9, 3), 3) AS x(g) WHERE t.n = t.o

-- query
SELECT t.id, l.v FROM t JOIN LATERAL (SELECT u.v FROM u WHERE u.i = t.i ORDER BY u.id LIMIT 2) l ON true
SELECT t.id, l.v FROM t, LATERAL (SELECT u.v FROM u WHERE t.i = u.i ORDER BY u.id LIMIT 2) l
SELECT t.id, l.v FROM t LEFT JOIN LATERAL (SELECT u.v FROM u WHERE u.i = t.i ORDER BY u.id LIMIT 2) l ON true
SELECT t.id, l.v FROM t JOIN LATERAL (SELECT u.v FROM u WHERE u.i = t.i ORDER BY u.id LIMIT 1) l ON true
SELECT t.id, l.v FROM t JOIN LATERAL (SELECT u.v FROM u WHERE u.i = t.i ORDER BY u.id DESC LIMIT 2) l ON true
SELECT t.id, l.v FROM t JOIN LATERAL (SELECT DISTINCT u.v FROM u WHERE u.i = t.i) l ON true
SELECT t.id, u.v FROM t JOIN u ON u.i = t.i
SELECT DISTINCT t.id, u.v FROM t JOIN u ON u.i = t.i

-- query
SELECT t.id, l.c FROM t LEFT JOIN LATERAL (SELECT u.s, count(*) AS c FROM u WHERE u.i = t.i GROUP BY u.s) l ON true
SELECT t.id, l.c FROM t JOIN LATERAL (SELECT u.s, count(*) AS c FROM u WHERE u.i = t.i GROUP BY u.s) l ON true
SELECT t.id, l.c FROM t LEFT JOIN LATERAL (SELECT u.s, count(*) AS c FROM u WHERE t.i = u.i GROUP BY u.s) l ON l.c > 0
SELECT t.id, l.c FROM t LEFT JOIN LATERAL (SELECT u.s, count(*) AS c FROM u WHERE u.i = t.i GROUP BY u.s) l ON l.c > 1
SELECT t.id, l.c FROM t LEFT JOIN LATERAL (SELECT u.s, count(u.v) AS c FROM u WHERE u.i = t.i GROUP BY u.s) l ON true

-- query
SELECT t.id, l.q FROM t CROSS JOIN LATERAL (SELECT t.i AS q UNION ALL SELECT t.j) l
SELECT t.id, l.q FROM t CROSS JOIN LATERAL (SELECT t.i AS q UNION SELECT t.j) l
SELECT t.id, t.i AS q FROM t UNION ALL SELECT t.id, t.j FROM t
SELECT t.id, l.q FROM t LEFT JOIN LATERAL (SELECT t.i AS q UNION ALL SELECT t.j) l ON l.q IS NOT NULL
SELECT t.id, l.q FROM t CROSS JOIN LATERAL (SELECT t.i AS q UNION ALL SELECT t.j) l WHERE l.q IS NOT NULL

-- query
SELECT t.id, l.a, l.b FROM t CROSS JOIN LATERAL (SELECT u.id AS a, w.id AS b FROM u FULL JOIN t w ON u.i = t.i) l
SELECT t.id, l.a, l.b FROM t CROSS JOIN LATERAL (SELECT u.id AS a, w.id AS b FROM u LEFT JOIN t w ON u.i = t.i) l
SELECT t.id, l.a, l.b FROM t CROSS JOIN LATERAL (SELECT u.id AS a, w.id AS b FROM u FULL JOIN t w ON t.i = u.i) l
SELECT t.id, l.a, l.b FROM t CROSS JOIN LATERAL (SELECT u.id AS a, w.id AS b FROM u FULL JOIN t w ON w.i = t.i) l

-- query
SELECT t.id FROM t WHERE 'a' = ANY (ARRAY[t.s, t.c])
SELECT t.id FROM t WHERE ARRAY[t.s, t.c] @> ARRAY['a']
SELECT t.id FROM t WHERE ARRAY[t.s, t.c] && '{a}'
SELECT t.id FROM t WHERE NOT 'a' <> ALL (string_to_array(t.s, t.c))
SELECT t.id FROM t WHERE NOT (string_to_array(t.s, '') && ARRAY['a'])
SELECT t.id FROM t WHERE 'a' <> ALL (string_to_array(t.s, ''))
SELECT t.id FROM t WHERE NOT string_to_array(t.s, '') @> ARRAY['a', NULL]
SELECT t.id FROM t WHERE string_to_array(t.s, '') && '{a,b}'
SELECT t.id FROM t WHERE 'a' = ANY (string_to_array(t.s, '')) OR 'b' = ANY (string_to_array(t.s, ''))
SELECT t.id FROM t WHERE string_to_array(t.s, '', 'a') @> '{a}' IS NOT TRUE
SELECT t.id FROM t WHERE 'a' <> ALL (string_to_array(t.s, '', 'b'))
SELECT t.id FROM t WHERE NOT string_to_array(t.s, '', 'b') && '{a}'

-- query
SELECT t.s, array_agg(t.i ORDER BY t.i) FROM t GROUP BY t.s
SELECT t.s, array_agg(t.i ORDER BY t.i DESC) FROM t GROUP BY t.s
SELECT t.s, array_agg(DISTINCT t.i) FROM t GROUP BY t.s
SELECT t.s, array_agg(DISTINCT t.i ORDER BY t.i) FROM t GROUP BY t.s
SELECT t.s, array_agg(t.i ORDER BY t.i) FILTER (WHERE t.i IS NOT NULL) FROM t GROUP BY t.s
SELECT q.s, array_agg(q.i ORDER BY q.i) FROM (SELECT DISTINCT s, i FROM t) q GROUP BY q.s
SELECT q.s, array_agg(q.i ORDER BY q.i, q.j) FROM (SELECT DISTINCT s, i, j FROM t) q GROUP BY q.s
SELECT t.s, array_agg(t.i ORDER BY t.i, t.id) FROM t GROUP BY t.s
SELECT DISTINCT t.s, (SELECT array_agg(w.i ORDER BY w.i) FROM t w WHERE w.s = t.s) FROM t
SELECT DISTINCT t.s, (SELECT array_agg(w.i ORDER BY w.i) FROM t w WHERE w.s IS NOT DISTINCT FROM t.s) FROM t
SELECT DISTINCT t.s, ARRAY(SELECT w.i FROM t w WHERE w.s IS NOT DISTINCT FROM t.s ORDER BY w.i) FROM t
SELECT DISTINCT t.s, array_agg(t.i) OVER (PARTITION BY t.s ORDER BY t.i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM t

-- query
SELECT t.s, bit_xor(t.i) FROM t GROUP BY t.s
SELECT t.s, bit_xor(DISTINCT t.i) FROM t GROUP BY t.s
SELECT t.s, bit_xor(t.i) FROM t WHERE t.i IS NOT NULL GROUP BY t.s
SELECT t.s, bit_xor(t.i) FILTER (WHERE t.i IS NOT NULL) FROM t GROUP BY t.s
SELECT t.s, COALESCE(bit_xor(t.i), 0) FROM t GROUP BY t.s
SELECT DISTINCT t.s, bit_xor(t.i) OVER (PARTITION BY t.s) FROM t
SELECT q.s, bit_xor(q.i) FROM (SELECT s, i FROM t UNION ALL SELECT s, i FROM t) q GROUP BY q.s
SELECT q.s, bit_xor(q.i) FROM (SELECT s, i FROM t UNION SELECT s, i FROM t) q GROUP BY q.s
SELECT q.s, bit_xor(q.i) FROM (SELECT DISTINCT s, i FROM t) q GROUP BY q.s
SELECT q.s, bit_xor(q.x) FROM (SELECT s, bit_xor(i) AS x FROM t GROUP BY s, j) q GROUP BY q.s

-- query
SELECT jsonb_agg(t.c ORDER BY t.id) FROM t WHERE t.c = t.e
SELECT jsonb_agg(t.e ORDER BY t.id) FROM t WHERE t.c = t.e
SELECT jsonb_agg(t.n ORDER BY t.id) FROM t WHERE t.n = t.o
SELECT jsonb_agg(t.o ORDER BY t.id) FROM t WHERE t.n = t.o
SELECT jsonb_agg(t.o::numeric(9, 3) ORDER BY t.id) FROM t WHERE t.n = t.o
SELECT jsonb_agg(t.n ORDER BY t.id) FROM t WHERE t.n = t.o AND t.n IS NOT NULL

-- query
SELECT count(*) FROM t HAVING array_agg(t.v ORDER BY t.v) IS NULL
SELECT count(*) FROM t HAVING count(*) = 0
SELECT count(*) FROM t HAVING count(t.v) = 0
SELECT count(*) FROM t HAVING bit_or(t.i) IS NULL
SELECT count(*) FROM t HAVING max(t.i) IS NULL
SELECT count(*) FROM t HAVING string_agg(t.v, '' ORDER BY t.v) IS NULL

-- query
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j) FROM t
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j DESC) FROM t
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j NULLS FIRST) FROM t
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j, t.id) FROM t
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j GROUPS UNBOUNDED PRECEDING) FROM t
SELECT t.id, bit_or(t.i) OVER (ORDER BY t.j ROWS UNBOUNDED PRECEDING) FROM t
SELECT t.id, (SELECT bit_or(w.i) FROM t w WHERE w.j <= t.j) FROM t
SELECT t.id, (SELECT bit_or(w.i) FROM t w WHERE w.j <= t.j OR t.j IS NULL) FROM t

-- query
SELECT count(*) FROM (SELECT DISTINCT to_jsonb(t.n) AS a FROM t) q
SELECT count(*) FROM (SELECT DISTINCT to_jsonb(t.n)::text AS a FROM t) q
SELECT count(*) FROM (SELECT to_jsonb(t.n) AS a FROM t GROUP BY to_jsonb(t.n)) q
SELECT count(*) FROM (SELECT to_jsonb(t.n) AS a FROM t UNION SELECT to_jsonb(t.n) FROM t) q
SELECT count(DISTINCT to_jsonb(t.n)) FROM t
SELECT count(DISTINCT to_jsonb(t.n)::text) FROM t
SELECT count(DISTINCT to_jsonb(t.o)) FROM t
SELECT count(*) FROM (SELECT to_jsonb(t.n) AS a FROM t UNION SELECT to_jsonb(t.o) FROM t) q
SELECT count(*) FROM (SELECT DISTINCT to_jsonb(t.n) AS a FROM t) q WHERE q.a::text <> ''

-- query
SELECT q.a::text FROM (SELECT t.m - t.y AS a FROM t UNION SELECT justify_hours(t.m - t.y) FROM t) q
SELECT q.a::text FROM (SELECT t.m - t.y AS a FROM t UNION ALL SELECT justify_hours(t.m - t.y) FROM t) q
SELECT (t.m - t.y)::text FROM t UNION SELECT justify_hours(t.m - t.y)::text FROM t
SELECT q.a::text FROM (SELECT DISTINCT t.m - t.y AS a FROM t) q
SELECT q.a::text FROM (SELECT DISTINCT justify_hours(t.m - t.y) AS a FROM t) q
SELECT DISTINCT justify_hours(t.m - t.y)::text FROM t
SELECT DISTINCT (t.m - t.y)::text FROM t
SELECT (t.m - t.y)::text FROM t GROUP BY t.m - t.y

-- query
SELECT q.a::text, count(*) FROM (SELECT m - y AS a FROM t UNION ALL SELECT justify_hours(m - y) FROM t) q GROUP BY q.a
SELECT q.a::text, count(*) FROM (SELECT m - y AS a FROM t UNION ALL SELECT justify_hours(m - y) FROM t) q GROUP BY q.a, q.a::text
SELECT q.a::text, count(*) FROM (SELECT m - y AS a FROM t UNION ALL SELECT justify_hours(m - y) FROM t) q GROUP BY q.a::text
SELECT q.a::text, count(q.a) FROM (SELECT m - y AS a FROM t UNION ALL SELECT justify_hours(m - y) FROM t) q GROUP BY q.a
SELECT q.a::text, count(DISTINCT q.a) FROM (SELECT m - y AS a FROM t UNION ALL SELECT justify_hours(m - y) FROM t) q GROUP BY q.a::text

-- query
SELECT ARRAY[t.i, t.j] AS a, count(*) FROM t GROUP BY ARRAY[t.i, t.j]
SELECT ARRAY[t.i, t.j] AS a, count(*) FROM t GROUP BY t.i, t.j
SELECT ARRAY[t.j, t.i] AS a, count(*) FROM t GROUP BY ARRAY[t.j, t.i]
SELECT q.a, count(*) FROM (SELECT ARRAY[t.i, t.j] AS a FROM t) q GROUP BY q.a
SELECT q.a, count(q.a) FROM (SELECT ARRAY[t.i, t.j] AS a FROM t) q GROUP BY q.a
SELECT DISTINCT ARRAY[t.i, t.j] AS a, count(*) OVER (PARTITION BY ARRAY[t.i, t.j]) FROM t
SELECT DISTINCT ARRAY[t.i, t.j] AS a, 1 FROM t
SELECT ARRAY[t.i, t.j] AS a, 1 FROM t UNION SELECT ARRAY[t.i, t.j], 1 FROM t

-- query
SELECT t.id FROM t WHERE ARRAY[t.n] IS NOT DISTINCT FROM ARRAY[t.o]
SELECT t.id FROM t WHERE ARRAY[t.n]::text IS NOT DISTINCT FROM ARRAY[t.o]::text
SELECT t.id FROM t WHERE ARRAY[t.n] = ARRAY[t.o]
SELECT t.id FROM t WHERE ARRAY[t.i] IS NOT DISTINCT FROM ARRAY[t.j]
SELECT t.id FROM t WHERE ARRAY[t.i]::text IS NOT DISTINCT FROM ARRAY[t.j]::text
SELECT t.id FROM t WHERE t.i IS NOT DISTINCT FROM t.j
SELECT t.id FROM t WHERE ARRAY[t.i] = ARRAY[t.j]

-- query
SELECT t.id, rank() OVER (ORDER BY t.m - t.y) FROM t
SELECT t.id, rank() OVER (ORDER BY justify_hours(t.m - t.y)) FROM t
SELECT t.id, rank() OVER (ORDER BY (t.m - t.y)::text) FROM t
SELECT t.id, rank() OVER (ORDER BY t.m - t.y DESC) FROM t
SELECT t.id, row_number() OVER (ORDER BY t.m - t.y, t.id) FROM t
SELECT t.id, rank() OVER (ORDER BY t.m - t.y, t.id) FROM t
SELECT t.id, rank() OVER (ORDER BY t.m - t.y NULLS FIRST) FROM t

-- query
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE 3 > id UNION ALL SELECT t.id FROM t JOIN r ON r.id + 1 = t.id) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id <= 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM t WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 2) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT u.id FROM u JOIN r ON u.id = r.id + 1) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT DISTINCT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1) SELECT id FROM r WHERE id IS NOT NULL
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL SELECT t.id FROM t JOIN r ON t.id = r.id + 1 AND t.id > r.id) SELECT id FROM r
WITH RECURSIVE r AS (SELECT id FROM u WHERE id < 3 UNION ALL (SELECT t.id FROM t JOIN r ON t.id = r.id + 1 ORDER BY t.id)) SELECT id FROM r
