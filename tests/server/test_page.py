"""The page loads nothing, runs nothing but its own script, and shows texts as texts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from kit.served import TestClient

from equiv.server.page import page, policy
from equiv.server.settings import Settings
from equiv.verdict import Difference, Reason

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
    text = page(Settings())
    loaded = re.findall(r"""(?:src|href)=["']([^"']*)|url\(([^)]*)|@import""", text)
    assert {one for pair in loaded for one in pair if one} == {"data:,", "openapi.json"}
    assert "://" not in text


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
        r'<script type="application/json" id="words">(.*?)</script>', page(Settings()), re.DOTALL
    )
    words = json.loads(text)
    assert set(words["reasons"]) == {reason.value for reason in Reason}
    assert set(words["differences"]) == {difference.value for difference in Difference}


def test_it_asks_for_databases_and_tokens_only_where_there_are_some(tmp_path: Path) -> None:
    assert "<body>" in page(Settings())
    assert "<body data-databases data-token>" in page(Settings(db_roots=(tmp_path,), token="t"))  # noqa: S106
