"""What the embedded server is told: its configuration, and who may call what.

Three roles: ``equiv`` signs in and runs statements of our own; ``equiv_author`` owns the tables of a pair,
and runs DDL and INSERTs, which may come from anybody; ``equiv_reader`` runs queries, and may read these
tables and nothing else.  No text that comes from outside can get back to ``equiv``: it is no SET, and none of
the three may call ``set_config``.  The functions that the last two may call have no side effect (but for the
sequences of the author) and ask nothing of the server.
"""

from __future__ import annotations

from typing import Final

ADMIN: Final = "equiv_admin"
"""The superuser, who makes databases."""
SESSION: Final = "equiv"
AUTHOR: Final = "equiv_author"
READER: Final = "equiv_reader"
TEMPLATE: Final = "equiv_template"
"""The database of which every other is a copy."""

MEMORY_KILOBYTES: Final = 1_500_000
"""What one connection's process may map."""

CONFIGURATION: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "superuser_reserved_connections": "3",
    "shared_buffers": "32MB",
    "work_mem": "16MB",
    "temp_file_limit": "512MB",
    "max_locks_per_transaction": "256",
    "max_parallel_workers_per_gather": "0",
    "max_worker_processes": "2",
    "max_logical_replication_workers": "0",
    "io_method": "sync",
    "jit": "off",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
    "checkpoint_timeout": "1h",
    "log_checkpoints": "off",
    "log_min_messages": "fatal",
    "log_min_error_statement": "panic",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "client_connection_check_interval": "2s",
    "huge_pages": "off",
}
"""Nothing here outlives a crash, and nothing has to: the server holds no data of its own."""

INITDB: Final = (
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=trust",
    f"--username={ADMIN}",
    "--no-sync",
    "--no-instructions",
)

ROLES: Final = f"""
CREATE ROLE {SESSION} LOGIN;
CREATE ROLE {AUTHOR};
CREATE ROLE {READER};
GRANT {AUTHOR}, {READER} TO {SESSION};
CREATE DATABASE {TEMPLATE} OWNER {SESSION} TEMPLATE template0;
"""
"""Statements for the first database, each on its own."""

ASKS_THE_SERVER: Final = (
    r"^(_pg_|pg_|has_|current_|inet_(client|server)|txid_|to_reg|lo_|acl|makeacl|mxid_|fmgr_"
    r"|(table|schema|database|query|cursor)_to_xml|binary_upgrade)"
    r"|(_description|_privilege|_typanalyze)$|^(version|getdatabaseencoding|session_user|system_user"
    r"|row_security_active|getpgusername|format_type|set_config|icu_unicode_version|unicode_version"
    r"|get_current_ts_config|ts_stat|ts_debug|ts_parse|ts_token_type|timeofday|querytree)$"
)
"""Names of functions whose answer is the server's, not the database's."""
TYPES_OF_THE_SERVER: Final = (
    "xid,xid8,cid,oid,pg_lsn,aclitem,refcursor,pg_snapshot,txid_snapshot,regclass,regtype,regproc,regprocedure,"
    "regrole,regnamespace,regoper,regoperator,regcollation"
)
"""Types of what the server numbers: no function that takes or gives one."""
_AUTHORS_CALLS: Final = (
    "nextval",
    "currval",
    "lastval",
    "setval",
    "gen_random_uuid",
    "uuidv4",
    "uuidv7",
    "random",
    "clock_timestamp",
    "statement_timestamp",
    "satisfies_hash_partition",
)

GRANTS: Final = f"""
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT p.oid::regprocedure AS f, p.provolatile <> 'v' AND p.proname !~ '{ASKS_THE_SERVER}'
        AND NOT (p.prorettype || p.proargtypes::oid[]) && '{{{TYPES_OF_THE_SERVER}}}'::regtype[]::oid[]
        AS harmless,
      p.proname = ANY ('{{{",".join(_AUTHORS_CALLS)}}}') AS writes
    FROM pg_proc p WHERE p.proacl IS NULL AND p.pronamespace = 'pg_catalog'::regnamespace
  LOOP
    EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', each.f);
    EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO {SESSION}', each.f);
    IF each.harmless THEN
      EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO {AUTHOR}, {READER}', each.f);
    ELSIF each.writes THEN
      EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO {AUTHOR}', each.f);
    END IF;
  END LOOP;
END $$;
REVOKE ALL ON DATABASE {TEMPLATE} FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO {SESSION} WITH GRANT OPTION;
REVOKE ALL ON SCHEMA information_schema FROM PUBLIC;
GRANT USAGE ON SCHEMA information_schema TO {SESSION};
REVOKE ALL ON ALL TABLES IN SCHEMA pg_catalog FROM PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog TO {SESSION};
REVOKE SELECT ON pg_authid, pg_shadow, pg_hba_file_rules, pg_ident_file_mappings, pg_file_settings
  FROM {SESSION};
REVOKE USAGE ON LANGUAGE plpgsql, sql FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION set_config(text, text, boolean) FROM {SESSION};
GRANT CREATE, USAGE ON SCHEMA public TO {AUTHOR};
"""
"""Statements for the template database, by the superuser."""

TEXT: Final = repr((sorted(CONFIGURATION.items()), INITDB, ROLES, GRANTS))
"""All of it: a data folder made from other settings is another folder."""
