# Texts were ordered byte by byte whatever the collation of the database: 'b' sorts between 'B' and 'C' under ICU's.
schema dialect=postgres
CREATE DATABASE shop WITH TEMPLATE = template0 ENCODING = 'UTF8' LOCALE_PROVIDER = icu LOCALE = 'en_US.UTF-8' ICU_LOCALE = 'en-US';
CREATE TABLE t (id INTEGER PRIMARY KEY, email TEXT, city TEXT NOT NULL)

decide
SELECT id FROM t WHERE email >= 'B' AND email < 'C'
----
SELECT id FROM t WHERE email LIKE 'B%'
----
undecided NO_PROOF

decide
SELECT MAX(email) FROM t
----
SELECT email FROM t WHERE email IS NOT NULL ORDER BY email DESC LIMIT 1
----
undecided NO_PROOF

# Equal texts are the same ones under it.
decide
SELECT id FROM t WHERE email = 'B' AND city = 'b'
----
SELECT id FROM t WHERE city = 'b' AND NOT email <> 'B'
----
equivalent

decide
SELECT id FROM t WHERE email = 'B'
----
SELECT id FROM t WHERE email = 'b'
----
not_equivalent

# Where nobody states it C is assumed, by name.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, email TEXT, city TEXT NOT NULL)

decide names="setting(lc_collate = 'C')"
SELECT id FROM t WHERE email >= 'B' AND email < 'C'
----
SELECT id FROM t WHERE email LIKE 'B%'
----
equivalent

decide names="setting(lc_collate = 'C')"
SELECT MIN(email) FROM t WHERE email IN ('a', 'B')
----
SELECT MIN(email) FROM t WHERE email IN ('B', 'a')
----
equivalent

# What is the same under each order needs none.
decide
SELECT id FROM t WHERE city = 'b' ORDER BY email, id
----
SELECT id FROM t WHERE 'b' = city ORDER BY email, id
----
equivalent

# A CHECK that orders texts says by the collation what it says.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, grade TEXT NOT NULL CHECK (grade > 'B'))

decide names="setting(lc_collate = 'C')"
SELECT id FROM t WHERE grade <> 'A'
----
SELECT id FROM t
----
equivalent

# Under the policy declared it is unknown.
schema dialect=postgres facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, email TEXT, city TEXT NOT NULL)

decide
SELECT id FROM t WHERE email < 'C' AND email < 'a'
----
SELECT id FROM t WHERE email < 'C'
----
undecided NO_PROOF
