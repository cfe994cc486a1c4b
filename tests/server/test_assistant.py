"""The tools of an assistant, asked by the protocol's own client, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from kit.served import DDL, ENDLESS, OTHER, SAME, PlayedDesk

mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
psutil = pytest.importorskip("psutil", reason="it finds the worker that is killed")

SECONDS = 60.0
PROGRAM = ("-m", "equiv", "mcp")

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def client(databases: Path) -> Iterator[Any]:
    """A client of a server in a process of its own, and the loop in which it lives."""
    loop, ready, done = asyncio.new_event_loop(), Future[Any](), asyncio.Event()

    async def live() -> None:
        arguments = [*PROGRAM, "--db-root", str(databases)]
        async with mcp.Client(mcp.StdioServerParameters(command=sys.executable, args=arguments)) as client:
            ready.set_result(client)
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(live(),))
    thread.start()
    yield ready.result(SECONDS), loop
    loop.call_soon_threadsafe(done.set)
    thread.join()


@pytest.fixture
def call(client: Any) -> Call:
    """A function that calls a tool, and returns its answer."""
    asked, loop = client

    def call(name: str, **arguments: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(asked.call_tool(name, arguments), loop).result(SECONDS)

    return call


def said(answer: Any) -> str:
    """What an answer says is wrong, in one line."""
    assert answer.is_error
    (part,) = answer.content
    assert "\n" not in part.text
    return str(part.text)


def test_tools_are_offered_as_models_take_them(client: Any) -> None:
    asked, loop = client
    listed = asyncio.run_coroutine_threadsafe(asked.list_tools(), loop).result(SECONDS)
    tools = {tool.name: tool.input_schema for tool in listed.tools}
    assert [*tools] == ["check", "explain", "schema"]
    # Models refuse a tool whose arguments are alternatives as a whole.
    assert not {"oneOf", "anyOf", "allOf"} & {key for schema in tools.values() for key in schema}
    assert {"pred", "gold", "schema", "db", "dialect"} <= {*tools["check"]["properties"]}


def test_an_assistant_gets_a_proof_or_a_database_as_sql(call: Call) -> None:
    proved = call("check", **SAME, schema=DDL)
    assert proved.structured_content["verdict"] == "equivalent"
    assert proved.content[0].text.startswith("equivalent  tier ")

    refuted = call("check", **OTHER, schema=DDL).structured_content
    assert refuted["verdict"] == "not_equivalent"
    assert refuted["witness"]["sql"].startswith("CREATE TABLE hero")
    assert "INSERT INTO hero" in refuted["witness"]["sql"]
    assert refuted["witness"]["gold_rows"]

    told = call("explain", **SAME, schema=DDL)
    assert "gold, step 1 of" in told.content[0].text
    assert "Collect equalities of one operand" in told.content[0].text  # what the rule's page says


def test_a_call_names_its_database_and_dialect(call: Call) -> None:
    (table,) = call("schema", db="heroes").structured_content["tables"]
    assert table["columns"] == {"id": "INTEGER", "name": "TEXT", "power": "INTEGER"}
    assert "unique(hero.id)" in table["facts"]["declared"]
    other = call("check", **OTHER, schema=DDL, dialect="duckdb").structured_content
    assert (other["verdict"], other["dialect"]) == ("not_equivalent", "duckdb")


def test_what_names_no_dialect_is_read_in_that_which_it_shows(call: Call, databases: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    duckdb.connect(str(databases / "sales.duckdb")).execute("CREATE TABLE sale (id INTEGER)").close()
    asked = {"pred": "SELECT id FROM sale WHERE id IN (1, 2)", "gold": "SELECT id FROM sale WHERE id = 1"}
    told = call("check", **asked, db="sales").structured_content
    assert (told["verdict"], told["dialect"]) == ("not_equivalent", "duckdb")

    dump = "--\n-- PostgreSQL database dump\n--\n\n" + DDL
    lower = {"pred": "SELECT id FROM hero WHERE lower(name) LIKE 'a%'", "gold": SAME["gold"]}
    told = call("check", **lower, schema=dump).structured_content
    assert told["dialect"] == "postgres"


def test_what_is_wrong_with_a_call_is_one_line(call: Call) -> None:
    with pytest.raises(mcp.MCPError, match="no such tool: there are check, explain, schema"):
        call("drop_database")
    assert said(call("check", pred=1, gold=[], schema=DDL)).startswith("pred: ")
    assert "give either db or schema" in said(call("check", **SAME))
    assert "not permitted" in said(call("check", **SAME, schema=DDL, program="rm"))
    assert "unknown dialect 'orcale'" in said(call("check", **SAME, schema=DDL, dialect="orcale"))
    assert "unknown dialect" in said(call("schema", schema=DDL, dialect="../sqlite"))
    assert "unknown database" in said(call("schema", db="../secret"))
    assert "relaton: " in (told := said(call("check", **SAME, schema=DDL, relaton="bag")))
    assert "; did you mean relation?" in told
    assert "no table was created" in said(call("schema", schema="CREATE TBLE hero"))
    assert said(call("schema", schema=DDL, tables=["her"])) == "no table her; there are hero"
    assert "1,000,000 bytes" in said(call("check", pred="x" * 2_000_000, gold="", schema=DDL))


def test_control_characters_do_not_reach_the_answer(call: Call) -> None:
    odd = call("check", pred="SELECT '\x1b[31m\x00' FROM hero", gold=SAME["gold"], schema=DDL)
    assert "\x1b" not in odd.content[0].text


def test_a_late_pair_and_a_killed_worker_are_undecided_and_the_next_is_answered(
    client: Any, call: Call
) -> None:
    late = call("check", pred=ENDLESS, gold="SELECT 1", schema=DDL, seconds=0.5)
    assert late.structured_content["reason"] == "TIMEOUT"

    asked, loop = client
    endless = {"pred": f"{ENDLESS} WHERE i > 0", "gold": "SELECT 1", "schema": DDL}
    answer = asyncio.run_coroutine_threadsafe(asked.call_tool("check", endless), loop)
    (server,) = [each for each in psutil.Process().children() if {*PROGRAM} <= {*each.cmdline()}]
    while not answer.done():
        for worker in server.children(recursive=True):
            worker.kill()
    assert answer.result().structured_content["verdict"] == "undecided"
    assert call("check", **SAME, schema=DDL).structured_content["verdict"] == "equivalent"


def test_of_many_calls_at_once_those_without_room_are_told_when_to_come_again() -> None:
    from equiv.server.assistant import Assistant
    from equiv.server.dispatcher import Metrics
    from equiv.server.settings import ServiceSettings

    settings = ServiceSettings(queue=4)

    async def scenario() -> list[Any]:
        assistant = Assistant(settings, str)
        desk = assistant.desk = PlayedDesk(settings, Metrics())
        await desk.start()
        async with mcp.Client(assistant.server()) as client:
            pairs = [{"pred": f"SELECT {i}", "gold": "SELECT 1", "schema": DDL} for i in range(9)]
            calls = [asyncio.create_task(client.call_tool("check", pair)) for pair in pairs]
            for _, refused in zip(range(5), asyncio.as_completed(calls), strict=False):
                await refused
            desk.let.set()
            found = await asyncio.gather(*calls)
        await desk.close()
        assistant.close()
        return found

    found = asyncio.run(asyncio.wait_for(scenario(), SECONDS))
    full = [said(each) for each in found if each.is_error]
    assert len(full) == 5
    assert all("come again in" in each for each in full)
    assert all(each.structured_content["verdict"] == "undecided" for each in found if not each.is_error)


def test_what_is_no_message_ends_nothing() -> None:
    async def scenario() -> None:
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, *PROGRAM), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        begin = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        arguments = {"pred": "SELECT '\ud800'", "gold": "SELECT 1", "schema": DDL}
        lines = [
            b"\xff\xfe no JSON",
            b"[" * 100_000,
            *(
                json.dumps({"jsonrpc": "2.0", **message}).encode()
                for message in (
                    {"id": 1, "method": "initialize", "params": begin},
                    {"method": "notifications/initialized"},
                    {"id": 2, "method": "tools/call", "params": {"name": "check", "arguments": arguments}},
                    {"id": 3, "method": "tools/list"},
                )
            ),
        ]
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"\n".join(lines) + b"\n")
        answers: dict[Any, Any] = {}
        while 3 not in answers:
            message = json.loads(await server.stdout.readline())
            answers[message.get("id")] = message
        server.stdin.close()
        assert len(answers[3]["result"]["tools"]) == 3
        assert await server.wait() == 0

    asyncio.run(asyncio.wait_for(scenario(), SECONDS))
