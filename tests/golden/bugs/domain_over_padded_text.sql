# A result of char(5) has its blanks, a cast to text has none; a domain over char(5) was taken for text.
schema dialect=postgres
CREATE DOMAIN padded AS char(5);
CREATE DOMAIN code AS padded;
CREATE TABLE item (id bigint PRIMARY KEY, word padded, code code)

decide
SELECT word::text FROM item
----
SELECT word FROM item
----
undecided UNSUPPORTED

decide
SELECT code::text FROM item
----
SELECT code FROM item
----
undecided UNSUPPORTED

decide
SELECT id FROM item WHERE word::text LIKE 'ab'
----
SELECT id FROM item WHERE word = 'ab'
----
equivalent

decide
SELECT id FROM item WHERE word LIKE 'ab'
----
SELECT id FROM item WHERE word = 'ab'
----
not_equivalent
