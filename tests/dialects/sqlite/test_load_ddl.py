from __future__ import annotations

from pathlib import Path

import pytest

from equiv import Checker
from equiv.core.model import ForeignKey
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.errors import InputError

MYSQL = r"""
/*!40101 SET NAMES utf8 */;
SET foreign_key_checks = 0;
DROP TABLE IF EXISTS `shop`;
-- a comment; with a semicolon
CREATE TABLE IF NOT EXISTS `mall`.`shop` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT COMMENT 'the; key',
  `name` varchar(20) CHARACTER SET utf8 COLLATE utf8_bin DEFAULT 'it\'s',
  kind enum('a','b') DEFAULT NULL,
  price decimal(10,2) CHECK (price > 0),
  opened timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  UNIQUE KEY `u` (`name`, kind),
  KEY `k` (`name`(10)),
  CONSTRAINT fk FOREIGN KEY (`name`) REFERENCES `owner` (`name`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='shops';
INSERT INTO `shop` VALUES (1, 'it\'s; ok');
CREATE TABLE `owner` (`name` varchar(20) PRIMARY KEY);
"""

POSTGRES = """
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.shop (
  id bigserial, name character varying(20) NOT NULL,
  opened timestamp with time zone DEFAULT now(), UNIQUE (opened));
ALTER TABLE ONLY public.shop ADD CONSTRAINT shop_pkey PRIMARY KEY (id);
CREATE TABLE public.owner (name text);
CREATE UNIQUE INDEX owner_name ON public.owner USING btree (name);
CREATE UNIQUE INDEX owner_some ON public.owner USING btree (name) WHERE name > 'a';
CREATE INDEX shop_name ON public.shop USING btree (name);
ALTER TABLE ONLY public.shop ADD CONSTRAINT fk FOREIGN KEY (name) REFERENCES public.owner (name);
COMMENT ON TABLE public.shop IS 'shops';
"""

TSQL = """CREATE TABLE [dbo].[shop] ([id] [int] IDENTITY(1,1) NOT NULL, name [nvarchar](max) NULL,
CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([id] ASC)) ON [PRIMARY]"""


def test_statements_that_define_nothing_are_passed_over() -> None:
    schema = load_ddl(
        """PRAGMA foreign_keys=OFF; BEGIN TRANSACTION;
        CREATE TABLE t (a TEXT DEFAULT ';' /* ; */); INSERT INTO t VALUES (';'); -- done;
        CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; SELECT 1; END;
        create temp table u (b); COMMIT;""",
        "some",
    )
    assert [table.name for table in schema.tables] == ["t", "u"]
    assert schema.name == "some"
    assert schema.tables[0].columns[0].default == "';'"


def test_parent_may_stand_after_its_child() -> None:
    schema = load_ddl("CREATE TABLE c (p REFERENCES P); CREATE TABLE p (id INTEGER PRIMARY KEY)")
    assert schema.tables[0].foreign_keys == (ForeignKey(("p",), "p", ("id",)),)


def test_mysql_is_read() -> None:
    shop = load_ddl(MYSQL).tables[0]
    assert (shop.name, shop.primary_key, shop.rowid_alias) == ("shop", ("id",), "id")
    assert [c.declared_type for c in shop.columns] == [
        "INTEGER",
        "VARCHAR(20)",
        "TEXT",
        "DECIMAL(10, 2)",
        "TIMESTAMPTZ",
    ]
    assert [c.name for c in shop.columns if c.not_null] == ["id", "opened"]
    assert shop.columns[1].default == "'it''s'"
    assert shop.unique == (("name", "kind"),)
    assert shop.checks == ("price > 0",)
    assert shop.foreign_keys == (ForeignKey(("name",), "owner", ("name",)),)


def test_postgres_dump_is_read_with_its_alterations() -> None:
    schema = load_ddl(POSTGRES)
    shop, owner = schema.table("shop"), schema.table("owner")
    assert shop is not None
    assert owner is not None
    assert (shop.primary_key, shop.rowid_alias, shop.unique) == (("id",), "id", (("opened",),))
    assert shop.foreign_keys == (ForeignKey(("name",), "owner", ("name",)),)
    assert owner.unique == (("name",),)


