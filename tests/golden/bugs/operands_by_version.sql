# A list of one subquery is a comparison with its first row in SQLite 3.40, and IN over all its rows later; a
# column that USING merges under FULL JOIN has no affinity and no collation there, and later those of its first
# column.  Both were said as 3.40 has them.
schema
CREATE TABLE l (k TEXT, n TEXT COLLATE NOCASE);
CREATE TABLE r (k INTEGER, n TEXT)
----

decide tiers=proof
SELECT k FROM l WHERE k IN ((SELECT MAX(k) FROM r GROUP BY n))
----
SELECT k FROM l WHERE k = (SELECT MAX(k) FROM r GROUP BY n)
----
undecided UNSUPPORTED

decide tiers=proof
SELECT k = 5 FROM l FULL JOIN r USING (k)
----
SELECT COALESCE(l.k, r.k) || '' = 5 FROM l FULL JOIN r ON l.k = r.k
----
undecided UNSUPPORTED
