schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), z INTEGER);
CREATE TABLE v (k INTEGER, o INTEGER);
----

algebra expect=convert_difference_from_extreme_to_bound
SELECT id FROM a WHERE x <> (SELECT MAX(x) FROM a)
----
Σ a ∈ a [(∃ a2 ∈ a [a.x < a2.x])] → (a.id)

# The least of some values is one of those of which MAX is the greatest.
algebra expect=convert_difference_from_extreme_to_bound
SELECT y FROM a GROUP BY y HAVING MIN(x) <> MAX(x)
----
Σ group ∈ distinct(Σ a ∈ a [(∃ a2 ∈ a [a.x < a2.x and a2.y = a.y])] → (a.y)) → (group.#1)

algebra expect=split_single_counted_value
SELECT y FROM a GROUP BY y HAVING COUNT(DISTINCT x) = 1
----
Σ group ∈ distinct(Σ a ∈ a [a.x is not NULL] → (a.y))
    [not (∃ a2 ∈ a, a3 ∈ a [group.#1 = a3.y and group.#1 = a2.y and a3.x ≠ a2.x])]
    → (group.#1)

# A single row is bound.
algebra refuse=split_single_counted_value
SELECT id FROM a WHERE (SELECT COUNT(*) FROM b WHERE b.a_id = a.id) = 1
----
Σ b ∈ b [not (∃ b2 ∈ b [b2.a_id = b.a_id and b2.id ≠ b.id])] → (b.a_id)

# A value of another row: nothing says that it is among them.
algebra refuse=convert_difference_from_extreme_to_bound needs=value_is_among_them
SELECT id FROM a WHERE x <> (SELECT MAX(x) FROM a AS b WHERE b.y = 1)
----
Σ a ∈ a [MAX{Σ a2 ∈ a [a2.y = 1 and a2.x is not NULL] → (a2.x)} ≠ a.x] → (a.id)

# NULL is not the MAX either.
algebra refuse=convert_difference_from_extreme_to_bound needs=value_is_never_null_if_that_counts
SELECT id FROM a WHERE (x = (SELECT MAX(x) FROM a)) IS NOT TRUE
----
Σ a ∈ a [not true(MAX{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)} = a.x)] → (a.id)

algebra refuse=convert_difference_from_extreme_to_bound
SELECT id FROM a WHERE x IS NOT (SELECT MAX(x) FROM a)
----
Σ a ∈ a [MAX{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)} is not a.x] → (a.id)

algebra expect=convert_bound_by_extreme_to_equality
SELECT id FROM a WHERE y <= (SELECT MIN(y) FROM a)
----
Σ a ∈ a [MIN{Σ a2 ∈ a → (a2.y)} = a.y] → (a.id)

algebra refuse=convert_bound_by_extreme_to_equality needs=value_is_among_them
SELECT id FROM a WHERE y <= (SELECT MIN(x) FROM a)
----
Σ a ∈ a [a.y ≤ MIN{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)}] → (a.id)

algebra expect=fold_null_test_of_extreme
SELECT id FROM a WHERE x = 3 AND (SELECT MAX(x) FROM a) IS NOT NULL
----
Σ a ∈ a [a.x = 3] → (a.id)

algebra refuse=fold_null_test_of_extreme needs=has_an_argument
SELECT id FROM a WHERE (SELECT MAX(x) FROM a) IS NOT NULL
----
Σ a ∈ a [MAX{Σ a2 ∈ a [a2.x is not NULL] → (a2.x)} is not NULL] → (a.id)

algebra expect=inline_single_counted_row
SELECT k, MAX(o) FROM v GROUP BY k HAVING COUNT(*) = 1
----
Σ group ∈ distinct(Σ v ∈ v → (v.k)), v2 ∈ v
    [SUM0{Σ v3 ∈ v [group.#1 is v3.k] → (1)} = 1 and group.#1 is v2.k]
    → (group.#1, {v2.o is not NULL: v2.o; else NULL})

algebra refuse=inline_single_counted_row
SELECT k, MAX(o) FROM v GROUP BY k HAVING COUNT(*) = 2
----
Σ group ∈ distinct(Σ v ∈ v → (v.k))
    [SUM0{Σ v2 ∈ v [group.#1 is v2.k] → (1)} = 2]
    → (group.#1, MAX{Σ v3 ∈ v [group.#1 is v3.k and v3.o is not NULL] → (v3.o)})

algebra expect=convert_count_to_different_rows
SELECT a_id FROM b GROUP BY a_id HAVING COUNT(*) > 1
----
Σ a ∈ a
    [(∃ b ∈ b, b2 ∈ b [a.id = b.a_id and a.id = b2.a_id and b.id ≠ b2.id]) and (∃ b3 ∈ b [a.id = b3.a_id])]
    → (a.id)

algebra refuse=convert_count_to_different_rows needs=rows_have_keys
SELECT k FROM v GROUP BY k HAVING COUNT(*) > 1
----
Σ group ∈ distinct(Σ v ∈ v → (v.k)) [1 < SUM0{Σ v2 ∈ v [group.#1 is v2.k] → (1)}] → (group.#1)

# Another condition reads the number.
algebra refuse=convert_count_to_different_rows
SELECT a_id FROM b GROUP BY a_id HAVING COUNT(*) > 1 AND COUNT(*) <> 5
----
Σ a ∈ a
    [1 < SUM0{Σ b ∈ b [a.id = b.a_id] → (1)} and (∃ b2 ∈ b [a.id = b2.a_id]) and SUM0{Σ b3 ∈ b [a.id = b3.a_id] → (1)} ≠ 5]
    → (a.id)

algebra expect=split_branches_of_outer_rows
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE z = a.x AND a.y > 1 OR a_id = a.id)
----
Σ a ∈ a [1 < a.y and (∃ b ∈ b [a.x = b.z]) or (∃ b2 ∈ b [a.id = b2.a_id])] → (a.id)

algebra refuse=split_branches_of_outer_rows
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE z = a.x OR a_id = a.id)
----
Σ a ∈ a [(∃ b ∈ b [a.id = b.a_id or a.x = b.z])] → (a.id)
