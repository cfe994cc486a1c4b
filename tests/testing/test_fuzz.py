"""``equiv fuzz``: it finds what is planted, keeps what it does, and goes on from there."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random
from string import Template

import pytest
from sqlglot import exp

from equiv import cli
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.query import Query
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.rewrite.normalise import RuleSet
from equiv.rewrite.rule import rule
from equiv.rules.verification.golden import read_cases
from equiv.testing.fuzz import batches as made
from equiv.testing.fuzz.attacker import Asking, Attacker, KeptForms, RulesAlone
from equiv.testing.fuzz.batches import Batch, attacked, batches, near_misses, placed, same_twice
from equiv.testing.fuzz.findings import Findings
from equiv.testing.fuzz.run import names, write_findings
from equiv.testing.making import texts as texts_made
from equiv.testing.making.databases import Schemas
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.verdict import Derivation, Reason, Tier

QUICK = Asking(20, 5.0, sampled=0, whole=4)
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, x INT, y TEXT);"


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "PAIRS", 6)


class Liar:
    """Proves everything."""

    tier = Tier.PROOF

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del effort
        return Proved(Derivation((), (), pair.gold.sql))


class Confused:
    """Says that it contradicts itself."""

    tier = Tier.RULES

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        return Open(Reason.CONFLICT, "it is so and it is not so")


def test_a_wrong_proof_becomes_a_golden_file(tmp_path: Path) -> None:
    schema = load_ddl(DDL)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:
        attacker = Attacker(engine, 1, QUICK)
        attacker._provers = (Liar(),)
        attacker.ask("planted", "SELECT x FROM t", "SELECT x FROM t WHERE x > 1")
    (path,) = write_findings(attacker.found, tmp_path).findings
    assert path.parent.name == "bugs"
    (case,) = read_cases(path)
    assert case.command == "decide"
    assert case.parts[-1] == "not_equivalent"
    assert write_findings(attacker.found, tmp_path).findings == (path,)


@rule(on=exp.Select)
def eliminate_distinct_of_any_one_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT where a key is one value; it does not ask whether the key is the row's own.

    Before:  SELECT DISTINCT x FROM t WHERE id = 1
    After:   SELECT x FROM t WHERE id = 1
    Refuse:  nothing, which is wrong
    Sound:   not at all
    """
    del ctx
    where = select.args.get("where")
    keys = [column for column in where.find_all(exp.Column) if column.name == "id"] if where else []
    if select.args.get("distinct") is None or not keys:
        return None
    changed = select.copy()
    changed.set("distinct", None)
    return changed


def test_a_rule_that_takes_an_outer_column_for_its_own_is_found_within_a_query() -> None:
    schema = load_ddl(DDL)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:
        attacker = Attacker(engine, 1, QUICK)
        attacker._rules = RuleSet((eliminate_distinct_of_any_one_row,))
        attacker._provers = (RulesAlone(KeptForms(attacker._rules)),)
        plain = "SELECT DISTINCT x FROM t WHERE id = 1"
        attacker.ask_normal_form("plain", plain)
        assert attacker.found.pairs == 1
        assert not attacker.found.broken
        for one, _ in placed((plain, plain), schema, engine.read, Random(1), 99):
            attacker.ask_normal_form("within", one)
    assert attacker.found.broken


def test_a_verdict_that_owns_to_an_error_is_found(tmp_path: Path) -> None:
    schema = load_ddl(DDL)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:
        engine.tiers = (Confused(),)
        attacker = Attacker(engine, 1, Asking(1, 5.0, sampled=0, whole=1))
        attacker.ask("planted", "SELECT x FROM t", "SELECT x FROM t WHERE x > 1")
    (path,) = write_findings(attacker.found, tmp_path).findings
    assert path.parent.name == "errors"
    told = path.read_text()
    assert "# the engine says CONFLICT it is so" in told
    assert "CREATE TABLE t (" in told
    assert "'assume=type(t.x)'" in told
    assert told.endswith("\nSELECT x FROM t\n----\nSELECT x FROM t WHERE x > 1\n")


