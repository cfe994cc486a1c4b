schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s TEXT);
----

# Rows that only balance in sum: 1 and 1.0 are equal, but GROUP_CONCAT, division and typeof tell them apart.
decide
SELECT GROUP_CONCAT(q.z) FROM (SELECT a AS z FROM t WHERE a > 0 UNION ALL SELECT a FROM t WHERE b > 0) AS q
----
SELECT GROUP_CONCAT(q.z) FROM (SELECT CAST(a AS REAL) AS z FROM t WHERE a > 0 OR b > 0
    UNION ALL SELECT CAST(a AS REAL) FROM t WHERE a > 0 AND b > 0) AS q
----
not_equivalent

decide effort=0
SELECT GROUP_CONCAT(q.z) FROM (SELECT a AS z FROM t WHERE a > 0 UNION ALL SELECT a FROM t WHERE b > 0) AS q
----
SELECT GROUP_CONCAT(q.z) FROM (SELECT CAST(a AS REAL) AS z FROM t WHERE a > 0 OR b > 0
    UNION ALL SELECT CAST(a AS REAL) FROM t WHERE a > 0 AND b > 0) AS q
----
undecided

decide effort=0
SELECT typeof(q.z) FROM (SELECT a AS z FROM t WHERE a > 0 UNION ALL SELECT a FROM t WHERE b > 0 LIMIT 3) AS q
----
SELECT typeof(q.z) FROM (SELECT CAST(a AS REAL) AS z FROM t WHERE a > 0 OR b > 0
    UNION ALL SELECT CAST(a AS REAL) FROM t WHERE a > 0 AND b > 0 LIMIT 3) AS q
----
undecided

decide relation=bag
SELECT a FROM t WHERE a > 0 UNION ALL SELECT a FROM t WHERE b > 0
----
SELECT CAST(a AS REAL) FROM t WHERE a > 0 OR b > 0 UNION ALL SELECT CAST(a AS REAL) FROM t WHERE a > 0 AND b > 0
----
equivalent by=proof
