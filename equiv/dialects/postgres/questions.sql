-- Questions that PostgreSQL alone has: the text of a numeric, functions in FROM.
-- Below "where" a line is the condition of SELECT t.id, $s FROM t, below "shown" a value of each row of t, below "query" a
-- whole query; equiv/dialects/words.py reads them and says what $ stands for.

-- shown
t.o::text
t.o::numeric(9, 3)::text
(t.o + 0)::numeric(7, 2)::text
RTRIM(t.o::text, '0')
t.o::numeric(7, 2)::text
CASE WHEN t.o IS NOT NULL THEN t.o::text END

-- query
SELECT t.id FROM t JOIN generate_series(1, 3) AS g ON g = t.i
SELECT t.id FROM t WHERE t.i BETWEEN 1 AND 3
SELECT t.id FROM t WHERE t.i IN (SELECT * FROM generate_series(1, 3))
SELECT t.id FROM t WHERE t.i IN (1, 3)
SELECT t.id FROM t, unnest(ARRAY[1, 2, 3]) AS x WHERE x = t.i
SELECT t.id FROM t, unnest(ARRAY[1, 2, 2, 3]) AS x WHERE x = t.i
SELECT t.id FROM t, generate_series(1, 3) AS g WHERE g >= t.i
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM generate_series(1, 3) AS g WHERE g = t.i)
