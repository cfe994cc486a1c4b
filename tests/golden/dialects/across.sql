# One question in two dialects: predictions in the first, gold queries in the other, on one schema of the first.
schema dialect=sqlite/postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name TEXT, city TEXT, d DATE, ts DATETIME, r REAL, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER);
CREATE TABLE odd (id INTEGER PRIMARY KEY, what, nick TEXT COLLATE NOCASE);

# Integer division truncates on both; a zero below is NULL on one and an error on the other.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
equivalent

# SQLite's LIKE ignores the case of ASCII letters; PostgreSQL's does not.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'a%'
----
not_equivalent

# The migration of such a LIKE is ILIKE: for plain ASCII patterns only the letters beyond differ.
decide
SELECT id FROM t WHERE a > 1 AND name LIKE '%'
----
SELECT id FROM t WHERE a > 1 AND name IS NOT NULL
----
equivalent

# A backslash escapes in PostgreSQL's LIKE and is a letter in SQLite's.
decide
SELECT id FROM t WHERE name LIKE '\%'
----
SELECT id FROM t WHERE name LIKE '\%'
----
not_equivalent

# NULL stands first in SQLite's order and last in PostgreSQL's.
decide
SELECT name FROM t ORDER BY name
----
SELECT name FROM t ORDER BY name
----
not_equivalent

# Where NULL stands is said.
decide
SELECT name FROM t ORDER BY name
----
SELECT name FROM t ORDER BY name NULLS FIRST
----
equivalent

# A column that is never NULL is in one order.
decide
SELECT id FROM t ORDER BY id DESC
----
SELECT id FROM t ORDER BY id DESC
----
equivalent

# A half rounds away from zero in SQLite and to even in PostgreSQL, where the number is a float.
decide
SELECT ROUND(r) FROM t
----
SELECT ROUND(r) FROM t
----
not_equivalent

# A numeric rounds away from zero in both.
decide
SELECT ROUND(n) FROM t
----
SELECT ROUND(n) FROM t
----
equivalent

# A cast to an integer cuts in SQLite and rounds in PostgreSQL.
decide
SELECT CAST(n AS INTEGER) FROM t
----
SELECT CAST(n AS INTEGER) FROM t
----
not_equivalent

# A negative position counts from the end in SQLite, and stands before the text in PostgreSQL.
decide
SELECT SUBSTR(name, -2, 2) FROM t
----
SELECT SUBSTR(name, -2, 2) FROM t
----
not_equivalent

# From position 1 both take the same.
decide
SELECT SUBSTR(name, 1, 2) FROM t
----
SELECT LEFT(name, 2) FROM t
----
equivalent

# LOWER of SQLite knows ASCII letters alone.
decide
SELECT LOWER(name) FROM t
----
SELECT LOWER(name) FROM t
----
not_equivalent

# A sum of integers is exact in PostgreSQL, and its quotient a numeric.
decide
SELECT SUM(a) / COUNT(*) FROM t
----
SELECT SUM(a) / COUNT(*) FROM t
----
not_equivalent

# AVG is a fraction in both.
decide
SELECT AVG(a) FROM t
----
SELECT AVG(a) FROM t
----
equivalent

# A division of whole numbers that a DECIMAL column of SQLite holds is one of integers.
decide
SELECT n / 2 FROM t
----
SELECT n / 2 FROM t
----
not_equivalent

# A date beside a day.
decide
SELECT id FROM t WHERE d >= '2012-01-01'
----
SELECT id FROM t WHERE d >= '2012-01-01'
----
equivalent

# Beside a year alone SQLite's DATE column, whose affinity is numeric, compares a text with a number.
decide
SELECT id FROM t WHERE d < '2013'
----
SELECT id FROM t WHERE CAST(d AS TEXT) < '2013'
----
not_equivalent

# As texts of years both mean the same.
decide
SELECT id FROM t WHERE STRFTIME('%Y', d) = '2012'
----
SELECT id FROM t WHERE EXTRACT(YEAR FROM d) = 2012
----
equivalent

# An instant beside a day: the text of the day is less than that of its midnight.
decide
SELECT id FROM t WHERE ts > '2012-01-01'
----
SELECT id FROM t WHERE ts > '2012-01-01'
----
not_equivalent

# A date less one is a number in SQLite: that of its year.
decide
SELECT d - 1 FROM t
----
SELECT d - 1 FROM t
----
not_equivalent

# CAST AS DATE is a cast to a number in SQLite.
decide
SELECT CAST(ts AS DATE) FROM t
----
SELECT CAST(ts AS DATE) FROM t
----
not_equivalent

# A boolean is 0 or 1 beside SQLite.
decide
SELECT q FROM t
----
SELECT q FROM t
----
equivalent

