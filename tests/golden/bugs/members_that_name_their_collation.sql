# SQLite looks up code IN (SELECT b COLLATE BINARY ...) in an index on code, under the index's collation, and compares
# under BINARY where there is none: rules and proof took it for = under BINARY.
schema
CREATE TABLE t (code TEXT COLLATE NOCASE PRIMARY KEY, n INTEGER);
CREATE TABLE u (id INTEGER PRIMARY KEY, b TEXT);
----

decide tiers=rules,proof
SELECT n FROM t WHERE code IN (SELECT b COLLATE BINARY FROM u)
----
SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.code = u.b COLLATE BINARY)
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT n FROM t WHERE (n, code) IN (SELECT id, b COLLATE BINARY FROM u)
----
SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.n = u.id AND t.code = u.b COLLATE BINARY)
----
undecided UNSUPPORTED

# Under the collation of the left side, named there or here, it is the same with and without an index.
decide
SELECT n FROM t WHERE code IN (SELECT b COLLATE NOCASE FROM u)
----
SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.code = u.b)
----
equivalent

decide
SELECT n FROM t WHERE code COLLATE BINARY IN (SELECT b FROM u)
----
SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.code COLLATE BINARY = u.b)
----
equivalent
