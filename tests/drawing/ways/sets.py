"""One set operation, or rows without duplicates, in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.words import Words


def set_operations(say: Words) -> list[str]:
    table = say.table()
    show = say.pick(
        say.key(table, "o"),
        say.column(table, "o"),
        f"{say.key(table, 'o')}, {say.column(table, 'o')}",
    )
    p, q = say.condition(table, "o"), say.condition(table, "o")
    start = f"SELECT {show} FROM {table} AS o WHERE"
    other = show.split(",")[0]
    inner = other.replace("o.", "i.")
    qi = q.replace("o.", "i.")
    union = [
        f"{start} {p} UNION {start} {q}",
        f"{start} {p} UNION ALL {start} {q}",
        f"{start} ({p}) OR ({q})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) OR ({q})",
        f"{start} {p} UNION ALL {start} ({q}) AND NOT ({p})",
        f"{start} {p} UNION ALL {start} ({q}) AND ({p}) IS NOT TRUE",
        f"SELECT DISTINCT * FROM ({start} {p} UNION ALL {start} {q})",
        f"{start} CASE WHEN {p} THEN 1 WHEN {q} THEN 1 ELSE 0 END",
    ]
    both = [
        f"{start} {p} INTERSECT {start} {q}",
        f"{start} ({p}) AND ({q})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND ({q})",
        f"{start} ({p}) AND {other} IN (SELECT {inner} FROM {table} AS i WHERE {qi})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} = {other} AND {qi})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} IS {other} AND {qi})",
        f"SELECT {show} FROM {table} AS o JOIN {table} AS i ON {inner} = {other} WHERE ({p}) AND ({qi})",
        f"{start} {p} EXCEPT {start} NOT ({q})",
    ]
    less = [
        f"{start} {p} EXCEPT {start} {q}",
        f"{start} ({p}) AND NOT ({q})",
        f"{start} ({p}) AND ({q}) IS NOT TRUE",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT ({q})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND ({q}) IS NOT TRUE",
        f"{start} ({p}) AND {other} NOT IN (SELECT {inner} FROM {table} AS i WHERE {qi})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} IS {other} AND {qi})",
        f"SELECT DISTINCT {show} FROM {table} AS o WHERE ({p}) AND NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {inner} = {other} AND {qi})",
    ]
    return say.random.choice((union, both, less))


def duplicates(say: Words) -> list[str]:
    table = say.table()
    show = say.pick(
        say.key(table, "o"),
        say.column(table, "o"),
        f"{say.column(table, 'o')}, {say.column(table, 'o')}",
    )
    p = say.condition(table, "o")
    base = f"FROM {table} AS o WHERE {p}"
    first = show.split(",")[0]
    return [
        f"SELECT {show} {base}",
        f"SELECT DISTINCT {show} {base}",
        f"SELECT {show} {base} GROUP BY {show}",
        f"SELECT {show} {base} GROUP BY {first}",
        f"SELECT {show} {base} UNION SELECT {show} {base}",
        f"SELECT {show} {base} INTERSECT SELECT {show} {base}",
        f"SELECT * FROM (SELECT DISTINCT {show} {base})",
        f"SELECT {show} {base} AND {first} IN (SELECT {first.replace('o.', 'i.')} FROM {table} AS i)",
        f"SELECT DISTINCT {show} {base} GROUP BY {show} HAVING COUNT(*) > 0",
        f"SELECT {show} {base} LIMIT 1",
        f"SELECT MIN({first}) {base} GROUP BY {first}",
    ]
