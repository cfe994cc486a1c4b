# A literal beside all columns of a wrapped set operation was looked up by name among them: the literal 2 became
# the column "2", or the rule failed where there was none.
schema
CREATE TABLE t (a INT, b INT)

decide
SELECT 2, q."2" FROM (SELECT a AS "2" FROM t UNION ALL SELECT a FROM t) AS q
----
SELECT a, a FROM t UNION ALL SELECT a, a FROM t
----
not_equivalent by=generate

decide
SELECT 2, a, b FROM (SELECT a, b FROM t UNION ALL SELECT a, b FROM t) AS q
----
SELECT 2, a, b FROM t UNION ALL SELECT 2, a, b FROM t
----
equivalent by=proof

decide
SELECT b, 'a', a FROM (SELECT a, b FROM t UNION SELECT b, a FROM t) AS q
----
SELECT b, a, a FROM (SELECT a, b FROM t UNION SELECT b, a FROM t) AS q
----
not_equivalent by=generate
