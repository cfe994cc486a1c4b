"""Names are one where engines take them for one."""

from __future__ import annotations

from itertools import combinations

import apsw
import duckdb
import pytest

from equiv.names import NameMap, fold, is_same

NAMES = (
    "a",
    "A",
    "\u00e9",
    "\u00c9",
    "k",
    "K",
    "\u212a",
    "i",
    "\u0130",
    "\u0131",
    "s",
    "\u017f",
    "\u00df",
    "SS",
)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_two_names_are_one_where_a_table_cannot_have_both(engine: str) -> None:
    connection = apsw.Connection(":memory:") if engine == "sqlite" else duckdb.connect(":memory:")
    for number, (one, other) in enumerate(combinations(NAMES, 2)):
        try:
            connection.execute(f'CREATE TABLE t{number} ("{one}" INTEGER, "{other}" INTEGER)')
            are_two = True
        except (apsw.SQLError, duckdb.Error):
            are_two = False
        assert are_two != is_same(one, other), (one, other)
    connection.close()


def test_what_is_named_is_found_however_the_name_is_spelt() -> None:
    found = NameMap([("Person", 1), ("\u00c9", 2), ("PERSON", 3)])
    found.setdefault("person", 4)
    assert (found["person"], found.get("pErson"), found.get("\u00e9", 0), "\u00c9" in found) == (
        3,
        3,
        0,
        True,
    )
    assert list(found) == [fold("PERSON"), "\u00c9"]
