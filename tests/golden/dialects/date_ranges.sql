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
