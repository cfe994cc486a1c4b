# MIN and MAX of groups and of rows around, and comparisons with them.
schema
CREATE TABLE e (g INTEGER NOT NULL, d INTEGER NOT NULL, n INTEGER, v REAL, PRIMARY KEY (g, d));
CREATE TABLE m (g INTEGER NOT NULL, n INTEGER, UNIQUE (g, n));
CREATE TABLE k (h NOT NULL, d INTEGER NOT NULL, UNIQUE (h, d));
CREATE TABLE w (id INTEGER PRIMARY KEY, o NUMERIC, q);
CREATE TABLE z (id INTEGER PRIMARY KEY, i INTEGER NOT NULL, n INTEGER NOT NULL, r REAL NOT NULL);
----

algebra expect=convert_group_to_row_of_extreme
SELECT g, MIN(d) FROM e GROUP BY g
----
Σ e ∈ e [MIN{Σ e2 ∈ e [e2.g = e.g] → (e2.d)} = e.d] → (e.g, e.d)

algebra expect=convert_group_to_row_of_extreme
SELECT q.g, (SELECT o.v FROM e AS o WHERE o.g = q.g AND o.d = q.last) FROM (SELECT g, MAX(d) AS last FROM e WHERE n > 1 GROUP BY g) AS q
----
Σ e ∈ e [1 < e.n and MAX{Σ e2 ∈ e [1 < e2.n and e2.g = e.g] → (e2.d)} = e.d] → (e.g, e.v)

