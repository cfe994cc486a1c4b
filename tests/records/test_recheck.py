"""Certificates: written, read back, and rechecked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import equiv
from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_tiers
from equiv.errors import InputError
from equiv.facts import Facts
from equiv.options import Options
from equiv.records.certificate import (
    Certificate,
    DerivationLine,
    Premise,
    certificate_for,
    read_certificate,
    to_json,
)
from equiv.records.recheck import Check, Holding, recheck, solvers_named
from equiv.records.record import Item
from equiv.relation import RELATIONS
from equiv.schema.locate import Place
from equiv.tiers.outcome import Open, Proved, Settler, TierOutcome
from equiv.verdict import Obligation, Proof, Tier

DDL = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, "odd name" TEXT CHECK ("odd name" <> \'x;y\'));'
ITEM = Item("m", 1, "d", "SELECT id FROM t WHERE a > 3", "SELECT id FROM t WHERE a >= 4")
GOAL = "(assert (! (not (< 3 4)) :named |1 goal|))"
HOLDS = Obligation("3 is less than 4", f"(set-logic QF_LIA)\n{GOAL}\n(check-sat)")
FAILS = Obligation("x is 1", "(declare-fun x () Int)\n(assert (! (not (= x 1)) :named |1 goal|))")
ADDED = Obligation(HOLDS.text, HOLDS.smtlib.replace(GOAL, f"(assert (! false :named |1 condition|))\n{GOAL}"))
EMPTY = Obligation(
    "4 is 5", "(assert (! false :named |1 fact unique(t.a)|))\n(assert (! true :named |2 goal|))"
)


def certificate(
    item: Item = ITEM, relation: str = "sql", tiers: tuple[str, ...] = ("rules", "proof")
) -> Certificate:
    chosen = Options(timeout=None, relation=relation, tiers=tiers)
    schema = load_ddl(DDL)
    verdict = equiv.check(item.predicted_sql, item.gold_sql, schema=schema, **chosen.arguments())
    found = certificate_for(item, Place("d", schema=schema), verdict, chosen)
    assert found is not None
    return found


def tiers(schema: Schema, facts: Facts) -> list[Settler]:
    return make_tiers(schema, facts, None)


def results(findings: list[Check]) -> list[str]:
    """What is said of anything but the facts."""
    return [finding.result.value for finding in findings if not finding.line.startswith("facts:")]


def said_of_facts(made: Certificate) -> list[tuple[str, str]]:
    return [
        (finding.result.value, finding.line.removeprefix("facts: "))
        for finding in recheck(made, [], tiers)
        if finding.line.startswith("facts:")
    ]


def test_a_certificate_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = replace(certificate(), obligations=(HOLDS,), correspondences=("t = t",))
    path = tmp_path / "c.json"
    path.write_text(to_json(made))
    assert read_certificate(path) == made
    assert [premise.fact for premise in made.facts if premise.used] == ["type(t.a)"]


def test_a_proof_of_recursions_comes_out_anew() -> None:
    """From what its symbols rest on, of which the claims may say more."""
    step = "SELECT t.a, {} FROM r JOIN t ON t.id = x WHERE d < 5"
    asked = f"WITH r(x, d) AS (SELECT a, 0 FROM t UNION ALL {step}) SELECT x FROM r"
    gold, pred = asked.format("d + 1"), asked.format("1 + d")
    made = certificate(replace(ITEM, gold_sql=gold, predicted_sql=pred), tiers=("proof",))
    assert {"type(t.a)", "no_overflow"} <= {premise.fact for premise in made.facts if premise.used}
    assert {*results(list(recheck(made, [], tiers)))} == {"holds"}


@pytest.mark.parametrize("relation", ["sql", "bird", "rose"])
def test_a_derivation_comes_out_anew(relation: str) -> None:
    found = [finding.line for finding in recheck(certificate(relation=relation), solvers_named("all"), tiers)]
    steps = len(certificate(relation=relation).steps)
    assert found[0].startswith(f"rules: the algebra alone proves the whole and each of {steps} steps, with ")
    assert [line.partition(":")[0] for line in found[1:]] == [*solvers_named("all"), "facts"]
    assert found[-1] == "facts: type(t.a) (intended)"


def test_the_algebra_may_need_facts_that_the_rules_do_not() -> None:
    grouped = 'SELECT COUNT(*) FROM t WHERE a = 10 GROUP BY a, "odd name"'
    made = certificate(Item("m", 1, "d", grouped, grouped.replace("a, ", "")), relation="bag")
    assert made.tier == "rules"
    assert not [premise for premise in made.facts if premise.used]
    found = list(recheck(made, [], tiers))
    assert results(found) == ["holds"]
    assert [finding.result for finding in found if "type(t.a)" in finding.line] == [Holding.TRUSTED]


class WithoutRules:
    """Tiers that must not ask the rules."""

    tier = Tier.RULES

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        raise AssertionError(f"asked about {pair} with {effort}")


def test_a_derivation_is_checked_without_the_rules() -> None:
    def others(schema: Schema, facts: Facts) -> list[Settler]:
        return [WithoutRules(), *(tier for tier in tiers(schema, facts) if tier.tier is not Tier.RULES)]

    assert set(results(list(recheck(certificate(), [], others)))) == {"holds"}


def test_a_step_that_a_database_breaks_is_refuted_though_the_whole_holds() -> None:
    made = certificate()
    first, *rest = made.steps
    wrong = "SELECT t.id FROM t WHERE t.a > 5"
    steps = (replace(first, after=wrong), replace(first, before=wrong, after=first.after), *rest)
    (finding,) = recheck(replace(made, steps=steps), [], tiers)
    assert (finding.result, finding.line) == (Holding.REFUTED, f"rules: step 1 is false: {first.rule}")


class Mute:
    """A prover that proves nothing."""

    tier = Tier.PROOF

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        return Open()


def test_a_derivation_that_the_algebra_does_not_prove_is_open() -> None:
    def mute(schema: Schema, facts: Facts) -> list[Settler]:
        return [Mute() if tier.tier is Tier.PROOF else tier for tier in tiers(schema, facts)]

    (finding,) = recheck(certificate(), [], mute)
    assert finding.result is Holding.OPEN
    assert finding.line.startswith(
        "rules: cannot be checked: the algebra alone proves neither the derivation as a whole nor step 1, "
    )


def test_a_query_and_itself_need_no_proof() -> None:
    alike = Item("m", 1, "d", "SELECT a FROM t", "SELECT a FROM t")
    (finding, _) = recheck(certificate(alike), [], lambda *_: [WithoutRules(), Mute(), GenerateMute()])
    assert finding == Check(Holding.HOLDS, "rules: the two queries are identical")


class GenerateMute(Mute):
    """A refuter that refutes nothing."""

    tier = Tier.GENERATE


def test_a_certificate_for_other_queries_is_refuted() -> None:
    forged = replace(certificate(), gold_sql="SELECT id FROM t WHERE a > 4")
    assert results(list(recheck(forged, [], tiers))) == ["refuted"]


def test_a_fact_that_is_not_there_cannot_be_used() -> None:
    made = certificate()
    forged = replace(made, facts=tuple(premise for premise in made.facts if not premise.used))
    assert results(list(recheck(forged, [], tiers))) == ["refuted"]


DISTINCT = Item("m", 1, "d", "SELECT DISTINCT id FROM t", "SELECT id FROM t")


def test_what_a_proof_rests_on_is_said() -> None:
    assert said_of_facts(certificate(DISTINCT)) == [
        ("holds", "the DDL declares not_null(t.id), unique(t.id)")
    ]
    alike = Item("m", 1, "d", "SELECT a FROM t", "SELECT a FROM t")
    assert said_of_facts(certificate(alike)) == [("holds", "none are needed")]
    assert said_of_facts(certificate()) == [("trusted", "type(t.a) (intended)")]


def test_a_fact_that_is_said_to_be_idle_cannot_be_used() -> None:
    made = certificate()
    forged = replace(made, facts=tuple(replace(premise, used=False) for premise in made.facts))
    assert results(list(recheck(forged, [], tiers))) == ["refuted"]


@pytest.mark.parametrize("grade", ["declared", "intended"])
def test_a_fact_that_the_ddl_does_not_make_is_refuted(grade: str) -> None:
    item = Item("m", 1, "d", "SELECT DISTINCT a FROM t", "SELECT a FROM t")
    facts = [Premise("not_null(t.a)", grade, used=True), Premise("unique(t.a)", grade, used=True)]
    forged = replace(certificate(DISTINCT), pred_sql=item.predicted_sql, gold_sql=item.gold_sql, steps=())
    forged = replace(forged, facts=(*forged.facts, *facts))
    found = list(recheck(forged, [], tiers))
    assert [finding.result for finding in found] == [Holding.REFUTED, Holding.REFUTED]
    assert found[0].line == (
        f"facts: the DDL of the certificate does not make not_null(t.a) {grade};"
        f" the DDL of the certificate does not make unique(t.a) {grade}"
    )
    assert "does not prove" in found[1].line
    trusted = [replace(fact, grade="assumed") for fact in facts]
    lines = [f.line for f in recheck(replace(forged, facts=tuple(trusted)), [], tiers)]
    assert lines[-1] == "rules: a new proof takes other steps than the certificate"


@pytest.mark.parametrize(
    "fact",
    ["exact_arithmetic", "no_error", "type(t.a)", "check(t: \"odd name\" <> 'x')", "inclusion(t.a -> t.id)"],
)
def test_a_stronger_grade_than_the_ddl_gives_is_refuted(fact: str) -> None:
    made = certificate(DISTINCT)
    forged = replace(made, facts=(*made.facts, Premise(fact, "declared", used=False)))
    assert said_of_facts(forged)[0] == (
        "refuted",
        f"the DDL of the certificate does not make {fact} declared",
    )


def test_a_weaker_grade_than_the_ddl_gives_is_no_matter_of_trust() -> None:
    made = certificate(DISTINCT)
    facts = tuple(replace(premise, grade="assumed") for premise in made.facts)
    assert said_of_facts(replace(made, facts=facts)) == said_of_facts(made)


def test_facts_come_out_of_any_ddl_as_they_went_in() -> None:
    ddl = """CREATE TABLE "a b" (k TEXT PRIMARY KEY, "x""y" INT NOT NULL UNIQUE CHECK ("x""y" <> ')' /* ) */),
          g INT AS ("x""y" + 1) STORED, d DATE, CONSTRAINT c CHECK (d > '2000' OR k IS NULL));
        CREATE UNIQUE INDEX i ON "a b" (k, d); CREATE UNIQUE INDEX j ON "a b" (d) WHERE k > 'z';
        CREATE TABLE u (a ANY, i INT, p TEXT REFERENCES "a b", PRIMARY KEY (i, a)) STRICT, WITHOUT ROWID;
        CREATE VIEW v AS SELECT k FROM "a b" """
    item = Item("m", 1, "d", "SELECT k FROM v", "SELECT k FROM v")
    verdict = equiv.check(item.predicted_sql, item.gold_sql, schema=ddl, timeout=None)
    made = certificate_for(item, Place("d", schema=load_ddl(ddl)), verdict, Options())
    assert made is not None
    assert len([premise for premise in made.facts if premise.grade == "declared"]) == 11
    assert said_of_facts(made) == [("holds", "none are needed")]
    assert any("CREATE UNIQUE INDEX j" in statement for statement in made.schema)


def test_steps_that_are_not_those_of_the_proof_are_refuted() -> None:
    made = certificate()
    assert made.steps
    for steps in ((), made.steps[1:], (replace(made.steps[0], after="SELECT 1"), *made.steps[1:])):
        (finding,) = recheck(replace(made, steps=steps), [], tiers)
        assert finding.result is Holding.REFUTED


GARBAGE: list[Any] = [None, 5, -1.5, True, "", "x", "\ud800", "\0", [], [1, 2], {}, {"a": {}}, [[[]]]]


def damaged(value: Any) -> Iterator[Any]:
    """A JSON value with one part missing, added, or something else; the part may lie deep within."""
    if isinstance(value, dict):
        yield {**value, "new": 1}
        for name in value:
            yield {key: part for key, part in value.items() if key != name}
            yield from ({**value, name: part} for part in damaged(value[name]))
    elif isinstance(value, list):
        yield [*value, *value[:1], {}]
        for at in range(min(len(value), 2)):
            yield from ([*value[:at], part, *value[at + 1 :]] for part in damaged(value[at]))
    yield from (part for part in GARBAGE if part != value)


def outcome_of(path: Path) -> str:
    try:
        found = list(recheck(read_certificate(path), [], lambda *_: [Scripted(HOLDS)]))
    except InputError as error:
        return "long error" if "\n" in str(error) else "error"
    return found[0].result.value


def test_a_damaged_certificate_is_one_clear_error_or_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    whole = json.loads(to_json(claiming(HOLDS)))
    line = asdict(DerivationLine("pred", "r", "a", "b", "bag"))
    outcomes: Counter[str] = Counter()
    for broken in damaged({**whole, "facts": whole["facts"][-3:], "steps": [line]}):
        path.write_text(json.dumps(broken))
        outcomes[outcome_of(path)] += 1
    assert set(outcomes) == {"error", "refuted", "holds"}
    assert outcomes["error"] > 200


def test_a_stricter_relation_than_was_proved_is_refuted() -> None:
    loose = certificate(Item("m", 1, "d", "SELECT DISTINCT a FROM t", "SELECT a FROM t"), relation="set")
    assert loose.strongest == "set"
    (finding,) = recheck(replace(loose, strongest="bag"), [], tiers)
    assert (finding.result, finding.line) == (
        Holding.REFUTED,
        "rules: does not prove them equivalent under bag",
    )


@pytest.mark.parametrize("relation", ["bag", "list", "list/any"])
def test_a_relation_that_what_was_shown_does_not_imply_is_refuted(relation: str) -> None:
    loose = certificate(Item("m", 1, "d", "SELECT DISTINCT a FROM t", "SELECT a FROM t"), relation="set")
    (finding,) = recheck(replace(loose, relation=relation), [], tiers)
    assert (finding.result, finding.line) == (
        Holding.REFUTED,
        f"rules: what is shown under set says nothing under {relation}",
    )


def test_a_step_of_neither_query_is_one_clear_error() -> None:
    made = certificate()
    with pytest.raises(InputError, match="unknown side 'x' of a step"):
        list(recheck(replace(made, steps=(*made.steps, replace(made.steps[-1], side="x"))), [], tiers))


def test_a_certificate_across_dialects_without_the_schema_told_to_both_is_one_clear_error() -> None:
    with pytest.raises(InputError, match="across two dialects"):
        list(recheck(replace(certificate(), dialect="sqlite/duckdb"), [], tiers))


def test_no_certificate_without_an_equivalence() -> None:
    verdict = equiv.check("SELECT a FROM t", "SELECT id FROM t", schema=DDL, timeout=None)
    assert certificate_for(ITEM, Place("d", schema=load_ddl(DDL)), verdict, Options()) is None


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (
            "SELECT id FROM t WHERE a IS NOT NULL",
            "SELECT id FROM t WHERE a < 5 UNION SELECT id FROM t WHERE a >= 5",
        ),
        ("SELECT id FROM t WHERE a + id > 3 AND id > 1", "SELECT id FROM t WHERE 3 - id < a AND NOT id <= 1"),
        ("SELECT SUM(a) FROM t WHERE a > 0", "SELECT SUM(ABS(a)) FROM t WHERE NOT a <= 0"),
    ],
)
def test_every_installed_solver_confirms_the_claims_of_a_proof(pred: str, gold: str) -> None:
    made = certificate(Item("m", 1, "d", pred, gold), relation="set", tiers=("proof",))
    assert (made.tier, bool(made.obligations)) == ("proof", True)
    found = list(recheck(made, solvers_named("all"), tiers))
    assert results(found) == ["holds"] * (1 + len(solvers_named("all")))


class Scripted:
    """A prover whose proof needs certain claims."""

    tier = Tier.PROOF

    def __init__(self, *obligations: Obligation) -> None:
        self._obligations = obligations

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del effort
        if pair.pred.sql == "SELECT 0 FROM t":
            return Open()
        return Proved(Proof("", "", (), self._obligations), strongest=RELATIONS[0])


def claiming(*obligations: Obligation) -> Certificate:
    return replace(certificate(), tier="proof", steps=(), obligations=obligations)


@pytest.mark.parametrize("solver", solvers_named("all"))
@pytest.mark.parametrize(("obligation", "result"), [(HOLDS, "holds"), (FAILS, "refuted")])
def test_solvers_decide_the_claims(solver: str, obligation: Obligation, result: str) -> None:
    made = claiming(HOLDS, obligation)
    found = list(recheck(made, [solver], lambda *_: [Scripted(HOLDS, obligation)]))
    assert results(found) == ["holds", result]
    if result == "refuted":
        assert found[1].line == f"{solver}: refutes claim 2 of 2: x is 1"


@pytest.mark.parametrize("solver", solvers_named("all"))
def test_hypotheses_that_contradict_each_other_prove_nothing(solver: str) -> None:
    found = list(recheck(claiming(EMPTY), [solver], lambda *_: [Scripted(EMPTY)]))
    assert results(found) == ["holds", "refuted"]
    assert "contradict each other" in found[1].line


def test_a_hypothesis_that_is_not_derived_anew_is_refused() -> None:
    (finding, *_) = recheck(claiming(ADDED), ["z3"], lambda *_: [Scripted(HOLDS)])
    assert finding.result is Holding.REFUTED
    assert "claim 1: an underived hypothesis: (assert (! false :named |1 condition|))" in finding.line


def test_a_claim_that_the_proof_does_not_need_is_refused() -> None:
    (finding, *_) = recheck(claiming(HOLDS, FAILS), ["z3"], lambda *_: [Scripted(HOLDS)])
    assert finding.result is Holding.REFUTED
    assert "claim 2 is not needed by the proof: x is 1" in finding.line


def test_a_claim_that_the_certificate_lacks_is_refuted() -> None:
    (finding, _) = recheck(claiming(HOLDS), ["z3"], lambda *_: [Scripted(HOLDS, FAILS)])
    assert finding.result is Holding.REFUTED
    assert "1 of 2 claims that it needs are not in the certificate: x is 1" in finding.line


def test_a_claim_is_its_script_whatever_it_is_called() -> None:
    renamed = [replace(HOLDS, text="x is x"), replace(FAILS, text="x is x")]
    found = list(recheck(claiming(*renamed), ["z3"], lambda *_: [Scripted(HOLDS, FAILS)]))
    assert results(found) == ["holds", "refuted"]
    assert found[1].line == f"z3: refutes claim 2 of 2: {FAILS.text}"


def test_versions_that_differ_are_named_where_a_proof_does_not_come_out() -> None:
    made = replace(claiming(HOLDS), pred_sql="SELECT 0 FROM t", versions={"equiv": "0.0.1"})
    (finding, _) = recheck(made, ["z3"], lambda *_: [Scripted(HOLDS)])
    assert "equiv was 0.0.1, is " in finding.line


@pytest.mark.parametrize(
    "damage",
    [
        {"obligations": (Obligation("x", '(set-option :regular-output-channel "f")'),)},
        {"obligations": (Obligation("x", "(assert y)"),)},
        {"obligations": (Obligation("x", "(assert true"),)},
        {"relation": "multiset"},
        {"tier": "oracle"},
        {"pred_sql": "DROP TABLE t"},
        {"schema": ("DROP TABLE t",)},
    ],
)
def test_what_is_no_certificate_is_one_clear_error(damage: dict[str, object]) -> None:
    forged = replace(claiming(HOLDS), **damage)  # type: ignore[arg-type]
    for solver in solvers_named("all"):
        with pytest.raises(InputError):
            list(recheck(forged, [solver], lambda *_: [Scripted(HOLDS)]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "equiv certificate 3"}',
        '{"format": "equiv certificate 3", "facts": 5}',
    ],
)
def test_a_file_of_another_kind_is_one_clear_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"c\.json"):
        read_certificate(path)


def test_solvers_have_names() -> None:
    assert solvers_named("z3") == ["z3"]
    with pytest.raises(InputError, match="choose z3, cvc5 or all"):
        solvers_named("yices")
