# Lists, structs, maps and unions are symbols by one name each; a lambda is a part of the symbol, what it names besides an argument.
schema dialect=duckdb
CREATE TABLE person (id INTEGER PRIMARY KEY, name VARCHAR, age INTEGER, tags VARCHAR[], attrs MAP(VARCHAR, INTEGER), addr STRUCT(city VARCHAR, zip INTEGER));
CREATE TABLE sale (id INTEGER PRIMARY KEY, qty INTEGER, items INTEGER[], contact UNION(num INTEGER, word VARCHAR));
CREATE MACRO clean(s VARCHAR) AS lower(trim(s));
CREATE MACRO plus(a INTEGER, b INTEGER := 1) AS a + b

decide
SELECT list_transform(items, lambda x: x + qty) FROM sale WHERE qty > 1
----
SELECT [y + s.qty FOR y IN s.items] FROM sale s WHERE 1 < s.qty
----
equivalent

decide
SELECT list_filter(items, lambda x: x > qty) FROM sale
----
SELECT list_filter(items, lambda x: x > id) FROM sale
----
not_equivalent

# A name is a parameter of the lambda before it is a column.
decide
SELECT list_transform(items, lambda qty: qty + id) FROM sale
----
SELECT list_transform(items, lambda x: x + id) FROM sale
----
equivalent

decide
SELECT list_transform(items, lambda qty: qty + 1) FROM sale
----
SELECT list_transform(items, lambda x: qty + 1) FROM sale
----
not_equivalent

decide
SELECT addr.city FROM person WHERE attrs['k'] > 2
----
SELECT struct_extract(addr, 'city') FROM person WHERE 2 < map_extract_value(attrs, 'k')
----
equivalent

decide
SELECT id FROM person WHERE addr.zip = 3
----
SELECT id FROM person WHERE addr.zip = 4
----
not_equivalent

decide
SELECT id FROM person WHERE attrs['k'] = 3
----
SELECT id FROM person WHERE attrs['l'] = 3
----
not_equivalent

decide
SELECT contact.num, items[1:2], items[3], len(items) FROM sale WHERE union_tag(contact) = 'num'
----
SELECT union_extract(contact, 'num'), list_slice(items, 1, 2), list_extract(items, 3), array_length(items) FROM sale WHERE 'num' = union_tag(contact)
----
equivalent

decide
SELECT id FROM sale WHERE list_has_all(items, [qty])
----
SELECT id FROM sale WHERE array_has_all(items, [qty])
----
equivalent

# The catalogue calls it an alias, of swapped arguments.
decide
SELECT id FROM sale WHERE items <@ [qty]
----
SELECT id FROM sale WHERE list_has_all(items, [qty])
----
not_equivalent

decide
SELECT items[1:2] FROM sale
----
SELECT items[1:3] FROM sale
----
not_equivalent

decide
SELECT string_agg(name, $1 ORDER BY id) FROM person WHERE age > 1
----
SELECT string_agg(name, $1 ORDER BY id) FROM person WHERE 1 < age
----
equivalent

decide
SELECT string_agg(name, $1 ORDER BY id) FROM person
----
SELECT string_agg(name, $1 ORDER BY id DESC) FROM person
----
undecided NO_PROOF

decide
SELECT qty, list(id ORDER BY id) FROM sale GROUP BY ALL
----
SELECT qty, array_agg(id ORDER BY id) FROM sale GROUP BY qty
----
equivalent

# Of tied rows any may come first.
decide
SELECT list(id ORDER BY qty) FROM sale
----
SELECT list(id ORDER BY qty, id) FROM sale
----
undecided NO_PROOF

decide
SELECT name.lower(), clean(name), plus(age), plus(age, 2) FROM person
----
SELECT lower(name), lower(trim(name)), age + 1, age + 2 FROM person
----
equivalent

decide
SELECT plus(age) FROM person
----
SELECT age + 2 FROM person
----
not_equivalent

decide
WITH RECURSIVE r(a, b) USING KEY (a) AS (SELECT id, qty FROM sale UNION SELECT r.a, s.id FROM r JOIN sale s ON s.id = r.b) SELECT * FROM r WHERE a > 1
----
WITH RECURSIVE r(a, b) USING KEY (a) AS (SELECT id, qty FROM sale UNION SELECT r.a, s.id FROM r JOIN sale s ON s.id = r.b) SELECT * FROM r WHERE 1 < a
----
undecided UNSUPPORTED
