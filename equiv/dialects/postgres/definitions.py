"""Questions to PostgreSQL's catalogue, and what it holds as statements and as conditions of the core.

Of conditions and generated columns what cannot be translated exactly is PostgreSQL's alone to enforce.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Schema, Table, quoted_name
from equiv.core.single_values import sql_literal
from equiv.errors import InputError

CatalogueRow = dict[str, Any]
"""A row of the catalogue."""


_UNCHECKED = " NOT VALID"


def foundations(
    namespaces: Iterable[CatalogueRow],
    extensions: Iterable[CatalogueRow],
    types: Iterable[CatalogueRow],
    sequences: Iterable[CatalogueRow],
) -> Iterator[str]:
    """The statements that make schemas, extensions, enumerations, domains, composite types and sequences."""
    for each in namespaces:
        yield f"CREATE SCHEMA {each['name']}"
    for each in extensions:
        yield f"CREATE EXTENSION IF NOT EXISTS {each['name']} SCHEMA {each['namespace']}"
    for each in sorted(types, key=lambda each: int(each["oid"])):
        if each["system"]:
            continue
        match each["kind"]:
            case "e":
                labels = ", ".join(map(sql_literal, each["labels"] or ()))
                yield f"CREATE TYPE {each['name']} AS ENUM ({labels})"
            case "c":
                yield f"CREATE TYPE {each['name']} AS ({each['attributes'] or ''})"
            case "d":
                parts = [f"CREATE DOMAIN {each['name']} AS {each['base_name']}"]
                parts += ["NOT NULL"] if each["not_null"] else []
                checks = each["checks"] or ()
                yield " ".join([*parts, *(check for check in checks if not check.endswith(_UNCHECKED))])
                for check in checks:
                    if check.endswith(_UNCHECKED):
                        yield f"ALTER DOMAIN {each['name']} ADD {check}"
    for each in sequences:
        bounds = f"INCREMENT {each['increment']} MINVALUE {each['least']} MAXVALUE {each['most']}"
        cycles = " CYCLE" if each["cycles"] else ""
        yield f"CREATE SEQUENCE {each['qualified']} AS {each['type']} {bounds} START {each['start']}{cycles}"


def creating(
    relation: CatalogueRow,
    columns: list[CatalogueRow],
    constraints: list[CatalogueRow],
    indexes: list[CatalogueRow],
    parents: Mapping[int, str],
) -> Iterator[str]:
    """The statements that make a table, or one that inherits, and all that forbids its rows one by one.

    Args:
        parents: names of tables, with their schemas, by number.
    """
    parts = [_definition(column) for column in columns if column["own"] and not relation["bound"]]
    parts += [f"NOT NULL {c['quoted']}" for c in columns if c["bare_not_null"]] if relation["bound"] else []
    parts += sorted(c["definition"] for c in constraints if c["kind"] in "pucxn" and not _is_later(c))
    listed = "(\n  " + ",\n  ".join(parts) + "\n)"
    above = [parents[each] for each in relation["parents"] or () if each in parents]
    partitioned = f" PARTITION BY {relation['partition_key']}" if relation["partition_key"] else ""
    if relation["bound"]:
        inner = f"{listed} " if parts else ""
        head = f"CREATE TABLE {relation['qualified']} PARTITION OF {', '.join(above)} {inner}"
        yield f"{head}{relation['bound']}{partitioned}"
    else:
        inherits = f" INHERITS ({', '.join(above)})" if above else ""
        yield f"CREATE TABLE {relation['qualified']} {listed}{inherits}{partitioned}"
    for column in columns:
        # Apart from the table, which is there without the functions that a default may call.
        if column["expression"] and not column["generated"] and column["own"]:
            change = f"ALTER COLUMN {column['quoted']} SET DEFAULT {column['expression']}"
            yield f"ALTER TABLE {relation['qualified']} {change}"
    for index in indexes:
        yield index["definition"]


def completing(relation: CatalogueRow, constraints: list[CatalogueRow]) -> Iterator[str]:
    """The statements for constraints that rows need not keep one by one."""
    for constraint in constraints:
        if constraint["kind"] == "f" or (constraint["kind"] in "pucn" and _is_later(constraint)):
            yield f"ALTER TABLE {relation['qualified']} ADD {constraint['definition']}"


def _is_later(constraint: CatalogueRow) -> bool:
    return not constraint["valid"] or not constraint["enforced"] or bool(constraint["deferrable"])


def _definition(column: CatalogueRow) -> str:
    parts = [column["quoted"], column["type_name"]]
    if column["collation_name"]:
        parts.append(f"COLLATE {column['collation_name']}")
    if column["generated"]:
        kind = "STORED" if column["generated"] == "s" else "VIRTUAL"
        parts.append(f"GENERATED ALWAYS AS ({column['expression']}) {kind}")
    if column["identity"]:
        parts.append(f"GENERATED {'ALWAYS' if column['identity'] == 'a' else 'BY DEFAULT'} AS IDENTITY")
    if column["bare_not_null"]:
        parts.append("NOT NULL")
    return " ".join(parts)


_VALUE = re.compile(r"CHECK \((.*)\)\Z", re.DOTALL)


class TranslateExpression(Protocol):
    """What knows the core's text of an expression."""

    def condition(self, qualified: str, text: str) -> str | None:
        """That of a condition on the rows of a table (its name with its schema), or None."""

    def value(self, qualified: str, text: str) -> str | None:
        """The same of a value."""


