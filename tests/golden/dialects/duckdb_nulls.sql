# NULL without a type.
schema dialect=duckdb
CREATE TABLE orders (id INTEGER PRIMARY KEY, a INTEGER, note VARCHAR, d DATE);

decide
SELECT COUNT(NULL) FROM orders
----
SELECT 0
----
equivalent

decide
SELECT NULL AS k
----
SELECT NULL
----
equivalent

decide
SELECT NULL AS k FROM orders
----
SELECT NULL::int AS k FROM orders
----
equivalent

decide
SELECT id, NULL AS k FROM orders
----
SELECT id, note FROM orders
----
not_equivalent

decide
SELECT COUNT(NULL), COUNT(*) FROM orders
----
SELECT 0, COUNT(*) FROM orders
----
equivalent

decide
SELECT COALESCE(NULL, id) FROM orders
----
SELECT id FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE NULL
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id FROM orders WHERE id = NULL
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT MAX(NULL) FROM orders
----
SELECT NULL
----
equivalent

decide
SELECT SUM(NULL) FROM orders
----
SELECT NULL
----
equivalent

decide
SELECT id FROM orders GROUP BY id, NULL
----
SELECT id FROM orders
----
equivalent

decide
SELECT DISTINCT NULL FROM orders
----
SELECT NULL FROM orders LIMIT 1
----
equivalent

decide
SELECT NULL UNION SELECT id FROM orders
----
SELECT NULL UNION SELECT id FROM orders WHERE id > 0
----
not_equivalent

decide
SELECT k FROM (SELECT NULL AS k, id FROM orders) s WHERE id > 1
----
SELECT NULL FROM orders WHERE id > 1
----
equivalent

decide
SELECT CASE WHEN id > 1 THEN NULL END FROM orders
----
SELECT NULL FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE NULL IS NULL
----
SELECT id FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE id IN (NULL, 1)
----
SELECT id FROM orders WHERE id = 1
----
equivalent

decide
SELECT COUNT(DISTINCT NULL) FROM orders
----
SELECT 0
----
equivalent

decide
SELECT id FROM orders WHERE EXISTS (SELECT NULL FROM orders o WHERE o.id > orders.id)
----
SELECT id FROM orders WHERE id < (SELECT MAX(id) FROM orders)
----
equivalent

decide
SELECT COALESCE(NULL, NULL) FROM orders
----
SELECT NULL FROM orders
----
equivalent

decide
SELECT LAG(NULL) OVER (ORDER BY id) FROM orders
----
SELECT NULL FROM orders
----
equivalent

decide
SELECT k, COUNT(*) FROM (SELECT NULL AS k FROM orders) s GROUP BY k
----
SELECT NULL, COUNT(*) FROM orders HAVING COUNT(*) > 0
----
equivalent

decide
SELECT NULL UNION ALL SELECT NULL
----
SELECT NULL FROM (VALUES (1), (2)) v
----
equivalent

decide
SELECT NULL UNION SELECT NULL
----
SELECT NULL
----
equivalent

decide
SELECT id FROM orders EXCEPT SELECT NULL
----
SELECT id FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE note IN (SELECT NULL)
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id FROM orders WHERE note NOT IN (SELECT NULL)
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id, COUNT(NULL) FROM orders GROUP BY id
----
SELECT id, 0 FROM orders
----
equivalent

decide
SELECT id, COUNT(NULL) FROM orders GROUP BY id
----
SELECT id, 1 FROM orders
----
not_equivalent

decide
SELECT NULL FROM orders
----
SELECT note FROM orders WHERE note IS NULL
----
not_equivalent

decide
SELECT NULL FROM orders WHERE note IS NULL
----
SELECT note FROM orders WHERE note IS NULL
----
equivalent

decide
SELECT MIN(NULL), MAX(id) FROM orders
----
SELECT NULL, MAX(id) FROM orders
----
equivalent

decide
SELECT NULLIF(id, NULL) FROM orders
----
SELECT id FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE NULL IS NOT DISTINCT FROM note
----
SELECT id FROM orders WHERE note IS NULL
----
equivalent

decide
SELECT o.id FROM orders o LEFT JOIN (SELECT NULL AS k) s ON o.note = s.k
----
SELECT id FROM orders
----
equivalent

decide
SELECT id, NULL AS k FROM orders UNION ALL SELECT id, note FROM orders
----
SELECT id, note FROM orders UNION ALL SELECT id, NULL FROM orders
----
equivalent

decide
SELECT k FROM (SELECT NULL AS k UNION ALL SELECT id FROM orders) s WHERE k > 1
----
SELECT id FROM orders WHERE id > 1
----
equivalent

decide
SELECT NULL + 1 FROM orders
----
SELECT NULL FROM orders
----
equivalent

decide
SELECT NULL || note FROM orders
----
SELECT NULL FROM orders
----
undecided UNSUPPORTED

decide
SELECT GREATEST(NULL, id) FROM orders
----
SELECT id FROM orders
----
equivalent

decide
SELECT SUM(CASE WHEN id > 1 THEN 1 ELSE NULL END) FROM orders
----
SELECT NULLIF(COUNT(CASE WHEN id > 1 THEN 1 END), 0) FROM orders
----
equivalent

decide
SELECT COUNT(NULL), COUNT(*) FROM orders
----
SELECT COUNT(a), COUNT(*) FROM orders
----
not_equivalent

decide
SELECT NULL FROM orders
----
SELECT DISTINCT NULL FROM orders
----
not_equivalent

decide
SELECT NULL UNION ALL SELECT NULL
----
SELECT NULL
----
not_equivalent

decide
SELECT COALESCE(NULL, a) FROM orders
----
SELECT COALESCE(a, 0) FROM orders
----
not_equivalent

decide
SELECT MAX(NULL) FROM orders
----
SELECT NULL FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE note NOT IN (SELECT NULL)
----
SELECT id FROM orders WHERE note IS NOT NULL
----
not_equivalent

decide
SELECT id FROM orders WHERE note NOT IN (SELECT NULL WHERE false)
----
SELECT id FROM orders
----
equivalent

decide
SELECT NULL, id FROM orders
----
SELECT d, id FROM orders
----
not_equivalent

decide
SELECT NULL, id FROM orders
----
SELECT CAST(NULL AS DATE), id FROM orders
----
equivalent

decide
SELECT k FROM (SELECT NULL AS k, id FROM orders) s WHERE k IS NULL
----
SELECT a FROM orders WHERE a IS NULL
----
not_equivalent

decide
SELECT NULLIF(a, NULL) FROM orders
----
SELECT NULLIF(a, 0) FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE NULL IS DISTINCT FROM note
----
SELECT id FROM orders WHERE note <> ''
----
not_equivalent

decide
SELECT id FROM orders GROUP BY id, NULL
----
SELECT DISTINCT a FROM orders
----
not_equivalent

decide
SELECT o.id FROM orders o LEFT JOIN (SELECT NULL AS k) s ON o.a IS NOT DISTINCT FROM s.k
----
SELECT id FROM orders WHERE a IS NULL
----
not_equivalent

decide
SELECT a FROM orders UNION SELECT NULL
----
SELECT DISTINCT a FROM orders
----
not_equivalent
