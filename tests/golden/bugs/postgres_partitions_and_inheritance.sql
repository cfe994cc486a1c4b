# Witnesses printed a bare PARTITION OF and put in rows that the given schema refuses: they are made by its own statements.
schema dialect=postgres
CREATE TABLE q (id INT PRIMARY KEY);
CREATE TABLE m (k INT, v INT, w INT) PARTITION BY LIST (k);
CREATE TABLE m1 PARTITION OF m (v NOT NULL, CHECK (w > 0)) FOR VALUES IN (1, 2, 3);
CREATE TABLE lone (k INT, v INT, w INT) PARTITION BY LIST (k);
CREATE TABLE lone1 PARTITION OF lone (v NOT NULL, CHECK (w > 0)) DEFAULT;
CREATE TABLE r (k INT, v INT, w INT) PARTITION BY RANGE (k);
CREATE TABLE r1 PARTITION OF r (v NOT NULL) FOR VALUES FROM (0) TO (10);
CREATE TABLE r2 PARTITION OF r (FOREIGN KEY (v) REFERENCES q) FOR VALUES FROM (10) TO (20);
CREATE UNIQUE INDEX ON r2 (w);
CREATE TABLE h (k INT, v INT) PARTITION BY HASH (k);
CREATE TABLE h1 PARTITION OF h (v NOT NULL) FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE h2 (v INT CHECK (v > 2), k INT);
ALTER TABLE h ATTACH PARTITION h2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);

decide
SELECT count(v) FROM m
----
SELECT count(*) FROM m
----
equivalent

decide
SELECT k FROM m WHERE w <= 0 OR k > 3
----
SELECT k FROM m WHERE false
----
equivalent

decide
SELECT count(v) FROM lone
----
SELECT count(*) FROM lone
----
equivalent

# What holds of one partition alone is promised by none.
decide
SELECT count(v) FROM r
----
SELECT count(*) FROM r
----
not_equivalent

decide
SELECT w FROM r WHERE k < 10
----
SELECT DISTINCT w FROM r WHERE k < 10
----
not_equivalent

decide
SELECT v FROM h WHERE v > 0
----
SELECT v FROM h WHERE v >= 0
----
not_equivalent

# A partition is no table of its own here, nor is the query invalid.
decide
SELECT v FROM m1
----
SELECT v FROM m1 WHERE v IS NOT NULL
----
undecided UNSUPPORTED

# NOT NULL … NO INHERIT counted for nothing; it holds where no table inherits.
schema dialect=postgres
CREATE TABLE t (a INT, b INT NOT NULL NO INHERIT);
CREATE TABLE u (a INT, b INT);
ALTER TABLE u ADD CONSTRAINT full_b NOT NULL b;
ALTER TABLE u ALTER CONSTRAINT full_b NO INHERIT;
CREATE TABLE p (a INT, b INT NOT NULL NO INHERIT, c INT NOT NULL);
CREATE TABLE child (d INT) INHERITS (p);

decide
SELECT count(b) FROM t
----
SELECT count(*) FROM ONLY t
----
equivalent

decide
SELECT count(b) FROM u
----
SELECT count(*) FROM u
----
equivalent

# Rows of the child count, too; no row that is put into the parent shows it.
decide
SELECT count(b) FROM p
----
SELECT count(*) FROM p
----
undecided UNREPLAYED

decide
SELECT count(c) FROM p
----
SELECT count(*) FROM p
----
equivalent

decide
SELECT count(b) FROM ONLY p
----
SELECT count(*) FROM ONLY p
----
undecided UNSUPPORTED

decide
SELECT d FROM child WHERE c IS NOT NULL
----
SELECT d FROM child
----
undecided UNSUPPORTED
