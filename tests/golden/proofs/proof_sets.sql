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

# No row of which the comparison is true or NULL: what NOT IN asks.
decide relation=bag tiers=generate,proof
SELECT id FROM book AS b WHERE NOT EXISTS (SELECT 1 FROM author AS a WHERE (a.born = b.year) IS NOT FALSE)
----
SELECT id FROM book WHERE year NOT IN (SELECT born FROM author)
----
equivalent by=proof

decide relation=bag tiers=generate,proof
SELECT id FROM book AS b WHERE NOT EXISTS (SELECT 1 FROM author AS a WHERE a.born = b.year)
----
SELECT id FROM book WHERE year NOT IN (SELECT born FROM author)
----
not_equivalent

# A row is its own partner where the column is not NULL.
decide relation=bag tiers=generate,proof
SELECT a.id, b.name FROM author AS a FULL JOIN author AS b ON a.name = b.name
----
SELECT a.id, b.name FROM author AS a JOIN author AS b ON b.name = a.name
----
equivalent by=proof

decide relation=bag tiers=generate,proof
SELECT a.id, b.name FROM author AS a LEFT JOIN author AS b ON a.land = b.land
----
SELECT a.id, b.name FROM author AS a JOIN author AS b ON b.land = a.land
----
not_equivalent

decide relation=bag tiers=generate,proof
SELECT name FROM (SELECT id, name, born FROM author UNION SELECT id, title, year FROM book) AS u WHERE id = born
----
SELECT name FROM (SELECT id, name FROM author WHERE born = id UNION SELECT id, title FROM book WHERE id = year) AS u
----
equivalent by=proof

decide relation=bag tiers=generate,proof
SELECT b.title FROM book AS b JOIN author AS a ON a.id = b.author_id AND 1 <= a.id AND a.id <= 1
----
SELECT title FROM book WHERE author_id = 1
----
equivalent by=proof
