"""What a model is asked: the fixed text of its role first, then the material, fenced as data.

The order serves prefix caching: the text of the role, the schema, and only
then what differs from case to case.

Data are fenced, so that nothing inside can end them, and cut to size.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from equiv.cells import Cell
from equiv.core.single_values import sql_literal
from equiv.judge.case import (
    BASELINES,
    SOLVERS,
    SQLITE,
    Ask,
    Case,
    Engines,
    Message,
    ProverReply,
    Role,
    Shown,
    Standard,
    Variant,
)
from equiv.judge.replies import reply_schema
from equiv.show.page import escape, fenced

CELL_WIDTH = 300
"""Characters of a cell that are shown."""

ROWS_SAY = {
    "no result": "There is no result: no populated database is at hand, or the query gives none there.",
    "empty": "No rows.",
    "all rows": "Rows: {total}, all shown:",
    "first rows": "Rows: {total}, the first {shown} shown:",
}
"""Every fixed phrase about rows."""


def fence(text: str, kind: str) -> str:
    """Text as a fenced block, with lone surrogates written out."""
    return fenced(text.encode("utf-8", "backslashreplace").decode("utf-8"), kind)


def shown_rows(result: Shown | None) -> Iterator[str]:
    """A result, its rows as SQL literals."""
    if result is None:
        yield ROWS_SAY["no result"]
    elif result.total == 0:
        yield ROWS_SAY["empty"]
    else:
        says = "all rows" if len(result.rows) == result.total else "first rows"
        yield ROWS_SAY[says].format(shown=len(result.rows), total=result.total)
        yield fence("\n".join(f"({', '.join(map(_cell, row))})" for row in result.rows), "text")


def _cell(cell: Cell) -> str:
    r"""A cell on one line; a line break inside it is written out as ``\n``."""
    text = sql_literal(cell)
    shown = escape(text[:CELL_WIDTH])
    return shown if len(text) <= CELL_WIDTH else f"{shown}… ({len(text)} characters)"


_FOLDER = Path(__file__).parent / "prompts"
_STANDARDS = {Standard.OURS: "standards", Standard.ROSE: "standards_rose"}

_SAYS = {
    "schema": "## Schema",
    "columns": "## What the columns hold",
    "columns source": "By the documentation of the database:",
    "question": "## Question",
    "hint": "## Hint",
    "no hint": "None is given.",
    "pred": "## Predicted query",
    "pred result": "## Result of the predicted query",
    "gold": "## Gold query",
    "gold result": "## Result of the gold query",
    "comparison": "## Comparison of the results",
    "equal": "On the populated database both queries give the same result.",
    "unequal": "On the populated database the queries give different results.",
    "unknown": "It is not known whether the queries give the same result on a populated database.",
    "first query": "## The first query",
    "second query": "## The second query",
    "pass": "## Why the prediction has passed so far",
    "passed by result": "Its result equals the gold result; no first judge was asked.",
    "passed by judge": "A first judge, who did not see a gold query, passed it with this reason:",
    "fault": "## Known fault of the gold query",
    "fault found": "An earlier examination called the gold query faulty:",
    "witness": "## A database on which the queries differ",
    "witness found": "A generated database tells the queries apart. Kind of difference: {difference}.",
}
"""Every fixed phrase of a user message; the prompt hash covers them."""


_AS_RUN = "as {} runs it"
"""The phrase of a role's text by which a query is read; it names SQLite there."""
_ACROSS = "This query is written for {gold}, which runs it; the other is written for {pred}."


def sees_gold(role: Role, variant: Variant) -> bool:
    """Whether the gold query, its result and whatever is derived from them may be shown."""
    if role is Role.PROVER:
        return variant is Variant.PR or variant in BASELINES
    return variant is not Variant.WOGT


