# What is read by no rule may still vary by itself: such a query was run once and its result believed.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);

decide
SELECT randomblob(4) FROM t
----
SELECT randomblob(4) FROM t WHERE 1
----
undecided UNSUPPORTED

decide
SELECT randomblob(4) FROM t
----
SELECT randomblob(4) FROM t
----
undecided UNSUPPORTED

decide
SELECT strftime('%f', 'now'), (SELECT id FROM t LIMIT 1)
----
SELECT strftime('%f', 'now') || '', (SELECT id FROM t ORDER BY id DESC LIMIT 1)
----
undecided NONDETERMINISTIC

# A function may be called by a quoted name.
decide
SELECT "random"() FROM t
----
SELECT [random]() FROM t
----
undecided UNSUPPORTED

# A query against itself: it need not give the same twice.
decide
SELECT random()
----
SELECT random()
----
undecided UNSUPPORTED

decide
SELECT id FROM t ORDER BY random()
----
SELECT id FROM t ORDER BY random()
----
undecided UNSUPPORTED

decide
WITH c AS (SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE changes() = u.id)) SELECT COUNT(*) FROM c
----
WITH c AS (SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE changes() = u.id)) SELECT COUNT(*) FROM c
----
undecided UNSUPPORTED

decide
SELECT SUM(v) FILTER (WHERE last_insert_rowid() > 1) OVER (ORDER BY total_changes()) FROM t
----
SELECT SUM(v) FILTER (WHERE last_insert_rowid() > 1) OVER (ORDER BY total_changes()) FROM t
----
undecided UNSUPPORTED

decide
SELECT sqlite_version(), sqlite_source_id() UNION SELECT sqlite_compileoption_get(1), 2
----
SELECT sqlite_version(), sqlite_source_id() UNION SELECT sqlite_compileoption_get(1), 2
----
undecided UNSUPPORTED

# The text says nothing of it where a name does.
decide
SELECT 'random()' FROM t
----
SELECT 'random()' FROM t
----
equivalent by=rules

decide
WITH changes (n) AS (SELECT id FROM t) SELECT n FROM changes
----
SELECT id FROM t
----
equivalent

# A view may call them, or choose, which the query's own text does not show.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);
CREATE VIEW r AS SELECT id, random() AS x FROM t;
CREATE VIEW one AS SELECT id, v FROM t LIMIT 1;
CREATE VIEW last AS SELECT id, v FROM t ORDER BY id DESC LIMIT 1;

decide
SELECT x FROM r
----
SELECT x FROM r
----
undecided UNSUPPORTED

decide
SELECT x FROM r
----
SELECT x FROM r WHERE 1
----
undecided UNSUPPORTED

decide
SELECT v FROM one WHERE '{}' -> '$' IS NOT NULL
----
SELECT v FROM last WHERE '{}' -> '$' IS NOT NULL
----
undecided NONDETERMINISTIC
