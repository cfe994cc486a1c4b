# What applications' schemas and queries have: tables whose partitions are made as time goes by, range types
# before functions, and parameters that are arrays or bytes.
schema dialect=postgres
CREATE TYPE id_range AS RANGE (SUBTYPE = int8);
CREATE FUNCTION doubled(n INTEGER) RETURNS INTEGER LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN 2 * n; END $$;
CREATE TABLE event (id BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL, kind TEXT, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE slot (id INTEGER PRIMARY KEY, n INTEGER) PARTITION BY HASH (id);
CREATE TABLE part (id INTEGER NOT NULL, region TEXT, n INTEGER) PARTITION BY LIST (region);
CREATE TABLE part_of_south PARTITION OF part FOR VALUES IN ('south') PARTITION BY RANGE (n);
CREATE TABLE doc (id INTEGER PRIMARY KEY, hash BYTEA, at TIMESTAMPTZ, day DATE, price NUMERIC);

decide
SELECT id FROM event WHERE kind = 'a'
----
SELECT id FROM event WHERE kind <> 'a'
----
not_equivalent

decide
SELECT n FROM slot WHERE n > 3
----
SELECT n FROM slot WHERE n >= 3
----
not_equivalent

# The key of a partitioned table is one of all its partitions.
decide
SELECT DISTINCT id, at FROM event
----
SELECT id, at FROM event
----
equivalent

# Rows are of the one partition that there is, and stand below it in its own default one.
decide
SELECT id FROM part WHERE n > 3
----
SELECT id FROM part WHERE n > 3 AND region = 'south'
----
equivalent

decide
SELECT id FROM part WHERE n > 3
----
SELECT id FROM part WHERE n >= 3
----
not_equivalent

# The functions that a range type brings are not the script's, and none that follows is refused for them.
decide
SELECT doubled(id) FROM doc WHERE id > 3
----
SELECT doubled(id) FROM doc WHERE 3 < id
----
equivalent

decide
SELECT id FROM doc WHERE at = ANY($1::timestamptz[]) AND id > 3
----
SELECT id FROM doc WHERE id > 3 AND at = ANY($1::timestamptz[])
----
equivalent

decide
SELECT id FROM doc WHERE at = ANY($1::timestamptz[])
----
SELECT id FROM doc WHERE at <> ALL($1::timestamptz[])
----
not_equivalent

decide
SELECT id FROM doc WHERE day = ANY($1::date[]) AND price = ANY($2::numeric[])
----
SELECT id FROM doc WHERE price = ANY($2::numeric[])
----
not_equivalent

decide
SELECT a FROM unnest($1::date[]) AS a
----
SELECT DISTINCT a FROM unnest($1::date[]) AS a
----
not_equivalent

decide
SELECT id FROM doc WHERE hash = $1
----
SELECT id FROM doc WHERE $1 = hash
----
equivalent

decide
SELECT id FROM doc WHERE hash >= $1
----
SELECT id FROM doc WHERE hash > $1
----
not_equivalent

# What LEFT JOIN LATERAL takes of tied rows is one choice, whether a next one finds a row or not.
schema dialect=postgres
CREATE TABLE e (id INTEGER PRIMARY KEY, team INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, st TEXT, at INTEGER, eid INTEGER);

decide
SELECT e.id, k.x, k.st, m.x, m.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id AND b.st = 'r' ORDER BY b.at LIMIT 1) k ON TRUE
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id AND b.x > 3 ORDER BY b.at LIMIT 1) m ON TRUE
----
SELECT e.id, k.x, k.st, m.x, m.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE 'r' = b.st AND e.id = b.eid ORDER BY b.at LIMIT 1) k ON TRUE
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE 3 < b.x AND e.id = b.eid ORDER BY b.at LIMIT 1) m ON TRUE
----
equivalent by=proof

# Two choices may fall apart, one does not.
decide
SELECT e.id, k.x, m.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.at LIMIT 1) k ON TRUE
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.at LIMIT 1) m ON TRUE
----
SELECT e.id, k.x, k.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE e.id = b.eid ORDER BY b.at LIMIT 1) k ON TRUE
----
undecided

