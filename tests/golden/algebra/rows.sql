schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, u TEXT UNIQUE, r REAL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), n INTEGER NOT NULL REFERENCES a(id), z INTEGER);
CREATE TABLE c (id INTEGER PRIMARY KEY REFERENCES a(id), w INTEGER);
CREATE TABLE v (k INTEGER, o NUMERIC, p TEXT);
CREATE TABLE d (q);
----

algebra expect=eliminate_empty_source
SELECT q.x FROM (SELECT x FROM a LIMIT 0) AS q
----
∅

algebra refuse=eliminate_empty_source
SELECT q.x FROM (SELECT x FROM a LIMIT 1) AS q
----
Σ top ∈ (Σ a ∈ a → (a.id); rows 1 to 1) → (a[id = top.#1].x)

algebra expect=inline_distinct_in_set
SELECT DISTINCT q.x + 1 FROM (SELECT DISTINCT x FROM a) AS q
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x + 1)) → (distinct.#1)

# Counted, distinct rows are not all rows.
algebra refuse=inline_distinct_in_set
SELECT q.x + 1 FROM (SELECT DISTINCT x FROM a) AS q
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) → (distinct.#1 + 1)

algebra expect=inline_single_row disable=eliminate_idle_choice
SELECT q.x FROM (SELECT 1 AS x LIMIT 1) AS q
----
Σ → (1)

algebra refuse=inline_single_row
SELECT q.x FROM (SELECT x FROM a LIMIT 2) AS q
----
Σ top ∈ (Σ a ∈ a → (a.id); rows 1 to 2) → (a[id = top.#1].x)

algebra expect=convert_constant_choice_to_exists disable=eliminate_idle_choice
SELECT q.x FROM (SELECT 5 AS x FROM a LIMIT 1) AS q
----
Σ [(∃ a ∈ a)] → (5)

algebra refuse=convert_constant_choice_to_exists
SELECT q.x FROM (SELECT 5 AS x FROM a LIMIT 2) AS q
----
Σ top ∈ (Σ a ∈ a → (); rows 1 to 2) → (5)

algebra expect=inline_unread_choice
SELECT DISTINCT 1 FROM (SELECT x FROM a LIMIT 3) AS q
----
Σ [(∃ a ∈ a)] → (1)

# Counted, three rows are not all rows.
algebra refuse=inline_unread_choice
SELECT 1 FROM (SELECT x FROM a LIMIT 3) AS q
----
Σ top ∈ (Σ a ∈ a → (a.x); rows 1 to 3) → (1)

algebra expect=inline_unnumbered_rows
SELECT q.x FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY y) AS n FROM a) AS q
----
Σ a ∈ a → (a.x)

algebra refuse=inline_unnumbered_rows
SELECT q.x FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY y) AS n FROM a) AS q WHERE q.n = 1
----
Σ numbered ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 1 by #2) → (a[id = numbered.#1].x)

algebra expect=inline_semi_join
SELECT DISTINCT x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.z = a.x)
----
Σ distinct ∈ distinct(Σ a ∈ a [(∃ b ∈ b [a.x = b.z])] → (a.x)) → (distinct.#1)

algebra refuse=inline_semi_join
SELECT x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.z = a.x)
----
Σ a ∈ a [(∃ b ∈ b [a.x = b.z])] → (a.x)

