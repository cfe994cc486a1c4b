"""Servers that stand for a user's, of other settings, roles and collations: what is said is true there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from equiv import Checker
from equiv.dialects.postgres import server
from equiv.dialects.postgres.wire import Address, ServerPlace, Wire, owner_of
from equiv.dialects.registry import dialect_named
from equiv.verdict import Equivalent, Execution, NotEquivalent, RemarkKind, Verdict

pytestmark = pytest.mark.long

DEBIAN = Path("/usr/lib/postgresql/15/bin")
ADMIN = "postgres"
SHOP = """
CREATE TABLE customer (id int PRIMARY KEY, name text NOT NULL, email text, tenant int NOT NULL, born date);
CREATE TABLE sale (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, at timestamptz NOT NULL,
  ts timestamp NOT NULL, total int NOT NULL);
INSERT INTO customer VALUES (1, 'Ann', 'bob', 1, '2026-02-01'), (2, 'Bea', 'B1', 1, '2026-01-02'),
  (3, 'Cy', NULL, 2, NULL);
INSERT INTO sale VALUES (1, 1, '2026-03-01 02:00+00', '2026-03-01 00:00', 5),
  (2, 2, '2026-11-01 05:50+00', '2026-11-01 01:45', 7), (3, 3, '2026-11-01 06:30+00', '2026-11-01 01:15', 9);
