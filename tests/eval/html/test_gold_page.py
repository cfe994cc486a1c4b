"""The page of an audit: the ranking in its order, with reasons and findings, and texts as texts."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from equiv.eval.gold.audit import FindingTally, Looked
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.gold.page import gold_page_of
from equiv.eval.gold.ranking import Ranked

HOSTILE = "</script><script>alert('EVIL')</script>\"' onload=EVIL {{ EVIL }}\u202e\x1b[31m"
SOUND = GoldQuery("zoo", 1, "SELECT 1", "One?")
FAULTY = GoldQuery("bank", 2, "SELECT 2", "Two?", hint="two is two")
NAMES = ("data-database", "data-kinds")
"""Attributes that hold names."""
AGAINST = GoldFinding(
    GoldFault.OUTVOTED, Basis.SYSTEMS, "both agree against it", other_sql="SELECT 3", systems=("a", "b")
)


def tally(*findings: tuple[GoldQuery, GoldFinding]) -> FindingTally:
    made = FindingTally(2)
    for gold, finding in findings:
        made.add(Looked(gold, finding.kind, (finding,)))
    return made


class Attributes(HTMLParser):
    """The attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.found += [(name, value or "") for name, value in attrs]


def attributes(text: str) -> list[tuple[str, str]]:
    return Attributes(text).found


def headings(text: str) -> list[str]:
    return re.findall(r'<span class="where">(\w+ \S+)</span>\n<span class="asked">', text)


def test_the_likeliest_stands_first_with_reasons_and_findings() -> None:
    made = tally((FAULTY, AGAINST))
    made.ranking = (Ranked(FAULTY, 0.875, ("systems agree",), {}), Ranked(SOUND, 0.05, (), {}))
    text = gold_page_of(made, ["no data"])
    assert headings(text) == ["bank 2", "zoo 1"]
    assert re.findall(r"</svg>(\d+ %)", text) == ["88 %", "5 %"]
    for told in ("<li>systems agree</li>", "Hint: two is two", "what a, b wrote", "SELECT 3", "no data"):
        assert told in text
    assert text.count("Nothing was found by itself.") == 1


def test_without_a_ranking_only_what_was_found_is_listed() -> None:
    text = gold_page_of(tally((FAULTY, AGAINST)), [])
    assert headings(text) == ["bank 2"]
    assert "</svg>" not in text
    assert "<option>outvoted</option>" in text


def test_texts_become_no_markup_and_the_policy_names_its_own_parts() -> None:
    gold = GoldQuery(HOSTILE, HOSTILE, HOSTILE, HOSTILE, hint=HOSTILE)
    finding = GoldFinding(GoldFault.TIE, Basis.DATA, HOSTILE, ((HOSTILE,),), HOSTILE, witness=HOSTILE)
    made = tally((gold, finding))
    made.ranking = (Ranked(gold, 0.5, (HOSTILE,), {}),)
    text = gold_page_of(made, [HOSTILE])
    assert (text.count("<script>"), text.count("</script>")) == (1, 1)
    assert not set("\u202e\x1b") & set(text)
    assert not any("EVIL" in value for name, value in attributes(text) if name not in NAMES)
    (policy,) = (value for _, value in attributes(text) if "default-src" in value)
    for tag in ("style", "script"):
        (part,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
