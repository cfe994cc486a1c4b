# What the algebra does without rules: the tier of rules is switched off.
schema
CREATE TABLE district (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, region TEXT, code TEXT UNIQUE);
CREATE TABLE account (id INTEGER PRIMARY KEY, district_id INTEGER NOT NULL REFERENCES district (id), other_id INTEGER REFERENCES district (id), kind TEXT, num NUMERIC);
CREATE TABLE loan (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account (id), amount INTEGER);
CREATE TABLE tag (id INTEGER PRIMARY KEY, district TEXT REFERENCES district (name));
----

# A parent is found by a child's key, whatever the key is equated with besides.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(a.id) FROM account AS a JOIN district AS d ON d.id = a.district_id WHERE a.district_id = 1
----
SELECT COUNT(*) FROM account WHERE district_id = 1
----
equivalent by=proof

# A reference that is equated is not NULL.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM account AS a JOIN district AS d ON d.id = a.other_id WHERE a.other_id = 1
----
SELECT COUNT(*) FROM account WHERE other_id = 1
----
equivalent by=proof

# Where it may be NULL, the join drops rows.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM account AS a JOIN district AS d ON d.id = a.other_id WHERE a.other_id = 1 OR a.kind = 'x'
----
SELECT COUNT(*) FROM account WHERE other_id = 1 OR kind = 'x'
----
not_equivalent

# What is equated with the key must be a reference to it.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM account AS a JOIN district AS d ON d.id = a.id WHERE a.id = 1
----
SELECT COUNT(*) FROM account WHERE id = 1
----
not_equivalent

# As sets, DISTINCT at the top says nothing, and a join that puts out nothing is an EXISTS.
decide relation=set tiers=data,generate,proof
SELECT DISTINCT a.kind FROM account AS a JOIN loan AS l ON l.account_id = a.id
----
SELECT a.kind FROM loan AS l JOIN account AS a ON l.account_id = a.id WHERE EXISTS (SELECT 1 FROM loan AS m WHERE m.account_id = a.id)
----
equivalent by=proof

# Also where equal values may be of two storage classes: sets are compared by value.
decide relation=set tiers=data,generate,proof
SELECT DISTINCT num FROM account
----
SELECT num FROM account
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT DISTINCT num FROM account
----
SELECT num FROM account
----
not_equivalent

# Below a cut DISTINCT counts as a set too.
decide relation=set tiers=data,generate,proof
SELECT DISTINCT kind FROM account ORDER BY kind LIMIT 2
----
SELECT kind FROM account ORDER BY kind LIMIT 2
----
not_equivalent

# A group key that a condition fixes is none.
decide relation=bag tiers=data,generate,proof
SELECT kind, SUM(n) FROM (SELECT kind, district_id, COUNT(*) AS n FROM account GROUP BY kind, district_id HAVING district_id = 1) GROUP BY kind
----
SELECT kind, COUNT(*) FROM account WHERE district_id = 1 GROUP BY kind
----
equivalent by=proof

# One that has two values left is one.
decide relation=bag tiers=data,generate,proof
SELECT kind, SUM(n) FROM (SELECT kind, district_id, COUNT(*) AS n FROM account GROUP BY kind, district_id HAVING district_id IN (1, 2)) GROUP BY kind
----
SELECT kind, COUNT(*) FROM account WHERE district_id IN (1, 2) GROUP BY kind, district_id
----
not_equivalent

# A column that a key among the group keys determines is none.
decide relation=bag tiers=data,generate,proof
SELECT d.name, d.region, COUNT(*) FROM account AS a JOIN district AS d ON d.id = a.district_id GROUP BY d.name, d.region
----
SELECT d.name, d.region, COUNT(*) FROM account AS a JOIN district AS d ON d.id = a.district_id GROUP BY d.name
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM (SELECT DISTINCT d.code, d.region FROM account AS a JOIN district AS d ON d.id = a.district_id)
----
SELECT COUNT(*) FROM (SELECT DISTINCT d.code FROM account AS a JOIN district AS d ON d.id = a.district_id)
----
not_equivalent

# In a UNION it must be so in every part.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM (SELECT id, name FROM district WHERE region = 'x' UNION SELECT d.id, d.name FROM account AS a JOIN district AS d ON d.id = a.district_id)
----
SELECT COUNT(*) FROM (SELECT id FROM district WHERE region = 'x' UNION SELECT district_id FROM account)
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT COUNT(*) FROM (SELECT id, name FROM district UNION SELECT district_id, kind FROM account)
----
SELECT COUNT(*) FROM (SELECT id FROM district UNION SELECT district_id FROM account)
----
not_equivalent

# A row bears out an EXISTS that asks for one like it, if there is something to be like.
decide relation=bag tiers=data,generate,proof
SELECT id FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.kind = a.kind)
----
SELECT id FROM account WHERE kind IS NOT NULL
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT id FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.kind = a.kind)
----
SELECT id FROM account
----
not_equivalent

# Two of them do not bear out each other.
decide relation=bag tiers=data,generate,proof
SELECT id FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.kind = a.kind) AND EXISTS (SELECT 1 FROM account AS c WHERE c.kind = a.kind AND c.num = a.num)
----
SELECT id FROM account
----
not_equivalent

# What an EXISTS asks of its own row says nothing of this one.
decide relation=bag tiers=data,generate,proof
SELECT id FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.kind = b.kind)
----
SELECT id FROM account WHERE kind IS NOT NULL
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT id FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.kind = a.kind AND b.num = 1)
----
SELECT id FROM account WHERE kind IS NOT NULL
----
not_equivalent

# A row that is found by one key and told apart by another is one row.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(DISTINCT d.id) FROM district AS d JOIN tag AS t ON t.district = d.name WHERE d.region = 'x'
----
SELECT COUNT(DISTINCT d.name) FROM district AS d JOIN tag AS t ON t.district = d.name WHERE d.region = 'x'
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT COUNT(DISTINCT d.id) FROM district AS d JOIN tag AS t ON t.district = d.name WHERE d.region = 'x'
----
SELECT COUNT(DISTINCT d.code) FROM district AS d JOIN tag AS t ON t.district = d.name WHERE d.region = 'x'
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT COUNT(DISTINCT d.id) FROM district AS d JOIN tag AS t ON t.district = d.name
----
SELECT COUNT(DISTINCT d.region) FROM district AS d JOIN tag AS t ON t.district = d.name
----
not_equivalent

# Of values that are one, either may be put out.
decide relation=bag tiers=data,generate,proof
SELECT DISTINCT a.id, b.kind FROM account AS a JOIN account AS b ON a.kind = b.kind
----
SELECT id, kind FROM account WHERE kind IS NOT NULL
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT DISTINCT a.id, b.kind FROM account AS a JOIN account AS b ON a.num = b.num
----
SELECT id, kind FROM account WHERE num IS NOT NULL
----
not_equivalent

# A condition that is never true leaves nothing, as no table does.
decide relation=bag tiers=data,generate,proof
SELECT id FROM account WHERE id > 10 AND id <= 10
----
SELECT 5 FROM loan WHERE 1 = 0
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT id FROM account WHERE id >= 10 AND id <= 10
----
SELECT 5 FROM loan WHERE 1 = 0
----
not_equivalent
