"""The section with the main figures of a run and their confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from equiv.eval.headline_text import PROOF, bounds_text, counted, databases_text, relations_text
from equiv.eval.metrics.measured import Measured, compared, grouped, pair_of
from equiv.eval.metrics.metric import Needs
from equiv.eval.metrics.registry import metrics_of
from equiv.eval.metrics.shares import PORTION_COLUMNS, Portion, portion, portion_of, portion_rows
from equiv.eval.sections.section import Cards, Part, Ranges, Section
from equiv.records.record import Record
from equiv.show.page import Grid, Text

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


def section_of(records: Sequence[Record], measures: Sequence[Measured]) -> Section:
    """The headline section.

    Args:
        records: one a pair, abstentions and infeasible questions included.
        measures: the score first.
    """
    portions = [portion(records, measured) for measured in measures]
    portions.append(portion_of("undecided", (record["verdict"] == "undecided" for record in records)))
    title = counted(len(records), "item")
    grid = Grid(title, ("figure", *PORTION_COLUMNS), portion_rows(portions))
    notes = (*_notes(records, portions[0]), *_common(records, measures))
    parts: list[Part] = [Cards(grid, tuple(portions), notes)]
    if bare := len(records) - len(compared(records)):
        parts.append(
            Text(
                f"Abstentions or infeasible questions among them: {bare:,}; they are scored by what"
                " abstaining is worth, and left open by other metrics."
            )
        )
    parts += [
        chart for by in ("system", "difficulty", "database") for chart in _ranges(records, measures, by)
    ]
    about = "A share is one of the items that were measured. Intervals are Wilson's, 95 %."
    return Section("headline", "Headline", about, tuple(parts))


def _notes(records: Sequence[Record], score: Portion) -> Iterator[str]:
    """What is to be read with the figures, a fact each."""
    yield f"Relation: {relations_text(Counter(record['relation'] for record in records))}."
    judged = sum(bool(record["judge"]) for record in records)
    yield f"Judged: {counted(judged, 'item')}." if judged else f"{PROOF[:1].upper()}{PROOF[1:]}."
    if 0 < score.unknown < score.total:
        yield f"Without score: {counted(score.unknown, 'item')}; {bounds_text(score)}."
    open_items = [record for record in records if record["verdict"] == "undecided"]
    databases = Counter(record["db_id"] or "-" for record in open_items)
    if databases:
        yield f"Undecided by database: {databases_text(databases)}."


def _common(records: Sequence[Record], measures: Sequence[Measured]) -> Iterator[str]:
    """The metrics on the items that all of them measured, where these are not the same for each anyway."""
    told = [measured for measured in measures if measured.scores]
    pairs = set(map(pair_of, records))
    known = [pairs & measured.scores.keys() for measured in told]
    common = set.intersection(*known) if known else set()
    if common and any(own != common for own in known):
        shares = (
            f"{measured.name} {100 * sum(measured.scores[pair] for pair in common) / len(common):.1f}"
            for measured in told
        )
        yield f"On the {counted(len(common), 'item')} that all of these have, percent: {', '.join(shares)}."


def headliners(measures: Sequence[Measured]) -> list[Measured]:
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


def _ranges(records: Sequence[Record], measures: Sequence[Measured], by: str) -> list[Ranges]:
    """The shares of each group, if there are several."""
    groups = dict(sorted(grouped(records, by).items(), key=lambda group: LEVELS.get(group[0], 0)))
    if len(groups) < 2:
        return []
    few = measures[:SERIES]
    found = tuple((name, tuple(portion(own, measured) for measured in few)) for name, own in groups.items())
    found = tuple(sorted(found, key=lambda group: not any(portion.known for portion in group[1])))
    rows = tuple((name, str(len(groups[name])), *map(_share, portions)) for name, portions in found)
    names = tuple(measured.name for measured in few)
    title = f"scored 1, by {by}: percent of measured items, 95 %; in brackets those not measured"
    return [Ranges(Grid(title, (by, "items", *names), rows), names, found[:GROUPS_SHOWN])]


def _share(found: Portion) -> str:
    partly = 0 < found.unknown < found.total
    return found.text + (f" ({found.unknown})" if partly else "")
