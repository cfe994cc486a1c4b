# The bytes that position looks for were a text, '\x61' of four letters, in rows whose bytes are no text: the core told
# pairs apart that the server does not.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, b BYTEA, x BIT VARYING(8), s TEXT);

decide
SELECT id FROM t WHERE position('\x'::bytea IN b) > 0
----
SELECT id FROM t WHERE b IS NOT NULL
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE position('\x61'::bytea IN b) > 0
----
SELECT id FROM t WHERE NOT position('\x61'::bytea IN b) <= 0
----
equivalent

decide
SELECT id FROM t WHERE position(B'01' IN x) > 0
----
SELECT id FROM t WHERE position(B'1' IN x) > 0
----
not_equivalent

decide
SELECT id FROM t WHERE position('61' IN s) > 0
----
SELECT id FROM t WHERE s LIKE '%61%'
----
equivalent
