"""What users hand in and take away: a list of queries by position, encodings, misses as CSV, brief JSON."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from equiv import cli

DDL = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT)"
GOLDS = ["SELECT name FROM hero", "SELECT id FROM hero", "SELECT COUNT(*) FROM hero WHERE name = 'Zoë'"]
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a schema and gold queries."""
    monkeypatch.chdir(tmp_path)
    Path("hero.sql").write_text(DDL)
    Path("gold.txt").write_text("".join(f"{sql}\thero\n" for sql in GOLDS))
    Path("dev.json").write_text(
        json.dumps([{"question_id": 7 + n, "db_id": "hero", "SQL": sql} for n, sql in enumerate(GOLDS)])
    )
    return tmp_path


def run(*arguments: str) -> int:
    """Evaluate, and write the records."""
    return cli.run(["eval", *arguments, "--schema", "hero.sql", "--out", "out.jsonl"])


def records() -> list[dict[str, object]]:
    """The records that were written."""
    return [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("gold", ["gold.txt", "dev.json"])
def test_a_list_of_queries_is_paired_by_position(desk: Path, gold: str) -> None:
    (desk / "p.json").write_text(json.dumps([GOLDS[0], None, f"```sql\n{GOLDS[2]}\n```"]))
    assert run("p.json", "--gold", gold, "--extract") == 0
    found = sorted(records(), key=lambda record: str(record["question_id"]))
    assert [record["predicted_sql"] for record in found] == [GOLDS[0], "", GOLDS[2]]
    assert [record["verdict"] for record in found] == ["equivalent", "invalid", "equivalent"]
    assert [record["question_id"] for record in found] == ([0, 1, 2] if gold == "gold.txt" else [7, 8, 9])


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (GOLDS[:2], "2 entries, but gold.txt has 3 gold queries"),
        ([*GOLDS[:2], 3], "entry 2: 3 in a list of queries"),
    ],
)
def test_a_list_that_does_not_fit_is_refused(
    desk: Path, values: list[object], why: str, capsys: Printed
) -> None:
    (desk / "p.json").write_text(json.dumps(values))
    assert run("p.json", "--gold", "gold.txt") == 2
    assert why in capsys.readouterr().err


def test_a_list_of_queries_wants_its_gold_queries(desk: Path, capsys: Printed) -> None:
    (desk / "p.json").write_text(json.dumps(GOLDS))
    assert run("p.json") == 2
    assert "give its gold queries with --gold" in capsys.readouterr().err


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("name", ["p.txt", "p.csv"])
def test_files_of_other_encodings_are_read_if_they_are_named(name: str, capsys: Printed) -> None:
    Path("gold.txt").write_text("".join(f"{sql}\thero\n" for sql in GOLDS), encoding="latin-1")
    rows = [f'hero,"{sql}","{sql}"' for sql in GOLDS]
    lines = GOLDS if name == "p.txt" else ["db_id,predicted_sql,gold_sql", *rows]
    text = "".join(f"{line}\n" for line in lines)
    Path(name).write_text(text, encoding="latin-1")
    given = (name, "--gold", "gold.txt") if name == "p.txt" else (name,)
    assert run(*given) == 2
    told = capsys.readouterr().err
    assert "not UTF-8 text" in told
    assert "name its encoding (--encoding latin-1, say)" in told
    assert run(*given, "--encoding", "latin-1") == 0
    assert [record["verdict"] for record in records()] == ["equivalent"] * 3
    assert run(*given, "--encoding", "latin-2x") == 2
    assert "unknown encoding 'latin-2x'; did you mean latin" in capsys.readouterr().err


def test_misses_are_written_as_a_table(desk: Path, capsys: Printed) -> None:
    (desk / "p.json").write_text(json.dumps([GOLDS[0], "=cmd()", "-- more\nSELECT COUNT(id) + 1 FROM hero"]))
    assert run("p.json", "--gold", "gold.txt", "--csv", "misses.csv") == 0
    assert "2 records that did not score 1 in misses.csv" in capsys.readouterr().err
    with Path("misses.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["invalid", "not_equivalent"]
    assert [row["question_id"] for row in rows] == ["1", "2"]
    assert rows[0]["predicted_sql"] == "'=cmd()"
    # A cell that begins with a comment of SQL is no formula either, and is SQL as it stands.
    assert rows[1]["predicted_sql"] == "/**/ -- more\nSELECT COUNT(id) + 1 FROM hero"
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(rows[1]["witness"])
        pred, gold = ({*connection.execute(rows[1][name])} for name in ("predicted_sql", "gold_sql"))
    assert pred != gold


@pytest.mark.usefixtures("desk")
def test_a_brief_record_says_what_came_out(capsys: Printed) -> None:
    pair = ["check", "SELECT nam FROM hero", GOLDS[0], "--schema", "hero.sql"]
    assert cli.run([*pair, "--json", "--brief"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "invalid"
    assert found["detail"] == "no such column: nam; did you mean name?"
    assert {"evidence", "attempts", "versions", "ms"}.isdisjoint(found)
    assert cli.run([*pair, "--brief"]) == 2
    assert capsys.readouterr().err == "equiv: --brief needs --json\n"
