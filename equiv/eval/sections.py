"""A whole report, section after section.

Here are the sections with the main figures of a run and their confidence intervals; with two funnels (pairs
settled by tier, pairs scored by whom) and the time of tiers; and with metrics against one another, how
often they agree and on which pairs they do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from equiv.eval import report_parts
from equiv.eval.metrics import scores as s
from equiv.eval.metrics.metric import Needs
from equiv.eval.metrics.registry import METRICS, Measurement, metrics_of
from equiv.eval.report import DEFAULTS, ReportChoices, measures_of, report_of
from equiv.eval.report_parts import (
    Cards,
    Cases,
    Describe,
    Heat,
    Ranges,
    ReportSection,
    SectionPart,
    Waterfall,
)
from equiv.options import TIERS
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text
from equiv.verdict import PURPOSES, Tier

SERIES = 4
"""How many metrics a chart compares."""

RECORDED = 3
"""How many recorded metrics are shown first."""

GROUPS_SHOWN = 40
"""How many groups a chart shows."""

LEVELS = {
    name: place
    for place, names in enumerate(
        (("easy", "simple"), ("medium", "moderate"), ("hard", "challenging"), ("extra",))
    )
    for name in names
}
"""The difficulties of Spider and BIRD in order; other groups come as they appear."""


def headline_section(records: Sequence[Record], measures: Sequence[s.Measured]) -> ReportSection:
    """The headline section.

    Args:
        records: one a pair, abstentions and infeasible questions included.
        measures: the score first.
    """
    systems = s.grouped(records, "system")
    if len(systems) > 1:
        # They answer the same questions: no interval is told over their items together.
        scored = {name: s.portion(own, measures[0]) for name, own in systems.items()}
        portions = [replace(own, name=f"{measures[0].name}, {name}") for name, own in scored.items()]
    else:
        portions = [s.portion(records, measured) for measured in measures]
        portions.append(s.portion_of("undecided", (record["verdict"] == "undecided" for record in records)))
    title = s.counted(len(records), "item")
    if len(systems) > 1:
        title = f"{s.items_of_systems([*map(len, systems.values())])}: {len(records):,} pairs"
    grid = Grid(title, ("figure", *s.PORTION_COLUMNS), s.portion_rows(portions))
    notes = (*_notes(records, s.portion(records, measures[0])), *_common(records, measures))
    parts: list[SectionPart] = [Cards(grid, tuple(portions), notes)]
    if bare := len(records) - len(s.compared(records)):
        parts.append(
            Text(
                f"Abstentions or infeasible questions among them: {bare:,}; they get the score"
                " that the policy gives abstaining, and other metrics do not measure them."
            )
        )
    parts += [
        chart for by in ("system", "difficulty", "database") for chart in _ranges(records, measures, by)
    ]
    about = "Shares are of the items that were measured; intervals are Wilson's, 95 %."
    return ReportSection("headline", "Headline", about, tuple(parts))


def _notes(records: Sequence[Record], score: s.Portion) -> Iterator[str]:
    """What is to be read with the figures, a fact each."""
    yield f"Relation: {s.relations_text(Counter(record['relation'] for record in records))}."
    judged = sum(bool(record["judge"]) for record in records)
    yield f"Judged: {s.counted(judged, 'item')}." if judged else f"{s.PROOF[:1].upper()}{s.PROOF[1:]}."
    if 0 < score.unknown < score.total:
        yield f"Without score: {s.counted(score.unknown, 'item')}; {s.bounds_text(score)}."
    open_items = [record for record in records if record["verdict"] == "undecided"]
    databases = Counter(record["db_id"] or "-" for record in open_items)
    if databases:
        yield f"Undecided by database: {s.databases_text(databases)}."


def _common(records: Sequence[Record], measures: Sequence[s.Measured]) -> Iterator[str]:
    """The metrics on the items that all of them measured, where these are not the same for each anyway."""
    told = [measured for measured in measures if measured.scores]
    pairs = set(map(s.pair_of, records))
    known = [pairs & measured.scores.keys() for measured in told]
    common = set.intersection(*known) if known else set()
    if common and any(own != common for own in known):
        shares = (
            f"{measured.name} {100 * sum(measured.scores[pair] for pair in common) / len(common):.1f}"
            for measured in told
        )
        yield f"On the {s.counted(len(common), 'item')} that all of these have, percent: {', '.join(shares)}."


def headliners(measures: Sequence[s.Measured]) -> list[s.Measured]:
    """The metrics whose shares are shown first: the score, execution accuracy, and structural match.

    A score that says of each pair what ``equiv`` says makes that one superfluous.
    """
    scores = {measured.name: measured for measured in measures}
    wanted = ("score", *(each.name for needs in reversed(Needs) for each in metrics_of(needs) if each.leads))
    recorded = [name for name in scores if name.startswith("recorded ")]
    chosen = [scores[name] for name in (*wanted, *recorded[:RECORDED]) if name in scores]
    if "equiv" in scores and scores["equiv"].scores != scores["score"].scores:
        chosen.insert(1, scores["equiv"])
    return chosen


def _ranges(records: Sequence[Record], measures: Sequence[s.Measured], by: str) -> list[Ranges]:
    """The shares of each group, if there are several: of each metric, or the score of each system."""
    groups = dict(sorted(s.grouped(records, by).items(), key=lambda group: LEVELS.get(group[0], 0)))
    systems = () if by == "system" else tuple(s.grouped(records, "system"))
    if len(groups) < 2:
        return []
    series = [(system, measures[0], system) for system in systems if len(systems) > 1]
    series = series or [(measured.name, measured, "") for measured in measures[:SERIES]]
    return [_range(groups, by, series[at : at + SERIES]) for at in range(0, len(series), SERIES)]


def _range(
    groups: Mapping[str, Sequence[Record]], by: str, series: Sequence[tuple[str, s.Measured, str]]
) -> Ranges:
    """The shares of each group in a row, by name, metric and system of each mark ('': all that there are)."""
    found = []
    for name, records in groups.items():
        own = [([r for r in records if system in ("", r["source"])], m) for _, m, system in series]
        found.append((name, tuple(s.portion(*each) for each in own)))
    found.sort(key=lambda group: not any(portion.known for portion in group[1]))
    rows = tuple((name, str(max(p.total for p in own)), *map(_share, own)) for name, own in found)
    names = tuple(name for name, *_ in series)
    what = "score" if series[0][-1] else "scored 1"
    title = f"{what}, by {by}: percent of measured items, 95 %; in brackets those not measured"
    return Ranges(Grid(title, (by, "items", *names), rows), names, tuple(found[:GROUPS_SHOWN]))


def _share(found: s.Portion) -> str:
    partly = 0 < found.unknown < found.total
    return found.text + (f" ({found.unknown})" if partly else "")


ORDER = (Tier.PARSE, *TIERS, Tier.PACKS)
SETTLED = ("equivalent", "not_equivalent", "invalid")
SCORERS = (
    *("parse", "rules", "proof", "packs", "bounded", "verdict"),
    *("cache", "class", "execution", "prover", "refuter", "abstention"),
)
"""Who may give a score, the cheap ones first."""


def funnels_section(records: Sequence[Record]) -> ReportSection:
    """The section on funnels and time."""
    about = "Tiers are tried from top to bottom; each decides some pairs, and the rest stay undecided."
    return ReportSection("funnels", "Funnels", about, (by_tier(records), by_scorer(records), _times(records)))


def by_tier(records: Sequence[Record]) -> Waterfall:
    """How many pairs each tier settles, and as what."""
    told = ((r["tier"] or "", r["verdict"]) for r in records if r["verdict"] in SETTLED)
    order, columns = [str(tier) for tier in ORDER], ("tier", "reached", *SETTLED, "left")
    return _waterfall(
        "pairs by the tier that settles them", columns, SETTLED, told, order, total=len(records)
    )


def by_scorer(records: Sequence[Record]) -> Waterfall:
    """How many pairs get a score from whom, and which."""
    told = ((r["score_by"] or "", str(r["score"])) for r in records if r["score"] is not None)
    columns = ("score_by", "reached", "scored 1", "scored 0", "left")
    return _waterfall("pairs by who gives the score", columns, ("1", "0"), told, SCORERS, total=len(records))


def _in_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Names once each, those that are not in the order last."""
    found = set(names)
    return [*(name for name in order if name in found), *sorted(found - set(order))]


