# SQLite reads IN of one constant as a comparison with it, whose COLLATE counts; beside other elements it does not.
schema
CREATE TABLE p (id INTEGER PRIMARY KEY, u, nick TEXT, ncs TEXT COLLATE NOCASE);
----

decide relation=set tiers=proof
SELECT id FROM p WHERE nick IN ('A' COLLATE NOCASE)
----
SELECT id FROM p WHERE nick = 'A'
----
undecided

decide relation=set
SELECT id FROM p WHERE nick NOT IN ('A' COLLATE NOCASE)
----
SELECT id FROM p WHERE nick <> 'A'
----
not_equivalent

decide relation=set tiers=proof
SELECT id, nick IN ('A' COLLATE NOCASE) FROM p
----
SELECT id, nick = 'A' FROM p
----
undecided

decide relation=set tiers=proof
SELECT id FROM p WHERE 'A' IN ('a' COLLATE NOCASE)
----
SELECT id FROM p WHERE 'A' = 'a'
----
undecided

decide relation=set tiers=proof
SELECT id FROM p WHERE ncs IN ('A' COLLATE BINARY)
----
SELECT id FROM p WHERE ncs = 'a'
----
undecided

decide relation=set
SELECT id FROM p WHERE ncs IN ('A' COLLATE RTRIM)
----
SELECT id FROM p WHERE ncs = 'a'
----
not_equivalent

decide
SELECT id FROM p WHERE ncs IN ('A')
----
SELECT id FROM p WHERE ncs = 'a'
----
equivalent