def test_near_misses_repeat() -> None:
    schema = load_ddl(DDL)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:

        def first(seed: int) -> list[tuple[int, str, str]]:
            random = Random(seed)
            found = near_misses(schema, random, same_twice(random, schema), engine.read)
            return [pair for pair, _ in zip(found, range(30), strict=False)]

        assert first(1) == first(1) != first(2)


@pytest.mark.long
@pytest.mark.usefixtures("small_batches")
def test_a_batch_repeats_and_its_key_depends_on_what_it_asks() -> None:
    one, other = (attacked(Batch(3, 1, None, QUICK, 6)) for _ in range(2))
    for found in (one, other):
        del found["seconds"]
    assert one == other
    assert one["pairs"] + one["unread"] >= 6
    assert not one["broken"]
    asked = [Batch(3, 1, None, QUICK, 6), Batch(3, 2, None, QUICK, 6), Batch(4, 1, None, QUICK, 6)]
    asked += [Batch(3, 1, load_ddl(DDL), QUICK, 6), Batch(3, 1, None, Asking(21, 5.0), 6)]
    asked += [Batch(3, 1, None, QUICK, 7)]
    assert len({batch.key for batch in asked}) == len(asked)


@pytest.mark.long
@pytest.mark.usefixtures("small_batches")
def test_the_parts_of_proofs_are_known_by_name() -> None:
    found = Findings()
    for batch in batches(1, load_ddl(DDL), Asking(5, 5.0, sampled=0), 18):
        found.add(attacked(batch))
    rules, rewrites = names()
    assert found.fired
    assert set(found.fired) - rules - rewrites <= {"canonical_order", "column_order"}


@pytest.mark.long
@pytest.mark.usefixtures("small_batches")
def test_a_run_is_kept_and_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["fuzz", "--out", str(tmp_path / "run"), "--pairs", "8", "--effort", "20", "--seed", "5"]
    assert cli.run(command) == 0
    first = capsys.readouterr().out
    assert "seed 5" in first
    assert "rewrites of the algebra used" in first
    kept = (tmp_path / "run" / "fuzz.jsonl").read_text()
    asked = [json.loads(line) for line in kept.splitlines()]
    assert len(asked) == 2
    assert 8 <= sum(each["pairs"] + each["unread"] for each in asked) < 20, "besides those within a query"
    assert cli.run(command) == 0
    again = capsys.readouterr().out
    assert again.splitlines()[1:] == first.splitlines()[1:]
    assert (tmp_path / "run" / "fuzz.jsonl").read_text() == kept


def test_a_run_has_to_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.run(["fuzz", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "equiv: give --seconds, --pairs or both, so that the run ends\n"


def test_every_way_of_an_idiom_is_a_query_on_any_schema() -> None:
    for seed in range(4):
        random = Random(seed)
        schema = Schemas(random).schema(3)
        filling = texts_made.filling_of(random, schema)
        with closing(make_engine(schema, None, Options(timeout=None))) as engine:
            for ways in texts_made.IDIOMS:
                assert len(set(ways)) == len(ways)
                for text in (Template(way).substitute(filling) for way in ways):
                    assert isinstance(engine.read(text), Query), text


def test_two_ways_of_an_idiom_stand_beside_each_other_before_their_near_misses() -> None:
    schema = load_ddl(DDL)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:
        bases = [("SELECT x FROM t", "SELECT x FROM t WHERE 1")] * 2
        found = list(near_misses(schema, Random(1), bases, engine.read))
    assert found[0] == (0, "SELECT x FROM t WHERE 1", "SELECT x FROM t")
    assert {number for number, _, _ in found} == {0, 1}
    assert len(found) > 4


class Idle:
    """Proves nothing."""

    tier = Tier.RULES

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        return Open()


def test_a_proof_is_traced_though_it_was_made_just_before() -> None:
    with closing(make_engine(load_ddl(DDL), None, Options(timeout=None))) as engine:
        attacker = Attacker(engine, 1, Asking(1, 5.0, sampled=1))
        attacker._provers = (Idle(), attacker._provers[-1])
        attacker._random.random = lambda: 0.5  # type: ignore[method-assign]
        assert attacker.ask("", "SELECT x FROM t WHERE x > 1", "SELECT x FROM t WHERE 1 < x")
    assert attacker.found.traced == 1
    assert attacker.found.reached
