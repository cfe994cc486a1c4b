"""One condition or value in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.phrases import SCALARS
from drawing.words import Words


def predicates(say: Words) -> list[str]:
    table = say.table()
    show = say.pick(say.key(table, "o"), say.column(table, "o"))
    ways = say.conditions(table, "o")
    shapes = (
        "SELECT $s FROM $t AS o WHERE $p",
        "SELECT $s, ($p) IS TRUE FROM $t AS o",
        "SELECT $s, ($p) FROM $t AS o",
        "SELECT $s FROM $t AS o WHERE NOT ($p)",
        "SELECT CASE WHEN $p THEN 'y' ELSE 'n' END, $s FROM $t AS o",
        "SELECT $s, COUNT(*) FROM $t AS o WHERE $p GROUP BY $s",
        "SELECT CASE WHEN $p THEN 1 ELSE 0 END AS v, COUNT(*) FROM $t AS o GROUP BY CASE WHEN $p THEN 1 ELSE 0 END",
        "SELECT $s FROM $t AS o WHERE $p ORDER BY $s LIMIT 1",
        "SELECT $s FROM $t AS o ORDER BY $p",
        "SELECT o1.id, $s FROM a AS o1 LEFT JOIN $t AS o ON $p",
    )
    shape = say.random.choice(shapes)
    return [shape.replace("$s", show).replace("$t", table).replace("$p", p) for p in ways]


def scalars(say: Words) -> list[str]:
    table = say.table()
    x = say.column(table, "o", say.pick("if", "r", "t", "d", "u"))
    group = say.random.choice(SCALARS)
    other = say.column(table, "o", "ir")
    shape = say.pick(
        "SELECT $ FROM %",
        "SELECT DISTINCT $ FROM %",
        "SELECT SUM($) FROM %",
        "SELECT COUNT($) FROM %",
        "SELECT $, COUNT(*) FROM % GROUP BY $",
        "SELECT COUNT(DISTINCT $) FROM %",
        "SELECT MAX($) FROM %",
        "SELECT 1 FROM % WHERE $ > 1",
        "SELECT 1 FROM % WHERE $ = '1'",
        f"SELECT {x} FROM % ORDER BY $",
        f"SELECT {x} FROM % ORDER BY $ DESC LIMIT 1",
        "SELECT AVG($) FROM %",
        "SELECT TYPEOF($) FROM %",
        "SELECT $ || '' FROM %",
        "SELECT $ / 2 FROM %",
    )
    values = [v.replace("$o", other).replace("$", x) for v in group]
    return [shape.replace("$", v).replace("%", f"{table} AS o") for v in values]
