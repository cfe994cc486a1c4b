schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, t TEXT, d TEXT, r REAL);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), n INTEGER NOT NULL REFERENCES a(id), z INTEGER);
----

algebra expect=fold_comparison
SELECT id FROM a WHERE 'a' < 2
----
∅

# 0.5 and 5e-1 are one number, but not one text.
algebra refuse=fold_comparison
SELECT id FROM a WHERE 0.5 < 0.25
----
Σ a ∈ a [0.5 < 0.25] → (a.id)

algebra expect=fold_comparison_with_null
SELECT x = NULL FROM a
----
Σ a ∈ a → (NULL)

algebra refuse=fold_comparison_with_null
SELECT x IS NULL FROM a
----
Σ a ∈ a → (a.x is NULL)

algebra expect=fold_is_of_itself
SELECT x IS x FROM a
----
Σ a ∈ a → (1)

algebra refuse=fold_is_of_itself
SELECT x IS y FROM a
----
Σ a ∈ a → (a.x is a.y)

algebra expect=fold_comparison_with_itself
SELECT y = y FROM a
----
Σ a ∈ a → (1)

# x = x is NULL where x is.
algebra refuse=fold_comparison_with_itself needs=left_is_never_null
SELECT x = x FROM a
----
Σ a ∈ a → (a.x = a.x)

algebra expect=convert_is_to_equals
SELECT a.y IS b.n FROM a, b
----
Σ a ∈ a, b ∈ b → (a.y = b.n)

algebra refuse=convert_is_to_equals needs=sides_are_never_null
SELECT a.x IS b.z FROM a, b
----
Σ a ∈ a, b ∈ b → (a.x is b.z)

