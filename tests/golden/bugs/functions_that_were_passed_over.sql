# A function of the schema's own was read as PostgreSQL's of the same name, which other types call.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, c VARCHAR(10) NOT NULL, d DATE NOT NULL);
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE FUNCTION length(varchar) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 7';
CREATE FUNCTION date_trunc(text, date) RETURNS date LANGUAGE sql IMMUTABLE AS 'SELECT $2';
CREATE CAST (mood AS integer) WITH INOUT

decide
SELECT length(c) FROM t
----
SELECT length(c::text) FROM t
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE date_trunc('month', d) = '2026-01-01'
----
SELECT id FROM t WHERE date_trunc('month', d::timestamptz) = '2026-01-01'
----
not_equivalent by=generate

# Others are what they are.
decide
SELECT upper(c) FROM t WHERE NOT id <= 3
----
SELECT upper(c) FROM t WHERE id > 3
----
equivalent

# A cast among PostgreSQL's types may stand for any.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, c VARCHAR(10) NOT NULL);
CREATE FUNCTION seven(integer) RETURNS varchar LANGUAGE sql IMMUTABLE AS 'SELECT 7';
CREATE CAST (integer AS varchar) WITH FUNCTION seven(integer) AS ASSIGNMENT

decide
SELECT id::varchar FROM t
----
SELECT id::text FROM t
----
undecided UNSUPPORTED
