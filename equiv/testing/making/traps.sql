-- missing

SELECT a.$s FROM $A AS a WHERE a.$x NOT IN (SELECT b.$y FROM $B AS b$wq)$ap
SELECT a.$s, a.$x NOT IN (SELECT b.$y FROM $B AS b$wq) FROM $A AS a
SELECT COUNT(*) FROM $A AS a WHERE NOT (a.$x IN (SELECT b.$y FROM $B AS b$wq))
SELECT a.$s FROM $A AS a WHERE NOT EXISTS (SELECT 1 FROM $B AS b WHERE b.$y = a.$x$aq)$ap
SELECT a.$x, NOT EXISTS (SELECT 1 FROM $B AS b WHERE b.$y = a.$x) FROM $A AS a
SELECT a.$s FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x$aq WHERE b.$y IS NULL

-- present

SELECT a.$s FROM $A AS a WHERE a.$x IN (SELECT b.$y FROM $B AS b$wq)$ap
SELECT COUNT(*), SUM(a.$x IN (SELECT b.$y FROM $B AS b)) FROM $A AS a WHERE a.$x IN (SELECT b.$y FROM $B AS b$wq)
SELECT a.$s FROM $A AS a WHERE EXISTS (SELECT 1 FROM $B AS b WHERE b.$y = a.$x$aq)$ap
SELECT a.$s, a.$x IN ($l, a.$u), a.$x NOT IN ($l, a.$u) FROM $A AS a JOIN $B AS b ON b.$y = a.$x$ap

-- outer joins

SELECT a.$s, b.$z FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x AND $q
SELECT a.$s, b.$z FROM $B AS b RIGHT JOIN $A AS a ON b.$y = a.$x AND $p
SELECT a.$s, b.$z FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x WHERE $q
SELECT a.$s, b.$z FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x WHERE b.$z IS NULL
SELECT a.$s, COALESCE(b.$y, $l), c.$s FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x LEFT JOIN $A AS c ON c.$x = b.$y AND $q
SELECT b.$z, c.$s FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x JOIN $A AS c ON c.$x = b.$y
SELECT b.$z, c.$s FROM $A AS a CROSS JOIN $B AS b RIGHT JOIN $A AS c ON c.$x = b.$y AND a.$x = c.$u
SELECT a.$s, c.$s FROM $A AS a RIGHT JOIN $B AS b ON b.$y = a.$x JOIN $A AS c ON c.$x = a.$x
SELECT b.$z, c.$s FROM $A AS a RIGHT JOIN $B AS b ON b.$y = a.$x RIGHT JOIN $A AS c ON 1 = 1
SELECT a.$s, b.v FROM $A AS a LEFT JOIN (SELECT b.$y AS w, $l AS v FROM $B AS b) AS b ON b.w = a.$x
SELECT a.$s, b.$z FROM $A AS a FULL JOIN $B AS b ON b.$y = a.$x$aq
SELECT a.$x, COUNT(b.$y), COUNT(*) FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x$aq GROUP BY a.$x

-- counts

SELECT COUNT(a.$x), COUNT(*), COUNT(DISTINCT a.$x) FROM $A AS a$wp
SELECT a.$s, COUNT(a.$x), COUNT(DISTINCT a.$x), SUM(DISTINCT a.$x) FROM $A AS a$wp GROUP BY a.$s
SELECT COUNT(*) FILTER (WHERE $p), SUM(CASE WHEN $p THEN 1 ELSE 0 END), COUNT(CASE WHEN $p THEN 1 END) FROM $A AS a
SELECT a.$s FROM $A AS a GROUP BY a.$s HAVING COUNT(a.$x) > 1

-- duplicates

SELECT DISTINCT a.$x FROM $A AS a$wp
SELECT DISTINCT a.$s, b.$z FROM $A AS a JOIN $B AS b ON b.$y = a.$x$ap
SELECT DISTINCT a.$x FROM $A AS a ORDER BY a.$x$dir LIMIT $n
SELECT COUNT(*) FROM (SELECT DISTINCT a.$x AS v FROM $A AS a$wp) AS q

