# Rows of a document are those up to a number that the document says, as each of their columns is.
schema
CREATE TABLE post (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author, title TEXT, tags TEXT, meta TEXT, likes INTEGER);
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nick TEXT COLLATE NOCASE);

# A tag among others, in three ways.
decide
SELECT id FROM post WHERE 'sql' IN (SELECT value FROM json_each(tags))
----
SELECT id FROM post WHERE EXISTS (SELECT 1 FROM json_each(post.tags) AS j WHERE j.value = 'sql')
----
equivalent

decide
SELECT DISTINCT p.id FROM post p, json_each(p.tags) j WHERE j.value = 'sql'
----
SELECT id FROM post WHERE EXISTS (SELECT 1 FROM json_each(post.tags) AS j WHERE j.value = 'sql')
----
equivalent

# A tag may be there twice.
decide
SELECT p.id FROM post p, json_each(p.tags) j WHERE j.value = 'sql'
----
SELECT id FROM post WHERE EXISTS (SELECT 1 FROM json_each(post.tags) AS j WHERE j.value = 'sql')
----
not_equivalent by=generate

# NULL among the tags.
decide
SELECT id FROM post WHERE 'sql' NOT IN (SELECT value FROM json_each(tags))
----
SELECT id FROM post WHERE NOT EXISTS (SELECT 1 FROM json_each(post.tags) AS j WHERE j.value = 'sql')
----
not_equivalent by=generate

# A document without rows keeps its post.
decide
SELECT p.id, j.value FROM post p LEFT JOIN json_each(p.tags) j
----
SELECT p.id, j.value FROM post p JOIN json_each(p.tags) j
----
not_equivalent by=generate

decide
SELECT p.id, t.value FROM post AS p JOIN json_each(p.tags) AS t WHERE p.tags IS NOT NULL
----
SELECT p.id, j.value FROM post p, json_each(p.tags) j
----
equivalent

# The value has no affinity: 1 is not '1', and the column's affinity does not reach it.
decide
SELECT id FROM post WHERE '1' IN (SELECT value FROM json_each(tags))
----
SELECT id FROM post WHERE 1 IN (SELECT value FROM json_each(tags))
----
not_equivalent by=generate

decide
SELECT p.id FROM post p, json_each(p.tags) j WHERE CAST(j.value AS TEXT) = p.title
----
SELECT p.id FROM post p, json_each(p.tags) j WHERE j.value = p.title
----
not_equivalent by=generate

# Another document, another path, other rows of it.
decide
SELECT p.id, j.value FROM post p, json_each(p.meta) j
----
SELECT p.id, j.value FROM post p, json_each(p.tags) j
----
not_equivalent by=generate

decide
SELECT p.id, j.value FROM post p, json_each(p.meta, '$.b') j
----
SELECT p.id, j.value FROM post p, json_each(p.meta, '$.a') j
----
not_equivalent by=generate

decide
SELECT p.id, j.value FROM post p, json_tree(p.meta) j
----
SELECT p.id, j.value FROM post p, json_each(p.meta) j
----
not_equivalent by=generate

decide
SELECT p.id, j.atom FROM post p, json_each(p.tags) j
----
SELECT p.id, j.value FROM post p, json_each(p.tags) j
----
not_equivalent by=generate

# How often each tag is there: 1 and 1.0 are one tag, whichever of them shows.
decide
WITH tag AS (SELECT j.value AS name FROM post CROSS JOIN json_each(post.tags) AS j) SELECT name, count(*) FROM tag GROUP BY 1
----
SELECT j.value, count(*) FROM post p, json_each(p.tags) j GROUP BY j.value
----
equivalent

decide tiers=proof
SELECT typeof(value) FROM (SELECT DISTINCT value FROM post, json_each(post.tags))
----
SELECT DISTINCT typeof(value) FROM post, json_each(post.tags)
----
undecided UNSUPPORTED

