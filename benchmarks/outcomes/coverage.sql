-- routines
SELECT p.proname, p.prokind::text, p.proretset, p.provolatile::text, p.proisstrict, coalesce(g.given, ''),
    r.typname || ':' || r.typtype::text
FROM pg_proc p JOIN pg_type r ON r.oid = p.prorettype LEFT JOIN LATERAL (
    SELECT string_agg(a.typname || ':' || a.typtype::text, ' ' ORDER BY n) AS given
    FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY u (o, n) JOIN pg_type a ON a.oid = u.o
) g ON TRUE
WHERE p.pronamespace = 'pg_catalog'::regnamespace ORDER BY p.proname, p.oid;

-- operators
SELECT o.oprname, p.provolatile::text, p.proisstrict, concat_ws(' ', a.typname, b.typname)
FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode JOIN pg_type b ON b.oid = o.oprright
    LEFT JOIN pg_type a ON a.oid = o.oprleft
WHERE o.oprnamespace = 'pg_catalog'::regnamespace ORDER BY o.oprname, o.oid;

-- casts
SELECT a.typname || ':' || a.typtype::text, b.typname || ':' || b.typtype::text, c.castmethod::text,
    coalesce(p.proname, ''), coalesce(p.provolatile::text, ''), coalesce(p.proisstrict, TRUE)
FROM pg_cast c JOIN pg_type a ON a.oid = c.castsource JOIN pg_type b ON b.oid = c.casttarget
    LEFT JOIN pg_proc p ON p.oid = c.castfunc
ORDER BY a.typname, b.typname;

-- types
SELECT typname || ':' || typtype::text FROM pg_type
WHERE typnamespace = 'pg_catalog'::regnamespace AND typcategory <> 'A' AND typrelid = 0 ORDER BY typname;

-- functions_of_duckdb
SELECT function_name, function_type FROM duckdb_functions() WHERE internal ORDER BY 1, function_oid;

-- types_of_duckdb
SELECT DISTINCT type_name FROM duckdb_types() WHERE internal ORDER BY 1;
