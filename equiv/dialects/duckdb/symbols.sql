-- Questions of symbols, calls that the core has no meaning for: their arguments may be equal and not identical, NULL, or
-- raise an error.  Below "where" a line is the condition of SELECT t.id, $s FROM t, below "query" a whole query;
-- equiv/dialects/words.py reads them and says what $ stands for.

-- query
SELECT t.id FROM t WHERE t.n = t.o AND md5(t.n::VARCHAR) < '8'
SELECT t.id FROM t WHERE t.n = t.o AND md5(t.o::VARCHAR) < '8'
SELECT t.id FROM t WHERE md5(t.n::VARCHAR) < '8' AND t.o = t.n
SELECT t.id FROM t WHERE t.n = t.o AND typeof(t.n) = typeof(t.o)
SELECT t.id FROM t WHERE t.n = t.o AND hash(t.n) = hash(t.o)
SELECT t.id FROM t WHERE t.n = t.o AND hash(t.n) IS NOT NULL

-- query
SELECT t.id, hash(t.i) % 7 FROM t WHERE t.i = t.j
SELECT t.id, hash(t.j) % 7 FROM t WHERE t.i = t.j
SELECT t.id, hash(t.i) % 7 FROM t WHERE t.j = t.i AND t.i IS NOT NULL
SELECT t.id, hash(t.i::BIGINT) % 7 FROM t WHERE t.i = t.j
SELECT t.id, hash(t.j::INTEGER) % 7 FROM t WHERE t.j = t.i

-- query
SELECT t.id, md5(t.v) FROM t JOIN u ON t.v = u.s
SELECT t.id, md5(u.s) FROM t JOIN u ON u.s = t.v
SELECT t.id, md5(t.v) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.s = t.v)
SELECT t.id, md5(t.v) FROM t WHERE t.v IN (SELECT s FROM u)
SELECT t.id, md5(t.v) FROM t LEFT JOIN u ON t.v = u.s WHERE u.id IS NOT NULL
SELECT t.id, md5(t.v) FROM t LEFT JOIN u ON t.v = u.s
SELECT t.id, md5(u.s) FROM t LEFT JOIN u ON t.v = u.s
SELECT t.id, [u.s] FROM t LEFT JOIN u ON t.v = u.s
SELECT t.id, CASE WHEN u.id IS NOT NULL THEN [u.s] END FROM t LEFT JOIN u ON t.v = u.s

-- where
md5($c) IS NULL
$c IS NULL
reverse($c) IS NULL
[$c] IS NULL
[$c][1] IS NULL
hash($c) IS NULL
concat_ws('-', $c, $c) IS NULL
NULLIF(md5($c), 'x') IS NULL
COALESCE(md5($c), '') = ''
NOT (md5($c) IS NOT NULL)

-- where
list_contains([t.j, t.i], t.i)
list_contains([t.i, t.j], t.i)
list_contains([t.i], t.i)
t.i IN (t.j, t.i)
t.i IS NOT NULL
list_position([t.j, t.i], t.i) > 0
list_has_any([t.i], [t.j, t.i])
t.i IS NOT NULL AND list_contains([t.i, t.j], t.i)
NOT list_contains([t.j, 1], t.i)

-- query
SELECT t.id FROM t WHERE [t.n] = [t.o]
SELECT t.id FROM t WHERE t.n = t.o
SELECT t.id FROM t WHERE [t.n]::VARCHAR = [t.o]::VARCHAR
SELECT t.id FROM t WHERE t.n::VARCHAR = t.o::VARCHAR
SELECT t.id FROM t WHERE t.n IS NOT DISTINCT FROM t.o
SELECT t.id FROM t WHERE {'a': t.n} = {'a': t.o}
SELECT t.id FROM t WHERE to_json(t.n) = to_json(t.o)

-- query
SELECT t.id FROM t WHERE [t.v] = [t.s]
SELECT t.id FROM t WHERE t.v = t.s
SELECT t.id FROM t WHERE [t.s] = [t.v] AND t.v IS NOT NULL
SELECT t.id FROM t WHERE t.v IS NOT DISTINCT FROM t.s
SELECT t.id FROM t WHERE {'a': t.v} = {'a': t.s}
SELECT t.id FROM t WHERE [t.v][1] = [t.s][1]
SELECT t.id FROM t WHERE {'a': t.v}.a = {'b': t.s}.b

-- query
SELECT md5(t.v), count(*) FROM t GROUP BY t.v
SELECT md5(t.v), count(*) FROM t GROUP BY md5(t.v)
SELECT md5(t.v), count(md5(t.v)) FROM t GROUP BY t.v
SELECT DISTINCT md5(t.v), 1 FROM t
SELECT md5(v), 1 FROM (SELECT DISTINCT v FROM t) q
SELECT md5(t.v), count(t.v) FROM t GROUP BY md5(t.v)
SELECT md5(max(t.v)), count(*) FROM t GROUP BY t.v
SELECT max(md5(t.v)), count(*) FROM t GROUP BY t.v

