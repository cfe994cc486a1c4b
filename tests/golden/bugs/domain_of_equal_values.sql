# Values of a domain over numeric are equal as numerics, 1.0 and 1.00, and functions of any type tell them
# apart; such a function of a domain was taken for one of what is equal.
schema dialect=postgres
CREATE DOMAIN amount AS numeric;
CREATE DOMAIN ratio AS double precision;
CREATE DOMAIN price AS amount CHECK (VALUE >= 0);
CREATE DOMAIN cents AS numeric(8, 2);
CREATE TABLE t (id integer PRIMARY KEY, a amount, b amount, r ratio, s ratio, p price, q price, c cents, d cents)

decide
SELECT to_jsonb(a)::text FROM t WHERE a = b
----
SELECT to_jsonb(b)::text FROM t WHERE a = b
----
undecided UNSUPPORTED

decide
SELECT concat(p, 'x') FROM t WHERE p = q
----
SELECT concat(q, 'x') FROM t WHERE p = q
----
undecided UNSUPPORTED

decide
SELECT format('%s', r) FROM t WHERE r = s
----
SELECT format('%s', s) FROM t WHERE r = s
----
undecided UNSUPPORTED

decide
SELECT md5(concat_ws('-', a, 'x')) FROM t WHERE a = 1
----
SELECT md5(concat_ws('-', 1, 'x')) FROM t WHERE a = 1
----
undecided UNSUPPORTED

decide
SELECT to_jsonb(c)::text FROM t WHERE c = d
----
SELECT to_jsonb(d)::text FROM t WHERE c = d
----
equivalent
