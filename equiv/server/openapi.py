"""The interface of the service: an OpenAPI document (https://spec.openapis.org/oas/v3.1.0), and two pages.

The page at ``/`` is one file that loads nothing, and asks ``/v1/check`` as any client does. The page at
``/docs`` is the document for people, with a form for each request; it loads nothing, either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, create_model
from pydantic.json_schema import models_json_schema

from equiv.dialects.crossing.dialect import giver_of, sides_of
from equiv.dialects.registry import OWN_NAMES, dialect_named
from equiv.files import own_file, source_hash
from equiv.records.record import FIELDS, versions
from equiv.server.requests import BatchRequest, CheckRequest, SessionRequest, Strict, VerifyRequest
from equiv.server.settings import ServiceSettings
from equiv.show.verdicts import NOT_FOUND, OUTCOMES, SIDES
from equiv.verdict import EXECUTION_ROWS, FURTHER_PURPOSES, Difference, Reason

Document = dict[str, Any]

_TEMPLATE = "#/components/schemas/{model}"
_PROBLEMS = {
    "400": "The body is malformed, or the `Host` header is not allowed.",
    "401": "The request needs a bearer token.",
    "404": "There is no database of that name.",
    "408": "The request body took too long to arrive.",
    "413": "The body is too long, or has too many pairs.",
    "415": "The body must be application/json.",
    "422": "The schema or an option cannot be used.",
    "429": "Too many pairs are waiting: retry after `Retry-After` seconds.",
    "503": "The service is shutting down.",
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}


def document(settings: ServiceSettings) -> Document:
    """The document of one service."""
    asked: list[type[BaseModel]] = [CheckRequest, BatchRequest, VerifyRequest, SessionRequest]
    answered: list[type[BaseModel]] = [Record, Records, Rewarded, Databases, Health, Problem]
    _, definitions = models_json_schema(
        [*((model, "validation") for model in asked), *((model, "serialization") for model in answered)],
        ref_template=_TEMPLATE,
    )
    schemas = definitions["$defs"]
    schemas["BatchRequest"]["properties"]["pairs"]["maxItems"] = settings.batch
    for name in ("CheckRequest", "BatchRequest"):
        schemas[name]["properties"]["seconds"]["anyOf"][0]["maximum"] = 10_000_000
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "equiv",
            "version": versions()["equiv"],
            "description": "Decides whether two SQL queries are equivalent: every yes has a proof,"
            " every no a database.",
        },
        "paths": {route.path: route.operation() for route in ROUTES},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}} if settings.token else {},
        },
        "security": [{"token": []}] if settings.token else [],
    }


def _problem(status: str) -> Document:
    found: Document = {"description": _PROBLEMS[status], "content": _json("Problem")}
    if status in ("429", "503"):
        found["headers"] = _RETRY_AFTER
    if status == "400":
        found["content"] = {**found["content"], "text/plain": {"schema": {"type": "string"}}}
    return found


def _json(name: str) -> Document:
    return {"application/json": {"schema": {"$ref": _TEMPLATE.format(model=name)}}}


@dataclass(frozen=True, slots=True)
class ServiceRoute:
    """A path of the service.

    Attributes:
        act: the method of the service that answers.
        summary: what is asked for.
        answered: the model of the answer, or its media type if it is a text.
        what: what is answered; '' is the summary.
        asked: the model of the body; '' where nothing is sent.
        problems: the statuses of refusals.
        is_open: whether no token is needed.
        stopping: what the same answer says as a 503; '' if there is none.
    """

    path: str
    act: str
    summary: str
    answered: str
    what: str = ""
    asked: str = ""
    problems: tuple[str, ...] = ("400",)
    is_open: bool = False
    stopping: str = ""

    def operation(self) -> Document:
        """The description of the operation in the document."""
        text: Document = {self.answered: {"schema": {}}}
        content = text if "/" in self.answered else _json(self.answered)
        answers: Document = {"200": {"description": self.what or self.summary, "content": content}}
        answers |= {status: _problem(status) for status in self.problems}
        if self.stopping:
            answers["503"] = {"description": self.stopping, "content": content}
        told: Document = {"summary": self.summary}
        if self.is_open:
            told["security"] = []
        if self.asked:
            told["requestBody"] = {"required": True, "content": _json(self.asked)}
        return {"post" if self.asked else "get": {**told, "responses": dict(sorted(answers.items()))}}


_ALL, _SOME = tuple(_PROBLEMS), ("400", "401")
_BEGUN = "Begin an episode of NeMo-Gym (stateless)"
ROUTES = (
    ServiceRoute(
        *("/v1/check", "check", "Decide one pair", "Record"),
        *("The result record of the pair.", "CheckRequest", _ALL),
    ),
    ServiceRoute(
        *("/v1/check_batch", "check_batch", "Decide several pairs on one schema", "Records"),
        *("A record for each, in order.", "BatchRequest", _ALL),
    ),
    ServiceRoute(
        *("/verify", "verify", "Reward a model's response, as NeMo-Gym asks", "Rewarded"),
        *("The row, and its reward.", "VerifyRequest", _ALL),
    ),
    ServiceRoute(
        *("/seed_session", "seed_session", _BEGUN, "SessionRequest"),
        *("An empty object.", "SessionRequest", (*_SOME, "408", "413", "415")),
    ),
    ServiceRoute(
        *("/v1/databases", "databases", "The databases that requests may name", "Databases"),
        *("Their names, sorted.", "", _SOME),
    ),
    ServiceRoute(
        *("/healthz", "healthz", "Health of the service", "Health"),
        what="It is up.",
        is_open=True,
        stopping="It is stopping.",
    ),
    ServiceRoute("/metrics", "show_metrics", "Counts, for Prometheus", "text/plain", problems=_SOME),
    ServiceRoute("/openapi.json", "openapi", "This document", "application/json", is_open=True),
    ServiceRoute(
        *("/docs", "show_reference", "A reference of all requests, with forms to send them", "text/html"),
        is_open=True,
    ),
    ServiceRoute("/", "show_page", "A page to compare two queries on", "text/html", is_open=True),
)
"""All that can be asked of the service."""


class Rewarded(VerifyRequest):
    """The request, the reward, and why."""

    reward: float
    extracted_sql: str = Field(description="The query that was extracted from the response.")
    outcome: str
    verdict: str
    tier: str
    reason: str
    failure_code: str
    difference: str
    detail: str


_VERDICT = Literal["equivalent", "not_equivalent", "undecided", "invalid"]

if TYPE_CHECKING:
    Record = Strict
else:
    Record = create_model(
        "Record",
        __base__=Strict,
        __doc__="The result record of a pair, as ``equiv check --json`` prints it.",
        **{name: (form.kind, ...) for name, form in FIELDS.items()} | {"verdict": (_VERDICT, ...)},
    )


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
    pairs: int = Field(description="How many pairs are waiting or in progress.")
    room: int = Field(description="How many more pairs the queue can take.")


class Problem(Strict):
    """Why there is no answer."""

    detail: str


_PART = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


def page(settings: ServiceSettings) -> str:
    """The page of one service."""
    flags = [
        name
        for name, is_so in (("data-databases", bool(settings.db_roots)), ("data-token", bool(settings.token)))
        if is_so
    ]
    body = " ".join(["<body", *flags])
    return (
        own_file(__file__, "page.html")
        .replace("/* style */", own_file(__file__, "page.css"))
        .replace("/* script */", own_file(__file__, "page.js"))
        .replace("/* words */", _words(settings))
        .replace("/* dialect */", escape(_dialects(settings.options.pair_dialect)))
        .replace("<body", body, 1)
    )


def _dialects(name: str) -> str:
    """What queries and schemas are written in, as the page says it."""
    dialect = dialect_named(name)
    pred, gold = (each.title for each in sides_of(dialect))
    if pred == gold:
        return f"Queries are read as {pred}."
    given = giver_of(dialect).title
    return f"Predictions are read as {pred}, gold queries as {gold}, and schemas as {given}."


def policy(text: str) -> str:
    """The content security policy of a page."""
    hashes = {name: source_hash(part) for name, part in _PART.findall(text)}
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:;"
        f" connect-src 'self'; style-src '{hashes['style']}'; script-src '{hashes['script']}'"
    )


def _words(settings: ServiceSettings) -> str:
    """What the page says of reasons, differences, attempts and dialects, as JSON that ends no element."""
    told = {
        "reasons": {each.value: each.says for each in Reason},
        "differences": {each.value: f"{each.says[:1].upper()}{each.says[1:]}" for each in Difference},
        "sides": SIDES,
        "outcomes": OUTCOMES,
        "not_found": NOT_FOUND,
        "further": [*FURTHER_PURPOSES],
        "dialects": {
            "": _dialects(settings.options.pair_dialect),
            **{each: _dialects(each) for each in OWN_NAMES},
        },
        "execution_rows": EXECUTION_ROWS,
    }
    return json.dumps(told).replace("<", "\\u003c")


Json = dict[str, Any]


def reference(document: Document) -> str:
    """The page of one service's document."""
    schemas = document["components"]["schemas"]
    requests = "\n".join(
        _request(path, method, told, schemas)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    )
    return (
        own_file(__file__, "reference.html")
        .replace("/* style */", own_file(__file__, "page.css"))
        .replace("/* script */", own_file(__file__, "reference.js"))
        .replace("<!-- requests -->", requests)
    )


