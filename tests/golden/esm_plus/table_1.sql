# Written by `python -m equiv.rules.audit` from rules/esm_plus.toml.

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 1, the row with the extreme value: `= (SELECT MAX …)` and `ORDER BY … LIMIT 1`: one row with NULL is enough: `=` finds none, ORDER BY finds it; ascending, also among others.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 = (SELECT MAX(c1) FROM t1)
----
SELECT c2 FROM t1 ORDER BY c1 DESC LIMIT 1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 1, the row with the extreme value: `= (SELECT MAX …)` and `ORDER BY … LIMIT 1`: one row with NULL is enough: `=` finds none, ORDER BY finds it; ascending, also among others.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 = (SELECT MIN(c1) FROM t1)
----
SELECT c2 FROM t1 ORDER BY c1 LIMIT 1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 1, the row with the extreme value: `= (SELECT MAX …)` and `ORDER BY … LIMIT 1`: the column is a key without NULL, and both forms filter alike.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 = (SELECT MAX(c1) FROM t1)
----
SELECT c2 FROM t1 ORDER BY c1 DESC LIMIT 1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 2, DISTINCT or not: two rows may hold NULL in a UNIQUE column, which DISTINCT merges.
decide relation=bag
SELECT DISTINCT c1 FROM t1
----
SELECT c1 FROM t1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 2, DISTINCT or not: the projections determine the row of every source: a key that compares by BINARY, without NULL.
decide relation=bag
SELECT DISTINCT c1 FROM t1 WHERE c1 > 2
----
SELECT c1 FROM t1 WHERE c1 > 2
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 3, INTERSECT and AND: two rows may hold NULL in a UNIQUE column, one meeting each condition.
decide relation=bag
SELECT c1 FROM t1 WHERE c2 = 1 INTERSECT SELECT c1 FROM t1 WHERE c3 = 2
----
SELECT c1 FROM t1 WHERE c2 = 1 AND c3 = 2
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 3, INTERSECT and AND: the projections contain a key of every source, without NULL.
decide relation=bag
SELECT c1 FROM t1 WHERE c2 = 1 INTERSECT SELECT c1 FROM t1 WHERE c3 = 2
----
SELECT c1 FROM t1 WHERE c2 = 1 AND c3 = 2
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 4, UNION and OR: two rows may hold NULL in a UNIQUE column, which UNION merges.
decide relation=bag
SELECT c1 FROM t1 WHERE c2 = 1 UNION SELECT c1 FROM t1 WHERE c3 = 2
----
SELECT c1 FROM t1 WHERE c2 = 1 OR c3 = 2
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 4, UNION and OR: none if DISTINCT stays; dropping it needs rule 2.
decide relation=bag
SELECT c1 FROM t1 WHERE c2 = 1 UNION SELECT c1 FROM t1 WHERE c3 = 'k'
----
SELECT DISTINCT c1 FROM t1 WHERE c2 = 1 OR c3 = 'k'
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)
----

# ESM+ 5, further GROUP BY columns: two rows may hold NULL in a UNIQUE column and so share a group.
decide relation=bag
SELECT COUNT(*) FROM t1 GROUP BY c1, c2
----
SELECT COUNT(*) FROM t1 GROUP BY c1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 5, further GROUP BY columns: the other keys determine the column: by a key without NULL, an equality or a constant.
decide relation=bag
SELECT COUNT(*) FROM t1 GROUP BY c1, c2
----
SELECT COUNT(*) FROM t1 GROUP BY c1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER);
CREATE TABLE t2 (c4 INTEGER)
----

# ESM+ 6, EXCEPT and NOT IN: the other query may yield NULL: NOT IN is then never true.
decide relation=bag
SELECT c1 FROM t1 EXCEPT SELECT c4 FROM t2
----
SELECT c1 FROM t1 WHERE c1 NOT IN (SELECT c4 FROM t2)
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER);
CREATE TABLE t2 (c4 INTEGER)
----

# ESM+ 6, EXCEPT and NOT IN: NULL on neither side of NOT IN, on one side at most of EXCEPT; equal affinity, BINARY.
decide relation=bag
SELECT c1 FROM t1 EXCEPT SELECT c4 FROM t2 WHERE c4 > 0
----
SELECT c1 FROM t1 WHERE c1 NOT IN (SELECT c4 FROM t2 WHERE c4 > 0)
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 7, COUNT(*) and COUNT(c): over one table, as stated; an outer join may pad the column.
decide relation=bag
SELECT COUNT(*) FROM t1
----
SELECT COUNT(c1) FROM t1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 8, IS NOT NULL: over one table, as stated; an outer join may pad the column.
decide relation=bag
SELECT c1 FROM t1 WHERE c1 IS NOT NULL
----
SELECT c1 FROM t1
----
equivalent by=rules

schema assume='not_empty(t1)'
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 9, the extreme value: MIN or MAX, and `ORDER BY … LIMIT 1`: NULL comes first in ascending order, MIN skips it; the largest value (figure 1b) is as stated.
decide relation=bag
SELECT MIN(c1) FROM t1
----
SELECT c1 FROM t1 ORDER BY c1 LIMIT 1
----
not_equivalent by=generate

