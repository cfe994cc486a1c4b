schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, p TEXT, n NUMERIC, r REAL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), z INTEGER);
----

algebra expect=eliminate_key_behind_outputs rows=bag
SELECT y FROM a ORDER BY y, id LIMIT 2
----
Σ top ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 2 by #2) → (a[id = top.#1].y)

algebra expect=eliminate_key_behind_outputs rows=list
SELECT p, y FROM a ORDER BY y, p DESC, x
----
Σ a ∈ a → (a.p, a.y | a.y, a.p)
in the order of #3, #4 descending

# An output that is no key: which of the tied rows comes first can be seen.
algebra refuse=eliminate_key_behind_outputs rows=bag
SELECT x FROM a ORDER BY y, id LIMIT 2
----
Σ top ∈ (Σ a ∈ a → (a.id, a.y, a.id); rows 1 to 2 by #2, #3) → (a[id = top.#1].x)

# The key that covers the output comes last.
algebra refuse=eliminate_key_behind_outputs rows=bag
SELECT y FROM a ORDER BY x, y LIMIT 2
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x, a.y); rows 1 to 2 by #2, #3) → (a[id = top.#1].y)

algebra expect=convert_skipping_exists_to_count rows=bag
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id LIMIT 1 OFFSET 1)
----
Σ a ∈ a [(∃ b ∈ b, b2 ∈ b [a.id = b.a_id and a.id = b2.a_id and b.id ≠ b2.id])] → (a.id)

