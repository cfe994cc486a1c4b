"""The rules are proved by the algebra alone, as the record says, and a wrong rule would not be."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from kit.harness import all_cases, runs_of, without_guard
from kit.sizes import swept

from equiv.core.model import Context
from equiv.errors import InputError
from equiv.facts import Facts
from equiv.relation import Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.verification.record import RECORD, as_text, recorded, renewed
from equiv.rules.verification.verify import (
    BEYOND_GENERATION,
    Status,
    Verified,
    instances,
    report,
    to_json,
    verify,
)

PATTERNS = frozenset({"as written", "untyped"})
"""Schema patterns on which the record is checked; ``make verify-rules`` goes through all."""

PREFERS = {"convert_to_representative_column": "of equal columns it takes a key, if it knows of one"}
"""Rules that facts lead to another of several right results."""

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
BY_NAME = {rule.name: rule for rule in RULES}
RUNS = runs_of((rule.module.rpartition(".")[2], rule) for rule in RULES)

each_run = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)


def test_the_record_is_of_all_rules() -> None:
    assert [entry["name"] for entry in RECORDED] == [rule.name for rule in RULES]


def test_the_record_has_a_line_for_each_rule() -> None:
    text = RECORD.read_text(encoding="utf-8")
    assert text == as_text(RECORDED)
    assert len(text.splitlines()) == len(RULES) + 2


def test_most_rules_are_proved_and_none_is_refuted() -> None:
    statuses = [entry["status"] for entry in RECORDED]
    assert statuses.count("proved") >= 0.84 * len(RULES)
    assert set(statuses) <= {"proved", "tested"}


def test_a_rule_is_proved_if_each_of_its_instances_is() -> None:
    for entry in RECORDED:
        assert entry["instances"] > 0
        missing = sum(len(each["patterns"]) for each in entry["unproved"])
        assert entry["proved"] + missing == entry["instances"]
        assert (entry["status"] == "proved") == (missing == 0)


@each_run
@swept("patterns, every", [(frozenset({"as written"}), 3)], [(PATTERNS, 1)])
def test_the_record_is_fresh(
    run: tuple[Rule, ...], patterns: frozenset[str], every: int, subtests: pytest.Subtests
) -> None:
    for rule in run[::every]:
        with subtests.test(rule.name):
            found = asdict(verify(rule, patterns, guards=False))
            (entry,) = recorded([rule])
            known = [each for each in entry["unproved"] if patterns & set(each["patterns"])]
            said = sorted(_said(each, patterns) for each in found["unproved"])
            assert said == sorted(_said(each, patterns) for each in known)


def test_the_record_names_golden_cases() -> None:
    names = {case.name for case in all_cases()}
    shown = [place for entry in RECORDED for place in entry["guards"].values()]
    reasons = {*BEYOND_GENERATION.values(), ""}
    assert [place for place in shown if place not in names and place not in reasons] == []
    places = {each["place"] for entry in RECORDED for each in entry["unproved"]}
    assert places - names == {"documentation"}


def _said(unproved: dict[str, object], sample: frozenset[str]) -> tuple[str, ...]:
    patterns = unproved["patterns"]
    assert isinstance(patterns, list | tuple)
    said = [str(unproved[name]) for name in ("status", "place", "before", "after", "why")]
    return (*said, *sorted(sample & set(patterns)))


@pytest.mark.parametrize(
    ("name", "guard"),
    [
        ("eliminate_distinct_on_key", "projects_strict_key"),
        ("convert_sum_to_count", "group_has_rows"),
        ("fold_null_test", "operand_is_never_null"),
    ],
)
def test_a_rule_that_lacks_a_guard_is_refuted(name: str, guard: str) -> None:
    careless = without_guard(BY_NAME[name], guard)
    found = verify(careless, {"no keys", "nullable"}, guards=False)
    assert found.status == Status.REFUTED
    assert any("CREATE TABLE" in each.why for each in found.unproved if each.status == Status.REFUTED)


def test_a_guard_that_does_not_name_its_facts_leaves_its_rule_without_a_proof() -> None:
    rule = BY_NAME["eliminate_distinct_on_key"]

    def keeps_quiet(node: object, ctx: object) -> tuple[()] | None:
        return None if rule.needs[0](node, ctx) is None else ()  # type: ignore[arg-type]

    assert verify(rule, {"as written"}, guards=False).status == Status.PROVED
    found = verify(replace(rule, needs=(keeps_quiet,)), {"as written"}, guards=False)
    assert found.proved == 0
    assert all("unique(" in each.why for each in found.unproved)


def test_what_each_guard_is_needed_for_is_told() -> None:
    found = verify(BY_NAME["fold_null_test"], {"as written"})
    assert set(found.guards) == {"operand_is_never_null"}
    assert all(place.startswith("null_test:") for place in found.guards.values())


@pytest.mark.long
@each_run
def test_a_rule_does_the_same_from_the_facts_alone_that_its_guards_name(
    run: tuple[Rule, ...], subtests: pytest.Subtests
) -> None:
    for rule in run:
        for instance in instances(rule, PATTERNS) if rule.name not in PREFERS else ():
            with subtests.test(rule.name, pattern=instance.pattern, place=instance.place):
                tree = instance.world.read(instance.step.before).tree
                assert tree is not None
                context = Context(
                    instance.world.schema, Facts(instance.step.facts), Rows(instance.step.under)
                )
                steps = normalise(tree, RuleSet((rule,)), context, trace=True).steps
                assert instance.step.after in [step.after for step in steps if step.rule == rule.name]


def test_the_record_of_one_rule_is_renewed_and_the_others_stay(tmp_path: Path) -> None:
    old, gone = {**RECORDED[0], "status": "old"}, {**RECORDED[1], "name": "eliminate_what_is_gone"}
    path = tmp_path / "verified.json"
    path.write_text(json.dumps([gone, old]), encoding="utf-8")
    rule = BY_NAME["fold_null_test"]
    assert [(entry["name"], entry["status"]) for entry in renewed([verified(rule)], path)] == [
        (RULES[0].name, "old"),
        (rule.name, "proved"),
    ]


def test_a_rule_that_the_record_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "verified.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match=r"lacks fold_null_test; run make verify-rules RULE=fold_null_test"):
        recorded([BY_NAME["fold_null_test"]], path)


def verified(rule: Rule) -> Verified:
    return verify(rule, {"as written"}, guards=False)


def test_json_is_an_array_and_the_report_counts() -> None:
    found = [verified(BY_NAME["fold_null_test"]), verified(BY_NAME["eliminate_distinct_on_key"])]
    assert [entry["name"] for entry in json.loads(to_json(found))] == [each.name for each in found]
    assert "2 proved" in str(report(found))
