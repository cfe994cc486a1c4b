# The name of a schema before a table was dropped where a CTE hides the table, or where it is a row source's.
schema
CREATE TABLE public.u (a INTEGER PRIMARY KEY);
CREATE TABLE x (id INTEGER PRIMARY KEY, u INTEGER)

decide
WITH u AS (SELECT 7 AS a) SELECT a FROM public.u
----
WITH u AS (SELECT 7 AS a) SELECT a FROM u
----
undecided UNSUPPORTED

decide
SELECT public.u FROM x AS public, public.u AS q
----
SELECT public.u FROM x AS public
----
undecided UNSUPPORTED

decide
WITH v AS (SELECT a FROM public.u) SELECT a FROM v
----
SELECT a FROM public.u
----
equivalent

# Of a table with a database's name before it the types were read as another system's, BLOB as VARBINARY.
schema
CREATE TABLE o.t (id INTEGER PRIMARY KEY, n BLOB, s STRING)

decide
SELECT id FROM o.t WHERE n = 5
----
SELECT id FROM o.t WHERE n = '5'
----
not_equivalent

decide
SELECT id FROM o.t WHERE s = '05'
----
SELECT id FROM o.t WHERE s = '5'
----
equivalent

decide
SELECT COUNT(id) FROM o.t
----
SELECT COUNT(*) FROM o.t
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, n BLOB, KEY ix (n))

decide
SELECT id FROM t WHERE n = 5
----
SELECT id FROM t WHERE n = '5'
----
not_equivalent
