schema assume=iso_timestamp(visit.seen) assume=iso_date(visit.born)
CREATE TABLE visit (id INTEGER PRIMARY KEY, seen TIMESTAMP, other TIMESTAMP, born DATE);

norm expect=convert_timestamp_to_its_day
SELECT id FROM visit WHERE strftime('%Y', seen) = '2011'
----
SELECT visit.id FROM visit WHERE STRFTIME('%Y', SUBSTR(visit.seen, 1, 10)) = '2011'

norm expect=convert_timestamp_to_its_day
SELECT strftime('in %m/%Y', seen) FROM visit
----
SELECT STRFTIME('in %m/%Y', SUBSTR(visit.seen, 1, 10)) FROM visit

norm expect=convert_day_to_slice
SELECT id FROM visit WHERE date(seen) > '2014-09-01'
----
SELECT visit.id FROM visit WHERE SUBSTR(visit.seen, 1, 10) > '2014-09-01'

norm expect=convert_time_to_slice
SELECT strftime('%H', seen), strftime('%M', seen), strftime('%S', seen) FROM visit
----
SELECT SUBSTR(visit.seen, 12, 2), SUBSTR(visit.seen, 15, 2), SUBSTR(visit.seen, 18, 2) FROM visit

# There is no such hour, so that this is no timestamp, though it begins with a day.
norm refuse=convert_timestamp_to_its_day needs=holds_timestamps
SELECT strftime('%Y', other) FROM visit WHERE other = '2011-01-01 25:00'
----
SELECT STRFTIME('%Y', visit.other) FROM visit WHERE visit.other = '2011-01-01 25:00'

# '12:00' is a timestamp of SQLite's, and 2012 a Julian day.

norm refuse=convert_day_to_slice needs=holds_timestamps
SELECT date(other) FROM visit
----
SELECT DATE(visit.other) FROM visit

norm refuse=convert_time_to_slice needs=holds_timestamps
SELECT strftime('%H', other) FROM visit
----
SELECT STRFTIME('%H', visit.other) FROM visit

# The hour of a date is 00, of which its text has nothing.
norm refuse=convert_time_to_slice needs=holds_timestamps
SELECT strftime('%H', born) FROM visit
----
SELECT STRFTIME('%H', visit.born) FROM visit

# Seconds since 1970 are no part of the day; by its day of the week 23:59:59.9995 is the next one.
norm refuse=convert_timestamp_to_its_day
SELECT strftime('%s', seen), strftime('%w', seen), strftime('%H:%M', seen), strftime('%Y', seen, '+1 day') FROM visit
----
SELECT STRFTIME('%s', visit.seen), STRFTIME('%w', visit.seen), STRFTIME('%H:%M', visit.seen), STRFTIME('%Y', visit.seen, '+1 day') FROM visit

norm refuse=convert_day_to_slice
SELECT date(seen, '+1 month'), date(other || '') FROM visit
----
SELECT DATE(visit.seen, '+1 month'), DATE(visit.other || '') FROM visit

norm refuse=convert_time_to_slice
SELECT strftime('%f', seen), strftime('%H%M', seen), strftime('%H', seen, '+1 hour') FROM visit
----
SELECT STRFTIME('%f', visit.seen), STRFTIME('%H%M', visit.seen), STRFTIME('%H', visit.seen, '+1 hour') FROM visit

decide
SELECT id FROM visit WHERE strftime('%Y', seen) = '2011'
----
SELECT id FROM visit WHERE substr(seen, 1, 4) = '2011'
----
equivalent

decide
SELECT id FROM visit WHERE date(seen) = '2011-01-01'
----
SELECT id FROM visit WHERE seen = '2011-01-01'
----
not_equivalent

# The prover knows it, too.
decide tiers=proof
SELECT id FROM visit WHERE strftime('%m', seen) = '02' AND strftime('%H', seen) < '12'
----
SELECT id FROM visit WHERE substr(seen, 6, 2) = '02' AND substr(seen, 12, 2) < '12'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE date(seen) = '2011-02-01'
----
SELECT id FROM visit WHERE strftime('%Y-%m-%d', seen) = '2011-02-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE strftime('%H', seen) = '12'
----
SELECT id FROM visit WHERE strftime('%M', seen) = '12'
----
undecided NO_PROOF

decide tiers=proof
SELECT id FROM visit WHERE strftime('%Y', other) = '2011'
----
SELECT id FROM visit WHERE substr(other, 1, 4) = '2011'
----
undecided NO_PROOF

decide tiers=proof
SELECT id FROM visit WHERE strftime('%H', born) = '00'
----
SELECT id FROM visit WHERE substr(born, 12, 2) = '00'
----
undecided NO_PROOF
