# In a comparison of rows a date beside a timestamp was compared as a text with a text: 2000-01-01 came before
# 2000-01-01 00:00:00.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, m TIMESTAMP);

decide
SELECT id FROM t WHERE (d, id) < (m, 3)
----
SELECT id FROM t WHERE d < m OR d = m AND id < 3
----
equivalent

decide
SELECT id FROM t WHERE (d, id) < (m, 3) AND m = '2000-01-01 00:00:00' AND d = '2000-01-01'
----
SELECT id FROM t WHERE m = '2000-01-01 00:00:00' AND d = '2000-01-01' AND id < 3
----
equivalent

# TO_CHAR by an empty format is NULL.
decide tiers=rules,proof
SELECT id FROM t WHERE TO_CHAR(d, '') IS NULL
----
SELECT id FROM t WHERE d IS NULL
----
undecided NO_PROOF
