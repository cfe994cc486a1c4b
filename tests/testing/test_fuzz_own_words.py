"""``equiv fuzz --dialect``: what is planted is found on the dialect's engine, with a script that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from string import Template
from textwrap import dedent

import pytest
from sqlglot import exp

from equiv import cli
from equiv.answers.answers import AnswerPlan
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.duckdb.lowering import folding
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.registry import dialect_named
from equiv.dialects.words import Words
from equiv.engine.make import all_rules, make_engine
from equiv.errors import InputError
from equiv.options import Options
from equiv.relation import Columns, Relation, Rows
from equiv.rewrite.rule import rule
from equiv.rules.verification.golden import read_cases
from equiv.testing.fuzz import attacker as asking_provers
from equiv.testing.fuzz import own_words as made
from equiv.testing.fuzz import own_words as own_words_batches
from equiv.testing.fuzz.attacker import Asking
from equiv.testing.fuzz.findings import Findings
from equiv.testing.fuzz.own_words import OwnWordsAttacker, OwnWordsBatch, attacked, words_of
from equiv.testing.fuzz.own_worlds import AskedText, DrawnWorld, OwnWordsQuestions, kept_rows, world
from equiv.testing.fuzz.run import write_findings

pytestmark = pytest.mark.long

INSTALLED = {"postgres": is_installed(), "duckdb": find_spec("duckdb") is not None}
QUICK = Asking(6, 5.0, sampled=0)
PLAIN = DrawnWorld(
    {name: {"id": "integer", "i": "integer", "s": "varchar"} for name in ("t", "u")},
    {"t": ("PRIMARY KEY (id)",), "u": ("FOREIGN KEY (id) REFERENCES t (id)",)},
)


@pytest.fixture(params=sorted(INSTALLED))
def dialect(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not INSTALLED[name]:
        pytest.skip(f"{name} is not installed")
    return name


@rule(on=exp.Select)
def eliminate_any_distinct(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT, which is wrong where rows are equal.

    Before:  SELECT DISTINCT x FROM t
    After:   SELECT x FROM t
    Refuse:  nothing, which is wrong
    Sound:   not at all
    """
    del ctx
    if select.args.get("distinct") is None:
        return None
    changed = select.copy()
    changed.set("distinct", None)
    return changed