# What is skipped is not asked for.
algebra refuse=convert_skipping_exists_to_count rows=bag
SELECT id FROM a WHERE EXISTS (SELECT * FROM (SELECT z FROM b LIMIT 1 OFFSET 1) AS q WHERE q.z = a.x)
----
Σ a ∈ a, top ∈ (Σ b ∈ b → (b.id); rows 2 to 2) [b[id = top.#1].z = a.x] → (a.id)

algebra expect=convert_skipped_value_to_bound rows=bag
SELECT DISTINCT y FROM a ORDER BY y DESC LIMIT 1 OFFSET 1
----
Σ [(∃ a ∈ a, a2 ∈ a [a.y < a2.y])] → (MAX{Σ a3 ∈ a, a4 ∈ a [a3.y < a4.y] → (a3.y)})

# NULL is the last of the values in descending order.
algebra expect=convert_skipped_value_to_bound rows=bag
SELECT DISTINCT x FROM a ORDER BY x DESC LIMIT 1 OFFSET 1
----
Σ
    [(∃ a ∈ a [(∃ a2 ∈ a [a.x < a2.x])]) or (∃ a3 ∈ a [a3.x is not NULL]) and (∃ a4 ∈ a [a4.x is NULL])]
    → (MAX{Σ a5 ∈ a [((∃ a6 ∈ a [a5.x < a6.x]) or a5.x is NULL and (∃ a7 ∈ a [a7.x is not NULL])) and a5.x is not NULL] → (a5.x)})

# Rows that are not distinct.
algebra refuse=convert_skipped_value_to_bound rows=bag
SELECT y FROM a ORDER BY y DESC LIMIT 1 OFFSET 1
----
Σ top ∈ (Σ a ∈ a → (a.id, a.y); rows 2 to 2 by #2 descending) → (a[id = top.#1].y)

algebra refuse=convert_skipped_value_to_bound rows=bag
SELECT DISTINCT y, p FROM a ORDER BY y DESC LIMIT 1 OFFSET 1
----
Σ top ∈ (Σ distinct ∈ distinct(Σ a ∈ a → (a.p, a.y)) → (distinct.#2, distinct.#1, distinct.#2); rows 2 to 2 by #3 descending)
    → (top.#1, top.#2)

algebra refuse=convert_skipped_value_to_bound rows=bag
SELECT DISTINCT y FROM a ORDER BY y DESC LIMIT 2 OFFSET 1
----
Σ top ∈ (Σ distinct ∈ distinct(Σ a ∈ a → (a.y)) → (distinct.#1, distinct.#1); rows 2 to 3 by #2 descending)
    → (top.#1)

algebra refuse=convert_skipped_value_to_bound rows=bag
SELECT DISTINCT y FROM a ORDER BY y DESC LIMIT 1 OFFSET 2
----
Σ top ∈ (Σ distinct ∈ distinct(Σ a ∈ a → (a.y)) → (distinct.#1, distinct.#1); rows 3 to 3 by #2 descending)
    → (top.#1)

algebra expect=inline_wider_cut rows=bag
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 3) AS s UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2 OFFSET 1
----
Σ top ∈ (Σ b ∈ b → (b.z, b.z) + Σ a ∈ a → (a.x, a.x); rows 2 to 3 by #2) → (top.#1)

algebra expect=inline_wider_cut rows=list
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 2) AS s UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2
----
Σ b ∈ b → (b.z | b.z)
+ Σ a ∈ a → (a.x | a.x)
in the order of #2
rows 1 to 2

# The last row that is read may be cut away within.
algebra refuse=inline_wider_cut rows=bag
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 2) AS s UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2 OFFSET 1
----
Σ top ∈ (Σ b ∈ b → (b.z, b.z) + Σ top2 ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 2 by #2) → (a[id = top2.#1].x, a[id = top2.#1].x); rows 2 to 3 by #2)
    → (top.#1)

# Ties are broken within.
algebra refuse=inline_wider_cut rows=bag
SELECT * FROM (SELECT p, x FROM a ORDER BY x, id LIMIT 2) AS s UNION ALL SELECT 'z', z FROM b ORDER BY 2 LIMIT 2
----
Σ top ∈ (Σ top2 ∈ (Σ a ∈ a → (a.id, a.x, a.id); rows 1 to 2 by #2, #3) → (a[id = top2.#1].p, a[id = top2.#1].x, a[id = top2.#1].x) + Σ b ∈ b → ('z', b.z, b.z); rows 1 to 2 by #3)
    → (top.#1, top.#2)

algebra refuse=inline_wider_cut rows=bag
SELECT * FROM (SELECT x FROM a ORDER BY x DESC LIMIT 2) AS s UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2
----
Σ top ∈ (Σ b ∈ b → (b.z, b.z) + Σ top2 ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 2 by #2 descending) → (a[id = top2.#1].x, a[id = top2.#1].x); rows 1 to 2 by #2)
    → (top.#1)

algebra refuse=inline_wider_cut rows=bag
SELECT s.x FROM (SELECT x FROM a ORDER BY x LIMIT 2) AS s WHERE s.x > 1 UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2
----
Σ top ∈ (Σ b ∈ b → (b.z, b.z) + Σ top2 ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 2 by #2) [1 < a[id = top2.#1].x] → (a[id = top2.#1].x, a[id = top2.#1].x); rows 1 to 2 by #2)
    → (top.#1)

algebra refuse=inline_wider_cut rows=bag
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 2 OFFSET 1) AS s UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 2
----
Σ top ∈ (Σ b ∈ b → (b.z, b.z) + Σ top2 ∈ (Σ a ∈ a → (a.id, a.x); rows 2 to 3 by #2) → (a[id = top2.#1].x, a[id = top2.#1].x); rows 1 to 2 by #2)
    → (top.#1)

algebra expect=eliminate_skipped_rows rows=bag
SELECT x FROM (SELECT x FROM a LIMIT 3) AS s WHERE x > 0 LIMIT -1 OFFSET 3
----
∅

algebra expect=eliminate_skipped_rows rows=list
SELECT 1 UNION ALL SELECT 2 LIMIT 5 OFFSET 2
----
∅

# The third row may be there.
algebra refuse=eliminate_skipped_rows rows=bag
SELECT x FROM (SELECT x FROM a LIMIT 3) AS s WHERE x > 0 LIMIT -1 OFFSET 2
----
Σ top ∈ (Σ top2 ∈ (Σ a ∈ a → (a.id); rows 1 to 3) [0 < a[id = top2.#1].x] → (top2.#1); all rows from 3 on)
    → (a[id = top.#1].x)

algebra expect=merge_cuts rows=list
SELECT * FROM (SELECT p, x FROM a ORDER BY x LIMIT 3) ORDER BY x
----
Σ a ∈ a → (a.p, a.x | a.x)
in the order of #3
rows 1 to 3

algebra expect=merge_cuts rows=list
SELECT x FROM (SELECT x FROM a ORDER BY x LIMIT 5 OFFSET 2) ORDER BY x LIMIT 4 OFFSET 3
----
Σ a ∈ a → (a.x | a.x)
in the order of #2
rows 6 to 7

# More are skipped than were taken.
algebra expect=merge_cuts rows=bag
SELECT x FROM (SELECT x FROM a ORDER BY x LIMIT 2) ORDER BY x LIMIT 4 OFFSET 3
----
∅

# Three times, and over rows of two tables.
algebra expect=merge_cuts rows=list
SELECT x FROM (SELECT x FROM (SELECT x FROM a UNION ALL SELECT z FROM b ORDER BY 1 LIMIT 5) ORDER BY x LIMIT 4) ORDER BY x
----
Σ a ∈ a → (a.x | a.x)
+ Σ b ∈ b → (b.z | b.z)
in the order of #2
rows 1 to 4

algebra refuse=merge_cuts rows=list
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 3) ORDER BY x DESC
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 3 by #2) → (a[id = top.#1].x | a[id = top.#1].x)
in the order of #2 descending

algebra refuse=merge_cuts rows=list
SELECT * FROM (SELECT x, id FROM a ORDER BY x, id LIMIT 3) ORDER BY x
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x, a.id); rows 1 to 3 by #2, #3)
    → (a[id = top.#1].x, top.#1 | a[id = top.#1].x)
in the order of #3

algebra refuse=merge_cuts rows=list
SELECT * FROM (SELECT x, y FROM a ORDER BY x LIMIT 3) ORDER BY y
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 3 by #2)
    → (a[id = top.#1].x, a[id = top.#1].y | a[id = top.#1].y)
in the order of #3

algebra refuse=merge_cuts rows=list
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 3) WHERE x > 1 ORDER BY x
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 3 by #2)
    [1 < a[id = top.#1].x]
    → (a[id = top.#1].x | a[id = top.#1].x)
in the order of #2

# An order of chosen rows that nothing states is not kept.
algebra refuse=merge_cuts rows=list
SELECT * FROM (SELECT x FROM a ORDER BY x LIMIT 3) LIMIT 3 OFFSET 1
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 3 by #2) → (a[id = top.#1].x)
rows 2 to 4

algebra refuse=merge_cuts rows=list
SELECT s.x FROM (SELECT x FROM a ORDER BY x LIMIT 3) AS s JOIN b ON b.z = s.x ORDER BY s.x
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 3 by #2), b ∈ b [a[id = top.#1].x = b.z] → (b.z | b.z)
in the order of #2

# Within, one row is chosen for all rows around; around, one for each.
algebra refuse=merge_cuts rows=bag
SELECT b.id, (SELECT s.p || b.z FROM (SELECT p, y FROM a ORDER BY y LIMIT 2) AS s ORDER BY s.y LIMIT 1) FROM b
----
Σ b ∈ b
    → (b.id, first(Σ top ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 2 by #2) → (a[id = top.#1].p || b.z, a[id = top.#1].y); rows 1 to 1 by #2))

# One row is left of each partition.
algebra expect=eliminate_key_behind_partition rows=list
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY p) AS k FROM a) AS s WHERE k = 1 ORDER BY y, p
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7 by #8)
    [numbered.#7 = 1]
    → (numbered.#3 | numbered.#1)
in the order of #2

algebra expect=eliminate_key_behind_partition rows=list
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x, y ORDER BY p) AS k FROM a) AS s WHERE 1 = k ORDER BY y, x DESC, id
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7, #8 by #9)
    [numbered.#7 = 1]
    → (numbered.#4 | numbered.#2, numbered.#1)
in the order of #2, #3 descending

algebra refuse=eliminate_key_behind_partition rows=list
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x, y ORDER BY p) AS k FROM a) AS s WHERE k = 1 ORDER BY y, p
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7, #8 by #9)
    [numbered.#7 = 1]
    → (numbered.#4 | numbered.#2, numbered.#3)
in the order of #2, #3

algebra refuse=eliminate_key_behind_partition rows=list
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY p) AS k FROM a) AS s WHERE k <= 2 ORDER BY y, p
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7 by #8)
    [numbered.#7 ≤ 2]
    → (numbered.#3 | numbered.#1, numbered.#2)
in the order of #2, #3

algebra refuse=eliminate_key_behind_partition rows=list
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY p) AS k FROM a) AS s WHERE k = 2 ORDER BY x, p
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7 by #8)
    [numbered.#7 = 2]
    → (numbered.#3 | numbered.#6, numbered.#2)
in the order of #2, #3

algebra refuse=eliminate_key_behind_partition rows=list
SELECT b.z FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY p) AS k FROM a) AS s JOIN b ON b.z > s.x WHERE k = 1 ORDER BY s.y, b.z
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7 by #8), b ∈ b
    [numbered.#6 < b.z and numbered.#7 = 1]
    → (b.z | numbered.#1, b.z)
in the order of #2, #3

algebra expect=eliminate_key_of_partition rows=list
SELECT id, k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY y DESC, p) AS k FROM a) AS s WHERE k < 3 ORDER BY k
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.p) within #7 by #8)
    [numbered.#7 < 3]
    → (numbered.#3, numbered.#7 | numbered.#7)
in the order of #3

algebra refuse=eliminate_key_of_partition rows=list
SELECT id, k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY y ORDER BY y + 1, p) AS k FROM a) AS s WHERE k < 3 ORDER BY k
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.p, a.id, a.n, a.r, a.x, a.y, a.y + 1, a.p) within #7 by #8, #9)
    [numbered.#7 < 3]
    → (numbered.#3, numbered.#7 | numbered.#7)
in the order of #3

# Several chosen rows, which are distinct: a row equals one of them at most.
algebra expect=pull_choice_from_subquery rows=bag
SELECT p FROM a WHERE id IN (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 3)
----
Σ top ∈ (Σ group ∈ distinct(Σ b ∈ b → (b.a_id)) → (group.#1, SUM0{Σ b2 ∈ b [group.#1 is b2.a_id] → (1)}); rows 1 to 3 by #2 descending)
    [top.#1 is not NULL]
    → (a[id = top.#1].p)

# Not distinct: two chosen rows may be equal.
algebra refuse=pull_choice_from_subquery rows=bag
SELECT p FROM a WHERE id IN (SELECT a_id FROM b ORDER BY z LIMIT 3)
----
Σ a ∈ a [(∃ top ∈ (Σ b ∈ b → (b.id, b.z); rows 1 to 3 by #2) [b[id = top.#1].a_id = a.id])] → (a.p)

algebra refuse=pull_choice_from_subquery rows=bag
SELECT p FROM a WHERE id IN (SELECT a_id FROM b GROUP BY a_id, z ORDER BY COUNT(*) LIMIT 3)
----
Σ a ∈ a
    [(∃ top ∈ (Σ group ∈ distinct(Σ b ∈ b → (b.a_id, b.z)) → (group.#1, SUM0{Σ b2 ∈ b [group.#1 is b2.a_id and group.#2 is b2.z] → (1)}); rows 1 to 3 by #2) [top.#1 = a.id])]
    → (a.p)

schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, u TEXT UNIQUE);
CREATE TABLE b (a INTEGER NOT NULL, b INTEGER NOT NULL, z INTEGER, PRIMARY KEY (a, b));
CREATE TABLE c (id INTEGER PRIMARY KEY, n, y INTEGER);
----

algebra expect=convert_number_to_rank steps
SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC) FROM a
----
convert_number_to_rank: Σ numbered ∈ numbered(Σ a ∈ a → (a.id, a.id) by #2 descending) → (numbered.#1, numbered.#2)  ⇒  Σ a ∈ a → (a.id, COUNT{Σ a2 ∈ a [a.id < a2.id or a.id is NULL and a2.id is not NULL] → (1)} + 1)
eliminate_is_true: true(a.id < a2.id)  ⇒  a.id < a2.id
push_not_into_inequality: not a.id < a2.id  ⇒  a2.id ≤ a.id
fold_test_of_not_null: a.id is NULL  ⇒  0
fold_is_true: true(0)  ⇒  0
fold_not: not 0  ⇒  1
fold_junction: a.id < a2.id  ⇒  a.id < a2.id
convert_count_to_sum: COUNT{Σ a2 ∈ a [a.id < a2.id] → (1)}  ⇒  SUM0{Σ a3 ∈ a [a.id < a3.id] → (1)}
Σ a ∈ a → (a.id, SUM0{Σ a2 ∈ a [a.id < a2.id] → (1)} + 1)

# Two rows may have NULL as u.
algebra refuse=convert_number_to_rank
SELECT id, ROW_NUMBER() OVER (ORDER BY u) FROM a
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.id, a.u, a.u) by #3) → (numbered.#1, numbered.#3)

algebra refuse=convert_number_to_rank
SELECT id, r FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM a) WHERE r = 2
----
Σ numbered ∈ (Σ a ∈ a → (a.id, a.id); rows 2 to 2 by #2) → (numbered.#1, 2)

algebra expect=split_row_itself
SELECT id, (SELECT SUM(y) FROM a AS o WHERE o.id <= a.id) FROM a
----
Σ a ∈ a → (a.id, SUM0{Σ a2 ∈ a [a2.id < a.id] → (a2.y)} + a.y)

algebra expect=split_row_itself
SELECT a, b, (SELECT COUNT(*) FROM b AS o WHERE o.a < b.a OR o.a = b.a AND o.b <= b.b) FROM b
----
Σ b ∈ b → (b.a, b.b, SUM0{Σ b2 ∈ b [b.a = b2.a and b2.b < b.b or b2.a < b.a] → (1)} + 1)

# Other rows may have the same y.
algebra refuse=split_row_itself needs=columns_are_a_strict_key
SELECT id, (SELECT COUNT(*) FROM a AS o WHERE o.y <= a.y) FROM a
----
Σ a ∈ a → (a.id, SUM0{Σ a2 ∈ a [a2.y ≤ a.y] → (1)})

# The row itself may have another x.
algebra refuse=split_row_itself needs=row_meets_the_conditions
SELECT id, (SELECT COUNT(*) FROM a AS o WHERE o.x = 1 AND o.id <= a.id) FROM a
----
Σ a ∈ a → (a.id, SUM0{Σ a2 ∈ a [a2.id ≤ a.id and a2.x = 1] → (1)})

algebra expect=convert_rank_to_choice rows=bag
SELECT y FROM a WHERE (SELECT COUNT(*) FROM a AS o WHERE o.id < a.id) < 5
----
Σ first ∈ (Σ a ∈ a → (a.id, a.id); rows 1 to 5 by #2) → (a[id = first.#1].y)

algebra expect=convert_rank_to_choice rows=bag
SELECT z FROM b WHERE (SELECT COUNT(*) FROM b AS o WHERE o.a < b.a OR o.a = b.a AND o.b >= b.b) BETWEEN 2 AND 5
----
Σ first ∈ (Σ b ∈ b → (b.a, b.b, b.a, b.b); rows 2 to 5 by #3, #4 descending)
    → (b[a = first.#1, b = first.#2].z)

# Rows that tie have one rank.
algebra refuse=convert_rank_to_choice
SELECT id FROM a WHERE (SELECT COUNT(*) FROM a AS o WHERE o.y < a.y) < 5
----
Σ a ∈ a [SUM0{Σ a2 ∈ a [a2.y < a.y] → (1)} < 5] → (a.id)

# Before a NULL there is no row, and it is not before any.
algebra refuse=convert_rank_to_choice
SELECT y FROM a WHERE (SELECT COUNT(*) FROM a AS o WHERE o.x < a.x OR o.x = a.x AND o.id < a.id) < 5
----
Σ a ∈ a [SUM0{Σ a2 ∈ a [a.x = a2.x and a2.id < a.id or a2.x < a.x] → (1)} < 5] → (a.y)

# Rows of which others are counted.
algebra refuse=convert_rank_to_choice
SELECT y FROM a WHERE x = 1 AND (SELECT COUNT(*) FROM a AS o WHERE o.id < a.id) < 5
----
Σ a ∈ a [SUM0{Σ a2 ∈ a [a2.id < a.id] → (1)} < 5 and a.x = 1] → (a.y)

algebra expect=convert_rank_to_sort_keys rows=list
SELECT id FROM a ORDER BY RANK() OVER (ORDER BY y DESC)
----
Σ a ∈ a → (a.id | a.y)
in the order of #2 descending

algebra refuse=convert_rank_to_sort_keys rows=list
SELECT id FROM a ORDER BY (SELECT COUNT(*) FROM a AS o WHERE o.x < a.x)
----
Σ a ∈ a → (a.id | SUM0{Σ a2 ∈ a [a2.x < a.x] → (1)})
in the order of #2

algebra expect=eliminate_place_of_nulls rows=list
SELECT x FROM a ORDER BY y NULLS LAST
----
Σ a ∈ a → (a.x | a.y)
in the order of #2

algebra refuse=eliminate_place_of_nulls rows=list
SELECT id FROM a ORDER BY x NULLS LAST
----
Σ a ∈ a → (a.id | a.x)
in the order of #2, NULLs last

# Two readers of one choice.
algebra expect=eliminate_choice_without_ties
SELECT COUNT(*), SUM(y) FROM (SELECT id, y FROM a ORDER BY id LIMIT 3)
----
Σ
    → (SUM0{Σ top ∈ (Σ a ∈ a → (a.id, a.y, a.id); rows 1 to 3 by #3) → (1)}, {(∃ a2 ∈ a): SUM0{Σ top2 ∈ (Σ a3 ∈ a → (a3.id, a3.id); rows 1 to 3 by #2) → (a[id = top2.#1].y)}; else NULL})

algebra refuse=eliminate_choice_without_ties
SELECT COUNT(*), SUM(y) FROM (SELECT id, y FROM a ORDER BY y LIMIT 3)
----
Σ
    → (SUM0{Σ top ∈ (Σ a ∈ a → (a.id, a.y, a.y); rows 1 to 3 by #3) → (1)}, {(∃ a2 ∈ a): SUM0{Σ top2 ∈ (Σ a3 ∈ a → (a3.id, a3.y); rows 1 to 3 by #2) → (a[id = top2.#1].y)}; else NULL})

algebra expect=reduce_bound_to_first_number
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS r FROM a) WHERE r < 2
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.id, a.x, a.y) within #4 by #5)
    [numbered.#4 = 1]
    → (numbered.#3)

algebra refuse=reduce_bound_to_first_number
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS r FROM a) WHERE r <= 2
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.id, a.x, a.y) within #4 by #5)
    [numbered.#4 ≤ 2]
    → (numbered.#3)

algebra expect=convert_first_of_partition_to_distinct
SELECT x, r FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS r FROM a) WHERE r = 1 AND x > 1
----
Σ numbered ∈ distinct(Σ a ∈ a → (a.x)) [1 < numbered.#1] → (numbered.#1, 1)

algebra expect=convert_first_of_partition_to_distinct
SELECT x, y FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y DESC, id) AS r FROM a) WHERE r = 1 AND y > 1
----
Σ numbered ∈ distinct(Σ a ∈ a [1 < a.y] → (a.x))
    → (numbered.#1, MAX{Σ a2 ∈ a [numbered.#1 is a2.x] → (a2.y)})

# NULL comes first, and is no least value.
algebra refuse=convert_first_of_partition_to_distinct
SELECT y, x FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY y ORDER BY x) AS r FROM a) WHERE r = 1
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.x, a.y, a.x) within #3 by #4)
    [numbered.#3 = 1]
    → (numbered.#1, numbered.#2)

algebra expect=convert_first_of_partition_to_distinct
SELECT y, x FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY y ORDER BY x NULLS LAST) AS r FROM a) WHERE r = 1
----
Σ numbered ∈ distinct(Σ a ∈ a → (a.y))
    → (numbered.#1, MIN{Σ a2 ∈ a [numbered.#1 = a2.y and a2.x is not NULL] → (a2.x)})

# Another column of the row is read.
algebra refuse=convert_first_of_partition_to_distinct
SELECT x, y FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY x ORDER BY id % 2, y) AS r FROM a) WHERE r = 1
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.id, a.x, a.id % 2, a.y) within #4 by #5, #6)
    [numbered.#4 = 1]
    → (numbered.#1, numbered.#2)

# For the partitions and for the extreme the rows would be chosen twice.
algebra refuse=convert_first_of_partition_to_distinct
SELECT x, y FROM (SELECT x, y, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS r FROM (SELECT * FROM a LIMIT 2)) WHERE r = 1
----
Σ numbered ∈ numbered(Σ top ∈ (Σ a ∈ a → (a.id); rows 1 to 2) → (a[id = top.#1].x, a[id = top.#1].y, a[id = top.#1].x, a[id = top.#1].y) within #3 by #4)
    [numbered.#3 = 1]
    → (numbered.#1, numbered.#2)

algebra refuse=convert_first_of_partition_to_distinct
SELECT x FROM (SELECT x, ROW_NUMBER() OVER (PARTITION BY x ORDER BY y) AS r FROM a) WHERE r = 2
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.x, a.y, a.x, a.y) within #3 by #4)
    [numbered.#3 = 2]
    → (numbered.#1)

# 1 and 1.0 are one partition, and which of them its first row has is open.
algebra refuse=convert_first_of_partition_to_distinct
SELECT n FROM (SELECT n, ROW_NUMBER() OVER (PARTITION BY n ORDER BY y) AS r FROM c) WHERE r = 1
----
Σ numbered ∈ numbered(Σ c ∈ c → (c.n, c.y, c.n, c.y) within #3 by #4)
    [numbered.#3 = 1]
    → (numbered.#1)
