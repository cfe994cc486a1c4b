schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, p TEXT);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), z INTEGER);
----

algebra expect=convert_cut_to_choice rows=bag steps
SELECT x FROM a ORDER BY y LIMIT 3
----
convert_cut_to_choice: Σ a ∈ a → (a.x, a.y); in the order of #2; rows 1 to 3  ⇒  Σ top ∈ (Σ a ∈ a → (a.x, a.y); rows 1 to 3 by #2) → (top.#1)
reduce_choice_to_keys: Σ top ∈ (Σ a ∈ a → (a.x, a.y); rows 1 to 3 by #2) → (top.#1)  ⇒  Σ top ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 3 by #2) → (a[id = top.#1].x)
Σ top ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 3 by #2) → (a[id = top.#1].x)

# As a list, the order of the three rows counts.
algebra refuse=convert_cut_to_choice rows=list
SELECT x FROM a ORDER BY y LIMIT 3
----
Σ a ∈ a → (a.x | a.y)
in the order of #2
rows 1 to 3

algebra expect=eliminate_order rows=bag
SELECT x FROM a ORDER BY y
----
Σ a ∈ a → (a.x)

algebra refuse=eliminate_order rows=list
SELECT x FROM a ORDER BY y
----
Σ a ∈ a → (a.x | a.y)
in the order of #2

algebra expect=convert_first_group_to_first_row rows=bag
SELECT p FROM a GROUP BY p ORDER BY MAX(x) DESC LIMIT 1
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 1 by #2 descending) → (a[id = top.#1].p)

# NULLs come first: a group of NULLs alone, but also a row of another group.
algebra refuse=convert_first_group_to_first_row rows=bag
SELECT p FROM a GROUP BY p ORDER BY MIN(x) LIMIT 1
----
Σ top ∈ (Σ group ∈ distinct(Σ a ∈ a → (a.p)) → (group.#1, MIN{Σ a2 ∈ a [group.#1 is a2.p and a2.x is not NULL] → (a2.x)}); rows 1 to 1 by #2)
    → (top.#1)

algebra expect=fold_fixed_output rows=bag
SELECT q.p FROM (SELECT p FROM a WHERE p = 'q' ORDER BY y LIMIT 2) AS q
----
Σ top ∈ (Σ a ∈ a [a.p = 'q'] → (); rows 1 to 2) → ('q')

# 1 = 1.0.
algebra refuse=fold_fixed_output rows=bag
SELECT x FROM a WHERE x = 1 ORDER BY y LIMIT 2
----
Σ top ∈ (Σ a ∈ a [a.x = 1] → (); rows 1 to 2) → (1)

algebra expect=eliminate_idle_choice rows=bag
SELECT 1 FROM a LIMIT 1
----
Σ [(∃ a ∈ a)] → (1)

algebra refuse=eliminate_idle_choice rows=bag
SELECT p FROM a ORDER BY x LIMIT 1
----
Σ top ∈ (Σ a ∈ a → (a.id, a.x); rows 1 to 1 by #2) → (a[id = top.#1].p)

algebra expect=pull_choice_from_subquery rows=bag
SELECT id FROM a WHERE x = (SELECT z FROM b ORDER BY a_id LIMIT 1)
----
Σ a ∈ a, first ∈ (Σ b ∈ b → (b.id, b.a_id); rows 1 to 1 by #2) [b[id = first.#1].z = a.x] → (a.id)

# Without a row, the subquery is NULL, and IS is true of it.
algebra refuse=pull_choice_from_subquery rows=bag
SELECT id FROM a WHERE x IS (SELECT z FROM b ORDER BY a_id LIMIT 1)
----
Σ a ∈ a [first(Σ b ∈ b → (b.z, b.a_id); rows 1 to 1 by #2) is a.x] → (a.id)

algebra expect=reduce_choice_to_keys rows=bag
SELECT x FROM a LIMIT 1
----
Σ top ∈ (Σ a ∈ a → (a.id); rows 1 to 1) → (a[id = top.#1].x)

algebra refuse=reduce_choice_to_keys rows=bag
SELECT id FROM a LIMIT 1
----
Σ top ∈ (Σ a ∈ a → (a.id); rows 1 to 1) → (top.#1)

# A rewrite that is off leaves its work to others, or undone.
algebra disable=eliminate_idle_choice expect=convert_constant_choice_to_exists rows=bag
SELECT 1 FROM a LIMIT 1
----
Σ [(∃ a ∈ a)] → (1)

norm disable=convert_between
SELECT id FROM a WHERE x BETWEEN 1 AND 2
----
SELECT a.id FROM a WHERE a.x BETWEEN 1 AND 2

algebra expect=convert_first_numbers_to_choice
SELECT q.x FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY y) AS n FROM a) AS q WHERE q.n <= 2
----
Σ numbered ∈ (Σ a ∈ a → (a.id, a.y); rows 1 to 2 by #2) → (a[id = numbered.#1].x)

# Which of the two rows it is counts.
algebra refuse=convert_first_numbers_to_choice
SELECT q.x, q.n FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY y) AS n FROM a) AS q WHERE q.n <= 2
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.y, a.x, a.y) by #3)
    [numbered.#3 ≤ 2]
    → (numbered.#2, numbered.#3)

# The first row of each partition.
algebra refuse=convert_first_numbers_to_choice
SELECT q.x FROM (SELECT x, ROW_NUMBER() OVER (PARTITION BY p ORDER BY y) AS n FROM a) AS q WHERE q.n = 1
----
Σ numbered ∈ numbered(Σ a ∈ a → (a.p, a.y, a.x, a.p, a.y) within #4 by #5)
    [numbered.#4 = 1]
    → (numbered.#3)

schema
CREATE TABLE list (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, u INTEGER UNIQUE);
----

algebra expect=inline_uncut_rows
SELECT x FROM (SELECT id, x FROM list ORDER BY id LIMIT -1 OFFSET 1) AS q WHERE x = 1
----
Σ list ∈ list [list.x = 1 and (∃ list2 ∈ list [list2.id < list.id])] → (1)

algebra expect=convert_skipped_row_to_bound
SELECT id, x FROM list WHERE y = 1 ORDER BY id DESC LIMIT -1 OFFSET 1
----
Σ list ∈ list
    [list.y = 1 and (∃ list2 ∈ list [list.id < list2.id and list2.y = 1])]
    → (list.id, list.x | list.id)
in the order of #3 descending

# Of two rows without u, one may be skipped, and before neither is another.
algebra refuse=convert_skipped_row_to_bound
SELECT u FROM list ORDER BY u LIMIT -1 OFFSET 1
----
Σ list ∈ list → (list.u | list.u)
in the order of #2
all rows from 2 on

# The second row is not before any other.
algebra refuse=convert_skipped_row_to_bound
SELECT id, x FROM list ORDER BY id LIMIT -1 OFFSET 2
----
Σ list ∈ list → (list.id, list.x | list.id)
in the order of #3
all rows from 3 on

algebra expect=pull_choice_from_subquery rows=bag
SELECT id, x FROM list WHERE id IN (SELECT id FROM list ORDER BY x, id LIMIT 3)
----
Σ top ∈ (Σ list ∈ list → (list.id, list.x, list.id); rows 1 to 3 by #2, #3)
    → (top.#1, list[id = top.#1].x)

# Two of the three rows may have one y.
algebra refuse=pull_choice_from_subquery rows=bag
SELECT id, x FROM list WHERE y IN (SELECT y FROM list ORDER BY x, id LIMIT 3)
----
Σ list ∈ list
    [(∃ top ∈ (Σ list2 ∈ list → (list2.id, list2.x, list2.id); rows 1 to 3 by #2, #3) [list[id = top.#1].y = list.y])]
    → (list.id, list.x)

# Two rows are left out.
algebra refuse=inline_uncut_rows
SELECT x FROM (SELECT id, x FROM list ORDER BY id LIMIT -1 OFFSET 2) AS q WHERE x = 1
----
Σ top ∈ (Σ list ∈ list → (list.id, list.id); all rows from 3 on by #2)
    [list[id = top.#1].x = 1]
    → (1)