decide
SELECT e.id, k.x, m.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.at LIMIT 1) k ON TRUE
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.x LIMIT 1) m ON TRUE
----
SELECT e.id, k.x, m.st FROM e
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.x LIMIT 1) k ON TRUE
LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.at LIMIT 1) m ON TRUE
----
not_equivalent

# An array of texts as labels, or of whole numbers as wider ones, is what its elements are.
schema dialect=postgres
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE m (id INTEGER PRIMARY KEY, mood mood, n BIGINT, few INTEGER[], u UUID);

decide
SELECT id FROM m WHERE (CAST($1::text[] AS mood[]) IS NULL OR mood = ANY(CAST($1::text[] AS mood[]))) AND n > 3
----
SELECT id FROM m WHERE 3 < n AND (CAST($1::text[] AS mood[]) IS NULL OR mood = ANY(CAST($1::text[] AS mood[])))
----
equivalent

decide
SELECT id FROM m WHERE mood = ANY(CAST($1::text[] AS mood[]))
----
SELECT id FROM m WHERE mood <> ANY(CAST($1::text[] AS mood[]))
----
not_equivalent

decide
SELECT id FROM m WHERE n = ANY(few::bigint[])
----
SELECT id FROM m WHERE n <> ALL(few::bigint[])
----
not_equivalent

decide
SELECT id FROM m WHERE n = ANY(few::bigint[]) AND u = ANY($1::text[]::uuid[])
----
SELECT id FROM m WHERE u = ANY($1::text[]::uuid[]) AND n = ANY(few::bigint[])
----
equivalent

# A parameter and the clock: a value of the one is tried at an instant of the other.
schema dialect=postgres
CREATE TABLE worker (id INTEGER PRIMARY KEY, tenant UUID NOT NULL, seen TIMESTAMPTZ, active BOOLEAN NOT NULL);
CREATE TABLE slot (worker INTEGER NOT NULL REFERENCES worker, kind TEXT, units INTEGER NOT NULL);

decide
SELECT w.id, s.kind, SUM(s.units)::int FROM worker w JOIN slot s ON w.id = s.worker WHERE w.seen > NOW() - INTERVAL '5 seconds' AND w.active AND w.tenant = $1::uuid GROUP BY w.id, s.kind
----
SELECT w.id, s.kind, SUM(s.units)::int FROM worker w JOIN slot s ON w.id = s.worker WHERE w.seen > NOW() - INTERVAL '5 seconds' AND w.tenant = $1::uuid GROUP BY w.id, s.kind
----
not_equivalent

decide
SELECT id FROM worker WHERE tenant = $1 AND seen > NOW() - INTERVAL '1 day'
----
SELECT id FROM worker WHERE tenant = $1 AND seen >= NOW() - INTERVAL '1 day'
----
not_equivalent

decide
SELECT id FROM worker WHERE tenant = $1 AND seen > NOW() - INTERVAL '1 day'
----
SELECT id FROM worker WHERE NOW() - INTERVAL '1 day' < seen AND $1 = tenant
----
equivalent

# A block that is not run, as it changes rows: what it adds to a table with a column of its own says nothing
# of the other columns, what it adds to one of these may forbid rows.
schema dialect=postgres
CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER);
CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER);
DO $$
BEGIN
  ALTER TABLE team ADD COLUMN slug TEXT;
  UPDATE team SET slug = lower(name);
  ALTER TABLE team ADD CONSTRAINT one_slug UNIQUE (slug);
  ALTER TABLE team ALTER COLUMN slug SET NOT NULL;
END $$;
DO $$
BEGIN
  UPDATE member SET n = 1 WHERE n < 1;
  ALTER TABLE member ADD CONSTRAINT positive CHECK (n > 0);
END $$;

decide
SELECT id FROM team WHERE n > 0
----
SELECT id FROM team WHERE n >= 0
----
not_equivalent

decide
SELECT id FROM member WHERE n > 0
----
SELECT id FROM member WHERE n >= 0
----
undecided
