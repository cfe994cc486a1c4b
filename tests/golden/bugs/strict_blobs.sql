schema
CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB NOT NULL, n INT) STRICT
----

# A STRICT table refuses all but blobs: rows that hold numbers and texts were generated, and every one was refused.
decide
SELECT b FROM t
----
SELECT DISTINCT b FROM t
----
not_equivalent by=generate

decide
SELECT MAX(b) FROM t
----
SELECT MIN(b) FROM t
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE b = x'0102'
----
SELECT id FROM t WHERE b >= x'0102'
----
not_equivalent by=generate