def test_tsql_is_read() -> None:
    shop = load_ddl(TSQL).tables[0]
    assert (shop.name, shop.rowid_alias, shop.columns[1].affinity) == ("shop", "id", "TEXT")


def test_column_added_by_alter_table_is_read() -> None:
    assert (
        load_ddl("CREATE TABLE t (a); ALTER TABLE t ADD COLUMN b INT NOT NULL DEFAULT 0")
        .tables[0]
        .columns[1]
        .not_null
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-- nothing",
        "SELECT 1",
        "hello world",
        "CREATE TABLE t (a INT",
        "CREATE TABLE t (a); CREATE TABLE T (b)",
        "CREATE TABLE t (a); CREATE VIEW v AS SELEC a FROM t",
        "CREATE TABLE t (a); ALTER TABLE u ADD COLUMN b",
        "CREATE TABLE t (a INT); ALTER TABLE t OWNER TO me, ADD COLUMN b INT",
        "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t; ALTER VIEW v AS SELECT 1",
        "CREATE TABLE t (a INT, UNIQUE KEY u (a)); DROP INDEX u ON t",
        "CREATE TABLE t (a INT); CREATE UNIQUE INDEX u ON t USING btree (a); DROP INDEX u",
        "CREATE TABLE t (a INT UNIQUE); DROP INDEX sqlite_autoindex_t_1",
        "CREATE TABLE t (a INT, UNIQUE (a) NOT ENFORCED)",
        "PRAGMA legacy_alter_table = ON; CREATE TABLE t (a INT)",
        "CREATE TABLE t (a INT); UPDATE sqlite_master SET sql = ''",
        "CREATE TABLE p (a INT); CREATE TABLE t (b INT) INHERITS (p)",
        "CREATE TABLE t (a CHECK (a > " + "(" * 5000 + "1" + ")" * 5000 + "))",
        "CREATE TABLE `t` (a int, b int GENERATED ALWAYS AS (a + 1)) ENGINE=InnoDB",
        "CREATE TABLE t (a, a)",
        'CREATE TABLE t (a, b" INT);\nCREATE TABLE u (c);\n',
    ],
)
def test_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"DDL") as caught:
        load_ddl(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "pragma",
    ["encoding = 'UTF-16'", "main.encoding='utf16le'", '"encoding" ("UTF-16be")', "[encoding]=utf16"],
)
def test_another_encoding_of_texts_is_refused(pragma: str) -> None:
    with pytest.raises(InputError, match="the only supported encoding is UTF-8"):
        load_ddl(f"/* first */ PRAGMA {pragma}; CREATE TABLE t (a)")


@pytest.mark.parametrize("pragma", ["case_sensitive_like = ON", "main.case_sensitive_like(1)"])
def test_a_like_that_tells_cases_apart_is_refused(pragma: str) -> None:
    with pytest.raises(InputError, match="equiv supports only a LIKE"):
        load_ddl(f"PRAGMA {pragma}; CREATE TABLE t (a)")


@pytest.mark.parametrize(
    "pragma",
    [
        *("encoding", "encoding = 'UTF-8'", "encoding(utf8)", "user_version = 16"),
        *("case_sensitive_like = off", "case_sensitive_like(0)"),
    ],
)
def test_what_sets_nothing_else_is_passed_over(pragma: str) -> None:
    assert load_ddl(f"PRAGMA {pragma}; CREATE TABLE t (a)").tables


