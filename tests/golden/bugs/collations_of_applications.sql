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

# A function that an application defines takes what names it, and no more: the whole script was refused.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (is_word(a)));
CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT, t INT REFERENCES t (id));
CREATE TABLE w (id INTEGER PRIMARY KEY, a TEXT);
CREATE UNIQUE INDEX i ON w (is_word(a));
CREATE TABLE g (id INTEGER PRIMARY KEY, a TEXT, b TEXT GENERATED ALWAYS AS (is_word(a)));
CREATE VIEW v AS SELECT is_word(a) AS b FROM u

decide
SELECT id FROM t WHERE a > 'a'
----
SELECT id FROM t
----
undecided UNSUPPORTED

decide
SELECT a FROM w
----
SELECT DISTINCT a FROM w
----
undecided UNSUPPORTED

decide
SELECT b FROM g
----
SELECT a FROM g
----
undecided UNSUPPORTED

decide
SELECT b FROM v
----
SELECT DISTINCT b FROM v
----
undecided UNSUPPORTED

decide
SELECT a FROM u WHERE NOT id > 3
----
SELECT a FROM u WHERE id <= 3
----
equivalent

decide
SELECT is_words(a) FROM u
----
SELECT a FROM u
----
invalid by=parse

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
