"""Random pairs of queries that are equivalent or nearly so: two ways to say a thing, one of them maybe wrong.

Each family writes one intention in several ways, the traps of SQL among them (NULL, duplicates, ties, empty
groups, integer division, affinity); a pair takes two of these ways, wraps both alike, and may change one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from drawing.phrases import MUTATIONS
from drawing.rare_constructs import Corners
from drawing.ways import aggregates, joins, membership, nested, orders, scalars, sets
from drawing.words import Words

FAMILIES: tuple[Callable[[Words], list[str]], ...] = (
    membership.membership,
    membership.absence,
    aggregates.counting,
    aggregates.averages,
    aggregates.percentages,
    orders.extremes,
    aggregates.group_names,
    aggregates.thresholds,
    sets.set_operations,
    orders.windows,
    scalars.predicates,
    scalars.predicates,
    scalars.scalars,
    scalars.scalars,
    joins.redundant_joins,
    joins.self_joins,
    orders.orders,
    nested.nested,
    nested.scalar_subqueries,
    aggregates.division,
    sets.duplicates,
    aggregates.bare_columns,
    joins.outer_joins,
    joins.fan_out,
    orders.choices,
    membership.pairs_of_rows,
    joins.chains,
)


class Pairs:
    """Makes pairs."""

    def __init__(self, random: Random) -> None:
        self.words = Words(random)

    def pair(self) -> tuple[str, str, str]:
        """The name of a family, and two queries of it."""
        if self.words.chance(0.12):
            sql = Corners(self.words.random).query()
            return "corner", sql, self.mutant(sql)
        family = self.words.random.choice(FAMILIES)
        ways = list(dict.fromkeys(family(self.words)))
        if len(ways) < 2:
            ways *= 2
        left, right = self.words.random.sample(ways, 2)
        if self.words.chance(0.45):
            wrap = self.wrapper()
            left, right = wrap(left), wrap(right)
        if self.words.chance(0.15):
            right = self.mutant(right if self.words.chance(0.5) else left)
        return family.__name__, left, right

    def wrapper(self) -> Callable[[str], str]:
        """Something that reads a query, the same for both sides."""
        wraps: tuple[Callable[[str], str], ...] = (
            lambda q: f"SELECT * FROM ({q})",
            lambda q: f"SELECT DISTINCT * FROM ({q})",
            lambda q: f"SELECT COUNT(*) FROM ({q})",
            lambda q: f"WITH w AS ({q}) SELECT * FROM w",
            lambda q: f"SELECT g.id FROM g WHERE EXISTS (SELECT 1 FROM ({q}))",
            lambda q: f"SELECT g.id FROM g WHERE g.n IN (SELECT v0.c0 FROM ({named(q)}) AS v0)",
            lambda q: f"SELECT g.id FROM g WHERE g.n NOT IN (SELECT v0.c0 FROM ({named(q)}) AS v0)",
            lambda q: f"SELECT v0.c0 FROM ({named(q)}) AS v0 WHERE v0.c0 > 1",
            lambda q: f"SELECT MAX(v0.c0), COUNT(v0.c0), COUNT(*) FROM ({named(q)}) AS v0",
            lambda q: f"SELECT SUM(v0.c0), COUNT(DISTINCT v0.c0) FROM ({named(q)}) AS v0",
            lambda q: f"SELECT v0.c0, COUNT(*) FROM ({named(q)}) AS v0 GROUP BY v0.c0",
            lambda q: f"SELECT g.id, v0.c0 FROM g JOIN ({named(q)}) AS v0 ON v0.c0 = g.n",
            lambda q: f"SELECT g.id, v0.c0 FROM g LEFT JOIN ({named(q)}) AS v0 ON v0.c0 = g.n",
            lambda q: f"SELECT * FROM ({q}) ORDER BY 1",
            lambda q: f"SELECT * FROM ({q}) ORDER BY 1 DESC LIMIT 1",
            lambda q: f"SELECT * FROM ({q}) UNION SELECT * FROM ({q})",
        )
        return self.words.random.choice(wraps)

    def mutant(self, sql: str) -> str:
        """The query with one small change."""
        changes = [(old, new) for old, new in MUTATIONS if re.search(old, sql)]
        if not changes:
            return sql
        old, new = self.words.random.choice(changes)
        places = list(re.finditer(old, sql))
        place = self.words.random.choice(places)
        return sql[: place.start()] + place.expand(new) + sql[place.end() :]


def named(sql: str) -> str:
    """The query with its first column named ``c0``, where it has a name that can be changed."""
    start = re.match(r"SELECT (DISTINCT )?(?!\*)", sql)
    if start is None:
        return sql
    depth = 0
    for place in range(start.end(), len(sql)):
        depth += (sql[place] == "(") - (sql[place] == ")")
        if depth == 0 and (
            sql[place] == "," or re.match(r" (FROM|AS|UNION|EXCEPT|INTERSECT)\b", sql[place:])
        ):
            rest = re.sub(r"^ AS \w+", "", sql[place:])
            return f"{sql[:place]} AS c0{rest}"
    return f"{sql} AS c0"
