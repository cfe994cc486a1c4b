"""``--db postgresql://…`` and ``--db dump.sql``: populated databases are read, and only read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from equiv import Checker, check, cli
from equiv.answers.pair import Pair
from equiv.core.connection import path_of
from equiv.core.runner import Failure, Limits, Result
from equiv.dialects.postgres import live, server
from equiv.dialects.postgres.live import LiveSession, opened
from equiv.dialects.postgres.wire import Address, Wire
from equiv.dialects.typed import dialect as typed_dialect
from equiv.engine.make import make_engine
from equiv.errors import InputError
from equiv.facts import FactKind
from equiv.options import Options
from equiv.schema.locate import place_for_check
from equiv.tiers.data import DataTier
from equiv.tiers.outcome import Proved, TierOutcome
from equiv.verdict import (
    Derivation,
    Equivalent,
    Execution,
    Invalid,
    NotEquivalent,
    Reason,
    Tier,
    Undecided,
    Witness,
)

ROOT = Path(__file__).resolve().parents[3]
DUMP = Path(__file__).parent / "dump.sql"
NAME = f"live_{os.getpid()}"

MADE = """
CREATE TABLE city (id int PRIMARY KEY, name text, code text, day date, size double precision);
INSERT INTO city VALUES (1, 'Rome', '10', '2020-01-01', 1.5), (2, 'Oslo', '7', 'infinity', 'NaN'),
  (3, 'Oslo', '7', NULL, 2);
