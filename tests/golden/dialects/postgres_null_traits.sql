# What PostgreSQL's documentation says of NULL: symbols that are NULL just of NULL, and what never is.
schema dialect=postgres
CREATE TABLE t (
  id INTEGER PRIMARY KEY, at TIMESTAMPTZ, born DATE, s TEXT, name TEXT NOT NULL, j JSONB, tags TEXT[], span INT4RANGE
)

decide
SELECT id FROM t WHERE at IS NULL OR at > now()
----
SELECT id FROM t WHERE (at <= now()) IS NOT TRUE
----
equivalent

decide
SELECT id FROM t WHERE at IS NULL OR at > now()
----
SELECT id FROM t WHERE (at < now()) IS NOT TRUE
----
not_equivalent

decide
SELECT id FROM t WHERE at < now() - interval '7 days'
----
SELECT id FROM t WHERE NOT coalesce(at >= current_timestamp - interval '7 days', true)
----
equivalent

decide
SELECT id FROM t WHERE born IS NULL OR born > current_date - 7
----
SELECT id FROM t WHERE NOT coalesce(born <= current_date - 7, false)
----
equivalent

decide
SELECT id, coalesce(md5(name), '-') FROM t
----
SELECT id, md5(name) FROM t
----
equivalent

decide
SELECT id, coalesce(md5(s), '-') FROM t
----
SELECT id, md5(s) FROM t
----
not_equivalent

decide
SELECT id FROM t WHERE (j @> '{"a": 1}') IS NOT TRUE
----
SELECT id FROM t WHERE j IS NULL OR NOT j @> '{"a": 1}'
----
equivalent

# Counting raises an error for what is no array.
decide names=no_error
SELECT id FROM t WHERE jsonb_array_length(j) IS NOT NULL
----
SELECT id FROM t WHERE j IS NOT NULL
----
equivalent

# A key that is not there gives NULL, and so does an end that a range does not have.
decide
SELECT id FROM t WHERE j ->> 'a' IS NOT NULL
----
SELECT id FROM t WHERE j IS NOT NULL
----
not_equivalent

decide
SELECT id FROM t WHERE upper(span) IS NOT NULL
----
SELECT id FROM t WHERE span IS NOT NULL
----
not_equivalent

# An array without elements has no length, and a cardinality.
decide
SELECT id FROM t WHERE cardinality(tags) IS NOT NULL
----
SELECT id FROM t WHERE tags IS NOT NULL
----
equivalent

decide
SELECT id FROM t WHERE array_length(tags, 1) IS NOT NULL
----
SELECT id FROM t WHERE tags IS NOT NULL
----
not_equivalent

decide
SELECT id FROM t WHERE (j @? '$.a') IS NOT NULL
----
SELECT id FROM t WHERE j IS NOT NULL
----
undecided NO_PROOF

decide
SELECT id, jsonb_build_object('a', s) IS NULL FROM t
----
SELECT id, false FROM t
----
equivalent

decide
SELECT id FROM t WHERE array_append(tags, s) IS NULL
----
SELECT id FROM t WHERE false
----
equivalent

decide
SELECT id FROM t WHERE jsonb_build_array(VARIADIC tags) IS NULL
----
SELECT id FROM t WHERE false
----
not_equivalent
