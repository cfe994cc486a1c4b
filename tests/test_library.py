"""The library as a person uses it: printed verdicts, indented JSON, dicts as schemas, names completed."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from typing import Any

import pytest

import equiv
from equiv.options import Options
from equiv.rewards import Outcome, Settings, reward

PERSON = {"person": {"id": "INTEGER PRIMARY KEY", "name": "TEXT", "age": "INTEGER"}}
OLDER, OLD = "SELECT name FROM person WHERE age > 18", "SELECT name FROM person WHERE age >= 18"


def test_a_printed_verdict_has_both_queries_and_the_database() -> None:
    verdict = equiv.check(OLDER, OLD, schema=PERSON)
    shown = str(verdict)
    first = "not_equivalent  tier generate; relation bag; difference empty"
    assert shown.startswith(f"{first}\nPrediction:\n  {OLDER}\nGold query:\n  {OLD}\n")
    assert "INSERT INTO person" in shown
    assert "Witness(" not in shown
    assert "Witness(" in repr(verdict)
    for other in (equiv.Checker(PERSON).check(OLDER, OLD), *equiv.check_many([(OLDER, OLD)], schema=PERSON)):
        assert str(other) == shown


def test_a_printed_verdict_says_what_is_wrong_with_a_query_once() -> None:
    shown = str(equiv.check("SELECT nam FROM person", OLD, schema=PERSON))
    assert shown.endswith("is not a query on this schema: no such column: nam; did you mean name?")
    gold = str(equiv.check(OLD, "SELECT nam FROM person", schema=PERSON))
    assert gold.count("no such column: nam") == 1
    assert str(equiv.check(OLD, "SELECT TOP 3 name FROM person", schema=PERSON)).count("SQL Server") == 1


def test_json_may_be_indented() -> None:
    verdict = equiv.check(OLDER, OLD, schema=PERSON)
    assert verdict.to_json(indent=2).startswith('{\n  "caveat": null,\n')
    assert json.loads(verdict.to_json(indent=2)) == json.loads(verdict.to_json()) == verdict.to_dict()
    assert "\n" not in verdict.to_json()


@pytest.mark.parametrize(
    "schema",
    [
        PERSON,
        {"person": ["id", "name", "age"]},
        {"per son": ("a b",), "person": {"id": "", "name": "TEXT NOT NULL", "age": "INT CHECK (age > 0)"}},
        {
            "db_id": "people",
            "table_names_original": ["person"],
            "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [0, "age"]],
            "column_types": ["text", "number", "text", "number"],
            "primary_keys": [1],
            "foreign_keys": [],
        },
    ],
)
def test_a_dict_is_a_schema(schema: dict[str, Any]) -> None:
    assert equiv.check(OLDER, OLD, schema=schema).name == "not_equivalent"
    assert equiv.Checker(schema).check(OLD, OLD).name == "equivalent"
    assert reward(OLD, OLD, schema).outcome is Outcome.PROVED


@pytest.mark.parametrize(
    "schema",
    [{}, {"t": 3}, {"t": []}, {"t": {"a": 1}}, {1: ["a"]}, {"t": "a"}, {"table_names_original": ["t"]}],
)
def test_a_dict_of_another_form_is_refused_in_one_line(schema: dict[Any, Any]) -> None:
    with pytest.raises(equiv.InputError) as raised:
        equiv.check(OLD, OLD, schema=schema)
    assert "\n" not in str(raised.value)


def test_options_are_keywords_of_their_own_wherever_they_are_taken() -> None:
    wanted = {field.name: (field.type, field.default) for field in fields(Options)}
    for function in (equiv.check, equiv.check_many, equiv.Checker.__init__):
        parameters = inspect.signature(function).parameters
        assert {name: (parameters[name].annotation, parameters[name].default) for name in wanted} == wanted, (
            function
        )
        assert all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in parameters.values())


@pytest.mark.parametrize(
    ("call", "name", "meant"),
    [
        (lambda: equiv.check(OLD, OLD, schema=PERSON, timeot=3), "timeot", "timeout"),  # type: ignore[call-arg]
        (lambda: equiv.check_many([], schema=PERSON, worker=3), "worker", "workers"),  # type: ignore[call-arg]
        (lambda: equiv.Checker(PERSON, relaton="bag"), "relaton", "relation"),  # type: ignore[call-arg]
        (lambda: Options(asume=()), "asume", "assume"),  # type: ignore[call-arg]
        (lambda: Settings(polcy=None), "polcy", "policy"),  # type: ignore[call-arg]
        (lambda: reward(OLD, OLD, PERSON, second=1), "second", "seconds"),  # type: ignore[call-arg]
    ],
)
def test_an_unknown_option_names_the_nearest(call: Any, name: str, meant: str) -> None:
    with pytest.raises(TypeError, match=rf"^unknown option '{name}'; did you mean {meant}\?$"):
        call()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"relation": "brid"}, "bird"),
        ({"facts": "declred"}, "declared"),
        ({"effort": "quik"}, "quick"),
        ({"tiers": ("prof",)}, "proof"),
        ({"assume": ("notnull(person.name)",)}, "not_null(t.c)"),
        ({"assume": ("not_null(persn.name)",)}, "person"),
        ({"assume": ("not_null(person.nam)",)}, "name"),
    ],
)
def test_an_unknown_value_names_the_nearest(given: dict[str, Any], meant: str) -> None:
    with pytest.raises(equiv.InputError) as raised:
        equiv.check(OLD, OLD, schema=PERSON, **given)
    assert f"; did you mean {meant}?" in str(raised.value)


def test_kinds_of_facts_are_listed_where_none_is_meant() -> None:
    with pytest.raises(equiv.InputError) as raised:
        equiv.check(OLD, OLD, schema=PERSON, assume=("mauve",))
    for form in ("not_null(t.c)", "inclusion(t.a -> u.b)", "check(t: a > 0)", "not_empty(t)", "no_overflow"):
        assert form in str(raised.value)
