"""One query within another in several ways."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from drawing.words import Words


def nested(say: Words) -> list[str]:
    table = say.table()
    k, x = say.column(table, "o"), say.column(table, "o", "ir")
    p = say.where(table, "o", 0.4)
    q = f"FROM (SELECT {k} AS k, COUNT(*) AS n, COUNT({x}) AS m, SUM({x}) AS s, MAX({x}) AS h, AVG({x}) AS v FROM {table} AS o{p} GROUP BY {k}) AS q"
    base = f"FROM {table} AS o{p}"
    groups = (
        [
            f"SELECT SUM(q.n) {q}",
            f"SELECT COUNT(*) {base}",
            f"SELECT COALESCE(SUM(q.n), 0) {q}",
            f"SELECT TOTAL(q.n) {q}",
            f"SELECT SUM(1) {base}",
            f"SELECT SUM(q.m) {q}",
            f"SELECT COUNT({x}) {base}",
            f"SELECT COALESCE(SUM(q.m), 0) {q}",
        ],
        [
            f"SELECT SUM(q.s) {q}",
            f"SELECT SUM({x}) {base}",
            f"SELECT TOTAL(q.s) {q}",
            f"SELECT TOTAL({x}) {base}",
            f"SELECT SUM(q.v * q.m) {q}",
            f"SELECT SUM(q.v * q.n) {q}",
            f"SELECT SUM(COALESCE(q.s, 0)) {q}",
        ],
        [f"SELECT MAX(q.h) {q}", f"SELECT MAX({x}) {base}", f"SELECT q.h {q} ORDER BY q.h DESC LIMIT 1"],
        [
            f"SELECT COUNT(*) {q}",
            f"SELECT COUNT(DISTINCT {k}) {base}",
            f"SELECT COUNT(q.k) {q}",
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {k} {base})",
            f"SELECT COUNT(k) FROM (SELECT DISTINCT {k} AS k {base})",
        ],
        [
            f"SELECT AVG(q.n) {q}",
            f"SELECT COUNT(*) * 1.0 / COUNT(DISTINCT {k}) {base}",
            f"SELECT 1.0 * SUM(q.n) / COUNT(*) {q}",
            f"SELECT COUNT(*) / COUNT(DISTINCT {k}) {base}",
            f"SELECT CAST(COUNT({x}) AS REAL) / COUNT(DISTINCT {k}) {base}",
        ],
        [
            f"SELECT AVG(q.v) {q}",
            f"SELECT AVG({x}) {base}",
            f"SELECT SUM(q.s) * 1.0 / SUM(q.m) {q}",
            f"SELECT SUM(q.s) / SUM(q.m) {q}",
        ],
        [
            f"SELECT q.k, q.n {q}",
            f"SELECT {k}, COUNT(*) {base} GROUP BY {k}",
            f"SELECT {k}, COUNT({k}) {base} GROUP BY {k}",
            f"SELECT q.k, SUM(q.n) {q} GROUP BY q.k",
            f"SELECT DISTINCT {k}, (SELECT COUNT(*) FROM {table} AS i WHERE i.{k[2:]} = {k}) {base}",
            f"SELECT q.k, q.m {q}",
            f"SELECT q.k, MAX(q.n) {q} GROUP BY q.k",
        ],
        [
            f"SELECT q.k {q} ORDER BY q.n DESC LIMIT 1",
            f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1",
            f"SELECT q.k {q} WHERE q.n = (SELECT MAX(q.n) {q})",
            f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT({x}) DESC LIMIT 1",
            f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) = (SELECT MAX(q.n) {q})",
            f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) = (SELECT COUNT(*) {base} GROUP BY {k} ORDER BY COUNT(*) DESC LIMIT 1)",
            f"SELECT {k} {base} GROUP BY {k} HAVING COUNT(*) >= (SELECT MAX(q.n) {q})",
            f"SELECT {k} {base} GROUP BY {k} ORDER BY COUNT({k}) DESC LIMIT 1",
            f"SELECT {k} {base} GROUP BY {k} ORDER BY SUM(1) DESC LIMIT 1",
        ],
    )
    return say.random.choice(groups)


def scalar_subqueries(say: Words) -> list[str]:
    child, fk, parent, key = say.link()
    name, own = say.column(parent, "o"), say.column(child, "i")
    on = f"i.{fk} = o.{key}"
    lookup = f"SELECT {name} FROM {parent} AS o WHERE {on}"
    return [
        f"SELECT {own}, ({lookup}) FROM {child} AS i",
        f"SELECT {own}, ({lookup} LIMIT 1) FROM {child} AS i",
        f"SELECT {own}, (SELECT MAX({name}) FROM {parent} AS o WHERE {on}) FROM {child} AS i",
        f"SELECT {own}, {name} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}",
        f"SELECT {own}, {name} FROM {child} AS i JOIN {parent} AS o ON {on}",
        f"SELECT {own}, {name} FROM {parent} AS o JOIN {child} AS i ON {on}",
        f"SELECT {name}, {own} FROM {child} AS i LEFT JOIN {parent} AS o ON {on}",
        f"SELECT {own}, ({lookup}) FROM {child} AS i WHERE i.{fk} IS NOT NULL",
        f"SELECT {own}, ({lookup}) AS z FROM {child} AS i WHERE z IS NOT NULL OR z IS NULL",
        f"SELECT {own}, q.v FROM {child} AS i LEFT JOIN (SELECT o.{key} AS k, {name} AS v FROM {parent} AS o) AS q ON q.k = i.{fk}",
    ]
