# Enumerations of PostgreSQL's: labels are equal as texts, and in the order in which they are declared.
schema dialect=postgres
CREATE TYPE status AS ENUM ('new', 'paid', 'Sent out', 'cancelled');
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE grade AS ENUM ('a', 'b', 'c');
CREATE TYPE quoted AS ENUM ('it''s', 'É', ' ', '');
CREATE TABLE orders (id int PRIMARY KEY, status status NOT NULL, prev status, mood mood, grade grade, q quoted, note text);
CREATE TABLE lines (id int PRIMARY KEY, order_id int NOT NULL REFERENCES orders, status status, qty int);

decide
SELECT id FROM orders WHERE status = 'paid'
----
SELECT id FROM orders WHERE status IN ('paid')
----
equivalent

decide
SELECT status FROM orders
----
SELECT status FROM orders WHERE status IN ('new','paid','Sent out','cancelled')
----
equivalent

decide
SELECT prev FROM orders
----
SELECT prev FROM orders WHERE prev IN ('new','paid','Sent out','cancelled')
----
not_equivalent

decide
SELECT status FROM orders
----
SELECT prev FROM orders
----
not_equivalent

# A constant chooses the labels that are declared before it.
decide
SELECT id FROM orders WHERE status < 'paid'
----
SELECT id FROM orders WHERE status = 'new'
----
equivalent

decide
SELECT id FROM orders WHERE status < 'Sent out'
----
SELECT id FROM orders WHERE status IN ('new','paid')
----
equivalent

decide
SELECT id FROM orders WHERE status < 'Sent out'
----
SELECT id FROM orders WHERE status::text < 'Sent out'
----
not_equivalent

decide
SELECT id FROM orders WHERE status <> 'paid'
----
SELECT id FROM orders WHERE status < 'paid' OR status > 'paid'
----
equivalent

# Nothing comes before the first label, and NULL is not known to.
decide
SELECT id FROM orders WHERE NOT (prev < 'new')
----
SELECT id FROM orders WHERE prev IS NOT NULL
----
equivalent

decide
SELECT id FROM orders WHERE prev >= 'new'
----
SELECT id FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE prev BETWEEN 'paid' AND 'Sent out'
----
SELECT id FROM orders WHERE prev IN ('paid', 'Sent out')
----
equivalent

decide
SELECT id FROM orders WHERE status < prev
----
SELECT id FROM orders WHERE prev > status
----
equivalent

decide
SELECT id FROM orders WHERE status < prev
----
SELECT id FROM orders WHERE status <= prev
----
not_equivalent

# Of no rows there is a MAX, which is NULL.
decide
SELECT MAX(status) FROM orders
----
SELECT status FROM orders ORDER BY status DESC LIMIT 1
----
not_equivalent

decide
SELECT MAX(status) FROM orders
----
SELECT MAX(status) FROM orders WHERE status IS NOT NULL
----
equivalent

decide
SELECT MAX(status) FROM orders
----
SELECT MIN(status) FROM orders
----
not_equivalent

decide
SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status
----
SELECT o.status, COUNT(o.id) FROM orders o GROUP BY 1 ORDER BY 1
----
equivalent

decide
SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status
----
SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status::text
----
not_equivalent

decide
SELECT DISTINCT status FROM orders ORDER BY status
----
SELECT status FROM orders GROUP BY status ORDER BY status
----
equivalent

decide
SELECT id FROM orders WHERE status::text LIKE 'p%'
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE status::text LIKE '%a%'
----
SELECT id FROM orders WHERE status = 'paid'
----
not_equivalent

decide
SELECT id FROM orders WHERE status::text = 'paid'
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE status = 'paid'::status
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

# A label is the text of it, and equal to that.
decide
SELECT status FROM orders
----
SELECT status::text FROM orders
----
equivalent

decide
SELECT status FROM orders
----
SELECT mood FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE status NOT IN ('paid','new')
----
SELECT id FROM orders WHERE status IN ('Sent out','cancelled')
----
equivalent

decide
SELECT id FROM orders WHERE prev NOT IN ('paid','new')
----
SELECT id FROM orders WHERE prev IN ('Sent out','cancelled')
----
equivalent

decide
SELECT id FROM orders WHERE prev <> 'paid'
----
SELECT id FROM orders WHERE prev IS DISTINCT FROM 'paid'
----
not_equivalent

decide
SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders
----
SELECT COUNT(*) FILTER (WHERE status = 'paid') FROM orders
----
not_equivalent

decide
SELECT COALESCE(SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END),0) FROM orders
----
SELECT COUNT(*) FILTER (WHERE status = 'paid') FROM orders
----
equivalent

