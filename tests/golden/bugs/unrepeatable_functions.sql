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
equivalent by=rules

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
