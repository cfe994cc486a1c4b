"""The client against a server that answers well, badly, late or not at all."""

from __future__ import annotations

import gzip
import json
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kit.loopback import PASSES, UPHOLDS, Loopback, Step, answers, completes, drops, fails, sends, waits
from werkzeug import Response

from equiv.errors import InputError
from equiv.judge.asking.client import LiveClient
from equiv.judge.case import Ask, NoAnswer, OutOfBudget, ProverReply, RefuterReply, Role, Usage

KEY = "sk-secret-of-the-user"
JSON = "application/json"

Make = Callable[..., LiveClient]
MakeAsk = Callable[..., Ask]


def test_a_good_reply_is_read_with_its_usage(server: Loopback, client: Make, ask: MakeAsk) -> None:
    prover = client().ask(ask())
    refuter = client().ask(ask(role=Role.REFUTER))
    assert isinstance(prover.reply, ProverReply)
    assert prover.reply.verdict
    assert (prover.usage, prover.source, prover.text) == (Usage(1, 1200, 80, 1024), "live", PASSES)
    assert isinstance(refuter.reply, RefuterReply)
    assert not refuter.reply.overturn
    assert len(server.bodies) == 2


def test_a_request_holds_the_messages_the_schema_and_what_the_user_gives(
    server: Loopback, client: Make, ask: MakeAsk
) -> None:
    judge = client(seed=3, parameters={"temperature": 0.0, "reasoning_effort": "low"})
    judge.ask(ask())
    body = server.bodies[0]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == "Which names are there?"
    assert body["response_format"]["json_schema"]["strict"]
    assert (body["model"], body["temperature"], body["seed"]) == ("m", 0.0, 3)
    assert body["reasoning_effort"] == "low"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert judge.parameters == {
        "base_url": server.url,
        "temperature": 0.0,
        "seed": 3,
        "reasoning_effort": "low",
    }


def test_a_server_without_reply_schemas_is_asked_without_one_from_then_on(
    server: Loopback, client: Make, ask: MakeAsk
) -> None:
    refusal = fails(400, "'response_format' of this type is not supported")
    server.script(refusal, refusal)
    server.otherwise = completes(f"Here it is:\n```json\n{PASSES}\n```")
    judge = client()
    replies = [judge.ask(ask(question)).reply for question in ("one?", "two?")]
    assert all(isinstance(reply, ProverReply) for reply in replies)
    assert ["response_format" in body for body in server.bodies] == [True, True, False, False]


def test_a_server_that_takes_schemas_in_another_form_is_asked_in_that(
    server: Loopback, client: Make, ask: MakeAsk
) -> None:
    """As llama-cpp-python's server has it, which answers 500 to the form of OpenAI."""
    server.script(fails(500, "('body', 'response_format', 'type'): Input should be 'text' or 'json_object'"))
    judge = client(max_retries=3)
    replies = [judge.ask(ask(question)).reply for question in ("one?", "two?")]
    assert all(isinstance(reply, ProverReply) for reply in replies)
    formats = [body["response_format"] for body in server.bodies]
    assert [one["type"] for one in formats] == ["json_schema", "json_object", "json_object"]
    assert formats[1]["schema"] == formats[0]["json_schema"]["schema"]


