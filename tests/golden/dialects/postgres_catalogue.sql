# A table of PostgreSQL's own is a table of which no more is known than which columns are never NULL; the database of a witness has all that the schema has.
schema dialect=postgres
CREATE TABLE person (id INT PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE INDEX person_city ON person (city);
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE VIEW known AS SELECT relname, oid FROM pg_class;
CREATE SCHEMA app;
CREATE TABLE app.pg_class (relname TEXT);
CREATE FUNCTION made(TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS 'SELECT EXISTS (SELECT FROM pg_class WHERE relname = $1)'

decide
SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = $2::text AND n.nspname = coalesce($1::text, current_schema()) AND c.relkind = 'i')
----
SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n, pg_catalog.pg_class c WHERE 'i' = c.relkind AND coalesce($1::text, CURRENT_SCHEMA) = n.nspname AND c.relnamespace = n.oid AND $2::text = c.relname)
----
equivalent

# A parameter beside a name of the catalogue takes names of the schema's objects.
decide
SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = $2 AND n.nspname = coalesce($1, current_schema()) AND c.relkind = 'i')
----
SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = $2 AND n.nspname = coalesce($1, current_schema()))
----
not_equivalent

decide
SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema AND table_name = 'person'
----
SELECT column_name FROM information_schema.columns WHERE table_name = 'person' AND current_schema() = table_schema
----
equivalent

decide
SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema AND table_name = 'person'
----
SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema
----
not_equivalent

# attnotnull says so of relname, and not of relacl.
decide
SELECT count(relname) FROM pg_class
----
SELECT count(*) FROM pg_class
----
equivalent

decide
SELECT count(relacl) FROM pg_class
----
SELECT count(*) FROM pg_class
----
not_equivalent

# On the outer side of a join there is NULL all the same.
decide
SELECT count(i.indexrelid) FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
----
SELECT count(*) FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
----
not_equivalent

decide
SELECT c.relname, t.typname FROM pg_class c JOIN pg_type t ON t.oid = c.reltype
----
SELECT c.relname, t.typname FROM pg_class c LEFT JOIN pg_type t ON t.oid = c.reltype
----
not_equivalent

# Rows of one namespace are many.
decide
SELECT count(*) FROM pg_class a JOIN pg_class b ON b.relnamespace = a.relnamespace
----
SELECT count(*) FROM pg_class
----
not_equivalent

# That an oid is met once nobody tells the prover.
decide
SELECT DISTINCT oid, relname FROM pg_class
----
SELECT oid, relname FROM pg_class
----
undecided NO_PROOF

decide
SELECT attname FROM pg_attribute WHERE attrelid = 'person'::regclass AND attnum > 0
----
SELECT attname FROM pg_attribute WHERE 0 < attnum AND attrelid = 'public.person'::regclass
----
equivalent

decide
SELECT attname FROM pg_attribute WHERE attrelid = 'person'::regclass
----
SELECT attname FROM pg_attribute WHERE attrelid = 'person_pkey'::regclass
----
not_equivalent

decide
SELECT i.relname, string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey) WHERE x.indrelid = 'person'::regclass GROUP BY i.relname
----
SELECT i.relname, string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_class i, pg_attribute a, pg_index x WHERE a.attnum = ANY (x.indkey) AND a.attrelid = x.indrelid AND i.oid = x.indexrelid AND x.indrelid = 'public.person'::regclass GROUP BY 1
----
equivalent

# What regclass shows is a name with what the path lacks, or a number.
decide
SELECT oid::regclass::text FROM pg_class
----
SELECT relname::text FROM pg_class
----
not_equivalent

decide
SELECT CASE WHEN to_regclass($1) IS NULL THEN false ELSE true END
----
SELECT to_regclass($1) IS NOT NULL
----
equivalent

# A table of the schema's has the name of one of PostgreSQL's, which comes first.
decide
SELECT relname FROM app.pg_class
----
SELECT relname::text FROM pg_class
----
not_equivalent

decide
SELECT relname FROM known WHERE oid <> 0
----
SELECT relname FROM pg_catalog.pg_class WHERE 0 <> oid
----
equivalent

# Names that no text says are there as well: a database without them would be another schema's.
decide
SELECT count(*) FROM pg_type WHERE typname LIKE 'moo%'
----
SELECT 1::bigint
----
undecided NO_PROOF

decide
SELECT id FROM person WHERE made('person_' || 'city')
----
SELECT id FROM person
----
undecided NO_PROOF

decide
SELECT has_table_privilege('person', 'select') AND pg_table_is_visible(oid) FROM pg_class
----
SELECT pg_table_is_visible(oid) AND has_table_privilege('person', 'select') FROM pg_class
----
equivalent

decide
SELECT has_table_privilege('person', 'select')
----
SELECT has_table_privilege('person', 'insert')
----
not_equivalent

# A name is of the catalogue's only by where the text finds it: no function tells the time of the server.
decide
SELECT current_user
----
SELECT session_user
----
undecided NO_PROOF

# Rows of what sessions do, of counters and of locks are others a moment later, even for the same text.
decide
SELECT pid FROM pg_stat_activity
----
SELECT pid FROM pg_stat_activity
----
undecided UNSUPPORTED

decide
SELECT relid FROM pg_stat_user_tables WHERE true
----
SELECT relid FROM pg_stat_user_tables
----
undecided UNSUPPORTED

decide
SELECT locktype FROM pg_locks
----
SELECT locktype FROM pg_locks
----
undecided UNSUPPORTED

decide
SELECT name FROM pg_settings UNION ALL SELECT 'a'
----
SELECT 'a' UNION ALL SELECT name FROM pg_settings
----
undecided UNSUPPORTED

decide
SELECT pg_stat_get_numscans(oid) FROM pg_class
----
SELECT pg_stat_get_numscans(oid) FROM pg_class WHERE true
----
undecided UNSUPPORTED

decide
SELECT age(relfrozenxid) FROM pg_class
----
SELECT age(relfrozenxid) FROM pg_class WHERE true
----
undecided UNSUPPORTED
