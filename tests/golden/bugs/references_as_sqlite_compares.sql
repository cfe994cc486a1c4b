# A foreign key converts the child by the affinity of the parent's column, and compares under its collation: 10 refers
# to '10', never to '010'.
schema
CREATE TABLE p (a TEXT PRIMARY KEY);
CREATE TABLE k (id INTEGER PRIMARY KEY, i INTEGER NOT NULL REFERENCES p (a))

decide
SELECT id FROM k
----
SELECT k.id FROM k JOIN p ON p.a = k.i || ''
----
undecided NO_PROOF

# `=` converts '010' to a number here, and finds two parents.
decide
SELECT id FROM k
----
SELECT k.id FROM k JOIN p ON p.a = k.i
----
not_equivalent

# The same between a number and a text the other way round, where '010' refers to 10.
schema
CREATE TABLE p (a INTEGER PRIMARY KEY);
CREATE TABLE k (id INTEGER PRIMARY KEY, t TEXT NOT NULL REFERENCES p (a))

decide
SELECT id FROM k
----
SELECT k.id FROM k JOIN p ON p.a || '' = k.t
----
not_equivalent

# Of a column without a type nothing is converted: '5' refers to no 5, though `=` beside an INTEGER column says so.
schema
CREATE TABLE p (a PRIMARY KEY);
CREATE TABLE k (id INTEGER PRIMARY KEY, i INTEGER NOT NULL REFERENCES p (a))

decide
SELECT id FROM k
----
SELECT k.id FROM k JOIN p ON +p.a = +k.i
----
undecided

# An integer beyond 53 bits stays what it is beside a REAL: it refers to no REAL that differs from it.
schema
CREATE TABLE p (a REAL PRIMARY KEY);
CREATE TABLE k (id INTEGER PRIMARY KEY, i INTEGER NOT NULL REFERENCES p (a))

decide
SELECT id FROM k
----
SELECT k.id FROM k JOIN p ON p.a = k.i
----
equivalent by=proof

# A foreign key of several columns, of which one is spelt otherwise than its parent: generation raised an error, INTERNAL.
schema
CREATE TABLE a (p TEXT COLLATE NOCASE NOT NULL, q TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (p, q));
CREATE TABLE b (id INTEGER PRIMARY KEY, p0 TEXT, q0 TEXT, FOREIGN KEY (p0, q0) REFERENCES a (p, q))

decide
SELECT id FROM b WHERE p0 IS NOT NULL AND q0 = 'a'
----
SELECT id FROM b WHERE p0 = 'A' AND q0 = 'a'
----
not_equivalent

decide
SELECT b.id FROM b JOIN a ON b.p0 = a.p AND b.q0 = a.q
----
SELECT id FROM b WHERE p0 IS NOT NULL AND q0 IS NOT NULL
----
not_equivalent

schema
CREATE TABLE a (p INTEGER NOT NULL, q INTEGER NOT NULL, PRIMARY KEY (p, q));
CREATE TABLE b (id INTEGER PRIMARY KEY, p0 TEXT, q0 TEXT, FOREIGN KEY (p0, q0) REFERENCES a (p, q))

decide
SELECT id FROM b WHERE p0 = '1' AND q0 IS NOT NULL
----
SELECT id FROM b WHERE p0 = '1' AND q0 = '2'
----
not_equivalent
