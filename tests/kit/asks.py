"""Requests to a judge, as the tests of the judge and their child processes make them."""

from __future__ import annotations

from equiv.judge.case import Ask, Case, Message, Role, Variant
from equiv.judge.replies import reply_schema


def make_ask(question: str = "Which names are there?", role: Role = Role.PROVER, model: str = "m") -> Ask:
    """A request about a question."""
    case = Case(
        source="test.json",
        question_id=7,
        db_id="people",
        question=question,
        hint="",
        schema="CREATE TABLE person (name TEXT)",
        pred_sql="SELECT name FROM person",
        gold_sql="SELECT DISTINCT name FROM person",
    )
    messages = (Message("system", f"You are the {role}."), Message("user", question))
    return Ask(case, role, Variant.ROSE, model, messages, reply_schema(role), "hash-of-the-prompt")
