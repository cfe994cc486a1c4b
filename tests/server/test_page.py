"""The page loads nothing, runs nothing but its own script, and shows texts as texts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from pathlib import Path

import pytest
from kit.served import TestClient

from equiv.dialects.registry import OWN_NAMES
from equiv.options import Options
from equiv.server.openapi import document, page, policy
from equiv.server.run import Service
from equiv.server.settings import ServiceSettings
from equiv.show.verdicts import NOT_FOUND, attempt_words
from equiv.verdict import FEWER_FACTS, Difference, Reason, Tier

FOLDER = Path(__file__).resolve().parents[2] / "equiv" / "server"


def test_the_policy_allows_its_own_style_and_script_alone(client: TestClient) -> None:
    answer = client.get("/")
    found = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in found
    assert "unsafe" not in found
    for tag in ("style", "script"):
        (part,) = re.findall(rf"<{tag}>(.*?)</{tag}>", answer.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in found
    assert policy(answer.text) == found


def test_it_loads_nothing() -> None:
    text = page(ServiceSettings())
    loaded = re.findall(r"""(?:src|href)=["']([^"']*)|url\(([^)]*)|@import""", text)
    assert {one for pair in loaded for one in pair if one} == {"data:,", "docs", "openapi.json"}
    assert "://" not in text


@pytest.mark.parametrize(("dialect", "title"), [("", "SQLite"), ("postgres", "PostgreSQL")])
def test_it_names_the_dialect_of_the_service(dialect: str, title: str) -> None:
    assert f"Queries are read as {title}." in page(ServiceSettings(options=Options(dialect=dialect)))


def test_it_offers_each_dialect_that_a_request_may_name() -> None:
    (select,) = re.findall(r'<select id="dialect">(.*?)</select>', page(ServiceSettings()), re.DOTALL)
    assert re.findall(r'value="(.*?)"', select) == ["", *OWN_NAMES]


def test_no_text_becomes_markup() -> None:
    script = (FOLDER / "page.js").read_text()
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "DOMParser",
    ):
        assert way not in script


def test_it_knows_every_reason_and_difference() -> None:
    (text,) = re.findall(
        r'<script type="application/json" id="words">(.*?)</script>', page(ServiceSettings()), re.DOTALL
    )
    words = json.loads(text)
    assert set(words["reasons"]) == {reason.value for reason in Reason}
    assert set(words["differences"]) == {difference.value for difference in Difference}


def test_it_asks_for_databases_and_tokens_only_where_there_are_some(tmp_path: Path) -> None:
    assert "<body>" in page(ServiceSettings())
    assert "<body data-databases data-token>" in page(ServiceSettings(db_roots=(tmp_path,), token="t"))  # noqa: S106


def test_the_reference_names_every_request_and_loads_nothing(client: TestClient) -> None:
    answer = client.get("/docs")
    assert answer.headers["Content-Security-Policy"] == policy(answer.text)
    loaded = re.findall(r"""(?:src|href)=["']([^"']*)|url\(([^)]*)|@import""", answer.text)
    assert {one for pair in loaded for one in pair if one} == {"data:,", "openapi.json", "./"}
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in answer.text


def test_the_bodies_of_the_reference_are_answered(client: TestClient) -> None:
    text = client.get("/docs").text
    found = re.findall(r'data-path="(v1/[^"]*)"><textarea[^>]*>(.*?)</textarea>', text, re.DOTALL)
    assert [path for path, _ in found] == ["v1/check", "v1/check_batch"]
    for path, body in found:
        answer = client.post(f"/{path}", json=json.loads(unescape(body)))
        assert answer.status_code == 200, answer.text


def test_the_databases_are_listed(client: TestClient) -> None:
    assert "heroes" in client.get("/v1/databases").json()["databases"]
    assert "secret" not in client.get("/v1/databases").json()["databases"]
    asked = {"pred": "SELECT 1", "gold": "SELECT 1", "db": "heros"}
    answer = client.post("/v1/check", json=asked)
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "unknown database; did you mean heroes?",
    )


def test_databases_are_told_to_who_has_the_token(databases: Path) -> None:
    service = Service(ServiceSettings(db_roots=(databases,), token="secret-token"))  # noqa: S106
    with TestClient(service.application(), base_url="http://localhost") as client:
        assert client.get("/v1/databases").status_code == 401
        bearer = {"Authorization": "Bearer secret-token"}
        assert client.get("/v1/databases", headers=bearer).status_code == 200
        assert client.get("/docs").status_code == 200


def test_the_page_has_words_for_every_refusal() -> None:
    script = (FOLDER / "page.js").read_text()
    (titles,) = re.findall(r"const TITLES = \{(.*?)\};", script, re.DOTALL)
    refusals = set(document(ServiceSettings())["paths"]["/v1/check"]["post"]["responses"]) - {"200", "415"}
    assert set(re.findall(r"\b(\d{3}): ", titles)) == refusals


def test_an_attempt_says_what_a_tier_did_and_not_what_is_said_of_the_pair() -> None:
    assert attempt_words("generate", "passed", "NO_PROOF") == ("passed it on", NOT_FOUND[Tier.GENERATE])
    assert attempt_words("proof", "passed", "NO_PROOF") == ("passed it on", "found no proof")
    assert attempt_words("proof", "passed", "NO_PROOF the reason") == ("passed it on", "the reason")
    assert attempt_words("rules", "settled", "") == ("settled it", "")
    assert attempt_words("rules", "passed", FEWER_FACTS) == ("went on", FEWER_FACTS)


def test_it_says_the_dialect_that_is_chosen() -> None:
    (text,) = re.findall(
        r'<script type="application/json" id="words">(.*?)</script>',
        page(ServiceSettings(options=Options(dialect="postgres"))),
        re.DOTALL,
    )
    words = json.loads(text)
    assert words["dialects"][""] == words["dialects"]["postgres"] == "Queries are read as PostgreSQL."
    assert words["dialects"]["duckdb"] == "Queries are read as DuckDB."
    assert words["differences"]["null"] == "The queries treat NULL differently"
