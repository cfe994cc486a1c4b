"""The page of an audit: gold queries with what was found in them, the likeliest to be faulty first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.tally import Tally, told
from equiv.eval.html.page import environment, own_file, policy_of, write_text
from equiv.eval.metrics.measured import text_of
from equiv.eval.questions import QuestionId
from equiv.records.record import versions

BASES = {
    Basis.TEXT: "query and schema",
    Basis.SCHEMA: "what the schema allows",
    Basis.DATA: "the data",
    Basis.SYSTEMS: "what systems wrote",
    Basis.JUDGE: "a judge",
}
LIKELY, POSSIBLE = 0.5, 0.25
"""Probabilities from which the bar of a gold query has another colour."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One gold query on the page."""

    gold: GoldQuery
    findings: tuple[Finding, ...]
    probability: float | None = None
    """None where the audit looked for some kinds alone."""
    reasons: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The question's id as text."""
        return text_of(self.gold.question_id)

    @property
    def kinds(self) -> list[str]:
        """What was found, each kind once."""
        return list(dict.fromkeys(str(finding.kind) for finding in self.findings))

    @property
    def because(self) -> str:
        """What speaks against the gold query most, in one line."""
        return "; ".join(self.reasons) or "; ".join(finding.detail for finding in self.findings)

    @property
    def shade(self) -> str:
        """The class of its bar."""
        likely = self.probability or 0
        return "bad" if likely >= LIKELY else "open" if likely >= POSSIBLE else "good"


def write_gold_page(path: Path, tally: Tally, remarks: Sequence[str]) -> int:
    """Write the page of an audit; its size in bytes.

    Raises:
        InputError: the file cannot be written, or Jinja is not installed.
    """
    return write_text(path, gold_page_of(tally, remarks))


def gold_page_of(tally: Tally, remarks: Sequence[str]) -> str:
    """The page as text.

    Raises:
        InputError: Jinja is not installed.
    """
    from markupsafe import Markup

    style, script = own_file("page.css") + own_file("gold.css"), own_file("gold.js")
    entries = _entries(tally)
    found = {kind for entry in entries for kind in entry.kinds}
    return (
        environment()
        .get_template("gold.html")
        .render(
            policy=policy_of(style, script),
            style=Markup(style),  # noqa: S704 - files of this folder, into which nothing is filled
            script=Markup(script),  # noqa: S704
            headline=tally.headline,
            ranked=bool(tally.ranking),
            entries=entries,
            databases=sorted({entry.gold.db_id for entry in entries}),
            kinds=[kind for kind in Kind if kind in found],
            grid=tally.grid(),
            basis_words=BASES,
            told=told,
            remarks=remarks,
            versions=versions(),
        )
    )


def _entries(tally: Tally) -> list[Entry]:
    """Every ranked gold query; without a ranking those in which something was found."""
    findings: dict[QuestionId, list[Finding]] = {}
    golds: dict[QuestionId, GoldQuery] = {}
    for kind in Kind:
        for gold, finding in tally.found.get(kind, ()):
            findings.setdefault(gold.identity, []).append(finding)
            golds.setdefault(gold.identity, gold)
    if not tally.ranking:
        return [Entry(gold, tuple(findings[identity])) for identity, gold in golds.items()]
    return [
        Entry(one.gold, tuple(findings.get(one.gold.identity, ())), one.probability, one.reasons)
        for one in tally.ranking
    ]
