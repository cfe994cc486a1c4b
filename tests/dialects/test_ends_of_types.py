"""Literals at the ends of every type's range, and beyond: no pair ends by an error of this program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from equiv import Checker

SQLITE = "CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, r REAL, d DATE, s DATETIME, x TEXT, b BLOB)"
DUCKDB = """CREATE TABLE t (id INTEGER PRIMARY KEY, a TINYINT, i INT, l BIGINT, ul UBIGINT,
    h HUGEINT, uh UHUGEINT, f FLOAT, g DOUBLE, c DECIMAL(38, 0), d DATE, s TIMESTAMP, z TIMESTAMPTZ, m TIME,
    n TIMESTAMP_NS, x VARCHAR)"""
OF_SQLITE = {
    "i": "9223372036854775807 -9223372036854775808 9223372036854775808 -9223372036854775809",
    "r": "1.7976931348623157e308 9e999 -9e999 4.9e-324 -0.0",
    "d": "'0001-01-01' '0000-01-01' '9999-12-31' '-4713-11-24'",
    "s": "'0001-01-01T00:00:00' '9999-12-31T23:59:59.999' '9999-12-31'",
    "x": "'' char(0) char(1114111)",
    "b": "x'' x'ff' zeroblob(0)",
}
OF_DUCKDB = {
    "a": "127 -128 128",
    "i": "2147483647 -2147483648 2147483648",
    "l": "9223372036854775807 -9223372036854775808 9223372036854775808",
    "ul": "18446744073709551615 18446744073709551616",
    "h": "170141183460469231731687303715884105727 -170141183460469231731687303715884105728",
    "uh": "340282366920938463463374607431768211455",
    "f": "3.4028235e38 'infinity'::FLOAT 'nan'::FLOAT",
    "g": "1.7976931348623157e308 'inf'::DOUBLE '-infinity' 4.9e-324",
    "c": "99999999999999999999999999999999999999 -99999999999999999999999999999999999999",
    "d": "'0001-01-01' '5877642-06-25_(BC)'::DATE '5881580-07-10'::DATE 'infinity'::DATE '-infinity'",
    "s": "'0001-01-01' '290309-12-22_(BC)_00:00:00' '294247-01-10_04:00:54.775806' 'infinity' '9999-12-31'",
    "z": "'infinity' '0001-01-01_00:00:00+00'",
    "m": "'24:00:00' '00:00:00' '23:59:59.999999'",
    "n": "'1677-09-22' '2262-04-11_23:47:16.854775806'",
    "x": "'' chr(0) chr(1114111)",
}
CASES = [
    *(("sqlite", column, text) for column, texts in OF_SQLITE.items() for text in texts.split()),
    *(("duckdb", column, text) for column, texts in OF_DUCKDB.items() for text in texts.split()),
]


@pytest.fixture(scope="module")
def checkers() -> Iterator[dict[str, Checker]]:
    pytest.importorskip("duckdb")
    with (
        Checker(schema=SQLITE, effort=20) as of_sqlite,
        Checker(schema=DUCKDB, dialect="duckdb", effort=20) as of_duckdb,
    ):
        yield {"sqlite": of_sqlite, "duckdb": of_duckdb}


@pytest.mark.long
@pytest.mark.parametrize(("dialect", "column", "text"), CASES[::2])
def test_an_end_of_a_type_is_a_literal_like_another(
    checkers: dict[str, Checker], dialect: str, column: str, text: str
) -> None:
    literal = text.replace("_", " ")
    verdict = checkers[dialect].check(
        f"SELECT id FROM t WHERE {column} >= {literal}", f"SELECT id FROM t WHERE {literal} < {column}"
    )
    assert verdict.name in ("not_equivalent", "undecided", "equivalent"), str(verdict)
    assert getattr(verdict, "reason", None) not in ("INTERNAL", "CONFLICT"), str(verdict)
