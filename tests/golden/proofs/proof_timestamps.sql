# By the fact iso_timestamp days and times of a column are slices of its text.
schema assume=iso_timestamp(visit.seen) assume=iso_date(visit.born)
CREATE TABLE visit (id INTEGER PRIMARY KEY, seen TIMESTAMP, other TIMESTAMP, born DATE);

decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y', seen) = '2011'
----
SELECT id FROM visit WHERE substr(seen, 1, 4) = '2011'
----
equivalent

decide tiers=proof
SELECT strftime('%Y', seen), strftime('%m/%d', seen) FROM visit
----
SELECT strftime('%Y', substr(seen, 1, 10)), strftime('%m/%d', substr(seen, 1, 10)) FROM visit
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE strftime('%m', seen) = '02' AND strftime('%H', seen) < '12'
----
SELECT id FROM visit WHERE substr(seen, 6, 2) = '02' AND substr(seen, 12, 2) < '12'
----
equivalent

decide tiers=proof
SELECT strftime('%M', seen), strftime('%S', seen) FROM visit
----
SELECT substr(seen, 15, 2), substr(seen, 18, 2) FROM visit
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE date(seen) = '2011-02-01'
----
SELECT id FROM visit WHERE strftime('%Y-%m-%d', seen) = '2011-02-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y', seen) < '3'
----
SELECT id FROM visit WHERE CAST(strftime('%Y', seen) AS INTEGER) < 3000
----
equivalent

decide
SELECT id FROM visit WHERE date(seen) = '2011-01-01'
----
SELECT id FROM visit WHERE seen = '2011-01-01'
----
not_equivalent

# Another part.
decide tiers=proof
SELECT id FROM visit WHERE strftime('%H', seen) = '12'
----
SELECT id FROM visit WHERE strftime('%M', seen) = '12'
----
undecided NO_PROOF

# By its day of the week 23:59:59.9995 is the next day in SQLite 3.40, and no more.
decide
SELECT strftime('%w', seen) FROM visit
----
SELECT strftime('%w', substr(seen, 1, 10)) FROM visit
----
undecided NO_PROOF

decide tiers=proof
SELECT strftime('%j', seen) FROM visit
----
SELECT strftime('%j', substr(seen, 1, 10)) FROM visit
----
undecided NO_PROOF

# '2011-01-01 25:00' begins with a day, and is no timestamp.
decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y', other) = '2011'
----
SELECT id FROM visit WHERE substr(other, 1, 4) = '2011'
----
undecided NO_PROOF

# The hour of a date is 00, of which its text has nothing.
decide tiers=proof
SELECT id FROM visit WHERE strftime('%H', born) = '00'
----
SELECT id FROM visit WHERE substr(born, 12, 2) = '00'
----
undecided NO_PROOF

# A modifier moves it.
decide tiers=proof
SELECT strftime('%Y', seen, '+1 day') FROM visit
----
SELECT strftime('%Y', substr(seen, 1, 10)) FROM visit
----
undecided NO_PROOF

# Ranges of days: no timestamp lies between the end of a day and the beginning of the next.
decide tiers=proof
SELECT id FROM visit WHERE date(seen) = '2011-02-28'
----
SELECT id FROM visit WHERE seen >= '2011-02-28' AND seen < '2011-03-01 00:00:00'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y-%m', seen) = '2011-12'
----
SELECT id FROM visit WHERE seen BETWEEN '2011-12-01 00:00:00' AND '2011-12-31 23:59:59.999999'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y', seen) = '2011' AND strftime('%m', seen) = '02'
----
SELECT id FROM visit WHERE seen >= '2011-02' AND seen < '2011-03'
----
equivalent

# The date itself is before all its timestamps, and is none.
decide tiers=proof
SELECT id FROM visit WHERE seen > '2011-02-28'
----
SELECT id FROM visit WHERE seen >= '2011-02-28'
----
equivalent

# Midnight is.
decide tiers=proof
SELECT id FROM visit WHERE seen > '2011-02-28 00:00:00'
----
SELECT id FROM visit WHERE seen >= '2011-02-28 00:00:00'
----
undecided NO_PROOF

# Of a column of which nothing is known '2011-02-28x' is a text.
decide
SELECT id FROM visit WHERE other > '2011-02-28'
----
SELECT id FROM visit WHERE other >= '2011-02-28 00:00:00'
----
not_equivalent

# Two timestamps of one day are two.
decide tiers=proof
SELECT v.id FROM visit AS v JOIN visit AS w ON date(v.seen) = date(w.seen)
----
SELECT v.id FROM visit AS v JOIN visit AS w ON v.seen = w.seen
----
undecided NO_PROOF

# Year, month and day make up a date, and no timestamp.
decide tiers=proof
SELECT v.id FROM visit AS v JOIN visit AS w ON strftime('%Y-%m', v.seen) = strftime('%Y-%m', w.seen) AND strftime('%d', v.seen) = strftime('%d', w.seen)
----
SELECT v.id FROM visit AS v JOIN visit AS w ON v.seen = w.seen
----
undecided NO_PROOF
