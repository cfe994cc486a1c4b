"""The query of a model's reply is the same through ``eval``, ``check``, rewards and the service."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from kit.replies import LINE, REPLIES, UNASKED, Q

from equiv import cli
from equiv.rewards import Rewarder
from equiv.rewards.rewarder import query_of

DDL = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT)"
ORDINARY = {name: reply for name, (reply, query) in REPLIES.items() if query in (Q, LINE)}
Printed = pytest.CaptureFixture[str]


def through_eval(replies: Mapping[str, str], folder: Path, _: Printed) -> dict[str, str]:
    """The predictions in the records of a run."""
    entries = [
        {"question_id": name, "db_id": "hero", "predicted_sql": reply, "gold_sql": Q}
        for name, reply in replies.items()
    ]
    (folder / "p.json").write_text(json.dumps(entries))
    out = folder / "out.jsonl"
    ran = ["eval", folder / "p.json", "--schema", folder / "hero.sql", "--out", out, "--extract"]
    assert cli.run([*map(str, ran)]) == 0
    records = map(json.loads, out.read_text().splitlines())
    return {record["question_id"]: record["predicted_sql"] for record in records}


def through_check(replies: Mapping[str, str], folder: Path, printed: Printed) -> dict[str, str]:
    """The predictions in the records that ``check`` prints."""
    found = {}
    for name, reply in replies.items():
        (folder / "reply.sql").write_text(reply)
        ran = ["check", folder / "reply.sql", Q, "--schema", folder / "hero.sql", "--json"]
        assert cli.run([*map(str, ran)]) == 0, name
        record = json.loads(printed.readouterr().out)
        found[name] = record["predicted_sql"]
        texts = (one["text"] for one in record["remarks"] if one["kind"] == "reply")
        told = [text.partition("; left out behind it: ")[0] for text in texts]
        assert told == ([] if found[name] == reply else [f"extracted from the reply around it: {LINE}"]), name
    return found


def through_rewards(replies: Mapping[str, str], _: Path, __: Printed) -> dict[str, str]:
    """The queries of completions that are rewarded."""
    with Rewarder() as rewarder:
        rewards = rewarder.rewards(list(replies.values()), [Q] * len(replies), [DDL] * len(replies))
    assert [reward.score for reward in rewards] == [1.0] * len(replies)
    chats = {name: [{"role": "assistant", "content": reply}] for name, reply in replies.items()}
    return {name: query_of(chat) for name, chat in chats.items()}


def through_service(replies: Mapping[str, str], _: Path, __: Printed) -> dict[str, str]:
    """The predictions in the records of the service, which rewards responses alike."""
    pytest.importorskip("starlette")
    from starlette.testclient import TestClient

    from equiv.server.run import Service
    from equiv.server.settings import ServiceSettings

    found = {}
    with TestClient(Service(ServiceSettings()).application(), base_url="http://localhost") as client:
        for name, reply in replies.items():
            answer = client.post("/v1/check", json={"pred": reply, "gold": Q, "schema": DDL}).json()
            assert answer["verdict"] == "equivalent", name
            found[name] = answer["predicted_sql"]
            response = {"output": [{"type": "message", "content": [{"type": "output_text", "text": reply}]}]}
            row = {"response": response, "sql": Q, "sql_context": DDL}
            assert client.post("/verify", json=row).json()["extracted_sql"] == found[name], name
        fenced = {"pred": f"```sql\n{Q}\n```", "gold": Q, "schema": DDL, "extract": False}
        assert client.post("/v1/check", json=fenced).json()["verdict"] == "invalid"
    return found


@pytest.mark.long
@pytest.mark.parametrize("entry", [through_eval, through_check, through_rewards, through_service])
def test_the_queries_of_ordinary_replies_are_the_same_through_every_entry(
    entry: Callable[[Mapping[str, str], Path, Printed], dict[str, str]], tmp_path: Path, capsys: Printed
) -> None:
    assert len(ORDINARY) > 30
    (tmp_path / "hero.sql").write_text(DDL)
    assert entry(ORDINARY, tmp_path, capsys) == {name: REPLIES[name][1] for name in ORDINARY}


@pytest.mark.long
def test_texts_without_a_query_fail_alike_through_every_entry(tmp_path: Path, capsys: Printed) -> None:
    pytest.importorskip("starlette")
    from starlette.testclient import TestClient

    from equiv.server.run import Service
    from equiv.server.settings import ServiceSettings

    texts = {name: text for name, (text, _) in UNASKED.items()}
    (tmp_path / "hero.sql").write_text(DDL)
    through_eval(texts, tmp_path, capsys)
    capsys.readouterr()
    records = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    codes = {"eval": {each["question_id"]: (each["failure_code"], each["score"]) for each in records}}
    codes["check"], codes["service"] = {}, {}
    for name, text in texts.items():
        (tmp_path / "reply.sql").write_text(text)
        assert (
            cli.run(
                ["check", str(tmp_path / "reply.sql"), Q, "--schema", str(tmp_path / "hero.sql"), "--json"]
            )
            == 2
        )
        record = json.loads(capsys.readouterr().out)
        codes["check"][name] = (record["failure_code"], record["score"])
    with TestClient(Service(ServiceSettings()).application(), base_url="http://localhost") as client:
        for name, text in texts.items():
            record = client.post("/v1/check", json={"pred": text, "gold": Q, "schema": DDL}).json()
            codes["service"][name] = (record["failure_code"], record["score"])
    with Rewarder() as rewarder:
        rewards = rewarder.rewards(list(texts.values()), [Q] * len(texts), [DDL] * len(texts))
    assert {reward.score for reward in rewards} == {0.0}
    expected = {name: (code, 0) for name, (_, code) in UNASKED.items()}
    for entry, found in codes.items():
        assert {name: got for name, got in found.items() if got != expected[name]} == {}, entry


def test_check_reads_a_reply_as_it_stands_if_asked(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "hero.sql").write_text(DDL)
    pair = [f"```sql\n{Q}\n```", Q, "--schema", str(tmp_path / "hero.sql")]
    assert cli.run(["check", *pair]) == 0
    assert f"Note: the prediction: extracted from the reply around it: {LINE}" in capsys.readouterr().out
    assert cli.run(["check", *pair, "--no-extract"]) == 2


@pytest.mark.long
def test_eval_tells_of_replies_that_it_reads_as_they_stand(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "hero.sql").write_text(DDL)
    texts = (Q, f"```sql\n{Q}\n```", f"SQL: {LINE}", "I cannot tell.")
    entries = [
        {"question_id": place, "db_id": "hero", "predicted_sql": text, "gold_sql": Q}
        for place, text in enumerate(texts)
    ]
    (tmp_path / "p.json").write_text(json.dumps(entries))
    run = ["eval", str(tmp_path / "p.json"), "--schema", str(tmp_path / "hero.sql")]
    told = "2 predictions hold fences, tags or prose around a query, and are scored as they are; "
    told += "--extract extracts the queries"
    assert cli.run(run) == 0
    assert told in capsys.readouterr().err
    assert cli.run([*run, "--extract"]) == 0
    assert "--extract" not in capsys.readouterr().err
