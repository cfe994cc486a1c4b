schema
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, land TEXT);
CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author (id), title TEXT, year INTEGER);
----

decide relation=bag tiers=data,generate,proof
SELECT id, name FROM author EXCEPT SELECT id, name FROM author WHERE id IN (SELECT author_id FROM book)
----
SELECT id, name FROM author WHERE NOT EXISTS (SELECT 1 FROM book WHERE author_id = author.id)
----
equivalent by=proof

# Names repeat.
decide relation=bag
SELECT name FROM author EXCEPT SELECT name FROM author WHERE id IN (SELECT author_id FROM book)
----
SELECT name FROM author WHERE NOT EXISTS (SELECT 1 FROM book WHERE author_id = author.id)
----
not_equivalent

decide relation=bag
SELECT id FROM author WHERE born > 1900 UNION SELECT id FROM author WHERE land = 'IT'
----
SELECT id FROM author WHERE born > 1900 OR land = 'IT'
----
equivalent by=rules

decide relation=bag
SELECT id FROM author WHERE born > 1900 UNION ALL SELECT id FROM author WHERE land = 'IT'
----
SELECT id FROM author WHERE born > 1900 OR land = 'IT'
----
not_equivalent

decide relation=bag
SELECT id FROM author WHERE born > 1900 UNION ALL SELECT id FROM author WHERE born <= 1900
----
SELECT id FROM author WHERE born IS NOT NULL
----
equivalent by=proof

decide relation=set
SELECT author.name FROM author JOIN book ON author.id = book.author_id JOIN book AS b2 ON author.id = b2.author_id WHERE book.year = 2000
----
SELECT author.name FROM author JOIN book ON author.id = book.author_id WHERE book.year = 2000
----
equivalent by=proof

decide relation=bag
SELECT author.name FROM author JOIN book ON author.id = book.author_id JOIN book AS b2 ON author.id = b2.author_id WHERE book.year = 2000
----
SELECT author.name FROM author JOIN book ON author.id = book.author_id WHERE book.year = 2000
----
not_equivalent

# The left side splits into two cases, one for each branch of the right.
decide relation=set
SELECT title FROM book WHERE year IS NOT NULL
----
SELECT title FROM book WHERE year < 1950 UNION SELECT title FROM book WHERE year >= 1950
----
equivalent by=proof

decide relation=set
SELECT title FROM book WHERE year IS NOT NULL
----
SELECT title FROM book WHERE year < 1950 UNION SELECT title FROM book WHERE year > 1950
----
not_equivalent

decide relation=bag
SELECT book.title FROM book LEFT JOIN author ON author.id = book.author_id
----
SELECT title FROM book
----
equivalent by=rules

decide relation=bag
SELECT author.name FROM author LEFT JOIN book ON author.id = book.author_id
----
SELECT name FROM author
----
not_equivalent

decide relation=bag
SELECT b.title FROM book AS b LEFT JOIN author AS a ON a.id = b.author_id WHERE a.land = 'IT' OR a.id IS NULL
----
SELECT title FROM book WHERE author_id IS NULL OR EXISTS (SELECT 1 FROM author WHERE author.id = book.author_id AND land = 'IT')
----
equivalent by=proof
