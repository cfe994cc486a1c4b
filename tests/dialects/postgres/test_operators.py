"""Each operator and function that is mapped, on nasty values: PostgreSQL and the core give the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.engines import assert_core_agrees
from kit.sizes import sized

from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed.lowering.operators import TABLE

POSTGRES = dialect_named("postgres")
DDL = """CREATE TABLE v (id integer PRIMARY KEY, i integer, j bigint, n numeric, m numeric(8, 2),
    r double precision, f real, x text, y text, c character(4), d date, e date, s timestamp, u timestamp,
    p boolean, q boolean)"""
COLUMNS: dict[str, tuple[str | None, ...]] = {
    "i": ("0", "1", "-1", "2", "3", "-7", "10", "100", None),
    "j": ("0", "3", "-3", "2", "-2", "5", "1000000", None),
    "n": ("0", "0.5", "1.5", "2.5", "-0.5", "-2.5", "7.25", "-7.25", "1234.5678", None),
    "m": ("0.00", "0.05", "1.25", "-1.25", "99.99", None),
    "r": ("0", "0.5", "1.5", "2.5", "-0.5", "-1.5", "-2.5", "3.25", "1000", None),
    "f": ("0.1", "0.25", "1.1", "-1.1", "2.5", "16777217", "3", None),
    "x": (
        "",
        "a",
        "A",
        "ab",
        "aB",
        "%",
        "a_b",
        "a\\b",
        " a ",
        "É",
        "éa",
        "ß",
        "xaby",
        "ab,cd,ef",
        "[a]*?",
        None,
    ),
    "y": ("a", "b", "%", "a%", "_b", "A", ",", "É", "ab", "", "\\%", None),
    "c": ("", "a", "ab", "abcd", "a b", None),
    "d": ("2000-02-29", "1999-12-31", "2000-01-01", "2001-03-31", "0800-07-04", None),
    "e": ("2000-02-29", "2000-03-01", "1999-01-31", "2010-10-10", None),
    "s": (
        "2000-02-29 12:30:45.5",
        "1999-12-31 23:59:59.999999",
        "2000-01-01 00:00:00",
        "2010-05-06 07:08:09",
        None,
    ),
    "u": ("2000-02-29 12:30:45.5", "2000-01-31 00:00:00", "2009-05-07 17:08:09.25", None),
    "p": ("true", "false", None),
    "q": ("false", "true", "true", None, "false"),
}
ROWS = 34
EXPRESSIONS = (
    *(
        f"{left} {sign} {right}"
        for sign in ("=", "<>", "<", "<=", ">", ">=")
        for left, right in (
            ("i", "j"),
            ("n", "r"),
            ("x", "y"),
            ("c", "'a '"),
            ("d", "e"),
            ("s", "u"),
            ("d", "s"),
            ("s", "d"),
            ("p", "q"),
            ("d", "timestamp '2000-01-01 00:00:00'"),
            ("d", "timestamp '2000-01-01 10:00:00'"),
            ("timestamp '2000-01-01 10:00:00'", "d"),
            ("c", "c"),
        )
    ),
    *(
        f"{left} {sign} {right}"
        for sign in "+-*"
        for left, right in (("i", "j"), ("n", "m"), ("r", "i"), ("n", "i"))
    ),
    *(
        f"{left} / {right}"
        for left, right in (("i", "j"), ("n", "m"), ("r", "i"), ("i", "n"), ("j", "2"), ("i", "2.0"))
    ),
    *(f"{left} % {right}" for left, right in (("i", "j"), ("n", "m"), ("i", "3"), ("n", "2"), ("n", "-1.5"))),
    *(
        f"{text} {sign} '{pattern}'"
        for sign in ("~", "!~")
        for text in ("x", "(x || E'\\n' || y)")
        for pattern in (
            "",
            "a",
            "^a",
            "b$",
            "^ab$",
            "^(a|ab|xaby)$",
            "^(?:a.*b)$",
            "^[0-9]+$",
            "^[A-Za-z]*$",
            "^[^a-z]+$",
            "a.b",
            "a\\.b",
            "a\\\\b",
            "[a-c]b",
            "[^a-z_-]b",
            "^.{2}$",
            "a.+b",
            "x|,",
            "^$",
            "^",
            "$",
            "^.$",
            "[A-Z-]",
            "É",
            "\\*",
            "\\[a",
        )
    ),
    *(
        f"{left} {sign} {right}"
        for sign in ("=", "<>", "<", "<=", ">", ">=")
        for left, right in (
            ("d + 1", "date '2000-03-01'"),
            ("d - 2", "e + 1"),
            ("d + interval '36 hours'", "timestamp '2000-03-01 12:00:00'"),
            ("s + interval '1 day 2 hours'", "timestamp '2000-03-01 14:30:45.5'"),
            ("timestamp '1999-12-31'", "u - interval '31 days'"),
            ("s + interval '1 month 1 day'", "timestamp '2000-03-30 12:30:45.5'"),
            ("s - interval '29 days 12:30:45.5'", "u"),
            ("s - u", "interval '29 days 12:30:45.5'"),
            ("interval '1 month'", "u - s"),
            ("s - interval '1 day' - u", "interval '-1 day'"),
            ("date_trunc('week', s)", "timestamp '1999-12-27'"),
            ("date_trunc('week', s)", "timestamp '2000-02-29'"),
            ("timestamp '2000-01-01'", "date_trunc('quarter', s)"),
            ("date_trunc('quarter', u)", "timestamp '2000-02-01'"),
            ("date_trunc('quarter', s)", "u"),
        )
    ),
    "s + interval '1 day' - interval '36 hours'",
    "date_trunc('quarter', u)",
    "x SIMILAR TO 'a%'",
    "x SIMILAR TO '(a|ab)'",
    "x NOT SIMILAR TO '_b'",
    "f = r",
    "f = 0.1",
    "f = 0.1::real",
    "f > 0.1",
    "f <= 1.1",
    "f >= 2.5",
    "f BETWEEN 0.1 AND 1.1",
    "f IN (0.1, 2.5)",
    "f = 0.25",
    "f::double precision",
    "f::numeric",
    "f * 2.0::double precision",
    "f + r",
    "coalesce(f, r)",
    "nullif(f, 0.1)",
    "f IS DISTINCT FROM 0.1",
    "CASE WHEN p THEN f ELSE 0 END = 0.1",
    "m::text",
    "(n::numeric(9, 3))::text",
    "(m * 1)::numeric(7, 0)::text",
    "(i::numeric(9, 4))::varchar || x",
    *(
        f"{left} {sign} {right}"
        for sign in "&|#"
        for left, right in (
            ("i", "id"),
            ("i", "j"),
            ("j", "9223372036854775807"),
            ("i", "i"),
            ("0", "i"),
            ("j", "0"),
            ("i", "'-1'"),
            ("i::smallint", "id::smallint"),
            ("(j - 1000000) * 9000000000000", "j"),
        )
    ),
    *("~i", "~j", "~(i::smallint)", "~(i # id)", "i & id = id", "(i | 8) # (8 | i)"),
    *(
        f"{value} {sign} {count}"
        for sign in ("<<", ">>")
        for value, counts in (
            ("i", (0, 1, 5, 30, 31)),
            ("j", (0, 3, 45, 62, 63)),
            ("i::smallint", (0, 2, 13, 14, 15)),
        )
        for count in counts
    ),
    "-n",
    "+i",
    "-r",
    "abs(i)",
    "abs(n)",
    "abs(r)",
    "@ i",
    "round(n)",
    "round(r)",
    "round(n, 1)",
    "round(n, 2)",
    "round(n, -1)",
    "round(m, 1)",
    "floor(n)",
    "floor(r)",
    "ceil(n)",
    "ceil(r)",
    "ceiling(r)",
    "trunc(n)",
    "trunc(r)",
    "sqrt(r)",
    "sqrt(n)",
    "power(n, 2)",
    "power(r, 0.5)",
    "n::integer",
    "r::integer",
    "n::bigint",
    "r::smallint",
    "i::numeric",
    "i::real",
    "r::numeric",
    "n::double precision",
    "n::numeric(6, 1)",
    "n::numeric(10, 0)",
    "i::numeric(9, 3)",
    "p::integer",
    "i::boolean",
    "p::text",
    "i::text",
    "d::text",
    "s::text",
    "x::varchar(2)",
    "x::char(2)",
    "c::text",
    "c::varchar(3)",
    "c::char(2)",
    "x LIKE 'a%'",
    "x LIKE '%a%'",
    "x LIKE '_b'",
    "x LIKE 'a\\_b'",
    "x LIKE '[a]*?'",
    "x LIKE 'ab'",
    "x LIKE '%B%'",
    "x NOT LIKE 'a%'",
    "x ILIKE 'A%'",
    "x NOT ILIKE '%B'",
    "x LIKE y",
    "x ILIKE y",
    "x NOT LIKE y",
    "c LIKE 'a%'",
    "c LIKE 'a'",
    "c LIKE 'ab__'",
    "c LIKE '% '",
    "c LIKE 'a b%'",
    "x ILIKE 'É'",
    "x || y",
    "c || x",
    "concat(x, y)",
    "concat(x, i, NULL, 'z')",
    "substr(x, 2)",
    "substr(x, 0)",
    "substr(x, -1)",
    "substr(x, 2, 1)",
    "substr(x, 0, 2)",
    "substr(x, -1, 3)",
    "substr(x, i)",
    "substr(x, i, 2)",
    "substring(x from 2 for 2)",
    "left(x, 2)",
    "left(x, 0)",
    "right(x, 2)",
    "right(x, 0)",
    "left(x, -1)",
    "left(x, -3)",
    "right(x, -1)",
    "right(x, -4)",
    "starts_with(x, 'a')",
    "starts_with(x, y)",
    "div(n, m)",
    "div(i, 2)",
    "sign(n)",
    "sign(r)",
    "length(x)",
    "length(c)",
    "char_length(x)",
    "strpos(x, 'b')",
    "strpos(x, '')",
    "position('b' in x)",
    "lower(x)",
    "upper(x)",
    "trim(x)",
    "ltrim(x)",
    "rtrim(x)",
    "trim(both 'a' from x)",
    "ltrim(x, 'a ')",
    "rtrim(x, 'b')",
    "replace(x, 'a', 'z')",
    "replace(x, 'b', y)",
    "split_part(x, ',', 2)",
    "split_part(x, ',', -1)",
    "split_part(x, y, 1)",
    "d::timestamp",
    "s::date",
    "d::timestamp::date",
    "d + interval '1 month'",
    "d - interval '1 year 2 days'",
    "d + interval '10 days'",
    "d + interval '36 hours'",
    "s + interval '1 month'",
    "s - interval '90 minutes'",
    "d + 30",
    "d - 1",
    "1 + d",
    "d - e",
    "d + i",
    "d + interval '1 month' > e",
    "e <= d - interval '3 days'",
    "d + interval '1 day' = s",
    *(
        f"extract({field} from {value})"
        for field in ("year", "month", "day", "dow", "isodow", "doy", "quarter", "decade")
        for value in ("d", "s")
    ),
    "extract(hour from s)",
    "extract(minute from s)",
    "extract(second from s)",
    *(f"extract({field} from s::time)" for field in ("hour", "minute", "second")),
    "now()::date = current_date",
    "extract(year from now()) = extract(year from current_date)",
    "date_trunc('month', now()) = date_trunc('month', current_date)",
    "date_trunc('day', current_timestamp)::date = current_date",
    "s < now() - interval '7 days'",
    "s > localtimestamp",
    "date_part('year', d)",
    "extract(year from age(s, u))",
    "extract(month from age(d, e))",
    "extract(day from age(s, u))",
    "extract(hour from age(s, u))",
    "extract(minute from age(u, s))",
    "extract(second from age(s, u))",
    *(f"date_trunc('{field}', s)" for field in ("year", "month", "day", "hour", "minute", "second")),
    "date_trunc('month', d)::date",
    "to_char(d, 'YYYY')",
    "to_char(s, 'YYYY-MM-DD')",
    "to_char(s, 'HH24:MI:SS')",
    "to_char(s, 'DD/MM/YYYY HH24')",
    "to_char(d, 'YYYYMM')",
    "greatest(i, j)",
    "least(n, r, i)",
    "greatest(x, y)",
    "least(d, e)",
    "coalesce(i, j, 0)",
    "nullif(i, j)",
    "nullif(x, y)",
    "i IS DISTINCT FROM j",
    "x IS NOT DISTINCT FROM y",
    "p IS TRUE",
    "p IS NOT TRUE",
    "p IS FALSE",
    "p IS UNKNOWN",
    "p IS NOT UNKNOWN",
    "p AND q",
    "p OR q",
    "NOT p",
    "i IN (1, 2, NULL)",
    "i NOT IN (1, 2)",
    "x = ANY (ARRAY['a', 'b'])",
    "i > ANY (ARRAY[0, 5])",
    "i > ALL (ARRAY[0, 5])",
    "x LIKE ANY (ARRAY['a%', 'x%'])",
    "i <> ALL (ARRAY[1, NULL])",
    "(i, j) < (j, i)",
    "(i, x) = (j, y)",
    "(n, r) >= (r, n)",
    "i BETWEEN j AND 5",
    "d IN ('2000-02-29', '1999-12-31')",
    "CASE i WHEN 1 THEN 'one' WHEN j THEN 'j' ELSE 'none' END",
    "CASE WHEN p THEN i ELSE j END",
    "i > ANY (SELECT w.j FROM v w)",
    "i >= ALL (SELECT w.i FROM v w WHERE w.i IS NOT NULL)",
    "i IN (SELECT w.j FROM v w)",
    "i NOT IN (SELECT w.j FROM v w WHERE w.j > 1)",
    "(i, x) IN (SELECT w.j, w.y FROM v w)",
    "EXISTS (SELECT FROM v w WHERE w.i = v.j)",
    "'12'::integer + i",
    "x::varchar = y",
    "current_date = current_date",
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    rows = [
        "(" + ", ".join([str(at), *(_shown(values, at) for values in COLUMNS.values())]) + ")"
        for at in range(ROWS)
    ]
    script = f"{DDL}; INSERT INTO v VALUES {', '.join(rows)};"
    with POSTGRES.engine.replay(script) as found:
        yield found


def _shown(values: tuple[str | None, ...], at: int) -> str:
    # Columns of different lengths meet in many pairs.
    value = values[(at * 7 + at // len(values)) % len(values)]
    return "NULL" if value is None else "E'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


@sized("share", 3, 1)
def test_postgres_and_the_core_agree(session: Session, share: int, subtests: pytest.Subtests) -> None:
    for expression in EXPRESSIONS[::share]:
        with subtests.test(expression):
            assert_core_agrees(session, "postgres", DDL, expression, ROWS)


def test_no_two_rows_of_the_table_of_meanings_take_the_same_call() -> None:
    seen = [
        (name, each)
        for row in TABLE
        for name in row.names
        for each in [tuple(sorted(types) for types in row.arguments)]
    ]
    assert len(seen) == len({str(each) for each in seen})
