# MATCH is a symbol of the row's texts and of what is sought; a table with content of another is passed over.
schema
CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT, owner INTEGER);
CREATE VIRTUAL TABLE note USING fts5 (title, body, tag UNINDEXED, tokenize = 'porter');
CREATE VIRTUAL TABLE page_text USING fts5 (title, content = 'page', content_rowid = 'id');

decide
SELECT n.rowid, n.title FROM note AS n WHERE n.tag = 'x' AND n.note MATCH 'apple'
----
SELECT rowid, title FROM note WHERE note MATCH 'apple' AND tag = 'x'
----
equivalent

decide
SELECT page.id FROM page JOIN note ON note.rowid = page.id WHERE note MATCH 'apple'
----
SELECT id FROM page WHERE id IN (SELECT rowid FROM note WHERE note MATCH 'apple')
----
equivalent

decide
SELECT title FROM note WHERE note MATCH 'pear'
----
SELECT title FROM note WHERE note MATCH 'apple'
----
not_equivalent by=generate

# All columns, or one; words, or parts of them.
decide
SELECT title FROM note WHERE title MATCH 'apple'
----
SELECT title FROM note WHERE note MATCH 'apple'
----
not_equivalent by=generate

decide
SELECT title FROM note WHERE title LIKE '%apple%'
----
SELECT title FROM note WHERE title MATCH 'apple'
----
not_equivalent by=generate

decide
SELECT rowid, * FROM note
----
SELECT * FROM note
----
not_equivalent by=generate

# A rank hangs on all rows.
decide tiers=rules,proof
SELECT rowid FROM note WHERE note MATCH 'apple' ORDER BY rank
----
SELECT rowid FROM note WHERE note MATCH 'apple' ORDER BY rank LIMIT 3
----
undecided UNSUPPORTED

decide
SELECT rowid FROM page_text WHERE page_text MATCH 'a'
----
SELECT rowid FROM page_text WHERE page_text MATCH 'b'
----
undecided UNSUPPORTED

decide
SELECT title FROM page WHERE owner > 1
----
SELECT title FROM page WHERE 1 < owner
----
equivalent

# Beside MATCH FTS5 takes rowid = 2.0 and rowid = NULL for no condition: all rows that it finds are there.
decide
SELECT rowid FROM note WHERE note MATCH 'b' AND rowid = 2.0
----
SELECT rowid FROM note WHERE note MATCH 'b' AND rowid = 2
----
not_equivalent by=generate

decide tiers=rules,proof
SELECT page.id FROM page JOIN note ON note.rowid = page.owner WHERE note MATCH 'apple'
----
SELECT id FROM page WHERE owner IN (SELECT rowid FROM note WHERE note MATCH 'apple')
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT page.id FROM page JOIN note ON note.rowid = page.id WHERE note MATCH 'apple' AND page.id = 2.0
----
SELECT page.id FROM page JOIN note ON note.rowid = page.id WHERE note MATCH 'apple' AND page.id = 2
----
undecided UNSUPPORTED

decide
SELECT page.id FROM page LEFT JOIN note ON note.rowid = page.id AND note MATCH 'apple' WHERE note.rowid IS NULL
----
SELECT id FROM page WHERE NOT EXISTS (SELECT 1 FROM note WHERE note.rowid = page.id AND note MATCH 'apple')
----
equivalent
