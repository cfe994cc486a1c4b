# Division, casts, TRY_CAST, texts, regular expressions, dates.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# A quotient of integers keeps its fraction.
decide
SELECT id FROM s WHERE v / 2 = 1.5
----
SELECT id FROM s WHERE v = 3
----
equivalent

decide
SELECT id FROM s WHERE v / 2 = 1.5
----
SELECT id FROM s WHERE v // 2 = 1
----
not_equivalent

# A whole quotient of what is not negative is the floor.
decide
SELECT v // 2 FROM s WHERE v >= 0
----
SELECT CAST(FLOOR(v / 2) AS INTEGER) FROM s WHERE v >= 0
----
undecided NO_PROOF

decide
SELECT v // 2 FROM s WHERE v >= 0
----
SELECT CAST(ROUND(v / 2) AS INTEGER) FROM s WHERE v >= 0
----
not_equivalent

# A whole quotient is cut off, a floor is not.
decide
SELECT v // 2 FROM s
----
SELECT CAST(TRUNC(v / 2) AS INTEGER) FROM s
----
undecided NO_PROOF

decide
SELECT v // 2 FROM s
----
SELECT CAST(FLOOR(v / 2) AS INTEGER) FROM s
----
not_equivalent

# The remainder has the sign of the dividend.
decide
SELECT id FROM s WHERE v % 3 = -1
----
SELECT id FROM s WHERE v % 3 + 1 = 0
----
equivalent

decide
SELECT id FROM s WHERE v % 3 = -1
----
SELECT id FROM s WHERE v % 3 = 2
----
not_equivalent

# DIVIDE is the whole quotient.
decide
SELECT divide(v, 3) FROM s
----
SELECT v // 3 FROM s
----
equivalent

decide
SELECT divide(v, 3) FROM s
----
SELECT v / 3 FROM s
----
not_equivalent

# ADD and its like are operators.
decide
SELECT add(v, multiply(w, 2)), subtract(v, w) FROM s
----
SELECT v + w * 2, v - w FROM s
----
equivalent

decide
SELECT add(v, multiply(w, 2)), subtract(v, w) FROM s
----
SELECT v + w * 2, w - v FROM s
----
not_equivalent

# IF is CASE.
decide
SELECT if(v > 1, 'many', 'few') FROM s
----
SELECT CASE WHEN v > 1 THEN 'many' ELSE 'few' END FROM s
----
equivalent

decide
SELECT if(v > 1, 'many', 'few') FROM s
----
SELECT CASE WHEN v <= 1 THEN 'few' ELSE 'many' END FROM s
----
not_equivalent

# IFNULL is COALESCE.
decide
SELECT ifnull(v, w) FROM s
----
SELECT COALESCE(v, w) FROM s
----
equivalent

decide
SELECT ifnull(v, w) FROM s
----
SELECT ifnull(w, v) FROM s
----
not_equivalent

# TRY_CAST of an integer to a wider one.
decide
SELECT TRY_CAST(v AS BIGINT) FROM s
----
SELECT v FROM s
----
equivalent

decide
SELECT TRY_CAST(v AS BIGINT) FROM s
----
SELECT TRY_CAST(v AS TINYINT) FROM s
----
not_equivalent

# TRY_CAST is NULL where the value does not fit.
decide
SELECT id FROM s WHERE TRY_CAST(v AS TINYINT) IS NOT NULL
----
SELECT id FROM s WHERE v BETWEEN -128 AND 127
----
equivalent

decide
SELECT id FROM s WHERE TRY_CAST(v AS TINYINT) IS NOT NULL
----
SELECT id FROM s WHERE v IS NOT NULL
----
not_equivalent

# TRY_CAST of a text is CAST where that raises no error.
decide
SELECT TRY_CAST(kind AS INTEGER) FROM s
----
SELECT CAST(kind AS INTEGER) FROM s
----
equivalent

decide
SELECT TRY_CAST(kind AS INTEGER) FROM s
----
SELECT COALESCE(TRY_CAST(kind AS INTEGER), 0) FROM s
----
not_equivalent