algebra expect=split_distinct_rows
SELECT x, 'p' FROM a UNION SELECT z, 'q' FROM b
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) → (distinct.#1, 'p')
+ Σ distinct2 ∈ distinct(Σ b ∈ b → (b.z)) → (distinct2.#1, 'q')

algebra expect=split_distinct_rows
SELECT CASE WHEN y > 5 THEN 'hi' ELSE 'lo' END AS k, COUNT(*) FROM a GROUP BY k
----
Σ [(∃ a ∈ a [5 < a.y])] → ('hi', SUM0{Σ a2 ∈ a [5 < a2.y] → (1)})
+ Σ [(∃ a3 ∈ a [a3.y ≤ 5])] → ('lo', SUM0{Σ a4 ∈ a [a4.y ≤ 5] → (1)})

# 'lo' may be the value of u, too.
algebra refuse=split_distinct_rows
SELECT DISTINCT CASE WHEN y > 5 THEN u ELSE 'lo' END FROM a
----
Σ distinct ∈ distinct(Σ a ∈ a → ({5 < a.y: a.u; else 'lo'})) → (distinct.#1)

# x may be NULL too.
algebra refuse=split_distinct_rows needs=no_row_is_in_two_parts
SELECT x, 'p' FROM a UNION SELECT NULL, 'p' FROM b
----
Σ distinct ∈ distinct(Σ [(∃ b ∈ b)] → (NULL) + Σ a ∈ a → (a.x)) → (distinct.#1, 'p')

algebra refuse=split_distinct_rows
SELECT x, 'p' FROM a UNION SELECT z, 'p' FROM b
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x) + Σ b ∈ b → (b.z)) → (distinct.#1, 'p')

algebra expect=inline_distinct_on_key
SELECT DISTINCT id, x FROM a
----
Σ a ∈ a → (a.id, a.x)

# u is unique and may be NULL: (NULL, 1) may occur twice.
algebra refuse=inline_distinct_on_key needs=outputs_determine_rows
SELECT DISTINCT u, x FROM a
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.u, a.x)) → (distinct.#1, distinct.#2)

algebra expect=reduce_distinct_outputs
SELECT DISTINCT x, x + 1, 7 FROM a
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) → (distinct.#1, distinct.#1 + 1, 7)

# Of 1 and 1.0 DISTINCT keeps one, and TYPEOF is not that of both.
algebra refuse=reduce_distinct_outputs needs=distinct_has_no_choice
SELECT DISTINCT CASE WHEN x = 1 THEN y ELSE r END, TYPEOF(CASE WHEN x = 1 THEN y ELSE r END) FROM a
----
Σ distinct ∈ distinct(Σ a ∈ a → (TYPEOF({a.x = 1: a.y; else a.r}), {a.x = 1: a.y; else a.r}))
    → (distinct.#2, distinct.#1)

algebra expect=pull_condition_from_distinct
SELECT DISTINCT x FROM a WHERE x > 1
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x)) [1 < distinct.#1] → (distinct.#1)

algebra refuse=pull_condition_from_distinct needs=distinct_has_no_choice
SELECT DISTINCT CASE WHEN x = 1 THEN y ELSE r END FROM a WHERE TYPEOF(CASE WHEN x = 1 THEN y ELSE r END) = 'real'
----
Σ distinct ∈ distinct(Σ a ∈ a [TYPEOF({a.x = 1: a.y; else a.r}) = 'real'] → ({a.x = 1: a.y; else a.r}))
    → (distinct.#1)

algebra expect=push_semi_join_into_distinct
SELECT q.x FROM (SELECT DISTINCT x FROM a) AS q WHERE EXISTS (SELECT 1 FROM b WHERE b.z > q.x)
----
Σ distinct ∈ distinct(Σ a ∈ a [(∃ b ∈ b [a.x < b.z])] → (a.x)) → (distinct.#1)

algebra refuse=push_semi_join_into_distinct
SELECT q.x FROM (SELECT DISTINCT x FROM a) AS q, c WHERE EXISTS (SELECT 1 FROM b WHERE b.z > q.x + c.w)
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x)), c ∈ c [(∃ b ∈ b [c.w + distinct.#1 < b.z])] → (distinct.#1)

algebra expect=push_condition_into_union
SELECT q.x FROM (SELECT x, y FROM a UNION SELECT z, n FROM b) AS q WHERE q.x = q.y
----
Σ distinct ∈ distinct(Σ a ∈ a [a.x = a.y] → (a.x) + Σ b ∈ b [b.n = b.z] → (b.n)) → (distinct.#1)

algebra refuse=push_condition_into_union
SELECT q.x FROM (SELECT x, y FROM a UNION SELECT z, n FROM b) AS q, c WHERE q.x = c.w
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y) + Σ b ∈ b → (b.z, b.n)), c ∈ c
    [distinct.#1 = c.w]
    → (distinct.#1)

algebra expect=convert_distinct_to_table
SELECT DISTINCT n FROM b
----
Σ a ∈ a [(∃ b ∈ b [a.id = b.n])] → (a.id)

# a_id may be NULL, and NULL is no key.
algebra refuse=convert_distinct_to_table needs=values_are_keys_of_table
SELECT DISTINCT a_id FROM b
----
Σ distinct ∈ distinct(Σ b ∈ b → (b.a_id)) → (distinct.#1)

algebra expect=convert_determined_row_to_lookup
SELECT a.x FROM b JOIN a ON a.id = b.n
----
Σ b ∈ b → (a[id = b.n].x)

algebra refuse=convert_determined_row_to_lookup
SELECT a.id FROM b JOIN a ON a.x = b.n
----
Σ b ∈ b, a ∈ a [a.x = b.n] → (a.id)

algebra expect=convert_determined_distinct_to_exists
SELECT b.id FROM b JOIN (SELECT DISTINCT x FROM a) AS q ON q.x = b.n
----
Σ b ∈ b [(∃ a ∈ a [a.x = b.n])] → (b.id)

# The row of the other source shows that there is one, if its column is not NULL.
algebra expect=convert_determined_distinct_to_exists
SELECT p.y FROM (SELECT DISTINCT x, y FROM a) AS p JOIN (SELECT DISTINCT x FROM a) AS q ON q.x = p.x
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y)) [distinct.#1 is not NULL] → (distinct.#2)

# A row with that x need not have y = 1.
algebra expect=convert_determined_distinct_to_exists
SELECT p.y FROM (SELECT DISTINCT x, y FROM a) AS p JOIN (SELECT DISTINCT x FROM a WHERE y = 1) AS q ON q.x = p.x
----
Σ distinct ∈ distinct(Σ a ∈ a [(∃ a2 ∈ a [a.x = a2.x and a2.y = 1])] → (a.x, a.y)) → (distinct.#2)

# 1 = 1.0: the one distinct row may be another number than the value that finds it.
algebra refuse=convert_determined_distinct_to_exists needs=values_are_identical_to_columns
SELECT TYPEOF(q.s) FROM b JOIN (SELECT DISTINCT r AS s FROM a) AS q ON q.s = b.n
----
Σ b ∈ b, distinct ∈ distinct(Σ a ∈ a → (a.r)) [distinct.#1 = b.n] → (TYPEOF(distinct.#1))

algebra expect=merge_terms_in_set
SELECT y FROM a WHERE x = 1 UNION SELECT y FROM a WHERE r > 2
----
Σ distinct ∈ distinct(Σ a ∈ a [a.x = 1 or 2 < a.r] → (a.y)) → (distinct.#1)

algebra refuse=merge_terms_in_set
SELECT y FROM a WHERE x = 1 UNION SELECT x FROM a WHERE r > 2
----
Σ distinct ∈ distinct(Σ a ∈ a [2 < a.r] → (a.x) + Σ a2 ∈ a [a2.x = 1] → (a2.y)) → (distinct.#1)

algebra expect=merge_exclusive_terms
SELECT y FROM a WHERE x = 1 UNION ALL SELECT 0 FROM a WHERE x = 2
----
Σ a ∈ a [a.x = 1 or a.x = 2] → ({a.x = 1: a.y; else 0})

# A row with x = 1 and y = 2 counts twice.
algebra refuse=merge_exclusive_terms needs=conditions_exclude_each_other
SELECT y FROM a WHERE x = 1 UNION ALL SELECT y FROM a WHERE y = 2
----
Σ a ∈ a [a.x = 1] → (a.y)
+ Σ a2 ∈ a [a2.y = 2] → (2)

algebra expect=convert_row_to_partner
SELECT a.id, c.w FROM a LEFT JOIN c ON c.id = a.id
----
Σ a ∈ a → (a.id, c[id = a.id].w)

algebra expect=convert_row_to_partner
SELECT x FROM a WHERE id IN (SELECT id FROM c WHERE w = 1) AND EXISTS (SELECT 1 FROM c WHERE c.id = a.id AND w < 5)
----
Σ c ∈ c [c.w = 1] → (a[id = c.id].x)

algebra refuse=convert_row_to_partner
SELECT a.id, b.z FROM a LEFT JOIN b ON b.a_id = a.id
----
Σ b ∈ b [b.a_id is not NULL] → (b.a_id, b.z)
+ Σ a ∈ a [not (∃ b2 ∈ b [a.id = b2.a_id])] → (a.id, NULL)

algebra expect=eliminate_contradictory_term
SELECT y FROM a WHERE x < 1 AND x > 2 UNION ALL SELECT z FROM b
----
Σ b ∈ b → (b.z)

algebra refuse=eliminate_contradictory_term needs=condition_is_never_true
SELECT y FROM a WHERE x < 1 AND x > 0 - 2 UNION ALL SELECT z FROM b
----
Σ a ∈ a [a.x < 1 and -2 < a.x] → (a.y)
+ Σ b ∈ b → (b.z)

algebra expect=eliminate_idle_order_key
SELECT x FROM a ORDER BY y, 1, y
----
Σ a ∈ a → (a.x | a.y, a.x)
in the order of #2, #3

algebra refuse=eliminate_idle_order_key
SELECT x FROM a ORDER BY y, x
----
Σ a ∈ a → (a.x | a.y, a.x)
in the order of #2, #3

algebra expect=push_idle_rows_into_exists
SELECT DISTINCT a.x FROM a JOIN b ON b.z = a.x
----
Σ distinct ∈ distinct(Σ a ∈ a [(∃ b ∈ b [a.x = b.z])] → (a.x)) → (distinct.#1)

algebra refuse=push_idle_rows_into_exists
SELECT a.x FROM a JOIN b ON b.z = a.x
----
Σ a ∈ a, b ∈ b [a.x = b.z] → (a.x)

algebra expect=fold_exists_of_row_around
SELECT t.y FROM a AS t WHERE t.x = 1 AND EXISTS (SELECT 1 FROM a AS s WHERE s.x = 1)
----
Σ a ∈ a [a.x = 1] → (a.y)

# Within an OR, and the row that a distinct row stands for.
algebra expect=fold_exists_of_row_around
SELECT t.x FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.y = t.y) OR t.x = 2
----
Σ a ∈ a [a.x = 2] → (2)

algebra expect=fold_exists_of_row_around
SELECT d.y FROM (SELECT DISTINCT y FROM a) AS d WHERE EXISTS (SELECT 1 FROM a AS s WHERE s.y = d.y) OR d.y = 2
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.y)) → (distinct.#1)

# x may be NULL, and no row has it then.
algebra refuse=fold_exists_of_row_around needs=a_row_around_is_such_a_row
SELECT t.y FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x = t.x) OR t.y = 2
----
Σ a ∈ a [a.y = 2 or not (∃ a2 ∈ a [a2.x = a.x])] → (a.y)

# The row itself need not have r = 2.
algebra refuse=eliminate_witnessed_exists needs=other_conditions_show_it
SELECT t.y FROM a AS t WHERE t.x = 1 AND EXISTS (SELECT 1 FROM a AS s WHERE s.r = 2)
----
Σ a ∈ a [a.x = 1 and (∃ a2 ∈ a [a2.r = 2])] → (a.y)

# NOT EXISTS, as of the rows that an outer join pads.
algebra expect=fold_exists_of_row_around
SELECT t.y, s.id FROM a AS t LEFT JOIN a AS s ON t.y = s.y
----
Σ a ∈ a, a2 ∈ a [a2.y = a.y] → (a.y, a2.id)

algebra expect=eliminate_witnessed_exists
SELECT t.y FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x = t.x)
----
Σ a ∈ a [a.x is NULL] → (a.y)

algebra refuse=eliminate_witnessed_exists needs=other_conditions_show_it
SELECT t.y FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x = t.x AND s.r = 2)
----
Σ a ∈ a [not (∃ a2 ∈ a [a2.r = 2 and a2.x = a.x])] → (a.y)

algebra expect=split_untrue_comparison
SELECT z FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE (a.x <> b.z) IS NOT TRUE)
----
Σ b ∈ b [not (∃ a ∈ a [a.x = b.z]) and not (∃ a2 ∈ a [a2.x is NULL]) and b.z is not NULL] → (b.z)

algebra refuse=split_untrue_comparison
SELECT x FROM a WHERE (x <> y) IS NOT TRUE
----
Σ a ∈ a [not true(a.x ≠ a.y)] → (a.x)

algebra expect=split_exists
SELECT z FROM b WHERE EXISTS (SELECT 1 FROM a, c WHERE b.z = 1 AND a.x = 1 AND c.w = 2)
----
Σ b ∈ b [b.z = 1 and (∃ a ∈ a [a.x = 1]) and (∃ c ∈ c [c.w = 2])] → (1)

algebra refuse=split_exists
SELECT z FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.z)
----
Σ b ∈ b [(∃ a ∈ a [a.x = b.z])] → (b.z)

algebra refuse=eliminate_exists_of_any_row needs=sources_have_rows
SELECT k FROM v WHERE EXISTS (SELECT 1 FROM a)
----
Σ v ∈ v [(∃ a ∈ a)] → (v.k)

algebra refuse=split_outer_branches needs=tables_have_rows
SELECT k FROM v WHERE EXISTS (SELECT 1 FROM a WHERE v.k IS NULL OR a.x = v.k)
----
Σ v ∈ v [(∃ a ∈ a [a.x = v.k]) or v.k is NULL and (∃ a2 ∈ a)] → (v.k)

algebra expect=reject_different_constants
SELECT y FROM a WHERE x = 1 AND x = 2
----
∅

# 1 = 1.0.
algebra refuse=reject_different_constants
SELECT y FROM a WHERE x = 1 AND x = 1.0
----
Σ a ∈ a [a.x = 1 and 1 = 1.0] → (a.y)

algebra expect=convert_equals_to_representative
SELECT b.z, a.x FROM a, b WHERE a.x = b.z AND b.z = 1
----
Σ a ∈ a, b ∈ b [a.x = 1 and b.z = 1] → (1, 1)

# What equals a text is that text, whatever else the other column holds.
algebra expect=convert_equals_to_representative
SELECT a.u, d.q FROM a, d WHERE a.u = d.q
----
Σ d ∈ d [a[u = d.q] ≠ ∅] → (d.q, d.q)

# What equals an integer may be a REAL.
algebra refuse=convert_equals_to_representative
SELECT a.x, d.q FROM a, d WHERE a.x = d.q
----
Σ a ∈ a, d ∈ d [NUMERIC(d.q) = a.x] → (a.x, d.q)

# r = z, and the one is 1.0 where the other is 1.
algebra refuse=convert_equals_to_representative needs=equal_values_are_identical
SELECT b.z || '', a.r FROM a, b WHERE a.r = b.z
----
Σ a ∈ a, b ∈ b [a.r = b.z] → (b.z || '', a.r)

algebra expect=fold_empty_subquery
SELECT (SELECT x FROM a WHERE 1 = 2) FROM b
----
Σ b ∈ b → (NULL)

algebra refuse=fold_empty_subquery
SELECT (SELECT x FROM a LIMIT 1) FROM b
----
Σ b ∈ b → (first(Σ a ∈ a → (a.x); rows 1 to 1))

algebra expect=convert_single_row_to_case
SELECT (SELECT 1 WHERE b.z = 1 UNION ALL SELECT 2 WHERE b.z = 2) FROM b
----
Σ b ∈ b → ({b.z = 1 or b.z = 2: {b.z = 1: 1; else 2}; else NULL})

algebra refuse=convert_single_row_to_case
SELECT (SELECT b.z + 1 WHERE b.z = 1 UNION ALL SELECT 2 WHERE b.n = 2) FROM b
----
Σ b ∈ b → (first(Σ [b.z = 1] → (2) + Σ [b.n = 2] → (2); rows 1 to 1))

algebra expect=convert_constant_subquery_to_case
SELECT (SELECT 5 FROM a WHERE a.y = b.z) FROM b
----
Σ b ∈ b → ({(∃ a ∈ a [a.y = b.z]): 5; else NULL})

algebra refuse=convert_constant_subquery_to_case
SELECT (SELECT x FROM a WHERE a.y = b.z) FROM b
----
Σ b ∈ b → (first(Σ a ∈ a [a.y = b.z] → (a.x); rows 1 to 1))

algebra expect=fold_found_by_null
SELECT a.x, COUNT(*) FROM b LEFT JOIN a ON a.id = b.z GROUP BY b.z HAVING b.z IS NULL
----
Σ group ∈ distinct(Σ b ∈ b → (b.z)), bare ∈ (Σ b2 ∈ b [group.#1 is b2.z] → (b2.id); rows 1 to 1)
    [group.#1 is NULL]
    → (NULL, SUM0{Σ b3 ∈ b [b3.z is NULL] → (1)})

algebra refuse=fold_found_by_null
SELECT b.z FROM b LEFT JOIN a ON a.id = b.z
----
Σ b ∈ b → (b.z)

algebra expect=fold_found_row_at_hand
SELECT a.x FROM a JOIN a AS s ON s.id = a.id
----
Σ a ∈ a → (a.x)

algebra refuse=fold_found_row_at_hand
SELECT a.x FROM a JOIN c ON c.id = a.id
----
Σ c ∈ c → (a[id = c.id].x)

algebra expect=fold_found_by_reference
SELECT b.z FROM b JOIN a ON a.id = b.a_id
----
Σ b ∈ b [b.a_id is not NULL] → (b.z)

# z refers to nothing.
algebra refuse=fold_found_by_reference needs=reference_holds
SELECT b.z FROM b JOIN a ON a.id = b.z
----
Σ b ∈ b [a[id = b.z] ≠ ∅] → (b.z)

algebra expect=convert_lookup_to_row_at_hand
SELECT a.x FROM a GROUP BY a.id
----
Σ a ∈ a → (a.x)

algebra refuse=convert_lookup_to_row_at_hand
SELECT c.w FROM a JOIN c ON c.id = a.id
----
Σ c ∈ c → (c.w)

algebra expect=convert_key_column_to_value
SELECT CASE WHEN b.n > 1 THEN a.id END FROM b LEFT JOIN a ON a.id = CASE WHEN b.n > 1 THEN b.a_id ELSE 1.5 END
----
Σ b ∈ b
    → ({{1 < b.n: b.a_id; else 1.5} = a[id = {1 < b.n: b.a_id; else 1.5}].id: {1 < b.n: b.a_id; else NULL}; else NULL})

# z refers to nothing.
algebra refuse=convert_key_column_to_value
SELECT CASE WHEN b.n > 1 THEN a.id END FROM b LEFT JOIN a ON a.id = CASE WHEN b.n > 1 THEN b.z ELSE 1.5 END
----
Σ b ∈ b
    → ({{1 < b.n: b.z; else 1.5} = a[id = {1 < b.n: b.z; else 1.5}].id: {1 < b.n: a[id = b.z].id; else NULL}; else NULL})

# r is 1.0 where the key is 1.
algebra refuse=convert_key_column_to_value needs=key_is_identical_to_value
SELECT TYPEOF(a.id) FROM a AS s JOIN a ON a.id = s.r
----
Σ a ∈ a [a[id = a.r].id = a.r] → (TYPEOF(a[id = a.r].id))

algebra refuse=convert_key_column_to_value
SELECT a.id FROM b LEFT JOIN a ON a.id = b.z
----
Σ b ∈ b → ({a[id = b.z] ≠ ∅: b.z; else NULL})

algebra expect=merge_lookups
SELECT s.x, t.y FROM v LEFT JOIN a AS s ON s.u = v.p LEFT JOIN a AS t ON t.id = s.id
----
Σ v ∈ v → (a[u = v.p].x, a[u = v.p].y)

algebra expect=reduce_found_to_first_lookup
SELECT s.x, t.y FROM v JOIN a AS s ON s.u = v.p JOIN a AS t ON t.id = s.id GROUP BY s.id
----
Σ group ∈ distinct(Σ v ∈ v [(∃ v2 ∈ v [a[u = v.p].u = v2.p])] → (a[u = v.p].id))
    → (a[id = group.#1].x, a[id = group.#1].y)

algebra expect=convert_null_test_of_lookup
SELECT a.y IS NULL FROM b LEFT JOIN a ON a.id = b.z
----
Σ b ∈ b → (not a[id = b.z] ≠ ∅)

algebra refuse=convert_null_test_of_lookup needs=column_is_never_null
SELECT a.x IS NULL FROM b LEFT JOIN a ON a.id = b.z
----
Σ b ∈ b → (a[id = b.z].x is NULL)

algebra expect=fold_lookup_of_missing_row
SELECT a.x, b.z FROM a RIGHT JOIN b ON a.id = b.a_id
----
Σ b ∈ b → (a[id = b.a_id].x, b.z)

algebra refuse=fold_lookup_of_missing_row needs=row_is_missing
SELECT a.x FROM b JOIN a ON a.id = b.z
----
Σ b ∈ b [a[id = b.z] ≠ ∅] → (a[id = b.z].x)

algebra expect=fold_key_of_found_row
SELECT a.x FROM a JOIN v ON a.id = v.p GROUP BY a.id HAVING COUNT(*) > 1
----
Σ group ∈ distinct(Σ v ∈ v → (a[id = NUMERIC(v.p)].id))
    [1 < SUM0{Σ v2 ∈ v [NUMERIC(v2.p) = group.#1 and a[id = NUMERIC(v2.p)].id = group.#1] → (1)} and group.#1 is not NULL]
    → (a[id = group.#1].x)

algebra refuse=fold_key_of_found_row
SELECT a.x FROM a JOIN v ON a.id = v.k WHERE v.o = v.k
----
Σ v ∈ v [v.k = v.o and a[id = v.k] ≠ ∅] → (a[id = v.k].x)

schema assume='not_empty(a)'
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, z INTEGER);
----

algebra expect=eliminate_exists_of_any_row
SELECT z FROM b WHERE EXISTS (SELECT 1 FROM a)
----
Σ b ∈ b → (b.z)

algebra expect=split_outer_branches
SELECT z FROM b WHERE EXISTS (SELECT 1 FROM a WHERE b.z IS NULL OR a.x = b.z)
----
Σ b ∈ b [b.z is NULL or (∃ a ∈ a [a.x = b.z])] → (b.z)

# The rows are of two tables.
algebra refuse=reduce_found_to_first_lookup refuse=merge_lookups
SELECT b.z FROM b LEFT JOIN a ON a.id = b.z
----
Σ b ∈ b → (b.z)

schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, u TEXT UNIQUE, r REAL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), z INTEGER);
----

algebra expect=eliminate_root_distinct rows=set
SELECT DISTINCT x, y FROM a
----
Σ a ∈ a → (a.x, a.y)

algebra refuse=eliminate_root_distinct rows=bag
SELECT DISTINCT x, y FROM a
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y)) → (distinct.#1, distinct.#2)

algebra expect=reduce_outputs_to_fewer_rows disable=convert_equals_to_representative
SELECT DISTINCT t.y, s.x FROM a AS t JOIN a AS s ON t.x = s.x
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y)) [distinct.#1 is not NULL] → (distinct.#2, distinct.#1)

# r is 1.0 where x is 1, and reads otherwise.
algebra refuse=reduce_outputs_to_fewer_rows needs=equal_values_are_identical rows=set
SELECT DISTINCT t.y, s.r || '' FROM a AS t JOIN a AS s ON t.x = s.r
----
Σ a ∈ a, a2 ∈ a [a2.r = a.x] → (a.y, a2.r || '')

algebra refuse=reduce_outputs_to_fewer_rows
SELECT t.y, s.x FROM a AS t JOIN a AS s ON t.x = s.x
----
Σ a ∈ a, a2 ∈ a [a2.x = a.x] → (a.y, a.x)

algebra expect=convert_key_of_lookup_to_row
SELECT y FROM a AS t WHERE t.id = (SELECT s.id FROM a AS s WHERE s.u = 'p')
----
Σ [a[u = 'p'] ≠ ∅] → (a[u = 'p'].y)

# y is no key: another row may have it.
algebra refuse=convert_key_of_lookup_to_row needs=column_is_unique
SELECT t.x FROM b JOIN a AS s ON s.id = b.a_id JOIN a AS t ON t.y = s.y
----
Σ b ∈ b, a ∈ a [a[id = b.a_id].y = a.y] → (a.x)

# u may be NULL, and then equals nothing.
algebra refuse=convert_key_of_lookup_to_row needs=column_of_row_is_never_null
SELECT t.x FROM b JOIN a AS s ON s.id = b.a_id JOIN a AS t ON t.u = s.u
----
Σ b ∈ b [a[id = b.a_id].u is not NULL] → (a[u = a[id = b.a_id].u].x)

algebra expect=eliminate_implied_lookup
SELECT b.z FROM b JOIN a ON a.id = b.a_id WHERE b.a_id = 1
----
Σ b ∈ b [b.a_id = 1] → (b.z)

# z refers to nothing.
algebra refuse=eliminate_implied_lookup needs=row_is_found_by_equal_values
SELECT b.z FROM b JOIN a ON a.id = b.z
----
Σ b ∈ b [a[id = b.z] ≠ ∅] → (b.z)

# A column of the parent is read.
algebra refuse=eliminate_implied_lookup
SELECT a.x FROM b JOIN a ON a.id = b.a_id WHERE b.a_id = 1
----
Σ b ∈ b [b.a_id = 1 and a[id = 1] ≠ ∅] → (a[id = 1].x)

algebra expect=eliminate_determined_column disable=inline_distinct_on_key disable=reduce_distinct_outputs
SELECT DISTINCT id, x FROM a
----
Σ a ∈ a → (a.id, a.x)

algebra refuse=eliminate_determined_column
SELECT DISTINCT a.x FROM b JOIN a ON a.id = b.a_id
----
Σ distinct ∈ distinct(Σ b ∈ b [b.a_id is not NULL] → (a[id = b.a_id].x)) → (distinct.#1)

# In b, x is not that of the row of which id is the key.
algebra refuse=eliminate_determined_column needs=column_is_looked_up_in_each_term
SELECT id, x FROM a UNION SELECT id, z FROM b
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.id, a.x) + Σ b ∈ b → (b.id, b.z)) → (distinct.#1, distinct.#2)

# 10.0 is 10, and reads otherwise.
algebra refuse=push_fixed_column_into_distinct needs=fixing_values_are_identical_to_columns
SELECT q.r || '' FROM (SELECT DISTINCT x, r FROM a) AS q WHERE q.r = 10
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.r, a.x)) [distinct.#1 = 10] → (distinct.#1 || '')

algebra expect=push_fixed_column_into_distinct
SELECT q.x FROM (SELECT DISTINCT x, y FROM a) AS q WHERE q.y = 10
----
Σ distinct ∈ distinct(Σ a ∈ a [a.y = 10] → (a.x)) → (distinct.#1)

algebra refuse=push_fixed_column_into_distinct
SELECT q.x FROM (SELECT DISTINCT x, y FROM a) AS q WHERE q.y > 10
----
Σ distinct ∈ distinct(Σ a ∈ a → (a.x, a.y)) [10 < distinct.#2] → (distinct.#1)

algebra expect=convert_nothing_beyond_to_extreme
SELECT t.id FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.u IS t.u AND s.y > t.y)
----
Σ a ∈ a [MAX{Σ a2 ∈ a [a2.u is a.u] → (a2.y)} = a.y] → (a.id)

# Nothing is beyond NULL, and NULL is no maximum.
algebra refuse=convert_nothing_beyond_to_extreme needs=row_is_among_them
SELECT t.id FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x > t.x)
----
Σ a ∈ a [not (∃ a2 ∈ a [a.x < a2.x])] → (a.id)

# A row of another kind is not among those of which it may be the greatest.
algebra refuse=convert_nothing_beyond_to_extreme needs=row_is_among_them
SELECT t.id FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x = 1 AND s.y > t.y)
----
Σ a ∈ a [not (∃ a2 ∈ a [a.y < a2.y and a2.x = 1])] → (a.id)

algebra refuse=convert_nothing_beyond_to_extreme
SELECT t.id FROM a AS t WHERE NOT EXISTS (SELECT 1 FROM a AS s WHERE s.x > t.y)
----
Σ a ∈ a [not (∃ a2 ∈ a [a.y < a2.x])] → (a.id)

schema
CREATE TABLE place (a INTEGER NOT NULL, b INTEGER NOT NULL, z TEXT, PRIMARY KEY (a, b));
CREATE TABLE stay (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, FOREIGN KEY (a, b) REFERENCES place (a, b));
CREATE TABLE trip (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES place (a, b));
----

algebra expect=fold_exists_by_reference
SELECT id FROM stay WHERE EXISTS (SELECT 1 FROM place WHERE place.a = stay.a)
----
Σ stay ∈ stay → (stay.id)

algebra expect=fold_exists_by_reference
SELECT id FROM trip WHERE b IS NOT NULL AND a IN (SELECT a FROM place)
----
Σ trip ∈ trip [trip.a is not NULL and trip.b is not NULL] → (trip.id)

# Where b is NULL, the foreign key refers to nothing.
algebra refuse=fold_exists_by_reference needs=reference_is_complete
SELECT id FROM trip WHERE EXISTS (SELECT 1 FROM place WHERE place.a = trip.a)
----
Σ trip ∈ trip [(∃ place ∈ place [place.a = trip.a])] → (trip.id)

# The row referred to has that a for its b.
algebra refuse=fold_exists_by_reference needs=referred_row_is_such_a_row
SELECT id FROM stay WHERE EXISTS (SELECT 1 FROM place WHERE place.b = stay.a)
----
Σ stay ∈ stay [(∃ place ∈ place [place.b = stay.a])] → (stay.id)

schema dialect=postgres
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, r DOUBLE PRECISION);
CREATE TABLE b (id INTEGER PRIMARY KEY, z INTEGER, r DOUBLE PRECISION);
----

algebra expect=convert_outer_value_to_column
SELECT b.id, q.n FROM b CROSS JOIN LATERAL (SELECT DISTINCT x, y + b.z AS n FROM a) AS q WHERE q.x = b.z
----
Σ b ∈ b, distinct ∈ distinct(Σ a ∈ a → (a.y + a.x, a.x)) [distinct.#2 = b.z] → (b.id, distinct.#1)

# The column is computed from the value.
algebra refuse=convert_outer_value_to_column
SELECT b.id, q.n FROM b CROSS JOIN LATERAL (SELECT DISTINCT x + b.z AS k, y + b.z AS n FROM a) AS q WHERE q.k = b.z
----
Σ b ∈ b, distinct ∈ distinct(Σ a ∈ a → (a.x + b.z, a.y + b.z))
    [distinct.#1 = b.z]
    → (b.id, distinct.#2)

# 0.0 equals -0.0, and divides otherwise.
algebra refuse=convert_outer_value_to_column
SELECT b.id, q.n FROM b CROSS JOIN LATERAL (SELECT DISTINCT r * y AS k, y / b.r AS n FROM a) AS q WHERE q.k = b.r
----
Σ b ∈ b, distinct ∈ distinct(Σ a ∈ a → (a.r * a.y, CAST(a.y AS REAL) / b.r))
    [distinct.#1 = b.r]
    → (b.id, distinct.#2)
