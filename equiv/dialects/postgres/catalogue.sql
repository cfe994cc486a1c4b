-- Questions to PostgreSQL's catalogue, each a query whose rows are asked for as JSON; {name} is the part of that name.

-- ours
n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'equiv_views')

-- descends
EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)

-- unsettled
EXISTS (
    SELECT FROM regexp_matches(o.polqual::text, ':(?:funcid|opfuncid) (\d+)', 'g') AS called(found)
    JOIN pg_catalog.pg_proc f ON f.oid = found[1]::oid WHERE f.provolatile = 'v')

-- namespaces
SELECT quote_ident(n.nspname) AS name FROM pg_catalog.pg_namespace n
WHERE {ours} AND n.nspname <> 'public' ORDER BY n.oid

-- extensions
SELECT quote_ident(e.extname) AS name, quote_ident(n.nspname) AS namespace
FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname <> 'plpgsql' ORDER BY e.oid

-- types
SELECT t.oid::bigint, t.typtype AS kind, t.typbasetype::bigint AS base, t.typnotnull AS not_null,
  format_type(t.oid, NULL) AS name, n.nspname IN ('pg_catalog', 'information_schema', 'pg_toast')
    OR EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e') AS system,
  CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END AS base_name,
  (SELECT array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)
    AS labels,
  (SELECT array_agg(pg_get_constraintdef(c.oid) ORDER BY c.oid) FROM pg_catalog.pg_constraint c
    WHERE c.contypid = t.oid AND c.contype = 'c') AS checks,
  (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', '
    ORDER BY a.attnum) FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0
    AND NOT a.attisdropped) AS attributes,
  (SELECT array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) AS fields
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
WHERE t.typtype IN ('b', 'e', 'd', 'c', 'r', 'm') AND (t.typtype <> 'c' OR c.relkind = 'c')
  AND (t.typtype <> 'b' OR t.typelem = 0)

-- relations
SELECT c.oid, c.relkind AS kind, c.relname AS name, n.nspname AS namespace,
  quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS qualified,
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS definition,
  CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partition_key,
  c.relkind <> 'p' AND EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid) AS inherited,
  {descends} AS descends, pg_get_expr(c.relpartbound, c.oid) AS bound,
  (SELECT array_agg(i.inhparent ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)
    AS parents,
  (SELECT array_agg(DISTINCT d.refobjid) FROM pg_catalog.pg_rewrite w
    JOIN pg_catalog.pg_depend d ON d.objid = w.oid AND d.classid = 'pg_rewrite'::regclass
      AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
    WHERE w.ev_class = c.oid AND c.relkind IN ('v', 'm')) AS reads,
  c.relrowsecurity AS guarded, row_security_active(c.oid) AS filtered,
  EXISTS (SELECT FROM pg_catalog.pg_policy o WHERE o.polrelid = c.oid AND {unsettled}) AS unsettled,
  EXISTS (SELECT FROM pg_options_to_table(c.reloptions) o
    WHERE o.option_name = 'security_invoker' AND o.option_value::boolean) AS invoked,
  CASE WHEN c.relispartition AND c.relkind <> 'p' THEN pg_get_partition_constraintdef(c.oid) END AS within
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relpersistence <> 't' AND {ours}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.oid

-- sequences
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS qualified,
  format_type(s.seqtypid, NULL) AS type, s.seqstart::text AS start, s.seqincrement::text AS increment,
  s.seqmin::text AS least, s.seqmax::text AS most, s.seqcycle AS cycles
FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relpersistence <> 't' AND {ours}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('e', 'i')
    AND d.classid = 'pg_class'::regclass)
ORDER BY c.oid

-- called
SELECT p.proname AS name, CASE
  WHEN NOT EXISTS (SELECT FROM unnest(p.proargtypes) AS a(kind) WHERE kind >= 16384) THEN p.proargtypes::text
  END AS takes
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE {ours}
UNION SELECT o.oprname,
  CASE WHEN o.oprleft < 16384 AND o.oprright < 16384 THEN o.oprleft || ' ' || o.oprright END
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
WHERE {ours}
UNION SELECT 'cast', c.castsource || ' ' || c.casttarget FROM pg_catalog.pg_cast c
WHERE c.oid >= 16384 AND c.castsource < 16384 AND c.casttarget < 16384
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')

-- functions
SELECT n.nspname AS namespace, p.proname AS name, p.provolatile AS label,
  CASE WHEN l.lanname IN ('sql', 'plpgsql') THEN pg_get_functiondef(p.oid) END AS definition
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE {ours} AND p.prokind = 'f' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
ORDER BY p.oid

