"""Literals at the ends of every type's range, and just beyond: no pair ends in an error of the program."""

from __future__ import annotations

import pytest

from equiv import Checker
from equiv.verdict import Equivalent, Reason, Undecided

DDL = """CREATE TABLE t (id int PRIMARY KEY, i2 smallint, i4 int, i8 bigint, n numeric, n5 numeric(5, 2),
  r real, d8 double precision, d date, ts timestamp, tz timestamptz, tm time, iv interval, tx text,
  b boolean, u uuid, c char(3), by bytea)"""
ENDS = {
    "i2": ("-32768", "32767", "-32769", "32768"),
    "i4": ("-2147483648", "2147483647", "2147483648"),
    "i8": ("-9223372036854775808", "9223372036854775807", "9223372036854775808"),
    "n": ("1e131071", "1e-16383", "'NaN'", "'Infinity'", "9" * 38),
    "n5": ("999.99", "-999.99", "1000", "999.995"),
    "r": ("3.4028235e38", "1.4e-45", "'-Infinity'"),
    "d8": ("1.7976931348623157e308", "5e-324", "'NaN'"),
    "d": ("'0001-01-01'", "'9999-12-31'", "'4713-01-01 BC'", "'5874897-12-31'", "'infinity'", "'-infinity'"),
    "ts": ("'0001-01-01'", "'9999-12-31 23:59:59.999999'", "'294276-12-31 23:59:59.999999'", "'infinity'"),
    "tz": ("'0001-01-01 00:00:00+00'", "'0001-01-01 00:00:00+14'", "'9999-12-31 23:59:59.999999+00'"),
    "tm": ("'00:00:00'", "'24:00:00'"),
    "iv": ("'178000000 years'", "'infinity'"),
    "tx": ("''", "E'\\U0010FFFF'", "E'\\u0001'"),
    "b": ("false", "true"),
    "u": ("'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
    "c": ("''", "'   '", "'zzz'"),
    "by": ("'\\x'", "'\\xff'"),
}


@pytest.mark.long
@pytest.mark.parametrize("column", ENDS)
def test_literals_at_the_ends_of_ranges(column: str) -> None:
    with Checker(schema=DDL, dialect="postgres", timeout=None, effort=60, tiers=TIERS) as checker:
        for end in ENDS[column]:
            texts = (f"SELECT id FROM t WHERE {column} >= {end}", f"SELECT id FROM t WHERE {column} = {end}")
            found = checker.check(*texts)
            assert not isinstance(found, Undecided) or found.reason in PLAIN, (texts, found)
            same = checker.check(texts[0], texts[0])
            assert isinstance(same, Equivalent), (texts, same)


TIERS = ("rules", "generate", "proof")
PLAIN = (Reason.UNSUPPORTED, Reason.NO_PROOF, Reason.UNREPLAYED)
