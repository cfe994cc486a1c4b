from __future__ import annotations

import pytest

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.facts import Fact, FactKind, Grade
from equiv.schema.policy import facts_for

SCHEMA = load_ddl(
    """CREATE TABLE person
        (id INTEGER PRIMARY KEY, nick TEXT UNIQUE, city, born DATE NOT NULL, CHECK (city <> 'x'));
    CREATE TABLE visit (day TEXT, who INT REFERENCES Person, PRIMARY KEY (day, who));
    CREATE TABLE kept (code TEXT PRIMARY KEY, n INT, free ANY) STRICT;
    CREATE TABLE loose
        (nick TEXT REFERENCES person (city), gone REFERENCES nowhere (x), y REFERENCES person (nope))"""
)


def graded(policy: str, grade: Grade, rounding: str = "ignore") -> set[str]:
    return {str(f) for f in facts_for(SCHEMA, policy, rounding=rounding) if f.grade is grade}


DECLARED = {
    "not_null(person.id)",
    "type(person.id)",
    "not_null(person.born)",
    "unique(person.id)",
    "unique(person.nick)",
    "check(person: city <> 'x')",
    "unique(visit.day, visit.who)",
    "not_null(kept.code)",
    "unique(kept.code)",
    "type(kept.code)",
    "type(kept.n)",
}
INTENDED = {
    "type(person.nick)",
    "type(person.born)",
    "type(visit.day)",
    "type(visit.who)",
    "not_null(visit.day)",
    "not_null(visit.who)",
    "inclusion(visit.who -> person.id)",
    "type(loose.nick)",
    "inclusion(loose.nick -> person.city)",
}


def test_declared_is_what_sqlite_enforces() -> None:
    assert graded("declared", Grade.DECLARED) == DECLARED
    assert graded("declared", Grade.INTENDED) == set()


def test_intended_adds_the_standard_reading_and_keeps_the_stronger_grade() -> None:
    assert graded("intended", Grade.DECLARED) == DECLARED
    assert graded("intended", Grade.INTENDED) == INTENDED


@pytest.mark.parametrize("policy", ["declared", "intended", "observed"])
def test_arithmetic_is_assumed_unless_strict(policy: str) -> None:
    assert graded(policy, Grade.ASSUMED) == {"exact_arithmetic", "no_overflow", "no_error"}
    assert graded(policy, Grade.ASSUMED, rounding="strict") == {"no_error"}


def test_no_error_is_assumed_unless_errors_count() -> None:
    facts = facts_for(SCHEMA, "intended", errors="strict")
    assert facts.of(FactKind.NO_ERROR) == ()
    assert {str(f) for f in facts if f.grade is Grade.ASSUMED} == {"exact_arithmetic", "no_overflow"}


def test_observed_facts_count_under_their_policy_only() -> None:
    seen = Fact(FactKind.NOT_NULL, Grade.OBSERVED, "person", ("city",))
    assert facts_for(SCHEMA, "intended", observed=[seen]).not_null("person", "city") is None
    assert facts_for(SCHEMA, "observed", observed=[seen]).not_null("PERSON", "City") == seen


def test_assumed_facts_count_under_every_policy_and_once() -> None:
    city = Fact(FactKind.NOT_NULL, Grade.ASSUMED, "person", ("city",))
    known = Fact(FactKind.UNIQUE, Grade.ASSUMED, "visit", ("who", "day"))
    facts = facts_for(SCHEMA, "declared", assumed=[city, known, city])
    assert facts.not_null("person", "city") == city
    assert [f.grade for f in facts.of(FactKind.UNIQUE, "visit")] == [Grade.DECLARED]
    assert len(facts.of(FactKind.NOT_NULL, "person")) == 3


def test_not_even_a_strict_table_tests_what_a_generated_column_yields() -> None:
    schema = load_ddl("CREATE TABLE t (a ANY, x INT AS (a) VIRTUAL, y INT AS (a) STORED) STRICT")
    for policy in ("declared", "intended"):
        assert not facts_for(schema, policy).of(FactKind.TYPE)


def test_strict_key_of_a_text_primary_key_is_intended_only() -> None:
    assert facts_for(SCHEMA, "declared").strict_key("visit", ["day", "who"]) is None
    assert facts_for(SCHEMA, "intended").strict_key("visit", ["WHO", "day", "x"]) is not None
    assert facts_for(SCHEMA, "intended").strict_key("person", ["nick"]) is None


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fact policy 'all'"):
        facts_for(SCHEMA, "all")
