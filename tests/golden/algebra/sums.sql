schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, p TEXT, r REAL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), z INTEGER);
CREATE TABLE v (k, o);
----

algebra expect=reduce_extreme
SELECT MAX(a.x) FROM a JOIN b ON b.a_id = a.id
----
Σ → (MAX{Σ b ∈ b [a[id = b.a_id].x is not NULL] → (a[id = b.a_id].x)})

# Of 1 and 1.0, MAX returns the one that it meets first.
algebra refuse=reduce_extreme
SELECT MAX(k) FROM v
----
Σ → (MAX{Σ v ∈ v [v.k is not NULL] → (v.k)})

algebra expect=eliminate_null_arguments
SELECT MAX(k) FROM v
----
Σ → (MAX{Σ v ∈ v [v.k is not NULL] → (v.k)})

algebra refuse=eliminate_null_arguments
SELECT MAX(x) FROM a
----
Σ → (MAX{Σ a ∈ a [a.x is not NULL] → (a.x)})

algebra expect=eliminate_null_addends
SELECT SUM(k) FROM v
----
Σ → (SUM{Σ v ∈ v [v.k is not NULL] → (v.k)})

algebra refuse=eliminate_null_addends
SELECT SUM(x) FROM a
----
Σ → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}; else NULL})

algebra expect=convert_count_to_sum
SELECT COUNT(x) FROM a
----
Σ → (SUM0{Σ a ∈ a [a.x is not NULL] → (1)})

algebra refuse=convert_count_to_sum
SELECT GROUP_CONCAT(x) FROM a
----
Σ → (GROUP_CONCAT{Σ a ∈ a → (a.x, ',')})

algebra expect=convert_sum_to_exact_sum
SELECT SUM(x) FROM a
----
Σ → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}; else NULL})

algebra refuse=convert_sum_to_exact_sum
SELECT SUM(k) FROM v
----
Σ → (SUM{Σ v ∈ v [v.k is not NULL] → (v.k)})

algebra expect=eliminate_null_addends
SELECT SUM(k) FROM v
----
Σ → (SUM{Σ v ∈ v [v.k is not NULL] → (v.k)})

algebra refuse=eliminate_null_addends
SELECT SUM(x) FROM a
----
Σ → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}; else NULL})

algebra expect=convert_average_to_exact_sums
SELECT AVG(x) FROM a
----
Σ
    → ({(∃ a ∈ a [a.x is not NULL]): CAST(SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)} AS REAL) / SUM0{Σ a3 ∈ a [a3.x is not NULL] → (1)}; else NULL})

algebra refuse=convert_average_to_exact_sums
SELECT SUM(x) FROM a
----
Σ → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}; else NULL})

algebra expect=split_exact_sum rows=bag
SELECT COUNT(*) FROM a LIMIT 3
----
Σ → (SUM0{Σ a ∈ a → (1)})

algebra expect=reduce_sum_to_its_value
SELECT SUM(k) > 1 FROM v
----
Σ
    → (1 < {(∃ v ∈ v [v.k is not NULL]): CAST(SUM0{Σ v2 ∈ v [v2.k is not NULL] → (CAST(v2.k AS REAL))} AS REAL); else NULL})

# 3 / 2 is 1, and 3.0 / 2 is 1.5.
algebra refuse=reduce_sum_to_its_value needs=class_does_not_count
SELECT SUM(k) / 2 FROM v
----
Σ → (SUM{Σ v ∈ v [v.k is not NULL] → (v.k)} / 2)

