"""The embedded server: made on first use, stopped when none uses it; its settings, its databases, each lent.

Three roles: ``equiv`` signs in and runs statements of our own; ``equiv_author`` owns the tables of a pair,
and runs DDL and INSERTs, which may come from anybody; ``equiv_reader`` runs queries and the functions of a
schema, and may read these tables and nothing else.  No text that comes from outside can get back to
``equiv``: none is a SET, and none of the three may call ``set_config``.  The functions that the last two may
call have no side effect (but for the sequences of the author) and ask nothing of the server.

What may happen to it: two processes start it at once (a lock); it or a user of it is killed (locks are the
kernel's, and a stale ``postmaster.pid`` names no server of ours); its data is damaged, since nothing is
written through to the disk (it is made anew: it holds nothing of value).

What a connection makes, it makes in one transaction, which is rolled back: a database is empty whenever it is
lent.  A lock of the server's says who has it, and goes with the connection, however that ends; so names of
schemas and tables are free, and nobody waits for anybody.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from equiv.dialects.postgres import watcher
from equiv.dialects.postgres.wire import Address, ServerPlace, Wire, WireError, owner_of, place_for
from equiv.dialects.typed.lowering.unknown import OF_CATALOGUE
from equiv.errors import InputError

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
GRANT {READER} TO {AUTHOR};
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
TYPES_OF_THE_SERVER: Final = "xid,xid8,cid,pg_lsn,aclitem,refcursor,pg_snapshot,txid_snapshot"
"""Types of what the server numbers: no function that takes or gives one."""
ASKS_THE_CATALOGUE: Final = (
    f"({OF_CATALOGUE}|to_reg[a-z]+|format_type|(obj|col|shobj)_description|current_(schemas?|database))"
)
"""Names of functions whose answer is that of the database's catalogue."""
_SYSTEM_VIEWS: Final = (
    *("pg_indexes", "pg_matviews", "pg_rules", "pg_tables", "pg_views", "columns", "check_constraints"),
    *("constraint_column_usage", "constraint_table_usage", "key_column_usage", "parameters"),
    *("referential_constraints", "routines", "schemata", "sequences", "table_constraints", "tables"),
    *("triggers", "views"),
)
"""The system's views whose rows tell of the database alone."""
_AUTHORS_CALLS: Final = tuple(
    """nextval currval lastval setval gen_random_uuid uuidv4 uuidv7 random clock_timestamp
    statement_timestamp satisfies_hash_partition""".split()  # noqa: SIM905
)

MAKE_EXTENSION: Final = "equiv_make_extension"
"""A function that makes an extension of those that follow."""
HARMLESS_EXTENSIONS: Final = ("vector",)
"""Extensions of the wheel's that none but a superuser may make, and that do nothing but bring types."""

GRANTS: Final = f"""
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT p.oid::regprocedure AS f,
      p.provolatile <> 'v' AND (p.proname !~ '{ASKS_THE_SERVER}' OR p.proname ~ '^{ASKS_THE_CATALOGUE}$')
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
GRANT USAGE ON SCHEMA information_schema TO {SESSION}, {AUTHOR}, {READER};
REVOKE ALL ON ALL TABLES IN SCHEMA pg_catalog, information_schema FROM PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog, information_schema TO {SESSION};
DO $$
DECLARE
  each record;
BEGIN
  -- What all databases share changes while a query runs here: others make theirs.
  FOR each IN
    SELECT c.oid::regclass AS t FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('pg_catalog', 'information_schema')
      AND (c.relname = ANY ('{{{",".join(_SYSTEM_VIEWS)}}}') OR c.relkind = 'r' AND NOT c.relisshared
        AND c.relname !~ '^(pg_statistic|pg_largeobject|pg_user_mapping)')
  LOOP
    EXECUTE format('GRANT SELECT ON %s TO {AUTHOR}, {READER}', each.t);
  END LOOP;
END $$;
REVOKE SELECT ON pg_authid, pg_shadow, pg_hba_file_rules, pg_ident_file_mappings, pg_file_settings
  FROM {SESSION};
REVOKE USAGE ON LANGUAGE plpgsql, sql FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION set_config(text, text, boolean) FROM {SESSION};
GRANT CREATE, USAGE ON SCHEMA public TO {AUTHOR};
GRANT USAGE ON LANGUAGE plpgsql, sql TO {AUTHOR};
CREATE FUNCTION pg_catalog.{MAKE_EXTENSION}(called text, place text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF called <> ALL ('{{{",".join(HARMLESS_EXTENSIONS)}}}') THEN
    RAISE insufficient_privilege USING MESSAGE = format('permission denied to create extension "%s"', called);
  END IF;
  -- A script of an extension finds nothing of the author's where there is nothing.
  CREATE SCHEMA equiv_extension;
  EXECUTE format('CREATE EXTENSION %I SCHEMA equiv_extension', called);
  EXECUTE format('ALTER EXTENSION %I SET SCHEMA %I', called, place);
  DROP SCHEMA equiv_extension;
END $$;
REVOKE ALL ON FUNCTION pg_catalog.{MAKE_EXTENSION}(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_catalog.{MAKE_EXTENSION}(text, text) TO {SESSION};
"""
"""Statements for the template database, by the superuser."""