schema assume='not_empty(t1)'
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 9, the extreme value: MIN or MAX, and `ORDER BY … LIMIT 1`: not_empty and no filter, NULL last or absent, BINARY; as a value in a comparison or in arithmetic without not_empty, but of equal affinity.
decide relation=bag
SELECT MAX(c1) FROM t1
----
SELECT c1 FROM t1 ORDER BY c1 DESC LIMIT 1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 10, `*` and the list of all columns: in the order of the table.
decide relation=bag
SELECT * FROM t1
----
SELECT c1, c2, c3 FROM t1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1, c2 INTEGER)
----

# ESM+ 11, a number in quotes or not: a column without affinity converts neither side; in a TEXT column 1.0 is not '1.0'.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 = '5'
----
SELECT c2 FROM t1 WHERE c1 = 5
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 11, a number in quotes or not: the column's affinity converts one form into the other, exactly.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 = '5'
----
SELECT c2 FROM t1 WHERE c1 = 5
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 TEXT PRIMARY KEY, c3 INTEGER);
CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)
----

# ESM+ 12, IN and JOIN: a comparison that converts the key lets one reference match several rows.
decide relation=bag
SELECT c4 FROM t2 WHERE c2 IN (SELECT c1 FROM t1 WHERE c1 IN ('1', '01'))
----
SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2 WHERE c1 IN ('1', '01')
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c3 INTEGER);
CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)
----

# ESM+ 12, IN and JOIN: at most one match: a key that the comparison leaves as stored; duplicates may make that needless.
decide relation=bag
SELECT c4 FROM t2 WHERE c2 IN (SELECT c1 FROM t1 WHERE c3 = 1)
----
SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2 WHERE c3 = 1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY);
CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)
----

# ESM+ 13, a join of which nothing is read: a reference may be NULL, and its row is lost in the join.
decide relation=bag
SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
SELECT c4 FROM t2
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY);
CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)
----

# ESM+ 13, a join of which nothing is read: parent columns UNIQUE, reference included in them, affinity and collation equal; unless never NULL, IS NOT NULL stays.
decide relation=bag
SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
SELECT c4 FROM t2 WHERE c2 IS NOT NULL
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 14, AS before an alias or not: the parser reads both alike.
decide relation=bag
SELECT t.c1 FROM t1 AS t
----
SELECT t.c1 FROM t1 t
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 15, IN over a list and a chain of comparisons: for constants; a column in the list would lose its affinity there.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 IN (1, 2) AND c3 NOT IN ('x', 'y')
----
SELECT c2 FROM t1 WHERE (c1 = 1 OR c1 = 2) AND c3 <> 'x' AND c3 <> 'y'
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 TEXT);
CREATE TABLE t2 (c2 INTEGER)
----

# ESM+ 16, either of two columns that a join equates: equal is not identical: '1' = 1 between columns of different affinity, 'a' = 'A' under NOCASE.
decide relation=bag
SELECT t1.c1 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
SELECT t2.c2 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER);
CREATE TABLE t2 (c2 INTEGER)
----

# ESM+ 16, either of two columns that a join equates: one storage affinity and BINARY for both.
decide relation=bag
SELECT t1.c1 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
SELECT t2.c2 FROM t1 JOIN t2 ON t1.c1 = t2.c2
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 17, IN over the same table and the filter itself: another row with the same value may meet the condition.
decide relation=bag
SELECT c1 FROM t1 WHERE c1 IN (SELECT c1 FROM t1 WHERE c2 = 1)
----
SELECT c1 FROM t1 WHERE c2 = 1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)
----

# ESM+ 17, IN over the same table and the filter itself: the column is UNIQUE; IS NOT NULL stays.
decide relation=bag
SELECT c1 FROM t1 WHERE c1 IN (SELECT c1 FROM t1 WHERE c2 = 1)
----
SELECT c1 FROM t1 WHERE c2 = 1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 18, a query and its UNION or INTERSECT with itself: UNION and INTERSECT remove duplicates; a LIMIT inside may choose anew.
decide relation=bag
SELECT c1 FROM t1
----
SELECT c1 FROM t1 UNION SELECT c1 FROM t1
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 18, a query and its UNION or INTERSECT with itself: DISTINCT stays, no LIMIT inside.
decide relation=bag
SELECT DISTINCT c1 FROM t1
----
SELECT c1 FROM t1 INTERSECT SELECT c1 FROM t1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 19, BETWEEN and two comparisons: also for NULL, as the conjunction of both; its `c1 >= x/y and c1 <= x/y` is read as `c1 >= x AND c1 <= y`: as options, chosen alike, it would be `c1 >= x AND c1 <= x`, which is another query.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 BETWEEN 1 AND 5
----
SELECT c2 FROM t1 WHERE c1 >= 1 AND c1 <= 5
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 20, a comparison and NOT of its opposite: also for NULL, which makes both NULL.
decide relation=bag
SELECT c2 FROM t1 WHERE c1 >= 3
----
SELECT c2 FROM t1 WHERE NOT c1 < 3
----
equivalent by=rules
