"""The interface of the service as an OpenAPI document (https://spec.openapis.org/oas/v3.1.0).

The bodies of responses, as the OpenAPI document shows them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue
from pydantic.json_schema import models_json_schema

from equiv.records.record import versions
from equiv.server.models import BatchRequest, CheckRequest, Session, Strict, VerifyRequest
from equiv.server.settings import Settings

Document = dict[str, Any]

_TEMPLATE = "#/components/schemas/{model}"
_PROBLEMS = {
    "400": "The body is not what it should be, or no such `Host` is known here.",
    "401": "A bearer token is needed.",
    "404": "There is no database of that name.",
    "408": "The body took too long to arrive.",
    "413": "The body is too long, or has too many pairs.",
    "415": "The body must be application/json.",
    "422": "The schema or an option cannot be used.",
    "429": "Too many pairs wait already: ask again after `Retry-After` seconds.",
    "503": "The service is stopping.",
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}


def document(settings: Settings) -> Document:
    """The document of one service."""
    asked: list[type[BaseModel]] = [CheckRequest, BatchRequest, VerifyRequest, Session]
    answered: list[type[BaseModel]] = [Record, Records, Rewarded, Databases, Health, Problem]
    _, definitions = models_json_schema(
        [*((model, "validation") for model in asked), *((model, "serialization") for model in answered)],
        ref_template=_TEMPLATE,
    )
    schemas = definitions["$defs"]
    schemas["BatchRequest"]["properties"]["pairs"]["maxItems"] = settings.batch
    for name in ("CheckRequest", "BatchRequest"):
        schemas[name]["properties"]["seconds"]["anyOf"][0]["maximum"] = 10_000_000
    paths = {
        "/v1/check": _post("Decide one pair", CheckRequest, Record, "The result record of the pair."),
        "/v1/check_batch": _post(
            "Decide several pairs on one schema", BatchRequest, Records, "A record for each, in order."
        ),
        "/verify": _post(
            "Reward a model's response, as NeMo-Gym asks",
            VerifyRequest,
            Rewarded,
            "The row, and its reward.",
        ),
        "/seed_session": _seed_session(),
        "/v1/databases": {"get": _databases()},
        "/healthz": {"get": _healthz()},
        "/metrics": {"get": _text("Counts, for Prometheus", "text/plain", secured=True)},
        "/openapi.json": {"get": _text("This document", "application/json")},
        "/docs": {"get": _text("Every request for people, with a form to send it", "text/html")},
        "/": {"get": _text("A page to compare two queries on", "text/html")},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "equiv",
            "version": versions()["equiv"],
            "description": "Decides whether two SQL queries mean the same: every yes carries a proof,"
            " every no a database.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}} if settings.token else {},
        },
        "security": [{"token": []}] if settings.token else [],
    }


def _post(title: str, asked: type[BaseModel], answered: type[BaseModel], what: str) -> Document:
    return {
        "post": {
            "summary": title,
            "requestBody": {"required": True, "content": _json(asked.__name__)},
            "responses": {
                "200": {"description": what, "content": _json(answered.__name__)},
                **{status: _problem(status) for status in _PROBLEMS},
            },
        }
    }


def _seed_session() -> Document:
    refusals = ("400", "401", "408", "413", "415")
    return {
        "post": {
            "summary": "Begin an episode of NeMo-Gym, for which nothing is kept",
            "requestBody": {"required": True, "content": _json("Session")},
            "responses": {
                "200": {"description": "An empty object.", "content": _json("Session")},
                **{status: _problem(status) for status in refusals},
            },
        }
    }


def _databases() -> Document:
    return {
        "summary": "The databases that requests may name",
        "responses": {
            "200": {"description": "Their names, sorted.", "content": _json("Databases")},
            "400": _problem("400"),
            "401": _problem("401"),
        },
    }


def _healthz() -> Document:
    return {
        "summary": "How the service is",
        "security": [],
        "responses": {
            "200": {"description": "It takes pairs in.", "content": _json("Health")},
            "400": _problem("400"),
            "503": {"description": "It is stopping.", "content": _json("Health")},
        },
    }


def _text(title: str, kind: str, *, secured: bool = False) -> Document:
    found: Document = {
        "summary": title,
        "responses": {
            "200": {"description": title, "content": {kind: {"schema": {}}}},
            "400": _problem("400"),
        },
    }
    if secured:
        found["responses"]["401"] = _problem("401")
    else:
        found["security"] = []
    return found


def _problem(status: str) -> Document:
    found: Document = {"description": _PROBLEMS[status], "content": _json("Problem")}
    if status in ("429", "503"):
        found["headers"] = _RETRY_AFTER
    if status == "400":
        found["content"] = {**found["content"], "text/plain": {"schema": {"type": "string"}}}
    return found


def _json(name: str) -> Document:
    return {"application/json": {"schema": {"$ref": _TEMPLATE.format(model=name)}}}


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