decide
SELECT CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 ELSE 3 END FROM orders
----
SELECT CASE WHEN status = 'new' THEN 1 WHEN status = 'paid' THEN 2 ELSE 3 END FROM orders
----
equivalent

decide
SELECT GREATEST(status, prev) FROM orders
----
SELECT CASE WHEN prev > status THEN prev ELSE status END FROM orders
----
equivalent

decide
SELECT GREATEST(status, prev) FROM orders
----
SELECT CASE WHEN prev < status THEN prev ELSE status END FROM orders
----
not_equivalent

decide
SELECT id, RANK() OVER (ORDER BY status) FROM orders
----
SELECT id, RANK() OVER (ORDER BY status::text) FROM orders
----
not_equivalent

decide
SELECT id, RANK() OVER (ORDER BY status) FROM orders
----
SELECT id, 1 + (SELECT COUNT(*) FROM orders p WHERE p.status < o.status) FROM orders o
----
equivalent

decide
SELECT status FROM orders UNION SELECT prev FROM orders ORDER BY 1
----
SELECT s FROM (SELECT status s FROM orders UNION SELECT prev FROM orders) x ORDER BY s
----
equivalent

decide
SELECT status FROM orders UNION SELECT prev FROM orders ORDER BY 1
----
SELECT prev FROM orders UNION SELECT status FROM orders ORDER BY 1 DESC
----
not_equivalent

decide
SELECT id FROM orders WHERE status = ANY (ARRAY['paid','new']::status[])
----
SELECT id FROM orders WHERE status IN ('paid','new')
----
equivalent

decide
SELECT id FROM orders WHERE (status, id) < ('paid', 3)
----
SELECT id FROM orders WHERE status = 'new' OR status = 'paid' AND id < 3
----
equivalent

decide
SELECT o.id FROM orders o JOIN orders p ON o.status = p.prev
----
SELECT o.id FROM orders o, orders p WHERE p.prev = o.status
----
equivalent

decide
SELECT id FROM orders WHERE COALESCE(prev, 'new') = 'new'
----
SELECT id FROM orders WHERE prev IS NULL OR prev = 'new'
----
equivalent

decide
SELECT NULLIF(status, 'new') FROM orders
----
SELECT CASE WHEN status <> 'new' THEN status END FROM orders
----
equivalent

decide
SELECT id FROM orders ORDER BY status, id
----
SELECT id FROM orders ORDER BY CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 WHEN 'Sent out' THEN 3 ELSE 4 END, id
----
equivalent

decide
SELECT id FROM orders ORDER BY status, id
----
SELECT id FROM orders ORDER BY status::text, id
----
not_equivalent

decide
SELECT id FROM orders ORDER BY mood DESC NULLS LAST, id
----
SELECT id FROM orders ORDER BY CASE mood WHEN 'ok' THEN 0 WHEN 'sad' THEN 1 ELSE 2 END, id
----
equivalent

decide
SELECT id FROM orders WHERE status > 'paid'
----
SELECT id FROM orders WHERE status::text > 'paid'
----
not_equivalent

# These labels are declared in the order of their bytes.
decide
SELECT id FROM orders WHERE grade > 'a'
----
SELECT id FROM orders WHERE grade::text > 'a'
----
equivalent

decide
SELECT id FROM orders WHERE grade > 'b'
----
SELECT id FROM orders WHERE grade = 'c'
----
equivalent

decide
SELECT MAX(grade) FROM orders
----
SELECT MAX(grade::text) FROM orders
----
equivalent

decide
SELECT MAX(prev) FROM orders
----
SELECT MAX(prev::text) FROM orders
----
not_equivalent

# A quote, a letter with an accent, a blank, the empty text.
decide
SELECT id FROM orders WHERE q = 'it''s'
----
SELECT id FROM orders WHERE q::text = 'it''s'
----
equivalent

decide
SELECT id FROM orders WHERE q > 'É'
----
SELECT id FROM orders WHERE q IN (' ', '')
----
equivalent

decide
SELECT id FROM orders WHERE q = ' '
----
SELECT id FROM orders WHERE q = ''
----
not_equivalent

decide
SELECT id FROM orders WHERE prev > 'cancelled'
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id FROM orders WHERE (prev > 'cancelled') IS NULL
----
SELECT id FROM orders WHERE prev IS NULL
----
equivalent

decide
SELECT id FROM orders WHERE (prev > 'cancelled') IS NULL
----
SELECT id FROM orders WHERE false
----
not_equivalent

decide
SELECT id FROM orders WHERE (prev <= 'cancelled') IS TRUE
----
SELECT id FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE prev < 'new' OR prev IS NULL
----
SELECT id FROM orders WHERE prev IS NULL
----
equivalent

