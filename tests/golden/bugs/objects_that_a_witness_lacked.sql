# The witness had no function that its query calls, nor the right to call one of PostgreSQL's: no errors of the query's own.
schema dialect=postgres
CREATE TABLE city (id int PRIMARY KEY, name text);
CREATE FUNCTION is_vip(id int) RETURNS boolean LANGUAGE sql AS 'SELECT id > 1';
CREATE FUNCTION note(id int) RETURNS int LANGUAGE plpgsql AS 'BEGIN INSERT INTO city VALUES (id); RETURN id; END'

decide
SELECT is_vip(id), pg_sleep(60) FROM city
----
SELECT true, 1 FROM city
----
undecided UNSUPPORTED

decide
SELECT note(id), pg_sleep(60) FROM city
----
SELECT id, 1 FROM city
----
undecided UNSUPPORTED

# Sequences, too; and what the schema has that is passed over, or an index, is no fault of a query that names it.
schema dialect=postgres
CREATE TABLE t (id int PRIMARY KEY, n text);
CREATE SEQUENCE sq;
CREATE TEXT SEARCH CONFIGURATION my (COPY = english);
CREATE COLLATION mine (provider = icu, locale = 'de-u-kn-true')

decide
SELECT id FROM t WHERE 'sq'::regclass IS NOT NULL
----
SELECT id FROM t
----
equivalent

decide
SELECT currval('sq'), id FROM t
----
SELECT 1, id FROM t
----
undecided UNSUPPORTED

decide
SELECT to_tsvector('my', n)::text FROM t
----
SELECT n FROM t
----
undecided UNSUPPORTED

decide
SELECT n FROM t ORDER BY n COLLATE mine
----
SELECT n FROM t ORDER BY n
----
undecided UNSUPPORTED

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
CREATE INDEX by_n ON t (n)

decide
SELECT id FROM t INDEXED BY by_n WHERE n = 'a'
----
SELECT id FROM t WHERE n = 'a'
----
equivalent