def test_unique_indexes_of_other_dialects_keep_forbidding_rows() -> None:
    mysql = "CREATE TABLE `t` (`a` varchar(20), UNIQUE KEY `x` (`a`(10)), UNIQUE KEY y ((lower(a))));"
    (table,) = load_ddl(mysql + "CREATE UNIQUE INDEX i ON `t` (a(5))").tables
    assert table.unique == (("a",),)
    assert [index.split(" ON ")[1] for index in table.indexes] == [
        't (SUBSTRING("a", 1, 10))',
        "t ((LOWER(a)))",
        't (SUBSTRING("a", 1, 5))',
    ]
    postgres = "CREATE UNIQUE INDEX i ON public.t USING btree (lower(a) text_pattern_ops) WHERE (b IS NULL)"
    (table,) = load_ddl(f"CREATE TABLE public.t (a text, b date); {postgres}").tables
    assert [index.split(" ON ")[1] for index in table.indexes] == ["t (LOWER(a)) WHERE (b IS NULL)"]
    tsql = "CREATE UNIQUE NONCLUSTERED INDEX [i] ON [dbo].[t] ([a] ASC) WHERE ([a] IS NOT NULL)"
    (table,) = load_ddl(f"CREATE TABLE [dbo].[t] ([a] int); {tsql}").tables
    assert [index.split(" ON ")[1] for index in table.indexes] == ['t ("a") WHERE (NOT "a" IS NULL)']


def test_a_table_made_anew_keeps_its_indexes() -> None:
    (table,) = load_ddl(
        """CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a) WHERE b > 0;
        ALTER TABLE t ADD CONSTRAINT k UNIQUE (b)"""
    ).tables
    assert table.unique == (("b",),)
    assert table.indexes == ("CREATE UNIQUE INDEX i ON t (a) WHERE b > 0",)


def test_an_index_that_sqlite_cannot_express_is_refused() -> None:
    with pytest.raises(InputError, match="rejected"):
        load_ddl("CREATE TABLE t (a); CREATE UNIQUE INDEX i ON public.t (date_trunc('day', a))")


def test_a_query_that_makes_a_table_has_few_steps() -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n){} SELECT i FROM n"
    assert [t.name for t in load_ddl(f"CREATE TABLE t AS {endless.format('')}").tables] == ["t"]
    held = endless.format(", m AS MATERIALIZED (SELECT count(*) AS i FROM n)")
    with pytest.raises(InputError, match="interrupted"):
        load_ddl(f"CREATE TABLE t AS {held.removesuffix('SELECT i FROM n')} SELECT a.i FROM m AS a, m AS b")


def test_attach_is_not_executed(tmp_path: Path) -> None:
    target = tmp_path / "attached.sqlite"
    load_ddl(f"CREATE TABLE t (a); ATTACH '{target}' AS x; VACUUM INTO '{target}'")
    assert not target.exists()


def test_every_published_bird_schema_loads(data: Path) -> None:
    files = sorted((data / "bird" / "ddl").glob("*.sql"))
    assert len(files) == 11
    sizes = {file.stem: len(load_ddl(file.read_text(), file.stem).tables) for file in files}
    assert sizes["card_games"] == 6
    assert min(sizes.values()) >= 3


def test_half_of_a_character_is_no_ddl() -> None:
    with pytest.raises(InputError, match="not valid text"):
        load_ddl("CREATE TABLE t (a\ud800 INT)")


@pytest.mark.parametrize(
    ("body", "near"),
    [
        ("CHECK (a > 0), a INT", '"CHECK"'),
        ("a INT, PRIMARY KEY (a), b INT", '"b"'),
        ("a INT,", '")"'),
        ("a INT,, b INT", '","'),
        ("CONSTRAINT c CHECK (a > 0), a INT, b ENUM", '"CONSTRAINT"'),
        ("", '")"'),
    ],
)
def test_what_sqlite_does_not_take_is_refused_in_one_line(body: str, near: str) -> None:
    with pytest.raises(InputError) as refused:
        load_ddl(f"CREATE TABLE u (x);\nCREATE TABLE t ({body})")
    assert f"near {near}: syntax error" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_systems_may_have_constraints_before_columns() -> None:
    table = load_ddl("CREATE TABLE t (CHECK (a > 0), a BIGSERIAL, b character varying(3))").tables[0]
    assert (table.checks, [column.name for column in table.columns]) == (("a > 0",), ["a", "b"])


