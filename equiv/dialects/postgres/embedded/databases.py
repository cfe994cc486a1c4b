"""Databases of the embedded server, each lent to one connection at a time.

What a connection makes, it makes in one transaction, which is rolled back: a database is empty whenever it is
lent.  A lock of the server's says who has it, and goes with the connection, however that ends; so names of
schemas and tables are free, and nobody waits for anybody.
"""

from __future__ import annotations

import os

from equiv.dialects.postgres.embedded import server, settings
from equiv.dialects.postgres.embedded.place import Place
from equiv.dialects.postgres.embedded.wire import Wire, WireError
from equiv.errors import InputError

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
        return _lent(server.running())
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


def _lent(at: Place) -> Wire:
    """A connection that has locked its database: one that is free, or a new one."""
    with Wire(server.address(at, "postgres", settings.ADMIN)) as admin:
        for _ in range(_TRIES):
            names = admin.execute(_FREE).rows
            for (name,) in names or [(_created(admin),)]:
                wire = Wire(server.address(at, str(name)))
                if wire.execute("SELECT pg_try_advisory_lock(1)").rows == [("t",)]:
                    return wire
                wire.close()
    raise InputError("PostgreSQL: no database is free")


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
            admin.execute(f"CREATE DATABASE {name} OWNER {settings.SESSION} TEMPLATE {settings.TEMPLATE}")
        except WireError as error:
            if error.code in _EXISTS:
                continue
            raise
        # Only a database with rights of its own is lent: one whose maker was killed here is not.
        admin.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
        admin.execute(f"GRANT CREATE ON DATABASE {name} TO {settings.AUTHOR}")
        return name
    raise InputError("PostgreSQL: too many databases")


_EXISTS = ("42P04", "23505")
"""Such a database exists, or comes to exist."""