def _waterfall(
    title: str,
    columns: tuple[str, ...],
    kinds: tuple[str, ...],
    told: Iterable[tuple[str, str]],
    order: Sequence[str],
    *,
    total: int,
) -> Waterfall:
    """How many pairs each stage takes, and of which kind, by what is told of each that is taken."""
    counts = Counter(told)
    rows, stages, left = [], [], total
    for name in _in_order((name for name, _ in counts), order):
        taken = tuple(counts[name, kind] for kind in kinds)
        reached, left = left, left - sum(taken)
        rows.append((name or "-", str(reached), *map(str, taken), str(left)))
        stages.append((name or "-", taken))
    return Waterfall(Grid(title, columns, tuple(rows)), total, kinds, tuple(stages))


def _times(records: Sequence[Record]) -> Grid:
    spent: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for record in records:
        for purpose, milliseconds in record["ms"].items():
            spent[purpose] += milliseconds
            asked[purpose] += 1
    total = sum(spent.values()) or 1.0
    rows = tuple(
        (name, str(asked[name]), f"{spent[name] / 1000:.1f}", s.percent_of(spent[name], total))
        for name in _in_order(spent, [str(purpose) for purpose in PURPOSES])
    )
    return Grid("time by purpose, tests of proofs included", ("purpose", "pairs", "seconds", "share"), rows)