# TRY_CAST of a text to a DOUBLE, twice.
decide
SELECT id FROM s WHERE TRY_CAST(kind AS DOUBLE) > 1
----
SELECT id FROM s WHERE NOT TRY_CAST(kind AS DOUBLE) <= 1
----
equivalent

decide
SELECT id FROM s WHERE TRY_CAST(kind AS DOUBLE) > 1
----
SELECT id FROM s WHERE TRY_CAST(kind AS DOUBLE) >= 1
----
not_equivalent

# The integer of a text is not its DOUBLE.
decide
SELECT TRY_CAST(kind AS INTEGER) FROM s WHERE kind = '1.5'
----
SELECT 2 FROM s WHERE kind = '1.5'
----
undecided NO_PROOF

decide
SELECT TRY_CAST(kind AS INTEGER) FROM s WHERE kind = '1.5'
----
SELECT TRY_CAST(kind AS DOUBLE) FROM s WHERE kind = '1.5'
----
not_equivalent

# A decimal of a text is rounded half away from zero.
decide
SELECT TRY_CAST(kind AS DECIMAL(8, 1)) FROM s WHERE kind = '0.25'
----
SELECT 0.3 FROM s WHERE kind = '0.25'
----
undecided NO_PROOF

decide
SELECT TRY_CAST(kind AS DECIMAL(8, 1)) FROM s WHERE kind = '0.25'
----
SELECT 0.2 FROM s WHERE kind = '0.25'
----
not_equivalent

# A date of a text.
decide
SELECT id FROM s WHERE TRY_CAST(kind AS DATE) = '2020-01-05'
----
SELECT id FROM s WHERE DATE '2020-01-05' = TRY_CAST(kind AS DATE)
----
equivalent

decide
SELECT id FROM s WHERE TRY_CAST(kind AS DATE) = '2020-01-05'
----
SELECT id FROM s WHERE kind = '2020-01-05'
----
not_equivalent

# A boolean compares with none but booleans.
decide
SELECT id FROM t WHERE q
----
SELECT id FROM t WHERE q IS TRUE
----
equivalent

decide
SELECT id FROM t WHERE q
----
SELECT id FROM t WHERE q IS NOT FALSE
----
not_equivalent

# The text of an integer.
decide
SELECT v::VARCHAR FROM s WHERE v = 7
----
SELECT '7' FROM s WHERE v = 7
----
equivalent

decide
SELECT v::VARCHAR FROM s WHERE v = 7
----
SELECT '07' FROM s WHERE v = 7
----
not_equivalent

# The text of a decimal shows its zeros.
decide
SELECT n::VARCHAR FROM t WHERE n = 1.5
----
SELECT '1.50' FROM t WHERE n = 1.5
----
undecided NO_PROOF

decide
SELECT n::VARCHAR FROM t WHERE n = 1.5
----
SELECT '1.5' FROM t WHERE n = 1.5
----
not_equivalent

# A regular expression at the begin is a prefix.
decide
SELECT id FROM s WHERE regexp_matches(kind, '^ab')
----
SELECT id FROM s WHERE kind LIKE 'ab%'
----
equivalent

decide
SELECT id FROM s WHERE regexp_matches(kind, '^ab')
----
SELECT id FROM s WHERE kind ILIKE 'ab%'
----
not_equivalent

# A regular expression is found anywhere.
decide
SELECT id FROM s WHERE kind ~ 'ab'
----
SELECT id FROM s WHERE contains(kind, 'ab')
----
equivalent

decide
SELECT id FROM s WHERE kind ~ 'ab'
----
SELECT id FROM s WHERE kind = 'ab'
----
not_equivalent

# A full match is none of a part.
decide
SELECT id FROM s WHERE regexp_full_match(kind, 'ab')
----
SELECT id FROM s WHERE kind = 'ab'
----
equivalent

decide
SELECT id FROM s WHERE regexp_full_match(kind, 'ab')
----
SELECT id FROM s WHERE regexp_matches(kind, 'ab')
----
not_equivalent

# SIMILAR TO is a full match.
decide
SELECT id FROM s WHERE kind SIMILAR TO 'a|b'
----
SELECT id FROM s WHERE kind IN ('a', 'b')
----
equivalent

