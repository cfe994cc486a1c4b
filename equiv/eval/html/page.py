"""The pages of a report and of an audit: templates filled by Jinja, which escapes all text that it is given.

A page may load nothing and run nothing but its own style and script, whose hashes its content security
policy names (https://www.w3.org/TR/CSP3/): what is not this very script does not run even if it got in.

A chart is handed to the template as geometry, positions in percent of its width, which are drawn as SVG.
The page of an audit has gold queries with what was found in them, the likeliest to be faulty first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval.gold.audit import FindingTally, told
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.html.payload import payload_of
from equiv.eval.metrics.scores import Portion, text_of
from equiv.eval.questions import QuestionId
from equiv.eval.report_parts import Heat
from equiv.eval.sections import SectionedReport
from equiv.files import FileErrors, own_file, source_hash
from equiv.records.record import versions
from equiv.show.page import Grid, escape
from equiv.show.terminal import is_numeric

if TYPE_CHECKING:
    from jinja2 import Environment


COLOURS = {
    "equivalent": "good",
    "not_equivalent": "bad",
    "undecided": "open",
    "invalid": "void",
    "1": "good",
    "0": "bad",
}
"""The class of a kind of pairs in the style sheet."""

SHADES = 10
"""How many shades a cell of a heat map may have beside the lightest."""


def _words_of(portions: tuple[Portion, ...]) -> str:
    """The shares of a group in a line."""
    if not any(portion.known for portion in portions):
        return "not measured"
    shares = (f"{100 * p.share:.1f}" if p.known else "-" for p in portions)
    return " \N{MIDDLE DOT} ".join(shares)


def shade_rows(chart: Heat) -> list[list[tuple[str, int | None]]]:
    """The cells of a heat map with their shades, 0 to :data:`SHADES`, spread over what occurs."""
    known = [share for row in chart.shades for share in row if share is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    reach = (high - low) or 1.0
    return [
        [
            (cell, None if share is None else round(SHADES * (share - low) / reach))
            for cell, share in zip(cells, shares, strict=True)
        ]
        for cells, shares in zip(chart.grid.rows, chart.shades, strict=True)
    ]


def _percent(share: float) -> float:
    return round(100 * share, 2)


FOLDED = frozenset({"tables"})
"""The sections of which all tables but the first are folded."""

TABLE_TEXT = 1_000
"""How many characters of a text stand in tables and headings."""

LONG = 40
"""Characters from which a column of a table is one of long texts."""


def prepare(path: Path) -> None:
    """Import and load whatever a page needs, so that it fails before the long work, not after it.

    Raises:
        InputError: there is no such folder, or Jinja is not installed.
    """
    environment()
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def write_page(path: Path, report: SectionedReport) -> int:
    """Write the page of a report; its size in bytes.

    Raises:
        InputError: the file cannot be written, or Jinja is not installed.
    """
    return write_text(path, page_of(report))


def write_text(path: Path, text: str) -> int:
    """Write the text of a page; its size in bytes.

    Raises:
        InputError: the file cannot be written.
    """
    written = text.encode()
    with FileErrors(path):
        path.write_bytes(written)
    return len(written)


def page_of(report: SectionedReport) -> str:
    """The page as text.

    Raises:
        InputError: Jinja is not installed.
    """
    payload = payload_of(report.records, report.measures, report.whole)
    return _rendered(
        "page.html",
        own_file(__file__, "page.css"),
        own_file(__file__, "page.js"),
        title=report.title,
        data=payload.text,
        sections=report.sections,
        pairs=len(report.records),
        remarks=payload.remarks,
        places=payload.places,
    )


def _rendered(template: str, style: str, script: str, data: str = "", **filled: object) -> str:
    """A page with style and script, files of this folder into which nothing is filled, and escaped data."""
    found = environment().get_template(template)
    from markupsafe import Markup

    whole = {"style": style, "script": script, "data": data}
    marked = {name: Markup(text) for name, text in whole.items()}  # noqa: S704
    return found.render(policy=policy_of(style, script), versions=versions(), **marked, **filled)


def policy_of(style: str, script: str) -> str:
    """The content security policy under which this style and this script alone count."""
    return (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none';"
        f" style-src '{source_hash(style)}'; script-src '{source_hash(script)}'"
    )


@cache
def environment() -> Environment:
    """The templates of this folder.

    Raises:
        InputError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ModuleNotFoundError:
        raise InputError("an HTML report needs Jinja: pip install -e '.[eval]'") from None
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(partial(own_file, __file__)),
        finalize=_shown,
    )
    made.globals |= {
        "kind_of": lambda part: type(part).__name__,
        "percent": _percent,
        "words_of": _words_of,
        "shade_rows": shade_rows,
        "colours": COLOURS,
        "zip": zip,
        "styles": _styles,
        "folded": lambda section, number: section.name in FOLDED and number > 0,
    }
    return made


def _shown(value: object) -> object:
    """Text with its hidden characters written out and not too long, before it is escaped."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        if len(value) > TABLE_TEXT:
            value = f"{value[:TABLE_TEXT]}… ({len(value) - TABLE_TEXT:,} more characters)"
        return value if value.isprintable() else escape(value, keep="\n\t")
    return value


def _styles(grid: Grid) -> list[str]:
    """The class of each column: of numbers, of long texts, or none."""
    columns = [[row[place] for row in grid.rows] for place in range(len(grid.columns))]
    return [
        "number" if is_numeric(cells) else "long" if max(map(len, cells)) > LONG else "" for cells in columns
    ]


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
    return _rendered(
        "gold.html",
        own_file(__file__, "page.css") + own_file(__file__, "gold.css"),
        own_file(__file__, "gold.js"),
        headline=tally.headline,
        ranked=bool(tally.ranking),
        entries=entries,
        databases=sorted({entry.gold.db_id for entry in entries}),
        kinds=[kind for kind in GoldFault if kind in found],
        grid=tally.grid(),
        basis_words=BASES,
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