# Its text is a word in PostgreSQL.
decide
SELECT CAST(q AS TEXT) FROM t
----
SELECT CAST(q AS TEXT) FROM t
----
not_equivalent

# PostgreSQL compares no boolean with a number: the gold query is none.
decide
SELECT id FROM t WHERE q = 1
----
SELECT id FROM t WHERE q = 1
----
undecided GOLD_INVALID

# A bare column beside GROUP BY is refused.
decide
SELECT name, a FROM t GROUP BY name
----
SELECT name, a FROM t GROUP BY name
----
undecided GOLD_INVALID

# A text joined with NULL is NULL in both.
decide
SELECT name || NULL FROM t
----
SELECT name || NULL FROM t
----
equivalent

# Integers of PostgreSQL and SQLite join as themselves.
decide
SELECT t.name, COUNT(*) FROM t JOIN u ON u.t_id = t.id GROUP BY t.id, t.name
----
SELECT t.name, COUNT(u.id) FROM u, t WHERE t.id = u.t_id GROUP BY t.name, t.id
----
equivalent

# A table with a column of a type that PostgreSQL has not is not told; only the query that asks for it is undecided.
decide
SELECT id FROM odd
----
SELECT id FROM odd
----
undecided UNSUPPORTED

# The current time is read with a precision of its own by each engine.
decide
SELECT id FROM t WHERE d < DATE('now')
----
SELECT id FROM t WHERE d < CURRENT_DATE
----
undecided UNSUPPORTED

# Two DATE columns are compared as they are, whatever their affinity.
decide
SELECT t.id FROM t JOIN t AS o ON t.d = o.d WHERE o.id = 1
----
SELECT t.id FROM t AS o JOIN t ON o.d = t.d WHERE o.id = 1
----
equivalent

# Beyond a subquery the affinity of a DATE column still counts: '2013' is a number beside it in SQLite.
decide
SELECT x FROM (SELECT d AS x FROM t) AS v WHERE x < '2013'
----
SELECT x FROM (SELECT d AS x FROM t) AS v WHERE CAST(x AS TEXT) < '2013'
----
not_equivalent

# A day is a text on both.
decide
SELECT x FROM (SELECT d AS x FROM t) AS v WHERE x < '2013-01-01'
----
SELECT x FROM (SELECT d AS x FROM t) AS v WHERE x < DATE '2013-01-01'
----
equivalent

# REAL is a float of 32 bits in PostgreSQL, of 64 in SQLite: a fraction shows it.
decide
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t
----
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t
----
not_equivalent

# A whole number does, if it is great: under exact arithmetic it is the same.
decide names=exact_arithmetic
SELECT CAST(COUNT(a) AS REAL) * 100 / COUNT(*) FROM t
----
SELECT CAST(COUNT(a) AS REAL) * 100 / COUNT(*) FROM t
----
equivalent

decide names=exact_arithmetic
SELECT CAST(SUM(a) AS REAL) / COUNT(*) FROM t
----
SELECT CAST(SUM(a) AS REAL) / NULLIF(COUNT(*), 0) FROM t
----
equivalent

decide
SELECT CAST(SUM(r) AS REAL) / COUNT(*) FROM t
----
SELECT CAST(SUM(r) AS REAL) / COUNT(*) FROM t
----
undecided UNSUPPORTED

decide
SELECT CAST(SUM(a) AS REAL) / COUNT(*) FROM t
----
SELECT CAST(SUM(a) AS REAL) / COUNT(a) FROM t
----
not_equivalent

# Beyond 24 bits a constant is another number.
decide
SELECT 16777217 FROM t
----
SELECT CAST(16777217 AS REAL) FROM t
----
not_equivalent

schema dialect=sqlite/duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name TEXT, city TEXT, d DATE, ts DATETIME, r REAL, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER);
CREATE TABLE odd (id INTEGER PRIMARY KEY, what, nick TEXT COLLATE NOCASE);

# / divides floats in DuckDB and integers in SQLite.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
not_equivalent

# // is the division that SQLite means.
decide
SELECT a / 2 FROM t
----
SELECT a // 2 FROM t
----
equivalent

# % takes the sign of the dividend in both.
decide
SELECT a % 2 FROM t
----
SELECT a % 2 FROM t
----
equivalent

# SQLite's LIKE ignores the case of ASCII letters; DuckDB's does not.
decide
SELECT id FROM t WHERE name LIKE 'abc'
----
SELECT id FROM t WHERE name LIKE 'abc'
----
not_equivalent

# NULL stands first in SQLite's order and last in DuckDB's.
decide
SELECT name FROM t ORDER BY name
----
SELECT name FROM t ORDER BY name
----
not_equivalent

