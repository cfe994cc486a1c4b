"""Other texts of the same query: what a near miss is compared with need not have its shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_AFTER = "WHERE|JOIN|LEFT|RIGHT|FULL|CROSS|GROUP|ORDER|ON|LIMIT|UNION|EXCEPT|INTERSECT"
TABLE = re.compile(rf"\b(FROM|JOIN) (\w+)(?: AS (\w+))?(?= (?:{_AFTER})\b|\)|$)")
CONDITION = re.compile(r"\b(WHERE|HAVING|ON) ")

Disguise = Callable[[str, Random], str]


def disguised(sql: str, random: Random) -> str:
    """The query with its rows said otherwise; order at top level may be lost."""
    for _ in range(random.choice((1, 1, 2))):
        sql = random.choice(DISGUISES)(sql, random)
    return sql


def _is_plain(sql: str) -> bool:
    return not sql.startswith("WITH")


def _replaced(
    sql: str, pattern: re.Pattern[str], random: Random, make: Callable[[re.Match[str]], str]
) -> str:
    places = list(pattern.finditer(sql))
    if not places:
        return sql
    place = random.choice(places)
    return sql[: place.start()] + make(place) + sql[place.end() :]


def _wrapped_table(sql: str, random: Random) -> str:
    """A table as a derived one."""
    names = set(re.findall(r"\b(\w+) AS \(", sql))
    inner = random.choice(
        ("SELECT * FROM {0}", "SELECT * FROM {0} WHERE 1 = 1", "SELECT * FROM {0} WHERE NOT 1 = 0")
    )

    def make(place: re.Match[str]) -> str:
        word, table, alias = place.groups()
        return place[0] if table in names else f"{word} ({inner.format(table)}) AS {alias or table}"

    return _replaced(sql, TABLE, random, make)


def _idle_condition(sql: str, random: Random) -> str:
    return _replaced(
        sql, CONDITION, random, lambda m: f"{m[1]} {random.choice(('1 = 1', '1', 'NOT 1 = 0'))} AND "
    )


DISGUISES: tuple[Disguise, ...] = (
    lambda sql, random: f"SELECT * FROM ({sql}) AS w",
    lambda sql, random: f"WITH w AS ({sql}) SELECT * FROM w" if _is_plain(sql) else sql,
    lambda sql, random: f"SELECT * FROM ({sql}) AS w WHERE EXISTS (SELECT 1)",
    lambda sql, random: f"SELECT DISTINCT * FROM ({sql}) AS w" if "DISTINCT" in sql else sql,
    _wrapped_table,
    _wrapped_table,
    _idle_condition,
)
