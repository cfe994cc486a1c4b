# Beside a MIN and a MAX a bare column is of a row that gives one of them its value: never of one where the argument is NULL.
schema
CREATE TABLE drivers (driverId INTEGER PRIMARY KEY, nationality TEXT, age INTEGER);
----

decide
SELECT nationality, MIN(age), MAX(age) FROM drivers WHERE driverId IN (1, 2)
----
SELECT (SELECT nationality FROM drivers WHERE driverId IN (1, 2) AND age IS NULL ORDER BY driverId LIMIT 1), MIN(age), MAX(age)
FROM drivers WHERE driverId IN (1, 2)
----
not_equivalent

# Either extreme may lend its row.
decide
SELECT driverId, MIN(age), MAX(age) FROM drivers
----
SELECT driverId, MAX(age), MIN(age) FROM drivers
----
not_equivalent

# ORDER BY puts NULL first, and that row lends nothing to MIN.
decide
SELECT driverId, MIN(age), MAX(age) FROM drivers
----
SELECT (SELECT driverId FROM drivers ORDER BY age LIMIT 1), MIN(age), MAX(age) FROM drivers
----
not_equivalent
