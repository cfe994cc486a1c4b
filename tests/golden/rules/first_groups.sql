schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, z INTEGER NOT NULL, n TEXT COLLATE NOCASE, u)
----

norm expect=convert_group_with_extreme_to_first_row
SELECT x FROM a GROUP BY x ORDER BY MAX(y) DESC LIMIT 1
----
SELECT a.x FROM a ORDER BY a.y DESC LIMIT 1

norm expect=convert_group_with_extreme_to_first_row
SELECT MAX(z), x FROM a WHERE y > 3 GROUP BY x ORDER BY MAX(z) DESC LIMIT 1
----
SELECT a.z, a.x FROM a WHERE a.y >= 4 ORDER BY a.z DESC LIMIT 1

# The second row may be of the same group.
norm refuse=convert_group_with_extreme_to_first_row needs=picks_first_group
SELECT x FROM a GROUP BY x ORDER BY MAX(y) DESC LIMIT 2
----
SELECT a.x FROM a GROUP BY a.x ORDER BY MAX(a.y) DESC LIMIT 2

norm refuse=convert_group_with_extreme_to_first_row
SELECT x FROM a GROUP BY x ORDER BY MAX(y) LIMIT 1
----
SELECT a.x FROM a GROUP BY a.x ORDER BY MAX(a.y) LIMIT 1

norm refuse=convert_group_with_extreme_to_first_row
SELECT x FROM a GROUP BY x HAVING COUNT(*) > 1 ORDER BY MAX(y) DESC LIMIT 1
----
SELECT a.x FROM a GROUP BY a.x HAVING COUNT(*) >= 2 ORDER BY MAX(a.y) DESC LIMIT 1

norm refuse=convert_group_with_extreme_to_first_row needs=picks_first_group
SELECT x, COUNT(*) FROM a GROUP BY x ORDER BY MAX(y) DESC LIMIT 1
----
SELECT a.x, COUNT(*) FROM a GROUP BY a.x ORDER BY MAX(a.y) DESC LIMIT 1

# MAX(y) has no affinity that an outer query could see, y has one.
norm refuse=convert_group_with_extreme_to_first_row needs=picks_first_group
SELECT id FROM a WHERE x = (SELECT MAX(b.y) FROM a AS b GROUP BY b.x ORDER BY MAX(b.y) DESC LIMIT 1)
----
SELECT a.id FROM a WHERE a.x = (SELECT MAX(a_2.y) FROM a AS a_2 GROUP BY a_2.x ORDER BY MAX(a_2.y) DESC LIMIT 1)

# MIN skips NULL, which comes first in ascending order.
norm refuse=convert_group_with_extreme_to_first_row
SELECT x FROM a GROUP BY x ORDER BY MIN(y) LIMIT 1
----
SELECT a.x FROM a GROUP BY a.x ORDER BY MIN(a.y) LIMIT 1

# Of 'a' and 'A', which tie, MAX shows either, as does the group.
norm refuse=convert_group_with_extreme_to_first_row needs=extreme_is_binary
SELECT x, MAX(n) FROM a GROUP BY x ORDER BY MAX(n) DESC LIMIT 1
----
SELECT a.x, MAX(a.n) FROM a GROUP BY a.x ORDER BY MAX(a.n) DESC LIMIT 1

norm refuse=convert_group_with_extreme_to_first_row needs=keys_are_binary
SELECT n FROM a GROUP BY n ORDER BY MAX(y) DESC LIMIT 1
----
SELECT a.n FROM a GROUP BY a.n ORDER BY MAX(a.y) DESC LIMIT 1

norm refuse=convert_group_with_extreme_to_first_row needs=keys_are_columns
SELECT x || 'b' FROM a GROUP BY x || 'b' ORDER BY MAX(y) DESC LIMIT 1
----
SELECT a.x || 'b' FROM a GROUP BY a.x || 'b' ORDER BY MAX(a.y) DESC LIMIT 1

decide
SELECT x FROM a GROUP BY x ORDER BY SUM(y) DESC LIMIT 1
----
SELECT x FROM a ORDER BY y DESC LIMIT 1
----
not_equivalent by=generate

decide
SELECT x FROM a GROUP BY x ORDER BY MAX(y) DESC LIMIT 1
----
SELECT x FROM a ORDER BY z DESC LIMIT 1
----
not_equivalent by=generate
