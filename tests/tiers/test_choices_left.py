"""What is said of pairs whose answers part by choices alone."""

from __future__ import annotations

import pytest

from equiv import check
from equiv.verdict import Reason, Undecided


def test_a_missing_order_is_told_as_such_and_not_as_a_tie() -> None:
    ddl = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)"
    found = check("SELECT name FROM author", "SELECT name FROM author ORDER BY name", schema=ddl)
    assert isinstance(found, Undecided)
    assert (found.reason, found.evidence) == (Reason.NONDETERMINISTIC, None)
    assert "the prediction has no ORDER BY" in found.detail


@pytest.mark.parametrize(
    ("pred", "gold", "who"),
    [
        ("SELECT name FROM author ORDER BY born LIMIT 1", "the one with the least id", "prediction"),
        ("SELECT name FROM author ORDER BY born", "in order of ids", "prediction"),
        ("the one with the least id", "SELECT name FROM author ORDER BY born LIMIT 1", "gold query"),
    ],
)
def test_the_other_answer_that_a_tie_allows_is_told(pred: str, gold: str, who: str) -> None:
    ddl = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER NOT NULL)"
    meant = {
        "the one with the least id": "SELECT name FROM author ORDER BY born, id LIMIT 1",
        "in order of ids": "SELECT name FROM author ORDER BY born, id",
    }
    found = check(meant.get(pred, pred), meant.get(gold, gold), schema=ddl)
    assert isinstance(found, Undecided)
    assert found.evidence is not None
    told, _, rest = found.detail.partition(f"; on this database the {who} may return ")
    assert told == "the difference depends on ties"
    shown = found.evidence.pred_rows if who == "prediction" else found.evidence.gold_rows
    wanted = [other for other in ("('a')", "('b')") if other != f"({shown[0][0]!r})"]
    assert rest == f"{', '.join([*wanted, f'({shown[0][0]!r})'][: len(shown)])} as well"


@pytest.mark.parametrize(
    ("pred", "gold", "more"),
    [
        (
            "SELECT COUNT(*) FROM author WHERE born = (SELECT born FROM author ORDER BY name LIMIT 1)",
            "SELECT COUNT(*) FROM author WHERE born = (SELECT born FROM author ORDER BY name, id LIMIT 1)",
            1,
        ),
        (
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY born) r FROM author) WHERE r = 1",
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY born, id) r FROM author) WHERE r = 1",
            1,
        ),
        ("SELECT id FROM author LIMIT 2", "SELECT id FROM author ORDER BY born LIMIT 2", 2),
    ],
)
def test_the_other_answer_is_told_where_a_choice_stands_deeper(pred: str, gold: str, more: int) -> None:
    ddl = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER NOT NULL)"
    found = check(pred, gold, schema=ddl)
    assert isinstance(found, Undecided)
    assert found.evidence is not None
    told, _, rest = found.detail.partition("; on this database the prediction may return ")
    assert told == "the difference depends on ties"
    assert rest.endswith(" as well")
    shown = ", ".join(f"({row[0]!r})" for row in found.evidence.pred_rows)
    assert (rest.count("("), rest != f"{shown} as well") == (more, True)
    assert "--relation bag" not in found.detail
