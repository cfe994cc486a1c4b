# exact_arithmetic: rounding every step to a nearby simple fraction left the rounding of long chains of steps.
schema rounding=ignore
CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, r REAL, d DATE);

decide
SELECT COUNT(*) FROM t WHERE r / 7 / 11 / 13 / 17 / 23 = r / 23 / 17 / 13 / 11 / 7
----
SELECT COUNT(r) FROM t
----
equivalent by=proof

decide
SELECT id FROM t WHERE (julianday(d) - julianday('2020-01-01')) * 86400 >= 60
----
SELECT id FROM t WHERE strftime('%s', d) - strftime('%s', '2020-01-01') >= 60
----
undecided

decide
SELECT COUNT(*) FROM t WHERE SQRT(v) * SQRT(v) = v
----
SELECT COUNT(v) FROM t WHERE v >= 0
----
undecided
