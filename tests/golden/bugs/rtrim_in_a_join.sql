# SQLite 3.40 puts a Bloom filter before an automatic index, which tells 'a' from 'a ' even under RTRIM: a join finds
# what EXISTS does not, by the plan.  The proof tier let the anti-join be NOT EXISTS.
schema facts=declared
CREATE TABLE person (id INTEGER PRIMARY KEY, a TEXT NOT NULL);
CREATE TABLE city (code TEXT COLLATE RTRIM PRIMARY KEY, a TEXT)
----

decide tiers=rules,proof
SELECT DISTINCT COALESCE(t.code, t.code) FROM city AS t WHERE NOT EXISTS (SELECT 1 FROM person AS u WHERE u.a COLLATE RTRIM IS COALESCE(t.code, t.code))
----
SELECT DISTINCT COALESCE(t.code, t.code) FROM city AS t LEFT JOIN person AS u ON u.a COLLATE RTRIM = COALESCE(t.code, t.code) WHERE u.id IS NULL
----
undecided UNSUPPORTED

# The collation of the column alone does so, too.
decide tiers=rules,proof
SELECT u.id FROM person AS u WHERE EXISTS (SELECT 1 FROM city AS t WHERE t.code = u.a)
----
SELECT u.id FROM person AS u WHERE u.a IN (SELECT code COLLATE RTRIM FROM city)
----
undecided UNSUPPORTED

# Within one source there is no join.
decide tiers=rules,proof
SELECT a FROM city WHERE code = 'a' AND a > 'b'
----
SELECT a FROM city WHERE 'b' < a AND code = 'a'
----
equivalent
