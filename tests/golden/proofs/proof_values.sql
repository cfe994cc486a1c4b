# Values that a collation, the clock, a CHECK or the form of a date ties to one another.
schema
CREATE TABLE account (id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE, nick TEXT, born TEXT, kind TEXT NOT NULL COLLATE NOCASE);
----

# NOCASE folds the letters of ASCII.
decide relation=bag
SELECT id FROM account WHERE mail = 'Ann'
----
SELECT id FROM account WHERE mail = 'aNN'
----
equivalent by=proof

decide relation=bag
SELECT id FROM account WHERE mail IN ('Ann', 'BOB')
----
SELECT id FROM account WHERE mail = 'ann' OR 'bob' = mail
----
equivalent by=proof

decide relation=bag
SELECT id FROM account WHERE nick >= 'B' COLLATE NOCASE AND nick < 'C' COLLATE NOCASE
----
SELECT id FROM account WHERE LOWER(nick) >= 'b' AND LOWER(nick) < 'c'
----
equivalent by=proof

decide relation=bag
SELECT id FROM account WHERE mail = 'É'
----
SELECT id FROM account WHERE mail = 'é'
----
not_equivalent

decide relation=bag
SELECT id FROM account WHERE mail = 'Ann' COLLATE BINARY
----
SELECT id FROM account WHERE mail = 'Ann'
----
not_equivalent

decide relation=bag
SELECT id FROM account WHERE nick = 'Ann'
----
SELECT id FROM account WHERE nick = 'ann'
----
not_equivalent

# Two columns: nothing is said of texts that hold a NUL.
decide relation=bag tiers=proof
SELECT id FROM account WHERE mail = kind
----
SELECT id FROM account WHERE LOWER(mail) = LOWER(kind)
----
undecided NO_PROOF

# The instant is unknown: it may be that of a row, or another day than today.
decide relation=bag
SELECT id FROM account WHERE born < CURRENT_TIMESTAMP
----
SELECT id FROM account WHERE born <= CURRENT_TIMESTAMP
----
not_equivalent

decide relation=bag
SELECT id FROM account WHERE strftime('%m-%d', 'now') = '02-29'
----
SELECT id FROM account WHERE 0
----
not_equivalent

decide relation=bag
SELECT date('now', 'start of month', '+1 month', '-1 day')
----
SELECT date('now', '+1 month', 'start of month', '-1 day')
----
not_equivalent

decide relation=bag
SELECT id FROM account WHERE strftime('%Y', 'now') = '2020'
----
SELECT id FROM account WHERE CURRENT_DATE BETWEEN '2020-01-01' AND '2020-12-31'
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT id FROM account WHERE born < CURRENT_DATE
----
SELECT id FROM account WHERE born < date('now')
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT CURRENT_TIMESTAMP, CURRENT_DATE FROM account
----
SELECT datetime('now'), date(CURRENT_TIMESTAMP) FROM account
----
equivalent by=proof

schema
CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price INTEGER CHECK (price > 0), state TEXT CHECK (state IN ('open', 'shut')), qty INTEGER NOT NULL CHECK (qty BETWEEN 1 AND 9));
----

# Each book with a state is open or shut.
decide relation=bag tiers=proof
SELECT COUNT(state) FROM book
----
SELECT COUNT(*) FILTER (WHERE state = 'open') + COUNT(*) FILTER (WHERE state = 'shut') FROM book
----
equivalent by=proof

decide relation=bag
SELECT COUNT(*) FROM book
----
SELECT COUNT(*) FILTER (WHERE state = 'open') + COUNT(*) FILTER (WHERE state = 'shut') FROM book
----
not_equivalent

# A CHECK passes on NULL, and so says nothing of it.
decide relation=bag
SELECT id FROM book WHERE price < 0
----
SELECT id FROM book WHERE 0
----
equivalent by=proof

decide relation=bag
SELECT id FROM book WHERE NOT price < 0
----
SELECT id FROM book
----
not_equivalent

decide relation=bag
SELECT id FROM book WHERE price > 0 OR price IS NULL
----
SELECT id FROM book
----
equivalent by=proof

decide relation=bag
SELECT COUNT(*) FROM book WHERE qty > 9
----
SELECT 0
----
equivalent by=proof

