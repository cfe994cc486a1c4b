schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=fold_boolean_keyword
SELECT id FROM person WHERE age = TRUE
----
SELECT person.id FROM person WHERE person.age = 1

# 7 IS TRUE, 7 <> 1.
norm refuse=fold_boolean_keyword needs=is_no_truth_test
SELECT age IS TRUE FROM person
----
SELECT person.age IS TRUE FROM person

# ORDER BY TRUE orders by nothing; a literal 1 in SQL would order by the first column.
norm expect=fold_boolean_keyword
SELECT id FROM person ORDER BY TRUE
----
SELECT person.id FROM person ORDER BY NULL

decide relation=list
SELECT id FROM person WHERE age = 3 OR NULL
----
SELECT person.id FROM person WHERE person.age = 3
----
equivalent by=proof

# The NULL shows in the result.
decide relation=list
SELECT person.age = 3 OR NULL AS expr FROM person
----
SELECT person.age = 3 OR 0 AS expr FROM person
----
not_equivalent by=generate

norm expect=fold_literal_operand
SELECT id FROM person WHERE age = 3 AND 1 AND (nick = 'a' OR 0)
----
SELECT person.id FROM person WHERE person.age = 3 AND person.nick = 'a'

norm expect=fold_literal_operand
SELECT age = 3 AND 0 FROM person
----
SELECT 0 FROM person

# 7 AND 1 is 1, not 7.
norm refuse=fold_literal_operand
SELECT age AND 1 FROM person
----
SELECT person.age AND 1 FROM person

# Without its aggregate the query would have one row for each of the table.
norm refuse=fold_literal_operand needs=loses_no_aggregate
SELECT COUNT(*) > 3 OR 1 FROM person
----
SELECT COUNT(*) >= 4 OR 1 FROM person

# A constant orders by nothing.
norm expect=fold_literal_operand
SELECT id FROM person ORDER BY age = 3 OR 1
----
SELECT person.id FROM person ORDER BY NULL

norm expect=eliminate_duplicate_operand
SELECT id FROM person WHERE nick = 'a' AND nick = 'a'
----
SELECT person.id FROM person WHERE person.nick = 'a'

# 7 AND 7 is 1.
norm refuse=eliminate_duplicate_operand
SELECT age AND age FROM person
----
SELECT person.age AND person.age FROM person

decide relation=list
SELECT id FROM person WHERE nick = 'a' AND (nick = 'a' OR age = 1)
----
SELECT person.id FROM person WHERE person.nick = 'a'
----
equivalent by=proof

# 7 AND (7 OR x) is 1.
decide relation=list
SELECT person.age AND (person.age OR person.active) AS expr FROM person
----
SELECT person.age AS expr FROM person
----
not_equivalent by=generate

norm expect=pull_common_operand
SELECT id FROM person WHERE nick = 'a' AND age = 1 OR city = 'b' AND nick = 'a'
----
SELECT person.id FROM person WHERE person.nick = 'a' AND (person.age = 1 OR person.city = 'b')

norm expect=pull_common_operand
SELECT id FROM person WHERE (nick = 'a' OR age = 1) AND (city = 'b' OR nick = 'a')
----
SELECT person.id FROM person WHERE person.age = 1 AND person.city = 'b' OR person.nick = 'a'

norm refuse=pull_common_operand
SELECT id FROM person WHERE nick = 'a' AND age = 1 OR city = 'b'
----
SELECT person.id FROM person WHERE person.age = 1 AND person.nick = 'a' OR person.city = 'b'

norm expect=eliminate_truth_test
SELECT id FROM person WHERE active IS TRUE AND age IS FALSE
----
SELECT person.id FROM person WHERE NOT person.age AND person.active

# (NULL > 3) IS TRUE is 0.
norm refuse=eliminate_truth_test needs=stands_in_condition
SELECT (age = 3) IS TRUE FROM person
----
SELECT (person.age = 3) IS TRUE FROM person

decide relation=list
SELECT (nick = 'a') = 1, (nick = 'a') <> 1 FROM person
----
SELECT person.nick = 'a', person.nick <> 'a' FROM person
----
equivalent by=proof

norm expect=eliminate_true_filter
SELECT city FROM person WHERE 1 GROUP BY city HAVING 1
----
SELECT DISTINCT person.city FROM person

norm refuse=eliminate_true_filter
SELECT city FROM person WHERE active
----
SELECT person.city FROM person WHERE person.active

# x OR NOT x is NULL for NULL.
decide
SELECT id FROM person WHERE age = 3 OR NOT age = 3
----
SELECT id FROM person
----
not_equivalent by=generate

# AND binds tighter than OR (ESM+ section 7 counts precedence among its limitations).
decide
SELECT id FROM person WHERE nick = 'a' OR age = 1 AND city = 'b'
----
SELECT id FROM person WHERE (nick = 'a' OR age = 1) AND city = 'b'
----
not_equivalent by=generate