CREATE FUNCTION is_vip(id int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT id > 1';
CREATE VIEW names AS SELECT id, name FROM customer;
CREATE MATERIALIZED VIEW big AS SELECT id, total FROM sale WHERE total > 6;
UPDATE sale SET total = 1 WHERE id = 3;
CREATE TABLE base (id int PRIMARY KEY, v int CHECK (v > 0)); CREATE TABLE kid () INHERITS (base);
INSERT INTO base VALUES (1, 1); INSERT INTO kid VALUES (1, 2);
CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE TABLE entry (id int NOT NULL CHECK (id > 0), k int) PARTITION BY LIST (k);
CREATE TABLE entry_1 PARTITION OF entry FOR VALUES IN (1);
CREATE FOREIGN TABLE entry_2 PARTITION OF entry FOR VALUES IN (2)
  SERVER files OPTIONS (filename '{rows}', format 'csv');
INSERT INTO entry VALUES (1, 1);
ALTER TABLE customer ENABLE ROW LEVEL SECURITY; CREATE POLICY of_tenant ON customer USING (tenant = 1);
CREATE TABLE dice (id int PRIMARY KEY); ALTER TABLE dice ENABLE ROW LEVEL SECURITY;
CREATE POLICY thrown ON dice USING (random() < 0.5);
CREATE ROLE clerk LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk;
ALTER DATABASE shop SET TimeZone = 'Asia/Tokyo';
ALTER ROLE clerk IN DATABASE shop SET TimeZone = 'America/New_York';
ALTER ROLE clerk SET DateStyle = 'SQL, DMY'
"""
SALES = "SELECT id FROM sale"
PEOPLE = "SELECT id FROM customer"
PAIRS = (
    # A literal without an offset, and days on which clocks change.
    (f"{SALES} WHERE at >= '2026-03-01'", f"{SALES} WHERE at >= '2026-03-01 00:00:00+00'", "not_equivalent"),
    (f"{SALES} WHERE at >= '01/03/2026'", f"{SALES} WHERE at >= '2026-03-01 05:00:00+00'", "equivalent"),
    (f"{SALES} WHERE at < '2026-11-02'", f"{SALES} WHERE at < '2026-11-02 05:00:00+00'", "equivalent"),
    (f"{SALES} WHERE at < '2026-11-02'", f"{SALES} WHERE at < '2026-11-02 04:00:00+00'", "not_equivalent"),
    (f"{SALES} WHERE at >= ts", f"{SALES} WHERE at::timestamp >= ts", "not_equivalent"),
    (
        f"{SALES} WHERE at::date = '2026-11-01'",
        f"{SALES} WHERE at >= '2026-11-01' AND at < '2026-11-02'",
        "equivalent",
    ),
    (f"{SALES} ORDER BY at::timestamp, id", f"{SALES} ORDER BY at, id", "undecided"),
    # Days before months, in a literal and in a text.
    (f"{PEOPLE} WHERE born = '01/02/2026'", f"{PEOPLE} WHERE born = DATE '2026-02-01'", "equivalent"),
    (f"{PEOPLE} WHERE born = '01/02/2026'", f"{PEOPLE} WHERE born = DATE '2026-01-02'", "not_equivalent"),
    (
        f"{PEOPLE} WHERE born::text = '01/02/2026'",
        f"{PEOPLE} WHERE born::text = '2026-02-01'",
        "not_equivalent",
    ),
    # What the server alone has.
    (f"{SALES} WHERE is_vip(id)", f"{SALES} WHERE is_vip(id)", "equivalent"),
    (f"{SALES} WHERE is_vip(id)", f"{SALES} WHERE id > 2", "not_equivalent"),
    (f"{SALES} WHERE is_vip(id)", f"{SALES} WHERE id > 1", "equivalent"),
    (f"{SALES} WHERE is_vap(id)", f"{SALES} WHERE id > 1", "invalid"),
    # Rows that a policy hides, and a view that shows them.
    ("SELECT s.id FROM sale s JOIN customer c ON c.id = s.customer_id", SALES, "not_equivalent"),
    ("SELECT s.id FROM sale s LEFT JOIN customer c ON c.id = s.customer_id", SALES, "equivalent"),
    ("SELECT id, name FROM names", "SELECT id, name FROM customer", "not_equivalent"),
    (f"{PEOPLE} WHERE tenant = 1", PEOPLE, "undecided"),
    (f"{PEOPLE} WHERE id > 1", PEOPLE, "not_equivalent"),
    (f"{PEOPLE} WHERE id > 1", f"{PEOPLE} WHERE id >= 2", "equivalent"),
    ("SELECT id FROM dice", "SELECT id FROM dice", "undecided"),
    # Rows of another time, of tables that inherit, and of a file.
    ("SELECT id FROM big", f"{SALES} WHERE total > 6", "not_equivalent"),
    ("SELECT id FROM big WHERE total > 6", "SELECT id FROM big", "equivalent"),
    ("SELECT DISTINCT id FROM base", "SELECT id FROM base", "not_equivalent"),
    ("SELECT id FROM base WHERE v > 0 OR v IS NULL", "SELECT id FROM base", "equivalent"),
    ("SELECT id FROM entry WHERE id > 0", "SELECT id FROM entry", "not_equivalent"),
    ("SELECT id FROM entry WHERE k < 3", "SELECT id FROM entry", "not_equivalent"),
    # Texts, byte by byte.
    (f"{PEOPLE} WHERE email LIKE 'B%'", f"{PEOPLE} WHERE email >= 'B' AND email < 'C'", "equivalent"),
)
OF_ICU = """
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE person (id int PRIMARY KEY, email text NOT NULL, name text COLLATE "C" NOT NULL);
CREATE TABLE tag (id int PRIMARY KEY, word text COLLATE loose NOT NULL);
INSERT INTO person VALUES (1, 'B1', 'B1'), (2, 'bob', 'bob'), (3, 'c', 'c'), (4, 'ä', 'ä');
INSERT INTO tag VALUES (1, 'Red'), (2, 'red'), (3, 'blue')
"""
PERSONS, TAGS = "SELECT id FROM person", "SELECT id FROM tag"
PAIRS_OF_ICU = (
    (f"{PERSONS} WHERE email LIKE 'B%'", f"{PERSONS} WHERE email >= 'B' AND email < 'C'", "not_equivalent"),
    (f"{PERSONS} WHERE name LIKE 'B%'", f"{PERSONS} WHERE name >= 'B' AND name < 'C'", "undecided"),
    (f"{PERSONS} WHERE email = 'bob'", f"{PERSONS} WHERE 'bob' = email", "equivalent"),
    ("SELECT max(email) FROM person", "SELECT email FROM person ORDER BY email DESC LIMIT 1", "undecided"),
    (f"{PERSONS} WHERE email > 'B1'", f"{PERSONS} WHERE name > 'B1'", "not_equivalent"),
    (f"{PERSONS} WHERE email < 'b'", f"{PERSONS} WHERE NOT email >= 'b'", "equivalent"),
    (f"{PERSONS} ORDER BY email", f"{PERSONS} ORDER BY name", "undecided"),
    (f"{TAGS} WHERE word = 'red'", f"{TAGS} WHERE word = 'red'", "equivalent"),
    (f"{TAGS} WHERE word = 'red'", f"{TAGS} WHERE word = 'RED'", "undecided"),
    (f"{TAGS} WHERE word = 'red'", f"{TAGS} WHERE word COLLATE \"C\" = 'red'", "undecided"),
    ("SELECT count(DISTINCT word) FROM tag", "SELECT count(word) FROM tag", "undecided"),
    ("SELECT DISTINCT word FROM tag", "SELECT word FROM tag GROUP BY word", "undecided"),
    ("SELECT DISTINCT word FROM tag", "SELECT DISTINCT word FROM tag", "equivalent"),
)


@contextmanager
def started(programs: Path, *options: str) -> Iterator[Path]:
    """A server of other data than the embedded one's; the folder of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="eq"))
    own = server.place()
    at = replace(own, programs=programs, data=folder / "data", socket=folder)
    at.data.mkdir(mode=0o700)
    if (owner := owner_of(at.account)) is not None:
        for each in (folder, at.data):
            os.chown(each, *owner)
    try:
        made = ["-D", str(at.data), f"--username={ADMIN}", "--auth=trust", "--no-sync", "--encoding=UTF8"]
        server._run(at, ["initdb", *made, *options])
        told = f"-k {folder} -c listen_addresses='' -c fsync=off"
        server._run(at, ["pg_ctl", "-D", str(at.data), "-l", str(folder / "log"), "-w", "-o", told, "start"])
        yield folder
    finally:
        _stop(at)
        shutil.rmtree(folder, ignore_errors=True)


def _stop(at: ServerPlace) -> None:
    if (at.data / "postmaster.pid").exists():
        server._run(at, ["pg_ctl", "-D", str(at.data), "-m", "immediate", "-w", "stop"])


def made(socket: Path, statements: str, user: str) -> str:
    """The URL by which a role signs in to a database that statements make."""
    with Wire(Address(str(socket), ADMIN, "postgres")) as admin:
        admin.execute("CREATE DATABASE shop")
    with Wire(Address(str(socket), ADMIN, "shop")) as own:
        own.execute(statements)
    return f"postgresql://{user}@/shop?host={socket}"


def require_agreement(url: str, pairs: tuple[tuple[str, str, str], ...]) -> dict[str, Verdict]:
    """The verdicts on pairs, each as expected, and none against what the server answers to who signs in."""
    said = {}
    with (
        Wire(Address("", url=url)) as signed_in,
        Checker(db=url, dialect="postgres", timeout=None) as checker,
    ):
        for pred, gold, expected in pairs:
            found = said[pred] = checker.check(pred, gold)
            assert found.name == expected, (pred, gold, found)
            if isinstance(found, Equivalent):
                assert _rows(signed_in, pred) == _rows(signed_in, gold), (pred, gold)
            if isinstance(found, NotEquivalent) and isinstance(found.evidence, Execution):
                assert _rows(signed_in, pred) != _rows(signed_in, gold), (pred, gold)
    return said


def _rows(wire: Wire, text: str) -> list[tuple[str | None, ...]]:
    return sorted(wire.one(text).rows, key=repr)


def test_what_is_said_agrees_with_a_server_of_other_settings_and_a_role_that_policies_bind() -> None:
    with started(server.place().programs, "--locale=C") as socket:
        rows = socket / "rows.csv"
        rows.write_text("-1,2\n3,4\n")
        rows.chmod(0o644)
        url = made(socket, SHOP.format(rows=rows), "clerk")
        said = require_agreement(url, PAIRS)
    texts = {
        each.text for found in said.values() for each in found.remarks if each.kind is RemarkKind.DIALECT
    }
    for begin in (
        "customer: row-level security shows this role only some rows",
        "view public.names: it shows public.customer as row-level security shows it to its owner",
        "public.big holds the rows of its last refresh",
        "base: it includes the rows of the tables that inherit from",
        "entry: a foreign table is part of it",
    ):
        assert any(each.startswith(begin) for each in texts), (begin, sorted(texts))


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="Debian's PostgreSQL 15, which has ICU, is not installed")
def test_what_is_said_agrees_with_a_server_that_sorts_by_icu() -> None:
    with started(DEBIAN, "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US") as socket:
        require_agreement(made(socket, OF_ICU, ADMIN), PAIRS_OF_ICU)
        with Wire(Address(str(socket), ADMIN, "postgres")) as admin:
            admin.execute("DROP DATABASE shop")
        url = made(socket, SHOP.format(rows="/dev/null"), "clerk")
        require_agreement(url, (*PAIRS[:3], *PAIRS[7:13], *PAIRS[14:21]))


