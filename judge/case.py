"""What is judged, what is asked, and what comes back, as plain data.

Tokens that nobody counted are estimated by the characters of what was asked and answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Literal, Protocol

from equiv.cells import Row
from equiv.verdict import Reason

Engines = tuple[str, str]
"""What people call the engines of prediction and gold query."""

SQLITE: Engines = ("SQLite", "SQLite")


class Variant(StrEnum):
    """The calls that make a judgement: the variants of ROSE's own code."""

    ROSE = "rose"
    """Results equal: Refuter only; else Prover, and the Refuter if it passes."""
    PROVER_ONLY = "prover-only"
    """Prover on every pair."""
    PR = "pr"
    """One call that sees the gold query; no shortcut for equal results."""
    PR_WOGT = "pr-wogt"
    """The same call without the gold query."""
    WOGT = "wogt"
    """Prover, then a Refuter without the gold query; no shortcut."""
    FLEX = "flex"
    """The baseline FLEX (arXiv 2409.19014), in our words: one call that sees gold query and results."""
    SOLVER = "llm-sql-solver"
    """The baseline LLM-SQL-Solver (arXiv 2312.10321), strict, in our words: schema and queries alone."""
    SOLVER_RELAXED = "llm-sql-solver-relaxed"
    """The same with its relaxed prompt: whether a difference of logic matters."""


SOLVERS = frozenset({Variant.SOLVER, Variant.SOLVER_RELAXED})
"""Baselines that compare two queries, and are told nothing of the question."""

BASELINES = SOLVERS | {Variant.FLEX}
"""Judges of other papers: one call each, by criteria of their own."""


class Standard(StrEnum):
    """By which conventions a prediction is judged, and what the judge sees of results."""

    OURS = "ours"
    """This project's standard; results are compared under the relation of the pair."""
    ROSE = "rose"
    """The labelling conventions of ROSE, in our words; results are compared as bags, columns in any order."""

    @property
    def rows(self) -> int:
        """How many rows of a result are shown at most."""
        return {Standard.OURS: 50, Standard.ROSE: 20}[self]

    @property
    def relation(self) -> str:
        """The relation under which results count as equal; '' for that of the pair."""
        return {Standard.OURS: "", Standard.ROSE: "rose"}[self]


class Role(StrEnum):
    """Who is asked."""

    PROVER = "prover"
    REFUTER = "refuter"


@dataclass(frozen=True, slots=True)
class Shown:
    """A result as shown to a model: the first rows, and how many there are."""

    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Case:
    """One prediction to be judged."""

    source: str
    question_id: object
    db_id: str
    question: str
    hint: str
    schema: str
    """The schema as DDL text."""
    pred_sql: str
    gold_sql: str
    pred_result: Shown | None = None
    """None without a populated database."""
    gold_result: Shown | None = None
    failure: str = ""
    """Why the prediction cannot be run, or ''."""
    results_equal: bool | None = None
    """On the populated database under the relation; None without one."""
    equality_from: Literal["execution", "record", "ex_score", ""] = ""
    difference: str = ""
    witness: str = ""
    """The witness as SQL with both results, for the Refuter's evidence; or ''."""
    gold_fault: str = ""
    """Why the gold query is known to be faulty, or ''."""
    descriptions: str = ""
    """What the documentation of the database says of its columns, or ''."""
    engines: Engines = SQLITE
    """What prediction and gold query are written for, and run by."""


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a model."""

    case: Case
    role: Role
    variant: Variant
    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, object]
    """The JSON schema of the reply."""
    prompt_hash: str


@dataclass(frozen=True, slots=True)
class ProverReply:
    """``verdict``: the prediction answers the question."""

    verdict: bool
    reason: str
    expected_answer: str = ""
    sql_description: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class RefuterReply:
    """``overturn``: the prediction does not answer the question after all."""

    overturn: bool
    reason: str
    ambiguity: Literal["question", "schema", "none", ""] = ""
    gold_correct: bool | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No usable reply, and why: never a verdict."""

    detail: str


Reply = ProverReply | RefuterReply | NoAnswer


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens that a call cost."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with its cost and where it came from."""

    reply: Reply
    usage: Usage = field(default_factory=Usage)
    source: Literal["live", "cache", "replay"] = "live"
    text: str = ""
    """The reply as the model wrote it, or '' if there is none."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of the cascade on a case.

    ``score`` is None if it could not be judged; ``reason`` then says why
    (NO_ANSWER or BUDGET).
    """

    score: Literal[0, 1] | None
    score_by: Literal["prover", "refuter", "execution", "parse", ""]
    prover: ProverReply | None = None
    refuter: RefuterReply | None = None
    reason: Reason | None = None
    detail: str = ""
    usage: Usage = field(default_factory=Usage)
    equality_from: str = ""


class Responder(Protocol):
    """A source of answers to requests: a live client, a cache before it, a recording."""

    def ask(self, ask: Ask) -> Answer:
        """The answer; an unusable one is a NoAnswer reply.

        Raises:
            OutOfBudget: the allowance does not cover the call.
        """
        ...


class OutOfBudget(Exception):  # noqa: N818 - a state of the run, not an error
    """The allowance of calls or money is used up."""


CHARACTERS = 4
"""Characters per token: a rule of thumb for English and SQL."""


def estimated_tokens(ask: Ask) -> int:
    """The tokens of a prompt, estimated by its characters."""
    characters = sum(len(message.content) for message in ask.messages) + len(json.dumps(dict(ask.schema)))
    return _tokens(characters)


def estimated_usage(ask: Ask, answer: Answer) -> Usage:
    """The estimated usage of a call whose tokens were not counted; zero where they were, or without a call.

    The prompt is this project's own for the request, whoever made the call; of the reply only what is
    at hand counts, so that the thoughts of a model that thinks first are left out: a lower bound.
    """
    usage = answer.usage
    if not usage.calls or usage.prompt_tokens or usage.completion_tokens:
        return Usage()
    if answer.text or isinstance(answer.reply, NoAnswer):
        reply = answer.text
    else:
        reply = json.dumps(asdict(answer.reply), ensure_ascii=False)
    return Usage(usage.calls, estimated_tokens(ask), _tokens(len(reply)))


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS)