algebra expect=convert_count_bound_to_exists
SELECT y FROM a GROUP BY y HAVING COUNT(x) > 0
----
Σ group ∈ distinct(Σ a ∈ a [a.x is not NULL] → (a.y)) → (group.#1)

algebra refuse=convert_count_bound_to_exists
SELECT y FROM a GROUP BY y HAVING COUNT(x) > 1
----
Σ group ∈ distinct(Σ a ∈ a [a.x is not NULL and (∃ a2 ∈ a [a2.y = a.y and a2.id ≠ a.id and a2.x is not NULL])] → (a.y))
    → (group.#1)

algebra expect=convert_bound_on_extreme_to_exists
SELECT id FROM a WHERE x < (SELECT MAX(x) FROM a)
----
Σ a ∈ a [(∃ a2 ∈ a [a.x < a2.x])] → (a.id)

# All rows must keep a bound from the other side.
algebra refuse=convert_bound_on_extreme_to_exists
SELECT id FROM a WHERE x > (SELECT MAX(z) FROM b)
----
Σ a ∈ a [MAX{Σ b ∈ b [b.z is not NULL] → (b.z)} < a.x] → (a.id)

algebra expect=convert_first_of_sorted_to_extreme rows=bag
SELECT z FROM b ORDER BY z LIMIT 1
----
Σ [(∃ b ∈ b)] → ({(∃ b2 ∈ b [b2.z is NULL]): NULL; else MIN{Σ b3 ∈ b [b3.z is not NULL] → (b3.z)}})

algebra refuse=convert_first_of_sorted_to_extreme
SELECT id FROM a WHERE x = (SELECT z FROM b ORDER BY a_id DESC LIMIT 1)
----
Σ a ∈ a, first ∈ (Σ b ∈ b → (b.id, b.a_id); rows 1 to 1 by #2 descending)
    [b[id = first.#1].z = a.x]
    → (a.id)

algebra expect=eliminate_determined_group
SELECT AVG(q.s) FROM (SELECT AVG(x) AS s FROM a GROUP BY y) AS q
----
Σ
    → ({(∃ a ∈ a [a.x is not NULL]): CAST(SUM0{Σ group ∈ distinct(Σ a2 ∈ a [a2.x is not NULL] → (a2.y)) → (CAST(SUM0{Σ a3 ∈ a [group.#1 = a3.y and a3.x is not NULL] → (a3.x)} AS REAL) / SUM0{Σ a4 ∈ a [group.#1 = a4.y and a4.x is not NULL] → (1)})} AS REAL) / SUM0{Σ group2 ∈ distinct(Σ a5 ∈ a [a5.x is not NULL] → (a5.y)) → (1)}; else NULL})

algebra expect=eliminate_determined_group
SELECT SUM((SELECT COUNT(*) FROM a AS t WHERE t.r = q.r AND LENGTH(q.r) > 3)) FROM (SELECT DISTINCT r FROM a) AS q
----
Σ → ({(∃ a ∈ a): SUM0{Σ a2 ∈ a [3 < LENGTH(a2.r)] → (1)}; else NULL})

algebra refuse=eliminate_determined_group
SELECT SUM((SELECT COUNT(*) FROM a AS t WHERE t.x = q.r AND LENGTH(q.r) > 3)) FROM (SELECT DISTINCT r FROM a) AS q
----
Σ
    → ({(∃ a ∈ a): SUM0{Σ distinct ∈ distinct(Σ a2 ∈ a → (a2.r)), a3 ∈ a [3 < LENGTH(distinct.#1) and distinct.#1 = a3.x] → (1)}; else NULL})

# r is 1.0 where x is 1, and 1.0 / 2 is not 1 / 2.
algebra refuse=eliminate_determined_group needs=values_can_stand_for_columns
SELECT COUNT(CASE WHEN q.x / 2 = 0 THEN 1 END) FROM (SELECT DISTINCT x FROM a) AS q JOIN a AS c ON c.r = q.x
----
Σ
    → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.x)), a2 ∈ a [distinct.#1 / 2 = 0 and distinct.#1 = a2.r] → (1)})

algebra refuse=eliminate_determined_group
SELECT COUNT(*) FROM (SELECT DISTINCT x FROM a) AS q
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) → (1)})

algebra expect=push_condition_into_distinct
SELECT COUNT(DISTINCT x) FROM a
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) [distinct.#1 is not NULL] → (1)})

algebra refuse=push_condition_into_distinct
SELECT COUNT(*) FROM (SELECT DISTINCT x FROM a) AS q
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) → (1)})

# A REAL column holds no 1 for 1.0, and 0.0 for -0.0.
algebra expect=push_condition_into_distinct
SELECT COUNT(*) FROM (SELECT DISTINCT r FROM a) AS q WHERE LENGTH(q.r) > 3
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.r)) [3 < LENGTH(distinct.#1)] → (1)})

# What is computed may be -0.0.
algebra refuse=push_condition_into_distinct
SELECT COUNT(*) FROM (SELECT DISTINCT r * -1.0 AS r FROM a) AS q WHERE LENGTH(q.r) > 3
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.r * -1.0)) [3 < LENGTH(distinct.#1)] → (1)})

algebra expect=split_sum_by_values
SELECT y FROM a WHERE p IN ('Bern', 'Graz') GROUP BY y HAVING COUNT(DISTINCT p) = 2
----
Σ group ∈ distinct(Σ a ∈ a [a.p = 'Graz' and (∃ a2 ∈ a [a2.p = 'Bern' and a2.y = a.y])] → (a.y))
    → (group.#1)

# 1.0 is 1, and reads longer.
algebra refuse=split_sum_by_values needs=values_can_stand_for_column
SELECT SUM(LENGTH(q.r || '')) FROM (SELECT DISTINCT r FROM a WHERE r IN (1, 2)) AS q
----
Σ
    → ({(∃ a ∈ a [a.r = 1 or a.r = 2]): SUM0{Σ distinct ∈ distinct(Σ a2 ∈ a → (a2.r)) [distinct.#1 = 1 or distinct.#1 = 2] → (LENGTH(distinct.#1 || ''))}; else NULL})

algebra refuse=split_sum_by_values
SELECT y FROM a GROUP BY y HAVING COUNT(DISTINCT p) = 2
----
Σ group ∈ distinct(Σ a ∈ a → (a.y))
    [SUM0{Σ distinct ∈ distinct(Σ a2 ∈ a [group.#1 = a2.y] → (a2.p)) [distinct.#1 is not NULL] → (1)} = 2]
    → (group.#1)

algebra expect=inline_distinct_rows
SELECT SUM(DISTINCT x) FROM a
----
Σ
    → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ distinct ∈ distinct(Σ a2 ∈ a → (a2.x)) [distinct.#1 is not NULL] → (distinct.#1)}; else NULL})

algebra refuse=inline_distinct_rows
SELECT SUM(x) FROM a
----
Σ → ({(∃ a ∈ a [a.x is not NULL]): SUM0{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}; else NULL})

algebra expect=inline_semi_join expect=eliminate_idle_row
SELECT r, MIN(TYPEOF(r)) FROM a GROUP BY r
----
Σ group ∈ distinct(Σ a ∈ a → (a.r)) → (group.#1, TYPEOF(group.#1))

algebra refuse=inline_semi_join
SELECT MIN(x) FROM a
----
Σ → (MIN{Σ a ∈ a [a.x is not NULL] → (a.x)})

# Another row need not have y = 2.
algebra refuse=eliminate_idle_row needs=another_row_will_do
SELECT MIN(t.x) FROM a AS t, a AS s WHERE t.y = 1 AND s.y = 2
----
Σ → (MIN{Σ a ∈ a [a.y = 1 and a.x is not NULL and (∃ a2 ∈ a [a2.y = 2])] → (a.x)})

algebra expect=push_outer_value_into_distinct
SELECT COUNT(CASE WHEN q.x = 1 THEN 1 END) FROM (SELECT DISTINCT x, y FROM a) AS q
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a [a.x = 1] → (a.y)) → (1)})

# r is 1.0 where x is 1, and 1.0 / 2 is not 1 / 2.
algebra refuse=push_outer_value_into_distinct needs=values_can_stand_for_columns
SELECT (SELECT SUM(q.x / 2) FROM (SELECT DISTINCT x, y FROM a) AS q WHERE q.x = c.r) FROM a AS c
----
Σ a ∈ a
    → ({(∃ a2 ∈ a [a.r = a2.x]): SUM0{Σ distinct ∈ distinct(Σ a3 ∈ a → (a3.x, a3.y)) [distinct.#1 = a.r] → (distinct.#1 / 2)}; else NULL})

# Both columns of the groups are asked for, and none is fixed.
algebra refuse=push_outer_value_into_distinct
SELECT COUNT(*) FROM (SELECT DISTINCT x, y FROM a) AS q
----
Σ → (SUM0{Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y)) → (1)})

algebra expect=fold_exists_of_row_around
SELECT COUNT(CASE WHEN t.y = 1 AND t.y IN (SELECT s.y FROM a AS s) THEN 1 END) FROM a AS t
----
Σ → (SUM0{Σ a ∈ a [a.y = 1] → (1)})

algebra refuse=fold_exists_of_row_around needs=a_row_around_is_such_a_row
SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.z = a.x)
----
Σ → (SUM0{Σ a ∈ a [(∃ b ∈ b [a.x = b.z])] → (1)})

algebra expect=convert_to_outer_value
SELECT COUNT(a.id) FROM b LEFT JOIN a ON a.id = b.a_id GROUP BY b.a_id
----
Σ group ∈ distinct(Σ b ∈ b → (b.a_id))
    → ({group.#1 = group.#1 or group.#1 is NULL and group.#1 is NULL: SUM0{Σ b2 ∈ b [group.#1 = b2.a_id] → (1)}; else 0})

algebra refuse=convert_to_outer_value
SELECT COUNT(*) FROM a WHERE x = y
----
Σ → (SUM0{Σ a ∈ a [a.x = a.y] → (1)})

# r is 1.0 where x is 1, and 1.0 / 2 is not 1 / 2.
algebra refuse=convert_to_outer_value needs=values_are_identical
SELECT (SELECT COUNT(*) FROM a AS t WHERE t.x = c.r AND t.x / 2 = 0) FROM a AS c
----
Σ a ∈ a → (SUM0{Σ a2 ∈ a [a2.x / 2 = 0 and a.r = a2.x] → (1)})

algebra expect=convert_compared_to_outer_value
SELECT (SELECT COUNT(*) FROM a AS t WHERE t.x = c.r AND t.x < t.y) FROM a AS c
----
Σ a ∈ a → (SUM0{Σ a2 ∈ a [a.r < a2.y and a.r = a2.x] → (1)})

algebra refuse=convert_compared_to_outer_value
SELECT (SELECT COUNT(*) FROM a AS t WHERE t.x = c.r AND t.x / 2 < t.y) FROM a AS c
----
Σ a ∈ a → (SUM0{Σ a2 ∈ a [a2.x / 2 < a2.y and a.r = a2.x] → (1)})

# A GROUP_CONCAT is no sum.
algebra refuse=split_exact_sum
SELECT GROUP_CONCAT(p) FROM a
----
Σ → (GROUP_CONCAT{Σ a ∈ a → (a.p, ',')})

algebra expect=merge_complementary_sums
SELECT SUM(CASE WHEN x IS NULL THEN y ELSE y + id END) FROM a
----
Σ → ({(∃ a ∈ a): SUM0{Σ a2 ∈ a → (a2.y)} + SUM0{Σ a3 ∈ a [a3.x is not NULL] → (a3.id)}; else NULL})

# Rows of which x is NULL are in neither sum.
algebra expect=merge_complementary_sums
SELECT COUNT(CASE WHEN x = 1 THEN 1 END) + COUNT(CASE WHEN NOT x = 1 THEN 1 END) FROM a
----
Σ → (SUM0{Σ a ∈ a [a.x is not NULL] → (1)})

algebra expect=merge_complementary_sums
SELECT (SELECT COUNT(*) FROM a WHERE y > 5) + (SELECT COUNT(*) FROM a WHERE y <= 5)
----
Σ → (SUM0{Σ a ∈ a → (1)})

# A row with y = 5 is in both.
algebra refuse=merge_complementary_sums
SELECT (SELECT COUNT(*) FROM a WHERE y >= 5) + (SELECT COUNT(*) FROM a WHERE y <= 5)
----
Σ → (SUM0{Σ a ∈ a [a.y ≤ 5] → (1)} + SUM0{Σ a2 ∈ a [5 ≤ a2.y] → (1)})

algebra expect=eliminate_part_of_sum
SELECT COUNT(*) - COUNT(x) FROM a
----
Σ → (SUM0{Σ a ∈ a [a.x is NULL] → (1)})

algebra expect=eliminate_part_of_sum
SELECT id FROM a AS o WHERE (SELECT COUNT(*) FROM b WHERE a_id = o.id AND z > 5) = (SELECT COUNT(*) FROM b WHERE a_id = o.id)
----
Σ a ∈ a [not (∃ b ∈ b [a.id = b.a_id and (b.z ≤ 5 or b.z is NULL)])] → (a.id)

# The rows of b with z > 5 are not among those with z < 9.
algebra refuse=eliminate_part_of_sum
SELECT (SELECT COUNT(*) FROM b WHERE z < 9) - (SELECT COUNT(*) FROM b WHERE z > 5)
----
Σ → (SUM0{Σ b ∈ b [b.z < 9] → (1)} - SUM0{Σ b2 ∈ b [5 < b2.z] → (1)})

algebra expect=eliminate_guard_of_sum
SELECT SUM(s) FROM (SELECT SUM(y) AS s FROM a UNION ALL SELECT SUM(id) FROM b)
----
Σ → ({(∃ a ∈ a) or (∃ b ∈ b): SUM0{Σ a2 ∈ a → (a2.y)} + SUM0{Σ b2 ∈ b → (b2.id)}; else NULL})

# Where b has no row, the sum of a counts all the same.
algebra refuse=eliminate_guard_of_sum
SELECT (SELECT SUM(y) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE z = 1))
----
Σ
    → ({(∃ a ∈ a) and (∃ b ∈ b [b.z = 1]): {(∃ b2 ∈ b [b2.z = 1]): SUM0{Σ a2 ∈ a → (a2.y)}; else 0}; else NULL})

# A text that is added counts as a number; alone it is greater than each.
algebra refuse=eliminate_part_of_sum
SELECT id FROM a WHERE (SELECT COUNT(*) FROM b WHERE z > 5) + p < (SELECT COUNT(*) FROM b)
----
Σ a ∈ a [SUM0{Σ b ∈ b [5 < b.z] → (1)} + a.p < SUM0{Σ b2 ∈ b → (1)}] → (a.id)

schema
CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY);
CREATE TABLE bought (who INTEGER, what INTEGER NOT NULL REFERENCES item(id), n INTEGER, PRIMARY KEY (who, what));
CREATE TABLE seen (who INTEGER, what INTEGER NOT NULL, PRIMARY KEY (who, what));
CREATE TABLE told (who INTEGER, what INTEGER NOT NULL REFERENCES item(id), day INTEGER, PRIMARY KEY (who, what, day));
----

algebra expect=convert_count_to_referred_rows
SELECT id FROM person WHERE (SELECT COUNT(*) FROM bought WHERE who = person.id) = (SELECT COUNT(*) FROM item)
----
Σ person ∈ person
    [not (∃ item ∈ item [not bought[who = person.id, what = item.id] ≠ ∅])]
    → (person.id)

algebra expect=convert_count_to_referred_rows
SELECT (SELECT COUNT(*) FROM item WHERE kind = 'a') - (SELECT COUNT(*) FROM bought JOIN item ON item.id = what WHERE who = 1 AND n > 2 AND kind = 'a')
----
Σ
    → (SUM0{Σ item ∈ item [item.kind = 'a' and not true(2 < bought[who = 1, what = item.id].n)] → (1)})

# What is seen need be no item.
algebra refuse=convert_count_to_referred_rows needs=each_row_refers_to_another
SELECT id FROM person WHERE (SELECT COUNT(*) FROM seen WHERE who = person.id) = (SELECT COUNT(*) FROM item)
----
Σ person ∈ person
    [SUM0{Σ item ∈ item → (1)} = SUM0{Σ seen ∈ seen [person.id = seen.who] → (1)}]
    → (person.id)

# A person may be told of an item on two days.
algebra refuse=convert_count_to_referred_rows
SELECT id FROM person WHERE (SELECT COUNT(*) FROM told WHERE who = person.id) = (SELECT COUNT(*) FROM item)
----
Σ person ∈ person
    [SUM0{Σ item ∈ item → (1)} = SUM0{Σ told ∈ told [person.id = told.who] → (1)}]
    → (person.id)

# Things of other kinds are counted on one side only.
algebra refuse=convert_count_to_referred_rows
SELECT id FROM person WHERE (SELECT COUNT(*) FROM bought WHERE who = person.id) = (SELECT COUNT(*) FROM item WHERE kind = 'a')
----
Σ person ∈ person
    [SUM0{Σ bought ∈ bought [bought.who = person.id] → (1)} = SUM0{Σ item ∈ item [item.kind = 'a'] → (1)}]
    → (person.id)