-- sets

SELECT a.$x FROM $A AS a$wp UNION SELECT b.$y FROM $B AS b$wq
SELECT a.$x FROM $A AS a INTERSECT SELECT b.$y FROM $B AS b$wq
SELECT a.$x FROM $A AS a$wp EXCEPT SELECT b.$y FROM $B AS b
SELECT a.$x FROM $A AS a WHERE a.$u = $l UNION SELECT b.$x FROM $A AS b WHERE b.$u <> $l
SELECT a.$x FROM $A AS a WHERE a.$x > $l UNION ALL SELECT b.$x FROM $A AS b WHERE b.$x <= $l
SELECT q.v FROM (SELECT a.$x AS v FROM $A AS a UNION SELECT b.$y FROM $B AS b$wq) AS q WHERE q.v $op $l

-- choices

SELECT a.$s FROM $A AS a WHERE a.$x = $l OR a.$u = $l
SELECT a.$x FROM $A AS a WHERE a.$x > $l OR $p
SELECT a.$s FROM $A AS a WHERE a.$x = a.$u OR a.$x <> a.$u

-- first rows

SELECT DISTINCT a.$x FROM $A AS a ORDER BY a.$x$dir LIMIT $n OFFSET 1
SELECT a.$s FROM $A AS a$wp ORDER BY a.$x$dir, a.$k LIMIT $n
SELECT q.v FROM (SELECT a.$x AS v FROM $A AS a ORDER BY a.$x$dir LIMIT $n) AS q WHERE q.v $op $l
SELECT q.v FROM (SELECT a.$s AS v, a.$x AS w FROM $A AS a ORDER BY a.$k LIMIT $n) AS q WHERE q.w $op $l
SELECT a.$x, b.$z FROM $A AS a LEFT JOIN $B AS b ON b.$y = a.$x ORDER BY a.$x, b.$z LIMIT $n

-- numbers

SELECT a.$x / 2, a.$x / a.$u * 2, a.$x % 2 FROM $A AS a$wp
SELECT a.$x / 2 * a.$u, a.$x * 1.0 / a.$u, CAST(a.$x AS REAL) / 2 FROM $A AS a
SELECT a.$s, ROUND(a.$x / 2.0), CAST(a.$x / 2.0 AS INTEGER) FROM $A AS a WHERE a.$x / 2 = 1
SELECT SUM(a.$x + a.$u), AVG(a.$x) FROM $A AS a$wp
SELECT a.$s, AVG(a.$x), SUM(a.$x - a.$u) FROM $A AS a GROUP BY a.$s
SELECT a.$s, $lo - a.$x FROM $A AS a WHERE $hi - a.$x = $lo
SELECT a.$k FROM $A AS a WHERE $lo - a.$x > $l AND a.$x - 1 - a.$u < $hi
SELECT SUM(a.$x) / COUNT(*), SUM(a.$x) * 100 / COUNT(a.$x) FROM $A AS a$wp

-- logic

SELECT a.$k, a.$x = a.$u OR a.$x <> a.$u, NOT (a.$x = a.$u), a.$x <> $l FROM $A AS a
SELECT a.$k, a.$x = a.$u, a.$x IS a.$u, NOT (a.$x > $l AND $p) FROM $A AS a
SELECT a.$s FROM $A AS a WHERE a.$x = a.$u$ap UNION ALL SELECT a.$s FROM $A AS a WHERE a.$x IS a.$u
SELECT a.$s, b.$z FROM $A AS a JOIN $B AS b ON a.$x IS b.$y

-- denied comparisons

SELECT a.$k, NOT (a.$x < a.$u), NOT (a.$x <= a.$u), NOT (a.$x > a.$u), NOT (a.$x >= a.$u), NOT (a.$x = a.$u), NOT (a.$x <> a.$u), NOT (a.$x IS a.$u) FROM $A AS a
SELECT a.$s FROM $A AS a WHERE NOT (a.$x < $l) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x <= $l) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x > $l) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x >= $l) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x <> $l) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT a.$x = $l

