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