DISAGREEMENTS = 60
"""How many kinds of disagreement are listed."""

KINDS_SHOWN = 8
"""Of how many kinds of disagreement cases are shown."""

CASES = 5
"""How many cases of a kind are shown."""

CRUDE = frozenset(each.name for each in METRICS if each.needs is not Needs.DATABASE and not each.leads)
"""Metrics that neither run the queries nor lead a report: what they disagree on comes last."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The pairs that one metric scores 1 and another 0."""

    yes: str
    no: str
    pairs: tuple[s.PairId, ...]
    known: int
    """How many pairs both metrics score."""


def matrix_section(records: Sequence[Record], measures: Sequence[s.Measured]) -> ReportSection:
    """The section on agreement between metrics; with one metric it says so."""
    if len(measures) < 2:
        parts: tuple[SectionPart, ...] = (Text("There is one metric alone."),)
    else:
        found = disagreements(records, measures)
        parts = (_agreement(measures), _listed(found), *_cases(records, found))
    about = (
        "Percent of the pairs that both metrics score on which they agree. A disagreement is no fault of"
        " either by itself: the witness shows what the one sees and the other does not."
    )
    return ReportSection("metrics", "Metrics against one another", about, parts)


def disagreements(records: Sequence[Record], measures: Sequence[s.Measured]) -> list[Disagreement]:
    """The disagreements of any two metrics, the most frequent first."""
    order = [s.pair_of(record) for record in records]
    scores = [[measured.scores.get(pair) for pair in order] for measured in measures]
    found = []
    for one, own in zip(measures, scores, strict=True):
        for other, others in zip(measures, scores, strict=True):
            known = [(a, b) for a, b in zip(own, others, strict=True) if a is not None and b is not None]
            if (True, False) in known:
                parted = [pair for pair, a, b in zip(order, own, others, strict=True) if a and b is False]
                found.append(Disagreement(one.name, other.name, tuple(parted), len(known)))
    return sorted(found, key=lambda each: -len(each.pairs))