class Nothing:
    """Translates nothing."""

    def condition(self, qualified: str, text: str) -> str | None:
        """None."""

    def value(self, qualified: str, text: str) -> str | None:
        """None."""


def of_domain(check: str, column: str) -> str | None:
    """The condition that the CHECK of a domain puts on a column of it; none if it is NOT VALID."""
    found = _VALUE.match(check)
    if found is None:
        return None
    body, parts, position = found[1], [], 0
    for token in tokens(body):
        if token.kind is TokenKind.NAME and token.word == "VALUE":
            parts += [body[position : token.start], quoted_name(column)]
            position = token.end
    return "".join([*parts, body[position:]])


def holdable(table: Table) -> Table:
    """The table with as much of its checks and generated columns as the core's engine itself takes."""
    if _is_taken(table):
        return table
    plain = replace(table, checks=(), columns=tuple(replace(c, generated=False) for c in table.columns))
    checks = [check for check in table.checks if _is_taken(replace(plain, checks=(check,)))]
    derived = {c.name for c in table.columns if c.generated}
    columns = tuple(
        replace(c, generated=False, expression="", derived=True) if c.name in derived else c
        for c in table.columns
    )
    return replace(table, checks=tuple(checks), columns=columns)


def _is_taken(table: Table) -> bool:
    """Whether the core's DDL can be read again, by an engine that has no functions but its own."""
    from equiv.dialects.registry import reference

    try:
        statements = reference().create(Schema((replace(table, foreign_keys=()),)))
        reference().loader.read_ddl(";\n".join(statements))
    except InputError:
        return False
    return True


_OURS = "n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'equiv_views')"
NAMESPACES = f"""
SELECT quote_ident(n.nspname) AS name FROM pg_catalog.pg_namespace n
WHERE {_OURS} AND n.nspname <> 'public' ORDER BY n.oid
"""
EXTENSIONS = """
SELECT quote_ident(e.extname) AS name, quote_ident(n.nspname) AS namespace
FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname <> 'plpgsql' ORDER BY e.oid
"""
TYPES = """
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
    AND NOT a.attisdropped) AS attributes
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
WHERE t.typtype IN ('b', 'e', 'd', 'c') AND (t.typtype <> 'c' OR c.relkind = 'c')
  AND (t.typtype <> 'b' OR t.typelem = 0)
"""
UNSETTLED = r"""EXISTS (
    SELECT FROM regexp_matches(o.polqual::text, ':(?:funcid|opfuncid) (\d+)', 'g') AS called(found)
    JOIN pg_catalog.pg_proc f ON f.oid = found[1]::oid WHERE f.provolatile = 'v')"""