def messages_for(
    case: Case,
    role: Role,
    variant: Variant,
    *,
    prover: ProverReply | None = None,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> tuple[Message, ...]:
    """The messages that put a case before a role.

    Args:
        prover: for the Refuter, the reply that passed the prediction.
        witness_evidence: whether a role that sees the gold query is shown
            the witness and the kind of difference.
        standard: by which conventions it judges.
    """
    if variant in SOLVERS:
        parts = [*_query_sections(case)]
    else:
        parts = [*_open_sections(case)]
        if sees_gold(role, variant):
            parts += _gold_sections(case)
        if role is Role.REFUTER:
            parts += _pass_sections(prover)
        if sees_gold(role, variant) and variant not in BASELINES:
            parts += _finding_sections(case, witness_evidence)
    user = "\n\n".join(parts) + "\n"
    system = system_text(role, variant, standard, case.engines)
    return (Message("system", system), Message("user", user))


def request(
    case: Case,
    role: Role,
    variant: Variant,
    model: str,
    *,
    prover: ProverReply | None = None,
    witness_evidence: bool = False,
    standard: Standard = Standard.OURS,
) -> Ask:
    """The whole request; see :func:`messages_for`."""
    messages = messages_for(
        case, role, variant, prover=prover, witness_evidence=witness_evidence, standard=standard
    )
    return Ask(
        case=case,
        role=role,
        variant=variant,
        model=model,
        messages=messages,
        schema=reply_schema(role),
        prompt_hash=prompt_hash(role, variant, standard, case.engines),
    )


@cache
def system_text(
    role: Role, variant: Variant, standard: Standard = Standard.OURS, engines: Engines = SQLITE
) -> str:
    """The fixed text of a role: its own file, the standard, and what is said of the material.

    A baseline has criteria of its own in place of a standard.
    """
    is_baseline = role is Role.PROVER and variant in BASELINES
    criteria = () if is_baseline else (_STANDARDS[standard],)
    names = (_prompt_name(role, variant), *criteria, "material")
    whole = "\n".join((_FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in names)
    return whole.replace(_AS_RUN.format(SQLITE[0]), _AS_RUN.format(engines[0]))


@cache
def prompt_hash(
    role: Role, variant: Variant, standard: Standard = Standard.OURS, engines: Engines = SQLITE
) -> str:
    """SHA-256 (hexadecimal) of all that is fixed in a request: texts, phrases, the form of the reply."""
    fixed = [system_text(role, variant, standard, engines), _SAYS, ROWS_SAY, reply_schema(role)]
    fixed += _told_across(engines)
    return hashlib.sha256(json.dumps(fixed).encode()).hexdigest()


def _prompt_name(role: Role, variant: Variant) -> str:
    match role, variant:
        case Role.PROVER, Variant.PR:
            return "pr"
        case Role.PROVER, Variant.PR_WOGT:
            return "pr_wogt"
        case Role.REFUTER, Variant.WOGT:
            return "refuter_wogt"
        case Role.PROVER, baseline if baseline in BASELINES:
            return baseline.replace("-", "_")
        case _:
            return role.value


def _open_sections(case: Case) -> Iterator[str]:
    """What every role sees: nothing here may depend on the gold query."""
    yield _section("schema", fence(case.schema, "sql"))
    if case.descriptions:
        yield _section("columns", _SAYS["columns source"], fence(case.descriptions, "text"))
    yield _section("question", fence(case.question, "text"))
    yield _section("hint", fence(case.hint, "text") if case.hint.strip() else _SAYS["no hint"])
    yield _section("pred", fence(case.pred_sql, "sql"))
    yield _section("pred result", *shown_rows(case.pred_result))


def _query_sections(case: Case) -> Iterator[str]:
    """What is shown to a judge of equivalence: schema and queries."""
    yield _section("schema", fence(case.schema, "sql"))
    yield _section("first query", fence(case.pred_sql, "sql"))
    yield _section("second query", *_told_across(case.engines), fence(case.gold_sql, "sql"))


def _gold_sections(case: Case) -> Iterator[str]:
    yield _section("gold", *_told_across(case.engines), fence(case.gold_sql, "sql"))
    yield _section("gold result", *shown_rows(case.gold_result))
    known = {True: "equal", False: "unequal", None: "unknown"}
    yield _section("comparison", _SAYS[known[case.results_equal]])


def _told_across(engines: Engines) -> list[str]:
    """That a gold query is written for another engine than the prediction, where it is."""
    pred, gold = engines
    return [] if pred == gold else [_ACROSS.format(pred=pred, gold=gold)]


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