CREATE TABLE road (a int REFERENCES city, b int, iso text, bad text);
INSERT INTO road VALUES (1, 2, '2020-02-29', '2021-02-29'), (1, 3, '2021-12-31', '2020-01-01');
CREATE VIEW big AS SELECT * FROM city WHERE size > 1;
CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM road; SELECT 1';
CREATE SEQUENCE s;
CREATE FUNCTION half(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN n / 2; END';
CREATE FUNCTION shy(id int) RETURNS int LANGUAGE plpgsql AS
  'BEGIN IF EXISTS (SELECT FROM city) THEN DELETE FROM road; END IF; RETURN id; END';
CREATE TABLE plot (id int PRIMARY KEY, sides int NOT NULL CHECK (half(sides) > 0),
  halved int GENERATED ALWAYS AS (half(sides)) STORED);
CREATE FUNCTION is_vip(id int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT id > 1';
CREATE FUNCTION divides(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $2 % $1 = 0';
CREATE OPERATOR <|> (leftarg = int, rightarg = int, function = divides);
CREATE TYPE span AS RANGE (subtype = int);
CREATE TABLE stay (id int, nights span);
CREATE VIEW dice AS SELECT id, random() AS x FROM city
"""


@contextmanager
def database(name: str, made: str) -> Iterator[tuple[Wire, str]]:
    """A connection of the server's owner, and the URL of a database that is dropped in the end."""
    at = server.running()
    with Wire(server.address(at, "postgres", server.ADMIN)) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            with Wire(server.address(at, name, server.ADMIN)) as own:
                own.execute(made)
            yield admin, f"postgresql://{server.ADMIN}@/{name}?host={at.socket}"
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A database that stands for a user's."""
    with database(NAME, MADE) as (_, url):
        yield url


def test_it_is_read_and_nothing_is_written(url: str) -> None:
    limits = Limits(seconds=2)
    with opened(path_of(url)) as data:
        assert isinstance(data, LiveSession)
        assert data.run("SELECT name FROM city ORDER BY id", limits) == Result(
            (("Rome",), ("Oslo",), ("Oslo",)), 1
        )
        assert data.run("SELECT id FROM big", limits) == Result(((1,), (2,), (3,)), 1)
        for text in (
            "SELECT wipe()", "SELECT nextval('s')", "SELECT pg_sleep(60)", "SELECT pg_advisory_lock(1)",
            "SELECT set_config('transaction_read_only', 'off', false)", "SELECT * FROM pg_class",
            "DELETE FROM road", "WITH x AS (DELETE FROM road RETURNING a) TABLE x",
            "SELECT * FROM road FOR UPDATE", "COMMIT", "SET transaction_read_only = off",
            "SELECT 1; DELETE FROM road",
        ):  # fmt: skip
            assert isinstance(data.run(text, limits), Failure), text
        assert data.run("SELECT count(*) FROM road", limits) == Result(((2,),), 1)
        found = data.run("SELECT count(*) FROM generate_series(1, 100000000000)", limits)
        assert isinstance(found, Failure)
        assert found.kind in ("timeout", "resource")


def test_texts_mean_what_they_do_in_the_session_that_the_role_gets() -> None:
    name, role = f"{NAME}_zone", f"{NAME}_role"
    texts = (
        "SELECT id FROM t WHERE at >= '2026-03-01' OR d = '01/02/2026'",
        "SELECT id FROM t WHERE at >= '2026-03-01 00:00:00+00' OR d = '2026-02-01'",
        "SELECT id FROM t WHERE at >= '2026-03-01 05:00:00+00' OR d = '2026-02-01'",
    )
    made = """
        CREATE TABLE t (id int PRIMARY KEY, at timestamptz, d date); GRANT SELECT ON t TO PUBLIC;
        INSERT INTO t VALUES (1, '2026-03-01 02:00:00.5+00', NULL), (2, '2026-03-02 00:00:00+00', NULL);
    """
    with database(name, made) as (admin, owned):
        admin.execute(f"CREATE ROLE {role} LOGIN")
        admin.execute(f"ALTER DATABASE {name} SET TimeZone TO 'Asia/Tokyo'")
        admin.execute(f"ALTER ROLE {role} IN DATABASE {name} SET TimeZone TO 'America/New_York'")
        admin.execute(f"ALTER ROLE {role} SET DateStyle TO 'German'")
        url = owned.replace(f"//{server.ADMIN}@", f"//{role}@")
        try:
            with opened(path_of(url)) as data:
                assert isinstance(data, LiveSession)
                assert dict(data.schema.settings) == {
                    "TimeZone": "America/New_York",
                    "DateStyle": "German, DMY",
                    "IntervalStyle": "postgres",
                    "lc_collate": "C",
                    "lc_ctype": "C.UTF-8",
                    "standard_conforming_strings": "on",
                    "timezone_abbreviations": "Default",
                    "transform_null_equals": "off",
                }
                found = data.run("SELECT id, at FROM t ORDER BY id")
                assert found == Result(((1, "2026-03-01 02:00:00.5"), (2, "2026-03-02 00:00:00")), 2)
                found = data.core.run("SELECT id FROM t WHERE at >= '2026-03-01 02:00:00' ORDER BY id")
                assert found == Result(((1,), (2,)), 1)
            for tiers in (("data",), ("rules", "generate")):
                assert check(*texts[:2], db=url, dialect="postgres", tiers=tiers).name == "not_equivalent", (
                    tiers
                )
            verdict = check(texts[0], texts[2], db=url, dialect="postgres")
            assert isinstance(verdict, Equivalent)
            named = [fact.expression for fact in verdict.facts if fact.kind is FactKind.SETTING]
            assert sorted(named) == ["America/New_York", "German, DMY"]
            with pytest.raises(InputError, match="the schema says TimeZone"):
                check(*texts[:2], db=url, dialect="postgres", assume=("setting(TimeZone = 'UTC')",))
        finally:
            admin.execute(f"DROP ROLE {role}")


@pytest.mark.long
def test_a_schema_of_its_own_gets_the_settings_and_names_of_the_server_that_it_stands_beside() -> None:
    name = f"{NAME}_beside"
    ddl = "CREATE TABLE t (id int PRIMARY KEY, at timestamptz); CREATE SCHEMA app"
    ddl += "; CREATE TABLE app.t (id int, at timestamptz)"
    made = f"{ddl}; CREATE FUNCTION app.sqrt(int) RETURNS int LANGUAGE sql AS 'SELECT 1'"
    with database(name, made) as (admin, url):
        admin.execute(f"ALTER DATABASE {name} SET TimeZone = 'Asia/Tokyo'")
        admin.execute(f"ALTER DATABASE {name} SET search_path = app, public")
        for pred, gold, said in (
            (
                "SELECT id FROM t WHERE at >= '2026-03-01'",
                "SELECT id FROM t WHERE at >= '2026-03-01 00:00+09'",
                True,
            ),
            (
                "SELECT id FROM t WHERE at >= '2026-03-01'",
                "SELECT id FROM t WHERE at >= '2026-03-01 00:00+00'",
                False,
            ),
            ("SELECT DISTINCT id FROM t", "SELECT id FROM t", False),
            ("SELECT DISTINCT id FROM public.t", "SELECT id FROM public.t", True),
            ("SELECT id FROM public.t", "SELECT id FROM t", False),
            ("SELECT sqrt(id) FROM t", "SELECT sqrt(id::float8) FROM t", False),
        ):
            for schema in (None, ddl):
                found = check(pred, gold, schema=schema, db=url, dialect="postgres", timeout=None)
                assert (found.name == "equivalent") is said, (pred, schema)
        with pytest.raises(
            InputError, match="the schema says TimeZone = 'UTC', and the session of the database 'As"
        ):
            check("SELECT 1", "SELECT 1", schema=f"SET TIME ZONE 'UTC'; {ddl}", db=url, dialect="postgres")


@pytest.mark.long
def test_values_are_read_alike_however_the_session_writes_them_and_texts_mean_what_they_do_there() -> None:
    name = f"{NAME}_writes"
    made = """
        CREATE TABLE t (id int, d date, ts timestamp, tz timestamptz, i interval, b bytea, f real, g float8);
        INSERT INTO t VALUES
          (1, '2026-02-01', '2026-02-01 10:00:00.5', '2026-02-01 10:00+00', '-1 day 2:03',
           '\\x01ff', 0.1, 1e-9),
          (2, 'infinity', '-infinity', 'infinity', 'infinity', NULL, 'NaN', 'Infinity'),
          (3, NULL, '1999-12-31 23:59:59.123456', '1950-07-01 00:00+05:30', '1 mon', '', 3.4028235e38, 0.1)
    """
    with database(name, made) as (admin, url):
        with opened(path_of(url)) as data:
            plain = data.run("SELECT * FROM t ORDER BY id")
            assert data.core.run("SELECT * FROM t ORDER BY id") == plain
        for each in (
            *("DateStyle = German", "IntervalStyle = sql_standard", "bytea_output = escape"),
            *("extra_float_digits = -3", "TimeZone = 'America/New_York'"),
        ):
            admin.execute(f"ALTER DATABASE {name} SET {each}")
        with opened(path_of(url)) as data:
            assert data.run("SELECT * FROM t ORDER BY id") == plain
            assert data.core.run("SELECT * FROM t ORDER BY id") == plain
            written = data.run("SELECT d::text, i::text, b::text FROM t WHERE id = 1")
            assert written == Result((("01.02.2026", "+0-0 -1 +2:03:00", "\\001\\377"),), 3)
        for pred, gold in (
            ("SELECT id FROM t WHERE d::text = '2026-02-01'", "SELECT id FROM t WHERE d = '01.02.2026'"),
            ("SELECT id FROM t WHERE i = '-1 2:03'", "SELECT id FROM t WHERE i = '-1 day +2:03'"),
        ):
            found = check(pred, gold, db=url, dialect="postgres", tiers=("data",), timeout=None)
            assert found.name == "not_equivalent", pred


def test_facts_are_mined_and_broken_ones_found(url: str) -> None:
    with opened(path_of(url)) as data:
        assert isinstance(data, LiveSession)
        mined = {(f.kind, f.table, *f.columns, f.parent) for f in data.observed(data.schema)}
        promised = [fact for table in data.schema.tables for fact in table.promised]
        broken = {(f.kind, f.columns) for f in data.violated(data.schema, promised)}
    assert mined >= {
        (FactKind.NOT_EMPTY, "road", ""),
        (FactKind.NOT_NULL, "city", "name", ""),
        (FactKind.UNIQUE, "city", "id", ""),
        (FactKind.UNIQUE, "road", "b", ""),
        (FactKind.NUMERIC_TEXT, "city", "code", ""),
        (FactKind.ISO_DATE, "road", "iso", ""),
        (FactKind.INCLUSION, "road", "b", "city"),
    }
    assert not mined & {
        (FactKind.NOT_NULL, "city", "day", ""),
        (FactKind.UNIQUE, "city", "name", ""),
        (FactKind.NUMERIC_TEXT, "city", "name", ""),
        (FactKind.ISO_DATE, "road", "bad", ""),
    }
    assert broken == {(FactKind.ISO_DATE, ("day",)), (FactKind.TYPE, ("size",))}


def test_the_data_tell_queries_apart(url: str) -> None:
    texts = ("SELECT name FROM city", "SELECT DISTINCT name FROM city")
    found = check(*texts, db=url, dialect="postgres", tiers=("data",))
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Execution)
    assert found.evidence.database == NAME


def test_texts_that_the_server_alone_runs_are_told_apart_on_few_of_its_rows(url: str) -> None:
    texts = ("SELECT id, md5(name) FROM city WHERE id < 3", "SELECT id, md5(name) FROM city WHERE id <= 3")
    found = check(*texts, db=url, dialect="postgres", tiers=("data",))
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Execution)
    few = found.evidence.few
    assert few is not None
    assert few.sql.count("INSERT INTO") == 1
    assert (few.pred_rows, [row[0] for row in few.gold_rows]) == ((), [3])


OF_THE_SERVER = (
    ("SELECT id FROM city WHERE is_vip(id)", "SELECT id FROM city WHERE is_vip(id)", "equivalent"),
    ("SELECT id FROM city WHERE is_vip(id)", "SELECT id FROM city WHERE id > 2", "not_equivalent"),
    ("SELECT id FROM city WHERE is_vip(id)", "SELECT id FROM city WHERE id > 1", "equivalent"),
    ("SELECT is_vip(id) FROM city ORDER BY 1", "SELECT true FROM city", "not_equivalent"),
    ("SELECT id FROM city WHERE 2 <|> id", "SELECT id FROM city WHERE 3 <|> id", "not_equivalent"),
    ("SELECT id FROM city WHERE 2 <|> id", "SELECT id FROM city WHERE id = 2", "operator"),
    ("SELECT id FROM stay WHERE nights @> 2", "SELECT id FROM stay WHERE nights @> 2", "equivalent"),
    ("SELECT '[1,3)'::span", "SELECT '[1,3)'::span", "equivalent"),
    ("SELECT '[1,3)'::span", "SELECT '[1,4)'::span", "type"),
    ("SELECT id FROM city WHERE is_vip($1)", "SELECT id FROM city WHERE is_vip($1)", "equivalent"),
    ("SELECT is_vip(id), x FROM dice", "SELECT is_vip(id), x FROM dice", "function"),
    ("SELECT id FROM city WHERE wipe() = 1", "SELECT id FROM city", "function"),
    ("SELECT is_vip(id), pg_sleep(60) FROM city", "SELECT true, 1 FROM city", "function"),
    ("SELECT is_vip(id, 2) FROM city", "SELECT id FROM city", "function is_vip(integer, integer) does"),
    ("SELECT is_vip(population) FROM city", "SELECT id FROM city", 'column "population" does not exist'),
)


def test_what_hangs_on_its_functions_is_made_and_none_does_harm_there(url: str) -> None:
    with opened(path_of(url)) as data:
        assert isinstance(data, LiveSession)
        assert data.schema.table("plot") is not None
        # One that does harm where there are rows is never called where there are some.
        assert isinstance(data.run("SELECT shy(id) FROM city", Limits(seconds=2)), Failure)
        assert data.run("SELECT half(id) FROM city", Limits(seconds=2)) == Result(((0,), (1,), (1,)), 1)
    with Wire(Address("", url=url)) as own:
        assert own.execute("SELECT count(*) FROM road").rows == [("2",)]


@pytest.mark.long
def test_what_the_server_alone_has_is_no_failure_of_a_text(url: str) -> None:
    checker = Checker(db=url, dialect="postgres", timeout=None)
    for pred, gold, said in OF_THE_SERVER:
        found = checker.check(pred, gold)
        if isinstance(found, Undecided):
            told = found.detail.split(": ")[1] if found.reason is Reason.UNSUPPORTED else str(found.reason)
            assert told == said, pred
        elif isinstance(found, Invalid):
            assert found.message.startswith(said), pred
        else:
            assert found.name == said, pred
    checker.close()
    with Wire(Address("", url=url)) as own:
        assert own.execute("SELECT count(*) FROM road").rows == [("2",)]
        assert own.execute("SELECT FROM pg_locks WHERE relation = 'city'::regclass").rows == []


def test_nothing_is_prepared_on_the_server_if_it_is_not_to_be(url: str) -> None:
    text = "SELECT '[1,3)'::span"
    assert check(text, "SELECT 1", db=url, dialect="postgres", live_prepare=False).name == "undecided"
    text = "SELECT id FROM city WHERE 2 <|> id"
    assert check(text, text, db=url, dialect="postgres", live_prepare=False).name == "undecided"


@contextmanager
def sold(url: str, more: str = "") -> Iterator[None]:
    """Within it a database has a view that is kept, and a row that came later."""
    with Wire(Address("", url=url)) as own:
        own.execute("CREATE TABLE sale (id int); INSERT INTO sale VALUES (1), (2), (3)")
        own.execute("CREATE MATERIALIZED VIEW sold AS SELECT id FROM sale")
        own.execute(f"{more}INSERT INTO sale VALUES (4)")
    try:
        yield
    finally:
        with Wire(Address("", url=url)) as own:
            own.execute("DROP TABLE sale CASCADE")


@pytest.mark.long
def test_a_stale_view_takes_away_the_core_of_its_own_readers_alone(url: str) -> None:
    choosing = ("SELECT id FROM sold LIMIT 2", "SELECT id FROM sold ORDER BY id DESC LIMIT 2")
    plain = ("SELECT id FROM sold", "SELECT id FROM sale")
    with sold(url, "CREATE MATERIALIZED VIEW again AS SELECT id FROM sold; "):
        notes = live.load_database(path_of(url)).notes
        with opened(path_of(url)) as data:
            core = data.core.connection
            there = {str(name) for (name,) in core.execute("SELECT name FROM sqlite_master")}
            assert len(list(core.execute("SELECT * FROM sale"))) == 4
        with Checker(db=url, dialect="postgres", tiers=("data",), timeout=None) as checker:
            found = [checker.check(*texts).name for texts in (choosing, plain, ("TABLE sale", "SELECT 4"))]
    assert [note.partition(":")[0] for note in notes if "up to date" in note] == [
        "public.sold is not up to date"
    ]
    assert "sale" in there
    assert not any("at refresh of" in name for name in there)
    assert found == ["undecided", "not_equivalent", "not_equivalent"]


@pytest.mark.long
def test_a_view_is_taken_for_fresh_unless_the_server_shows_that_it_is_stale(url: str) -> None:
    pair = ("SELECT id FROM sold WHERE id > 1", "SELECT id FROM sale WHERE NOT id <= 1 AND id IS NOT NULL")
    found = []
    with sold(url):
        for statement in ("SELECT 1", "REFRESH MATERIALIZED VIEW sold"):
            with Wire(Address("", url=url)) as own:
                own.execute(statement)
            with Checker(db=url, dialect="postgres", matviews="fresh", timeout=None) as checker:
                found.append(checker.check(*pair))
    stale, fresh = found
    assert isinstance(stale, NotEquivalent)
    assert isinstance(fresh, Equivalent)
    assert [fact.kind for fact in stale.facts_dropped if fact.table == "sold"] == [FactKind.FRESH]
    assert FactKind.FRESH not in [fact.kind for fact in stale.facts]
    assert [fact.table for fact in fresh.facts if fact.kind is FactKind.FRESH] == ["sold"]


class Liar:
    """A prover that proves whatever it is asked."""

    tier = Tier.RULES

    def settle(self, pair: Pair, effort: int) -> TierOutcome:  # noqa: ARG002 - as all tiers are asked
        """See :class:`~equiv.tiers.outcome.Settler`."""
        return Proved(Derivation((), (), ""), (), pair.relation)


@pytest.mark.long
@pytest.mark.parametrize("has_rows", [True, False])
def test_no_proof_is_believed_of_texts_whose_answers_differ_on_the_server(
    url: str, *, has_rows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_rows:
        # As if the core had read them otherwise: the server has the last word.
        monkeypatch.setattr(live, "all_rows", lambda *_: {})
    engine = make_engine(None, path_of(url), Options(dialect="postgres"))
    engine.tiers = (Liar(),)
    engine.refuters = [tier for tier in engine.refuters or () if isinstance(tier, DataTier)]
    for pred, gold, said in (
        ("SELECT id FROM city WHERE id > 1", "SELECT id FROM city", Reason.CONFLICT),
        ("SELECT id FROM city WHERE is_vip(id)", "SELECT id FROM city", Reason.CONFLICT),
        ("SELECT id FROM city WHERE id > 0", "SELECT id FROM city", None),
    ):
        assert getattr(engine.check(pred, gold), "reason", None) is said, pred
    if (data := engine.open()) is not None:
        data.close()
    engine.close()


def test_a_dump_with_rows_is_a_database() -> None:
    with opened(DUMP) as data:
        rows = data.run(
            "SELECT name, total FROM sales.orders o JOIN customers c ON c.id = o.customer_id ORDER BY 2"
        )
        assert rows == Result((("Ann; O'Neil", 10), ("tab\there", 200.5)), 2)
    texts = ("SELECT name FROM customers", "SELECT name FROM customers WHERE joined IS NOT NULL")
    found = check(*texts, db=DUMP, dialect="postgres", tiers=("data",))
    assert isinstance(found, NotEquivalent)
    # A generated database may come first.
    assert isinstance(found.evidence, Execution | Witness)


def test_what_is_not_there_gets_one_line(url: str, tmp_path: Path) -> None:
    for bad in (url.replace(NAME, "nowhere"), "postgresql://nobody.invalid/x", str(tmp_path / "no.sql")):
        with pytest.raises(InputError) as caught:
            check("SELECT 1", "SELECT 1", db=bad, dialect="postgres")
        assert "\n" not in str(caught.value)


def test_the_url_of_a_server_names_its_dialect(url: str) -> None:
    command = [sys.executable, "-m", "equiv", "check", "SELECT 1::int", "SELECT 1", "--db", url]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert check("SELECT 1::int", "SELECT 1", db=url).name == "equivalent"
    line = "the URL of a PostgreSQL server needs --dialect postgres"
    with pytest.raises(InputError, match=line):
        place_for_check(url, None, "sqlite")


def test_a_server_takes_the_name_of_its_own_database(url: str) -> None:
    with Checker(db=url, tiers=("rules",)) as checker:
        named = f'SELECT "{NAME}"."public"."city".name FROM "{NAME}"."public"."city"'
        found = checker.check(named, "SELECT name FROM city")
        assert (found.name, [each.text for each in found.remarks if NAME in each.text]) == ("equivalent", [])
        assert checker.check("SELECT name FROM other.public.city", "SELECT name FROM city").name == "invalid"


def test_what_a_server_and_many_rows_mean_stands_in_one_line_each(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (live, typed_dialect):
        monkeypatch.setattr(module, "MOST_CORE_ROWS", 2)
    monkeypatch.setattr(Wire, "version", "17.6")
    schema = live.load_database(path_of(url))
    assert schema.notes[0].startswith("the data are on PostgreSQL 17.6, but witnesses are replayed on 18.")
    assert (
        schema.notes[1]
        == "more than 2 rows: the given data can refute only queries whose answers are determined"
    )
    monkeypatch.undo()
    assert not any("rows" in note or "replayed" in note for note in live.load_database(path_of(url)).notes)


@pytest.mark.long
def test_a_root_of_databases_by_url(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = url.replace(NAME, "{db}")
    pairs = tmp_path / "pairs.jsonl"
    one = {"question_id": 1, "db_id": NAME, "question": "", "predicted_sql": "SELECT name FROM city"}
    other = one | {"question_id": 2, "db_id": "no_such_database"}
    gold = {"gold_sql": "SELECT DISTINCT name FROM city"}
    pairs.write_text("".join(f"{json.dumps(each | gold)}\n" for each in (one, other)))
    out = tmp_path / "out.jsonl"
    asked = ["eval", str(pairs), "--relation", "sql", "--out", str(out)]
    assert cli.run([*asked, "--db-root", template, "--dialect", "postgres"]) == 0
    records = {r["question_id"]: r for r in map(json.loads, out.read_text().splitlines())}
    first, second = records[1], records[2]
    assert (first["verdict"], first["tier"]) == ("not_equivalent", "data")
    assert "no_such_database" in str(second)
    # One database is that of all names, and its URL says the dialect.
    out.unlink()
    capsys.readouterr()
    assert cli.run([*asked, "--db-root", url]) == 0
    verdicts = [json.loads(line)["verdict"] for line in out.read_text().splitlines()]
    assert verdicts == ["not_equivalent"] * 2