"""Whether a policy, ``o``, calls a volatile function, so that no two queries need see the same rows."""
_DESCENDS = "EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)"
RELATIONS = f"""
SELECT c.oid, c.relkind AS kind, c.relname AS name, n.nspname AS namespace,
  quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS qualified,
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS definition,
  CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partition_key,
  c.relkind <> 'p' AND EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid) AS inherited,
  {_DESCENDS} AS descends, pg_get_expr(c.relpartbound, c.oid) AS bound,
  (SELECT array_agg(i.inhparent ORDER BY i.inhseqno) FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)
    AS parents,
  (SELECT array_agg(DISTINCT d.refobjid) FROM pg_catalog.pg_rewrite w
    JOIN pg_catalog.pg_depend d ON d.objid = w.oid AND d.classid = 'pg_rewrite'::regclass
      AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
    WHERE w.ev_class = c.oid AND c.relkind IN ('v', 'm')) AS reads,
  c.relrowsecurity AS guarded, row_security_active(c.oid) AS filtered,
  EXISTS (SELECT FROM pg_catalog.pg_policy o WHERE o.polrelid = c.oid AND {UNSETTLED}) AS unsettled,
  EXISTS (SELECT FROM pg_options_to_table(c.reloptions) o
    WHERE o.option_name = 'security_invoker' AND o.option_value::boolean) AS invoked,
  CASE WHEN c.relispartition AND c.relkind <> 'p' THEN pg_get_partition_constraintdef(c.oid) END AS within
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relpersistence <> 't' AND {_OURS}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.oid
"""
SEQUENCES = f"""
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS qualified,
  format_type(s.seqtypid, NULL) AS type, s.seqstart::text AS start, s.seqincrement::text AS increment,
  s.seqmin::text AS least, s.seqmax::text AS most, s.seqcycle AS cycles
FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relpersistence <> 't' AND {_OURS}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('e', 'i')
    AND d.classid = 'pg_class'::regclass)
ORDER BY c.oid
"""
CALLED = f"""
SELECT p.proname AS name, CASE
  WHEN NOT EXISTS (SELECT FROM unnest(p.proargtypes) AS a(kind) WHERE kind >= 16384) THEN p.proargtypes::text
  END AS takes
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE {_OURS}
UNION SELECT o.oprname,
  CASE WHEN o.oprleft < 16384 AND o.oprright < 16384 THEN o.oprleft || ' ' || o.oprright END
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
WHERE {_OURS}
UNION SELECT 'cast', c.castsource || ' ' || c.casttarget FROM pg_catalog.pg_cast c
WHERE c.oid >= 16384 AND c.castsource < 16384 AND c.casttarget < 16384
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
COLUMNS = f"""
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
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND {_OURS}
ORDER BY a.attrelid, a.attnum
"""
CONSTRAINTS = f"""
SELECT c.conrelid AS relation, c.contype AS kind, c.conkey AS columns, c.confrelid AS parent,
  c.confkey AS parent_columns, c.convalidated AS valid, c.condeferrable AS deferrable, c.connoinherit AS own,
  coalesce((to_jsonb(c) ->> 'conenforced')::boolean, true) AS enforced,
  pg_get_constraintdef(c.oid) AS definition,
  CASE WHEN c.contype = 'c' THEN pg_get_expr(c.conbin, c.conrelid) END AS condition
FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
WHERE r.relkind <> 'f' AND c.contype IN ('p', 'u', 'f', 'c', 'x', 'n') AND c.conparentid = 0 AND c.conislocal
  AND {_OURS}
  AND NOT coalesce((to_jsonb(c) ->> 'conperiod')::boolean AND c.contype = 'f', false)
ORDER BY c.conrelid, c.oid
"""
INDEXES = f"""
SELECT i.indrelid AS relation, pg_get_indexdef(i.indexrelid) AS definition,
  i.indpred IS NULL AND i.indexprs IS NULL AS plain,
  coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false) AS nulls_equal,
  (SELECT array_agg(a.attname ORDER BY k.place)
    FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k(number, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE k.place <= i.indnkeyatts) AS columns
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE i.indisunique AND i.indisvalid AND {_OURS}
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k
    WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = i.indexrelid)
ORDER BY i.indexrelid
"""