TEXT: Final = repr((sorted(CONFIGURATION.items()), INITDB, ROLES, GRANTS))
"""All of it: a data folder made from other settings is another folder."""


_READY = "equiv-ready"
"""A file in the data folder, written when all is set up."""
_START_SECONDS = 60.0
_held: dict[Path, IO[bytes]] = {}
"""The files whose shared lock says that this process uses a server."""
_running: dict[int, ServerPlace] = {}
"""The place of the server, by the process that asked: a fork asks anew."""


def place() -> ServerPlace:
    """The place of the server, whether it runs or not.

    Raises:
        InputError: the extra is not installed, or there is no room for the data.
    """
    return place_for(TEXT)


def running() -> ServerPlace:
    """The place of the server, which runs when this returns and for as long as this process does.

    Raises:
        InputError: the extra is not installed, or the server cannot be started: one line says why.
    """
    found = _running.get(os.getpid())
    if found is not None and _answers(found):
        return found
    found = place()
    _use(found)
    if not _answers(found) or not (found.data / _READY).exists():
        with _locked(found.lock):
            if not _answers(found) or not (found.data / _READY).exists():
                _make_and_start(found)
    _watch(found)
    _running[os.getpid()] = found
    return found


def address(at: ServerPlace, database: str, user: str = SESSION) -> Address:
    """The address at which a database of the server is reached."""
    return Address(str(at.socket), user, database)


def stop() -> bool:
    """Stop the server, whoever uses it; whether one ran."""
    at = place()
    with _locked(at.lock):
        pid = watcher.postmaster(at.data)
        return pid is not None and watcher.stop(pid, at.data)


def _use(at: ServerPlace) -> None:
    """Say that this process uses the server, until it ends."""
    if at.users not in _held:
        file = at.users.open("a+b")
        # Who stops an idle server holds the lock alone until it is down.
        fcntl.flock(file, fcntl.LOCK_SH)
        _held[at.users] = file


def _answers(at: ServerPlace) -> bool:
    try:
        Wire(address(at, "postgres", ADMIN)).close()
    except WireError:
        return False
    return True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_and_start(at: ServerPlace) -> None:
    """Start the server, its data made first; data on which it does not start are made anew, once."""
    made = (at.data / _READY).exists()
    try:
        if not made:
            _make(at)
        _start(at)
        if not made:
            _set_up(at)
    except _NotStartedError as error:
        if not made:
            raise InputError(f"PostgreSQL does not start: {error}") from None
        (at.data / _READY).unlink(missing_ok=True)
        _make_and_start(at)


class _NotStartedError(Exception):
    """The server or its data cannot be made; one line says why."""


def _make(at: ServerPlace) -> None:
    pid = watcher.postmaster(at.data)
    if pid is not None:
        watcher.stop(pid, at.data)
    shutil.rmtree(at.data, ignore_errors=True)
    at.data.mkdir(mode=0o700, parents=True)
    owner = owner_of(at.account)
    if owner is not None:
        os.chown(at.data, *owner)
    options = [part for item in CONFIGURATION.items() for part in ("-c", "=".join(item))]
    _run(at, ["initdb", "-D", str(at.data), *INITDB, *options])


def _start(at: ServerPlace) -> None:
    """Start the server on its data, as soon as what is left of one that was killed has gone."""
    at.log.touch(mode=0o600)
    if (owner := owner_of(at.account)) is not None:
        os.chown(at.log, *owner)
    deadline = time.monotonic() + _START_SECONDS
    while True:
        _forget_stale(at)
        at.log.write_bytes(b"")
        socket = str(at.socket).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        arguments = ["-D", str(at.data), "-l", str(at.log), "-s", "-w", "-t", "60", "-o", f'-k "{socket}"']
        try:
            _run(at, ["pg_ctl", "start", *arguments], memory=MEMORY_KILOBYTES)
        except _NotStartedError as error:
            said = at.log.read_text(errors="replace")
            if "still in use" not in said or time.monotonic() > deadline:
                raise _NotStartedError(_last_line(said) or str(error)) from None
            time.sleep(0.2)
        else:
            return


def _forget_stale(at: ServerPlace) -> None:
    """Remove the file that names a server which is gone: its number may be another process's by now."""
    if watcher.postmaster(at.data) is None:
        (at.data / "postmaster.pid").unlink(missing_ok=True)


def _set_up(at: ServerPlace) -> None:
    """Make roles and the database that is copied for each use."""
    try:
        with Wire(address(at, "postgres", ADMIN)) as wire:
            for statement in filter(None, map(str.strip, ROLES.split(";\n"))):
                wire.execute(statement)
        with Wire(address(at, TEMPLATE, ADMIN)) as wire:
            wire.execute(GRANTS)
    except WireError as error:
        raise InputError(f"PostgreSQL cannot be set up: {error}") from None
    (at.data / _READY).touch()


