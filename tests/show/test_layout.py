"""SQL laid out for reading differs from its text in white space only."""

from __future__ import annotations

import pytest

from equiv.show.evidence import lines_of


def test_a_clause_a_line() -> None:
    join = "LEFT JOIN b ON a.id = b.id AND b.k = 1"
    sql = f"SELECT a.x FROM a {join} WHERE a.x IN (SELECT y FROM c WHERE z) ORDER BY 1"
    assert lines_of(sql) == [
        "SELECT a.x",
        "FROM a",
        "LEFT JOIN b",
        "  ON a.id = b.id",
        "  AND b.k = 1",
        "WHERE a.x IN (",
        "  SELECT y",
        "  FROM c",
        "  WHERE z)",
        "ORDER BY 1",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT ' FROM  x ' FROM \"a WHERE\" JOIN [b  c] ON `d FROM`",
        "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) FROM t -- WHERE\nLIMIT 1",
        "SELECT /* FROM */ 1 WHERE ')",
        ") FROM (",
    ],
)
def test_nothing_but_white_space_changes(sql: str) -> None:
    assert "".join("".join(lines_of(sql)).split()) == "".join(sql.split())


def test_calls_and_windows_stay_on_one_line() -> None:
    sql = "SELECT GROUP_CONCAT(a ORDER BY b) OVER (ORDER BY c) FROM t"
    assert lines_of(sql) == ["SELECT GROUP_CONCAT(a ORDER BY b) OVER (ORDER BY c)", "FROM t"]
