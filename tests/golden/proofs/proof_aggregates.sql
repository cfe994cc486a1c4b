schema
CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT NOT NULL, side TEXT, height INTEGER, weight REAL, team_id INTEGER REFERENCES team (id));
CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT);
----

# A quotient is NULL over no rows, whether its sum is NULL or 0.
decide relation=bag tiers=data,generate,proof
SELECT SUM(CASE WHEN side = 'good' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM hero
----
SELECT COUNT(*) FILTER (WHERE side = 'good') * 100.0 / COUNT(*) FROM hero
----
equivalent by=proof

# The sum alone is NULL over no rows, the count 0.
decide relation=bag
SELECT SUM(CASE WHEN side = 'good' THEN 1 ELSE 0 END) FROM hero
----
SELECT COUNT(*) FILTER (WHERE side = 'good') FROM hero
----
not_equivalent

# Without ELSE the sum is NULL as soon as nothing is good.
decide relation=bag
SELECT SUM(CASE WHEN side = 'good' THEN 1 END) * 100.0 / COUNT(*) FROM hero
----
SELECT COUNT(*) FILTER (WHERE side = 'good') * 100.0 / COUNT(*) FROM hero
----
not_equivalent

# Integer division drops what division by a REAL keeps.
decide relation=bag
SELECT SUM(CASE WHEN side = 'good' THEN 1 ELSE 0 END) * 100 / COUNT(*) FROM hero
----
SELECT COUNT(*) FILTER (WHERE side = 'good') * 100.0 / COUNT(*) FROM hero
----
not_equivalent

decide relation=bag
SELECT name FROM hero WHERE height > 0.8 * (SELECT AVG(height) FROM hero)
----
SELECT name FROM hero WHERE height * 100 > (SELECT AVG(height) FROM hero) * 80
----
equivalent by=proof

decide relation=bag
SELECT name FROM hero WHERE height > 0.8 * (SELECT AVG(height) FROM hero)
----
SELECT name FROM hero WHERE height * 100 >= (SELECT AVG(height) FROM hero) * 80
----
not_equivalent

decide relation=bag
SELECT CAST(COUNT(*) AS REAL) / (SELECT COUNT(*) FROM hero WHERE side = 'bad') FROM hero WHERE side = 'bad' AND height > 100
----
SELECT SUM(CASE WHEN height > 100 THEN 1.0 ELSE 0 END) / COUNT(*) FROM hero WHERE side = 'bad'
----
equivalent by=proof

# COUNT of a column that the condition keeps from being NULL.
decide relation=bag tiers=data,generate,proof
SELECT COUNT(team_id) FROM hero WHERE EXISTS (SELECT 1 FROM team WHERE team.id = hero.team_id AND city = 'Rome')
----
SELECT COUNT(*) FROM hero JOIN team ON hero.team_id = team.id WHERE team.city = 'Rome'
----
equivalent by=proof

decide relation=bag
SELECT COUNT(weight) FROM hero WHERE EXISTS (SELECT 1 FROM team WHERE team.id = hero.team_id AND city = 'Rome')
----
SELECT COUNT(*) FROM hero JOIN team ON hero.team_id = team.id WHERE team.city = 'Rome'
----
not_equivalent

# A sum over groups of the groups' sums.
decide relation=bag
SELECT SUM(n) FROM (SELECT side, COUNT(*) AS n FROM hero GROUP BY side)
----
SELECT CASE WHEN COUNT(*) > 0 THEN COUNT(*) END FROM hero
----
equivalent by=proof

decide relation=bag
SELECT SUM(n) FROM (SELECT side, COUNT(side) AS n FROM hero GROUP BY side)
----
SELECT COUNT(*) FROM hero
----
not_equivalent

decide relation=bag tiers=generate,proof
SELECT MAX(m) FROM (SELECT side, MAX(height) AS m FROM hero GROUP BY side)
----
SELECT MAX(height) FROM hero
----
equivalent by=proof

decide relation=bag
SELECT (SELECT AVG(height) FROM hero), (SELECT AVG(weight) FROM hero)
----
SELECT AVG(height), AVG(weight) FROM hero
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT COUNT(DISTINCT team_id) FROM hero WHERE team_id IS NOT NULL
----
SELECT COUNT(DISTINCT team_id) FROM hero
----
equivalent by=proof

decide relation=bag
SELECT COUNT(DISTINCT team_id) FROM hero
----
SELECT COUNT(*) FROM team WHERE id IN (SELECT team_id FROM hero)
----
equivalent by=proof

decide relation=bag
SELECT COUNT(team_id) FROM hero
----
SELECT COUNT(*) FROM team WHERE id IN (SELECT team_id FROM hero)
----
not_equivalent

# Averages of groups are not averaged to the average.
decide relation=bag
SELECT AVG(a) FROM (SELECT AVG(height) AS a FROM hero GROUP BY side)
----
SELECT AVG(height) FROM hero
----
not_equivalent

# A key more steers only one of the two normal forms: the proof is made without it.
schema
CREATE TABLE parcel (code INTEGER UNIQUE, street TEXT);
----

decide tiers=proof relation=bag
SELECT COUNT(*) FROM parcel WHERE code = 1
----
SELECT COALESCE(SUM(CASE WHEN code = 1 THEN 1 ELSE 0 END), 0) FROM parcel
----
equivalent

# Without COALESCE the sum over an empty table is NULL.
decide relation=bag
SELECT COUNT(*) FROM parcel WHERE code = 1
----
SELECT SUM(CASE WHEN code = 1 THEN 1 ELSE 0 END) FROM parcel
----
not_equivalent

# A NULL counts for no value of a key.
decide relation=bag
SELECT COUNT(*) FROM parcel WHERE code = 1
----
SELECT COUNT(*) FROM parcel WHERE code IS NOT 1
----
not_equivalent
