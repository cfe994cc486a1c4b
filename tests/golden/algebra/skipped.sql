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
Σ a ∈ a [1 < SUM0{Σ b ∈ b [a.id = b.a_id] → (1)}] → (a.id)

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
    [(∃ a ∈ a, a2 ∈ a [a.x is NULL and not a2.x is NULL or a.x < a2.x])]
    → (MAX{Σ a3 ∈ a, a4 ∈ a [not a3.x is NULL and (a3.x is NULL and not a4.x is NULL or a3.x < a4.x)] → (a3.x)})

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