decide
SELECT id FROM orders WHERE prev > 'new'
----
SELECT id FROM orders WHERE prev <> 'new'
----
equivalent

decide
SELECT id FROM orders WHERE prev > 'paid'
----
SELECT id FROM orders WHERE prev <> 'paid'
----
not_equivalent

decide
SELECT id FROM orders WHERE 'paid' < prev
----
SELECT id FROM orders WHERE prev > 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE 'paid' < prev
----
SELECT id FROM orders WHERE prev >= 'paid'
----
not_equivalent

decide
SELECT id FROM orders WHERE prev NOT BETWEEN 'new' AND 'paid'
----
SELECT id FROM orders WHERE prev IN ('Sent out', 'cancelled')
----
equivalent

decide
SELECT id FROM orders WHERE prev BETWEEN 'Sent out' AND 'paid'
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id FROM orders WHERE prev BETWEEN SYMMETRIC 'Sent out' AND 'paid'
----
SELECT id FROM orders WHERE prev BETWEEN 'paid' AND 'Sent out'
----
equivalent

decide
SELECT LEAST(status, prev) FROM orders
----
SELECT CASE WHEN prev < status THEN prev ELSE status END FROM orders
----
equivalent

decide
SELECT LEAST(status, prev)::text FROM orders
----
SELECT LEAST(status::text, prev::text) FROM orders
----
not_equivalent

decide
SELECT GREATEST(prev, 'paid') FROM orders
----
SELECT CASE WHEN prev > 'paid' THEN prev ELSE 'paid' END FROM orders
----
equivalent

decide
SELECT GREATEST(prev, 'paid') FROM orders
----
SELECT CASE WHEN prev > 'paid' THEN prev WHEN prev <= 'paid' THEN 'paid' END FROM orders
----
not_equivalent

decide
SELECT MIN(prev) FROM orders WHERE prev >= 'paid'
----
SELECT MIN(prev) FROM orders WHERE prev <> 'new'
----
equivalent

decide
SELECT MIN(prev) OVER () FROM orders
----
SELECT (SELECT MIN(prev) FROM orders) FROM orders
----
equivalent

decide
SELECT MIN(prev) OVER () FROM orders
----
SELECT (SELECT MAX(prev) FROM orders) FROM orders
----
not_equivalent

decide
SELECT prev, COUNT(*) FROM orders GROUP BY prev HAVING prev > 'new'
----
SELECT prev, COUNT(*) FROM orders WHERE prev > 'new' GROUP BY prev
----
equivalent

decide
SELECT prev, COUNT(*) FROM orders GROUP BY prev HAVING MAX(prev) > 'new'
----
SELECT prev, COUNT(*) FROM orders WHERE prev IN ('paid','Sent out','cancelled') GROUP BY prev
----
equivalent

decide
SELECT id FROM orders WHERE status IN (SELECT status FROM lines)
----
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.status = o.status)
----
equivalent

decide
SELECT id FROM orders WHERE status NOT IN (SELECT status FROM lines)
----
SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM lines l WHERE l.status = o.status)
----
not_equivalent

decide
SELECT id FROM orders WHERE status > ANY (SELECT status FROM lines)
----
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.status < o.status)
----
equivalent

decide
SELECT id FROM orders WHERE status > ANY (SELECT status FROM lines)
----
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.status::text < o.status::text)
----
not_equivalent

decide
SELECT id FROM orders WHERE status > ANY (ARRAY['new','paid']::status[])
----
SELECT id FROM orders WHERE status > 'new'
----
equivalent

decide
SELECT id FROM orders WHERE status > ALL (ARRAY['new','paid']::status[])
----
SELECT id FROM orders WHERE status > 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE (prev, id) >= ('paid', 3)
----
SELECT id FROM orders WHERE prev > 'paid' OR (prev = 'paid' AND id >= 3)
----
equivalent

decide
SELECT id FROM orders WHERE (id, prev) >= (3, 'paid')
----
SELECT id FROM orders WHERE id > 3 OR (id = 3 AND prev::text >= 'paid')
----
not_equivalent

decide
SELECT id, ROW_NUMBER() OVER (PARTITION BY status ORDER BY prev, id) FROM orders
----
SELECT id, ROW_NUMBER() OVER (PARTITION BY status ORDER BY prev::text, id) FROM orders
----
not_equivalent

decide
SELECT id, LAG(prev) OVER (ORDER BY id) FROM orders
----
SELECT id, LAG(prev) OVER (ORDER BY id) FROM orders WHERE status >= 'new'
----
equivalent

decide
SELECT id FROM orders ORDER BY prev DESC, id
----
SELECT id FROM orders ORDER BY prev DESC NULLS LAST, id
----
not_equivalent

