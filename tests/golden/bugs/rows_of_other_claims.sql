# A claim was shown with the rows behind groups of an earlier claim, which the proof thereby took to be there:
# a condition that mentions no row at hand, and a contradiction, could be added to a grouped query and dropped
# again.  The proof tier is asked alone, because generation refutes the pairs that have easy conditions; a proof
# that only the backstop stops would read CONFLICT.
schema
CREATE TABLE a (k INTEGER PRIMARY KEY, x INT, y INT, z TEXT);
CREATE TABLE b (id INTEGER PRIMARY KEY, f INT REFERENCES a (k), u INT, v TEXT);

# 41 rows with k = 5 + 97 i and y = 1, and no row in b.
decide tiers=proof
SELECT y, COUNT(*) FROM a WHERE k % 97 = 5 AND EXISTS (SELECT 1 FROM b WHERE v LIKE 'zq%9') GROUP BY y HAVING COUNT(*) > 40
----
SELECT y, COUNT(*) FROM a WHERE k % 97 = 5 GROUP BY y HAVING COUNT(*) > 40
----
undecided NO_PROOF

# Whichever side has the condition more.
decide tiers=proof
SELECT y, COUNT(*) FROM a WHERE k % 97 = 5 GROUP BY y HAVING COUNT(*) > 40
----
SELECT y, COUNT(*) FROM a WHERE k % 97 = 5 AND EXISTS (SELECT 1 FROM b WHERE v LIKE 'zq%9') GROUP BY y HAVING COUNT(*) > 40
----
undecided NO_PROOF

# A group is never empty, but there need not be one.
decide tiers=proof relation=set
SELECT y, COUNT(*) FROM a WHERE x > y AND y > x GROUP BY y
----
SELECT y, COUNT(*) FROM a WHERE x > y GROUP BY y
----
undecided NO_PROOF

decide tiers=proof relation=set
SELECT y, SUM(x) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE u = 1) GROUP BY y
----
SELECT y, SUM(x) FROM a GROUP BY y
----
undecided NO_PROOF

decide tiers=proof relation=bag
SELECT y, MAX(x) FROM a WHERE NOT EXISTS (SELECT 1 FROM b) GROUP BY y HAVING COUNT(*) > 1
----
SELECT y, MAX(x) FROM a GROUP BY y HAVING COUNT(*) > 1
----
undecided NO_PROOF

decide tiers=proof relation=bag
SELECT y, AVG(x) FROM a WHERE (SELECT COUNT(*) FROM b WHERE u > 2) > 0 GROUP BY y
----
SELECT y, AVG(x) FROM a GROUP BY y
----
undecided NO_PROOF

# With a refuting tier the easy ones are refuted.
decide
SELECT y, SUM(x) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE u = 1) GROUP BY y
----
SELECT y, SUM(x) FROM a GROUP BY y
----
not_equivalent

schema
CREATE TABLE orders (id INTEGER PRIMARY KEY, shop INT, d DATE);
CREATE TABLE refunds (id INTEGER PRIMARY KEY);

# No order of a leap day is refunded.
decide tiers=proof
SELECT shop, COUNT(*) FROM orders WHERE strftime('%m-%d', d) = '02-29' AND EXISTS (SELECT 1 FROM refunds) GROUP BY shop
----
SELECT shop, COUNT(*) FROM orders WHERE strftime('%m-%d', d) = '02-29' GROUP BY shop
----
undecided NO_PROOF