def test_objects_that_cannot_be_had_leave_the_rest() -> None:
    schema = load_ddl(
        """CREATE TABLE base (id INTEGER PRIMARY KEY, x TEXT NOT NULL);
        CREATE VIRTUAL TABLE docs USING nomodule(title); CREATE VIEW names AS SELECT title FROM docs;
        CREATE TRIGGER fill AFTER INSERT ON base BEGIN INSERT INTO docs VALUES (NEW.x); END;
        CREATE TRIGGER keep BEFORE INSERT ON base WHEN NEW.x = '' BEGIN SELECT RAISE(ABORT, 'empty'); END;
        CREATE TRIGGER early INSTEAD OF INSERT ON later BEGIN SELECT 1; END;
        ATTACH 'x.db' AS away; CREATE TABLE away.far (a); EXPLAIN SELECT 1;
        CREATE TEMP TABLE scratch (a INT);
        CREATE TABLE made AS WITH q (n) AS (SELECT 1) SELECT n, 'x' AS s FROM q"""
    )
    assert [table.name for table in schema.tables] == ["base", "made", "scratch", "far"]
    assert [column.name for column in schema.tables[1].columns] == ["n", "s"]
    assert [trigger.split()[2] for trigger in schema.triggers] == ["keep"]
    assert {"docs"} <= set(schema.withheld)
    assert [name for name in ("docs", "fill", "early") if name not in "\n".join(schema.notes)] == []
    with Checker(schema=schema) as checker:
        assert checker.check("SELECT x FROM base", "SELECT x FROM base WHERE x = x").name == "equivalent"
        assert checker.check("SELECT a FROM temp.scratch", "SELECT a FROM scratch").name == "equivalent"
        assert checker.check("SELECT a FROM away.far", "SELECT a FROM far").name == "equivalent"
        for text in ("SELECT title FROM docs", "SELECT title FROM names"):
            assert checker.check(text, "SELECT x FROM base").to_dict()["reason"] == "UNSUPPORTED"


@pytest.mark.parametrize(
    ("reference", "kept"),
    [("t", True), ("public.t", True), ("app.t", False), ("hr.u", True), ("app.u", False)],
)
def test_a_foreign_key_of_another_system_means_the_table_of_its_schema(reference: str, kept: bool) -> None:
    schema = load_ddl(
        "CREATE TABLE t (id SERIAL PRIMARY KEY); CREATE TABLE hr.u (id SERIAL PRIMARY KEY);"
        f"CREATE TABLE c (id SERIAL PRIMARY KEY, k INT, FOREIGN KEY (k) REFERENCES {reference} (id))"
    )
    keys = [key.parent for table in schema.tables if table.name == "c" for key in table.foreign_keys]
    assert keys == [reference.rpartition(".")[2]] * kept


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE t (a INT); CREATE UNIQUE INDEX zz.i ON t (a)",
        "CREATE TABLE t (a INT); CREATE TABLE IF NOT EXISTS app.t (a INT UNIQUE)",
        "CREATE TABLE app.t (a INT); CREATE TABLE IF NOT EXISTS t (a INT UNIQUE)",
        "ATTACH ':memory:' AS o; CREATE TABLE o.t (a INT, KEY ix (a))",
        "ATTACH ':memory:' AS o; CREATE TABLE o.t (a INT); CREATE UNIQUE INDEX i ON t (a)",
        "ATTACH ':memory:' AS o; ATTACH ':memory:' AS o; CREATE TABLE t (a INT)",
        """CREATE TABLE t (a INT); CREATE TABLE u (a INT); CREATE TEMP TABLE u (b INT);
        CREATE TRIGGER r BEFORE INSERT ON t BEGIN DELETE FROM u; END""",
    ],
)
def test_a_name_of_two_meanings_is_refused(script: str) -> None:
    with pytest.raises(InputError):
        load_ddl(script)
