# A list of one subquery is a comparison with its first row in SQLite 3.40, and IN over all its rows in that of
# the core; a column that USING merges under FULL JOIN has no affinity and no collation there, and later those of
# its first column.  Both were said as 3.40 has them.
schema
CREATE TABLE l (k TEXT, n TEXT COLLATE NOCASE);
CREATE TABLE r (k INTEGER, n TEXT)
----

decide tiers=proof
SELECT k FROM l WHERE k IN ((SELECT MAX(k) FROM r GROUP BY n))
----
SELECT k FROM l WHERE k = (SELECT MAX(k) FROM r GROUP BY n)
----
undecided NO_PROOF

decide
SELECT k FROM l WHERE k IN ((SELECT MAX(k) FROM r GROUP BY n))
----
SELECT k FROM l WHERE k = (SELECT MAX(k) FROM r GROUP BY n LIMIT 1)
----
not_equivalent

decide tiers=proof
SELECT k FROM l WHERE k IN ((SELECT k FROM r))
----
SELECT k FROM l WHERE EXISTS (SELECT 1 FROM r WHERE l.k = r.k)
----
equivalent

decide tiers=proof
SELECT k FROM l WHERE k NOT IN (((SELECT k FROM r WHERE n > 'a')))
----
SELECT k FROM l WHERE NOT k IN (SELECT k FROM r WHERE n > 'a')
----
equivalent

decide
SELECT k FROM l WHERE n IN ((SELECT r.n FROM r) COLLATE NOCASE)
----
SELECT k FROM l WHERE n IN ((SELECT r.n FROM r))
----
not_equivalent

decide tiers=proof
SELECT k = 5 FROM l FULL JOIN r USING (k)
----
SELECT COALESCE(l.k, r.k) || '' = 5 FROM l FULL JOIN r ON l.k = r.k
----
undecided UNSUPPORTED
