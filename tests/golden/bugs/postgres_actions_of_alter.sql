# Of an ALTER TABLE that says who owns the table, or sets its triggers, nothing else was read: each of these constraints
# was believed, and a column of the name owner kept it.
schema dialect=postgres
CREATE TABLE p (id INTEGER PRIMARY KEY);
CREATE TABLE t (
  id INTEGER PRIMARY KEY, a INTEGER CONSTRAINT k CHECK (a > 0), b INTEGER NOT NULL, c INTEGER CONSTRAINT q UNIQUE,
  d INTEGER CONSTRAINT r UNIQUE, owner INTEGER UNIQUE, e NUMERIC(4, 1) UNIQUE
);
ALTER TABLE public.t OWNER TO clerk, DROP CONSTRAINT k;
ALTER TABLE IF EXISTS ONLY t CLUSTER ON t_pkey, ALTER COLUMN b DROP NOT NULL, ALTER e TYPE NUMERIC(5, 2), SET TABLESPACE fast;
ALTER TABLE t DISABLE TRIGGER ALL, DROP CONSTRAINT q;
ALTER TABLE t ENABLE ROW LEVEL SECURITY, DROP CONSTRAINT r;
ALTER TABLE t RENAME COLUMN owner TO holder;

decide
SELECT id FROM t WHERE a > 0
----
SELECT id FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT id FROM t WHERE b IS NULL
----
SELECT id FROM t WHERE FALSE
----
not_equivalent

decide
SELECT DISTINCT c FROM t WHERE c IS NOT NULL
----
SELECT c FROM t WHERE c IS NOT NULL
----
not_equivalent

decide
SELECT DISTINCT d FROM t WHERE d IS NOT NULL
----
SELECT d FROM t WHERE d IS NOT NULL
----
not_equivalent

decide
SELECT DISTINCT holder FROM t WHERE holder IS NOT NULL
----
SELECT holder FROM t WHERE holder IS NOT NULL
----
equivalent

decide
SELECT id FROM t WHERE e = 1.25
----
SELECT id FROM t WHERE FALSE
----
not_equivalent

# Triggers that are disabled stay so under another name of the table, and those of replicas check nothing.
schema dialect=postgres
CREATE TABLE p (id INTEGER PRIMARY KEY);
CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
CREATE TABLE s (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
CREATE TABLE held (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
ALTER TABLE t DISABLE TRIGGER ALL;
ALTER TABLE t RENAME TO "U";
ALTER TABLE s ENABLE REPLICA TRIGGER ALL;
ALTER TABLE held ENABLE ALWAYS TRIGGER ALL;

decide
SELECT u.id FROM "U" u JOIN p ON p.id = u.p
----
SELECT id FROM "U" WHERE p IS NOT NULL
----
undecided

decide
SELECT s.id FROM s JOIN p ON p.id = s.p
----
SELECT id FROM s WHERE p IS NOT NULL
----
undecided

decide
SELECT held.id FROM held JOIN p ON p.id = held.p
----
SELECT id FROM held WHERE p IS NOT NULL
----
equivalent
