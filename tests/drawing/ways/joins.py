"""One join in several ways: with and without what it does not need, padded, multiplied."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.tables import KEYS, TABLES
from drawing.words import Words


def redundant_joins(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    show = say.column(child, "i")
    word = say.pick("", "", "DISTINCT ")
    where = say.where(child, "i", 0.3)
    both = " AND " if where else " WHERE "
    start = f"SELECT {word}{show} FROM {child} AS i"
    on = f"i.{fk} = o.{key}"
    call = say.pick("COUNT(*)", f"SUM({show})", f"COUNT({show})") if say.chance(0.3) else ""
    found = [
        f"{start}{where}",
        f"{start}{where}{both}i.{fk} IS NOT NULL",
        f"{start} JOIN {parent} AS o ON {on}{where}",
        f"{start} LEFT JOIN {parent} AS o ON {on}{where}",
        f"{start}, {parent} AS o{where}{both}{on}",
        f"{start} LEFT JOIN {parent} AS o ON {on}{where}{both}o.{key} IS NOT NULL",
        f"{start}{where}{both}EXISTS (SELECT 1 FROM {parent} AS o WHERE {on})",
        f"{start}{where}{both}i.{fk} IN (SELECT o.{key} FROM {parent} AS o)",
        f"{start} JOIN {parent} AS o ON {on} JOIN {parent} AS o2 ON o2.{key} = i.{fk}{where}",
        f"{start} JOIN {parent} AS o ON {on} AND o.{key} = i.{fk}{where}",
        f"SELECT {word}{show} FROM {parent} AS o LEFT JOIN {child} AS i ON {on}{where}",
        f"SELECT {word}{show} FROM {parent} AS o JOIN {child} AS i ON {on}{where}",
    ]
    if call:
        found = [text.replace(f"{word}{show} FROM", f"{call} FROM", 1) for text in found]
    if say.chance(0.3):
        found = [
            text.replace(show, f"i.{fk}", 1)
            if n % 2
            else text.replace(show, f"o.{key}", 1)
            if " AS o ON" in text
            else text
            for n, text in enumerate(found)
        ]
    return found


def self_joins(say: Words) -> list[str]:
    table = say.pick(*KEYS)
    names = KEYS[table] if say.chance(0.7) else (say.random.choice(list(TABLES[table])),)
    on = " AND ".join(f"o.{n} = i.{n}" for n in names)
    x, y = (say.column(table, "$") for _ in range(2))
    word = say.pick("", "", "DISTINCT ")
    p = say.condition(table, "$")
    ways = [("o", "o"), ("o", "i"), ("i", "o")]
    found = [
        f"SELECT {word}{x.replace('$', u)}, {y.replace('$', v)} FROM {table} AS o {join} {table} AS i ON {on}"
        f" WHERE {p.replace('$', u)}"
        for u, v in ways
        for join in ("JOIN", "LEFT JOIN")
    ]
    single = f"SELECT {word}{x}, {y} FROM {table} AS o WHERE {p}".replace("$", "o")
    found += [single, single, f"{single} AND o.{names[0]} IS NOT NULL"]
    found += [f"{single} AND EXISTS (SELECT 1 FROM {table} AS i WHERE {on})"]
    found += [
        f"{single} AND o.{names[0]} IN (SELECT i.{names[0]} FROM {table} AS i WHERE {p.replace('$', 'i')})"
    ]
    return found


def outer_joins(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    shown = f"{say.column(child, 'i')}, {say.column(parent, 'o')}"
    on = f"i.{fk} = o.{key}"
    p, q = say.condition(child, "i"), say.condition(parent, "o")
    own = say.key(child, "i")
    c, d = f"{child} AS i", f"{parent} AS o"
    return [
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {q}",
        f"SELECT {shown} FROM {c} JOIN {d} ON {on} WHERE {q}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} AND {q}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} AND {p}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {p}",
        f"SELECT {shown} FROM {d} RIGHT JOIN {c} ON {on} WHERE {q}",
        f"SELECT {shown} FROM {d} LEFT JOIN {c} ON {on} WHERE {p}",
        f"SELECT {shown} FROM {c} FULL JOIN {d} ON {on} WHERE {p}",
        f"SELECT {shown} FROM {c} FULL JOIN {d} ON {on}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} UNION ALL SELECT {shown} FROM {d} LEFT JOIN {c} ON {on} WHERE {own} IS NULL",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on}",
        (
            f"SELECT {shown} FROM {c} JOIN {d} ON {on} UNION ALL SELECT {shown.split(', ', maxsplit=1)[0]}, NULL FROM {c}"
            f" WHERE NOT EXISTS (SELECT 1 FROM {d} WHERE {on})"
        ),
        f"SELECT {shown} FROM {c} JOIN {d} ON {on} UNION ALL SELECT {shown.split(', ', maxsplit=1)[0]}, NULL FROM {c} WHERE i.{fk} IS NULL",
        f"SELECT {shown} FROM {c} LEFT JOIN (SELECT * FROM {d} WHERE {q}) AS o ON {on}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} WHERE {q} OR o.{key} IS NULL",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON o.{key} IS i.{fk}",
        f"SELECT {shown} FROM {c} LEFT JOIN {d} ON {on} LEFT JOIN {parent} AS o3 ON o3.{key} = o.{key}",
    ]


def fan_out(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    x = say.column(parent, "o", "ir")
    y = say.column(child, "i", "ir")
    p = say.condition(child, "i") if say.chance(0.5) else "1 = 1"
    on = f"i.{fk} = o.{key}"
    join = f"FROM {parent} AS o JOIN {child} AS i ON {on} WHERE {p}"
    some = f"FROM {parent} AS o WHERE EXISTS (SELECT 1 FROM {child} AS i WHERE {on} AND {p})"
    member = f"FROM {parent} AS o WHERE o.{key} IN (SELECT i.{fk} FROM {child} AS i WHERE {p})"
    groups: tuple[list[str], ...] = (
        [
            f"SELECT COUNT(DISTINCT o.{key}) {join}",
            f"SELECT COUNT(*) {some}",
            f"SELECT COUNT(o.{key}) {member}",
            f"SELECT COUNT(*) {join}",
            f"SELECT COUNT(DISTINCT i.{fk}) FROM {child} AS i WHERE {p}",
            f"SELECT COUNT(DISTINCT {x}) {join}",
            f"SELECT COUNT(DISTINCT i.{fk}) {join}",
            f"SELECT COUNT(*) FROM (SELECT DISTINCT o.{key} {join})",
            f"SELECT COUNT(*) FROM (SELECT i.{fk} FROM {child} AS i WHERE {p} GROUP BY i.{fk})",
        ],
        [
            f"SELECT SUM({x}) {join}",
            f"SELECT SUM({x}) {some}",
            f"SELECT SUM({x}) {member}",
            f"SELECT SUM(DISTINCT {x}) {join}",
            f"SELECT SUM(q.v) FROM (SELECT DISTINCT o.{key}, {x} AS v {join}) AS q",
            f"SELECT COALESCE(SUM({x}), 0) {some}",
            f"SELECT SUM({x} * (SELECT COUNT(*) FROM {child} AS i WHERE {on} AND {p})) FROM {parent} AS o",
        ],
        [
            f"SELECT SUM({y}) {join}",
            f"SELECT SUM({y}) FROM {child} AS i WHERE {p}",
            f"SELECT SUM({y}) FROM {child} AS i WHERE {p} AND i.{fk} IS NOT NULL",
            f"SELECT SUM((SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p})) FROM {parent} AS o",
            f"SELECT TOTAL({y}) {join}",
            f"SELECT SUM({y}) FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {p}",
        ],
        [
            f"SELECT MAX({x}) {join}",
            f"SELECT MAX({x}) {some}",
            f"SELECT MAX({x}) {member}",
            f"SELECT MAX(DISTINCT {x}) {join}",
            f"SELECT {x} {join} ORDER BY {x} DESC LIMIT 1",
            f"SELECT MAX({x}) FROM {child} AS i LEFT JOIN {parent} AS o ON {on} WHERE {p}",
        ],
        [
            f"SELECT AVG({x}) {join}",
            f"SELECT AVG({x}) {some}",
            f"SELECT AVG({x}) {member}",
            f"SELECT AVG(DISTINCT {x}) {join}",
            f"SELECT SUM({x}) * 1.0 / COUNT(*) {join}",
            f"SELECT SUM({x}) * 1.0 / COUNT({x}) {some}",
            f"SELECT CAST(SUM({x}) AS REAL) / COUNT(o.{key}) {join}",
        ],
        [
            f"SELECT o.{key}, SUM({y}) {join} GROUP BY o.{key}",
            f"SELECT i.{fk}, SUM({y}) FROM {child} AS i WHERE {p} GROUP BY i.{fk}",
            f"SELECT i.{fk}, SUM({y}) {join} GROUP BY i.{fk}",
            f"SELECT o.{key}, (SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p}) FROM {parent} AS o",
            f"SELECT o.{key}, (SELECT SUM({y}) FROM {child} AS i WHERE {on} AND {p}) {some}",
            f"SELECT o.{key}, TOTAL({y}) {join} GROUP BY o.{key}",
            f"SELECT o.{key}, SUM({y}) {join} GROUP BY o.{key}, {x}",
            f"SELECT o.{key}, SUM({y}) FROM {parent} AS o LEFT JOIN {child} AS i ON {on} AND {p} GROUP BY o.{key}",
        ],
    )
    return say.random.choice(groups)


def chains(say: Words) -> list[str]:
    """Joins of three tables along references, in different orders and with parts left out."""
    show = say.pick("b.id", "a.x", "a.s", "c.code", "c.code, a.id", "b.x", "b.x, a.code")
    p = say.condition(show[0], show[0])
    word = say.pick("", "DISTINCT ")
    call = (
        say.pick("COUNT(*)", f"COUNT(DISTINCT {show.split(',')[0]})", f"SUM({show.split(',')[0]})")
        if say.chance(0.3)
        else word + show
    )
    start = f"SELECT {call} FROM"
    return [
        f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id WHERE {p}",
        f"{start} a JOIN b ON b.a_id = a.id JOIN c ON c.b_id = b.id WHERE {p}",
        f"{start} a, b, c WHERE a.id = b.a_id AND c.b_id = b.id AND {p}",
        f"{start} c LEFT JOIN b ON c.b_id = b.id LEFT JOIN a ON b.a_id = a.id WHERE {p}",
        f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.p_id = a.id WHERE {p}",
        f"{start} c JOIN b ON c.b_id = b.id LEFT JOIN a ON b.p_id = a.id WHERE {p}",
        f"{start} b JOIN a ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id WHERE {p}",
        f"{start} b LEFT JOIN a ON b.a_id = a.id JOIN c ON c.b_id = b.id WHERE {p}",
        f"{start} a LEFT JOIN b ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id WHERE {p}",
        f"{start} (SELECT * FROM b WHERE b.id IN (SELECT c.b_id FROM c)) AS b JOIN a ON a.id = b.a_id JOIN c ON c.b_id = b.id WHERE {p}",
        f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id AND b.a_id IN (SELECT a.id FROM a) WHERE {p}",
        f"{start} c JOIN b ON c.b_id = b.id JOIN a ON b.a_id = a.id JOIN b AS b2 ON b2.id = c.b_id WHERE {p}",
        f"{start} c JOIN b ON c.b_id = b.id JOIN a ON c.a_id = a.id WHERE {p}",
        f"{start} c JOIN a ON c.a_id = a.id JOIN b ON b.id = c.b_id AND b.a_id = a.id WHERE {p}",
    ]
