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

# A search_path that a script reset held on: t was other.t, the first pair was told apart, and p was said to be no column.
schema dialect=postgres
CREATE SCHEMA other;
CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER NOT NULL);
SET search_path = other, public;
CREATE TABLE t (id INTEGER PRIMARY KEY);
RESET search_path;

decide
SELECT id FROM t WHERE p IS NULL
----
SELECT id FROM public.t WHERE FALSE
----
equivalent

decide
SELECT id FROM t
----
SELECT id FROM other.t
----
not_equivalent

schema dialect=postgres
CREATE SCHEMA other;
ALTER DATABASE app SET search_path = other, public;
CREATE TABLE public.t (id INTEGER PRIMARY KEY, p INTEGER NOT NULL);
CREATE TABLE other.t (id INTEGER PRIMARY KEY);
SET search_path TO public;
SET SESSION search_path = DEFAULT;

decide
SELECT id FROM t
----
SELECT id FROM other.t
----
equivalent

decide
SELECT id FROM t
----
SELECT id FROM public.t
----
not_equivalent
