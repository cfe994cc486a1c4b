# Enumerations of DuckDB's: in the order of their declaration among themselves, texts beside texts.
schema dialect=duckdb
CREATE TYPE status AS ENUM ('new', 'paid', 'Sent out', 'cancelled');
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE orders (id int PRIMARY KEY, status status NOT NULL, prev status, mood mood, note text);

decide
SELECT status FROM orders
----
SELECT status::text FROM orders
----
equivalent

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

# Beside a text an enumeration is a text: the order is that of bytes.
decide
SELECT id FROM orders WHERE status < 'paid'
----
SELECT id FROM orders WHERE status IN ('new','cancelled','Sent out')
----
equivalent

# Beside a value of its type it has the order in which it is declared.
decide
SELECT id FROM orders WHERE status < 'paid'::status
----
SELECT id FROM orders WHERE status = 'new'
----
equivalent

decide
SELECT id FROM orders WHERE status < CAST('Sent out' AS status)
----
SELECT id FROM orders WHERE status IN ('new','paid')
----
equivalent

decide
SELECT id FROM orders WHERE status < CAST('Sent out' AS ENUM('new', 'paid', 'Sent out', 'cancelled'))
----
SELECT id FROM orders WHERE status IN ('new','paid')
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
SELECT id FROM orders WHERE status::text < prev::text
----
not_equivalent

decide
SELECT id FROM orders WHERE status <> 'paid'
----
SELECT id FROM orders WHERE NOT status = 'paid'
----
equivalent

decide
SELECT MAX(status) FROM orders
----
SELECT MIN(status) FROM orders
----
not_equivalent

decide
SELECT MAX(status) FROM orders
----
SELECT status FROM orders ORDER BY status DESC LIMIT 1
----
not_equivalent

decide
SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status
----
SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY status::text
----
not_equivalent

decide
SELECT id FROM orders ORDER BY status, id
----
SELECT id FROM orders ORDER BY CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 WHEN 'Sent out' THEN 3 ELSE 4 END, id
----
equivalent

decide
SELECT id FROM orders WHERE status LIKE 'p%'
----
SELECT id FROM orders WHERE status = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE status = 'PAID'
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT GREATEST(status, prev) FROM orders
----
SELECT CASE WHEN prev > status THEN prev ELSE status END FROM orders
----
equivalent

# Values of two enumerations compare as texts.
decide
SELECT o.id FROM orders o JOIN orders p ON o.status = p.mood
----
SELECT id FROM orders WHERE false
----
equivalent

decide
SELECT id FROM orders WHERE status = note
----
SELECT id FROM orders WHERE status::varchar = note
----
equivalent

decide
SELECT status FROM orders UNION SELECT note FROM orders
----
SELECT status::varchar FROM orders UNION SELECT note FROM orders
----
equivalent

decide
SELECT status FROM orders UNION SELECT prev FROM orders ORDER BY 1
----
SELECT s FROM (SELECT status s FROM orders UNION SELECT prev FROM orders) x ORDER BY s
----
equivalent

decide
SELECT status FROM orders UNION SELECT mood FROM orders ORDER BY 1
----
SELECT status::varchar FROM orders UNION SELECT mood::varchar FROM orders ORDER BY 1
----
equivalent

decide
SELECT DISTINCT ON (status) id FROM orders ORDER BY status, id
----
SELECT MIN(id) FROM orders GROUP BY status ORDER BY status
----
equivalent

decide
SELECT id, RANK() OVER (ORDER BY status) FROM orders
----
SELECT id, RANK() OVER (ORDER BY status::text) FROM orders
----
not_equivalent

# A text that is no label has no value.
decide
SELECT id FROM orders WHERE TRY_CAST(note AS status) = 'paid'
----
SELECT id FROM orders WHERE note = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE TRY_CAST(note AS status) IS NULL
----
SELECT id FROM orders WHERE note IS NULL OR note NOT IN ('new','paid','Sent out','cancelled')
----
equivalent

decide
SELECT id FROM orders WHERE TRY_CAST(note AS status) IS NULL
----
SELECT id FROM orders WHERE note IS NULL
----
not_equivalent

decide
SELECT id FROM orders WHERE prev IN ('paid', 'zzz')
----
SELECT id FROM orders WHERE prev = 'paid'
----
equivalent

decide
SELECT id FROM orders WHERE (status, id) < ('paid'::status, 3)
----
SELECT id FROM orders WHERE status = 'new' OR status = 'paid' AND id < 3
----
equivalent

decide
SELECT COALESCE(prev, status) FROM orders
----
SELECT CASE WHEN prev IS NULL THEN status ELSE prev END FROM orders
----
equivalent

decide
SELECT COALESCE(prev, 'none') FROM orders
----
SELECT CASE WHEN prev IS NULL THEN 'none' ELSE prev END FROM orders
----
equivalent

decide
SELECT id FROM orders WHERE status > 'paid'::status
----
SELECT id FROM orders WHERE status > 'paid'
----
not_equivalent

decide
SELECT id FROM orders WHERE prev < 'new'::status
----
SELECT id FROM orders WHERE prev < 'new'
----
not_equivalent

decide
SELECT MAX(prev) FROM orders
----
SELECT MAX(prev::varchar) FROM orders
----
not_equivalent

decide
SELECT LEAST(status, prev) FROM orders
----
SELECT LEAST(status::varchar, prev::varchar) FROM orders
----
not_equivalent

decide
SELECT id FROM orders WHERE prev BETWEEN 'paid'::status AND 'Sent out'::status
----
SELECT id FROM orders WHERE prev BETWEEN 'paid' AND 'Sent out'
----
not_equivalent

decide
SELECT id FROM orders WHERE prev IN ('paid'::status, 'new'::status)
----
SELECT id FROM orders WHERE prev < 'Sent out'::status
----
equivalent

decide
SELECT id FROM orders ORDER BY prev, id
----
SELECT id FROM orders ORDER BY prev::varchar, id
----
not_equivalent

decide
SELECT id FROM orders ORDER BY prev, id LIMIT 1
----
SELECT id FROM orders ORDER BY prev NULLS FIRST, id LIMIT 1
----
not_equivalent

decide
SELECT o.id FROM orders o JOIN orders p ON o.mood = p.mood
----
SELECT o.id FROM orders o JOIN orders p ON o.mood >= p.mood
----
not_equivalent

decide
SELECT id FROM orders WHERE mood > ANY (SELECT mood FROM orders)
----
SELECT id FROM orders WHERE mood = 'ok' AND EXISTS (SELECT 1 FROM orders WHERE mood = 'sad')
----
equivalent

decide
SELECT id FROM orders WHERE mood > ANY (SELECT mood FROM orders)
----
SELECT id FROM orders WHERE mood = 'ok'
----
not_equivalent

decide
SELECT id FROM orders WHERE TRY_CAST(note AS mood) < 'ok'::mood
----
SELECT id FROM orders WHERE note = 'sad'
----
equivalent

decide
SELECT id FROM orders WHERE TRY_CAST(note AS mood) < 'ok'::mood
----
SELECT id FROM orders WHERE note < 'ok'
----
not_equivalent
