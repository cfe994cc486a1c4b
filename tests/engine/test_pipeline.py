"""The pipeline: order of tiers, the backstop, reasons, and that nothing raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_tiers
from equiv.engine.pipeline import Engine, decide
from equiv.facts import Facts
from equiv.generate.database import Database
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.rewrite.rule import rule
from equiv.rules import RULES
from equiv.schema.policy import facts_for
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import BACKSTOP_EFFORT, Open, Proved, Refuted, Settler, TierOutcome
from equiv.tiers.rules import RulesTier
from equiv.verdict import (
    Derivation,
    Difference,
    Equivalent,
    Execution,
    Invalid,
    NotEquivalent,
    Proof,
    Reason,
    Step,
    Tier,
    Undecided,
    Verdict,
)

SCHEMA = load_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT NOT NULL)", "test")


def engine(*tiers: Settler, relation: str = "sql", effort: int = 60) -> Engine:
    facts = facts_for(SCHEMA, "intended")
    chosen = tiers or (RulesTier(RuleSet(())), GenerateTier(SCHEMA, facts))
    return Engine(SCHEMA, facts, (), relation=relation, effort=effort, tiers=chosen)


@dataclass
class Scripted:
    """A tier that does what it is told."""

    tier: Tier
    act: Callable[[], TierOutcome]

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        return self.act()


def a_pair() -> Pair:
    made: list[Pair] = []

    class Capture(Scripted):
        def settle(self, pair: Pair, effort: int) -> TierOutcome:
            del effort
            made.append(pair)
            return Open()

    engine(Capture(Tier.DATA, Open)).check("SELECT a FROM t", "SELECT b FROM t")
    return made[0]


@pytest.mark.parametrize("page", ["docs/architecture.md", "equiv/engine/pipeline.py"])
def test_the_picture_shows_the_tiers_in_their_order(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    line = next(each for each in text.splitlines() if each.strip().startswith("two texts"))
    shown = [word.strip() for word in re.split("→|->", line)]
    tiers = [
        str(tier.tier) for tier in make_tiers(SCHEMA, facts_for(SCHEMA, "intended"), Path("data.sqlite"))
    ]
    assert shown == ["two texts", "read", "pair", *tiers, "finish", "verdict"]


def test_a_verdict_has_no_truth_value() -> None:
    verdict = engine().check("SELECT a FROM t", "SELECT a FROM t")
    with pytest.raises(TypeError, match="no truth value"):
        bool(verdict)


def test_each_case_carries_its_evidence() -> None:
    check = engine().check
    match check("SELECT b, a FROM t AS x", "SELECT y.b, y.a FROM t AS y"):
        case Equivalent(tier=Tier.RULES, evidence=Derivation(normal_form=text)):
            assert text
        case other:
            pytest.fail(f"{other}")
    match check("SELECT a FROM t", "SELECT a FROM t WHERE a > 5"):
        case NotEquivalent(tier=Tier.GENERATE, evidence=witness):
            assert witness.pred_rows != witness.gold_rows
        case other:
            pytest.fail(f"{other}")


def test_a_broken_gold_query_wins_over_a_broken_prediction() -> None:
    match engine().check("SELEC", "SELECT nope FROM t"):
        case Undecided(reason=Reason.GOLD_INVALID, failure_code=code):
            assert code == "GOLD_NO_TABLE_OR_COLUMN"
        case other:
            pytest.fail(f"{other}")


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("", "PRED_EMPTY"),
        ("-- nothing", "PRED_EMPTY"),
        ("SELEC a FROM t", "PRED_SYNTAX"),
        ("SELECT x FROM t", "PRED_NO_TABLE_OR_COLUMN"),
        ("SELECT nosuch(a) FROM t", "PRED_NO_FUNCTION"),
        ("DELETE FROM t", "PRED_NOT_A_QUERY"),
        ("SELECT 1; SELECT 2", "PRED_NOT_A_QUERY"),
    ],
)
def test_unusable_predictions(sql: str, code: str) -> None:
    match engine().check(sql, "SELECT a FROM t"):
        case Invalid(tier=Tier.PARSE, failure_code=found):
            assert found == code
        case other:
            pytest.fail(f"{other}")


def test_other_column_counts_are_not_equivalent_under_any_relation() -> None:
    for relation in ("sql", "bird", "spider", "rose", "set"):
        match engine(relation=relation).check("SELECT a, b FROM t", "SELECT a FROM t"):
            case NotEquivalent(difference=Difference.COLUMNS):
                pass
            case other:
                pytest.fail(f"{relation}: {other}")


def test_a_wrong_rule_is_caught_by_the_backstop() -> None:
    @rule(on=exp.Select, shape=(lambda select: select.args.get("where") is not None,))
    def drop_where(select: exp.Expression, _ctx: Context) -> exp.Expression | None:
        select.set("where", None)
        return select

    facts = facts_for(SCHEMA, "intended")
    rules, generate = RulesTier(RuleSet([drop_where])), GenerateTier(SCHEMA, facts)
    pair = ("SELECT a FROM t WHERE a > 3", "SELECT a FROM t")
    made = Engine(SCHEMA, facts, (), relation="sql", effort=60, tiers=(rules,), refuters=(generate,))
    match made.check(*pair):
        case Undecided(reason=Reason.CONFLICT, evidence=witness):
            assert witness is not None
            assert witness.pred_rows != witness.gold_rows
        case other:
            pytest.fail(f"{other}")
    assert isinstance(engine(rules, generate).check(*pair), NotEquivalent)


def first_tier(pred: str, gold: str) -> Tier:
    facts = facts_for(SCHEMA, "intended")
    return engine(RulesTier(RuleSet(RULES)), GenerateTier(SCHEMA, facts)).check(pred, gold).attempts[1].tier


@pytest.mark.parametrize(
    "pred",
    [
        "SELECT a FROM t WHERE a > 3",
        "SELECT a FROM t ORDER BY id LIMIT 2",
        "SELECT a / 2.0 FROM t WHERE a > 3",
        "SELECT (SELECT s.a FROM t AS s LIMIT 1) FROM t WHERE a > 3",
    ],
)
def test_a_pair_is_looked_at_before_the_rules(pred: str) -> None:
    assert first_tier(pred, "SELECT a FROM t") is Tier.GENERATE


@pytest.mark.parametrize(
    "pred", ["SELECT a FROM t WHERE b < CURRENT_DATE", "SELECT a FROM t WHERE random() > 3"]
)
def test_the_clock_and_chance_leave_the_first_word_to_the_rules(pred: str) -> None:
    assert first_tier(pred, "SELECT a FROM t") is Tier.RULES


def loaded_by(tier: GenerateTier) -> list[Database]:
    """The databases that a tier tries from now on."""
    seen: list[Database] = []
    load = tier.bench.arena.load

    def counted(database: Database, order: int | None = None) -> bool:
        seen.append(database)
        return load(database, order)

    tier.bench.arena.load = counted  # type: ignore[method-assign]
    return seen


def test_a_first_look_is_no_work_twice() -> None:
    tier = GenerateTier(SCHEMA, facts_for(SCHEMA, "intended"))
    seen = loaded_by(tier)
    made = engine(RulesTier(RuleSet(RULES)), tier, effort=60)
    verdict = made.check("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a = 2 OR a = 1")
    assert isinstance(verdict, Equivalent)
    assert len(seen) == BACKSTOP_EFFORT


def test_most_databases_come_after_a_proof_is_sought() -> None:
    tier = GenerateTier(SCHEMA, facts_for(SCHEMA, "intended"))
    seen = loaded_by(tier)
    texts = "SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a = 2 OR a = 1"
    proved = engine(tier, proving(), effort=1000).check(*texts)
    assert isinstance(proved, Equivalent)
    few = len(seen)
    assert BACKSTOP_EFFORT <= few < 1000
    left = engine(tier, Scripted(Tier.PROOF, Open), effort=1000).check(*texts)
    assert [attempt.tier for attempt in left.attempts][1:-1] == [Tier.GENERATE, Tier.PROOF, Tier.GENERATE]
    assert len(seen) - few >= 1000
    few = len(seen)
    engine(tier, effort=1000).check(*texts)
    assert len(seen) - few >= 1000


@pytest.mark.parametrize("sql", ["SELECT a FROM t WHERE a > 3", "SELECT COUNT(*) FROM t GROUP BY b"])
def test_one_program_needs_no_databases(sql: str) -> None:
    tier = GenerateTier(SCHEMA, facts_for(SCHEMA, "intended"))
    tier.bench.arena.load = lambda database, order=None: pytest.fail("a database for nothing")  # type: ignore[method-assign]
    made = engine(RulesTier(RuleSet(RULES)), tier)
    assert isinstance(made.check(sql, sql), Equivalent)
    assert isinstance(made.check(sql, sql.replace("FROM t", "FROM  t AS x")), Equivalent)


def proving(strongest: Relation | None = None) -> Scripted:
    """A prover that finds everything equivalent."""
    proof = Proof("a", "a", (), ())
    return Scripted(Tier.PROOF, lambda: Proved(proof, strongest=strongest))


def test_a_proof_is_believed_once_the_tiers_before_it_found_nothing() -> None:
    made = engine(GenerateTier(SCHEMA, facts_for(SCHEMA, "intended")), proving(Relation(Rows.LIST)))
    match made.check("SELECT a FROM t WHERE a >= 3", "SELECT a FROM t WHERE NOT a < 3"):
        case Equivalent(tier=Tier.PROOF, evidence=Proof(), strongest=strongest, attempts=attempts):
            assert strongest == Relation(Rows.LIST)
            assert [a.purpose for a in attempts] == ["parse", "generate", "proof", "fewest"]
        case other:
            pytest.fail(f"{other}")


def test_a_proof_is_tested_even_if_the_testing_tiers_may_settle_nothing() -> None:
    pair, generate = a_pair(), GenerateTier(SCHEMA, facts_for(SCHEMA, "intended"))
    for testers, name in (((generate,), "undecided"), ((), "equivalent")):
        assert decide(pair, [proving()], 40, refuters=testers).name == name


def test_no_relation_is_claimed_that_a_step_does_not_keep() -> None:
    steps = (Step("a", "x", "y"), Step("b", "y", "z", under="bag"))
    proof = Derivation(steps, (), "z")
    prover = Scripted(Tier.PROOF, lambda: Proved(proof, strongest=Relation(Rows.LIST)))
    match decide(a_pair(), [prover], 0):
        case Equivalent(strongest=strongest):
            assert strongest == Relation(Rows.BAG)
        case other:
            pytest.fail(f"{other}")


def test_an_undecided_pair_says_how_far_the_search_came() -> None:
    searched = [Scripted(Tier.SEARCH, lambda: Open(bounded=3)), Scripted(Tier.PROOF, Open)]
    match decide(a_pair(), searched, 10):
        case Undecided(reason=Reason.NO_PROOF, bounded=3):
            pass
        case other:
            pytest.fail(f"{other}")


def derived() -> Scripted:
    """Rules that find everything equivalent."""
    return Scripted(Tier.RULES, lambda: Proved(Derivation((), (), "z"), strongest=Relation(Rows.LIST)))


def refuted() -> TierOutcome:
    return Refuted(Execution("d", ((1,),), ()), Difference.ROWS_EXTRA)


@pytest.mark.parametrize(
    ("second", "confirmed", "tiers"),
    [
        (proving(), True, [Tier.RULES, Tier.GENERATE, Tier.PROOF]),
        (Scripted(Tier.PROOF, Open), False, [Tier.RULES, Tier.GENERATE, Tier.PROOF, Tier.GENERATE]),
    ],
)
def test_a_second_prover_confirms_what_rules_derive(
    second: Scripted, confirmed: bool, tiers: list[Tier]
) -> None:
    quiet = Scripted(Tier.GENERATE, Open)
    match decide(a_pair(), [derived()], 40, refuters=(quiet,), confirm=second):
        case Equivalent(tier=Tier.RULES, confirmed=found, attempts=attempts):
            assert (found, [attempt.tier for attempt in attempts]) == (confirmed, tiers)
        case other:
            pytest.fail(f"{other}")
    match decide(a_pair(), [derived()], 40, refuters=(quiet,)):
        case Equivalent(confirmed=None):
            pass
        case other:
            pytest.fail(f"{other}")


def test_what_is_not_confirmed_must_withstand_the_whole_effort() -> None:
    efforts: list[int] = []

    class Late(Scripted):
        """Refutes only with the whole effort."""

        def settle(self, pair: Pair, effort: int) -> TierOutcome:
            del pair
            efforts.append(effort)
            return refuted() if effort > BACKSTOP_EFFORT else Open()

    late = Late(Tier.GENERATE, Open)
    match decide(a_pair(), [derived()], 300, refuters=(late,), confirm=Scripted(Tier.PROOF, Open)):
        case Undecided(reason=Reason.CONFLICT, detail=detail):
            said = "the tier rules proved the pair, but the tier generate refutes it (rows_extra)"
            assert detail == f"{said}; this is a bug in equiv; please report the pair"
        case other:
            pytest.fail(f"{other}")
    assert efforts == [BACKSTOP_EFFORT, 300]
    confirmed = decide(a_pair(), [derived()], 300, refuters=(late,), confirm=proving())
    assert isinstance(confirmed, Equivalent)
    assert confirmed.confirmed


def test_a_second_proof_that_is_false_is_a_conflict() -> None:
    broken = Scripted(Tier.PROOF, lambda: Open(Reason.CONFLICT, "a step of the proof is false: x"))
    match decide(a_pair(), [derived()], 40, confirm=broken):
        case Undecided(reason=Reason.CONFLICT, detail="a step of the proof is false: x"):
            pass
        case other:
            pytest.fail(f"{other}")


def test_a_proof_of_the_algebra_is_not_put_to_it_again() -> None:
    match decide(a_pair(), [proving()], 40, confirm=Scripted(Tier.PROOF, lambda: pytest.fail("asked"))):
        case Equivalent(confirmed=None):
            pass
        case other:
            pytest.fail(f"{other}")


@pytest.mark.parametrize(
    ("relation", "pair", "strongest"),
    [
        ("bird", ("SELECT a FROM t WHERE a > 3", "SELECT x.a FROM t AS x WHERE 3 < x.a"), "list"),
        ("bird", ("SELECT DISTINCT a FROM t", "SELECT a FROM t"), "set"),
        ("rose", ("SELECT b, a FROM t", "SELECT a, b FROM t"), "list/any"),
        ("rose", ("SELECT a, b FROM t", "SELECT t.a, t.b FROM t"), "list"),
        ("bag", ("SELECT a FROM t ORDER BY b", "SELECT a FROM t"), "bag"),
    ],
)
def test_rules_report_the_strongest_relation(relation: str, pair: tuple[str, str], strongest: str) -> None:
    made = engine(RulesTier(RuleSet(RULES)), relation=relation)
    match made.check(*pair):
        case Equivalent(strongest=found):
            assert str(found) == strongest
        case other:
            pytest.fail(f"{other}")


@pytest.mark.parametrize(
    ("pair", "weakest"),
    [
        (("SELECT DISTINCT a FROM t", "SELECT a FROM t"), "bag/any"),
        (("SELECT a FROM t WHERE a > 3", "SELECT a FROM t"), "set/any"),
        (("SELECT a, id FROM t", "SELECT id, a FROM t"), "set"),
        (("SELECT id FROM t ORDER BY id", "SELECT id FROM t ORDER BY id DESC"), "list/any"),
        (("SELECT a, b FROM t", "SELECT a FROM t"), "set/any"),
    ],
)
def test_a_witness_says_the_weakest_relation_that_it_breaks(pair: tuple[str, str], weakest: str) -> None:
    match engine(relation="list").check(*pair):
        case NotEquivalent(weakest=found):
            assert str(found) == weakest
        case other:
            pytest.fail(f"{other}")


def test_an_exception_inside_a_tier_is_a_reason() -> None:
    def explode() -> TierOutcome:
        raise ZeroDivisionError("boom\nboom")

    match decide(a_pair(), [Scripted(Tier.DATA, explode)], 10):
        case Undecided(reason=Reason.INTERNAL, detail=detail):
            assert detail == "ZeroDivisionError: boom boom"
        case other:
            pytest.fail(f"{other}")


def test_later_tiers_still_settle_after_one_failed() -> None:
    def explode() -> TierOutcome:
        raise RecursionError

    refuted = Refuted(Execution("db", ((1,),), ((2,),)), Difference.VALUES)
    tiers = [Scripted(Tier.RULES, explode), Scripted(Tier.DATA, lambda: refuted)]
    verdict = decide(a_pair(), tiers, 10)
    assert verdict.name == "not_equivalent"
    assert [a.tier for a in verdict.attempts] == [Tier.RULES, Tier.DATA]
    assert verdict.attempts[0].reason.startswith("RESOURCE")


def test_the_most_telling_reason_is_given() -> None:
    tiers = [
        Scripted(Tier.RULES, lambda: Open(Reason.UNSUPPORTED, "x")),
        Scripted(Tier.DATA, lambda: Open(Reason.NO_PROOF)),
        Scripted(Tier.GENERATE, lambda: Open(Reason.NONDETERMINISTIC, "tie")),
    ]
    verdict = decide(a_pair(), tiers, 10)
    assert isinstance(verdict, Undecided)
    assert verdict.reason is Reason.NONDETERMINISTIC


def test_ties_alone_do_not_refute() -> None:
    verdict = engine(effort=200).check(
        "SELECT b FROM t ORDER BY a LIMIT 1", "SELECT b FROM t ORDER BY a, id LIMIT 1"
    )
    match verdict:
        case Undecided(reason=Reason.NONDETERMINISTIC, evidence=witness):
            assert witness is not None
        case other:
            pytest.fail(f"{other}")


def verdicts(pairs: list[tuple[str, str]]) -> list[Verdict]:
    made = engine()
    return [made.check(*pair) for pair in pairs]


def test_verdicts_repeat() -> None:
    pairs = [("SELECT a FROM t WHERE b LIKE 'x%'", f"SELECT a FROM t WHERE b LIKE '{c}%'") for c in "xyz"]
    first, second = verdicts(pairs), verdicts(pairs)
    assert [getattr(v, "evidence", None) for v in first] == [getattr(v, "evidence", None) for v in second]


def test_without_facts_nullable_keys_are_told_apart() -> None:
    schema = load_ddl("CREATE TABLE k (id TEXT PRIMARY KEY, a INTEGER)", "test")
    pair = ("SELECT COUNT(id) FROM k", "SELECT COUNT(*) FROM k")
    for policy, expected in (("declared", "not_equivalent"), ("intended", "undecided")):
        facts: Facts = facts_for(schema, policy)
        made = Engine(schema, facts, (), relation="bag", effort=100, tiers=[GenerateTier(schema, facts)])
        assert made.check(*pair).name == expected
