# A column in an IN list brings no collation, but is a text all the same: the left side's collation compares it.  The
# algebra took it for no text, and compared under BINARY.
schema facts=declared
CREATE TABLE person (id INTEGER PRIMARY KEY, a INTEGER, c COLLATE NOCASE NOT NULL, n TEXT COLLATE NOCASE, s TEXT)
----

decide tiers=proof
SELECT t.id, CASE (SELECT t.c) WHEN CASE WHEN 0 THEN 1 ELSE t.a END THEN 'q' WHEN NULL THEN 'p' END FROM person AS t
----
SELECT t.id, CASE WHEN t.c IN (NULL) THEN 'p' WHEN t.c IN (t.a) THEN 'q' END FROM person AS t
----
undecided NO_PROOF

decide tiers=proof
SELECT id FROM person WHERE n IN (s)
----
SELECT id FROM person WHERE n COLLATE BINARY = s
----
undecided NO_PROOF

decide tiers=proof
SELECT id FROM person WHERE n IN (s, 'x')
----
SELECT id FROM person WHERE n = s OR n = 'x'
----
equivalent by=proof
