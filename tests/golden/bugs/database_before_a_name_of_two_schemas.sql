# Where another schema has a table of the name as well, that of the main schema was not found behind the name of the
# database: the text was invalid.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE SCHEMA s;
CREATE TABLE s.t (id INTEGER, a INTEGER);

decide
SELECT id FROM shop.public.t
----
SELECT id FROM shop.s.t
----
not_equivalent

decide
SELECT DISTINCT shop.public.t.id FROM shop.public.t
----
SELECT id FROM public.t
----
equivalent

decide
SELECT DISTINCT id FROM shop.s.t
----
SELECT id FROM s.t
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE SCHEMA s;
CREATE TABLE s.t (id INTEGER, a INTEGER);

decide
SELECT DISTINCT id FROM shop.main.t
----
SELECT id FROM main.t
----
equivalent

decide
SELECT id FROM shop.main.t
----
SELECT id FROM shop.s.t
----
not_equivalent