decide
SELECT id FROM orders ORDER BY prev, id LIMIT 2
----
SELECT id FROM orders ORDER BY prev NULLS LAST, id LIMIT 2
----
equivalent

decide
SELECT prev FROM orders ORDER BY prev FETCH FIRST 1 ROW WITH TIES
----
SELECT prev FROM orders WHERE prev = (SELECT MIN(prev) FROM orders) ORDER BY prev
----
not_equivalent

decide
SELECT status FROM orders INTERSECT SELECT status FROM lines ORDER BY 1
----
SELECT DISTINCT o.status FROM orders o JOIN lines l ON l.status = o.status ORDER BY 1
----
equivalent

decide
SELECT status FROM orders EXCEPT ALL SELECT status FROM lines ORDER BY 1
----
SELECT status FROM orders EXCEPT ALL SELECT status FROM lines ORDER BY status DESC
----
not_equivalent

decide
SELECT COUNT(DISTINCT status) FROM orders
----
SELECT COUNT(*) FROM (SELECT DISTINCT status FROM orders) x
----
equivalent

decide
SELECT COUNT(DISTINCT prev) FROM orders
----
SELECT COUNT(*) FROM (SELECT DISTINCT prev FROM orders) x
----
not_equivalent

decide
SELECT id FROM orders WHERE status::text IN ('paid', 'nosuch')
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE status::text ~ '^c'
----
SELECT id FROM orders WHERE status = 'cancelled'
----
equivalent

decide
SELECT id FROM orders WHERE length(status::text) = 4
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

decide
SELECT CASE WHEN status = 'paid' THEN 'new'::status ELSE status END FROM orders
----
SELECT CASE status WHEN 'paid' THEN 'new' ELSE status END FROM orders
----
equivalent

decide
SELECT COALESCE(prev, status) FROM orders
----
SELECT CASE WHEN prev IS NOT NULL THEN prev ELSE status END FROM orders
----
equivalent

decide
SELECT status, SUM(l.qty) FROM orders o JOIN lines l USING (status) GROUP BY status
----
SELECT o.status, SUM(l.qty) FROM orders o JOIN lines l ON o.status = l.status GROUP BY o.status
----
equivalent

decide
SELECT o.id, l.id FROM orders o FULL JOIN lines l ON o.status = l.status AND o.prev < l.status
----
SELECT o.id, l.id FROM lines l FULL JOIN orders o ON l.status > o.prev AND l.status = o.status
----
equivalent

decide
SELECT x.s FROM (VALUES ('new'::status), ('paid')) AS x (s) WHERE x.s < 'paid'
----
SELECT 'new'::status
----
equivalent

decide
WITH r AS (SELECT status s, COUNT(*) n FROM orders GROUP BY status) SELECT s FROM r WHERE s <> 'new' ORDER BY s DESC
----
SELECT status FROM orders WHERE status > 'new' GROUP BY status ORDER BY status DESC
----
equivalent

# The order of bytes is another.
decide
SELECT id FROM orders WHERE status >= 'Sent out'
----
SELECT id FROM orders WHERE status::text >= 'Sent out'
----
not_equivalent

decide
SELECT id FROM orders WHERE prev <= 'new'
----
SELECT id FROM orders WHERE prev <= 'paid'
----
not_equivalent

decide
SELECT MIN(status) FROM orders WHERE status <> 'new'
----
SELECT MIN(status) FROM orders WHERE status > 'paid'
----
not_equivalent

decide
SELECT prev, MAX(id) FROM orders GROUP BY prev ORDER BY prev
----
SELECT prev, MAX(id) FROM orders GROUP BY prev ORDER BY prev DESC
----
not_equivalent

decide
SELECT id FROM orders WHERE q < ''
----
SELECT id FROM orders WHERE q IS NOT NULL
----
not_equivalent

decide
SELECT id FROM orders WHERE grade BETWEEN 'a' AND 'b'
----
SELECT id FROM orders WHERE grade <> 'c' OR grade IS NULL
----
not_equivalent

decide
SELECT o.id FROM orders o JOIN lines l ON l.status > o.status
----
SELECT o.id FROM orders o JOIN lines l ON l.status <> o.status
----
not_equivalent

decide
SELECT GREATEST('new', prev) FROM orders
----
SELECT prev FROM orders
----
not_equivalent

decide
SELECT CASE WHEN prev > 'paid' THEN 1 ELSE 0 END FROM orders
----
SELECT CASE WHEN prev <= 'paid' THEN 0 ELSE 1 END FROM orders
----
not_equivalent

# A parameter of an enumeration is one of its labels, or NULL.
decide
SELECT id FROM orders WHERE status = $1
----
SELECT id FROM orders WHERE $1 = status
----
equivalent
