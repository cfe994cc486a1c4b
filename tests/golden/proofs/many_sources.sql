# Self-joins of one table without a key: which source plays which part is a question of graph isomorphism.
schema
CREATE TABLE t (x INTEGER, y INTEGER, z TEXT)
----

# Seven sources that the outputs tell apart.
decide tiers=proof
SELECT a.x, b.x, c.x, d.x, e.x, f.x, g.x FROM t a, t b, t c, t d, t e, t f, t g
----
SELECT a.x, b.x, c.x, d.x, e.x, f.x, g.x FROM t g, t f, t e, t d, t c, t b, t a
----
equivalent by=proof

# A path of eight: each source is told apart by its distance from the end that is put out.
decide tiers=proof
SELECT a.z FROM t a, t b, t c, t d, t e, t f, t g, t h
WHERE a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND f.x < g.y AND g.x < h.y
----
SELECT a.z FROM t h, t b, t e, t d, t c, t f, t g, t a
WHERE g.x < h.y AND a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND f.x < g.y
----
equivalent by=proof

# A path of eight with one edge turned round is another graph.
decide tiers=proof
SELECT a.z FROM t a, t b, t c, t d, t e, t f, t g, t h
WHERE a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND f.x < g.y AND g.x < h.y
----
SELECT a.z FROM t h, t b, t e, t d, t c, t f, t g, t a
WHERE g.x < h.y AND a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND g.x < f.y
----
undecided NO_PROOF

# A cycle of eight is symmetric: colours tell nothing apart, and any of eight rotations will do.
decide tiers=proof
SELECT COUNT(*) FROM t a, t b, t c, t d, t e, t f, t g, t h
WHERE a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND f.x < g.y AND g.x < h.y AND h.x < a.y
----
SELECT COUNT(*) FROM t c, t a, t h, t e, t b, t g, t d, t f
WHERE h.x < a.y AND d.x < e.y AND b.x < c.y AND a.x < b.y AND e.x < f.y AND g.x < h.y AND f.x < g.y AND c.x < d.y
----
equivalent by=proof

# One cycle of eight is not two of four, though every source looks alike in both.
decide tiers=proof
SELECT COUNT(*) FROM t a, t b, t c, t d, t e, t f, t g, t h
WHERE a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < e.y AND e.x < f.y AND f.x < g.y AND g.x < h.y AND h.x < a.y
----
SELECT COUNT(*) FROM t a, t b, t c, t d, t e, t f, t g, t h
WHERE a.x < b.y AND b.x < c.y AND c.x < d.y AND d.x < a.y AND e.x < f.y AND f.x < g.y AND g.x < h.y AND h.x < e.y
----
undecided NO_PROOF

# A star of twelve: its rays are alike, its centre is not.
decide tiers=proof
SELECT a.z FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l
WHERE a.x < b.y AND a.x < c.y AND a.x < d.y AND a.x < e.y AND a.x < f.y AND a.x < g.y
  AND a.x < h.y AND a.x < i.y AND a.x < j.y AND a.x < k.y AND a.x < l.y
----
SELECT l.z FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l
WHERE l.x < a.y AND l.x < b.y AND l.x < c.y AND l.x < d.y AND l.x < e.y AND l.x < f.y
  AND l.x < g.y AND l.x < h.y AND l.x < i.y AND l.x < j.y AND l.x < k.y
----
equivalent by=proof

# A star of twelve with one ray of another direction.
decide tiers=proof
SELECT a.z FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l
WHERE a.x < b.y AND a.x < c.y AND a.x < d.y AND a.x < e.y AND a.x < f.y AND a.x < g.y
  AND a.x < h.y AND a.x < i.y AND a.x < j.y AND a.x < k.y AND a.x < l.y
----
SELECT l.z FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l
WHERE l.x < a.y AND l.x < b.y AND l.x < c.y AND l.x < d.y AND l.x < e.y AND l.x < f.y
  AND l.x < g.y AND l.x < h.y AND l.x < i.y AND l.x < j.y AND k.x < l.y
----
undecided NO_PROOF
