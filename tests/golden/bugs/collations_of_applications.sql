# A collation that an application defines was dropped without a word: texts that it takes for equal told
# queries apart.
schema
CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT COLLATE LOCALIZED, k STRING);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
CREATE UNIQUE INDEX names ON tags (name COLLATE unicase);
CREATE TABLE cards (id INTEGER PRIMARY KEY, song INT NOT NULL REFERENCES songs (id), k STRING);
CREATE VIEW titles AS SELECT title FROM songs;

decide
SELECT id FROM songs WHERE title = 'Basic'
----
SELECT id FROM songs WHERE title = 'basic'
----
undecided UNSUPPORTED

decide
SELECT title FROM titles
----
SELECT DISTINCT title FROM titles
----
undecided UNSUPPORTED

decide
SELECT DISTINCT name FROM tags
----
SELECT name FROM tags
----
undecided UNSUPPORTED

decide
SELECT id FROM cards ORDER BY k COLLATE localized
----
SELECT id FROM cards ORDER BY k
----
undecided UNSUPPORTED

decide
SELECT COUNT(id) FROM cards
----
SELECT COUNT(*) FROM cards
----
equivalent

# STRING has SQLite's affinity of numbers here.
decide
SELECT id FROM cards WHERE k = '1.0'
----
SELECT id FROM cards WHERE k = '1'
----
equivalent

# A primary key of another system holds no NULL.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(10) COMMENT 'x', KEY ix (a));
CREATE TABLE u (a INT, b VARCHAR(10), PRIMARY KEY (a, b), KEY ix (a));

decide
SELECT COUNT(id) FROM t
----
SELECT COUNT(*) FROM t
----
equivalent

decide
SELECT COUNT(b) FROM u
----
SELECT COUNT(*) FROM u
----
equivalent