# A group of what a document holds at a path.
decide
SELECT json_extract(meta, '$.lang') AS lang, count(*) FROM post GROUP BY lang
----
SELECT meta ->> 'lang', count(*) FROM post GROUP BY meta ->> 'lang'
----
equivalent

decide
SELECT count(*) FROM post GROUP BY meta -> 'lang'
----
SELECT count(*) FROM post GROUP BY meta ->> 'lang'
----
not_equivalent by=generate

decide tiers=proof
SELECT typeof(lang) FROM (SELECT meta ->> 'lang' AS lang FROM post GROUP BY meta ->> 'lang')
----
SELECT typeof(meta ->> 'lang') FROM post GROUP BY meta ->> 'lang'
----
undecided UNSUPPORTED

# Aggregates in an order: of equal keys none comes first.
decide
SELECT p.author, string_agg(p.title, ', ' ORDER BY p.id) FROM post AS p GROUP BY p.author
----
SELECT author, group_concat(title, ', ' ORDER BY id) FROM post GROUP BY author
----
equivalent

decide
SELECT author, group_concat(title, ', ' ORDER BY id DESC) FROM post GROUP BY author
----
SELECT author, group_concat(title, ', ' ORDER BY id) FROM post GROUP BY author
----
not_equivalent by=generate

decide
SELECT author, group_concat(title, ', ' ORDER BY likes, id) FROM post GROUP BY author
----
SELECT author, group_concat(title, ', ' ORDER BY likes) FROM post GROUP BY author
----
undecided NO_PROOF

decide
SELECT author, group_concat(title, ', ' ORDER BY id) FILTER (WHERE likes > 1) FROM post GROUP BY author
----
SELECT author, group_concat(CASE WHEN likes > 1 THEN title END, ', ' ORDER BY id) FROM post GROUP BY author
----
equivalent

decide
SELECT author, group_concat(title, ', ' ORDER BY id) FROM post WHERE likes > 1 GROUP BY author
----
SELECT author, group_concat(title, ', ' ORDER BY id) FILTER (WHERE likes > 1) FROM post GROUP BY author
----
not_equivalent by=generate

# NULL is an element of a list, and no part of a text; nothing is the empty list.
decide
SELECT json_group_array(title ORDER BY id) FROM post WHERE title IS NOT NULL
----
SELECT json_group_array(title ORDER BY id) FROM post
----
not_equivalent by=generate

decide
SELECT group_concat(title ORDER BY id) FROM post WHERE title IS NOT NULL
----
SELECT group_concat(title ORDER BY id) FROM post
----
equivalent

decide
SELECT coalesce(json_group_array(title), '[]') FROM post
----
SELECT json_group_array(title) FROM post
----
equivalent

# JSON within, and a text that looks like it.
decide
SELECT json_group_array(tags ORDER BY id) FROM post
----
SELECT json_group_array(json(tags) ORDER BY id) FROM post
----
not_equivalent by=generate

decide
SELECT author, group_concat(DISTINCT title ORDER BY title) FROM post GROUP BY author
----
SELECT author, group_concat(title ORDER BY title) FROM post GROUP BY author
----
not_equivalent by=generate

decide tiers=proof
SELECT group_concat(title ORDER BY title COLLATE NOCASE, id) FROM post
----
SELECT group_concat(title ORDER BY title, id) FROM post
----
undecided NO_PROOF

# Part of a recursion.
decide
WITH RECURSIVE seen(id) AS (SELECT CAST(value AS INTEGER) FROM json_each('[1]') UNION SELECT p.id FROM seen s JOIN post p ON s.id = p.author) SELECT id FROM seen
----
WITH RECURSIVE seen(id) AS (SELECT CAST(j.value AS INTEGER) FROM json_each('[1]') AS j UNION SELECT p.id FROM post p JOIN seen s ON p.author = s.id) SELECT id FROM seen
----
equivalent