# Descending both have NULL last.
decide
SELECT name FROM t ORDER BY name DESC
----
SELECT name FROM t ORDER BY name DESC
----
equivalent

# DuckDB's ROUND is half away from zero, as SQLite's.
decide
SELECT ROUND(r) FROM t
----
SELECT ROUND(r) FROM t
----
equivalent

# DuckDB's cast to an integer rounds, SQLite's cuts.
decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT CAST(r AS INTEGER) FROM t
----
not_equivalent

# A negative position counts from the end in both.
decide
SELECT SUBSTR(name, -2) FROM t
----
SELECT SUBSTR(name, -2) FROM t
----
equivalent

# DuckDB's TRIM takes every kind of blank.
decide
SELECT TRIM(name) FROM t
----
SELECT TRIM(name) FROM t
----
not_equivalent

# UPPER of SQLite knows ASCII letters alone.
decide
SELECT UPPER(name) FROM t
----
SELECT UPPER(name) FROM t
----
not_equivalent

# A text beside a number: DuckDB casts the text.
decide
SELECT id FROM t WHERE name = 1
----
SELECT id FROM t WHERE name = 1
----
not_equivalent

# STRFTIME writes the same year.
decide
SELECT STRFTIME('%Y', d) FROM t
----
SELECT STRFTIME('%Y', d) FROM t
----
equivalent

# A boolean beside 1.
decide
SELECT id FROM t WHERE q = 1
----
SELECT id FROM t WHERE q = 1
----
equivalent

# A query that DuckDB refuses is none there: GROUP BY wants each column.
decide
SELECT name, a FROM t GROUP BY name
----
SELECT name, a FROM t GROUP BY name
----
undecided GOLD_INVALID

# A date beside a day.
decide
SELECT id FROM t WHERE d >= '2012-01-01'
----
SELECT id FROM t WHERE d >= '2012-01-01'
----
equivalent

# SQLite takes one value of a subquery that has several; DuckDB raises an error: without one they agree.
decide
SELECT (SELECT x FROM u WHERE u.t_id = t.id ORDER BY x NULLS FIRST LIMIT 1) FROM t
----
SELECT (SELECT x FROM u WHERE u.t_id = t.id ORDER BY x NULLS FIRST LIMIT 1) FROM t
----
equivalent

schema dialect=postgres/duckdb
CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, name varchar(20), city text, d date, ts timestamp, r double precision, n numeric(8, 2), q boolean);
CREATE TABLE u (id integer PRIMARY KEY, t_id integer NOT NULL REFERENCES t (id), x integer CHECK (x > 0));
CREATE TABLE odd (id integer PRIMARY KEY, tag uuid);

# / of integers truncates in PostgreSQL and is a float's in DuckDB.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
not_equivalent

# A numeric divides alike.
decide
SELECT n / 2 FROM t
----
SELECT n / 2 FROM t
----
equivalent

# NULL is the largest value in PostgreSQL: first when descending; DuckDB has it last.
decide
SELECT name FROM t ORDER BY name DESC
----
SELECT name FROM t ORDER BY name DESC
----
not_equivalent

# Ascending both have it last.
decide
SELECT name FROM t ORDER BY name
----
SELECT name FROM t ORDER BY name
----
equivalent

# A half rounds to even in PostgreSQL and away from zero in DuckDB, where the number is a float.
decide
SELECT ROUND(r) FROM t
----
SELECT ROUND(r) FROM t
----
not_equivalent

# A cast of a float to an integer rounds to even in both.
decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT CAST(r AS INTEGER) FROM t
----
equivalent

# A negative position counts from the end in DuckDB alone.
decide
SELECT SUBSTR(name, -2) FROM t
----
SELECT SUBSTR(name, -2) FROM t
----
not_equivalent

# PostgreSQL's LIKE escapes by a backslash without being told; DuckDB's does not.
decide
SELECT id FROM t WHERE name LIKE '\%'
----
SELECT id FROM t WHERE name LIKE '\%'
----
not_equivalent

# Else LIKE minds case in both.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'a%'
----
equivalent

# A boolean and a number are told apart.
decide
SELECT q FROM t
----
SELECT CAST(q AS INTEGER) FROM t
----
not_equivalent

# A sum of integers divided by a count is a numeric in PostgreSQL, as its division of integers is none.
decide
SELECT SUM(a) / COUNT(*) FROM t
----
SELECT SUM(a) / COUNT(*) FROM t
----
not_equivalent

# DuckDB writes EXTRACT as PostgreSQL does.
decide
SELECT EXTRACT(YEAR FROM d) FROM t
----
SELECT EXTRACT(YEAR FROM d) FROM t
----
equivalent

