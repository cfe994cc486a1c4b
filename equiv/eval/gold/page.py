"""The page of an audit: gold queries with what was found in them, the likeliest to be faulty first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from equiv.eval.gold.audit import FindingTally, told
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.html.page import rendered, write_text
from equiv.eval.metrics.scores import text_of
from equiv.eval.questions import QuestionId

LIKELY, POSSIBLE = 0.5, 0.25
"""Probabilities from which the bar of a gold query has another colour."""


@dataclass(frozen=True, slots=True)
class AuditedGold:
    """One gold query on the page."""

    gold: GoldQuery
    findings: tuple[GoldFinding, ...]
    probability: float | None = None
    """None where the audit looked for some kinds alone."""
    reasons: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The question's id as text."""
        return text_of(self.gold.question_id)

    @property
    def kinds(self) -> list[str]:
        """The kinds of findings, each once."""
        return list(dict.fromkeys(str(finding.kind) for finding in self.findings))

    @property
    def because(self) -> str:
        """What raises the probability of a fault most, or else all findings, in one line."""
        return "; ".join(self.reasons) or "; ".join(finding.detail for finding in self.findings)

    @property
    def shade(self) -> str:
        """The class of its bar."""
        likely = self.probability or 0
        return "bad" if likely >= LIKELY else "open" if likely >= POSSIBLE else "good"


def write_gold_page(path: Path, tally: FindingTally, remarks: Sequence[str]) -> int:
    """Write the page of an audit; its size in bytes.

    Raises:
        InputError: the file cannot be written, or Jinja is not installed.
    """
    return write_text(path, gold_page_of(tally, remarks))


def gold_page_of(tally: FindingTally, remarks: Sequence[str]) -> str:
    """The page as text.

    Raises:
        InputError: Jinja is not installed.
    """
    entries = _entries(tally)
    found = {kind for entry in entries for kind in entry.kinds}
    return rendered(
        "gold.html",
        ["page.css", "gold.css"],
        "gold.js",
        headline=tally.headline,
        ranked=bool(tally.ranking),
        entries=entries,
        databases=sorted({entry.gold.db_id for entry in entries}),
        kinds=[kind for kind in GoldFault if kind in found],
        grid=tally.grid(),
        basis_words={each.value: each.says for each in Basis},
        told=told,
        remarks=remarks,
    )


def _entries(tally: FindingTally) -> list[AuditedGold]:
    """Every ranked gold query; without a ranking those in which something was found."""
    findings: dict[QuestionId, list[GoldFinding]] = {}
    golds: dict[QuestionId, GoldQuery] = {}
    for kind in GoldFault:
        for gold, finding in tally.found.get(kind, ()):
            findings.setdefault(gold.identity, []).append(finding)
            golds.setdefault(gold.identity, gold)
    if not tally.ranking:
        return [AuditedGold(gold, tuple(findings[identity])) for identity, gold in golds.items()]
    return [
        AuditedGold(one.gold, tuple(findings.get(one.gold.identity, ())), one.probability, one.reasons)
        for one in tally.ranking
    ]
