"""A whole report, section after section."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from equiv.eval.metrics.measure import Measurement
from equiv.eval.metrics.measured import Measured, by_score, compared, pairs_in
from equiv.eval.report import DEFAULTS, Wanted, measures_of, report_of
from equiv.eval.sections import evidence, funnels, headline, matrix, systems
from equiv.eval.sections.evidence import Describe
from equiv.eval.sections.section import Section
from equiv.records.record import Record
from equiv.show.page import Block, Text

Whole = Callable[[Record], Record]

NAMED = 3
"""How many systems a title names."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its sections, records and measures."""

    sections: tuple[Section, ...]
    records: tuple[Record, ...]
    """One a pair: at least what tables count."""
    measures: tuple[Measured, ...]
    whole: Whole = lambda record: record
    """Gives all that is known of one of these pairs."""

    @property
    def title(self) -> str:
        """The systems, if they are few, or how many."""
        systems = list(dict.fromkeys(str(record["source"]) for record in self.records))
        named = f"{len(systems)} systems" if len(systems) > NAMED else ", ".join(systems)
        return f"Report on {named or 'no record'}"


def whole_report(
    records: Sequence[Record],
    measurement: Measurement,
    describe: Describe,
    judged: Sequence[Block] = (),
    wanted: Wanted = DEFAULTS,
    *,
    whole: Whole = lambda record: record,
) -> Report:
    """Headline, funnels, metrics, systems, evidence, and what a judge did.

    Args:
        records: result records, or what tables count of them.
        measurement: metrics beside those that the records hold.
        describe: what a rule does, by its name.
        judged: what is to be told of a judge.
        wanted: choices of the user.
        whole: gives all that is known of one of the records.

    Raises:
        InputError: there is no such metric, or a file of recorded scores cannot be read.
    """
    if not records:
        return Report((Section("headline", "Headline", "", (Text("No record."),)),), (), ())
    pairs = pairs_in(records)
    own = compared(pairs)
    measures = (by_score(own), *measures_of(compared(records), measurement, wanted.scores))
    told = [measured for measured in measures[1:] if measured.scores]
    if all(measures[0].scores != measured.scores for measured in told):
        told.insert(0, measures[0])
    measures = (by_score(pairs), *measures[1:])
    sections = [
        headline.section_of(pairs, headline.headliners(measures)),
        funnels.section_of(pairs),
        matrix.section_of(own, told),
        systems.section_of(own),
        evidence.section_of(own, describe),
        Section("judge", "The judge, and what it costs", "", tuple(judged)) if judged else None,
        Section("tables", "All tables by metric", "", tuple(report_of(records, measurement, wanted))),
    ]
    return Report(tuple(s for s in sections if s is not None), tuple(pairs), measures, whole)
