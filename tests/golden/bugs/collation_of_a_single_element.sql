# The collation of an element of a list does not count: older versions of SQLite read IN of one constant as a
# comparison with it, whose COLLATE counts, and of that the proofs were wrong.
schema
CREATE TABLE p (id INTEGER PRIMARY KEY, u, nick TEXT, ncs TEXT COLLATE NOCASE);
----

decide relation=set tiers=proof
SELECT id FROM p WHERE nick IN ('A' COLLATE NOCASE)
----
SELECT id FROM p WHERE nick = 'A'
----
equivalent

decide relation=set
SELECT id FROM p WHERE nick NOT IN ('A' COLLATE NOCASE)
----
SELECT id FROM p WHERE nick <> 'A'
----
equivalent

decide relation=set tiers=proof
SELECT id, nick IN ('A' COLLATE NOCASE) FROM p
----
SELECT id, nick = 'A' FROM p
----
equivalent

decide relation=set tiers=proof
SELECT id FROM p WHERE 'A' IN ('a' COLLATE NOCASE)
----
SELECT id FROM p WHERE 'A' = 'a'
----
equivalent

decide relation=set tiers=proof
SELECT id FROM p WHERE ncs IN ('A' COLLATE BINARY)
----
SELECT id FROM p WHERE ncs = 'a'
----
equivalent

decide relation=set
SELECT id FROM p WHERE ncs IN ('A' COLLATE RTRIM)
----
SELECT id FROM p WHERE ncs = 'a'
----
equivalent

decide
SELECT id FROM p WHERE ncs IN ('A')
----
SELECT id FROM p WHERE ncs = 'a'
----
equivalent

decide
SELECT id FROM p WHERE nick IN ('A' COLLATE NOCASE)
----
SELECT id FROM p WHERE nick = 'A' COLLATE NOCASE
----
not_equivalent
