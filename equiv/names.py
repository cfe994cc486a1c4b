"""Names of tables, columns and whatever else a query names, quoted, and compared as engines compare them.

SQLite and DuckDB ignore the case of ASCII letters, and of no others; PostgreSQL puts those of a name without
quotes into lower case as it reads it, and compares exactly afterwards.  To Python's ``lower`` the names
``é`` and ``É`` are one, and so are ``k`` and the sign of the kelvin: to engines they are two.
"""

from __future__ import annotations

import re
from collections import UserDict
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import TypeVar

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)

Named = TypeVar("Named")


def fold(name: str) -> str:
    """The form in which names are one if engines take them for one."""
    return name.lower() if name.isascii() else name.translate(_SMALL)


def folded(names: Iterable[str]) -> frozenset[str]:
    """Names in the form of :func:`fold`."""
    return frozenset(map(fold, names))


def is_same(one: str, other: str) -> bool:
    """Whether two names are one."""
    return one == other or fold(one) == fold(other)


class NameMap(UserDict[str, Named]):
    """A mapping by name, however the name is spelt."""

    def __getitem__(self, name: str) -> Named:
        return self.data[fold(name)]

    def __setitem__(self, name: str, named: Named) -> None:
        self.data[fold(name)] = named

    def __delitem__(self, name: str) -> None:
        del self.data[fold(name)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and fold(name) in self.data


class UniqueNames:
    """Gives names that were not given before, letters of either case alike.

    Args:
        taken: names that mean something else.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*folded(taken)}

    def fresh(self, wanted: str) -> str:
        """A name like the one that is wanted."""
        name, count = wanted, 1
        while fold(name) in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(fold(name))
        return name


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEYWORDS = frozenset(
    """ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN
    BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC
    DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FALSE
    FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE
    IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST
    LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR
    ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE
    REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
    SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER TRUE UNBOUNDED UNION
    UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT""".split()  # noqa: SIM905
)


@lru_cache(maxsize=4096)
def quoted(name: str) -> str:
    """A name as SQL, in double quotes if it needs them."""
    if _PLAIN.match(name) and name.upper() not in _KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def quoted_name(name: str) -> str:
    """The name in quotes, whatever it is: dialects have reserved words of their own."""
    return '"' + name.replace('"', '""') + '"'
