"""Random SQL around aggregates: groups in groups, HAVING, FILTER, DISTINCT, scalar subqueries, unions."""

from __future__ import annotations

from random import Random

_KEYS = ("a", "b", "d")


def random_query(random: Random) -> str:
    """A query without a choice: no bare columns, no ties that show."""
    match random.randrange(7):
        case 0:
            listed = f"{_aggregate(random, 'q.')}, {_aggregate(random, 'q.')}"
            return f"SELECT {listed} FROM {_table(random)} AS q{_where(random, 'q')}"
        case 1 | 2:
            return _grouped(random)
        case 3 | 4:
            return _regrouped(random)
        case 5:
            inner = f"SELECT {_aggregate(random, 'p.')} FROM {_table(random)} AS p{_where(random, 'p', 'q')}"
            return f"SELECT q.b, ({inner}) FROM {_table(random)} AS q"
    way = random.choice(("", " DESC"))
    value = random.choice(("p.a", "p.x", "p.b", "p.d", "p.a + p.b"))
    inner = (
        f"SELECT {value} FROM {_table(random)} AS p{_where(random, 'p', 'q')} ORDER BY {value}{way} LIMIT 1"
    )
    return f"SELECT q.b, ({inner}) FROM {_table(random)} AS q"


def _table(random: Random) -> str:
    return random.choice(("t", "t", "s", "(SELECT * FROM t UNION ALL SELECT * FROM s)"))


def _number(random: Random, row: str) -> str:
    leaf = row + random.choice(("a", "a", "b", "x"))
    match random.randrange(9):
        case 0:
            return f"{leaf} * {random.choice((2, -1, 0))}"
        case 1:
            return f"{leaf} + {row}b"
        case 2:
            return f"CASE WHEN {_test(random, row)} THEN {leaf} END"
        case 3:
            return f"CASE WHEN {_test(random, row)} THEN 1 ELSE 0 END"
        case 4:
            return _test(random, row)
        case 5:
            return f"COALESCE({leaf}, 0)"
        case 6:
            return "1"
    return leaf


def _test(random: Random, row: str) -> str:
    column = row + random.choice("abd")
    value = "'a'" if column.endswith("d") else str(random.choice((0, 1, 2)))
    return random.choice(
        (f"{column} = {value}", f"{column} >= {value}", f"{column} IS NOT NULL", f"{column} <> {value}")
    )


def _aggregate(random: Random, row: str) -> str:
    function = random.choice(("COUNT", "SUM", "SUM", "AVG", "MIN", "MAX", "TOTAL"))
    argument = _number(random, row)
    distinct = "DISTINCT " if random.random() < 0.2 else ""
    found = "COUNT(*)" if random.random() < 0.15 else f"{function}({distinct}{argument})"
    if random.random() < 0.2:
        found += f" FILTER (WHERE {_test(random, row)})"
    return f"COALESCE({found}, 0)" if random.random() < 0.1 else found


def _where(random: Random, row: str, outer: str = "") -> str:
    parts = []
    if random.random() < 0.4:
        parts.append(_test(random, row + "."))
    if outer and random.random() < 0.8:
        key = random.choice("abd")
        parts.append(f"{row}.{key} {random.choice(('=', 'IS'))} {outer}.{key}")
    if random.random() < 0.15:
        parts.append(f"EXISTS (SELECT 1 FROM s AS e WHERE e.b = {row}.a)")
    return " WHERE " + " AND ".join(parts) if parts else ""


def _from(random: Random) -> tuple[str, list[str]]:
    if random.random() < 0.7:
        return f"{_table(random)} AS q", ["q."]
    way = random.choice(("JOIN", "LEFT JOIN"))
    return f"t AS q {way} s AS p ON q.{random.choice('ab')} = p.b", ["q.", "p."]


def _grouped(random: Random) -> str:
    source, rows = _from(random)
    keys = random.sample(_KEYS, random.choice((1, 1, 2)))
    having = (
        f" HAVING {_aggregate(random, rows[-1])} > {random.choice((0, 1))}" if random.random() < 0.4 else ""
    )
    listed = ", ".join(f"q.{key}" for key in keys)
    where = _where(random, "q")
    return f"SELECT {listed}, {_aggregate(random, rows[-1])} FROM {source}{where} GROUP BY {listed}{having}"


def _regrouped(random: Random) -> str:
    source, rows = _from(random)
    keys = random.sample(_KEYS, 2)
    listed = ", ".join(f"q.{key}" for key in keys)
    having = (
        f" HAVING {_aggregate(random, rows[-1])} > {random.choice((0, 1))}" if random.random() < 0.3 else ""
    )
    named = ", ".join(f"q.{key} AS k{n}" for n, key in enumerate(keys))
    values = f"{_aggregate(random, rows[-1])} AS v, {_aggregate(random, rows[0])} AS w"
    inner = f"SELECT {named}, {values} FROM {source}{_where(random, 'q')} GROUP BY {listed}{having}"
    outer = [
        f"{random.choice(('SUM', 'SUM', 'COUNT', 'MIN', 'MAX', 'AVG', 'TOTAL'))}(g.{each})" for each in "vw"
    ]
    if random.random() < 0.3:
        outer.append(f"SUM(g.v * {random.choice(('g.w', '2', 'g.k0'))})" if "d" not in keys else "COUNT(*)")
    if random.random() < 0.5:
        return f"SELECT {', '.join(outer)} FROM ({inner}) AS g"
    return f"SELECT g.k0, {', '.join(outer)} FROM ({inner}) AS g GROUP BY g.k0"
