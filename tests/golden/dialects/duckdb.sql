# DuckDB's own ways to write a query, and its traps.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));

# FROM stands first.
decide
FROM t
----
SELECT * FROM t
----
equivalent

# GROUP BY ALL groups by what is no aggregate.
decide
SELECT name, COUNT(*) FROM t GROUP BY ALL
----
SELECT name, COUNT(*) FROM t GROUP BY name
----
equivalent

# GROUP BY ALL of an expression is not GROUP BY its column.
decide
SELECT a + b, COUNT(*) FROM t GROUP BY ALL
----
SELECT a + b, COUNT(*) FROM t GROUP BY a, b
----
not_equivalent

# ORDER BY ALL sorts by the columns from left to right.
decide
SELECT a, b FROM t ORDER BY ALL
----
SELECT a, b FROM t ORDER BY a, b
----
equivalent

decide
SELECT a, b FROM t ORDER BY ALL
----
SELECT a, b FROM t ORDER BY b, a
----
not_equivalent

# EXCLUDE leaves columns out.
decide
SELECT * EXCLUDE (b, name, d, ts, r, n, q) FROM t
----
SELECT id, a FROM t
----
equivalent

# REPLACE computes a column where it stands.
decide
SELECT u.* REPLACE (x + 1 AS x) FROM u
----
SELECT id, t_id, x + 1 FROM u
----
equivalent

decide
SELECT u.* REPLACE (x + 1 AS x) FROM u
----
SELECT id, t_id, x FROM u
----
not_equivalent

# COLUMNS takes the columns that a pattern finds.
decide
SELECT COLUMNS('id') FROM u
----
SELECT id, t_id FROM u
----
equivalent

# A result column may be named in WHERE.
decide
SELECT a + 1 AS k FROM t WHERE k > 3
----
SELECT a + 1 FROM t WHERE a + 1 > 3
----
equivalent

# A column comes before a result column of the same name in WHERE.
decide
SELECT a + 1 AS b FROM t WHERE b > 3
----
SELECT a + 1 FROM t WHERE a + 1 > 3
----
not_equivalent

# A result column comes before a column of the same name in ORDER BY.
decide
SELECT a AS b FROM t ORDER BY b
----
SELECT a FROM t ORDER BY t.b
----
not_equivalent

# A result column may be named by those after it.
decide
SELECT a + 1 AS k, k * 2 FROM t
----
SELECT a + 1, (a + 1) * 2 FROM t
----
equivalent

# Aliases in HAVING.
decide
SELECT name, COUNT(*) AS k FROM t GROUP BY name HAVING k > 1
----
SELECT name, COUNT(*) FROM t GROUP BY name HAVING COUNT(*) > 1
----
equivalent

# QUALIFY is a condition on windows.
decide
SELECT id FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) = 1
----
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) AS k FROM t) s WHERE k = 1
----
equivalent

decide
SELECT id FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) = 1
----
SELECT id FROM t QUALIFY RANK() OVER (PARTITION BY a ORDER BY b) = 1
----
not_equivalent

# A SEMI join keeps a row once.
decide
SELECT t.a FROM t SEMI JOIN u ON u.t_id = t.id
----
SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)
----
equivalent

decide
SELECT t.a FROM t SEMI JOIN u ON u.t_id = t.id
----
SELECT t.a FROM t JOIN u ON u.t_id = t.id
----
not_equivalent

# An ANTI join keeps the rows without a partner.
decide
SELECT t.a FROM t ANTI JOIN u ON u.t_id = t.id
----
SELECT t.a FROM t LEFT JOIN u ON u.t_id = t.id WHERE u.id IS NULL
----
equivalent

# NOT IN of a column with NULL is no ANTI join.
decide
SELECT id FROM t WHERE b NOT IN (SELECT x FROM u)
----
SELECT id FROM t ANTI JOIN u ON u.x = t.b
----
not_equivalent

# DISTINCT ON keeps the first row of each key.
decide
SELECT DISTINCT ON (a) a, id FROM t ORDER BY a, id
----
SELECT a, MIN(id) FROM t GROUP BY a ORDER BY a
----
equivalent

# The quotient of integers is a DOUBLE.
decide
SELECT a / 2 FROM t
----
SELECT a * 0.5 FROM t
----
equivalent

decide
SELECT a / 2 FROM t
----
SELECT a // 2 FROM t
----
not_equivalent

# A whole quotient is cut off towards zero.
decide
SELECT a // 2 FROM t
----
SELECT FLOOR(a / 2) FROM t
----
not_equivalent

# A mean is a sum by a count.
decide
SELECT SUM(a) / COUNT(a) FROM t
----
SELECT AVG(a) FROM t
----
equivalent

# A decimal is rounded half away from zero, a DOUBLE half to even.
decide
SELECT CAST(CAST(2.5 AS DECIMAL(3, 1)) AS INTEGER) FROM t
----
SELECT 3 FROM t
----
equivalent

decide
SELECT CAST(r AS INTEGER) FROM t WHERE r = 2.5
----
SELECT 3 FROM t WHERE r = 2.5
----
not_equivalent

# NULL comes last, whichever way.
decide
SELECT a FROM t ORDER BY a DESC
----
SELECT a FROM t ORDER BY a DESC NULLS LAST
----
equivalent

decide
SELECT a FROM t ORDER BY a DESC
----
SELECT a FROM t ORDER BY a DESC NULLS FIRST
----
not_equivalent