algebra expect=sort_comparison
SELECT x FROM a GROUP BY y
----
Σ group ∈ distinct(Σ a ∈ a → (a.y)), bare ∈ (Σ a2 ∈ a [group.#1 = a2.y] → (a2.id); rows 1 to 1)
    → (a[id = bare.#1].x)

algebra refuse=sort_comparison
SELECT x < 1 FROM a
----
Σ a ∈ a → (a.x < 1)

algebra expect=convert_strftime_to_date
SELECT STRFTIME('%Y-%m-%d', d) < '2020-01-01' FROM a
----
Σ a ∈ a → (DATE(a.d) < '2020-01-01')

# Before the year 0 both begin with a sign, and this literal stands between the two.
algebra refuse=convert_strftime_to_date
SELECT STRFTIME('%Y-%m-%d', d) < '-1' FROM a
----
Σ a ∈ a → (STRFTIME('%Y-%m-%d', a.d) < '-1')

algebra expect=split_date_equality
SELECT STRFTIME('%m-%d', d) = '02-29' FROM a
----
Σ a ∈ a → (STRFTIME('%m', a.d) = '02' and STRFTIME('%d', a.d) = '29')

# 2 is no month as STRFTIME writes it.
algebra refuse=split_date_equality
SELECT STRFTIME('%m-%d', d) = '2-29' FROM a
----
Σ a ∈ a → (STRFTIME('%m-%d', a.d) = '2-29')

algebra expect=convert_is_null
SELECT x IS (NULL + 1) FROM a
----
Σ a ∈ a → (a.x is NULL)

algebra refuse=convert_is_null
SELECT x IS 1 FROM a
----
Σ a ∈ a → (a.x is 1)

algebra expect=fold_test_of_not_null
SELECT y IS NULL FROM a
----
Σ a ∈ a → (0)

algebra refuse=fold_test_of_not_null needs=value_is_never_null
SELECT x IS NULL FROM a
----
Σ a ∈ a → (a.x is NULL)

algebra expect=fold_test_of_null
SELECT x IS NULL FROM a WHERE x IS NULL
----
Σ a ∈ a [a.x is NULL] → (1)

algebra refuse=fold_test_of_null needs=value_is_null
SELECT r IS NULL FROM a WHERE x IS NULL
----
Σ a ∈ a [a.x is NULL] → (a.r is NULL)

algebra expect=push_null_test_into_operands
SELECT (x || t) IS NULL FROM a
----
Σ a ∈ a → (a.x is NULL or a.t is NULL)

# 1e999 - 1e999 is NULL without a NULL.
algebra refuse=push_null_test_into_operands
SELECT (r - x) IS NULL FROM a
----
Σ a ∈ a → (a.r - a.x is NULL)

algebra expect=push_null_test_into_case
SELECT CASE WHEN x = 1 THEN r ELSE 0 END IS NULL FROM a
----
Σ a ∈ a → ({a.x = 1: a.r is NULL; else 0})

algebra refuse=push_null_test_into_case
SELECT ABS(x) IS NULL FROM a
----
Σ a ∈ a → (ABS(a.x) is NULL)

algebra expect=fold_junction
SELECT x = 1 AND (y = 2 AND x = 1) FROM a
----
Σ a ∈ a → (a.x = 1 and a.y = 2)

# NULL decides neither AND nor OR.
algebra refuse=fold_junction
SELECT x = 1 AND NULL FROM a
----
Σ a ∈ a → (a.x = 1 and NULL)

algebra expect=pull_shared_conjuncts
SELECT x = 1 AND y = 2 OR x = 1 AND r = 3 FROM a
----
Σ a ∈ a → (a.x = 1 and (a.r = 3 or a.y = 2))

algebra refuse=pull_shared_conjuncts
SELECT x = 1 AND y = 2 OR r = 3 FROM a
----
Σ a ∈ a → (a.x = 1 and a.y = 2 or a.r = 3)

algebra expect=push_or_into_conjuncts
SELECT id FROM a WHERE x = 1 AND y = 2 OR r = 3
----
Σ a ∈ a [(a.x = 1 or a.r = 3) and (a.y = 2 or a.r = 3)] → (a.id)

# An order by two keys stays as it is.
algebra refuse=push_or_into_conjuncts
SELECT a.id FROM a JOIN b WHERE a.x < b.z OR a.x = b.z AND a.y < b.n
----
Σ a ∈ a, b ∈ b [a.x = b.z and a.y < b.n or a.x < b.z] → (a.id)

# Of nine conjuncts none is made.
algebra refuse=push_or_into_conjuncts
SELECT id FROM a WHERE x = 1 AND y = 2 AND r = 3 OR x = 4 AND y = 5 AND r = 6
----
Σ a ∈ a [a.r = 3 and a.x = 1 and a.y = 2 or a.r = 6 and a.x = 4 and a.y = 5] → (a.id)

algebra expect=push_not_into_junction
SELECT NOT (x = 1 AND y = 2) FROM a
----
Σ a ∈ a → (a.x ≠ 1 or a.y ≠ 2)

algebra refuse=push_not_into_junction
SELECT NOT x = 1 FROM a
----
Σ a ∈ a → (a.x ≠ 1)

algebra expect=eliminate_double_not
SELECT NOT (NOT x = 1) FROM a
----
Σ a ∈ a → (a.x = 1)

algebra refuse=eliminate_double_not
SELECT NOT x < 1 FROM a
----
Σ a ∈ a → (1 ≤ a.x)

algebra expect=push_not_into_inequality
SELECT NOT x < 1 FROM a
----
Σ a ∈ a → (1 ≤ a.x)

algebra refuse=push_not_into_inequality
SELECT NOT x = 1 FROM a
----
Σ a ∈ a → (a.x ≠ 1)

algebra expect=fold_not
SELECT NOT 0 FROM a
----
Σ a ∈ a → (1)

# A text is read as a number first.
algebra refuse=fold_not
SELECT NOT 'x' FROM a
----
Σ a ∈ a → (CAST('x' AS REAL) = 0)

algebra expect=push_is_true_into_junction
SELECT (x = 1 AND y = 2) IS TRUE FROM a
----
Σ a ∈ a → (true(a.x = 1) and a.y = 2)

algebra refuse=push_is_true_into_junction
SELECT (x = 1) IS TRUE FROM a
----
Σ a ∈ a → (true(a.x = 1))

algebra expect=fold_is_true
SELECT 2 IS TRUE FROM a
----
Σ a ∈ a → (1)

algebra refuse=fold_is_true
SELECT 'x' IS TRUE FROM a
----
Σ a ∈ a → (CAST('x' AS REAL) ≠ 0)

algebra expect=eliminate_is_true
SELECT (y = 1) IS TRUE FROM a
----
Σ a ∈ a → (a.y = 1)

algebra refuse=eliminate_is_true needs=part_is_never_null
SELECT (x = 1) IS TRUE FROM a
----
Σ a ∈ a → (true(a.x = 1))

algebra expect=eliminate_decided_branch
SELECT CASE WHEN y IS NULL THEN 1 WHEN x = 1 THEN 2 ELSE 3 END FROM a
----
Σ a ∈ a → ({a.x = 1: 2; else 3})

algebra refuse=eliminate_decided_branch
SELECT CASE WHEN x IS NULL THEN 1 WHEN x = 1 THEN 2 ELSE 3 END FROM a
----
Σ a ∈ a → ({a.x is NULL: 1; a.x = 1: 2; else 3})

algebra expect=eliminate_idle_branch
SELECT CASE WHEN x = 1 THEN y ELSE y END FROM a
----
Σ a ∈ a → (a.y)

algebra refuse=eliminate_idle_branch needs=branch_is_the_default_elsewhere
SELECT CASE WHEN x = 1 THEN y ELSE r END FROM a
----
Σ a ∈ a → ({a.x = 1: a.y; else a.r})

algebra expect=eliminate_idle_branch_in_condition
SELECT id FROM a WHERE CASE WHEN x = 1 THEN NULL ELSE 0 END
----
∅

# Where x is not 1, the one is true and the other is not.
algebra refuse=eliminate_idle_branch_in_condition needs=branch_is_the_default_elsewhere
SELECT id FROM a WHERE CASE WHEN x = 1 THEN y = 2 ELSE y = 3 END
----
Σ a ∈ a [{a.x = 1: a.y = 2; else a.y = 3}] → (a.id)

# As an output, NULL is not 0.
algebra refuse=eliminate_idle_branch_in_condition
SELECT CASE WHEN x = 1 THEN NULL ELSE 0 END FROM a
----
Σ a ∈ a → ({a.x = 1: NULL; else 0})

algebra expect=merge_alike_branches
SELECT CASE WHEN x = 1 THEN y WHEN x = 2 THEN y ELSE 0 END FROM a
----
Σ a ∈ a → ({a.x = 1 or a.x = 2: a.y; else 0})

algebra refuse=merge_alike_branches
SELECT CASE WHEN x = 1 THEN y WHEN x = 2 THEN r WHEN x = 3 THEN y ELSE 0 END FROM a
----
Σ a ∈ a → ({a.x = 1: a.y; a.x = 2: a.r; a.x = 3: a.y; else 0})

algebra expect=convert_case_to_truth_value
SELECT CASE WHEN x = 1 THEN 1 ELSE 0 END FROM a
----
Σ a ∈ a → (true(a.x = 1))

algebra refuse=convert_case_to_truth_value
SELECT CASE WHEN x = 1 THEN 2 ELSE 0 END FROM a
----
Σ a ∈ a → ({a.x = 1: 2; else 0})

algebra expect=convert_case_to_condition
SELECT id FROM a WHERE CASE WHEN x = 1 THEN y = 2 ELSE NULL END
----
Σ a ∈ a [a.x = 1 and a.y = 2] → (a.id)

algebra refuse=convert_case_to_condition
SELECT CASE WHEN x = 1 THEN y = 2 ELSE NULL END FROM a
----
Σ a ∈ a → ({a.x = 1: a.y = 2; else NULL})

algebra expect=convert_cast_of_date_part
SELECT CAST(STRFTIME('%Y', d) AS REAL) FROM a
----
Σ a ∈ a → (CAST(CAST(STRFTIME('%Y', a.d) AS INTEGER) AS REAL))

algebra refuse=convert_cast_of_date_part
SELECT CAST(STRFTIME('%f', d) AS REAL) FROM a
----
Σ a ∈ a → (CAST(STRFTIME('%f', a.d) AS REAL))

algebra expect=eliminate_conversion
SELECT CAST(x AS INTEGER) FROM a
----
Σ a ∈ a → (a.x)

algebra refuse=eliminate_conversion needs=operand_is_left_alone
SELECT CAST(t AS INTEGER) FROM a
----
Σ a ∈ a → (CAST(a.t AS INTEGER))

algebra expect=fold_conversion
SELECT id FROM a WHERE x = CAST('5' AS INTEGER)
----
Σ a ∈ a [a.x = 5] → (a.id)

algebra refuse=fold_conversion
SELECT CAST('5x' AS INTEGER) FROM a
----
Σ a ∈ a → (CAST('5x' AS INTEGER))

algebra expect=convert_date_part_in_arithmetic
SELECT STRFTIME('%Y', d) + 1 FROM a
----
Σ a ∈ a → (CAST(STRFTIME('%Y', a.d) AS INTEGER) + 1)

# ABS makes a REAL of a text.
algebra refuse=convert_date_part_in_arithmetic
SELECT ABS(STRFTIME('%Y', d)) FROM a
----
Σ a ∈ a → (ABS(STRFTIME('%Y', a.d)))

algebra expect=push_division_into_case
SELECT CASE WHEN x = 1 THEN 1 ELSE 0.5 END / y FROM a
----
Σ a ∈ a → ({a.x = 1: 1 / a.y; else 0.5 / a.y})

algebra refuse=push_division_into_case
SELECT CASE WHEN x = 1 THEN 1 ELSE 2 END / y FROM a
----
Σ a ∈ a → ({a.x = 1: 1 / a.y; else 2 / a.y})

algebra expect=fold_division_of_zero
SELECT 0 / x FROM a
----
Σ a ∈ a → ({a.x is NULL or a.x = 0: NULL; else 0})

# 0 / 2.0 is 0.0.
algebra refuse=fold_division_of_zero needs=denominator_is_whole
SELECT 0 / r FROM a
----
Σ a ∈ a → (0 / a.r)

algebra expect=eliminate_round_to_no_digits
SELECT ROUND(r, 0) FROM a
----
Σ a ∈ a → (ROUND(a.r))

algebra refuse=eliminate_round_to_no_digits
SELECT ROUND(r, 1) FROM a
----
Σ a ∈ a → (ROUND(a.r, 1))

algebra expect=eliminate_rounding_of_integer
SELECT CAST(ROUND(x) AS INTEGER) FROM a
----
Σ a ∈ a → (a.x)

algebra refuse=eliminate_rounding_of_integer needs=operand_is_an_exact_integer
SELECT CAST(ROUND(r) AS INTEGER) FROM a
----
Σ a ∈ a → (CAST(ROUND(a.r) AS INTEGER))

algebra expect=eliminate_inner_letter_case
SELECT UPPER(LOWER(t)) FROM a
----
Σ a ∈ a → (UPPER(a.t))

algebra refuse=eliminate_inner_letter_case
SELECT UPPER(TRIM(LOWER(t))) FROM a
----
Σ a ∈ a → (UPPER(TRIM(LOWER(a.t))))

algebra expect=fold_call
SELECT 1 + 2 FROM a
----
Σ a ∈ a → (3)

algebra refuse=fold_call
SELECT 7 / 2 FROM a
----
Σ a ∈ a → (7 / 2)

algebra expect=fold_known_value
SELECT x > 1 FROM a WHERE x > 1
----
Σ a ∈ a [1 < a.x] → (1)

# What is not true may be NULL.
algebra refuse=fold_known_value needs=untrue_value_is_false
SELECT x > 1 FROM a WHERE (x > 1) IS NOT TRUE
----
Σ a ∈ a [not true(1 < a.x)] → (1 < a.x)

algebra expect=reduce_constant_condition
SELECT id FROM a WHERE NULL
----
∅

algebra refuse=reduce_constant_condition
SELECT 5 FROM a
----
Σ a ∈ a → (5)

algebra expect=eliminate_is_true_in_condition
SELECT id FROM a WHERE (x = 1) IS TRUE
----
Σ a ∈ a [a.x = 1] → (a.id)

algebra refuse=eliminate_is_true_in_condition
SELECT (x = 1) IS TRUE FROM a
----
Σ a ∈ a → (true(a.x = 1))

algebra expect=convert_is_to_equals_in_condition
SELECT id FROM a WHERE y IS x
----
Σ a ∈ a [a.x = a.y] → (a.id)

algebra refuse=convert_is_to_equals_in_condition needs=one_side_is_never_null
SELECT a.id FROM a, b WHERE a.x IS b.z
----
Σ a ∈ a, b ∈ b [a.x is b.z] → (a.id)

algebra expect=convert_ending_to_pattern
SELECT id FROM a WHERE SUBSTR(t, -2) = '12' OR SUBSTR(d, -2, 2) = 'aB'
----
Σ a ∈ a [a.d GLOB '*aB' or a.t GLOB '*12'] → (a.id)

# Of a shorter text the last three characters may be two.
algebra refuse=convert_ending_to_pattern
SELECT id FROM a WHERE SUBSTR(t, -3) = '12'
----
Σ a ∈ a [SUBSTR(a.t, -3) = '12'] → (a.id)

# A wildcard is a character to =.
algebra refuse=convert_ending_to_pattern
SELECT id FROM a WHERE SUBSTR(t, -2) = '?1'
----
Σ a ∈ a [SUBSTR(a.t, -2) = '?1'] → (a.id)

# The end of a BLOB is a BLOB, and equals no text.
algebra refuse=convert_ending_to_pattern needs=subject_is_no_blob
SELECT id FROM a WHERE SUBSTR(CAST(t AS BLOB), -2) = '12'
----
Σ a ∈ a [SUBSTR(CAST(a.t AS BLOB), -2) = '12'] → (a.id)

algebra expect=convert_like_to_glob
SELECT id FROM a WHERE t LIKE '%12' OR d LIKE '%1-2%'
----
Σ a ∈ a [a.d GLOB '*1-2*' or a.t GLOB '*12'] → (a.id)

# LIKE takes a and A for one.
algebra refuse=convert_like_to_glob
SELECT id FROM a WHERE t LIKE '%1a'
----
Σ a ∈ a [a.t LIKE '%1a'] → (a.id)

# A wildcard for one character, and characters that are wildcards of GLOB alone.
algebra expect=convert_like_to_glob
SELECT id FROM a WHERE t LIKE '_:%:__.___' OR t LIKE '%*?[1]_'
----
Σ a ∈ a [a.t GLOB '*[*][?][[]1]?' or a.t GLOB '?:*:??.???'] → (a.id)

# A beginning is a slice.
algebra refuse=convert_like_to_glob
SELECT id FROM a WHERE t LIKE '12%'
----
Σ a ∈ a [a.t LIKE '12%'] → (a.id)

algebra refuse=convert_like_to_glob
SELECT id FROM a WHERE t LIKE '%1!_' ESCAPE '!'
----
Σ a ∈ a [LIKE(a.t, '%1!_', '!')] → (a.id)

algebra expect=merge_wildcards
SELECT id FROM a WHERE t LIKE 'a%%_b' OR d GLOB '*?*x[**]**'
----
Σ a ∈ a [a.d GLOB '?*x[**]*' or a.t LIKE 'a_%b'] → (a.id)

# Within a bracket a star is a star, and one without its end is none; an escaped wildcard is a character.
algebra refuse=merge_wildcards
SELECT id FROM a WHERE t GLOB '[**]x' OR t GLOB 'x[a**' OR t LIKE 'a!%%' ESCAPE '!' OR t LIKE 'a_%b'
----
Σ a ∈ a [LIKE(a.t, 'a!%%', '!') or a.t GLOB '[**]x' or a.t GLOB 'x[a**' or a.t LIKE 'a_%b'] → (a.id)

algebra expect=split_concatenation
SELECT id FROM a WHERE t || ' ' || d = 'Ann Lee'
----
Σ a ∈ a [a.d = 'Lee' and a.t = 'Ann'] → (a.id)

algebra expect=split_concatenation
SELECT id FROM a WHERE 'a' || t || '-' || d || 'z' = 'a-z'
----
Σ a ∈ a [a.d = '' and a.t = ''] → (a.id)

algebra expect=split_concatenation
SELECT id FROM a WHERE t || '' = 'b' OR '' || d || '-' || '' = 'x-'
----
Σ a ∈ a [a.d = 'x' or a.t = 'b'] → (a.id)

# 'Ann B Lee' is Ann and B Lee, or Ann B and Lee.
algebra refuse=split_concatenation
SELECT id FROM a WHERE t || ' ' || d = 'Ann B Lee'
----
Σ a ∈ a [a.t || ' ' || a.d = 'Ann B Lee'] → (a.id)

# Separators overlap: aaa is nothing and a, or a and nothing.
algebra refuse=split_concatenation
SELECT id FROM a WHERE t || 'aa' || d = 'aaa'
----
Σ a ∈ a [a.t || 'aa' || a.d = 'aaa'] → (a.id)

# Of NULL and FALSE the concatenation makes NULL, AND makes FALSE.
algebra refuse=split_concatenation
SELECT t || ' ' || d = 'Ann Lee' FROM a
----
Σ a ∈ a → (a.t || ' ' || a.d = 'Ann Lee')

# The number 1 is no text, though the concatenation has its text.
algebra refuse=split_concatenation needs=operands_are_texts
SELECT id FROM a WHERE x || '-' || d = '1-b'
----
Σ a ∈ a [a.x || '-' || a.d = '1-b'] → (a.id)

algebra expect=reduce_comparison_with_itself
SELECT id FROM a WHERE x = x
----
Σ a ∈ a [a.x is not NULL] → (a.id)

algebra refuse=reduce_comparison_with_itself
SELECT id FROM a WHERE x = y
----
Σ a ∈ a [a.x = a.y] → (a.id)

algebra expect=merge_complementary_branches
SELECT a.y, b.a_id FROM a FULL JOIN b ON a.id = b.z WHERE COALESCE(a.x, b.a_id) = 1
----
Σ b ∈ b
    [{a[id = b.z].x is not NULL: a[id = b.z].x; else b.a_id} = 1]
    → (a[id = b.z].y, {a[id = b.z] ≠ ∅: b.a_id; else 1})
+ Σ a ∈ a [a.x = 1 and not (∃ b2 ∈ b [a.id = b2.z])] → (a.y, NULL)

algebra refuse=merge_complementary_branches needs=branches_agree_elsewhere
SELECT id FROM a WHERE x = 1 AND y = 2 OR (x = 1) IS NOT TRUE AND y = 3
----
Σ a ∈ a [a.x = 1 and a.y = 2 or a.y = 3 and not true(a.x = 1)] → (a.id)

algebra expect=fold_known_condition
SELECT id FROM a WHERE (x = 1) IS NOT TRUE AND (x = 1 OR y = 2)
----
Σ a ∈ a [a.y = 2 and not true(a.x = 1)] → (a.id)

algebra refuse=fold_known_condition
SELECT id FROM a WHERE x > 1 AND y > 2
----
Σ a ∈ a [1 < a.x and 2 < a.y] → (a.id)

algebra expect=merge_bound_with_equality
SELECT y < x OR y = 1 OR x = y FROM a
----
Σ a ∈ a → (a.y = 1 or a.y ≤ a.x)

# IS is true of two NULLs.
algebra refuse=merge_bound_with_equality
SELECT y < x OR y IS x FROM a
----
Σ a ∈ a → (a.y < a.x or a.x is a.y)

algebra expect=merge_opposite_bounds
SELECT id FROM a WHERE 1 <= x AND y = 2 AND x <= 1
----
Σ a ∈ a [a.x = 1 and a.y = 2] → (a.id)

algebra refuse=merge_opposite_bounds
SELECT id FROM a WHERE 1 <= x AND x < 1 + y
----
Σ a ∈ a [a.x < a.y + 1 and 1 ≤ a.x] → (a.id)

algebra expect=push_arithmetic_into_case
SELECT r * (1 - CASE WHEN y = 1 THEN 0.5 WHEN y = 2 THEN NULL ELSE 0 END) FROM a
----
Σ a ∈ a → ({a.y = 1: (1 - 0.5) * a.r; a.y = 2: NULL; else 1 * a.r})

algebra refuse=push_arithmetic_into_case
SELECT r * CASE WHEN y = 1 THEN 2 ELSE x END FROM a
----
Σ a ∈ a → ({a.y = 1: 2; else a.x} * a.r)

algebra expect=fold_quotient_by_zero
SELECT CASE WHEN y = 0 THEN x / y ELSE 1 END FROM a
----
Σ a ∈ a → ({a.y = 0: NULL; else 1})

algebra refuse=fold_quotient_by_zero needs=divisor_is_zero
SELECT CASE WHEN y = 1 THEN x / y ELSE 1 END FROM a
----
Σ a ∈ a → ({a.y = 1: a.x / a.y; else 1})

algebra expect=eliminate_test_of_divisor
SELECT x FROM a WHERE y <> 0 AND 1 < x / y
----
Σ a ∈ a [1 < a.x / a.y] → (a.x)

# Of a quotient that is NULL nothing follows.
algebra refuse=eliminate_test_of_divisor needs=divides_what_is_there
SELECT x FROM a WHERE y <> 0 AND x / y IS NULL
----
Σ a ∈ a [a.x / a.y is NULL and a.y ≠ 0] → (a.x)

algebra expect=push_comparison_into_case
SELECT x FROM a WHERE CASE WHEN y = 0 THEN 0 ELSE x / y END > 1
----
Σ a ∈ a [1 < a.x / a.y] → (a.x)

algebra refuse=push_comparison_into_case
SELECT x FROM a WHERE CASE WHEN y = 1 THEN x ELSE y END > 1
----
Σ a ∈ a [1 < {a.y = 1: a.x; else a.y}] → (a.x)

algebra expect=eliminate_literal_branch
SELECT CASE WHEN y = 0 THEN NULL ELSE x / y END FROM a
----
Σ a ∈ a → (a.x / a.y)

algebra expect=eliminate_literal_branch
SELECT CASE WHEN x = 10 THEN 10 ELSE x END FROM a
----
Σ a ∈ a → (a.x)

# 10.0 is 10, and reads otherwise.
algebra refuse=eliminate_literal_branch
SELECT CASE WHEN r = 10 THEN 10 ELSE r END FROM a
----
Σ a ∈ a → ({a.r = 10: 10; else a.r})

algebra refuse=eliminate_literal_branch needs=default_is_the_literal_where_taken
SELECT CASE WHEN y = 1 THEN NULL ELSE x / y END FROM a
----
Σ a ∈ a → ({a.y = 1: NULL; else a.x / a.y})
