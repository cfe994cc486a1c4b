"""docs/service.md: its requests are answered, its options and defaults are those of the command."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from kit.served import TestClient

from equiv import cli
from equiv.server.openapi import document
from equiv.server.settings import ServiceSettings

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
REQUESTS = [
    json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("request_", REQUESTS, ids=[one["path"] for one in REQUESTS])
def test_a_request_of_the_page_is_answered(
    client: TestClient, databases: Path, request_: dict[str, object]
) -> None:
    with closing(sqlite3.connect(databases / "card_games.sqlite")) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS sets (id INTEGER PRIMARY KEY, name TEXT)")
        connection.commit()
    answer = client.post(str(request_["path"]), json=request_["body"])
    assert answer.status_code == 200, answer.text
    told = answer.json()
    record = told["records"][0] if "records" in told else told
    assert record["verdict"] == "equivalent"


def test_it_names_every_route_and_every_status() -> None:
    paths = document(ServiceSettings())["paths"]
    named = re.findall(r"^\| `(?:GET|POST) (\S+)`", PAGE, re.MULTILINE)
    assert named == list(dict.fromkeys(named))
    assert set(named) == set(paths)
    statuses = {
        status for path in paths.values() for method in path.values() for status in method["responses"]
    }
    table = PAGE.partition("| status | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"\b[45]\d\d\b", table)) == statuses - {"200"}


def test_its_options_and_their_defaults_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["serve", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    quoted = set(re.findall(r"`(--[a-z-]+)", PAGE)) | set(re.findall(r" (--[a-z-]+) ", PAGE))
    assert {option for option in quoted if f"{option} " not in shown} == set()
    for option, default in re.findall(r"`(--[a-z-]+)` \(([\d,]+)\)", PAGE):
        described = shown.partition(f"{option} ")[2].partition(" --")[0]
        found = re.search(r"default: ([\d.]+)", described)
        assert found is not None
        assert float(found[1]) == float(default.replace(",", "")), option


def test_the_commands_that_it_shows_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^    equiv (.*)$", PAGE, re.MULTILINE) + re.findall(
        r"`equiv (serve --[^`]*)`", PAGE
    )
    assert len(commands) >= 2
    for command in commands:
        assert cli.run([*command.split(), "--help"]) == 0
    capsys.readouterr()