def _request(path: str, method: str, told: Json, schemas: Json) -> str:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code></h2>", f"<p>{escape(told['summary'])}.</p>"]
    if body is not None:
        model = _resolved(body, schemas)
        rows = [_field(name, one, model, schemas) for name, one in model.get("properties", {}).items()]
        parts.append(_folded("fields of the body", ("field", "type", "what"), rows))
    answers = [(status, escape(one["description"])) for status, one in told["responses"].items()]
    parts.append(_folded("answers", ("status", "what"), answers))
    parts.append(_form(path, method, None if body is None else _example(body, schemas)))
    return f"<section>{''.join(parts)}</section>"


def _form(path: str, method: str, example: object) -> str:
    text = ""
    if example is not None:
        shown = escape(json.dumps(example, indent=2, ensure_ascii=False))
        text = f'<textarea rows="8" spellcheck="false" aria-label="Body">{shown}</textarea>'
    # Relative, so that a service behind a proxy's path finds itself.
    place = f'data-method="{method.upper()}" data-path="{escape(path.lstrip("/") or "./")}"'
    send = '<div class="go"><button type="submit">Send</button></div><output></output>'
    return f"<form {place}>{text}{send}</form>"


def _field(name: str, one: Json, model: Json, schemas: Json) -> tuple[str, str, str]:
    needed = ", required" if name in model.get("required", ()) else ""
    default = f" Default: {json.dumps(one['default'])}." if "default" in one else ""
    kind = f"{_kind(one, schemas)}{needed}"
    return f"<code>{escape(name)}</code>", escape(kind), escape(f"{one.get('description', '')}{default}")


