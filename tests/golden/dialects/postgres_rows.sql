# Rows and their fields are symbols; so are operators, in whatever order PostgreSQL's catalogue lets them stand.
schema dialect=postgres
CREATE TYPE addr AS (street text, zip text);
CREATE TABLE u (id int PRIMARY KEY, name varchar(20), q int, a addr, j jsonb, r int4range);
CREATE TABLE v (id int PRIMARY KEY, uid int REFERENCES u (id), name varchar(20), a addr, r int4range)

decide
SELECT to_jsonb(u.*) FROM u JOIN v ON v.uid = u.id WHERE u.q > 1
----
SELECT to_jsonb(u) FROM v JOIN u ON v.uid = u.id WHERE 1 < u.q
----
equivalent

# Where the outer join has no row it is NULL, which the row of which each field is NULL is not.
decide
SELECT v.id, u FROM v LEFT JOIN u ON v.uid = u.id
----
SELECT v.id, ROW(u.id, u.name, u.q, u.a, u.j, u.r)::u FROM v LEFT JOIN u ON v.uid = u.id
----
not_equivalent by=generate

decide
SELECT (a).zip FROM u WHERE q > 1 AND a = ROW('x', 'y')::addr
----
SELECT (u.a).zip FROM u WHERE ROW('x', 'y')::addr = a AND 1 < q
----
equivalent

decide
SELECT (a).zip FROM u
----
SELECT (a).street FROM u
----
not_equivalent by=generate

decide
SELECT u.id FROM u JOIN v ON u.a <= v.a AND u.r && v.r AND u.name IN (SELECT name FROM v)
----
SELECT u.id FROM v JOIN u ON NOT v.a < u.a AND v.r && u.r AND u.name = ANY (SELECT name FROM v)
----
equivalent

decide
SELECT u.id FROM u JOIN v ON u.a < v.a
----
SELECT u.id FROM v JOIN u ON v.a < u.a
----
not_equivalent by=generate

decide
SELECT id FROM u WHERE r @> q AND nullif(j, '{}') IS NOT NULL
----
SELECT id FROM u WHERE q <@ r AND CASE WHEN j = '{}' THEN NULL ELSE j END IS NOT NULL
----
equivalent