def _watch(at: ServerPlace) -> None:
    """Start a process that stops the server when nobody uses it, if there is none."""
    with at.watch.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
    files = [str(each) for each in (at.data, at.lock, at.users, at.watch)]
    script = [sys.executable, "-I", "-S", watcher.__file__, *files]
    # The shell ends at once: the watcher is nobody's child, and no signal of a terminal reaches it.
    _quietly(["/bin/sh", "-c", '"$@" >/dev/null 2>&1 </dev/null &', "sh", *script], start_new_session=True)


def _run(at: ServerPlace, command: Sequence[str], memory: int | None = None) -> None:
    """Run a program of PostgreSQL's under its account.

    Raises:
        _NotStartedError: it fails.
    """
    program = [str(at.programs / command[0]), *command[1:]]
    limit = f"ulimit -v {memory} 2>/dev/null; " if memory else ""
    owner = owner_of(at.account)
    found = _quietly(
        ["/bin/sh", "-c", limit + 'exec "$@"', "sh", *program],
        start_new_session=True,
        cwd="/",
        env={"LC_ALL": "C", "TZ": "UTC", "PATH": os.environ.get("PATH", os.defpath)},
        user=owner[0] if owner else None,
        group=owner[1] if owner else None,
        extra_groups=[] if owner else None,
    )
    if found is not None:
        raise _NotStartedError(f"{command[0]}: {found}")


def _quietly(command: Sequence[str], **options: object) -> str | None:
    """Run a command; None if it succeeds, or the last line of what it says.

    A server keeps its output open: a pipe would be read for as long as it runs.
    """
    with tempfile.TemporaryFile() as said:
        run: Callable[..., subprocess.CompletedProcess[bytes]] = subprocess.run
        try:
            code = run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False, **options)
        except OSError as error:
            return str(error)
        if not code.returncode:
            return None
        said.seek(0)
        return _last_line(said.read().decode(errors="replace")) or f"exit code {code.returncode}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if "FATAL" in line or "error" in line.lower()]
    return (fatal or lines or [""])[-1][:300]


_KEPT = 4
"""Connections that a process keeps when it gives them back."""
_TRIES = 50

_free: dict[int, list[Wire]] = {}
"""Connections that were given back, by process: a fork has no use for its parent's."""


def borrow() -> Wire:
    """A connection, outside of a transaction, to an empty database that no other connection uses.

    Raises:
        InputError: there is no server, or it refuses.
    """
    kept = _free.setdefault(os.getpid(), [])
    while kept:
        wire = kept.pop()
        if wire.is_alive():
            return wire
        wire.close()
    try:
        return _lent(running())
    except WireError as error:
        raise InputError(f"PostgreSQL: {error}") from None


def give_back(wire: Wire) -> None:
    """Roll back what a connection has made, and keep it for the next."""
    kept = _free.setdefault(os.getpid(), [])
    try:
        # All settings were local to the transaction; DISCARD would give up the lock.
        wire.execute("ROLLBACK")
    except WireError:
        wire.close()
        return
    if len(kept) < _KEPT:
        kept.append(wire)
    else:
        wire.close()


def _lent(at: ServerPlace) -> Wire:
    """A connection that has locked its database: one that is free, or a new one."""
    with Wire(address(at, "postgres", ADMIN)) as admin:
        for _ in range(_TRIES):
            names = admin.execute(_FREE).rows
            for (name,) in names or [(_created(admin),)]:
                wire = Wire(address(at, str(name)))
                if wire.execute("SELECT pg_try_advisory_lock(1)").rows == [("t",)]:
                    return wire
                wire.close()
    raise InputError("PostgreSQL: all databases are in use")


_FREE = """
SELECT datname FROM pg_database d WHERE datname LIKE 'equiv\\_db\\_%' AND datacl IS NOT NULL
  AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.database = d.oid)
ORDER BY length(datname), datname LIMIT 8
"""


def _created(admin: Wire) -> str:
    """The name of a new database; two that are made at once have two names."""
    taken = admin.execute("SELECT count(*) FROM pg_database").rows[0][0]
    for number in range(int(taken or 0), 10_000):
        name = f"equiv_db_{number}"
        try:
            admin.execute(f"CREATE DATABASE {name} OWNER {SESSION} TEMPLATE {TEMPLATE}")
        except WireError as error:
            if error.code in _EXISTS:
                continue
            raise
        # Only a database with rights of its own is lent: one whose maker was killed here is not.
        admin.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
        admin.execute(f"GRANT CREATE ON DATABASE {name} TO {AUTHOR}")
        return name
    raise InputError("PostgreSQL: too many databases")


_EXISTS = ("42P04", "23505")
"""Such a database exists, or comes to exist."""