decide relation=bag
SELECT COUNT(*) FROM book WHERE qty > 8
----
SELECT 0
----
not_equivalent

decide relation=bag
SELECT id FROM book WHERE state <> 'open'
----
SELECT id FROM book WHERE state = 'shut'
----
equivalent by=proof

decide relation=bag
SELECT id FROM book WHERE state IS NOT 'open'
----
SELECT id FROM book WHERE state = 'shut'
----
not_equivalent

# Blanks at the ends of texts.
decide relation=bag
SELECT TRIM(title) FROM book
----
SELECT title FROM book
----
not_equivalent

decide relation=bag
SELECT id FROM book WHERE RTRIM(title) = 'abc'
----
SELECT id FROM book WHERE TRIM(title) = 'abc'
----
not_equivalent

decide relation=bag
SELECT LTRIM(title) FROM book
----
SELECT TRIM(title) FROM book
----
not_equivalent

decide relation=bag
SELECT TRIM(title) FROM book WHERE title = 'abc'
----
SELECT 'abc' FROM book WHERE title = 'abc'
----
equivalent by=proof

schema assume=iso_date(race.day)
CREATE TABLE race (id INTEGER PRIMARY KEY, day TEXT, due TEXT, made TEXT CHECK (made = date(made)), sent TEXT CHECK (sent GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'));
----

# A range of dates is a year only where all texts are dates.
decide relation=bag
SELECT id FROM race WHERE day >= '2018-01-01' AND day < '2020-01-01'
----
SELECT id FROM race WHERE CAST(strftime('%Y', day) AS INTEGER) BETWEEN 2018 AND 2019
----
equivalent by=proof

decide relation=bag
SELECT id FROM race WHERE day BETWEEN '2020-10-01' AND '2020-12-31'
----
SELECT id FROM race WHERE day LIKE '2020%' AND strftime('%m', day) IN ('10', '11', '12')
----
equivalent by=proof

decide relation=bag
SELECT id FROM race WHERE day > '2019-12-31'
----
SELECT id FROM race WHERE substr(day, 1, 4) >= '2020'
----
equivalent by=proof

decide relation=bag
SELECT id FROM race WHERE day BETWEEN '2020-02-01' AND '2020-02-28'
----
SELECT id FROM race WHERE day LIKE '2020-02%'
----
not_equivalent

decide relation=bag
SELECT id FROM race WHERE day BETWEEN '2020-01-01' AND '2021-01-01'
----
SELECT id FROM race WHERE strftime('%Y', day) = '2020'
----
not_equivalent

decide relation=bag
SELECT id FROM race WHERE due BETWEEN '2020-01-01' AND '2020-12-31'
----
SELECT id FROM race WHERE substr(due, 1, 4) = '2020'
----
not_equivalent

decide relation=bag
SELECT id FROM race WHERE due >= '2020-01-01' AND due < '2021-01-01'
----
SELECT id FROM race WHERE due BETWEEN '2020-01-01' AND '2020-12-31'
----
not_equivalent

# The CHECK passes on what is no date, of which date() is NULL.
decide relation=bag
SELECT id FROM race WHERE made BETWEEN '2020-01-01' AND '2020-12-31'
----
SELECT id FROM race WHERE strftime('%Y', made) = '2020'
----
not_equivalent

# Digits make no date: 2020-00-00.
decide relation=bag
SELECT id FROM race WHERE sent BETWEEN '2020-01-01' AND '2020-12-31'
----
SELECT id FROM race WHERE sent LIKE '2020%'
----
not_equivalent

# 'Ann Lee' is Ann and Lee alone; 'Ann B Lee' is Ann and B Lee as well.
decide relation=bag
SELECT id FROM race WHERE day || ' ' || due = 'Ann Lee' OR sent || '-' = 'x-'
----
SELECT id FROM race WHERE day = 'Ann' AND due = 'Lee' OR sent = 'x'
----
equivalent by=proof

decide relation=bag
SELECT id FROM race WHERE made || ' ' || due = 'Ann B Lee'
----
SELECT id FROM race WHERE made = 'Ann' AND due = 'B Lee'
----
not_equivalent

# A comparison by NOCASE takes letters of either case for one; one of concatenations does not.
schema
CREATE TABLE person (id INTEGER PRIMARY KEY, first TEXT, last TEXT COLLATE NOCASE, n INTEGER);
----

decide relation=bag
SELECT id FROM person WHERE first || ' ' || last = 'Ann Lee'
----
SELECT id FROM person WHERE first = 'Ann' AND last = 'Lee'
----
not_equivalent

decide relation=bag
SELECT id FROM person WHERE first || ' ' || last = 'Ann Lee'
----
SELECT id FROM person WHERE first = 'Ann' AND last = 'Lee' COLLATE BINARY
----
equivalent by=proof

# '01' is no text of a number.
decide relation=bag
SELECT id FROM person WHERE first || '-' || n = 'a-01'
----
SELECT id FROM person WHERE first = 'a' AND n = '01'
----
not_equivalent

# The end of a text, by SUBSTR and by patterns.
decide relation=bag
SELECT id FROM person WHERE SUBSTR(first, -2) = '12'
----
SELECT id FROM person WHERE first LIKE '%12'
----
equivalent by=proof

decide relation=bag
SELECT id FROM person WHERE SUBSTR(n, -1, 1) = '7' AND first GLOB '*ab'
----
SELECT id FROM person WHERE n LIKE '%7' AND SUBSTR(first, -2) = 'ab'
----
equivalent by=proof

# LIKE takes a and A for one.
decide relation=bag
SELECT id FROM person WHERE SUBSTR(first, -2) = 'ab'
----
SELECT id FROM person WHERE first LIKE '%ab'
----
not_equivalent

# The last three characters of '12' are two.
decide relation=bag
SELECT id FROM person WHERE SUBSTR(first, -3) = '12'
----
SELECT id FROM person WHERE first LIKE '%12'
----
not_equivalent

# Generated columns: the expression, as far as it is stored as it is.
schema
CREATE TABLE line (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, a TEXT, s INTEGER AS (x + y), u AS (s * 2) STORED, v INTEGER AS (a), w TEXT AS (x), f REAL AS (x), c TEXT COLLATE NOCASE AS (a || '!'));
----

decide relation=bag
SELECT id, s FROM line WHERE s > 3
----
SELECT id, x + y FROM line WHERE x + y > 3
----
equivalent by=proof

# A column generated from a generated one.
decide relation=bag
SELECT SUM(u) FROM line GROUP BY s
----
SELECT SUM((x + y) * 2) FROM line GROUP BY x + y
----
equivalent by=proof

# The column compares by its affinity, which the expression has not.
decide relation=bag
SELECT id FROM line WHERE s = '5'
----
SELECT id FROM line WHERE x + y = '5'
----
not_equivalent

decide relation=bag
SELECT id FROM line WHERE s = '5'
----
SELECT id FROM line WHERE x + y = 5
----
equivalent by=proof

# The text '1' is stored as the number 1.
decide relation=bag
SELECT v FROM line
----
SELECT a FROM line
----
not_equivalent

# The number 1 is stored as the text '1', and as the REAL 1.0.
decide relation=bag
SELECT w FROM line
----
SELECT x FROM line
----
not_equivalent

decide relation=bag
SELECT f / 2 FROM line
----
SELECT x / 2 FROM line
----
not_equivalent

# The column compares by its collation.
decide relation=bag
SELECT id FROM line WHERE c = 'A!'
----
SELECT id FROM line WHERE a || '!' = 'A!'
----
not_equivalent

decide relation=bag
SELECT id FROM line WHERE c = 'A!'
----
SELECT id FROM line WHERE (a || '!') COLLATE NOCASE = 'A!'
----
equivalent by=proof

# A path is spelt in several ways; only JSON_EXTRACT says of an array that it is JSON.
schema
CREATE TABLE d (id INTEGER PRIMARY KEY, x TEXT)

decide tiers=proof
SELECT id FROM d WHERE x ->> 'size' > 5 AND x ->> 2 = 'a'
----
SELECT id FROM d WHERE json_extract(x, '$[2]') = 'a' AND 5 < x ->> '$.size'
----
equivalent

decide
SELECT id FROM d WHERE x ->> 'a.b' > 5
----
SELECT id FROM d WHERE json_extract(x, '$.a.b') > 5
----
not_equivalent by=generate

decide
SELECT json_array(x ->> '$.a') FROM d
----
SELECT json_array(json_extract(x, '$.a')) FROM d
----
undecided