def _kind(one: Json, schemas: Json) -> str:
    match one:
        case {"$ref": _}:
            return _kind(_resolved(one, schemas), schemas)
        case {"enum": list(values)}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": list(kinds)}:
            return " or ".join(_kind(each, schemas) for each in kinds)
        case {"type": "array", "items": dict(items)}:
            return f"list of {_kind(items, schemas)}"
        case {"title": str(title), "type": "object"} if title in schemas:
            return title
    return str(one.get("type", "any"))


def _resolved(one: Json, schemas: Json) -> Json:
    found: Json = schemas[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
    return found


def _example(one: Json, schemas: Json) -> Any:
    """A value of a model: what it requires, and of the rest what has an example that says something."""
    found = _resolved(one, schemas)
    if "examples" in found:
        return found["examples"][0]
    match found.get("type"):
        case "object":
            return {
                name: _example(each, schemas)
                for name, each in found.get("properties", {}).items()
                if name in found.get("required", ()) or any(each.get("examples", ()))
            }
        case "array":
            return [_example(found["items"], schemas)]
    return ""


def _folded(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table whose cells are markup, behind its title."""
    lines = "".join(_row(row, "td") for row in rows)
    table = f"<table><thead>{_row(head, 'th')}</thead><tbody>{lines}</tbody></table>"
    return f'<details><summary>{title}</summary><div class="scroll">{table}</div></details>' if rows else ""


def _row(cells: tuple[str, ...], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"
