"""What a model is asked: the fixed text of its role first, then the material, fenced as data.

The order serves prefix caching: the text of the role, the schema, and only
then what differs from case to case.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from equiv.cells import Cell
from equiv.show.escape import escape
from equiv.sqlite.literals import sql_literal

from .case import Ask, Case, Message, ProverReply, Role, Shown, Variant
from .replies import reply_schema

CELL_WIDTH = 300
"""Characters of a cell that are shown."""

_FOLDER = Path(__file__).parent / "prompts"

_SAYS = {
    "schema": "## Schema",
    "question": "## Question",
    "hint": "## Hint",
    "no hint": "None is given.",
    "pred": "## Predicted query",
    "pred result": "## Result of the predicted query",
    "gold": "## Gold query",
    "gold result": "## Result of the gold query",
    "no result": "There is no result: no populated database is at hand, or the query gives none there.",
    "empty": "No rows.",
    "all rows": "Rows: {total}, all shown:",
    "first rows": "Rows: {total}, the first {shown} shown:",
    "comparison": "## Comparison of the results",
    "equal": "On the populated database both queries give the same result.",
    "unequal": "On the populated database the queries give different results.",
    "unknown": "It is not known whether the queries give the same result on a populated database.",
    "pass": "## Why the prediction has passed so far",
    "passed by result": "Its result equals the gold result; no first judge was asked.",
    "passed by judge": "A first judge, who did not see a gold query, passed it with this reason:",
    "fault": "## Known fault of the gold query",
    "fault found": "An earlier examination called the gold query faulty:",
    "witness": "## A database on which the queries differ",
    "witness found": "A generated database tells the queries apart. Kind of difference: {difference}.",
}
"""Every fixed phrase of a user message; the prompt hash covers them."""


def sees_gold(role: Role, variant: Variant) -> bool:
    """Whether the gold query, its result and whatever is derived from them may be shown."""
    if role is Role.PROVER:
        return variant is Variant.PR
    return variant is not Variant.WOGT


def messages_for(
    case: Case,
    role: Role,
    variant: Variant,
    *,
    prover: ProverReply | None = None,
    witness_evidence: bool = False,
) -> tuple[Message, ...]:
    """The messages that put a case before a role.

    Args:
        prover: for the Refuter, the reply that passed the prediction.
        witness_evidence: whether a role that sees the gold query is shown
            the witness and the kind of difference.
    """
    parts = [*_open_sections(case)]
    if sees_gold(role, variant):
        parts += _gold_sections(case)
    if role is Role.REFUTER:
        parts += _pass_sections(prover)
    if sees_gold(role, variant):
        parts += _finding_sections(case, witness_evidence)
    user = "\n\n".join(parts) + "\n"
    return (Message("system", system_text(role, variant)), Message("user", user))


def request(
    case: Case,
    role: Role,
    variant: Variant,
    model: str,
    *,
    prover: ProverReply | None = None,
    witness_evidence: bool = False,
) -> Ask:
    """The whole request; see :func:`messages_for`."""
    return Ask(
        case=case,
        role=role,
        variant=variant,
        model=model,
        messages=messages_for(case, role, variant, prover=prover, witness_evidence=witness_evidence),
        schema=reply_schema(role),
        prompt_hash=prompt_hash(role, variant),
    )


@cache
def system_text(role: Role, variant: Variant) -> str:
    """The fixed text of a role: its own file, and the standards that all roles share."""
    files = (_FOLDER / f"{_prompt_name(role, variant)}.md", _FOLDER / "standards.md")
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def prompt_hash(role: Role, variant: Variant) -> str:
    """SHA-256 (hexadecimal) of all that is fixed in a request: texts, phrases, the form of the reply."""
    fixed = [system_text(role, variant), _SAYS, reply_schema(role)]
    return hashlib.sha256(json.dumps(fixed).encode()).hexdigest()


def _prompt_name(role: Role, variant: Variant) -> str:
    match role, variant:
        case Role.PROVER, Variant.PR:
            return "pr"
        case Role.PROVER, Variant.PR_WOGT:
            return "pr_wogt"
        case Role.REFUTER, Variant.WOGT:
            return "refuter_wogt"
        case _:
            return role.value


def fence(text: str, kind: str) -> str:
    """Text as a block that nothing inside can close: its fence is longer than any row of backticks there."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    readable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return f"{marks}{kind}\n{readable}\n{marks}"


def _open_sections(case: Case) -> Iterator[str]:
    """What every role sees: nothing here may depend on the gold query."""
    yield _section("schema", fence(case.schema, "sql"))
    yield _section("question", fence(case.question, "text"))
    yield _section("hint", fence(case.hint, "text") if case.hint.strip() else _SAYS["no hint"])
    yield _section("pred", fence(case.pred_sql, "sql"))
    yield _section("pred result", *_rows(case.pred_result))


def _gold_sections(case: Case) -> Iterator[str]:
    yield _section("gold", fence(case.gold_sql, "sql"))
    yield _section("gold result", *_rows(case.gold_result))
    known = {True: "equal", False: "unequal", None: "unknown"}
    yield _section("comparison", _SAYS[known[case.results_equal]])


def _pass_sections(prover: ProverReply | None) -> Iterator[str]:
    if prover is None:
        yield _section("pass", _SAYS["passed by result"])
    else:
        yield _section("pass", _SAYS["passed by judge"], fence(prover.reason, "text"))


def _finding_sections(case: Case, witness_evidence: bool) -> Iterator[str]:
    if case.gold_fault:
        yield _section("fault", _SAYS["fault found"], fence(case.gold_fault, "text"))
    if witness_evidence and case.witness:
        found = _SAYS["witness found"].format(difference=case.difference or "unknown")
        yield _section("witness", found, fence(case.witness, "sql"))


def _section(heading: str, *body: str) -> str:
    return "\n\n".join([_SAYS[heading], *body])


def _rows(result: Shown | None) -> Iterator[str]:
    if result is None:
        yield _SAYS["no result"]
    elif result.total == 0:
        yield _SAYS["empty"]
    else:
        says = "all rows" if len(result.rows) == result.total else "first rows"
        yield _SAYS[says].format(shown=len(result.rows), total=result.total)
        yield fence("\n".join(f"({', '.join(map(_cell, row))})" for row in result.rows), "text")


def _cell(cell: Cell) -> str:
    r"""A cell on one line; a line break inside it is written out as ``\n``."""
    text = sql_literal(cell)
    shown = escape(text[:CELL_WIDTH])
    return shown if len(text) <= CELL_WIDTH else f"{shown}… ({len(text)} characters)"
