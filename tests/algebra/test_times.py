"""What is said of STRFTIME is what SQLite returns, for odd dates too."""

from __future__ import annotations

from random import Random

import pytest

from equiv.algebra.scalar_functions import by_date, by_parts, is_integer_text, is_year, width
from equiv.algebra.terms import Apply, Compare, Constant, Expression, Field, Variable
from equiv.core.runner import Connection

FORMATS = ("%Y-%m", "%m-%d", "%d/%m/%Y", "%Y-%j", "%H:%M:%S", "%w%m", "%m%m", "%Y%w", "x%m %Y", "%W%Y%w")
CODES = ("%Y", "%m", "%d", "%j", "%H", "%M", "%S", "%w", "%W", "%s")
A, B = (Field(Variable(1), name) for name in "ab")


def _moment(random: Random) -> object:
    kind = random.random()
    if kind < 0.1:
        return random.choice(
            ["2020-02-30", "", None, b"x", "24:00", " 2020-01-01", 1e300, "2016-12-31T23:59:59.9995"]
        )
    if kind < 0.3:
        return random.uniform(0, 5373485)
    if kind < 0.5:
        return random.randint(1721000, 1721500) + random.choice([0, 0.5, 0.25])
    year = random.choice([2012, 2013, 0, 1, 9999, 5])
    return f"{year:04}-{random.randint(1, 2):02}-{random.randint(1, 3):02} 0{random.randint(0, 2)}:00:09"


def _sql(node: Expression) -> str:
    match node:
        case Constant(_, text):
            return f"'{text}'"
        case Apply(function, arguments):
            return f"{function}({', '.join(map(_sql, arguments))})"
        case Compare(operator, left, right):
            return f"({_sql(left)} {operator} {_sql(right)})"
        case Field(_, column):
            return str(column)
    raise AssertionError(node)


@pytest.mark.parametrize("code", CODES)
def test_parts_are_texts_of_integers(code: str) -> None:
    random, database = Random(code), Connection()
    call = Apply("STRFTIME", (Constant("text", code), A))
    assert is_integer_text(call)
    for _ in range(400):
        found = database.execute(
            "SELECT s, s + 0, -s, CAST(s AS INTEGER), CAST(s AS NUMERIC), CAST(s AS REAL), typeof(-s)"
            " FROM (SELECT strftime(?, ?) AS s)",
            (code, _moment(random)),
        ).fetchone()
        if found[0] is None:
            continue
        number = int(found[0])
        assert found[1:6] == (number, -number, number, number, float(number))
        assert found[6] == "integer"
        assert width(call) in (0, len(found[0]))
        if is_year(call):
            assert -4713 <= number <= 9999
            assert (found[0] == f"{number:04}") if number >= 0 else (found[0] < "0")


@pytest.mark.parametrize("seed", range(4))
def test_comparisons_of_dates_keep_their_values(seed: int) -> None:
    random, database = Random(seed), Connection()

    def value(text: str, a: object, b: object) -> object:
        return database.execute(f"WITH r (a, b) AS (SELECT ?, ?) SELECT {text} FROM r", (a, b)).fetchone()[0]

    for _ in range(800):
        a, b, form = _moment(random), _moment(random), random.choice(FORMATS)
        text = str(database.execute("SELECT strftime(?, ?)", (form, b)).fetchone()[0])
        literal = Constant("text", random.choice([text, text, text[:-1], text + "0"]))
        sides: list[Expression] = [literal, Apply("STRFTIME", (Constant("text", form), B))]
        other = random.choice(sides)
        node = Compare("=", Apply("STRFTIME", (Constant("text", form), A)), other)
        parts = by_parts(node)
        if parts:
            assert value(" AND ".join(map(_sql, parts)), a, b) == value(_sql(node), a, b), (a, b, _sql(node))
        day = str(database.execute("SELECT date(?)", (b,)).fetchone()[0])[: random.randint(0, 10)]
        date = Apply("STRFTIME", (Constant("text", "%Y-%m-%d"), A))
        node = Compare(random.choice(["=", "<", "<=", "IS"]), date, Constant("text", day))
        assert value(_sql(by_date(node)), a, b) == value(_sql(node), a, b), (a, _sql(node))
