"""One extreme, first row or window in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.words import Words


def extremes(say: Words) -> list[str]:
    table = say.table()
    x = say.column(table, "o")
    p = say.condition(table, "o") if say.chance(0.4) else "1 = 1"
    inner = p.replace("o.", "i.")
    y = x.replace("o.", "i.")
    high = say.chance(0.6)
    call, way, more = ("MAX", "DESC", ">") if high else ("MIN", "ASC", "<")
    values = [
        f"SELECT {call}({x}) FROM {table} AS o WHERE {p}",
        f"SELECT {x} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1",
        f"SELECT {x} FROM {table} AS o WHERE {p} AND {x} IS NOT NULL ORDER BY {x} {way} LIMIT 1",
        f"SELECT (SELECT {x} FROM {table} AS o WHERE {p} AND NOT {x} IS NULL ORDER BY {x} {way} LIMIT 1)",
        f"SELECT (SELECT {x} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1)",
        f"SELECT (SELECT {call}({x}) FROM {table} AS o WHERE {p})",
        f"SELECT DISTINCT {x} FROM {table} AS o WHERE {p} AND {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
        f"SELECT {call}({x}) FROM {table} AS o WHERE {p} HAVING COUNT({x}) > 0",
        f"SELECT {call}(q.v) FROM (SELECT DISTINCT {x} AS v FROM {table} AS o WHERE {p}) AS q",
    ]
    show = say.pick(say.column(table, "o"), say.key(table, "o"), f"{say.key(table, 'o')}, {x}")
    rows = [
        f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
        f"SELECT {show} FROM {table} AS o WHERE {x} = (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
        f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} IN (SELECT {call}({y}) FROM {table} AS i WHERE {inner})",
        f"SELECT {show} FROM {table} AS o WHERE {p} ORDER BY {x} {way} LIMIT 1",
        (
            f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} = (SELECT {y} FROM {table} AS i WHERE {inner}"
            f" ORDER BY {y} {way} LIMIT 1)"
        ),
        f"SELECT {show} FROM {table} AS o WHERE {p} AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} AND {y} {more} {x})",
        (
            f"SELECT {show} FROM {table} AS o WHERE {p} AND {x} IS NOT NULL AND NOT EXISTS"
            f" (SELECT 1 FROM {table} AS i WHERE {inner} AND {y} {more} {x})"
        ),
        (
            f"SELECT {show} FROM {table} AS o JOIN (SELECT {call}({y}) AS v FROM {table} AS i WHERE {inner}) AS q"
            f" ON q.v = {x} WHERE {p}"
        ),
        (
            f"WITH q AS (SELECT {call}({y}) AS v FROM {table} AS i WHERE {inner}) SELECT {show} FROM {table} AS o, q"
            f" WHERE {x} = q.v AND {p}"
        ),
        (
            f"SELECT {show} FROM (SELECT o.*, RANK() OVER (ORDER BY {x} {way}) AS rk FROM {table} AS o WHERE {p}) AS o"
            " WHERE o.rk = 1"
        ),
        f"SELECT {show} FROM {table} AS o WHERE {p} AND (SELECT COUNT(*) FROM {table} AS i WHERE {inner} AND {y} {more} {x}) = 0",
        f"SELECT {show} FROM {table} AS o WHERE {p} GROUP BY {say.key(table, 'o')} ORDER BY {call}({x}) {way} LIMIT 1",
        f"SELECT {show}, MAX({x}) FROM {table} AS o WHERE {p}"
        if say.chance(0.1)
        else f"SELECT {show} FROM {table} AS o WHERE {p} ORDER BY {x} {way}, {say.key(table, 'o')} LIMIT 1",
    ]
    return values if say.chance(0.4) else rows


def orders(say: Words) -> list[str]:
    table = say.table()
    x, y = say.column(table, "o"), say.column(table, "o")
    key = say.key(table, "o")
    p = say.where(table, "o", 0.3)
    cut = say.pick("", "", " LIMIT 1", " LIMIT 2", " LIMIT 1 OFFSET 1", " LIMIT 10")
    start = (
        f"SELECT {say.pick('', 'DISTINCT ')}{say.pick(x, f'{x}, {y}', f'{key}, {x}')} FROM {table} AS o{p}"
    )
    keys = [
        x,
        f"{x} ASC",
        f"{x} DESC",
        f"-{x}",
        f"-{x} DESC",
        f"{x}, {y}",
        f"{y}, {x}",
        f"{x}, {key}",
        f"{x} NULLS LAST",
        f"{x} IS NULL, {x}",
        f"{x} IS NOT NULL, {x}",
        f"{x} DESC NULLS LAST",
        f"{x} + 0",
        f"{x}, {x} DESC",
        f"{x}, {y}, {key}",
        f"CAST({x} AS REAL)",
        f"COALESCE({x}, 0)",
        "1",
        "1, 2" if "," in start else "1",
        f"{key}, {x}",
        key,
        f"UPPER({x})",
        f"CASE WHEN {x} IS NULL THEN 0 ELSE 1 END, {x}",
    ]
    return [f"{start} ORDER BY {k}{cut}" for k in keys] + [start + cut]


def choices(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    x, y = say.column(child, "i"), say.column(child, "i")
    on = f"i.{fk} = o.{key}"
    way = say.pick("", " DESC")
    shown = say.column(parent, "o")
    inner = f"FROM {child} AS i WHERE {on}"
    rank = f"SELECT i.{fk} AS k, {x} AS v, ROW_NUMBER() OVER (PARTITION BY i.{fk} ORDER BY {y}{way}) AS n FROM {child} AS i"
    return [
        f"SELECT {shown}, (SELECT {x} {inner}) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT {x} {inner} LIMIT 1) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {y}{way} LIMIT 1) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {x}{way} LIMIT 1) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT {x} {inner} ORDER BY {y}{way}, {x} LIMIT 1) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT MAX({x}) {inner}) FROM {parent} AS o",
        f"SELECT {shown}, (SELECT MIN({x}) {inner} ) FROM {parent} AS o",
        f"SELECT {shown}, q.v FROM {parent} AS o JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n = 1",
        f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} AND q.n = 1",
        f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} AND q.n <= 1",
        f"SELECT {shown}, q.v FROM {parent} AS o LEFT JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n = 1",
        f"SELECT {shown}, q.v FROM {parent} AS o JOIN ({rank}) AS q ON q.k = o.{key} WHERE q.n < 2",
        f"SELECT {shown}, {x} FROM {parent} AS o JOIN {child} AS i ON {on} GROUP BY o.{key}",
        f"SELECT {shown}, {x} FROM {parent} AS o LEFT JOIN {child} AS i ON {on} GROUP BY o.{key}",
    ]


def windows(say: Words) -> list[str]:
    table = say.table()
    x, k = say.column(table, "o"), say.column(table, "o")
    show = say.pick(say.key(table, "o"), x, f"{k}, {x}")
    name = show.split(",")[0]
    same = f"i.{k[2:]} = {k}"
    totals = [
        f"SELECT {name}, COUNT(*) OVER (PARTITION BY {k}) FROM {table} AS o",
        f"SELECT {name}, COUNT({x}) OVER (PARTITION BY {k}) FROM {table} AS o",
        f"SELECT {name}, SUM(1) OVER (PARTITION BY {k}) FROM {table} AS o",
        f"SELECT {name}, (SELECT COUNT(*) FROM {table} AS i WHERE {same}) FROM {table} AS o",
        f"SELECT {name}, (SELECT COUNT(*) FROM {table} AS i WHERE {same.replace('=', 'IS')}) FROM {table} AS o",
        f"SELECT {name}, q.n FROM {table} AS o JOIN (SELECT {k} AS v, COUNT(*) AS n FROM {table} AS o GROUP BY {k}) AS q ON q.v = {k}",
        f"SELECT {name}, q.n FROM {table} AS o JOIN (SELECT {k} AS v, COUNT(*) AS n FROM {table} AS o GROUP BY {k}) AS q ON q.v IS {k}",
        f"SELECT {name}, COUNT(*) FROM {table} AS o GROUP BY {k}",
    ]
    maxima = [
        f"SELECT {show} FROM (SELECT o.*, MAX({x}) OVER (PARTITION BY {k}) AS m FROM {table} AS o) AS o WHERE {x} = o.m",
        f"SELECT {show} FROM (SELECT o.*, RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m = 1",
        f"SELECT {show} FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m = 1",
        f"SELECT {show} FROM (SELECT o.*, DENSE_RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC) AS m FROM {table} AS o) AS o WHERE o.m <= 1",
        f"SELECT {show} FROM {table} AS o WHERE {x} = (SELECT MAX(i.{x[2:]}) FROM {table} AS i WHERE {same})",
        f"SELECT {show} FROM {table} AS o JOIN (SELECT {k} AS v, MAX({x}) AS m FROM {table} AS o GROUP BY {k}) AS q ON q.v = {k} AND q.m = {x}",
        f"SELECT {show} FROM {table} AS o WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {same} AND i.{x[2:]} > {x})",
        f"SELECT {show} FROM (SELECT o.*, RANK() OVER (PARTITION BY {k} ORDER BY {x} DESC NULLS LAST) AS m FROM {table} AS o) AS o WHERE o.m = 1",
    ]
    return say.random.choice((totals, maxima))
