schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_iif_to_case
SELECT IIF(nick = 'a', 'old', 'new') FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 'new' END FROM person

norm refuse=convert_iif_to_case
SELECT CASE WHEN nick = 'a' THEN 'old' ELSE 'new' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 'new' END FROM person

decide relation=list
SELECT CASE nick WHEN 'a' THEN 'one' WHEN 'b' THEN 'two' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'one' WHEN person.nick = 'b' THEN 'two' END FROM person
----
equivalent by=proof

# CASE compares with =, and NULL = NULL is not true.
decide
SELECT CASE nick WHEN NULL THEN 'none' ELSE nick END FROM person
----
SELECT COALESCE(nick, 'none') FROM person
----
not_equivalent by=generate

norm expect=fold_case_condition
SELECT CASE WHEN 0 THEN 'no' WHEN nick = 'a' THEN 'old' WHEN 1 THEN 'all' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 'all' END FROM person

norm refuse=fold_case_condition
SELECT CASE WHEN nick = 'a' THEN 'old' ELSE 'all' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 'all' END FROM person

# The column alone would bring its affinity to the comparison.
norm refuse=fold_case_condition
SELECT id FROM person WHERE CASE WHEN 1 THEN age END = '5'
----
SELECT person.id FROM person WHERE CASE WHEN 1 THEN person.age END = '5'

norm refuse=fold_case_condition needs=loses_no_aggregate
SELECT CASE WHEN 0 THEN COUNT(*) ELSE 'all' END FROM person
----
SELECT CASE WHEN 0 THEN COUNT(*) ELSE 'all' END FROM person

norm expect=eliminate_null_default
SELECT CASE WHEN nick = 'a' THEN 'old' ELSE NULL END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' END FROM person

norm refuse=eliminate_null_default
SELECT CASE WHEN nick = 'a' THEN 'old' ELSE 0 END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 0 END FROM person

decide relation=list
SELECT CASE WHEN nick = 'a' THEN 'old' ELSE CASE WHEN nick = 'b' THEN 'mid' END END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' WHEN person.nick = 'b' THEN 'mid' END FROM person
----
equivalent by=proof

norm expect=merge_equal_branches
SELECT CASE WHEN nick = 'a' THEN 'x' WHEN age = 1 THEN 'x' ELSE 'y' END FROM person
----
SELECT CASE WHEN person.age = 1 OR person.nick = 'a' THEN 'x' ELSE 'y' END FROM person

# The branch between decides some rows first.
norm refuse=merge_equal_branches
SELECT CASE WHEN nick = 'a' THEN 'x' WHEN age = 1 THEN 'y' WHEN age = 2 THEN 'x' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'x' WHEN person.age = 1 THEN 'y' WHEN person.age = 2 THEN 'x' END FROM person

decide relation=list
SELECT CASE WHEN nick = 'a' THEN 'old' WHEN age = 1 THEN 'new' ELSE 'new' END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 'old' ELSE 'new' END FROM person
----
equivalent by=proof

decide relation=list
SELECT CASE WHEN COUNT(*) = 1 THEN 'new' ELSE 'new' END AS expr FROM person
----
SELECT 'new' AS expr FROM person
----
not_equivalent by=generate

norm expect=eliminate_bit_case
SELECT CASE WHEN city = 'Bern' THEN 1 ELSE 0 END FROM person
----
SELECT person.city = 'Bern' FROM person

# NULL = 'a' is NULL, the CASE 0.
norm refuse=eliminate_bit_case needs=when_is_never_null
SELECT CASE WHEN nick = 'a' THEN 1 ELSE 0 END FROM person
----
SELECT CASE WHEN person.nick = 'a' THEN 1 ELSE 0 END FROM person

# 7 is true, but not 1.
norm refuse=eliminate_bit_case needs=when_is_boolean
SELECT CASE WHEN id THEN 1 ELSE 0 END FROM person
----
SELECT CASE WHEN person.id THEN 1 ELSE 0 END FROM person

decide relation=list
SELECT CASE WHEN nick IS NULL THEN 'x' ELSE nick END, CASE WHEN age IS NOT NULL THEN age ELSE 0 END FROM person
----
SELECT COALESCE(person.nick, 'x'), COALESCE(person.age, 0) FROM person
----
equivalent by=rules

norm expect=merge_coalesce
SELECT COALESCE(nick, IFNULL(email, NULL), nick) FROM person
----
SELECT COALESCE(person.nick, person.email) FROM person

# A lone column brings its affinity to the comparison.
norm refuse=merge_coalesce
SELECT id FROM person WHERE COALESCE(age, NULL) = '5'
----
SELECT person.id FROM person WHERE COALESCE(person.age, NULL) = '5'

decide relation=list
SELECT COALESCE(nick, city, 'none') FROM person
----
SELECT COALESCE(person.nick, person.city) FROM person
----
equivalent by=proof

decide relation=list
SELECT COALESCE(person.nick, 'none') AS expr FROM person
----
SELECT person.nick AS expr FROM person
----
not_equivalent by=generate

decide
SELECT city FROM person WHERE COALESCE(id, 0) = '5'
----
SELECT city FROM person WHERE id = '5'
----
not_equivalent by=generate

decide
SELECT IFNULL(nick, 'x') FROM person
----
SELECT CASE WHEN nick IS NOT NULL THEN nick ELSE 'x' END FROM person
----
equivalent by=rules

norm expect=convert_null_case_to_coalesce
SELECT CASE WHEN nick IS NOT NULL THEN nick ELSE 'x' END FROM person
----
SELECT COALESCE(person.nick, 'x') FROM person

norm refuse=convert_null_case_to_coalesce
SELECT CASE WHEN nick IS NOT NULL THEN age ELSE 0 END, CASE WHEN nick IS NULL THEN nick ELSE 'x' END FROM person
----
SELECT CASE WHEN person.nick IS NOT NULL THEN person.age ELSE 0 END, CASE WHEN person.nick IS NULL THEN person.nick ELSE 'x' END FROM person

norm expect=eliminate_default_of_never_null
SELECT COALESCE(COUNT(age), 0) FROM person
----
SELECT COUNT(person.age) FROM person

norm refuse=eliminate_default_of_never_null needs=first_is_never_null
SELECT COALESCE(age, 0) FROM person
----
SELECT COALESCE(person.age, 0) FROM person

# id would bring its affinity, and the comparison be true.
norm refuse=eliminate_default_of_never_null
SELECT COALESCE(id, 0) = '5' FROM person
----
SELECT COALESCE(person.id, 0) = '5' FROM person

decide relation=list
SELECT NULLIF(nick, NULL) FROM person
----
SELECT person.nick FROM person
----
equivalent by=proof

# As above: the column would make a number of '5'.
decide relation=list
SELECT person.city AS city FROM person WHERE NULLIF(person.id, NULL) = '5'
----
SELECT person.city AS city FROM person WHERE person.id = '5'
----
not_equivalent by=generate

decide
SELECT city FROM person WHERE NULLIF(id, NULL) = '5'
----
SELECT city FROM person WHERE id = '5'
----
not_equivalent by=generate

# A literal does not become a position.
decide
SELECT city FROM person GROUP BY city, NULLIF(1, NULL)
----
SELECT city FROM person GROUP BY city
----
equivalent by=rules