-- columns
SELECT a.attrelid AS relation, a.attnum AS number, a.attname AS name, quote_ident(a.attname) AS quoted,
  a.atttypid::bigint AS type, format_type(a.atttypid, a.atttypmod) AS type_name, a.attgenerated AS generated,
  a.attidentity AS identity, a.attislocal AS own, pg_get_expr(d.adbin, d.adrelid) AS expression,
  d.adbin IS NOT NULL OR t.typdefault IS NOT NULL AS defaults,
  a.attnotnull AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = a.attrelid
    AND k.contype = 'n' AND k.conkey[1] = a.attnum) AS bare_not_null,
  (a.attnotnull AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = a.attrelid
    AND k.contype = 'n' AND k.conkey[1] = a.attnum
    -- What a constraint of its own says of a table's rows, those of tables that inherit need not keep.
    AND (NOT k.convalidated OR k.connoinherit
      AND EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = a.attrelid)))
) AND c.relkind <> 'f' AS not_null, t.typnotnull AS domain_not_null,
  coalesce(l.collisdeterministic, true) AS deterministic,
  CASE WHEN a.attcollation NOT IN (0, t.typcollation) THEN
    quote_ident(ln.nspname) || '.' || quote_ident(l.collname) END AS collation_name
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
LEFT JOIN pg_catalog.pg_namespace ln ON ln.oid = l.collnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND {ours}
ORDER BY a.attrelid, a.attnum

-- constraints
SELECT c.conrelid AS relation, c.contype AS kind, c.conkey AS columns, c.confrelid AS parent,
  c.confkey AS parent_columns, c.convalidated AS valid, c.condeferrable AS deferrable, c.connoinherit AS own,
  coalesce((to_jsonb(c) ->> 'conenforced')::boolean, true)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgconstraint = c.oid
      AND g.tgenabled NOT IN ('O', 'A')) AS enforced,
  pg_get_constraintdef(c.oid) AS definition,
  CASE WHEN c.contype = 'c' THEN pg_get_expr(c.conbin, c.conrelid) END AS condition
FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
WHERE r.relkind <> 'f' AND c.contype IN ('p', 'u', 'f', 'c', 'x', 'n') AND c.conparentid = 0 AND c.conislocal
  AND {ours}
  AND NOT coalesce((to_jsonb(c) ->> 'conperiod')::boolean AND c.contype = 'f', false)
ORDER BY c.conrelid, c.oid

-- indexes
SELECT i.indrelid AS relation, pg_get_indexdef(i.indexrelid) AS definition,
  i.indexprs IS NULL AS of_columns, pg_get_expr(i.indpred, i.indrelid) AS condition,
  coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false) AS nulls_equal,
  (SELECT array_agg(a.attname ORDER BY k.place)
    FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k(number, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE k.place <= i.indnkeyatts) AS columns
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE i.indisunique AND i.indisvalid AND {ours}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k
    WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = i.indexrelid)
ORDER BY i.indexrelid

-- own_functions
SELECT n.nspname, p.proname, bool_and(p.prokind = 'f' AND NOT p.proretset),
  bool_or(p.prorettype IN ('float4'::regtype, 'float8'::regtype))
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = ANY ($1::oid[])
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
GROUP BY n.nspname, p.proname ORDER BY p.proname, n.nspname

-- bodies
-- The functions of one query, without settings of their own, of arguments and results with plain types.
-- "character" is not: what a length cuts off is not that of its name alone.
SELECT p.oid, p.proname, p.provolatile, p.proisstrict, format_type(p.prorettype, NULL), to_json(ARRAY(
    SELECT ARRAY[format_type(id, NULL), pg_get_function_arg_default(p.oid, place::int)]
    FROM unnest(p.proargtypes) WITH ORDINALITY a (id, place) ORDER BY place)),
  to_json(coalesce(p.proargnames, '{}')), p.prosrc, pg_get_function_sqlbody(p.oid)
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang WHERE p.oid = ANY ($1::oid[])
  AND l.lanname = 'sql' AND p.prokind = 'f' AND NOT p.proretset
  AND p.proargmodes IS NULL AND p.proconfig IS NULL
  -- What is SECURITY DEFINER in the user's own words keeps its owner here, and may see rows that a query does not.
  AND (NOT p.prosecdef OR pg_get_userbyid(p.proowner) = 'equiv_reader')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  AND NOT EXISTS (SELECT FROM unnest(p.proargtypes::oid[] || p.prorettype) k (id) JOIN pg_type t ON t.oid = id
    WHERE t.typtype NOT IN ('b', 'e', 'r', 'm') OR t.typname IN ('bpchar', 'bit', 'char'))
