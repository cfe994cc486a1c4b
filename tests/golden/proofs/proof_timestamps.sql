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

# By its day of the week 23:59:59.9995 is the next day; so it is by its day of the year.
decide
SELECT strftime('%w', seen) FROM visit
----
SELECT strftime('%w', substr(seen, 1, 10)) FROM visit
----
not_equivalent

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
