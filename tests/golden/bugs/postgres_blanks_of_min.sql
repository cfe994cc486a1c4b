# MIN of a character(n) lost its length: it was proved to be that of a text, or of another length, which show no blanks or others.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, c CHAR(5), longer CHAR(9), name TEXT);

decide
SELECT MIN(c) FROM t WHERE c = 'a'
----
SELECT MIN('a') FROM t WHERE c = 'a'
----
undecided UNSUPPORTED

decide
SELECT MAX(c) FROM t WHERE c = longer
----
SELECT MAX(longer) FROM t WHERE c = longer
----
undecided UNSUPPORTED

# Of one length it is proved, through subqueries too.
decide
SELECT MIN(q.m) FROM (SELECT id, MIN(c) AS m FROM t GROUP BY id) AS q
----
SELECT MIN(c) FROM t
----
equivalent

# Nor is anything proved where either length may show.
decide
SELECT COALESCE(c, longer) FROM t WHERE c = longer
----
SELECT COALESCE(longer, c) FROM t WHERE c = longer
----
undecided UNSUPPORTED

# What tells them apart still does.
decide
SELECT COALESCE(c, longer) FROM t
----
SELECT COALESCE(longer, c) FROM t
----
not_equivalent