decide
SELECT id FROM s WHERE kind SIMILAR TO 'a|b'
----
SELECT id FROM s WHERE kind LIKE '%a%' OR kind LIKE '%b%'
----
not_equivalent

# An alternative between anchors.
decide
SELECT id FROM s WHERE regexp_matches(kind, '^(a|b)$')
----
SELECT id FROM s WHERE kind = 'a' OR kind = 'b'
----
equivalent

decide
SELECT id FROM s WHERE regexp_matches(kind, '^(a|b)$')
----
SELECT id FROM s WHERE regexp_matches(kind, '^a|b$')
----
not_equivalent

# Digits alone.
decide
SELECT id FROM s WHERE kind ~ '^[0-9]+$'
----
SELECT id FROM s WHERE regexp_full_match(kind, '[0-9]+')
----
equivalent

decide
SELECT id FROM s WHERE kind ~ '^[0-9]+$'
----
SELECT id FROM s WHERE kind ~ '[0-9]'
----
not_equivalent

# A dot is any character but a newline.
decide
SELECT id FROM s WHERE regexp_matches(kind, '^a.$')
----
SELECT id FROM s WHERE regexp_full_match(kind, 'a.')
----
equivalent

decide
SELECT id FROM s WHERE regexp_matches(kind, '^a.$')
----
SELECT id FROM s WHERE kind LIKE 'a_' OR kind = 'b'
----
not_equivalent

# With the option s a dot is any character.
decide
SELECT id FROM s WHERE regexp_matches(kind, '^a.$', 's')
----
SELECT id FROM s WHERE kind LIKE 'a_'
----
equivalent

decide
SELECT id FROM s WHERE regexp_matches(kind, '^a.$', 's')
----
SELECT id FROM s WHERE kind LIKE 'a%'
----
not_equivalent

# What may be anything around is nothing.
decide
SELECT id FROM s WHERE kind ~ '.*ab.*'
----
SELECT id FROM s WHERE kind LIKE '%ab%'
----
equivalent

decide
SELECT id FROM s WHERE kind ~ '.*ab.*'
----
SELECT id FROM s WHERE kind LIKE '_%ab%'
----
not_equivalent

# NOT of a regular expression.
decide
SELECT id FROM s WHERE kind !~ '^a'
----
SELECT id FROM s WHERE NOT starts_with(kind, 'a')
----
equivalent

decide
SELECT id FROM s WHERE kind !~ '^a'
----
SELECT id FROM s WHERE COALESCE(NOT starts_with(kind, 'a'), true)
----
not_equivalent

# GLOB of plain patterns.
decide
SELECT id FROM s WHERE kind GLOB 'a*'
----
SELECT id FROM s WHERE kind LIKE 'a%'
----
equivalent

decide
SELECT id FROM s WHERE kind GLOB 'a*'
----
SELECT id FROM s WHERE kind GLOB 'a?'
----
not_equivalent

# The operator of prefixes.
decide
SELECT id FROM s WHERE kind ^@ 'a'
----
SELECT id FROM s WHERE starts_with(kind, 'a')
----
equivalent

decide
SELECT id FROM s WHERE kind ^@ 'a'
----
SELECT id FROM s WHERE ends_with(kind, 'a')
----
not_equivalent

# A percent sign in LIKE, escaped.
decide
SELECT id FROM s WHERE kind LIKE '50$%' ESCAPE '$'
----
SELECT id FROM s WHERE kind = '50%'
----
equivalent

decide
SELECT id FROM s WHERE kind LIKE '50$%' ESCAPE '$'
----
SELECT id FROM s WHERE kind LIKE '50%'
----
not_equivalent

# A month by its name.
decide
SELECT id FROM t WHERE monthname(d) = 'May'
----
SELECT id FROM t WHERE month(d) = 5
----
equivalent

decide
SELECT id FROM t WHERE monthname(d) = 'May'
----
SELECT id FROM t WHERE monthname(d) = 'may'
----
not_equivalent

# A day of the week by its name.
decide
SELECT id FROM t WHERE dayname(d) = 'Sunday'
----
SELECT id FROM t WHERE dayofweek(d) = 0
----
equivalent