DUMPED = """
CREATE SCHEMA sales; CREATE EXTENSION citext; CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE DOMAIN amount AS numeric CHECK (VALUE >= 0);
CREATE FUNCTION is_even(x int) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT x % 2 = 0; $$;
CREATE TABLE customer (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "fullName" text NOT NULL, m mood,
  c citext);
CREATE TABLE sales.sale (id serial PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, total amount,
  at timestamptz DEFAULT now(), CHECK (is_even(id)), EXCLUDE USING btree (total WITH =));
CREATE TABLE entry (id int NOT NULL, k int) PARTITION BY LIST (k);
CREATE TABLE entry_1 PARTITION OF entry FOR VALUES IN (1);
CREATE UNIQUE INDEX ON customer (lower("fullName")); CREATE INDEX ON sales.sale (at);
CREATE VIEW sales.big AS SELECT id FROM sales.sale WHERE total > 10;
CREATE MATERIALIZED VIEW held AS SELECT "fullName" FROM customer;
COMMENT ON TABLE customer IS 'it''s; a "table"'; CREATE ROLE clerk; GRANT SELECT ON customer TO clerk;
INSERT INTO customer ("fullName", m) VALUES (E'a\tb\\\\', 'sad'), (NULL || '', 'ok') ON CONFLICT DO NOTHING;
"""
FLAGS = (
    "",
    "--clean",
    "--clean --if-exists --create",
    "--schema-only --no-owner --no-privileges --no-comments",
    "--inserts --quote-all-identifiers",
    "--column-inserts --rows-per-insert=2 --on-conflict-do-nothing",
    "--disable-triggers --use-set-session-authorization --enable-row-security --no-table-access-method",
)


def test_a_dump_says_the_same_with_whatever_flags() -> None:
    with started(server.place().programs, "--locale=C") as socket:
        made(socket, DUMPED.replace("(NULL || '', 'ok')", "('x', 'ok')"), ADMIN)
        read = []
        for flags in FLAGS:
            program = str(server.place().programs / "pg_dump")
            asked = [program, "-h", str(socket), "-U", ADMIN, *flags.split(), "shop"]
            dump = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
            schema = dialect_named("postgres").loader.read_ddl(dump)
            assert not schema.passed, flags
            tables = tuple(replace(table, native=()) for table in schema.tables)
            read.append((tables, [view.name for view in schema.native_views]))
    assert all(each == read[0] for each in read)
    assert [table.name for table in read[0][0] if not table.earlier] == ["customer", "entry", "sales.sale"]
