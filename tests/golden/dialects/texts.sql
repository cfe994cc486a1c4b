# What texts match and equal: LIKE minds case and knows a backslash, character(n) ignores blanks behind, casts to varchar(n) cut.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

# LIKE sees the blanks of a character(n), strpos the text without them.
decide
SELECT id FROM t WHERE strpos(c, 'ab ') > 0
----
SELECT id FROM t WHERE c LIKE '%ab %'
----
not_equivalent

# LIKE minds the case of letters.
decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'A%'
----
not_equivalent

# Without a wildcard LIKE is equality.
decide
SELECT id FROM t WHERE name LIKE 'abc'
----
SELECT id FROM t WHERE name = 'abc'
----
equivalent

# A backslash escapes by default.
decide
SELECT id FROM t WHERE name LIKE 'a\%'
----
SELECT id FROM t WHERE name = 'a%'
----
equivalent

# Blanks behind a character(n) mean nothing.
decide
SELECT id FROM t WHERE c = 'x '
----
SELECT id FROM t WHERE c = 'x'
----
equivalent

# An explicit cast to varchar(n) cuts.
decide
SELECT CAST(name AS VARCHAR(3)) FROM t WHERE name = 'abcdef'
----
SELECT 'abc' FROM t WHERE name = 'abcdef'
----
equivalent

# SUBSTR counts places before the first character; SQLite counts from the end.
decide
SELECT SUBSTR(name, -1) FROM t
----
SELECT SUBSTR(name, 1) FROM t
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT id FROM t WHERE name LIKE 'a%'
----
SELECT id FROM t WHERE name LIKE 'A%'
----
equivalent

decide
SELECT id FROM t WHERE name LIKE 'abc'
----
SELECT id FROM t WHERE name = 'abc'
----
not_equivalent

decide
SELECT id FROM t WHERE name LIKE 'a\%'
----
SELECT id FROM t WHERE name = 'a%'
----
not_equivalent

decide
SELECT id FROM t WHERE c = 'x '
----
SELECT id FROM t WHERE c = 'x'
----
not_equivalent

decide
SELECT CAST(name AS VARCHAR(3)) FROM t WHERE name = 'abcdef'
----
SELECT 'abc' FROM t WHERE name = 'abcdef'
----
not_equivalent

decide
SELECT SUBSTR(name, -1) FROM t
----
SELECT SUBSTR(name, 1) FROM t
----
not_equivalent

# What a type holds at most is not cut.
schema dialect=postgres
CREATE TABLE v (id INTEGER PRIMARY KEY, short VARCHAR(3), padded CHAR(3), name TEXT);

decide
SELECT SUBSTRING(short, 1, 3), LEFT(short, 4), SUBSTRING(padded, 0, 4) FROM v
----
SELECT short, short, padded::text FROM v
----
equivalent

decide
SELECT short FROM v WHERE short = 'abc' AND SUBSTRING(short, 1, 2) = 'ab'
----
SELECT short FROM v WHERE short = 'abc' AND SUBSTRING(short, 1, 2) = 'abc'
----
not_equivalent

decide
SELECT SUBSTRING(name, 1, 3) FROM v WHERE name = 'abcd'
----
SELECT name FROM v WHERE name = 'abcd'
----
not_equivalent

# A plain regular expression is a pattern; an anchored text is equality.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);

decide
SELECT id FROM t WHERE name ~ '^abc$'
----
SELECT id FROM t WHERE name = 'abc'
----
equivalent

decide
SELECT id FROM t WHERE name ~ '^(a|b)$'
----
SELECT id FROM t WHERE name IN ('a', 'b')
----
equivalent

# It is found anywhere without anchors.
decide
SELECT id FROM t WHERE name ~ 'abc'
----
SELECT id FROM t WHERE name = 'abc'
----
not_equivalent

# A point is any character, and an escaped one a point.
decide
SELECT id FROM t WHERE name ~ '^a.c'
----
SELECT id FROM t WHERE name ~ '^a\.c'
----
not_equivalent

decide
SELECT id FROM t WHERE name ~ '^a.*c$'
----
SELECT id FROM t WHERE name LIKE 'a%c'
----
equivalent

# SIMILAR TO matches the whole.
decide
SELECT id FROM t WHERE name SIMILAR TO 'a%'
----
SELECT id FROM t WHERE name LIKE 'a%'
----
equivalent

# A set of digits, and nothing else.
decide
SELECT id FROM t WHERE name ~ '^[0-9]+$'
----
SELECT id FROM t WHERE name ~ '[0-9]'
----
not_equivalent

# A text in which another has a place, and one that matches.
decide
SELECT id FROM t WHERE strpos(name, 'ab') > 0
----
SELECT id FROM t WHERE name LIKE '%ab%'
----
equivalent

decide
SELECT id FROM t WHERE 0 = position('a%b' IN name)
----
SELECT id FROM t WHERE name NOT LIKE '%a\%b%'
----
equivalent

# Behind the first place.
decide
SELECT id FROM t WHERE strpos(name, 'ab') > 1
----
SELECT id FROM t WHERE name LIKE '%ab%'
----
not_equivalent

# Wildcards side by side.
decide
SELECT id FROM t WHERE name LIKE 'a%%%b'
----
SELECT id FROM t WHERE name LIKE 'a%b'
----
equivalent by=proof

decide
SELECT id FROM t WHERE name LIKE '%_%_b'
----
SELECT id FROM t WHERE name LIKE '__%b'
----
equivalent by=proof

decide
SELECT id FROM t WHERE name LIKE '%_%_b'
----
SELECT id FROM t WHERE name LIKE '_%b'
----
not_equivalent