-- query
SELECT t.id, (t.m - t.y)::VARCHAR FROM t WHERE t.m - t.y = INTERVAL 1 DAY
SELECT t.id, (INTERVAL 1 DAY)::VARCHAR FROM t WHERE t.m - t.y = INTERVAL 1 DAY
SELECT t.id, (INTERVAL 24 HOUR)::VARCHAR FROM t WHERE t.m - t.y = INTERVAL 24 HOUR
SELECT t.id, (t.m - t.y)::VARCHAR FROM t WHERE t.m - t.y = INTERVAL 24 HOUR
SELECT t.id, (t.m - t.y)::VARCHAR FROM t WHERE INTERVAL 1 DAY = t.m - t.y AND t.m IS NOT NULL
SELECT t.id, (t.m - t.y)::VARCHAR FROM t WHERE t.m IS NOT NULL AND t.y IS NOT NULL

-- query
SELECT t.id FROM t WHERE t.s ~ '^(a|b)c?' AND t.i <> 0
SELECT t.id FROM t WHERE t.i <> 0 AND t.s ~ '^(a|b)c?'
SELECT t.id FROM t WHERE CASE WHEN t.i <> 0 THEN regexp_matches(t.s, '^(a|b)c?', 'i') ELSE false END
SELECT t.id FROM t WHERE regexp_matches(t.s, '^(a|b)c?', 'i') AND t.i <> 0
SELECT t.id FROM t WHERE regexp_extract(t.s, '^(a|b)c?', 1) <> '' AND t.i <> 0
SELECT t.id FROM t WHERE regexp_extract(t.s, '^(a|b)c?', 1) IS NOT NULL AND t.i <> 0
SELECT t.id FROM t WHERE (regexp_matches(t.s, '^(a|b)c?', 'i')) = true AND NOT t.i = 0

-- query
SELECT t.id, t.f::VARCHAR FROM t WHERE t.f = t.n
SELECT t.id, t.n::VARCHAR FROM t WHERE t.f = t.n
SELECT t.id, t.f::VARCHAR FROM t WHERE t.f = 0
SELECT t.id, (-t.f)::VARCHAR FROM t WHERE t.f = 0
SELECT t.id, [t.f]::VARCHAR FROM t WHERE t.f = 0
SELECT t.id, [0::DOUBLE]::VARCHAR FROM t WHERE t.f = 0
SELECT t.id, cbrt(t.f) FROM t WHERE t.f = 1
SELECT t.id, cbrt(t.n::DOUBLE) FROM t WHERE t.f = 1 AND t.f = t.n

-- query
SELECT t.id, date_trunc('week', t.d) FROM t WHERE t.d = t.m
SELECT t.id, date_trunc('week', t.m) FROM t WHERE t.d = t.m
SELECT t.id, date_trunc('week', t.d) FROM t WHERE t.m = t.d AND t.d IS NOT NULL
SELECT t.id, strftime(t.d, '%A %p') FROM t WHERE t.d = t.m
SELECT t.id, strftime(t.m, '%A %p') FROM t WHERE t.d = t.m
SELECT t.id, epoch(t.d) FROM t WHERE t.d = t.m
SELECT t.id, epoch(t.m) FROM t WHERE t.d = t.m
SELECT t.id, date_trunc('week', t.x) FROM t WHERE t.x = t.d
SELECT t.id, date_trunc('week', t.d) FROM t WHERE t.x = t.d

-- query
SELECT t.id, [t.i, t.j][1] FROM t
SELECT t.id, [t.i, t.j][2] FROM t
SELECT t.id, {'a': t.i, 'b': t.j}.a FROM t
SELECT t.id, {'b': t.i, 'a': t.j}.a FROM t
SELECT t.id, MAP {'a': t.i}['a'] FROM t
SELECT t.id, MAP {'a': t.j}['a'] FROM t
SELECT t.id, t.i FROM t

-- query
SELECT t.id FROM t WHERE t.v::INTEGER[] IS NULL AND t.i = 1
SELECT t.id FROM t WHERE t.i = 1 AND t.v::INTEGER[] IS NULL
SELECT t.id FROM t WHERE t.i = 1 AND t.v IS NULL
SELECT t.id FROM t WHERE TRY_CAST(t.v AS INTEGER[]) IS NULL AND t.i = 1
SELECT t.id FROM t WHERE t.i = 1 AND t.v::JSON ->> 'a' IS NULL
SELECT t.id FROM t WHERE t.v::JSON -> 'a' IS NULL AND t.i = 1

-- query
SELECT t.id FROM t WHERE 2 = ANY ([t.i, t.j])
SELECT t.id FROM t WHERE list_contains([t.i, t.j], 2)
SELECT t.id FROM t WHERE t.i = 2 OR t.j = 2
SELECT t.id FROM t WHERE NOT 2 <> ALL ([t.i, t.j])
SELECT t.id FROM t WHERE [t.i, t.j] @> [2]
SELECT t.id FROM t WHERE 2 = ALL ([t.i, t.j])
SELECT t.id FROM t WHERE 2 <> ANY ([t.i, t.j])

-- query
SELECT t.id, t.v = ANY (string_split(t.s, ',')) FROM t
SELECT t.id, list_contains(string_split(t.s, ','), t.v) FROM t
SELECT t.id, coalesce(list_contains(string_split(t.s, ','), t.v), false) FROM t
SELECT t.id, t.v IN (SELECT unnest(string_split(t.s, ','))) FROM t
SELECT t.id, string_split(t.s, ',') && [t.v] FROM t
SELECT t.id, NOT t.v <> ALL (string_split(t.s, ',')) FROM t
SELECT t.id, NOT t.v <> ANY (string_split(t.s, ',')) FROM t
SELECT t.id, t.v = ALL (string_split(t.s, ',')) FROM t
