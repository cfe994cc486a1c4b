# Ranges of days as people write them, beside half-open ones: a timestamp has no text between two microseconds.
schema dialect=postgres
SET timezone = 'UTC';
CREATE TABLE visit (id int PRIMARY KEY, born date, seen timestamp);
----

# A day.
decide tiers=proof
SELECT id FROM visit WHERE seen::date = '2024-02-28'
----
SELECT id FROM visit WHERE seen >= '2024-02-28' AND seen < '2024-02-29'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE date_trunc('day', seen) = '2024-02-29'
----
SELECT id FROM visit WHERE seen >= '2024-02-29' AND seen < DATE '2024-02-29' + 1
----
equivalent

# Midnight of the next day is in it.
decide
SELECT id FROM visit WHERE seen::date = '2024-02-28'
----
SELECT id FROM visit WHERE seen BETWEEN '2024-02-28' AND '2024-02-29'
----
not_equivalent

# The last second has fractions.
decide
SELECT id FROM visit WHERE seen::date = '2024-02-28'
----
SELECT id FROM visit WHERE seen >= '2024-02-28' AND seen <= '2024-02-28 23:59:59'
----
not_equivalent

# They have six digits.
decide tiers=proof
SELECT id FROM visit WHERE seen::date = '2024-02-28'
----
SELECT id FROM visit WHERE seen >= '2024-02-28' AND seen <= '2024-02-28 23:59:59.999999'
----
equivalent

# Months and years.
decide tiers=proof
SELECT id FROM visit WHERE date_trunc('month', seen) = '2023-12-01'
----
SELECT id FROM visit WHERE seen >= '2023-12-01' AND seen < '2024-01-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE date_trunc('month', born) = '2024-02-01'
----
SELECT id FROM visit WHERE born BETWEEN '2024-02-01' AND '2024-02-29'
----
equivalent

# A leap year.
decide
SELECT id FROM visit WHERE date_trunc('month', born) = '2024-02-01'
----
SELECT id FROM visit WHERE born BETWEEN '2024-02-01' AND '2024-02-28'
----
not_equivalent

decide tiers=proof
SELECT id FROM visit WHERE EXTRACT(year FROM seen) = 2023 AND EXTRACT(month FROM seen) = 2
----
SELECT id FROM visit WHERE seen >= '2023-02-01' AND seen < '2023-03-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE EXTRACT(year FROM seen) IN (2022, 2023)
----
SELECT id FROM visit WHERE to_char(seen, 'YYYY') BETWEEN '2022' AND '2023'
----
equivalent

# February of every year.
decide
SELECT id FROM visit WHERE EXTRACT(month FROM seen) = 2
----
SELECT id FROM visit WHERE seen >= '2023-02-01' AND seen < '2023-03-01'
----
not_equivalent

# A year is not the first of its months.
decide
SELECT id FROM visit WHERE date_trunc('year', seen) = '2023-01-01'
----
SELECT id FROM visit WHERE date_trunc('month', seen) = '2023-01-01'
----
not_equivalent

# Nothing is truncated to the middle of a month.
decide tiers=proof
SELECT id FROM visit WHERE date_trunc('month', seen) = '2023-02-02'
----
SELECT id FROM visit WHERE seen < '2023-02-02' AND seen > '2023-02-02'
----
equivalent

# NULL is in neither, and outside of neither.
decide
SELECT id FROM visit WHERE NOT (seen >= '2023-01-01' AND seen < '2024-01-01')
----
SELECT id FROM visit WHERE EXTRACT(year FROM seen) IS DISTINCT FROM 2023
----
not_equivalent

# What is added to a date or a timestamp stands on the other side as well, months apart.
decide
SELECT id FROM visit WHERE seen + interval '3 days' < '2026-03-10'
----
SELECT id FROM visit WHERE seen + interval '1 day' + interval '48 hours' < '2026-03-10' AND seen < '2026-03-07'
----
equivalent

decide
SELECT id FROM visit WHERE born + 14 >= '2026-03-15'
----
SELECT id FROM visit WHERE born + interval '14 days' >= '2026-03-15'
----
equivalent

decide
SELECT id FROM visit WHERE seen + interval '1 month' <= '2026-03-31'
----
SELECT id FROM visit WHERE seen <= '2026-02-28'
----
not_equivalent

# Between two timestamps there are days of 24 hours, and 30 of them are a month.
decide
SELECT id FROM visit WHERE now() - seen <= interval '1 week'
----
SELECT id FROM visit WHERE seen >= LOCALTIMESTAMP - interval '7 days' AND seen + interval '168 hours' >= LOCALTIMESTAMP
----
equivalent

decide
SELECT v.id FROM visit v JOIN visit w ON w.seen - v.seen > interval '1 month'
----
SELECT v.id FROM visit v JOIN visit w ON v.seen + interval '30 days' < w.seen
----
equivalent

decide
SELECT v.id FROM visit v JOIN visit w ON w.seen - v.seen > interval '1 month'
----
SELECT v.id FROM visit v JOIN visit w ON v.seen + interval '1 month' < w.seen
----
not_equivalent

# At another time than now.
decide
SELECT id FROM visit WHERE seen >= LOCALTIMESTAMP - interval '7 days'
----
SELECT id FROM visit WHERE seen > LOCALTIMESTAMP - interval '7 days'
----
not_equivalent

decide
SELECT id FROM visit WHERE born <= CURRENT_DATE - interval '18 years'
----
SELECT id FROM visit WHERE born < (now() - interval '18 years')::date -- CURRENT_DATE
----
not_equivalent

# Quarters and weeks.
decide
SELECT id FROM visit WHERE date_trunc('quarter', seen) = '2026-01-01'
----
SELECT id FROM visit WHERE seen >= '2026-01-01' AND seen < '2026-04-01'
----
equivalent

decide
SELECT id FROM visit WHERE date_trunc('week', seen) > '2026-03-02'
----
SELECT id FROM visit WHERE seen >= '2026-03-09'
----
equivalent

decide
SELECT id FROM visit WHERE date_trunc('week', seen) >= '2026-03-01'
----
SELECT id FROM visit WHERE seen >= '2026-03-01'
----
not_equivalent

schema dialect=duckdb
CREATE TABLE visit (id INTEGER PRIMARY KEY, born DATE, seen TIMESTAMP);
----

decide tiers=proof
SELECT id FROM visit WHERE YEAR(seen) = 2023
----
SELECT id FROM visit WHERE seen >= '2023-01-01' AND seen < '2024-01-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE YEAR(seen) = 2023 AND MONTH(seen) BETWEEN 4 AND 6
----
SELECT id FROM visit WHERE seen >= '2023-04-01' AND seen < '2023-07-01'
----
equivalent

decide tiers=proof
SELECT id FROM visit WHERE seen::DATE BETWEEN '2023-01-01' AND '2023-01-31'
----
SELECT id FROM visit WHERE strftime(seen, '%Y-%m') = '2023-01'
----
equivalent

decide
SELECT id FROM visit WHERE YEAR(seen) = 2023
----
SELECT id FROM visit WHERE seen >= '2023-01-01' AND seen <= '2023-12-31'
----
not_equivalent
