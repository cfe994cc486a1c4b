"""One question of membership or of absence in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.tables import TABLES
from drawing.words import Words


def membership(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    show = say.pick(f"o.{key}", say.column(parent, "o"), f"o.{key}, {say.column(parent, 'o')}")
    cond = say.condition(child, "i") if say.chance(0.7) else "1 = 1"
    extra = f" AND {say.condition(parent, 'o')}" if say.chance(0.3) else ""
    on = f"i.{fk} = o.{key}"
    return [
        f"SELECT {show} FROM {parent} AS o WHERE o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {cond}){extra}",
        f"SELECT {show} FROM {parent} AS o WHERE EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {cond}){extra}",
        f"SELECT DISTINCT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra}",
        f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra}",
        f"SELECT {show} FROM {parent} AS o WHERE (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {cond}) > 0{extra}",
        (
            f"SELECT {show} FROM {parent} AS o WHERE (SELECT COUNT({say.column(child, 'i')}) FROM {child} AS i"
            f" WHERE {on} AND {cond}) >= 1{extra}"
        ),
        (
            f"SELECT {show} FROM {parent} AS o JOIN (SELECT DISTINCT i.{fk} AS v FROM {child} AS i WHERE {cond}) AS q"
            f" ON q.v = o.{key} WHERE 1 = 1{extra}"
        ),
        f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra} GROUP BY o.{key}",
        f"SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}{extra} GROUP BY {show}",
        (
            f"SELECT DISTINCT {show} FROM {parent} AS o LEFT JOIN {child} AS i ON {on} AND {cond}"
            f" WHERE i.{fk} IS NOT NULL{extra}"
        ),
        f"SELECT DISTINCT {show} FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {cond}{extra}",
        f"SELECT {show} FROM {parent} AS o WHERE (SELECT MAX({cond}) FROM {child} AS i WHERE {on}) = 1{extra}",
    ]


def absence(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    show = say.pick(f"o.{key}", say.column(parent, "o"), say.column(parent, "o"))
    cond = say.condition(child, "i") if say.chance(0.7) else "1 = 1"
    on = f"i.{fk} = o.{key}"
    start = f"SELECT {say.pick('', '', 'DISTINCT ')}{show} FROM {parent} AS o"
    own = say.key(child, "i")
    return [
        f"{start} WHERE o.{key} NOT IN (SELECT i.{fk} FROM {child} AS i WHERE {cond})",
        f"{start} WHERE NOT o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {cond} AND NOT i.{fk} IS NULL)",
        f"{start} WHERE NOT EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {cond})",
        f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} WHERE i.{fk} IS NULL",
        f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} WHERE {own} IS NULL",
        f"{start} LEFT JOIN {child} AS i ON {on} WHERE {own} IS NULL AND {cond}",
        f"{start} WHERE (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {cond}) = 0",
        f"{start} LEFT JOIN (SELECT * FROM {child} AS i WHERE {cond}) AS i ON {on} WHERE {own} IS NULL",
        f"SELECT {show} FROM {parent} AS o EXCEPT SELECT {show} FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {cond}",
        f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} GROUP BY o.{key} HAVING COUNT({own}) = 0",
        f"{start} LEFT JOIN {child} AS i ON {on} AND {cond} GROUP BY o.{key} HAVING COUNT(*) = 0",
        (
            f"{start} WHERE NOT EXISTS (SELECT 1 FROM {child} AS i WHERE {on}) OR NOT EXISTS"
            f" (SELECT 1 FROM {child} AS i WHERE {on} AND {cond})"
        ),
    ]


def pairs_of_rows(say: Words) -> list[str]:
    table = say.pick("e", "f", "a", "b", "g")
    names = say.random.sample(list(TABLES[table]), 2)
    x, y = (f"o.{n}" for n in names)
    u, v = (f"i.{n}" for n in names)
    p = say.condition(table, "i")
    show = say.pick(f"{x}, {y}", say.column(table, "o"))
    start = f"SELECT {say.pick('', 'DISTINCT ')}{show} FROM {table} AS o"
    return [
        f"{start} WHERE ({x}, {y}) IN (SELECT {u}, {v} FROM {table} AS i WHERE {p})",
        f"{start} WHERE EXISTS (SELECT 1 FROM {table} AS i WHERE {x} = {u} AND {y} = {v} AND {p})",
        f"{start} WHERE EXISTS (SELECT 1 FROM {table} AS i WHERE ({x}, {y}) = ({u}, {v}) AND {p})",
        f"{start} WHERE {x} IN (SELECT {u} FROM {table} AS i WHERE {p}) AND {y} IN (SELECT {v} FROM {table} AS i WHERE {p})",
        f"{start} WHERE {x} IN (SELECT {u} FROM {table} AS i WHERE {p} AND {v} = {y})",
        f"{start} WHERE {p.replace('i.', 'o.')}",
        f"{start} WHERE {p.replace('i.', 'o.')} AND {x} IS NOT NULL AND {y} IS NOT NULL",
        f"{start} JOIN {table} AS i ON {x} = {u} AND {y} = {v} WHERE {p}",
        f"{start} WHERE {x} || '-' || {y} IN (SELECT {u} || '-' || {v} FROM {table} AS i WHERE {p})",
        f"{start} WHERE ({x}, {y}) NOT IN (SELECT {u}, {v} FROM {table} AS i WHERE {p})",
        f"{start} WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {x} = {u} AND {y} = {v} AND {p})",
        f"{start} WHERE NOT EXISTS (SELECT 1 FROM {table} AS i WHERE {x} IS {u} AND {y} IS {v} AND {p})",
        f"SELECT {show} FROM {table} AS o EXCEPT SELECT {show.replace('o.', 'i.')} FROM {table} AS i WHERE {p}",
        f"{start} WHERE NOT ({p.replace('i.', 'o.')})",
        f"{start} WHERE ({x}, {y}) <> (1, 'a')",
        f"{start} WHERE {x} <> 1 OR {y} <> 'a'",
        f"{start} WHERE ({x}, {y}) > (1, 1)",
        f"{start} WHERE {x} > 1 OR ({x} = 1 AND {y} > 1)",
    ]
