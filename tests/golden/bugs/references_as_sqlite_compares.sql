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
