"""Conditions that a planted row meets and drawn values rarely do, each with one that is nearly the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

Cells = dict[str, int | float | str]
Condition = tuple[str, str]
"""A condition that the row meets, and another one like it."""


def _remainder(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    value, by = int(row[names[0]]), rng.choice((37, 53, 97, 211, 389))
    return f"{a}.{names[0]} % {by} = {value % by}", f"{a}.{names[0]} % {by} = {(value + 1) % by}"


def _two_remainders(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    value, x = int(row[names[0]]), f"{a}.{names[0]}"
    first = f"{x} % 11 = {value % 11}"
    return (
        f"{first} AND {x} % 13 = {value % 13}",
        f"{first} AND {x} % 13 IN ({value % 13}, {(value + 4) % 13})",
    )


def _square(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    value, x = int(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} * {x} = {value * value}", f"{x} * {x} >= {value * value}"


def _product(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    x, y = int(row[names[0]]), int(row[names[-1]])
    return f"{a}.{names[0]} * {a}.{names[-1]} = {x * y}", f"{a}.{names[0]} * {a}.{names[-1]} > {x * y}"


def _sum(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    x, y = int(row[names[0]]), int(row[names[-1]])
    left = f"{a}.{names[0]} + 3 * {a}.{names[-1]}"
    return f"{left} = {x + 3 * y}", f"{left} BETWEEN {x + 3 * y} AND {x + 3 * y + 1}"


def _quotient(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    value, x = int(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} / 17 = {value // 17}", f"{x} / 17.0 = {value // 17}"


def _gap(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    x, y = int(row[names[0]]), int(row[names[-1]])
    left = f"ABS({a}.{names[0]} - {a}.{names[-1]})"
    return f"{left} = {abs(x - y)}", f"{a}.{names[0]} - {a}.{names[-1]} = {abs(x - y)}"


def _branches(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    x, y = names[0], names[-1]
    by = rng.choice((19, 31, 43))
    value = int(row[x])
    case = f"CASE WHEN {a}.{x} % {by} = {value % by} THEN {a}.{y} ELSE {a}.{x} END"
    return f"{case} = {row[y]}", f"{a}.{y} = {row[y]}"


def _bits(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    value, x = int(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} & 63 = {value & 63}", f"{x} & 127 = {value & 127}"


def _digits(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} LIKE '%{text[0]}%{text[-1]}'", f"{x} LIKE '{text[0]}%{text[-1]}'"


def _pattern(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    at = rng.randrange(1, len(text) - 1)
    return f"{x} LIKE '{text[0]}%{text[at]}%{text[-1]}'", f"{x} LIKE '{text[0]}%{text[at]}_{text[-1]}'"


def _inner(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} LIKE '_{text[1:3]}%' AND LENGTH({x}) = {len(text)}", f"{x} LIKE '_{text[1:3]}%'"


def _length(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    tail = text[-2:]
    return (
        f"LENGTH({x}) = {len(text)} AND SUBSTR({x}, -2) = '{tail}'",
        f"LENGTH({x}) >= {len(text)} AND SUBSTR({x}, -2) = '{tail}'",
    )


def _piece(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return (
        f"SUBSTR({x}, 2, 2) = '{text[1:3]}' AND {x} LIKE '%{text[-1]}'",
        f"INSTR({x}, '{text[1:3]}') = 2 AND {x} LIKE '%{text[-1]}'",
    )


def _placed(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    at = text.index(text[3])
    return f"INSTR({x}, '{text[3]}') = {at + 1}", f"SUBSTR({x}, {at + 1}, 1) = '{text[3]}'"


def _upper(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"UPPER({x}) = '{text.upper()}'", f"UPPER({x}) LIKE '{text[:-1].upper()}%'"


def _glob(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"{x} GLOB '{text[:2]}*[a-z0-9-]{text[-1]}'", f"{x} GLOB '{text[:2]}*[a-z]{text[-1]}'"


def _month(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = date.fromisoformat(str(row[names[0]])), f"{a}.{names[0]}"
    return (
        f"STRFTIME('%m', {x}) = '{day:%m}' AND STRFTIME('%d', {x}) = '{day:%d}'",
        f"STRFTIME('%m', {x}) = '{day:%m}' AND STRFTIME('%d', {x}) >= '{day:%d}'",
    )


def _weekday(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = date.fromisoformat(str(row[names[0]])), f"{a}.{names[0]}"
    return (
        f"STRFTIME('%w', {x}) = '{day:%w}' AND STRFTIME('%Y', {x}) = '{day:%Y}'",
        f"STRFTIME('%w', {x}) > '{day:%w}' AND STRFTIME('%Y', {x}) = '{day:%Y}'",
    )


def _day_of_year(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = date.fromisoformat(str(row[names[0]])), f"{a}.{names[0]}"
    near = (day + timedelta(days=1)) if day.month < 12 else day - timedelta(days=1)
    return f"STRFTIME('%j', {x}) = '{day:%j}'", f"STRFTIME('%j', {x}) IN ('{day:%j}', '{near:%j}')"


def _shifted(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = date.fromisoformat(str(row[names[0]])), f"{a}.{names[0]}"
    then = (day + timedelta(days=45)).isoformat()
    return f"DATE({x}, '+45 days') = '{then}'", f"DATE({x}, '+46 days') = '{then}'"


def _age(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = date.fromisoformat(str(row[names[0]])), f"{a}.{names[0]}"
    days = (date(2024, 3, 1) - day).days
    left = f"JULIANDAY('2024-03-01') - JULIANDAY({x})"
    return f"{left} = {days}", f"{left} >= {days}"


def _clock(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"TIME({x}) = TIME('{text}')", f"{x} = '{text}'"


def _minutes(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    text, x = str(row[names[0]]), f"{a}.{names[0]}"
    return (
        f"STRFTIME('%H', {x}) = '{text[:2]}' AND STRFTIME('%M', {x}) = '{text[3:5]}'",
        f"STRFTIME('%H', {x}) = '{text[:2]}' AND STRFTIME('%M', {x}) <= '{text[3:5]}'",
    )


def _day_number(rng: Random, a: str, row: Cells, names: list[str]) -> Condition:
    day, x = str(row[names[0]]), f"{a}.{names[0]}"
    return f"JULIANDAY({x}) = JULIANDAY('{day}')", f"STRFTIME('%J', {x}) = JULIANDAY('{day}')"


CONDITIONS: tuple[tuple[Callable[[Random, str, Cells, list[str]], Condition], str], ...] = (
    *((way, "whole") for way in (_remainder, _two_remainders, _square, _product, _sum)),
    *((way, "whole") for way in (_quotient, _gap, _branches, _bits, _digits)),
    *((way, "text") for way in (_pattern, _inner, _length, _piece, _placed, _upper, _glob)),
    *((way, "day") for way in (_month, _weekday, _day_of_year, _shifted, _age, _day_number)),
    *((way, "clock") for way in (_clock, _minutes)),
)
