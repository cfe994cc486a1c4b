"""A reply is read as asked for, or not at all: no text is turned into a guessed verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.judge.case import NoAnswer, ProverReply, RefuterReply, Role
from equiv.judge.replies import parse_reply, reply_schema

PROVER: dict[str, Any] = {
    "expected_answer": "a count",
    "sql_description": "counts {rows}",
    "evidence": "",
    "reason": 'it says "3"',
    "verdict": True,
}
REFUTER: dict[str, Any] = {
    "reason": "the filter is missing",
    "ambiguity": "none",
    "gold_correct": True,
    "overturn": True,
}


def detail(role: Role, text: str) -> str:
    """Why a text is unusable."""
    reply = parse_reply(role, text)
    assert isinstance(reply, NoAnswer), reply
    return reply.detail


def test_a_reply_in_the_asked_form_is_read() -> None:
    assert parse_reply(Role.PROVER, json.dumps(PROVER)) == ProverReply(**PROVER)
    assert parse_reply(Role.REFUTER, json.dumps(REFUTER)) == RefuterReply(**REFUTER)


def test_the_refuter_may_leave_the_gold_query_open() -> None:
    reply = parse_reply(Role.REFUTER, json.dumps(REFUTER | {"gold_correct": None}))
    assert isinstance(reply, RefuterReply)
    assert reply.gold_correct is None


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "Here is my judgement:\n\n{}\n\nI hope that helps.",
        'Thinking about <think>a draft: {{"verdict": false}}</think>\n{}',
        "\ufeff  {}  \n",
    ],
)
def test_prose_a_fence_and_a_thinking_part_may_stand_around(around: str) -> None:
    assert parse_reply(Role.PROVER, around.format(json.dumps(PROVER, indent=1))) == ProverReply(**PROVER)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The query is correct.",
        '"verdict": true',
        "true",
        "[true]",
        "}{",
        json.dumps(PROVER)[:-1],
        json.dumps([PROVER, PROVER])[:-1],
        json.dumps(PROVER) * 2,
        json.dumps(PROVER) + "\nor rather\n" + json.dumps(PROVER | {"verdict": False}),
        "{" * 100_000 + "}",
        '{"evidence": ' * 50_000 + "}",
    ],
)
def test_a_text_without_exactly_one_object_is_refused(text: str) -> None:
    detail(Role.PROVER, text)


def test_the_inside_of_an_unfinished_reply_is_not_taken_for_the_reply() -> None:
    detail(Role.PROVER, '{"expected_answer": "x", "evidence": ' + json.dumps(PROVER))


@pytest.mark.parametrize("role", Role)
def test_a_missing_field_is_refused(role: Role) -> None:
    whole = PROVER if role is Role.PROVER else REFUTER
    for name in whole:
        part = {key: value for key, value in whole.items() if key != name}
        assert name in detail(role, json.dumps(part))


def test_an_unknown_field_is_refused() -> None:
    assert "verdict" in detail(Role.REFUTER, json.dumps(REFUTER | {"verdict": False}))
    assert "overturn" in detail(Role.PROVER, json.dumps(PROVER | {"overturn": False}))


def test_a_field_that_stands_twice_is_refused() -> None:
    detail(Role.PROVER, json.dumps(PROVER)[:-1] + ', "verdict": false}')


@pytest.mark.parametrize("value", ["true", "yes", 1, 0, 1.0, None, [True], {"verdict": True}])
def test_only_a_boolean_is_a_verdict(value: object) -> None:
    detail(Role.PROVER, json.dumps(PROVER | {"verdict": value}))
    detail(Role.REFUTER, json.dumps(REFUTER | {"overturn": value}))


@pytest.mark.parametrize(
    "change",
    [
        {"ambiguity": "na"},
        {"ambiguity": "Question"},
        {"ambiguity": None},
        {"ambiguity": ["none"]},
        {"gold_correct": "false"},
        {"gold_correct": 1},
        {"reason": None},
        {"reason": 3},
    ],
)
def test_a_label_or_type_that_was_not_offered_is_refused(change: dict[str, object]) -> None:
    detail(Role.REFUTER, json.dumps(REFUTER | change))


def test_a_lone_surrogate_in_a_reason_can_be_written_out() -> None:
    reply = parse_reply(Role.REFUTER, json.dumps(REFUTER | {"reason": "odd \ud800 text"}))
    assert isinstance(reply, RefuterReply)
    assert reply.reason.encode("utf-8").decode() == "odd \N{REPLACEMENT CHARACTER} text"


@given(st.text() | st.text(alphabet='{}[]":,truefalsnd \n`'), st.sampled_from(Role))
def test_no_text_makes_parsing_fail(text: str, role: Role) -> None:
    parse_reply(role, text)


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_prose_around_a_reply_changes_its_verdict(before: str, after: str) -> None:
    reply = parse_reply(Role.PROVER, before + json.dumps(PROVER) + after)
    assert isinstance(reply, NoAnswer) or reply == ProverReply(**PROVER)


@pytest.mark.parametrize("role", Role)
def test_the_schema_is_strict_and_puts_the_decision_last(role: Role) -> None:
    schema = reply_schema(role)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(properties)
    assert list(properties)[-1] == ("verdict" if role is Role.PROVER else "overturn")
