# Each row has its separator, which GROUP_CONCAT puts before the row's value: in another order another one is left out.
schema
CREATE TABLE c (id INTEGER PRIMARY KEY, w INTEGER, k TEXT);
----

decide
SELECT GROUP_CONCAT(k, w) FROM c
----
SELECT GROUP_CONCAT(k, w) FROM (SELECT * FROM c ORDER BY id DESC)
----
undecided NONDETERMINISTIC

decide
SELECT GROUP_CONCAT('b', w) FROM c WHERE w IN (2, 3)
----
SELECT GROUP_CONCAT('b', w) FROM (SELECT * FROM c WHERE w IN (2, 3) ORDER BY id DESC)
----
undecided NONDETERMINISTIC

decide
SELECT GROUP_CONCAT(k, ';') FROM c
----
SELECT GROUP_CONCAT(k, ',') FROM c
----
not_equivalent
