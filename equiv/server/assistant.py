"""The service as tools of an assistant, by the Model Context Protocol (https://modelcontextprotocol.io).

``check``, ``explain`` and ``schema`` are asked over standard input and output.  What is wrong with a call is
an answer of one line that says so, since the model that made the call can mend it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from io import StringIO
from operator import itemgetter
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

from equiv.engine.host import SERVING, verdict_of
from equiv.errors import InputError
from equiv.graphs import grouped_by
from equiv.options import dialects_in
from equiv.records.record import Record, brief_of, versions
from equiv.records.verdict_json import verdict_of as verdict_in
from equiv.replies.extract import Prediction
from equiv.server import pair_task
from equiv.server.dispatcher import Dispatcher, FullError, Metrics
from equiv.server.requests import CheckRequest, ComparedOn, MalformedError, Places, read
from equiv.server.settings import ServiceSettings
from equiv.show.terminal import show
from equiv.show.verdicts import explanation_of, text_of
from equiv.verdict import Equivalent, Undecided
from equiv.workers.lanes import Lane

_INSTRUCTIONS = (
    "Before you say that a rewritten SQL query means the same as the original, call check: the original is"
    " gold, the rewrite pred. equivalent comes with a proof; not_equivalent with a database, as SQL, on which"
    " the two queries return the rows shown; undecided means that neither was found, not that they are equal."
)
_SHOWN_TABLES = 40
"""Of more tables than so many, the names alone are told."""


class SchemaRequest(ComparedOn):
    """A schema or a database, and which of its tables are told in full."""

    dialect: str = Field("", max_length=40, description="What the schema is written in.")
    tables: list[str] = Field(default=[], max_length=100, description="The tables; all, if none are named.")


_TOLD: dict[str, tuple[type[BaseModel], str]] = {
    "check": (CheckRequest, "Decide whether two SQL queries mean the same on every database of a schema."),
    "explain": (CheckRequest, "Decide as check does, and tell each step of a proof, or all that was tried."),
    "schema": (SchemaRequest, "Tell what is read from a schema: tables, columns, types, keys, other facts."),
}
"""The tools: what each takes and does."""


class Assistant:
    """The tools of one assistant.

    Args:
        settings: what the operator allows.
        describe: gives the first sentence of a rule's documentation, by its name.
    """

    def __init__(self, settings: ServiceSettings, describe: Callable[[str], str]) -> None:
        self._settings = settings
        self._describe = describe
        self._places = Places(settings.db_roots, settings.options)
        self.desk = Dispatcher(settings, Metrics())
        self._schemas: set[asyncio.Future[Any]] = set()
        self._lane = Lane(SERVING)

    def server(self) -> Server:
        """The tools as a server of the protocol."""

        async def list_tools(*_: object) -> ListToolsResult:
            return ListToolsResult(tools=[_tool(name) for name in _TOLD])

        async def call_tool(_: object, asked: CallToolRequestParams) -> CallToolResult:
            if asked.name not in _TOLD:
                raise MCPError(INVALID_PARAMS, f"no such tool: there are {', '.join(_TOLD)}")
            try:
                text, found = await self._answer(asked.name, json.dumps(asked.arguments or {}).encode())
            except FullError as error:
                text, found = f"too many calls wait already: come again in {error}", None
            except InputError as error:
                text, found = self._places.without_paths(str(error)), None
            # A lone surrogate, which a text of a database may have, would end the transport.
            said = TextContent(type="text", text=text.encode(errors="replace").decode())
            plain = json.loads(json.dumps(found, ensure_ascii=False).encode(errors="replace"))
            return CallToolResult(content=[said], structured_content=plain, is_error=found is None)

        return Server(
            "equiv",
            version=versions()["equiv"],
            instructions=_INSTRUCTIONS,
            on_list_tools=list_tools,
            on_call_tool=call_tool,
        )

    def close(self) -> None:
        """End the worker that reads schemas."""
        self._lane.close()

    async def _answer(self, name: str, arguments: bytes) -> tuple[str, dict[str, Any]]:
        """The text of an answer and its fields.

        Raises:
            InputError: the arguments, the schema or an option cannot be used.
            FullError: too many calls wait.
        """
        if len(arguments) > self._settings.body_bytes:
            raise MalformedError(f"the arguments may have {self._settings.body_bytes:,} bytes")
        if name == "schema":
            return await self._schema(read(SchemaRequest, arguments))
        asked = read(CheckRequest, arguments)
        pair = Prediction.of(asked.pred, extract=asked.extract), asked.gold
        tasks = self._places.tasks([pair], asked.db, asked.ddl, asked.given)
        seconds = min(asked.seconds or self._settings.seconds, self._settings.seconds)
        (answer,) = await self.desk.answers(tasks, seconds)
        if isinstance(answer, InputError):
            raise answer
        record: Record = json.loads(answer.record)
        verdict = replace(verdict_in(record), queries=None)
        told = _in_short(record)
        if name == "check":
            return text_of(verdict), told
        written = StringIO()
        show(explanation_of(verdict, self._describe), written)
        return written.getvalue().rstrip(), told

    async def _schema(self, asked: SchemaRequest) -> tuple[str, dict[str, Any]]:
        """What is read from a schema, by a worker within the time of a pair."""
        given = dialects_in(asked.dialect) if asked.dialect else {}
        (task,) = self._places.tasks([(Prediction(""), "")], asked.db, asked.ddl, given)
        if len(self._schemas) >= self._settings.queue:
            raise FullError(1)
        seconds = self._settings.seconds
        reading = asyncio.wrap_future(self._lane.submit(pair_task.describe_schema, task, timeout=seconds))
        self._schemas.add(reading)
        try:
            outcome = await reading
        finally:
            self._schemas.discard(reading)
        if not isinstance(outcome, str):
            given_up = verdict_of(outcome, self._settings.options)
            assert isinstance(given_up, Undecided)
            raise InputError(f"the schema was not read: {given_up.detail}")
        found = json.loads(outcome)
        names = [table["name"] for table in found["tables"]]
        if unknown := [each for each in asked.tables if each not in names]:
            raise InputError(f"no table {unknown[0]}; there are {', '.join(names[:_SHOWN_TABLES])}")
        told = _outline(found, asked.tables or (names if len(names) <= _SHOWN_TABLES else []))
        return json.dumps(told, ensure_ascii=False), told


def _outline(found: dict[str, Any], chosen: Sequence[str]) -> dict[str, Any]:
    """What is told of a schema: of the tables that are chosen columns and facts, of others the names."""
    tables = [
        {
            "name": table["name"],
            "columns": {column["name"]: column["type"] for column in table["columns"]},
            "facts": {
                grade: [fact["fact"] for fact in facts]
                for grade, facts in grouped_by(itemgetter("grade"), table["facts"]).items()
            },
            **({"remarks": table["remarks"]} if table["remarks"] else {}),
        }
        for table in found["tables"]
        if table["name"] in chosen
    ]
    others = [table["name"] for table in found["tables"] if table["name"] not in chosen]
    rest = {name: found[name] for name in ("dialect", "views", "settings", "passed_over", "notes")}
    return {name: value for name, value in {**rest, "tables": tables, "others": others}.items() if value}


def _tool(name: str) -> Tool:
    model, said = _TOLD[name]
    taken = model.model_json_schema(by_alias=True)
    taken.pop("oneOf", None)  # models are not offered a tool whose arguments are alternatives as a whole
    asking = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return Tool(name=name, description=said, input_schema=taken, annotations=asking)


def _in_short(record: Record) -> dict[str, Any]:
    """What came out, the facts that a proof rests on, and a witness as SQL with both results."""
    verdict = verdict_in(record)
    told = {name: value for name, value in brief_of(record).items() if not name.startswith("score")}
    told["dialect"] = record["dialect"]
    if record["remarks"]:
        told["remarks"] = [remark["text"] for remark in record["remarks"]]
    if isinstance(verdict, Equivalent):
        told["facts"] = [str(fact) for fact in verdict.facts]
    evidence = record["evidence"] or {}
    if evidence.get("kind") in ("witness", "execution"):
        shown = (it for it in evidence.items() if it[0].endswith("_rows") or it[1] not in (None, "", []))
        told["witness"] = dict(shown)
    return told


async def _run(assistant: Assistant) -> None:
    # The workers start behind the transport, which keeps what they might print off the wire.
    async with stdio_server() as (asked, answered):
        await assistant.desk.start()
        server = assistant.server()
        try:
            await server.run(asked, answered, server.create_initialization_options())
        finally:
            await assistant.desk.close()


def serve_assistant(settings: ServiceSettings, describe: Callable[[str], str]) -> None:
    """Answer calls of tools over standard input and output until the input ends.

    Args:
        settings: what the operator allows.
        describe: gives the first sentence of a rule's documentation, by its name.
    """
    with closing(Assistant(settings, describe)) as assistant:
        asyncio.run(_run(assistant))
