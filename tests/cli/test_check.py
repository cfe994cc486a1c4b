"""``equiv check`` and its relatives, end to end."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[..., Any]

ADULTS = "SELECT name FROM person WHERE age >= 18"
SAME = "select p.name from person p where not p.age < 18"
OTHER = "SELECT name FROM person WHERE age > 18"
TIED = ("SELECT name FROM person LIMIT 1", "SELECT name FROM person ORDER BY age LIMIT 1")


def test_equivalent_is_exit_0(equiv: Run, schema: Path) -> None:
    done = equiv("check", SAME, ADULTS, "--schema", schema)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("equivalent  tier rules; relation bag\n")


ROUNDED = ("SELECT id FROM person WHERE age * 0.1 = 0.3", "SELECT id FROM person WHERE age = 3")


@pytest.mark.parametrize("asked", [[], ["--rounding", "shown"], ["--relation", "list"]])
def test_what_rounding_alone_makes_differ_is_refuted(equiv: Run, schema: Path, asked: list[str]) -> None:
    done = equiv("check", *ROUNDED, "--schema", schema, *asked)
    assert done.code == 1
    assert done.out.startswith("not_equivalent  tier generate; relation ")
    assert "; difference rounding\n" in done.out


def test_what_only_last_digits_part_is_equivalent_up_to_rounding(equiv: Run, schema: Path) -> None:
    pair = ("SELECT age * 0.1 * 3 FROM person", "SELECT age * 0.3 FROM person")
    done = equiv("check", *pair, "--schema", schema)
    first, second, *_ = done.out.splitlines()
    assert done.code == 0
    assert first.startswith("equivalent up to rounding  tier ")
    assert second == "In exact arithmetic; where the engine rounds, the last digits may differ"
    strict = equiv("check", *pair, "--schema", schema, "--rounding", "strict")
    assert (strict.code, "equivalent" in strict.out.split()[:1]) == (3, False)


def test_a_caveat_is_told_first(equiv: Run, schema: Path) -> None:
    asked = (*ROUNDED, "--schema", schema, "--rounding", "ignore")
    done = equiv("check", *asked)
    assert done.code == 0
    first, second, *rest = done.out.splitlines()
    place = "person.age * 0.1 = 0.3"
    shown = f"the engine rounds, which shows in {place}, on the database below"
    assert first == "equivalent up to rounding  tier proof; relation bag"
    assert second == f"Only in exact arithmetic; {shown}"
    assert "A database on which the engine's rounding shows:" in rest
    record = json.loads(equiv("check", *asked, "--json").out)
    assert list(record).index("caveat") < list(record).index("verdict")
    caveat = record["caveat"]
    assert (caveat["kind"], caveat["places"]) == ("rounding", [place])
    assert caveat["evidence"]["kind"] == "witness"
    assert caveat["evidence"]["pred_rows"] == [] != caveat["evidence"]["gold_rows"]


def test_a_verdict_of_the_rules_is_confirmed_if_asked(equiv: Run, schema: Path) -> None:
    done = equiv("check", SAME, ADULTS, "--schema", schema, "--confirm")
    assert done.code == 0
    assert "Confirmed: the algebra alone also proves it." in done.out.splitlines()
    for options, confirmed in ((("--confirm",), True), ((), None)):
        record = json.loads(equiv("check", SAME, ADULTS, "--schema", schema, "--json", *options).out)
        assert (record["tier"], record["confirmed"]) == ("rules", confirmed)
    other = json.loads(equiv("check", OTHER, ADULTS, "--schema", schema, "--json", "--confirm").out)
    assert (other["verdict"], other["confirmed"]) == ("not_equivalent", None)


def test_not_equivalent_is_exit_1_with_a_database(equiv: Run, schema: Path) -> None:
    done = equiv("check", OTHER, ADULTS, "--schema", schema)
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("not_equivalent  tier generate; relation bag; difference ")
    assert "CREATE TABLE" in done.out
    assert done.out.splitlines()[-1].startswith("Replay: ")


def test_undecided_is_exit_3(equiv: Run, schema: Path) -> None:
    done = equiv("check", *TIED, "--schema", schema)
    assert done.code == 3
    assert done.out.startswith("undecided  relation list; reason NONDETERMINISTIC; ")


@pytest.mark.parametrize(
    ("pred", "code", "says"),
    [
        ("", "PRED_EMPTY", ""),
        ("-- nothing\n", "PRED_EMPTY", ""),
        ("what is this", "PRED_SYNTAX", ""),
        ("SELECT x FROM person", "PRED_NO_TABLE_OR_COLUMN", "x"),
        ("SELECT 1; SELECT 2", "PRED_NOT_A_QUERY", ""),
        ("DELETE FROM person", "PRED_NOT_A_QUERY", ""),
        ("ATTACH 'x.db' AS x", "PRED_NOT_A_QUERY", ""),
        ("PRAGMA writable_schema = 1", "PRED_NOT_A_QUERY", ""),
    ],
)
def test_what_is_no_query_is_exit_2_with_one_line(
    equiv: Run, schema: Path, pred: str, code: str, says: str
) -> None:
    done = equiv("check", pred, ADULTS, "--schema", schema)
    assert done.code == 2
    assert done.out.startswith(f"invalid  tier parse; relation bag; {code}")
    assert done.err.startswith("equiv: the prediction is not a query")
    assert done.err.count("\n") == 1
    assert says in done.err


def test_an_invalid_gold_query_is_exit_2(equiv: Run, schema: Path) -> None:
    done = equiv("check", ADULTS, "SELECT", "--schema", schema)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "GOLD_SYNTAX" in done.out
    assert done.err.startswith("equiv: the gold query is not a query")


TROUBLE = {
    "a missing file": (["missing.sql", "SELECT 1", "--schema", "SCHEMA"], "missing.sql: No such file"),
    "a path without blanks": (["some/where", "SELECT 1", "--schema", "SCHEMA"], "some/where: No such file"),
    "a folder": (["SCHEMA/..", "SELECT 1", "--schema", "SCHEMA"], "SCHEMA/"),
    "a binary file": (["binary.sql", "SELECT 1", "--schema", "SCHEMA"], "a binary file"),
    "an archive of pg_dump": (
        ["SELECT 1", "SELECT 1", "--schema", "dump.sql"],
        "with: pg_restore -f schema.sql dump.sql",
    ),
    "text in another encoding": (["latin.sql", "SELECT 1", "--schema", "SCHEMA"], "not UTF-8"),
    "a huge file": (["huge.sql", "SELECT 1", "--schema", "SCHEMA"], "longer than"),
    "neither database nor schema": (["SELECT 1", "SELECT 1"], "--db, --schema or both"),
    "an unknown database": (["SELECT 1", "SELECT 1", "--db", "nowhere"], "unknown database 'nowhere'"),
    "a name that climbs": (["SELECT 1", "SELECT 1", "--db", ".."], "unknown database '..'"),
    "a path that climbs": (["SELECT 1", "SELECT 1", "--db", "../x"], "../x: no such"),
    "a file that is not a database": (
        ["SELECT 1", "SELECT 1", "--db", "binary.sql"],
        "not a SQLite database",
    ),
    "a database of another dialect": (
        ["SELECT 1", "SELECT 1", "--db", "other.duckdb", "--dialect", "postgres"],
        "other.duckdb: a database of DuckDB: the dialect duckdb reads it, not postgres",
    ),
    "a database, and a dialect that there is not": (
        ["SELECT 1", "SELECT 1", "--db", "other.duckdb", "--dialect", "duckbd"],
        "unknown dialect 'duckbd'; choose among duckdb, postgres, sqlite",
    ),
    "a file that is no DuckDB database": (
        ["SELECT 1", "SELECT 1", "--db", "prose.duckdb", "--dialect", "duckdb"],
        "not a valid DuckDB database",
    ),
    "a script that is not there": (["SELECT 1", "SELECT 1", "--db", "none.sql"], "none.sql: no such file"),
    "an open parenthesis": (
        ["SELECT 1", "SELECT 1", "--schema", "open.sql", "--dialect", "postgres"],
        "open.sql: a parenthesis is not closed (line 2): CREATE TABLE t (id integer",
    ),
    "a script of PostgreSQL's as DuckDB's": (
        ["SELECT 1", "SELECT 1", "--schema", "only.sql", "--dialect", "duckdb"],
        'near "ONLY"; --dialect postgres reads PostgreSQL',
    ),
    "a missing schema": (["SELECT 1", "SELECT 1", "--schema", "none.sql"], "none.sql: No such file"),
    "a schema that is none": (["SELECT 1", "SELECT 1", "--schema", "prose.sql"], "prose.sql: "),
    "a malformed fact": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--assume", "not_null"], "not_null"),
    "a fact of nothing": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--assume", "not_null(x.y)"], "x"),
    "an unknown relation": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--relation", "same"], "'same'"),
    "an unknown effort": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--effort", "much"], "'much'"),
    "a negative effort": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--effort", "-4"], "-4"),
    "no time": (["SELECT 1", "SELECT 1", "--schema", "SCHEMA", "--timeout", "0"], "--timeout"),
    "standard input twice": (["-", "-", "--schema", "SCHEMA"], "only one of the two"),
    "a missing argument": (["SELECT 1", "--schema", "SCHEMA"], "gold"),
    "an unknown option": (["SELECT 1", "SELECT 1", "--shcema", "SCHEMA"], "--shcema"),
}


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_exit_2_with_one_clear_line(
    equiv: Run, schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("binary.sql").write_bytes(b"SELECT \x00\x01")
    Path("dump.sql").write_bytes(b"PGDMP\x01\x10\x00")
    Path("latin.sql").write_bytes(b"SELECT '\xe9'")
    Path("huge.sql").write_text("SELECT " + " " * 1_000_000 + "1")
    Path("prose.sql").write_text("Once upon a time there was a table.")
    Path("prose.duckdb").write_text("Once upon a time there was a table.")
    Path("other.duckdb").write_bytes(bytes(8) + b"DUCK" + bytes(90))
    Path("open.sql").write_text("\nCREATE TABLE t (id integer;\nCREATE TABLE u (id integer, CHECK (id > 0));")
    Path("only.sql").write_text("CREATE TABLE t (id integer); ALTER TABLE ONLY t ADD PRIMARY KEY (id);")
    arguments, says = TROUBLE[name]
    done = equiv("check", *(argument.replace("SCHEMA", str(schema)) for argument in arguments))
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(r"equiv: [^\n]+\n", done.err), done.err
    assert says.replace("SCHEMA", str(schema)) in done.err


def test_queries_come_from_files_and_standard_input(schema: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.sql").write_text(f"\ufeff{ADULTS};\n-- done\n")
    command = [
        sys.executable,
        "-m",
        "cli",
        "check",
        "-",
        str(tmp_path / "gold.sql"),
        "--schema",
        str(schema),
        "--json",
    ]
    done = subprocess.run(command, cwd=ROOT, input=SAME, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads(done.stdout)
    assert (record["predicted_sql"], record["gold_sql"]) == (SAME, f"{ADULTS};\n-- done\n")


def test_json_is_one_record(equiv: Run, schema: Path) -> None:
    done = equiv("check", OTHER, ADULTS, "--schema", schema, "--json", "--relation", "bird")
    record = json.loads(done.out)
    assert (record["verdict"], record["tier"], record["relation"]) == ("not_equivalent", "generate", "set")
    assert (record["score"], record["db_id"], record["evidence"]["kind"]) == (0, "people", "witness")
    assert done.out.count("\n") == 1


def test_an_emitted_witness_replays_on_a_bare_sqlite(equiv: Run, schema: Path, tmp_path: Path) -> None:
    target = tmp_path / "a witness.sql"
    done = equiv("check", OTHER, ADULTS, "--schema", schema, "--emit-sql", target)
    assert done.out.splitlines()[-1] == f"Replay: sqlite3 :memory: '.read {target}'"
    script = target.read_text()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        assert connection.execute(OTHER).fetchall() != connection.execute(ADULTS).fetchall()
    if shell := shutil.which("sqlite3"):
        replayed = subprocess.run(
            [shell, ":memory:", f".read '{target}'"], capture_output=True, text=True, check=True
        )
        pred, gold = replayed.stdout.removeprefix("prediction:\n").split("gold:\n")
        assert pred != gold


def test_nothing_is_emitted_without_a_database(equiv: Run, schema: Path, tmp_path: Path) -> None:
    done = equiv("check", SAME, ADULTS, "--schema", schema, "--emit-sql", tmp_path / "w.sql")
    assert done.code == 0
    assert "not written" in done.err
    assert not (tmp_path / "w.sql").exists()


def test_a_populated_database_refutes(equiv: Run, tmp_path: Path, schema: Path) -> None:
    database = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(schema.read_text())
        connection.execute("INSERT INTO person VALUES (1, '\x1b[2Jevil', 18, 'x')")
    target = tmp_path / "w.sql"
    done = equiv("check", OTHER, ADULTS, "--db", database, "--emit-sql", target)
    assert done.code == 1
    assert done.out.startswith("not_equivalent  tier data; ")
    assert "\x1b" not in done.out
    assert r"'\x1b[2Jevil'" in done.out
    assert done.out.splitlines()[-1] == f"Replay: sqlite3 :memory: '.read {target}'"
    with closing(sqlite3.connect(":memory:")) as few:
        few.executescript(target.read_text())
        assert few.execute(OTHER).fetchall() != few.execute(ADULTS).fetchall()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.sql", "people.sqlite", "w.sql"]


def test_explain_shows_each_step(equiv: Run, schema: Path) -> None:
    done = equiv("explain", SAME, ADULTS, "--schema", schema)
    assert done.code == 0
    assert "prediction, step 1 of " in done.out
    assert re.search(r"^  \+ ", done.out, re.MULTILINE)
    assert "What was tried" in done.out


def test_explain_shows_the_database_and_both_results(equiv: Run, schema: Path) -> None:
    done = equiv("explain", OTHER, ADULTS, "--schema", schema)
    assert done.code == 1
    assert "Only the gold query has ('" in done.out or "Only the gold query has (NULL)" in done.out


def test_rules_are_listed_and_documented(equiv: Run) -> None:
    listed = equiv("rules")
    assert listed.code == 0
    name = re.findall(r"^\W*(\w+_\w+)", listed.out, re.MULTILINE)[0]
    page = equiv("rules", name)
    assert page.code == 0
    assert all(heading in page.out for heading in ("Before:", "After:", "Refuse:", "Sound:"))
    assert equiv("rules", name + "x").err == f"equiv: there is no rule '{name}x'; did you mean {name}?\n"


def test_version_and_help(equiv: Run) -> None:
    assert re.fullmatch(r"equiv \S+\n", equiv("--version").out)
    assert "explain" in equiv("--help").out
    assert equiv().code == 2


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_a_pipe_and_no_color_get_plain_text(schema: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "equiv", "check", OTHER, ADULTS, "--schema", str(schema)]
    env = {**os.environ, **environment, "COLUMNS": "20"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "CREATE TABLE" in done.stdout


@pytest.mark.parametrize(
    ("pred", "named"),
    [
        ("SELECT\u00a0name FROM person", "a no-break space"),
        ("SELECT name FROM person WHERE city = \u2018Rome\u2019", "the quote \u2018 and the quote \u2019"),
    ],
)
def test_what_a_word_processor_writes_is_named(
    equiv: Callable[..., Any], schema: Path, pred: str, named: str
) -> None:
    done = equiv("check", pred, "SELECT name FROM person", "--schema", schema)
    assert done.code == 2
    assert f"{named}, which SQL reads neither" in done.err


def test_a_key_of_some_rows_is_named_where_a_pair_is_open(equiv: Run, tmp_path: Path) -> None:
    made = tmp_path / "made.sql"
    keys = "CREATE UNIQUE INDEX few ON t (a) WHERE b; CREATE UNIQUE INDEX whole ON t (b, a)"
    made.write_text(f"CREATE TABLE t (a INTEGER NOT NULL, b BOOLEAN NOT NULL); {keys}")
    done = equiv("check", "SELECT a FROM t WHERE b", "SELECT DISTINCT a FROM t WHERE b", "--schema", made)
    assert done.code == 3
    said = "Note: the schema: generated databases keep this index, but no proof uses it: "
    assert [line for line in done.out.splitlines() if "INDEX" in line] == [
        f"{said}CREATE UNIQUE INDEX few ON t (a) WHERE b"
    ]