-- denied conditions

SELECT a.$k, NOT (a.$x IS NULL), NOT (a.$x IN ($lo, $hi)), NOT (a.$x BETWEEN $lo AND $hi), NOT (a.$x >= $lo AND a.$u < $hi), NOT (a.$x <= $lo OR a.$u > $hi), NOT (NOT (a.$x = $lo)) FROM $A AS a
SELECT a.$s FROM $A AS a WHERE NOT (a.$x IS NULL) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x IN ($lo, $hi)) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x BETWEEN $lo AND $hi) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x = $lo AND a.$u = $hi) UNION ALL SELECT a.$s FROM $A AS a WHERE NOT (a.$x = $lo OR a.$u = $hi)

-- denied patterns

SELECT a.$k, NOT (a.$x LIKE 'a%'), NOT (a.$x LIKE '_b'), a.$x NOT LIKE '%b', a.$x NOT GLOB 'a*' FROM $A AS a

-- bounds

SELECT a.$k, a.$x < a.$u, a.$x <= a.$u, a.$x > a.$u, a.$x >= a.$u, $l < a.$x, $l <= a.$x, $l > a.$x, $l >= a.$x FROM $A AS a
SELECT a.$s FROM $A AS a WHERE a.$x < $l UNION ALL SELECT a.$s FROM $A AS a WHERE a.$x <= $l UNION ALL SELECT a.$s FROM $A AS a WHERE a.$x > $l UNION ALL SELECT a.$s FROM $A AS a WHERE a.$x >= $l UNION ALL SELECT a.$s FROM $A AS a WHERE $lo < a.$x UNION ALL SELECT a.$s FROM $A AS a WHERE $hi > a.$x

-- ranges

SELECT a.$s FROM $A AS a WHERE a.$x BETWEEN $lo AND $hi
SELECT a.$s FROM $A AS a WHERE a.$x >= $lo AND a.$x <= $hi OR a.$x NOT IN ($lo, $hi)

-- values of NULL

SELECT a.$k, CASE WHEN a.$x = $l THEN a.$u END, COALESCE(a.$x, a.$u) FROM $A AS a$wp
SELECT CASE a.$x WHEN $lo THEN $hi WHEN $hi THEN $lo END, IFNULL(a.$u, a.$x), NULLIF(a.$x, a.$u) FROM $A AS a
SELECT CASE WHEN a.$x > $l THEN 1 WHEN a.$x = $l THEN 0 END, COALESCE(a.$x, $l) FROM $A AS a
SELECT SUM(CASE WHEN $p THEN a.$x END), AVG(CASE WHEN $p THEN 1 END), COUNT(CASE WHEN $p THEN a.$x END) FROM $A AS a
SELECT CASE WHEN a.$x = $l THEN 1 WHEN 1 = 1 THEN 2 ELSE 3 END, COALESCE(NULL, a.$u) FROM $A AS a
SELECT a.$s, IIF(a.$x $op a.$u, 1, 0) FROM $A AS a WHERE COALESCE(a.$x, $l) = $l

-- groups

SELECT a.$x, COUNT(*) FROM $A AS a$wp GROUP BY a.$x
SELECT a.$x, a.$u, $call_a FROM $A AS a$wp GROUP BY a.$x, a.$u
SELECT a.$x, COUNT(*) FROM $A AS a$wp GROUP BY a.$x HAVING MAX(a.$u) > $l
SELECT a.$s, COUNT(*) FROM $A AS a GROUP BY a.$s HAVING MIN(a.$x) <= $l AND COUNT(*) > 1
SELECT a.$x, COUNT(*) FROM $A AS a$wp GROUP BY a.$x HAVING a.$x $op $l OR SUM(a.$u) > 2
SELECT q.v FROM (SELECT a.$x AS v, COUNT(*) AS n FROM $A AS a GROUP BY a.$x, a.$s) AS q WHERE q.n > 1

