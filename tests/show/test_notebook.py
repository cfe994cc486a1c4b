"""A verdict in a notebook: what it shows, and that nothing it shows becomes markup."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.result_records import BAG, VERDICTS

from equiv.show.notebook import html
from equiv.show.page import Beside, Block, Code, Diff, Grid, Heading, Headline, Text
from equiv.verdict import (
    Derivation,
    Difference,
    Equivalent,
    FailureCode,
    Invalid,
    NotEquivalent,
    Step,
    Tier,
    Verdict,
    Witness,
)

REFUTED = NotEquivalent(
    relation=BAG,
    tier=Tier.GENERATE,
    difference=Difference.CASE,
    evidence=Witness(
        "CREATE TABLE t (a);\nINSERT INTO t VALUES ('Ab');\n",
        (("Ab", 1),),
        (("AB", 1),),
        {"t": (("a",), (("Ab",),))},
        pred_columns=("a", "count(*)"),
        gold_columns=("upper(a)", "n"),
    ),
)
ALLOWED = {"div", "style", "p", "strong", "h4", "pre", "details", "summary", "mark", "del", "ins"} | {
    *("table", "caption", "thead", "tbody", "tr", "th", "td")
}


class Reader(HTMLParser):
    """The tags, attributes and text of some HTML; a tag that is not closed in its turn is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


@pytest.mark.parametrize("verdict", VERDICTS.values(), ids=VERDICTS)
def test_every_verdict_is_shown_by_plain_tags(verdict: Verdict) -> None:
    found = Reader(verdict._repr_html_())
    assert {tag for tag, _ in found.seen} <= ALLOWED
    assert {name for _, attributes in found.seen for name, _ in attributes} <= {"class"}
    assert verdict.name in found.text


def test_results_stand_side_by_side_headed_by_names_and_what_differs_is_marked() -> None:
    shown = REFUTED._repr_html_()
    assert re.findall(r"<mark>(.*?)</mark>", shown) == ["&#x27;Ab&#x27;", "&#x27;AB&#x27;"]
    both = shown.partition('<div class="beside">')[2].partition("</div></div>")[0]
    assert re.findall(r"<th>(.*?)</th>", both) == ["a", "count(*)", "upper(a)", "n"]
    assert re.findall(r"<caption>(.*?)</caption>", both) == [
        "the prediction returns 1 row",
        "the gold query returns 1 row",
    ]


def test_a_derivation_is_a_diff_folded_below_the_verdict() -> None:
    step = Step("drop_distinct", "SELECT DISTINCT t.a FROM t", "SELECT t.a FROM t")
    verdict = Equivalent(relation=BAG, tier=Tier.RULES, evidence=Derivation((step,), (), step.after))
    shown = verdict._repr_html_()
    assert "<details><summary>The derivation, 1 step</summary>" in shown
    assert "<del>- SELECT DISTINCT t.a</del>\n<ins>+ SELECT t.a</ins>\n  FROM t" in shown


def test_what_is_wrong_with_an_invalid_query_is_told() -> None:
    invalid = Invalid(relation=BAG, failure_code=FailureCode.PRED_SYNTAX, message="no such column: <b>")
    assert "no such column: <b>" in Reader(invalid._repr_html_()).text


def test_the_style_reaches_nothing_else_and_loads_nothing() -> None:
    style = REFUTED._repr_html_().partition("<style>")[2].partition("</style>")[0]
    selectors = [one.strip() for rule in style.split("}") for one in rule.partition("{")[0].split(",")]
    assert all(one.startswith(".equiv-verdict") for one in selectors if one)
    assert not re.search(r"url\(|@|javascript|expression", style)
    assert not re.search(r"(?<!-)color: (?!inherit)", style)


HOSTILE = st.one_of(
    st.text(min_size=1),
    st.sampled_from(
        [
            "</style><script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "\x1b[31m",
            "\u202e",
            "&amp;",
            "\"'",
        ]
    ),
)


@given(HOSTILE)
@settings(max_examples=40)
def test_no_text_becomes_markup_or_hides(text: str) -> None:
    grid = Grid(text, (text,), ((text,), (text,)), frozenset({(0, 0)}))
    blocks: list[Block] = [
        Headline(text, text),
        Heading(text),
        Text(text),
        Code(text),
        grid,
        Beside(grid, grid),
        Diff(text, (("-", text), ("+", text), (" ", text))),
    ]
    found = Reader(html(blocks))
    plain = Reader(html([_with(block, "x") for block in blocks]))
    assert found.seen == plain.seen
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", found.text)


def _with(block: Block, text: str) -> Block:
    grid = Grid(text, (text,), ((text,), (text,)), frozenset({(0, 0)}))
    match block:
        case Headline():
            return Headline(text, text)
        case Grid():
            return grid
        case Beside():
            return Beside(grid, grid)
        case Diff():
            return Diff(text, (("-", text), ("+", text), (" ", text)))
    return replace(block, text=text)


def test_a_hostile_verdict_is_shown_as_text() -> None:
    evil = "</style></pre><script>alert(1)</script>\x1b[2J"
    assert isinstance(REFUTED.evidence, Witness)
    witness = replace(
        REFUTED.evidence, sql=evil, tables={evil: ((evil,), ((evil,),))}, pred_columns=(evil, "b")
    )
    found = Reader(replace(REFUTED, evidence=witness)._repr_html_())
    assert {tag for tag, _ in found.seen} <= ALLOWED
    assert "<script>alert(1)</script>\\x1b[2J" in found.text