# h may hold 1 and 1.0: which of both a group shows is left open.
algebra refuse=convert_group_to_row_of_extreme
SELECT h, MIN(d) FROM k GROUP BY h
----
Σ group ∈ distinct(Σ k ∈ k → (k.h)) → (group.#1, MIN{Σ k2 ∈ k [group.#1 = k2.h] → (k2.d)})

# Several rows may have NULL for n and one g.
algebra refuse=convert_group_to_row_of_extreme needs=key_is_never_null
SELECT n, MIN(g) FROM m GROUP BY n
----
Σ group ∈ distinct(Σ m ∈ m → (m.n)) → (group.#1, MIN{Σ m2 ∈ m [group.#1 is m2.n] → (m2.g)})

# A group all of whose n are NULL has no row with its MIN.
algebra refuse=convert_group_to_row_of_extreme
SELECT g, MIN(n) FROM m GROUP BY g
----
Σ group ∈ distinct(Σ m ∈ m → (m.g))
    → (group.#1, MIN{Σ m2 ∈ m [group.#1 = m2.g and m2.n is not NULL] → (m2.n)})

# The least d up to a group may be that of another one.
algebra refuse=convert_group_to_row_of_extreme needs=extreme_is_over_rows_of_the_group
SELECT q.g, (SELECT MIN(o.d) FROM e AS o WHERE o.g <= q.g) FROM (SELECT DISTINCT g FROM e) AS q
----
Σ distinct ∈ distinct(Σ e ∈ e → (e.g)) → (distinct.#1, MIN{Σ e2 ∈ e [e2.g ≤ distinct.#1] → (e2.d)})

# A group without a v above 0 has no such d.
algebra refuse=convert_group_to_row_of_extreme needs=extreme_has_an_argument
SELECT q.g, (SELECT MIN(o.d) FROM e AS o WHERE o.g = q.g AND o.v > 0) FROM (SELECT DISTINCT g FROM e) AS q
----
Σ distinct ∈ distinct(Σ e ∈ e → (e.g))
    → (distinct.#1, MIN{Σ e2 ∈ e [0 < e2.v and distinct.#1 = e2.g] → (e2.d)})

# Without d in the key several rows may have the MIN.
algebra refuse=convert_group_to_row_of_extreme
SELECT g, MIN(v) FROM e GROUP BY g
----
Σ group ∈ distinct(Σ e ∈ e → (e.g))
    → (group.#1, MIN{Σ e2 ∈ e [group.#1 = e2.g and e2.v is not NULL] → (e2.v)})

algebra expect=convert_rows_of_extreme_to_group
SELECT DISTINCT g, v FROM e WHERE v = (SELECT MAX(o.v) FROM e AS o WHERE o.g = e.g)
----
Σ distinct ∈ distinct(Σ e ∈ e → (e.g))
    [MAX{Σ e2 ∈ e [distinct.#1 = e2.g and e2.v is not NULL] → (e2.v)} is not NULL]
    → (distinct.#1, MAX{Σ e3 ∈ e [distinct.#1 = e3.g and e3.v is not NULL] → (e3.v)})

# A row with the greatest v of all may have another n than those with an n above 1.
algebra refuse=convert_rows_of_extreme_to_group needs=arguments_are_rows_of_the_group
SELECT DISTINCT g, v FROM e WHERE n > 1 AND v = (SELECT MAX(o.v) FROM e AS o WHERE o.g = e.g)
----
Σ distinct ∈ distinct(Σ e ∈ e [1 < e.n] → (e.g, e.v))
    [MAX{Σ e2 ∈ e [distinct.#1 = e2.g and e2.v is not NULL] → (e2.v)} = distinct.#2]
    → (distinct.#1, distinct.#2)

# The MAX is 1.0 where the value is 1.
algebra refuse=convert_rows_of_extreme_to_group needs=value_is_identical_to_extreme
SELECT q.i, q.n || '' FROM (SELECT DISTINCT i, n FROM z WHERE n = (SELECT MAX(o.r) FROM z AS o WHERE o.i = z.i AND o.n = o.r)) AS q
----
Σ distinct ∈ distinct(Σ z ∈ z → (z.i, z.n))
    [MAX{Σ z2 ∈ z [distinct.#1 = z2.i and z2.n = z2.r] → (z2.r)} = distinct.#2]
    → (distinct.#1, distinct.#2 || '')

algebra expect=eliminate_bound_of_extreme
SELECT g, MIN(d) OVER (PARTITION BY g ORDER BY d) FROM e
----
Σ e ∈ e → (e.g, MIN{Σ e2 ∈ e [e2.g = e.g] → (e2.d)})

# The row itself is not among those before it.
algebra refuse=eliminate_bound_of_extreme needs=a_row_is_within_the_bound
SELECT q.g, (SELECT MIN(o.d) FROM e AS o WHERE o.d < q.d) FROM e AS q
----
Σ e ∈ e → (e.g, MIN{Σ e2 ∈ e [e2.d < e.d] → (e2.d)})

# NULL is at most nothing.
algebra refuse=eliminate_bound_of_extreme needs=a_row_is_within_the_bound
SELECT q.g, (SELECT MIN(o.n) FROM e AS o WHERE o.n <= q.n) FROM e AS q
----
Σ e ∈ e → (e.g, MIN{Σ e2 ∈ e [e2.n ≤ e.n] → (e2.n)})

# The greatest d up to a row is the row's own.
algebra refuse=eliminate_bound_of_extreme
SELECT g, MAX(d) OVER (PARTITION BY g ORDER BY d) FROM e
----
Σ e ∈ e → (e.g, MAX{Σ e2 ∈ e [e2.d ≤ e.d and e2.g = e.g] → (e2.d)})

algebra expect=convert_bound_on_all_to_exists
SELECT q.g FROM e AS q WHERE (SELECT MAX(o.n) FROM e AS o WHERE o.g = q.g) <= 5
----
Σ e ∈ e
    [(∃ e2 ∈ e [e2.g = e.g and e2.n is not NULL]) and not (∃ e3 ∈ e [5 < e3.n and e3.g = e.g])]
    → (e.g)

algebra expect=convert_bound_on_all_to_exists
SELECT g FROM e GROUP BY g HAVING MIN(v) > 0.5
----
Σ group ∈ distinct(Σ e ∈ e [e.v is not NULL] → (e.g))
    [not (∃ e2 ∈ e [e2.v ≤ 0.5 and group.#1 = e2.g])]
    → (group.#1)

# The bound may be NULL.
algebra refuse=convert_bound_on_all_to_exists
SELECT q.g FROM e AS q WHERE (SELECT MAX(o.n) FROM e AS o WHERE o.g = q.g) <= q.v
----
Σ e ∈ e [MAX{Σ e2 ∈ e [e2.g = e.g and e2.n is not NULL] → (e2.n)} ≤ e.v] → (e.g)

# NULL and 0 differ in an output.
algebra refuse=convert_bound_on_all_to_exists
SELECT MAX(n) <= 5 FROM e
----
Σ → (MAX{Σ e ∈ e [e.n is not NULL] → (e.n)} ≤ 5)

algebra expect=convert_bound_on_all_to_exists
SELECT g FROM e GROUP BY g HAVING MIN(n) = MAX(n)
----
Σ group ∈ distinct(Σ e ∈ e [e.n is not NULL] → (e.g))
    [not (∃ e2 ∈ e, e3 ∈ e [e3.n < e2.n and group.#1 = e2.g and group.#1 = e3.g])]
    → (group.#1)

# Extremes of other rows.
algebra refuse=convert_bound_on_all_to_exists
SELECT g FROM e GROUP BY g HAVING MIN(n) = MAX(v)
----
Σ group ∈ distinct(Σ e ∈ e → (e.g))
    [MAX{Σ e2 ∈ e [group.#1 = e2.g and e2.v is not NULL] → (e2.v)} = MIN{Σ e3 ∈ e [group.#1 = e3.g and e3.n is not NULL] → (e3.n)}]
    → (group.#1)

algebra expect=pull_bound_out_of_extreme
SELECT g, MIN(n > 3), MAX(n <= 3) FROM e GROUP BY g
----
Σ group ∈ distinct(Σ e ∈ e → (e.g))
    → (group.#1, 3 < MIN{Σ e2 ∈ e [group.#1 = e2.g and e2.n is not NULL] → (e2.n)}, MIN{Σ e3 ∈ e [group.#1 = e3.g and e3.n is not NULL] → (e3.n)} ≤ 3)

# The bound is another for each row.
algebra refuse=pull_bound_out_of_extreme
SELECT g, MIN(n > v) FROM e GROUP BY g
----
Σ group ∈ distinct(Σ e ∈ e → (e.g))
    → (group.#1, MIN{Σ e2 ∈ e [group.#1 = e2.g and e2.n is not NULL and e2.v is not NULL] → (e2.v < e2.n)})

algebra expect=convert_extreme_of_truths_to_exists
SELECT g FROM e GROUP BY g HAVING MAX(n = 3)
----
Σ group ∈ distinct(Σ e ∈ e [e.n = 3] → (e.g)) → (group.#1)

algebra expect=convert_extreme_of_truths_to_exists
SELECT g FROM e GROUP BY g HAVING MIN(n = 3)
----
Σ group ∈ distinct(Σ e ∈ e [e.n is not NULL] → (e.g))
    [not (∃ e2 ∈ e [group.#1 = e2.g and e2.n ≠ 3])]
    → (group.#1)

# Numbers, of which the least may be 0 beside others.
algebra refuse=convert_extreme_of_truths_to_exists
SELECT g FROM e GROUP BY g HAVING MAX(n)
----
Σ group ∈ distinct(Σ e ∈ e → (e.g))
    [CAST(MAX{Σ e2 ∈ e [group.#1 = e2.g and e2.n is not NULL] → (e2.n)} AS REAL) ≠ 0]
    → (group.#1)

# A value stored under NUMERIC affinity was converted when it was stored.
algebra expect=eliminate_conversion
SELECT id FROM w WHERE o = (SELECT MIN(o) FROM w)
----
Σ w ∈ w [MIN{Σ w2 ∈ w [w2.o is not NULL] → (w2.o)} = w.o] → (w.id)

algebra refuse=eliminate_conversion needs=operand_is_left_alone
SELECT id FROM w WHERE o = (SELECT MIN(q) FROM w)
----
Σ w ∈ w [NUMERIC(MIN{Σ w2 ∈ w [w2.q is not NULL] → (w2.q)}) = w.o] → (w.id)

# Of each g and v one row at most has the least d of its g.
algebra expect=inline_distinct_on_key
SELECT DISTINCT q.g, q.v FROM e AS q WHERE q.d = (SELECT MIN(o.d) FROM e AS o WHERE o.g = q.g)
----
Σ e ∈ e [MIN{Σ e2 ∈ e [e2.g = e.g] → (e2.d)} = e.d] → (e.g, e.v)

# The least d of a v is that of several g.
algebra refuse=inline_distinct_on_key needs=outputs_determine_rows
SELECT DISTINCT q.g, q.n FROM e AS q WHERE q.d = (SELECT MIN(o.d) FROM e AS o WHERE o.v = q.v)
----
Σ distinct ∈ distinct(Σ e ∈ e [MIN{Σ e2 ∈ e [e2.v = e.v] → (e2.d)} = e.d] → (e.g, e.n))
    → (distinct.#1, distinct.#2)

algebra expect=fold_exists_of_argument
SELECT m.g FROM m WHERE EXISTS (SELECT 1 FROM e WHERE e.g = m.n) AND m.n = (SELECT MAX(d) FROM e WHERE e.g = m.n AND e.n = 1)
----
Σ m ∈ m [MAX{Σ e ∈ e [e.g = m.n and e.n = 1] → (e.d)} = m.n] → (m.g)

# The row of the MAX may have another n.
algebra refuse=fold_exists_of_argument needs=an_argument_is_such_a_row
SELECT m.g FROM m WHERE EXISTS (SELECT 1 FROM e WHERE e.g = m.n AND e.n = 1) AND m.n = (SELECT MAX(d) FROM e WHERE e.g = m.n)
----
Σ m ∈ m [MAX{Σ e ∈ e [e.g = m.n] → (e.d)} = m.n and (∃ e2 ∈ e [e2.g = m.n and e2.n = 1])] → (m.g)

# Where no row is of the group, the COUNT is 0.
algebra refuse=fold_exists_of_argument
SELECT m.g FROM m WHERE EXISTS (SELECT 1 FROM e WHERE e.g = m.n) AND m.n < (SELECT 5 - COUNT(*) FROM e WHERE e.g = m.n)
----
Σ m ∈ m [m.n < 5 - SUM0{Σ e ∈ e [e.g = m.n] → (1)} and (∃ e2 ∈ e [e2.g = m.n])] → (m.g)

algebra expect=eliminate_guard_of_aggregate
SELECT m.g FROM m WHERE m.n = (SELECT MAX(e.d) FROM e GROUP BY e.g HAVING e.g = m.n)
----
Σ m ∈ m [MAX{Σ e ∈ e [e.g = m.n] → (e.d)} = m.n] → (m.g)

# Without the guard the MAX over the rows of every n is there.
algebra refuse=eliminate_guard_of_aggregate needs=value_shows_the_condition
SELECT m.g, CASE WHEN EXISTS (SELECT 1 FROM e WHERE e.g = m.n AND e.n = 1) THEN (SELECT MAX(d) FROM e WHERE e.g = m.n) END FROM m
----
Σ m ∈ m → (m.g, {(∃ e ∈ e [e.g = m.n and e.n = 1]): MAX{Σ e2 ∈ e [e2.g = m.n] → (e2.d)}; else NULL})

# Where no row is of the group, COUNT is 0 and the CASE is NULL.
algebra refuse=eliminate_guard_of_aggregate
SELECT m.g, CASE WHEN EXISTS (SELECT 1 FROM e WHERE e.g = m.n) THEN (SELECT COUNT(d) FROM e WHERE e.g = m.n) END FROM m
----
Σ m ∈ m → (m.g, {(∃ e ∈ e [e.g = m.n]): SUM0{Σ e2 ∈ e [e2.g = m.n] → (1)}; else NULL})

# The group of a row without n is empty, and its MAX is none.
algebra expect=convert_bound_by_extreme_to_equality
SELECT id FROM w WHERE id >= (SELECT MAX(x.id) FROM w AS x WHERE x.o = w.o)
----
Σ w ∈ w [MAX{Σ w2 ∈ w [w2.o = w.o] → (w2.id)} = w.id] → (w.id)

schema
CREATE TABLE c (id INTEGER PRIMARY KEY, g INTEGER, ok INTEGER NOT NULL CHECK (ok IN (0, 1)), n INTEGER NOT NULL CHECK (n >= 0));
CREATE TABLE o (id INTEGER PRIMARY KEY, g INTEGER);
----

algebra expect=convert_checked_extreme_to_bound
SELECT id FROM o WHERE (SELECT MAX(ok) FROM c WHERE c.g = o.g) = 1
----
Σ o ∈ o [(∃ c ∈ c [1 ≤ c.ok and c.g = o.g])] → (o.id)

algebra expect=convert_checked_extreme_to_bound
SELECT id FROM o WHERE (SELECT MIN(n) FROM c WHERE c.g = o.g) = 0
----
Σ o ∈ o [(∃ c ∈ c [c.n ≤ 0 and c.g = o.g])] → (o.id)

# An n of 2 is above 1, and the MAX then.
algebra refuse=convert_checked_extreme_to_bound needs=no_argument_is_beyond
SELECT id FROM o WHERE (SELECT MAX(n) FROM c WHERE c.g = o.g) = 1
----
Σ o ∈ o [MAX{Σ c ∈ c [c.g = o.g] → (c.n)} = 1] → (o.id)

algebra expect=convert_extreme_of_some_group_to_own
SELECT id FROM o WHERE id IN (SELECT MIN(id) FROM o GROUP BY g)
----
Σ o ∈ o [MIN{Σ o2 ∈ o [o2.g is o.g] → (o2.id)} = o.id] → (o.id)

# Another row may have that n, and be of another group.
algebra refuse=convert_extreme_of_some_group_to_own needs=extreme_is_of_a_key
SELECT id FROM c WHERE n IN (SELECT MIN(n) FROM c GROUP BY g)
----
Σ c ∈ c [(∃ c2 ∈ c [MIN{Σ c3 ∈ c [c3.g is c2.g] → (c3.n)} = c.n])] → (c.id)

algebra expect=fold_condition_of_extreme_row
SELECT id FROM c WHERE n = 1 AND id = (SELECT MIN(x.id) FROM c AS x WHERE x.n = 1 AND x.g = c.g)
----
Σ c ∈ c [MIN{Σ c2 ∈ c [c2.g = c.g and c2.n = 1] → (c2.id)} = c.id] → (c.id)

# Another row may have that g.
algebra refuse=fold_condition_of_extreme_row needs=row_with_the_extreme_meets_it
SELECT id FROM o WHERE id = 1 AND g = (SELECT MIN(x.g) FROM o AS x WHERE x.id = 1)
----
Σ [o[id = 1].g is not NULL] → (1)