# LIKE minds case, ILIKE does not.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name ILIKE 'a%'
----
not_equivalent

# A backslash escapes nothing unless ESCAPE says so.
decide
SELECT id FROM t WHERE name LIKE 'a\_b'
----
SELECT id FROM t WHERE name LIKE 'a$_b' ESCAPE '$'
----
not_equivalent

decide
SELECT id FROM t WHERE name LIKE 'a\_b' ESCAPE '\'
----
SELECT id FROM t WHERE name = 'a_b'
----
equivalent

# A literal beside a date is read as one, however it is spelt.
decide
SELECT id FROM t WHERE d = '2020-1-5'
----
SELECT id FROM t WHERE d = DATE '2020-01-05'
----
equivalent

# So is one beside a timestamp.
decide
SELECT id FROM t WHERE ts = '2020-01-05 10:00:00.0'
----
SELECT id FROM t WHERE ts = TIMESTAMP '2020-01-05 10:00:00'
----
equivalent

# A literal beside an integer is a number.
decide
SELECT id FROM t WHERE a = '5'
----
SELECT id FROM t WHERE a = 5
----
equivalent

# NULLIF converts its second value.
decide
SELECT NULLIF(a, '5') FROM t
----
SELECT CASE WHEN a = 5 THEN NULL ELSE a END FROM t
----
equivalent

# A date and an interval are a timestamp, whose text shows the time.
decide
SELECT CAST(d + INTERVAL 1 DAY AS VARCHAR) FROM t
----
SELECT CAST(d + 1 AS VARCHAR) FROM t
----
not_equivalent

# YEAR is the year of STRFTIME.
decide
SELECT id FROM t WHERE YEAR(d) = 2020
----
SELECT id FROM t WHERE STRFTIME(d, '%Y') = '2020'
----
equivalent

# Seconds are whole numbers.
decide
SELECT EXTRACT(second FROM ts) FROM t WHERE ts = '2020-01-05 10:00:07.75'
----
SELECT 7 FROM t WHERE ts = '2020-01-05 10:00:07.75'
----
equivalent

# A sum of truth values counts the true ones.
decide
SELECT SUM(q) FROM t
----
SELECT SUM(CAST(q AS INTEGER)) FROM t
----
equivalent

decide
SELECT SUM(q) FROM t
----
SELECT COUNT(q) FROM t
----
not_equivalent

# GREATEST passes over NULL.
decide
SELECT GREATEST(a, b) FROM t WHERE b IS NULL
----
SELECT a FROM t WHERE b IS NULL
----
equivalent

# USING shows a column once; a FULL join shows the one that is there.
decide
SELECT id FROM t FULL JOIN u USING (id)
----
SELECT COALESCE(t.id, u.id) FROM t FULL JOIN u ON t.id = u.id
----
equivalent

# A text is read as a number, and rounded.
decide
SELECT id FROM t WHERE CAST(name AS INTEGER) = 3
----
SELECT id FROM t WHERE 3 = CAST(name AS INTEGER)
----
equivalent

decide
SELECT id FROM t WHERE CAST(name AS INTEGER) = 3
----
SELECT id FROM t WHERE name = '3'
----
not_equivalent

# ROLLUP adds a group of all rows.
decide
SELECT name, COUNT(*) FROM t GROUP BY ROLLUP (name)
----
SELECT name, COUNT(*) FROM t GROUP BY name
----
not_equivalent

decide
SELECT name, COUNT(*) FROM t GROUP BY ROLLUP (name)
----
SELECT NULL, COUNT(*) FROM t UNION ALL SELECT name, COUNT(*) FROM t GROUP BY name
----
equivalent

# A foreign key is kept.
decide
SELECT u.id FROM u JOIN t ON t.id = u.t_id
----
SELECT id FROM u
----
equivalent

# A CHECK is kept.
decide
SELECT id FROM u WHERE x > 0
----
SELECT id FROM u WHERE x IS NOT NULL
----
equivalent

# LAST is a choice.
decide
SELECT last(a) FROM t
----
SELECT MAX(a) FROM t
----
undecided NO_PROOF

# What is not read is refused by name.
decide
SELECT CAST(name AS BOOLEAN) FROM t
----
SELECT q FROM t
----
undecided

decide
SELECT COUNT(*) FROM t GROUP BY ()
----
SELECT COUNT(*) FROM t
----
undecided UNSUPPORTED

decide
SELECT [a, b] FROM t
----
SELECT a FROM t
----
not_equivalent by=generate

decide
SELECT a FROM t USING SAMPLE 50%
----
SELECT a FROM t
----
undecided UNSUPPORTED

# A constant that is looked for is a pattern.
decide
SELECT id FROM t WHERE contains(name, 'a%b')
----
SELECT id FROM t WHERE name LIKE '%a$%b%' ESCAPE '$'
----
equivalent

decide
SELECT id FROM t WHERE suffix(name, 'ab')
----
SELECT id FROM t WHERE right(name, 2) = 'ab'
----
equivalent

decide
SELECT id FROM t WHERE instr(name, 'ab') <> 0
----
SELECT id FROM t WHERE regexp_matches(name, 'ab')
----
equivalent

decide
SELECT id FROM t WHERE contains(name, 'A')
----
SELECT id FROM t WHERE name ILIKE '%a%'
----
not_equivalent

decide
SELECT id FROM t WHERE suffix(name, 'b')
----
SELECT id FROM t WHERE suffix(name, 'ab')
----
not_equivalent
