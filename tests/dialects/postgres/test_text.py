"""PostgreSQL's texts are cut into statements, parameters and literals as PostgreSQL reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.cells import Cell
from equiv.core.model import Column
from equiv.core.runner import Result
from equiv.dialects.postgres.parameters import MERGING, WATCHED, bound, filled, is_plain_text, parameters_in
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.script import literal
from equiv.dialects.postgres.statements import statements
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed.query_texts import code


@pytest.mark.parametrize(("text", "found"), [
    ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
    ("SELECT ';'';' ; SELECT \"a;b\"", ["SELECT ';'';'", 'SELECT "a;b"']),
    ("SELECT E'\\';' ; SELECT 'a\\'; SELECT 3", ["SELECT E'\\';'", "SELECT 'a\\'", "SELECT 3"]),
    ("SELECT $$;$$, $a$ $$; $a$; SELECT $1", ["SELECT $$;$$, $a$ $$; $a$", "SELECT $1"]),
    ("-- a;\nSELECT 1 /* ; /* ; */ ; */; -- b", ["SELECT 1 /* ; /* ; */ ; */"]),
    ("\\connect x;\nSELECT 1;\n\\restrict y\nSELECT 2", ["SELECT 1", "SELECT 2"]),
    ("COPY t (a) FROM stdin;\n1;'\n\\.\nSELECT 2;", ["COPY t (a) FROM stdin", "SELECT 2"]),
    ("CREATE FUNCTION f() BEGIN ATOMIC a; END; b", ["CREATE FUNCTION f() BEGIN ATOMIC a; END", "b"]),
    (
        "create function f() begin atomic select case when 'end' = c then 1 end; select 2; end; b",
        ["create function f() begin atomic select case when 'end' = c then 1 end; select 2; end", "b"],
    ),
    (";; ;", []), ("", []), ("/* open", []), ("SELECT 'open; SELECT 2", ["SELECT 'open; SELECT 2"]),
])  # fmt: skip
def test_statements(text: str, found: list[str]) -> None:
    assert [each.text for each in statements(text)] == found


def test_rows_of_a_copy_are_told_apart() -> None:
    (first, second) = statements("COPY t FROM stdin;\n1\tx;\n2\t\\N\n\\.\n\nSELECT 1")
    assert (first.data, second.data) == ("1\tx;\n2\t\\N\n", None)


@given(st.text(alphabet="a'\"$;-/*\\E\n ", max_size=40))
@settings(max_examples=200)
def test_nothing_is_lost_and_code_is_in_order(text: str) -> None:
    assert all(each.text in text for each in statements(text))
    ends = [place for stretch in code(text) for place in stretch]
    assert ends == sorted(ends)
    assert not ends or ends[-1] == len(text)


def test_parameters_stand_where_code_stands() -> None:
    text = "SELECT $1, :x, '$2', a::int, \":y\", $$ $3 $$, b[1:2], x.y -- $4\n, $10"
    assert [each.name for each in parameters_in(text)] == ["$1", ":x", "$10"]
    assert bound("SELECT $1 || :x", {"$1": "it's", ":x": None}) == "SELECT ('it''s') || (NULL)"


def test_values_stand_without_a_type_as_parameters_do() -> None:
    assert bound("$1 $2 $3", {"$1": 1.5, "$2": -2, "$3": b"a"}) == "('1.5') ('-2') ('\\x61')"
    core = {"$1": "1.5", "$2": "(-2)", "$3": "x'61'", "$4": "(SELECT 'it''s')", "$5": "NULL"}
    assert filled("$1 $2 $3 $4 $5", core) == "('1.5') ('-2') ('\\x61') ('it''s') (NULL)"


CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
    st.binary(max_size=10),
)


def test_literals_come_back_as_they_were() -> None:
    """One sandbox for all examples: a fixture would be made anew for each."""
    with Sandbox() as sandbox:

        @given(CELLS)
        @settings(max_examples=150, deadline=None)
        def comes_back(cell: Cell) -> None:
            kinds = {int: "bigint", float: "double precision", str: "text", bytes: "bytea"}
            kind = kinds.get(type(cell), "text")
            found = sandbox.run(f"SELECT CAST({literal(cell)} AS {kind})")
            assert found == Result(((cell,),), 1), (cell, found)

        comes_back()


@pytest.mark.parametrize(("text", "cell"), [
    ("true", 1), ("NULL::boolean", None), ("1.50::numeric(5,2)", 1.5), ("2.00", 2),
    ("1e400::numeric", float("inf")),
    ("'NaN'::numeric", "NaN"), ("'NaN'::float8", "NaN"), ("'Infinity'::float8", float("inf")),
    ("0.1::real", 0.1),
    ("'a'::char(5)", "a"), ("' a '::varchar", " a "), ("date '2020-02-29'", "2020-02-29"),
    ("'\\x00ff'::bytea", b"\0\xff"),
    ("timestamp '2020-01-01 10:00:00.50'", "2020-01-01 10:00:00.5"), ("time '10:00'", "10:00:00"),
    ("timestamptz '2020-01-01 10:00+02'", "2020-01-01 08:00:00"), ("interval '1 day'", "1 days 00:00:00"),
    ("interval '24:00'", "1 days 00:00:00"), ("interval '-1 mon 2 days'", "-28 days 00:00:00"),
    ("interval '1 year -00:00:00.5'", "359 days 23:59:59.500000"), ("array[1, 2]", "{1,2}"),
    ("'{\"b\": 1, \"a\": [2]}'::jsonb", '{"a": [2], "b": 1}'), ("-9223372036854775808", -(2**63)),
])  # fmt: skip
def test_cells_of_values(text: str, cell: Cell) -> None:
    with Sandbox() as sandbox:
        assert sandbox.run(f"SELECT {text}") == Result(((cell,),), 1)


def test_a_boolean_column_takes_its_own_literals() -> None:
    assert [literal(cell, Column("a", "BOOLEAN")) for cell in (0, 1, None)] == ["FALSE", "TRUE", "NULL"]


SCHEMA = "CREATE TABLE t (a int, b text, r real, n numeric)"


@pytest.mark.parametrize(("text", "plain"), [
    ("SELECT a + 1 FROM t", "alone"), ("SELECT count(*), sum(a) FROM t GROUP BY b", "merging"),
    ("SELECT n * 2 FROM t", "alone"), ("SELECT max(b) FROM t UNION SELECT DISTINCT b FROM t", "merging"),
    ("SELECT b FROM t WHERE b LIKE '%limit%'", "alone"), ("SELECT a FROM t LIMIT 1", "watched"),
    ("SELECT r + 1 FROM t", ""), ("SELECT sum(r) FROM t", ""), ("SELECT a / 2 FROM t", ""),
    ("SELECT string_agg(b, '') FROM t", "watched"), ("SELECT array(SELECT b FROM t)", "watched"),
    ('SELECT "now"()', ""), ("SELECT 'today'::date", ""), ("SELECT DISTINCT ON (a) b FROM t", "watched"),
    ("SELECT r FROM t", "alone"), ("SELECT current_user", ""), ("SELECT avg(a) FROM t", ""),
    ("SELECT rank() OVER (ORDER BY a) FROM t", "watched"), ("SELECT int4div(a, 2) FROM t", ""),
    ("SELECT age, cost, login, region_id, known_at, current_status, division, sinks FROM t", "alone"),
    ("SELECT age (d) FROM t", ""), ("SELECT login FROM t WHERE log(n) > 1", ""),
    ("SELECT regr_slope(a, n) FROM t", ""), ("SELECT current_timestamp", ""),
    ("SELECT current_schema()", "alone"), ("SELECT relpages FROM pg_class", ""),
    ("SELECT id FROM t WHERE b = 'tomorrow'", ""),
])  # fmt: skip
def test_what_has_one_answer_by_its_text_alone(text: str, plain: str) -> None:
    schema = dialect_named("postgres").loader.read_ddl(SCHEMA)
    ways = {"alone": frozenset[str](), "merging": MERGING, "watched": WATCHED}
    found = [way for way, allowed in ways.items() if is_plain_text(text, schema, allowed)]
    assert found == ([*ways][[*ways].index(plain) :] if plain else [])
