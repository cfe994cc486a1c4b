"""Facts that remember what they were asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from equiv.facts import Fact, FactKind, Facts, Grade, Watched

KEY = Fact(FactKind.UNIQUE, Grade.DECLARED, "t", ("id",))
SURE = Fact(FactKind.NOT_NULL, Grade.DECLARED, "t", ("id",))
OTHER = Fact(FactKind.NOT_NULL, Grade.DECLARED, "u", ("x",))
ALL = Facts((KEY, SURE, OTHER))

QUESTIONS: dict[str, Callable[[Facts], object]] = {
    "find": lambda facts: facts.find(FactKind.UNIQUE, "T", "ID"),
    "of": lambda facts: facts.of(FactKind.UNIQUE, "t"),
    "not_null": lambda facts: facts.not_null("t", "id"),
    "not_empty": lambda facts: facts.not_empty("t"),
    "setting": lambda facts: facts.setting("TimeZone"),
    "labelled": lambda facts: facts.labelled(FactKind.STABLE, "f"),
    "keys": lambda facts: facts.keys("t"),
    "strict_key": lambda facts: facts.strict_key("t", ["id", "x"]),
    "__iter__": tuple,
    "__len__": len,
    "without": lambda facts: tuple(facts.without([SURE])),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_other_facts_serve_that_give_the_same_answers(name: str) -> None:
    ask = QUESTIONS[name]
    watched = Watched(ALL)
    assert ask(watched) == ask(ALL)
    for fewer in (Facts((SURE, OTHER)), Facts((KEY, OTHER)), Facts((KEY, SURE)), Facts()):
        if ask(fewer) != ask(ALL):
            assert not watched.answered_as(fewer)
    assert watched.answered_as(Facts((KEY, SURE, OTHER)))


def test_each_question_is_watched() -> None:
    asked = {name for name in vars(Facts) if not name.startswith("_")} | {"__iter__", "__len__"}
    assert asked == set(QUESTIONS)


def test_what_was_not_asked_does_not_count() -> None:
    watched = Watched(ALL)
    assert watched.not_null("t", "id") == SURE
    assert watched.find(FactKind.ISO_DATE, "t", "id") is None
    assert watched.answered_as(Facts((SURE,)))
    assert not watched.answered_as(Facts((SURE, Fact(FactKind.ISO_DATE, Grade.ASSUMED, "t", ("id",)))))