-- no rows

SELECT SUM(a.$x), COUNT(*), TOTAL(a.$x) FROM $A AS a WHERE $p
SELECT MAX(a.$x) FROM $A AS a$wp
SELECT MIN(a.$x) FROM $A AS a$wp
SELECT a.$s, (SELECT SUM(b.$y) FROM $B AS b WHERE b.$z = a.$s), (SELECT MAX(b.$y) FROM $B AS b$wq) FROM $A AS a
SELECT MAX(a.$x) FROM $A AS a HAVING COUNT(*) > 0

-- scalar subqueries

SELECT a.$s, (SELECT COUNT(*) FROM $B AS b WHERE b.$y = a.$x) FROM $A AS a$wp
SELECT a.$s, (SELECT MAX(b.$z) FROM $B AS b WHERE b.$y = a.$x) FROM $A AS a WHERE (SELECT COUNT(*) FROM $B AS b WHERE b.$y = a.$x) < 2
SELECT a.$s FROM $A AS a WHERE a.$x > (SELECT MAX(b.$y) FROM $B AS b$wq)
SELECT a.$s FROM $A AS a WHERE a.$x <= (SELECT MIN(b.$y) FROM $B AS b WHERE $q)
SELECT a.$s FROM $A AS a WHERE a.$x = (SELECT MAX(c.$x) FROM $A AS c WHERE c.$s = a.$s)

-- texts

SELECT a.$s FROM $A AS a WHERE a.$x LIKE 'ab'$ap
SELECT a.$k, a.$x LIKE $l, a.$x NOT LIKE 'a%', a.$x || a.$u, SUBSTR(a.$x, 1, 1) FROM $A AS a
SELECT a.$s FROM $A AS a WHERE a.$x = 'a'$ap
SELECT a.$k, a.$x IN ('a', 'B'), LOWER(a.$x) = 'a', a.$x = 'a' COLLATE NOCASE FROM $A AS a WHERE a.$x <> 'A'
SELECT a.$k, a.$x = a.$u, a.$x < a.$u, a.$u = a.$x FROM $A AS a

-- dates

SELECT a.$s FROM $A AS a WHERE a.$x <= '2020-12-31'$ap
SELECT a.$s FROM $A AS a WHERE a.$x >= $lo AND a.$x <= $hi
SELECT a.$s FROM $A AS a WHERE a.$x BETWEEN $lo AND $hi
SELECT a.$s FROM $A AS a WHERE STRFTIME('%Y', a.$x) = '2020'
SELECT a.$s, STRFTIME('%Y-%m', a.$x) = '2020-02', DATE(a.$x) = $l FROM $A AS a WHERE SUBSTR(a.$x, 1, 4) = '2020'
SELECT STRFTIME('%Y', a.$x), COUNT(*) FROM $A AS a GROUP BY STRFTIME('%Y', a.$x)

-- windows

SELECT a.$k, RANK() OVER (ORDER BY a.$x$dir), DENSE_RANK() OVER (PARTITION BY a.$s ORDER BY a.$x) FROM $A AS a
SELECT q.v FROM (SELECT a.$x AS v, RANK() OVER (ORDER BY a.$x$dir) AS r FROM $A AS a) AS q WHERE q.r <= $n
SELECT q.v, q.r FROM (SELECT a.$x AS v, RANK() OVER (ORDER BY a.$k) AS r FROM $A AS a) AS q WHERE q.v $op $l
SELECT q.v, q.n FROM (SELECT a.$x AS v, COUNT(a.$u) OVER (PARTITION BY a.$s) AS n FROM $A AS a) AS q WHERE q.v $op $l
SELECT a.$k, LAG(a.$x) OVER (ORDER BY a.$k), MAX(a.$x) OVER () FROM $A AS a$wp