def _agreement(measures: Sequence[s.Measured]) -> Heat:
    shades = tuple(tuple(_agreeing(one, other) for other in measures) for one in measures)
    rows = tuple(
        (measured.name, *("-" if share is None else f"{100 * share:.1f}" for share in own))
        for measured, own in zip(measures, shades, strict=True)
    )
    columns = ("metric", *(measured.name for measured in measures))
    return Heat(Grid("agreement of metrics, percent", columns, rows), tuple((None, *own) for own in shades))


def _agreeing(one: s.Measured, other: s.Measured) -> float | None:
    known = one.scores.keys() & other.scores.keys()
    return sum(one.scores[pair] == other.scores[pair] for pair in known) / len(known) if known else None


def _listed(found: Sequence[Disagreement]) -> SectionPart:
    if not found:
        return Text("No two metrics disagree on a pair.")
    rows = tuple(
        (
            *(each.yes, each.no, str(len(each.pairs))),
            *(f"{100 * len(each.pairs) / each.known:.1f}", str(each.known)),
        )
        for each in found[:DISAGREEMENTS]
    )
    omitted = len(found) - len(rows)
    title = "disagreements" + (f" (the first {len(rows)} kinds of {len(found)})" if omitted else "")
    return Grid(title, ("right by", "wrong by", "pairs", "percent", "scored by both"), rows)


def _cases(records: Sequence[Record], found: Sequence[Disagreement]) -> list[SectionPart]:
    """Cases of the kinds of disagreement that a verdict or the score is part of."""
    telling = [each for each in found if {"equiv", "score"} & {each.yes, each.no}]
    telling.sort(key=lambda each: bool(CRUDE & {each.yes, each.no}))
    telling = telling[:KINDS_SHOWN]
    by_pair = {s.pair_of(record): record for record in records}
    groups = []
    rows = []
    for each in telling:
        examples = [by_pair[pair] for pair in _spread(each.pairs)]
        title = f"right by {each.yes}, wrong by {each.no}: {len(examples)} of {len(each.pairs)} pairs"
        groups.append((title, tuple(str(record["key"]) for record in examples)))
        rows += [
            (each.yes, each.no, r["source"], r["db_id"], str(r["question_id"]), r["key"][:12])
            for r in examples
        ]
    if not groups:
        return []
    columns = ("right by", "wrong by", "system", "database", "question id", "key")
    return [Cases(Grid("cases of disagreement", columns, tuple(rows)), tuple(groups))]


def _spread(pairs: Sequence[s.PairId]) -> list[s.PairId]:
    """A few pairs from all over the list, so that they are not all of one database."""
    step = max(len(pairs) // CASES, 1)
    return list(pairs[::step][:CASES])


Whole = Callable[[Record], Record]

NAMED = 3
"""How many systems a title names."""


@dataclass(frozen=True, slots=True)
class SectionedReport:
    """A report: its sections, records and measures."""

    sections: tuple[ReportSection, ...]
    records: tuple[Record, ...]
    """One a pair: at least what tables count."""
    measures: tuple[s.Measured, ...]
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
    wanted: ReportChoices = DEFAULTS,
    *,
    whole: Whole = lambda record: record,
) -> SectionedReport:
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
        return SectionedReport((ReportSection("headline", "Headline", "", (Text("No record."),)),), (), ())
    pairs = s.pairs_in(records)
    own = s.compared(pairs)
    measures = (s.by_score(own), *measures_of(s.compared(records), measurement, wanted.scores))
    told = [measured for measured in measures[1:] if measured.scores]
    if all(measures[0].scores != measured.scores for measured in told):
        told.insert(0, measures[0])
    measures = (s.by_score(pairs), *measures[1:])
    sections = [
        headline_section(pairs, headliners(measures)),
        funnels_section(pairs),
        matrix_section(own, told),
        report_parts.systems_section(own),
        report_parts.evidence_section(own, describe),
        ReportSection("judge", "The judge and its costs", "", tuple(judged)) if judged else None,
        ReportSection("tables", "All tables by metric", "", tuple(report_of(records, measurement, wanted))),
    ]
    return SectionedReport(
        tuple(each for each in sections if each is not None), tuple(pairs), measures, whole
    )