# A CHECK of the schema given holds on both engines.
decide
SELECT id FROM u WHERE x > 0
----
SELECT id FROM u WHERE x IS NOT NULL
----
equivalent

# A uuid has no counterpart: the table is not told.
decide
SELECT id FROM odd
----
SELECT id FROM odd
----
undecided UNSUPPORTED

schema dialect=postgres/sqlite
CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, name varchar(20), city text, d date, ts timestamp, r double precision, n numeric(8, 2), q boolean);
CREATE TABLE u (id integer PRIMARY KEY, t_id integer NOT NULL REFERENCES t (id), x integer CHECK (x > 0));
CREATE TABLE odd (id integer PRIMARY KEY, tag uuid);

# The same the other way round: integer division truncates on both; a zero below is NULL on one and an error on the other.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
equivalent

# The same the other way round: sQLite's LIKE ignores the case of ASCII letters; PostgreSQL's does not.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'a%'
----
not_equivalent

# The same the other way round: nULL stands first in SQLite's order and last in PostgreSQL's.
decide
SELECT name FROM t ORDER BY name
----
SELECT name FROM t ORDER BY name
----
not_equivalent

# The same the other way round: where NULL stands is said.
decide
SELECT name FROM t ORDER BY name NULLS FIRST
----
SELECT name FROM t ORDER BY name
----
equivalent

# The same the other way round: a half rounds away from zero in SQLite and to even in PostgreSQL, where the number is a float.
decide
SELECT ROUND(r) FROM t
----
SELECT ROUND(r) FROM t
----
not_equivalent

# The same the other way round: a negative position counts from the end in SQLite, and stands before the text in PostgreSQL.
decide
SELECT SUBSTR(name, -2, 2) FROM t
----
SELECT SUBSTR(name, -2, 2) FROM t
----
not_equivalent

# The same the other way round: as texts of years both mean the same.
decide
SELECT id FROM t WHERE EXTRACT(YEAR FROM d) = 2012
----
SELECT id FROM t WHERE STRFTIME('%Y', d) = '2012'
----
equivalent

schema dialect=duckdb/sqlite
CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, name varchar(20), city text, d date, ts timestamp, r double precision, n DECIMAL(8, 2), q boolean);
CREATE TABLE u (id integer PRIMARY KEY, t_id integer NOT NULL REFERENCES t (id), x integer CHECK (x > 0));
CREATE TABLE odd (id integer PRIMARY KEY, tag uuid);

# The same the other way round: / divides floats in DuckDB and integers in SQLite.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
not_equivalent

# The same the other way round: // is the division that SQLite means.
decide
SELECT a // 2 FROM t
----
SELECT a / 2 FROM t
----
equivalent

# The same the other way round: sQLite's LIKE ignores the case of ASCII letters; DuckDB's does not.
decide
SELECT id FROM t WHERE name LIKE 'abc'
----
SELECT id FROM t WHERE name LIKE 'abc'
----
not_equivalent

# The same the other way round: duckDB's cast to an integer rounds, SQLite's cuts.
decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT CAST(r AS INTEGER) FROM t
----
not_equivalent

# The same the other way round: sTRFTIME writes the same year.
decide
SELECT STRFTIME('%Y', d) FROM t
----
SELECT STRFTIME('%Y', d) FROM t
----
equivalent

schema dialect=duckdb/postgres
CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, name varchar(20), city text, d date, ts timestamp, r double precision, n DECIMAL(8, 2), q boolean);
CREATE TABLE u (id integer PRIMARY KEY, t_id integer NOT NULL REFERENCES t (id), x integer CHECK (x > 0));
CREATE TABLE odd (id integer PRIMARY KEY, tag uuid);

# The same the other way round: / of integers truncates in PostgreSQL and is a float's in DuckDB.
decide
SELECT a / b FROM t
----
SELECT a / b FROM t
----
not_equivalent

# The same the other way round: nULL is the largest value in PostgreSQL: first when descending; DuckDB has it last.
decide
SELECT name FROM t ORDER BY name DESC
----
SELECT name FROM t ORDER BY name DESC
----
not_equivalent

# The same the other way round: a half rounds to even in PostgreSQL and away from zero in DuckDB, where the number is a float.
decide
SELECT ROUND(r) FROM t
----
SELECT ROUND(r) FROM t
----
not_equivalent

# The same the other way round: a negative position counts from the end in DuckDB alone.
decide
SELECT SUBSTR(name, -2) FROM t
----
SELECT SUBSTR(name, -2) FROM t
----
not_equivalent

# The same the other way round: else LIKE minds case in both.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'a%'
----
equivalent