UNUSABLE: dict[str, tuple[Step, str]] = {
    "malformed JSON": (completes(PASSES[:-9]), "unusable reply"),
    "no JSON": (completes("The prediction is fine."), "unusable reply"),
    "wrong type": (completes(PASSES.replace("true", '"true"')), "unusable reply"),
    "another role's reply": (completes(UPHOLDS), "unusable reply"),
    "verdict missing": (completes(PASSES.replace('"verdict"', '"answer"')), "unusable reply"),
    "two verdicts": (completes(f"{PASSES} or rather {PASSES}"), "unusable reply"),
    "refusal": (completes(None, refusal="I cannot help."), "refused: I cannot help."),
    "withheld": (completes("", finish="content_filter"), "refused"),
    "cut off": (completes(PASSES, finish="length"), "cut off"),
    "empty": (completes(" "), "no reply"),
    "null": (completes(None), "no reply"),
    "parts": (completes([{"type": "text", "text": PASSES}]), "no reply"),
    "no choice": (answers({"choices": []}), "no reply"),
    "a list": (answers([1]), "no reply"),
    "error with status 200": (answers({"error": {"message": "upstream is down"}}), "upstream is down"),
    "error as a bare text": (answers({"error": "model is loading"}), "model is loading"),
    "half a response": (sends('{"choices": [{"mess'), "not JSON"),
    "a page": (sends("<html>gateway</html>"), "not JSON"),
    "deeply nested": (sends("[" * 100_000), "not JSON"),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_an_unusable_response_is_no_answer(what: str, server: Loopback, client: Make, ask: MakeAsk) -> None:
    step, detail = UNUSABLE[what]
    server.script(step)
    answer = client().ask(ask())
    assert isinstance(answer.reply, NoAnswer)
    assert detail in answer.reply.detail
    assert answer.usage.calls == 1
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "usage",
    [
        None,
        "many",
        {},
        {"prompt_tokens": "9", "completion_tokens": -1},
        {"prompt_tokens": True},
        {"prompt_tokens": 9},
    ],
)
def test_a_usage_that_is_no_usage_counts_nothing(
    usage: object, server: Loopback, client: Make, ask: MakeAsk
) -> None:
    server.script(completes(PASSES, usage=usage))
    assert client().ask(ask()).usage == Usage(calls=1)


@pytest.mark.parametrize("details", [None, [], {"cached_tokens": None}, {"cached_tokens": 99}])
def test_cached_tokens_are_never_more_than_the_prompt(
    details: object, server: Loopback, client: Make, ask: MakeAsk
) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": details}
    server.script(completes(PASSES, usage=usage))
    cached = 10 if details == {"cached_tokens": 99} else 0
    assert client().ask(ask()).usage == Usage(1, 10, 2, cached)


