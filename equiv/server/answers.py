"""The bodies of responses, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from equiv.server.models import Strict, VerifyRequest


class Rewarded(VerifyRequest):
    """The request, the reward, and why."""

    reward: float
    extracted_sql: str = Field(description="The query that was taken out of the response.")
    outcome: str
    verdict: str
    tier: str
    reason: str
    failure_code: str
    difference: str
    detail: str


class Record(Strict):
    """The result record of a pair, as ``equiv check --json`` prints it."""

    key: str
    source: str
    question_id: JsonValue
    db_id: str
    question: str
    hint: str
    predicted_sql: str
    gold_sql: str
    label: JsonValue
    difficulty: JsonValue
    feasible: bool | None
    abstained: bool | None
    question_type: str
    seen: bool | None
    confidence: float | None
    interaction: JsonValue
    faults: list[dict[str, JsonValue]]
    golds: list[JsonValue]
    caveat: dict[str, JsonValue] | None
    verdict: Literal["equivalent", "not_equivalent", "undecided", "invalid"]
    tier: str | None
    dialect: str
    relation: str
    facts: list[dict[str, JsonValue]]
    facts_dropped: list[dict[str, JsonValue]]
    reason: str | None
    detail: str | None
    failure_code: str | None
    difference: str | None
    evidence: dict[str, JsonValue] | None
    bounded: dict[str, JsonValue] | None
    fragment: bool
    parts: dict[str, JsonValue] | None
    databases: int | None
    remarks: list[dict[str, JsonValue]]
    equivalent_if: list[dict[str, JsonValue]]
    confirmed: bool | None
    strongest: str | None
    weakest: str | None
    score: float | None
    score_by: str | None
    ex: dict[str, JsonValue]
    judge: JsonValue
    prover_result: JsonValue
    refuter_result: JsonValue
    llm: dict[str, JsonValue]
    ms: dict[str, float]
    attempts: list[dict[str, JsonValue]]
    versions: dict[str, str]


class Records(Strict):
    """The records of a batch, in the order of its pairs."""

    records: list[Record]


class Databases(Strict):
    """The databases that requests may name."""

    databases: list[str]


class Health(Strict):
    """How the service is."""

    status: Literal["ok", "stopping"]
    version: str
    pairs: int = Field(description="How many wait or are worked on.")
    room: int = Field(description="How many more there is room for.")


class Problem(Strict):
    """Why there is no answer."""

    detail: str
