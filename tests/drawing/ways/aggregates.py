"""One count, average, share or total in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.words import Words


def counting(say: Words) -> list[str]:
    table = say.table()
    first, second = say.conditions(table, "o"), ""
    p = first[0]
    q = say.random.choice(first)
    x = say.column(table, "o")
    group = say.column(table, "o") if say.chance(0.5) else ""
    start = f"SELECT {group}, " if group else "SELECT "
    second = say.condition(table, "o") if say.chance(0.4) else "1 = 1"
    end = f" FROM {table} AS o WHERE {second}" + (f" GROUP BY {group}" if group else "")
    calls = [
        f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END)",
        f"SUM(CASE WHEN {p} THEN 1 END)",
        f"COUNT(CASE WHEN {q} THEN 1 END)",
        f"COUNT(CASE WHEN {p} THEN {x} END)",
        f"COUNT(*) FILTER (WHERE {q})",
        f"COUNT({x}) FILTER (WHERE {p})",
        f"SUM({p})",
        f"SUM(IIF({q}, 1, 0))",
        f"COALESCE(SUM({p}), 0)",
        f"COALESCE(SUM(CASE WHEN {q} THEN 1 ELSE 0 END), 0)",
        f"TOTAL({p})",
        f"COUNT(NULLIF({p}, 0))",
        f"COUNT(*) - SUM(CASE WHEN NOT ({p}) THEN 1 ELSE 0 END)",
        f"COUNT(*) - COUNT(*) FILTER (WHERE NOT ({p}))",
        f"COUNT(DISTINCT CASE WHEN {q} THEN {say.key(table, 'o')} END)",
    ]
    found = [start + call + end for call in calls]
    if group:
        found += [f"{start}COUNT(*) FROM {table} AS o WHERE {second} AND {p} GROUP BY {group}"] * 2
        inner = f"SELECT COUNT(*) FROM {table} AS i WHERE {p} AND i.{group[2:]}".replace("o.", "i.")
        found += [
            f"SELECT DISTINCT {group}, ({inner} {same} {group} AND {second.replace('o.', 'i.')}) FROM {table} AS o WHERE {second}"
            for same in ("=", "IS")
        ]
    else:
        found += [f"SELECT COUNT(*) FROM {table} AS o WHERE {second} AND ({c})" for c in (p, q)]
        found += [f"SELECT SUM(1) FROM {table} AS o WHERE {second} AND ({p})"]
        found += [f"SELECT COUNT(*) FROM (SELECT 1 FROM {table} AS o WHERE {second} AND ({q}))"]
        found += [f"SELECT COUNT({x}) FROM {table} AS o WHERE {second} AND ({p})"]
    return found


def averages(say: Words) -> list[str]:
    table = say.table()
    x = say.column(table, "o", "irf")
    p = say.condition(table, "o")
    value = say.pick(x, x, f"CASE WHEN {p} THEN {x} END", f"CASE WHEN {p} THEN 1 ELSE 0 END", f"({p})")
    where = say.where(table, "o", 0.4)
    group = f" GROUP BY {say.column(table, 'o')}" if say.chance(0.4) else ""
    calls = [
        f"AVG({value})",
        f"SUM({value}) * 1.0 / COUNT({value})",
        f"1.0 * SUM({value}) / COUNT(*)",
        f"SUM({value}) / COUNT({value})",
        f"CAST(SUM({value}) AS REAL) / COUNT({value})",
        f"SUM({value}) / CAST(COUNT({value}) AS REAL)",
        f"TOTAL({value}) / COUNT({value})",
        f"TOTAL({value}) / COUNT(*)",
        f"SUM(CAST({value} AS REAL)) / COUNT(*)",
        f"AVG(CAST({value} AS REAL))",
        f"AVG({value} * 1.0)",
        f"SUM(1.0 * {value}) / COUNT({value})",
        f"SUM({value}) / (COUNT({value}) * 1.0)",
        f"AVG(COALESCE({value}, 0))",
        f"AVG({value}) FILTER (WHERE {value} IS NOT NULL)",
        f"SUM({value}) / SUM({value} IS NOT NULL)",
        f"AVG({value}) + 0",
        f"AVG(DISTINCT {value})",
    ]
    return [f"SELECT {call} FROM {table} AS o{where}{group}" for call in calls]


def percentages(say: Words) -> list[str]:
    table = say.table()
    p = say.condition(table, "o")
    q = say.pick("1", say.key(table, "o"), say.column(table, "o"))
    group = f" GROUP BY {say.column(table, 'o')}" if say.chance(0.3) else ""
    calls = [
        f"100.0 * SUM(CASE WHEN {p} THEN 1 ELSE 0 END) / COUNT({q})",
        f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END) * 100 / COUNT({q})",
        f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END) / COUNT(*) * 100",
        f"CAST(SUM(CASE WHEN {p} THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*)",
        f"CAST(COUNT(CASE WHEN {p} THEN {q} END) AS REAL) / COUNT({q}) * 100",
        f"AVG(CASE WHEN {p} THEN 100.0 ELSE 0 END)",
        f"AVG(CASE WHEN {p} THEN 1 ELSE 0 END) * 100",
        f"AVG({p}) * 100",
        f"100.0 * COUNT(*) FILTER (WHERE {p}) / COUNT(*)",
        f"SUM({p}) * 100.0 / COUNT(*)",
        f"AVG(CASE WHEN {p} THEN 1 END) * 100",
        f"(SELECT COUNT(*) FROM {table} AS o WHERE {p}) * 100.0 / (SELECT COUNT(*) FROM {table})",
    ]
    return [f"SELECT {call} FROM {table} AS o{group}" for call in calls]


def group_names(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    name = say.column(parent, "o")
    on = f"i.{fk} = o.{key}"
    where = say.where(child, "i", 0.3)
    own = say.key(child, "i")
    x = say.column(child, "i", "ir")
    call, other = say.random.sample(
        (
            "COUNT(*)",
            f"COUNT({own})",
            f"COUNT(i.{fk})",
            f"COUNT({x})",
            f"SUM({x})",
            f"COUNT(DISTINCT {own})",
            "COUNT(1)",
        ),
        2,
    )
    found = []
    for each in (call, other):
        for join in ("JOIN", "LEFT JOIN"):
            base = f"FROM {parent} AS o {join} {child} AS i ON {on}{where}"
            found += [
                f"SELECT {name}, {each} {base} GROUP BY {g}"
                for g in (f"o.{key}", name, f"o.{key}, {name}", f"i.{fk}")
            ]
    grouped = f"SELECT i.{fk} AS v, {call} AS n FROM {child} AS i{where} GROUP BY i.{fk}"
    both = " AND " if where else " WHERE "
    found += [
        f"SELECT {name}, q.n FROM {parent} AS o JOIN ({grouped}) AS q ON q.v = o.{key}",
        f"SELECT {name}, q.n FROM {parent} AS o LEFT JOIN ({grouped}) AS q ON q.v = o.{key}",
        f"SELECT {name}, COALESCE(q.n, 0) FROM {parent} AS o LEFT JOIN ({grouped}) AS q ON q.v = o.{key}",
        f"SELECT {name}, (SELECT {call} FROM {child} AS i{where}{both}{on}) FROM {parent} AS o",
        f"SELECT {name}, {call} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}{where} GROUP BY i.{fk}",
        f"SELECT (SELECT {name} FROM {parent} AS o WHERE {on}), {call} FROM {child} AS i{where} GROUP BY i.{fk}",
    ]
    return found


def thresholds(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    own = say.key(child, "i")
    x = say.column(child, "i")
    n = say.random.choice((0, 1, 1, 2))
    p = say.condition(child, "i") if say.chance(0.4) else "1 = 1"
    base = f"FROM {child} AS i WHERE {p}"
    found = [
        f"SELECT i.{fk} {base} GROUP BY i.{fk} HAVING {call}"
        for call in (
            f"COUNT(*) > {n}",
            f"COUNT(*) >= {n + 1}",
            f"COUNT({own}) > {n}",
            f"COUNT(i.{fk}) > {n}",
            f"COUNT(DISTINCT {own}) >= {n + 1}",
            f"NOT COUNT(*) <= {n}",
            f"COUNT({x}) > {n}",
            f"SUM(1) > {n}",
            f"COUNT(*) > '{n}'",
            f"COUNT(*) > {n}.5",
            f"MIN({own}) < MAX({own})",
        )
    ]
    found += [
        f"SELECT q.v FROM (SELECT i.{fk} AS v, COUNT(*) AS n {base} GROUP BY i.{fk}) AS q WHERE q.n > {n}",
        (
            f"SELECT DISTINCT i.{fk} {base} AND (SELECT COUNT(*) FROM {child} AS j WHERE {p.replace('i.', 'j.')}"
            f" AND j.{fk} = i.{fk}) > {n}"
        ),
        (
            f"SELECT DISTINCT i.{fk} {base} AND EXISTS (SELECT 1 FROM {child} AS j WHERE {p.replace('i.', 'j.')}"
            f" AND j.{fk} = i.{fk} AND {own.replace('i.', 'j.')} <> {own})"
        ),
        (
            f"SELECT DISTINCT i.{fk} FROM {child} AS i JOIN {child} AS j ON j.{fk} = i.{fk} AND"
            f" {own.replace('i.', 'j.')} > {own} WHERE {p} AND {p.replace('i.', 'j.')}"
        ),
        f"SELECT o.{key} FROM {parent} AS o WHERE (SELECT COUNT(*) {base} AND i.{fk} = o.{key}) > {n}",
        f"SELECT o.{key} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} WHERE {p} GROUP BY o.{key} HAVING COUNT(*) > {n}",
    ]
    return found


def division(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    p = say.condition(child, "i")
    show = say.pick(f"o.{key}", say.column(parent, "o"))
    start = f"SELECT {show} FROM {parent} AS o WHERE"
    inside = f"FROM {child} AS i WHERE i.{fk} = o.{key}"
    return [
        f"{start} NOT EXISTS (SELECT 1 {inside} AND NOT ({p}))",
        f"{start} (SELECT COUNT(*) {inside}) = (SELECT COUNT(*) {inside} AND {p})",
        f"{start} NOT EXISTS (SELECT 1 {inside} AND ({p}) IS NOT TRUE)",
        f"{start} (SELECT MIN({p}) {inside}) = 1",
        f"{start} (SELECT SUM(CASE WHEN {p} THEN 0 ELSE 1 END) {inside}) = 0",
        f"{start} (SELECT COUNT(*) {inside} AND NOT ({p})) = 0",
        f"{start} o.{key} NOT IN (SELECT i.{fk} FROM {child} AS i WHERE NOT ({p}))",
        f"{start} EXISTS (SELECT 1 {inside}) AND NOT EXISTS (SELECT 1 {inside} AND NOT ({p}))",
        f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} GROUP BY o.{key} HAVING MIN({p}) = 1",
        (
            f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON i.{fk} = o.{key} GROUP BY o.{key}"
            f" HAVING COUNT(*) = SUM(CASE WHEN {p} THEN 1 ELSE 0 END)"
        ),
    ]


def bare_columns(say: Words) -> list[str]:
    table = say.table()
    k, x, y = say.column(table, "o"), say.column(table, "o"), say.column(table, "o")
    p = say.where(table, "o", 0.3)
    own = say.key(table, "o")
    base = f"FROM {table} AS o{p}"
    inner = base.replace("o.", "i.").replace(" AS o", " AS i")
    both = " AND" if p else " WHERE"
    return [
        f"SELECT {x} {base} GROUP BY {k}",
        f"SELECT {x} {base} GROUP BY {k}, {x}",
        f"SELECT {x} {base} GROUP BY {own}",
        f"SELECT {x} {base} GROUP BY {own}, {k}",
        f"SELECT {x} {base}",
        f"SELECT {x}, MAX({y}) {base} GROUP BY {k}",
        f"SELECT {x}, {y} {base}{both} {y} = (SELECT MAX({y.replace('o.', 'i.')}) {inner}{both} i.{k[2:]} = {k})",
        f"SELECT {x}, MAX({y}) {base}",
        f"SELECT {x}, {y} {base} ORDER BY {y} DESC LIMIT 1",
        f"SELECT {x}, {y} {base} GROUP BY {k} HAVING {y} = MAX({y})",
        f"SELECT {x}, COUNT(*) {base} GROUP BY {k}",
        f"SELECT MIN({x}), COUNT(*) {base} GROUP BY {k}",
        f"SELECT {x}, COUNT(*) {base} GROUP BY {k}, {x}",
        f"SELECT {x}, COUNT(*) {base} GROUP BY {x}",
        f"SELECT {x} {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1",
        f"SELECT {x} {base} GROUP BY {k} ORDER BY MAX({y}) DESC LIMIT 1",
        f"SELECT {x} {base} ORDER BY {y} DESC LIMIT 1",
        f"SELECT {x} {base} GROUP BY {k} HAVING COUNT(*) = 1",
    ]
