# Columns without a type hold numbers of both classes and texts: what is said of an aggregate is that NULLs do not count.
schema
CREATE TABLE reading (k, j, note TEXT);
----

# A CASE without ELSE is NULL where a filter would drop the row.
decide relation=bag
SELECT MAX(k) FROM reading WHERE k > 1
----
SELECT MAX(CASE WHEN k > 1 THEN k END) FROM reading
----
equivalent by=proof

decide relation=bag
SELECT SUM(k) FROM reading WHERE j > 2
----
SELECT SUM(CASE WHEN j > 2 THEN k END) FROM reading
----
equivalent by=proof

# A 0 in place of NULL counts as an argument, and is the sum of no rows.
decide relation=bag
SELECT MAX(k) FROM reading WHERE k > 1
----
SELECT MAX(CASE WHEN k > 1 THEN k ELSE 0 END) FROM reading
----
not_equivalent

decide relation=bag
SELECT SUM(k) FROM reading WHERE j > 2
----
SELECT SUM(CASE WHEN j > 2 THEN k ELSE 0 END) FROM reading
----
not_equivalent

# The last change of letters is what shows.
decide relation=bag
SELECT UPPER(LOWER(note)) FROM reading
----
SELECT UPPER(note) FROM reading
----
equivalent by=proof

decide relation=bag
SELECT UPPER(LOWER(note)) FROM reading
----
SELECT LOWER(note) FROM reading
----
not_equivalent