decide
SELECT id FROM t WHERE dayname(d) = 'Sunday'
----
SELECT id FROM t WHERE isodow(d) = 1
----
not_equivalent

# The year as a number.
decide
SELECT id FROM t WHERE year(d) = 2020
----
SELECT id FROM t WHERE d BETWEEN '2020-01-01' AND '2020-12-31'
----
equivalent

decide
SELECT id FROM t WHERE year(d) = 2020
----
SELECT id FROM t WHERE d BETWEEN '2020-01-01' AND '2020-12-30'
----
not_equivalent

# A timestamp as a date.
decide
SELECT id FROM t WHERE ts::DATE = '2020-01-05'
----
SELECT id FROM t WHERE ts >= '2020-01-05' AND ts < '2020-01-06'
----
equivalent

decide
SELECT id FROM t WHERE ts::DATE = '2020-01-05'
----
SELECT id FROM t WHERE ts = '2020-01-05'
----
not_equivalent

# Days between dates.
decide
SELECT date_diff('day', d, d + 3) FROM t WHERE d IS NOT NULL
----
SELECT 3 FROM t WHERE d IS NOT NULL
----
undecided NO_PROOF

decide
SELECT date_diff('day', d, d + 3) FROM t WHERE d IS NOT NULL
----
SELECT 3 FROM t
----
not_equivalent

# DATE_ADD is the operator.
decide
SELECT date_add(d, INTERVAL 1 DAY) FROM t
----
SELECT d + INTERVAL 1 DAY FROM t
----
equivalent

decide
SELECT date_add(d, INTERVAL 1 DAY) FROM t
----
SELECT d + INTERVAL 2 DAYS FROM t
----
not_equivalent

# A begin of a month.
decide
SELECT id FROM t WHERE date_trunc('month', d) = '2020-02-01'
----
SELECT id FROM t WHERE year(d) = 2020 AND month(d) = 2
----
equivalent

decide
SELECT id FROM t WHERE date_trunc('month', d) = '2020-02-01'
----
SELECT id FROM t WHERE d = '2020-02-01'
----
not_equivalent

# The date of today, both ways.
decide
SELECT id FROM t WHERE d < today()
----
SELECT id FROM t WHERE d < current_date
----
equivalent

decide
SELECT id FROM t WHERE d < today()
----
SELECT id FROM t WHERE d IS NOT NULL AND d > today()
----
not_equivalent

# Texts of one letter in two sizes are two.
decide
SELECT DISTINCT kind FROM s
----
SELECT kind FROM s GROUP BY kind
----
equivalent

decide
SELECT DISTINCT kind FROM s
----
SELECT DISTINCT LOWER(kind) FROM s
----
not_equivalent

# NULL beside NULL.
decide
SELECT id FROM s WHERE v IS NOT DISTINCT FROM w
----
SELECT id FROM s WHERE v = w OR (v IS NULL AND w IS NULL)
----
equivalent

decide
SELECT id FROM s WHERE v IS NOT DISTINCT FROM w
----
SELECT id FROM s WHERE v = w
----
not_equivalent

schema dialect=duckdb
CREATE TABLE h (id INTEGER, k BIGINT NOT NULL, r DOUBLE);

# Whole numbers of 64 bits are what they are; beside a DOUBLE they are the nearest one.
decide
SELECT id FROM h WHERE k > 3594120000172545465
----
SELECT id FROM h WHERE k >= 3594120000172545466
----
equivalent

decide
SELECT id FROM h WHERE k > 3594120000172545465
----
SELECT id FROM h WHERE k >= 3594120000172545467
----
not_equivalent

decide
SELECT id FROM h WHERE r > 3594120000172545465
----
SELECT id FROM h WHERE r >= 3594120000172545466
----
not_equivalent

# That no value is above is known to no proof.
decide
SELECT id FROM h WHERE k <= 9223372036854775807
----
SELECT id FROM h
----
undecided NO_PROOF

decide
SELECT id FROM h WHERE k < 9223372036854775807
----
SELECT id FROM h
----
not_equivalent
