schema assume=iso_date(race.day)
CREATE TABLE race (id INTEGER PRIMARY KEY, name TEXT NOT NULL, day TEXT, note TEXT);
----

decide relation=bag
SELECT name FROM race WHERE strftime('%Y', day) = '1991'
----
SELECT name FROM race WHERE day LIKE '1991%'
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE strftime('%Y', day) = '1991'
----
SELECT name FROM race WHERE day BETWEEN '1991-01-01' AND '1991-12-31'
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE substr(day, 1, 4) = '1991' AND substr(day, 6, 2) = '10'
----
SELECT name FROM race WHERE substr(day, 1, 7) = '1991-10'
----
equivalent by=proof

# The note is no date: anything may follow the year.
decide relation=bag
SELECT name FROM race WHERE strftime('%Y', note) = '1991'
----
SELECT name FROM race WHERE note LIKE '1991%'
----
not_equivalent

# A prefix without letters is the same for LIKE and for SUBSTR.
decide relation=bag tiers=data,generate,proof
SELECT name FROM race WHERE note LIKE '1991%'
----
SELECT name FROM race WHERE substr(note, 1, 4) = '1991'
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE note LIKE 'ab%'
----
SELECT name FROM race WHERE substr(note, 1, 2) = 'ab'
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT name FROM race WHERE note LIKE '%west%'
----
SELECT name FROM race WHERE note LIKE '%West%'
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE note GLOB '*west*'
----
SELECT name FROM race WHERE note GLOB '*West*'
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT strftime('%Y', 'now') - strftime('%Y', day) FROM race
----
SELECT strftime('%Y', CURRENT_TIMESTAMP) - strftime('%Y', day) FROM race
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT CAST(strftime('%Y', 'now') AS INTEGER) - CAST(strftime('%Y', day) AS INTEGER) FROM race
----
SELECT strftime('%Y', date('now')) - strftime('%Y', day) FROM race
----
equivalent by=proof

# The year is the text of an integer, of whatever date it is: arithmetic reads that integer.
decide relation=bag
SELECT name FROM race WHERE CAST(strftime('%Y', note) AS INTEGER) - CAST(strftime('%Y', day) AS INTEGER) >= 51
----
SELECT name FROM race WHERE strftime('%Y', note) - strftime('%Y', day) > 50
----
equivalent by=proof

# JULIANDAY is a REAL.
decide relation=bag
SELECT name FROM race WHERE julianday(note) - julianday(day) >= 51
----
SELECT name FROM race WHERE julianday(note) - julianday(day) > 50
----
undecided

decide relation=bag
SELECT name FROM race WHERE strftime('%Y', note) = '1991' AND strftime('%H', note) < '09'
----
SELECT name FROM race WHERE CAST(strftime('%Y', note) AS INTEGER) = 1991 AND strftime('%H', note) + 0 < 9
----
equivalent by=proof

# Years before 0 are ordered as texts the other way round.
decide relation=bag
SELECT a.id, b.id FROM race AS a, race AS b WHERE strftime('%Y', a.note) < strftime('%Y', b.note)
----
SELECT a.id, b.id FROM race AS a, race AS b WHERE strftime('%Y', a.note) + 0 < strftime('%Y', b.note) + 0
----
undecided

decide relation=bag
SELECT name FROM race WHERE strftime('%Y-%m', note) = (SELECT strftime('%Y-%m', MAX(note)) FROM race)
----
SELECT name FROM race WHERE strftime('%m', note) = (SELECT strftime('%m', note) FROM race ORDER BY note DESC LIMIT 1) AND strftime('%Y', note) = (SELECT strftime('%Y', note) FROM race ORDER BY note DESC LIMIT 1)
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE strftime('%m', note) = (SELECT strftime('%m', MAX(note)) FROM race)
----
SELECT name FROM race WHERE strftime('%m', note) = (SELECT MAX(strftime('%m', note)) FROM race)
----
not_equivalent

decide relation=bag
SELECT name FROM race WHERE strftime('%Y-%m', note) = '1991-02'
----
SELECT name FROM race WHERE strftime('%Y', note) = '1991' AND strftime('%m', note) = '02'
----
equivalent by=proof

decide relation=bag
SELECT name FROM race WHERE strftime('%Y-%m-%d', note) >= '1991-02-01'
----
SELECT name FROM race WHERE date(note) >= '1991-02-01'
----
equivalent by=proof
