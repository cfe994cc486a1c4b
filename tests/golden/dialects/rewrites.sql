# What rewrites by models and agents hold: ranks shown and sorted by, common tables read twice, sums of several scales.
schema
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, points INTEGER);
CREATE TABLE game (id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES player, year INTEGER, month INTEGER, score INTEGER, price NUMERIC(7, 2));

# Sorted by a rank that is shown.
decide
SELECT ROW_NUMBER() OVER (ORDER BY points DESC) AS place, name FROM player ORDER BY place
----
SELECT ROW_NUMBER() OVER (ORDER BY points DESC) AS place, COALESCE(name, '') FROM player ORDER BY place
----
not_equivalent

# Sorted by a window function that is not shown.
decide
SELECT name FROM player ORDER BY RANK() OVER (ORDER BY points, id)
----
SELECT name FROM player ORDER BY RANK() OVER (ORDER BY points DESC, id)
----
not_equivalent

# Each reading of a common table has rows of its own: one of 1998 and one of 1999.
decide
WITH sold AS (SELECT player_id, year, SUM(score) AS total FROM game WHERE month = 7 GROUP BY player_id, year) SELECT a.player_id, b.total - a.total FROM sold a JOIN sold b ON a.player_id = b.player_id WHERE a.year = 1998 AND b.year = 1999 AND a.total > 3000
----
WITH sold AS (SELECT player_id, year, SUM(score) AS total FROM game WHERE month = 7 GROUP BY player_id, year) SELECT a.player_id, b.total - a.total FROM sold a JOIN sold b ON a.player_id = b.player_id WHERE a.year = 1998 AND b.year = 1999 AND a.total > 3000 AND b.total < 10
----
not_equivalent

# Rows are grouped and sorted without any conversion: a text among texts of no affinity does no harm.
decide
SELECT place, SUM(n) FROM (SELECT 'store' || name AS place, points AS n FROM player UNION ALL SELECT CAST(NULL AS TEXT), score FROM game) GROUP BY place ORDER BY place
----
SELECT place, SUM(n) FROM (SELECT 'store' || name AS place, points AS n FROM player UNION ALL SELECT CAST(NULL AS TEXT), score FROM game WHERE year > 3) GROUP BY place ORDER BY place
----
not_equivalent

schema dialect=postgres
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, code CHAR(9), points INTEGER);
CREATE TABLE game (id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES player, year INTEGER, month INTEGER, score INTEGER, price NUMERIC(7, 2));

# UNION takes 1 for 1.00; no later division tells them apart.
decide
SELECT player_id, SUM(price) / COUNT(*) FROM (SELECT player_id, price - COALESCE(score, 0.0) AS price FROM game UNION SELECT player_id, score + 0.0 FROM game) t GROUP BY player_id
----
SELECT player_id, SUM(price) / COUNT(*) FROM (SELECT player_id, price - COALESCE(score, 0.0) AS price FROM game UNION ALL SELECT player_id, score + 0.0 FROM game) t GROUP BY player_id
----
not_equivalent

# MAX of a character(n) is one, though its type no longer says so.
decide
SELECT MAX(code) FROM player
----
SELECT code FROM player WHERE code = (SELECT MAX(code) FROM player) LIMIT 1
----
not_equivalent

decide
SELECT MAX(code) FROM player
----
SELECT MAX(DISTINCT code) FROM player
----
equivalent

# A character(1) cuts: that values show their blanks is no reason not to see it.
decide
SELECT id, CAST(name AS CHAR(1)) FROM player
----
SELECT id, name FROM player
----
not_equivalent

# Nor is it a proof: 'a' in a character(9) and in a character(12) print apart.
decide
SELECT id, CAST(code AS CHAR(12)) FROM player
----
SELECT id, code FROM player
----
undecided UNSUPPORTED
