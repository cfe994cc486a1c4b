"""The page keeps to itself: nothing that a record says becomes markup, and nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.eval.html import page
from equiv.eval.html.page import page_of, prepare, write_page
from equiv.eval.metrics.registry import Measurement
from equiv.eval.sections import whole_report
from equiv.records.record import Record
from equiv.show.page import Block, Code, Grid, Text

HOSTILE = (
    "<script>alert('EVIL')</script>",
    "</script><img src=http://EVIL/x onerror=alert(1)>",
    "\" onload=EVIL x='",
    "<!-- EVIL --><style>@import url(//EVIL)</style>",
    "{{ EVIL }}{% for EVIL %}&lt;EVIL&#60;",
    "EVIL\u202e\u2066\x00\x1b[31m\ud800\u2028",
    "EVIL" * 6_000,
)
OWN = """
html head meta title link style body header h1 p i nav a main section h2 h3 div svg path rect small b span
ul li figure figcaption table thead tbody tr th td details summary noscript footer script pre
"""
ATTRIBUTES = """
lang charset http-equiv content name rel href id class type scope aria-label aria-hidden viewbox
preserveaspectratio d x width height data-pair
"""


class Parsed(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.comments: list[str] = []
        self.inside: list[str] = []
        self.texts: list[str] = []
        self.raw: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))
        self.inside.append(f"{tag} {dict(attrs).get('id', '')}".strip())

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop().split()[0] != tag:
            pass

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.inside and self.inside[-1].split()[0] in {"script", "style"}:
            self.raw[self.inside[-1]] = self.raw.get(self.inside[-1], "") + data


def hostile_records(texts: tuple[str, ...] = HOSTILE) -> list[Record]:
    """Records with a text in every field that a file, a model or a database may fill."""
    records = []
    for number, text in enumerate(texts):
        rows = [[text, None], [text, 2]]
        witness = {
            "kind": "witness",
            "sql": f"CREATE TABLE {text};\nINSERT {text};",
            "pred_rows": rows,
            "gold_rows": rows[:1],
            "binding": {"values": {text: text}, "pred_sql": text, "gold_sql": text},
        }
        step = {"side": "pred", "rule": text, "before": text, "after": text, "facts": [], "under": text}
        derivation = {"kind": "derivation", "steps": [step], "normal_form": text}
        own: dict[str, Any] = dict.fromkeys(
            ("source", "db_id", "predicted_sql", "gold_sql", "question"), text
        )
        fact = {"kind": "check", "table": text, "columns": [text], "grade": "declared", "expression": text}
        own |= {"hint": text, "difficulty": text, "facts": [fact], "facts_dropped": [fact], "detail": text}
        own |= {"remarks": [{"kind": text, "side": text, "text": text}], "failure_code": text}
        own |= {"equivalent_if": [{"fact": text, "satisfied": True, "observed": True}]}
        records += [
            result_record("not_equivalent", question_id=text, **own, evidence=witness, difference=text),
            result_record("equivalent", question_id=[number], **own, evidence=derivation),
            result_record("undecided", question_id=0, **own, reason=text, judge=text),
        ]
        for kind, record in zip("nej", records[-3:], strict=True):
            record["key"] = f"{kind}{number}{text}"
            record |= {"faults": [{"kind": text, "text": text}], "ex": {text: True}}
            record["golds"] = [{"sql": text, "verdict": text, "same_as": None}]
        reply = {"reason": text, "verdict": True, "overturn": False}
        records[-1] |= {"prover_result": reply, "refuter_result": reply}
    return records


def made(records: list[Record]) -> str:
    name = records[0]["source"]
    judged: list[Block] = [Text(name), Grid(name, (name,), ((name,),)), Code(name)]
    return page_of(whole_report(records, Measurement(()), lambda rule: f"about {rule}", judged))


@pytest.fixture(scope="module")
def text() -> str:
    return made(hostile_records())


@pytest.fixture(scope="module")
def parsed(text: str) -> Parsed:
    return Parsed(text)


def test_no_tag_and_no_attribute_comes_from_data(parsed: Parsed) -> None:
    assert {tag for tag, _ in parsed.tags} <= set(OWN.split())
    attributes = [(name, value or "") for _, attrs in parsed.tags for name, value in attrs]
    assert {name for name, _ in attributes} <= set(ATTRIBUTES.split())
    assert not [value for _, value in attributes if "EVIL" in value]
    assert parsed.comments == []
    assert [tag for tag, _ in parsed.tags].count("script") == 2
    assert any("<script>alert('EVIL')</script>" in shown for shown in parsed.texts)


def test_no_address_leads_out_of_the_file(parsed: Parsed) -> None:
    links = [value for _, attrs in parsed.tags for name, value in attrs if name in {"href", "src", "srcset"}]
    assert all(value is not None and (value.startswith("#") or value == "data:,") for value in links)
    own = parsed.raw["style"] + parsed.raw["script"]
    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttpRequest|WebSocket|import\(|sendBeacon", own)


def test_the_script_makes_no_markup_of_data(parsed: Parsed) -> None:
    doubtful = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser"
    assert not re.search(doubtful, parsed.raw["script"])
    assert re.findall(r"setAttribute\(.*?\)", parsed.raw["script"]) == [
        'setAttribute("aria-label", "Search pairs")',
        'setAttribute("aria-sort", next)',
    ]


def test_the_policy_names_the_hashes_of_the_style_and_script_that_stand_there(parsed: Parsed) -> None:
    (policy,) = [dict(a)["content"] or "" for tag, a in parsed.tags if dict(a).get("http-equiv")]
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(parsed.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert not [
        1 for _, attrs in parsed.tags for name, _ in attrs if name == "style" or name.startswith("on")
    ]


def test_no_hidden_character_is_in_the_file(text: str) -> None:
    hidden = {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert hidden <= {"\n"}


def test_long_texts_are_cut_in_tables_and_say_so(parsed: Parsed) -> None:
    shown = [text for text in parsed.texts if text not in parsed.raw.values() and "EVIL" in text]
    assert max(map(len, shown)) < 1_100
    assert any(text.endswith("… (23,000 more characters)") for text in shown)


def test_the_pairs_are_json_that_no_tag_can_end(parsed: Parsed) -> None:
    data = parsed.raw["script data"]
    assert not set(data) & set("<>&")
    texts = json.loads(data)["pool"]
    assert "<script>alert('EVIL')</script>" in texts
    assert not [one for one in texts if "\u202e" in one or "\x00" in one]


@given(st.text(min_size=1, max_size=30))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_field_says_the_page_has_the_same_tags(given_text: str) -> None:
    # No name of a metric, which would stand in the headline.
    plain, odd = (Parsed(made(hostile_records((one,)))) for one in ("EVIL", f"{given_text}EVIL"))
    assert [tag for tag, _ in plain.tags] == [tag for tag, _ in odd.tags]


def test_no_record_makes_a_page_that_says_so() -> None:
    assert "No record." in page_of(whole_report([], Measurement(()), str))


def test_a_page_is_written_or_the_file_is_named(tmp_path: Path) -> None:
    report = whole_report([result_record()], Measurement(()), str)
    path = tmp_path / "report.html"
    prepare(path)
    assert write_page(path, report) == path.stat().st_size
    with pytest.raises(InputError, match=r"none/report\.html"):
        write_page(tmp_path / "none" / "report.html", report)
    with pytest.raises(InputError, match="there is no folder"):
        prepare(tmp_path / "none" / "report.html")


def test_without_jinja_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    page.environment.cache_clear()
    with pytest.raises(InputError, match=r"needs Jinja: pip install -e '\.\[eval\]'"):
        prepare(tmp_path / "report.html")