def test_an_unsound_rule_is_found_on_the_engine(
    dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = replace(words_of(dialect), questions=(("SELECT DISTINCT t.i FROM t", "SELECT t.i FROM t"),))
    monkeypatch.setattr(made, "words_of", lambda name: words)
    monkeypatch.setattr(asking_provers, "all_rules", lambda: (*all_rules(), eliminate_any_distinct))
    found = Findings()
    for number in range(3):
        found.add(attacked(OwnWordsBatch(dialect, 1, number, QUICK, 2)))
    assert found.fired["eliminate_any_distinct"]
    written = write_findings(found, tmp_path)
    assert written.findings
    assert {path.parent.name for path in written.findings} == {"bugs"}
    for path in written.findings:
        (case,) = read_cases(path)
        assert (case.command, case.parts[-1]) == ("decide", "not_equivalent")
        assert f"schema dialect={dialect}" in path.read_text()
    for path in written.scripts:
        _shows_a_difference(path.read_text(), dialect)


def test_a_proof_is_found_that_hangs_on_a_setting_and_does_not_name_it(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting, ways = {
        "postgres": (
            "transform_null_equals",
            ("SELECT t.id FROM t WHERE t.i = NULL OR t.i = 1", "SELECT t.id FROM t WHERE t.i = 1"),
        ),
        "duckdb": (
            "default_null_order",
            tuple(
                f"SELECT t.i, t.x FROM t ORDER BY t.i {nulls}, t.x {nulls}" for nulls in ("", "NULLS LAST")
            ),
        ),
    }[dialect]
    words = replace(words_of(dialect), hanging=(ways,))
    monkeypatch.setattr(made, "words_of", lambda name: words)
    monkeypatch.setattr(made, "HANGING", 1.0)

    def found() -> Findings:
        found = Findings()
        for number in range(4):
            found.add(attacked(OwnWordsBatch(dialect, 1, number, replace(QUICK, settings=4), 2)))
        return found

    honest = found()
    assert honest.proved
    assert not honest.broken
    monkeypatch.setattr(own_words_batches, "resting_on_settings", lambda verdict, pair: verdict)
    broken = found().broken
    assert broken
    assert all(f"# SET {setting} = " in each for each in broken)


def _shows_a_difference(script: str, dialect: str) -> None:
    """A database of the fewest rows, and two queries that part on it."""
    statements = [
        "\n".join(line for line in each.splitlines() if not line.startswith("--")).strip()
        for each in dialect_named(dialect).reader.statements(script)
    ]
    *made_by, pred, gold = [each for each in statements if each]
    assert sum(each.startswith("INSERT") for each in made_by) == 2
    with dialect_named(dialect).engine.replay("".join(f"{each};\n" for each in made_by)) as session:
        one, other = session.run(pred), session.run(gold)
    assert isinstance(one, Result)
    assert isinstance(other, Result)
    assert len(one.rows) != len(other.rows)


def test_an_unsound_prover_makes_the_command_fail_and_say_how_to_replay_what_is_found(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prover is planted in the worker, another process: Python runs its site there first."""
    planted = tmp_path / "planted"
    planted.mkdir()
    (planted / "sitecustomize.py").write_text(PLANTED)
    monkeypatch.setenv("PYTHONPATH", str(planted))
    out = tmp_path / "run"
    asked = f"--dialect {dialect} --pairs 6 --effort 4 --whole 0 --question-seconds 5"
    assert cli.run(["fuzz", *asked.split(), "--out", str(out)]) == 1
    said = capsys.readouterr()
    (script, *_) = (out / "scripts").iterdir()
    assert f"found: {out}/bugs/" in said.err
    assert {"postgres": "psql -X -f ", "duckdb": "duckdb :memory: -f "}[dialect] + str(script) in said.err
    assert "wrong proofs" in said.out


PLANTED = dedent(
    '''
    import importlib.abc, sys

    class Plant(importlib.abc.MetaPathFinder):
        """Lets the prover prove everything once the attacker is imported."""

        def find_spec(self, name, path, target=None):
            if name == "equiv.testing.fuzz.own_words":
                sys.meta_path.remove(self)
                from equiv.tiers.outcome import Proved
                from equiv.tiers.proof import ProofTier
                from equiv.verdict import Derivation
                ProofTier.settle = lambda tier, pair, effort: Proved(Derivation((), (), pair.gold.sql))
            return None

    sys.meta_path.insert(0, Plant())
    '''
)


def test_a_run_is_kept_and_resumed(dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    command = ["fuzz", *f"--dialect {dialect} --pairs 6 --effort 3 --seed 5".split(), "--out", str(out)]
    assert cli.run(command) == 0
    first, kept = capsys.readouterr().out, (out / "fuzz.jsonl").read_text()
    assert dialect_named(dialect).title in first.splitlines()[0]
    assert "| pairs asked about                  | 6 " in first
    assert cli.run(command) == 0
    assert capsys.readouterr().out.splitlines()[1:] == first.splitlines()[1:]
    assert (out / "fuzz.jsonl").read_text() == kept


def test_a_batch_repeats_and_its_key_depends_on_the_dialect(dialect: str) -> None:
    one, other = (attacked(OwnWordsBatch(dialect, 3, 1, QUICK, 5)) for _ in range(2))
    for found in (one, other):
        del found["seconds"]
    assert one == other
    keys = {OwnWordsBatch(each, 3, 1, QUICK, 5).key for each in INSTALLED if INSTALLED[each]}
    assert len(keys) == sum(INSTALLED.values())


def test_every_question_has_ways_that_the_dialect_reads(dialect: str) -> None:
    words = words_of(dialect)
    schema = dialect_named(dialect).loader.read_ddl(world(words, Random(1)).ddl)
    unread = []
    with closing(make_engine(schema, None, Options(timeout=None, dialect=dialect))) as engine:

        def is_read(text: str) -> bool:
            query = engine.read(text)
            return isinstance(query, Query) and query.tree is not None

        for ways in dict.fromkeys(words.questions):
            assert len(set(ways)) == len(ways)
            if not any(_are_two(filter(is_read, texts)) for texts in _fillings(ways, words)):
                unread.append(ways[0])
    assert not unread


def _fillings(ways: tuple[str, ...], words: Words) -> Iterator[list[str]]:
    for seed in range(20):
        questions = OwnWordsQuestions(words, Random(seed))
        fixed = questions.fixed()
        yield [Template(way).substitute(questions.once(fixed)) for way in ways]


def _are_two(texts: Iterator[str]) -> bool:
    return next(texts, None) is not None and next(texts, None) is not None


def test_a_reading_that_the_engine_contradicts_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB's dates as the numbers 2000 - 1 - 1: equal to no other way, so that no proof shows it."""
    if not INSTALLED["duckdb"]:
        pytest.skip("duckdb is not installed")
    monkeypatch.setattr(folding, "_with_type", lambda constant: constant)
    ways = ("SELECT t.id FROM t WHERE DATE '2000-03-01' - DATE '2000-02-28' > 1", "SELECT t.id FROM t")
    words = replace(words_of("duckdb"), questions=(ways,))
    monkeypatch.setattr(made, "words_of", lambda name: words)
    found = Findings()
    found.add(attacked(OwnWordsBatch("duckdb", 1, 0, QUICK, 1)))
    assert (found.readings, len(found.crashed), found.broken) == (3, 1, [])
    (path,) = write_findings(found, tmp_path).findings
    told = path.read_text()
    assert path.parent.name == "errors"
    assert told.startswith("# the core gives another answer\n# INSERT INTO t VALUES (")
    assert told.count("INSERT") == 1
    assert "# core: no rows" in told


def test_a_batch_ends_where_nothing_is_read(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = replace(words_of(dialect), questions=(("SELECT nothing FROM t", "SELECT t.nothing FROM t"),))
    monkeypatch.setattr(made, "words_of", lambda name: words)
    found = attacked(OwnWordsBatch(dialect, 1, 0, QUICK, 5))
    assert (found["pairs"], found["unread"]) == (0, 2 * made.PATIENCE)


def test_rows_that_a_constraint_refuses_are_left_out(dialect: str) -> None:
    rows = [
        "INSERT INTO t VALUES (1, 1, 'a');",
        "INSERT INTO t VALUES (1, 2, 'b');",
        "INSERT INTO u VALUES (2, 1, 'a');",
        "INSERT INTO u VALUES (1, 1, 'a');",
    ]
    kept = kept_rows(PLAIN, rows, dialect_named(dialect).engine)
    assert kept == [rows[0], rows[3]]


def test_what_a_tie_explains_is_no_finding_and_what_nothing_explains_is(dialect: str) -> None:
    rows = "INSERT INTO t VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 8, 'c');"
    schema = dialect_named(dialect).loader.read_ddl(PLAIN.ddl)
    text = "SELECT t.s FROM t ORDER BY t.i LIMIT 1"
    with closing(make_engine(schema, None, Options(timeout=None, dialect=dialect))) as engine:
        query = engine.read(text)
        other = engine.read("SELECT z.s FROM t AS z ORDER BY z.i LIMIT 1")
        assert isinstance(query, Query)
        assert isinstance(other, Query)
        pair = Pair(query, other, schema, engine.facts, Relation(Rows.LIST, Columns.ORDERED))
        with dialect_named(dialect).engine.replay(f"{PLAIN.ddl}\n{rows}") as session:
            asked = AskedText(session)
            asked._answers = {text: Result((("a",),), 1), other.sql: Result((("b",),), 1)}
            assert asked.parted(pair) is None
            asked._answers[other.sql] = Result((("c",),), 1)
            assert asked.parted(pair) is not None


def test_a_text_with_more_choices_than_are_made_is_not_called_misread(dialect: str) -> None:
    values = ", ".join(f"({n}, 7, '{chr(97 + n)}')" for n in range(12))
    schema = dialect_named(dialect).loader.read_ddl(PLAIN.ddl)
    open_text = "SELECT (SELECT z.s FROM t AS z WHERE z.i = t.i ORDER BY z.i LIMIT 1) FROM t"
    with closing(make_engine(schema, None, Options(timeout=None, dialect=dialect))) as engine:
        queries = [engine.read(text) for text in (open_text, "SELECT t.s FROM t")]
        with dialect_named(dialect).engine.replay(f"{PLAIN.ddl}\nINSERT INTO t VALUES {values};") as session:
            asked = AskedText(session)
            found = []
            for query in queries:
                assert isinstance(query, Query)
                asked._answers[query.sql] = Result((("a",),) * 12, 1)
                found.append(asked.misread(query, AnswerPlan(query, schema, engine.facts)))
    assert found[0] is None
    assert found[1] is not None


def test_values_of_two_families_are_never_the_same(dialect: str) -> None:
    schema = dialect_named(dialect).loader.read_ddl(PLAIN.ddl)
    with closing(make_engine(schema, None, Options(timeout=None, dialect=dialect))) as engine:
        attacker = OwnWordsAttacker(engine, 1, QUICK, PLAIN, words_of(dialect))
        number, text = engine.read("SELECT t.i FROM t"), engine.read("SELECT t.i = 1 FROM t")
        assert isinstance(number, Query)
        assert isinstance(text, Query)
        pair = Pair(*attacker.paired(number, text), schema, engine.facts, Relation(Rows.BAG, Columns.ORDERED))
        with dialect_named(dialect).engine.replay(
            f"{PLAIN.ddl}\nINSERT INTO t VALUES (1, 1, 'a');"
        ) as session:
            assert AskedText(session).parted(pair) is not None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--dialect", "oracle"), "unknown dialect 'oracle'; choose among duckdb, postgres, sqlite"),
        (("--dialect", "duckdb", "--schema", "s.sql"), "--schema goes with SQLite's queries"),
        (("--duckdb",), "--duckdb"),
    ],
)
def test_what_cannot_be_is_one_line(
    options: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.sql").write_text(PLAIN.ddl)
    given = [str(tmp_path / each) if each == "s.sql" else each for each in options]
    assert cli.run(["fuzz", "--out", str(tmp_path / "run"), "--pairs", "1", *given]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_a_dialect_that_is_not_installed_is_one_line(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(engine: object) -> str:
        del engine
        raise InputError(f"install the extra, pip install 'equiv[{dialect}]'")

    monkeypatch.setattr(type(dialect_named(dialect).engine), "version", property(missing))
    assert cli.run(["fuzz", "--out", str(tmp_path), "--pairs", "1", "--dialect", dialect]) == 2
    assert capsys.readouterr().err == f"equiv: install the extra, pip install 'equiv[{dialect}]'\n"
