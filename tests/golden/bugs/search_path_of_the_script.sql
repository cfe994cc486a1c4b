# A name without a schema was the table that was made first, whatever search_path a script states: the second was proved.
schema dialect=postgres
CREATE SCHEMA a;
CREATE SCHEMA b;
CREATE TABLE a.t (id INTEGER PRIMARY KEY);
CREATE TABLE b.t (id INTEGER PRIMARY KEY);
SET search_path = b, a;

decide
SELECT id FROM t
----
SELECT id FROM b.t
----
equivalent

decide
SELECT id FROM t
----
SELECT id FROM a.t
----
not_equivalent

schema dialect=postgres
CREATE SCHEMA a;
CREATE SCHEMA "B";
CREATE TABLE a.t (id INTEGER PRIMARY KEY);
CREATE TABLE "B".t (id INTEGER PRIMARY KEY);
ALTER ROLE app SET search_path TO "B", public;

decide
SELECT id FROM t
----
SELECT id FROM "B".t
----
equivalent

decide
SELECT id FROM t
----
SELECT id FROM a.t
----
not_equivalent