def test_a_rate_limit_is_waited_out_as_the_server_says(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.script(fails(429, after="0.7"))
    start = time.monotonic()
    answer = client().ask(ask())
    assert isinstance(answer.reply, ProverReply)
    assert time.monotonic() - start >= 0.7
    assert answer.usage.calls == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_stays_is_no_answer_and_no_call(
    status: int, server: Loopback, client: Make, ask: MakeAsk
) -> None:
    server.otherwise = fails(status, "try later")
    answer = client().ask(ask())
    assert answer.reply == NoAnswer(f"the server answers {status}: try later")
    assert answer.usage.calls == 0
    assert len(server.bodies) == 3


@pytest.mark.parametrize("fault", [fails(500), fails(502), drops, waits(3.0, completes(PASSES))])
def test_a_passing_fault_is_retried(fault: Step, server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.script(fault)
    assert isinstance(client(timeout=2.0).ask(ask()).reply, ProverReply)
    assert len(server.bodies) == 2


def test_a_slow_server_is_no_answer(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.otherwise = waits(3.0, completes(PASSES))
    start = time.monotonic()
    answer = client(timeout=0.2, max_retries=0).ask(ask())
    assert answer.reply == NoAnswer("no reply within 0.2 s")
    assert answer.usage.calls == 1
    assert time.monotonic() - start < 2.5


def test_a_lost_connection_is_no_answer(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.otherwise = drops
    answer = client(max_retries=1).ask(ask())
    assert answer.reply == NoAnswer("the connection was lost")
    assert answer.usage.calls == 1
    assert len(server.bodies) == 2


TOO_LONG: dict[str, Step] = {
    "code": fails(400, "too much", code="context_length_exceeded"),
    "message": fails(400, "This model's maximum context length is 8192 tokens."),
    "type": fails(400, "the request is larger than allowed", type="exceed_context_size_error"),
    "status": fails(413, "too large"),
    "bare text": lambda _: Response('{"error": "exceeds the context window"}', 400, content_type=JSON),
    "detail": lambda _: Response('{"detail": "prompt is too long"}', 422, content_type=JSON),
}


@pytest.mark.parametrize("way", TOO_LONG)
def test_a_prompt_that_is_too_long_is_no_answer(
    way: str, server: Loopback, client: Make, ask: MakeAsk
) -> None:
    server.script(TOO_LONG[way])
    answer = client().ask(ask())
    assert isinstance(answer.reply, NoAnswer)
    assert answer.reply.detail.startswith("context too long")
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "fault",
    [
        (fails(401, f"Incorrect API key provided: {KEY}"), InputError, "rejects the key"),
        (fails(404, "no such model"), InputError, "has no model 'm'"),
        (fails(400, "unsupported", param="temperature"), InputError, "refuses 'temperature'"),
        (fails(402, "pay first"), OutOfBudget, "no credit"),
        (fails(429, "pay", code="insufficient_quota"), OutOfBudget, "quota"),
    ],
)
def test_what_would_fail_for_every_pair_ends_the_run(
    fault: tuple[Step, type[Exception], str], server: Loopback, client: Make, ask: MakeAsk
) -> None:
    server.otherwise, error, message = fault
    with pytest.raises(error, match=message) as raised:
        client(temperature=0.5, max_retries=0).ask(ask())
    assert KEY not in str(raised.value)


def test_an_error_about_what_is_no_parameter_ends_no_run(
    server: Loopback, client: Make, ask: MakeAsk
) -> None:
    server.script(fails(400, "odd", param=["messages"]), fails(400, "odd", param="messages"))
    judge = client()
    for _ in range(2):
        assert judge.ask(ask()).reply == NoAnswer("the server answers 400: odd")


def test_a_request_that_a_filter_refuses_ends_no_run(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.script(fails(403, "flagged by moderation"))
    assert client().ask(ask()).reply == NoAnswer("the server answers 403: flagged by moderation")


def test_without_any_connection_the_run_ends(client: Make, ask: MakeAsk) -> None:
    with pytest.raises(InputError, match="no connection to http"):
        client(base_url="http://127.0.0.1:9/v1", max_retries=0).ask(ask())


def test_the_key_stays_out_of_messages_and_logs(
    server: Loopback, client: Make, ask: MakeAsk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(fails(403, f"no rights for {KEY}"))
    judge = client()
    answer = judge.ask(ask())
    assert answer.reply == NoAnswer("the server answers 403: no rights for [key]")
    judge.ask(ask())
    assert KEY not in f"{caplog.text} {judge!r} {judge._endpoint!r} {judge.parameters}"


@pytest.mark.parametrize(
    "spelt",
    [KEY, KEY.replace("k", "\\u006b"), KEY.replace("-", "\\\\u002d")],
    ids=["plain", "escaped", "twice"],
)
def test_the_key_stays_out_of_replies(spelt: str, server: Loopback, client: Make, ask: MakeAsk) -> None:
    reply = json.dumps(PASSES.replace("the anchors are met", KEY))[1:-1].replace(KEY, spelt)
    body = json.loads(json.dumps({"choices": [{"finish_reason": "stop", "message": {"content": ""}}]}))
    server.script(sends(json.dumps(body).replace('"content": ""', f'"content": "{reply}"')))
    answer = client().ask(ask())
    assert KEY not in f"{answer} {json.loads(chr(34) + json.dumps(answer.text)[1:-1] + chr(34))}"
    assert isinstance(answer.reply, NoAnswer) == (spelt.count("\\") > KEY.count("k"))


def test_the_key_stays_out_of_a_refusal_and_an_error(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.script(completes(None, refusal=f"not for {KEY}"), answers({"error": f"bad {KEY}"}))
    server.script(completes(f"{KEY} is cut", finish="length"))
    judge = client()
    assert KEY not in f"{[judge.ask(ask(str(n))) for n in range(3)]}"
    assert len(server.bodies) == 3


def test_a_word_that_stands_for_a_key_may_be_in_replies(server: Loopback, client: Make, ask: MakeAsk) -> None:
    assert client(api_key="true").ask(ask()).text == PASSES
    assert len(server.bodies) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int, server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.otherwise = lambda _: Response("", status, {"Location": f"{server.url}/chat/completions"})
    with pytest.raises(InputError, match="redirects, which equiv does not follow") as caught:
        client().ask(ask())
    assert "\n" not in str(caught.value)
    assert len(server.bodies) == 1


def test_a_response_is_read_up_to_a_limit_and_not_asked_for_again(
    server: Loopback, client: Make, ask: MakeAsk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equiv.judge.asking.response_limits.MOST_BYTES", 100_000)
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 100_000_000:
            sent += 10_000
            yield b" " * 10_000

    server.otherwise = lambda _: Response(endless(), content_type=JSON)
    answer = client().ask(ask())
    assert answer.reply == NoAnswer("the response is longer than 100,000 bytes")
    assert (answer.usage.calls, len(server.bodies)) == (1, 1)
    assert sent < 50_000_000
    server.otherwise = lambda _: Response(b" " * 200_000, 503, content_type=JSON)
    client().ask(ask())
    assert len(server.bodies) <= 4


def test_a_compressed_response_is_not_unpacked(server: Loopback, client: Make, ask: MakeAsk) -> None:
    body = gzip.compress(gzip.compress(b" " * 50_000_000))
    server.otherwise = lambda _: Response(body, 200, {"Content-Encoding": "gzip, gzip"}, content_type=JSON)
    answer = client().ask(ask())
    assert answer.reply == NoAnswer("the response is compressed, although the request did not allow it")
    assert server.headers[0]["Accept-Encoding"] == "identity"
    assert len(server.bodies) == 1


def test_no_more_requests_at_a_time_than_allowed(server: Loopback, client: Make, ask: MakeAsk) -> None:
    server.otherwise = waits(0.05, completes(PASSES))
    judge = client(concurrency=2)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: judge.ask(ask(f"{number}?")), range(8)))
    assert server.most_at_once == 2


def test_a_question_with_half_a_character_is_sent(server: Loopback, client: Make, ask: MakeAsk) -> None:
    assert isinstance(client().ask(ask("What is \ud83d?")).reply, ProverReply)
    assert server.bodies[0]["messages"][1]["content"] == "What is ??"


def test_key_and_server_come_from_the_environment_then_from_a_file(
    server: Loopback, ask: MakeAsk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text(
        f"OPENAI_API_KEY=sk-file\nOPENAI_BASE_URL={server.url}\n", encoding="utf-8"
    )
    LiveClient("m").ask(ask())
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    LiveClient("m").ask(ask())
    LiveClient("m", api_key="sk-argument").ask(ask())
    assert [headers["Authorization"] for headers in server.headers] == [
        "Bearer sk-file",
        "Bearer sk-environment",
        "Bearer sk-argument",
    ]


def test_a_file_cannot_send_the_key_of_the_environment_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://127.0.0.1:9/v1\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match="but not the key"):
        LiveClient("m")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"api_key": None, "base_url": None}, "needs a key"),
        ({"api_key": "sk bad\n1"}, "characters that are not allowed in a key"),
        ({"base_url": "127.0.0.1:80"}, "http://"),
        ({"base_url": "http://user:word@127.0.0.1/v1"}, "not contain credentials"),
        ({"base_url": "http://[::1/v1"}, "malformed"),
        ({"parameters": {"messages": []}}, "cannot be set as a request parameter"),
    ],
)
def test_unusable_settings_are_refused(options: dict[str, object], message: str, client: Make) -> None:
    with pytest.raises(InputError, match=message) as raised:
        client(**options)
    assert "word" not in str(raised.value)


def test_a_server_of_ones_own_needs_no_key(client: Make, ask: MakeAsk) -> None:
    assert isinstance(client(api_key=None).ask(ask()).reply, ProverReply)


def test_a_text_of_the_model_is_kept_as_it_came(server: Loopback, client: Make, ask: MakeAsk) -> None:
    text = json.dumps({**json.loads(PASSES), "reason": "\ud83d \x1b[2J"})
    server.script(completes(text))
    assert client().ask(ask()).text == text
