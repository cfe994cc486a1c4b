"""The parts of a report: blocks, and charts, each with the table that says the same in words.

A terminal and Markdown show the tables; the HTML page draws the charts.

Two sections stand here.  One is on evidence: rules, facts and differences behind verdicts, and reasons of
undecided pairs.  One has systems side by side: what each alone solves, and where they say the same, right
or wrong.  Nothing is proved there: two predictions of one question are in one class if both are proved
equivalent to the gold query, if their texts are the same, or if the record of a judge puts them in one
class. Equivalence is transitive, so that classes are connected components; the facts they rest on are
those of all the proofs together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from equiv.eval.comparing import SideBySide
from equiv.eval.metrics.scores import (
    SHOWN,
    Counting,
    Portion,
    is_right,
    meaning_in,
    percent_of,
    portion_of,
    said,
    text_of,
)
from equiv.eval.questions import QuestionId, question_of
from equiv.graphs import components, grouped_by
from equiv.records.record import Record
from equiv.rewrite.normalise import CANONICAL_ORDER
from equiv.show.page import Block, Grid, Heading, Text
from equiv.verdict import VERDICTS, Reason


@dataclass(frozen=True, slots=True)
class Cards:
    """A few figures that are to be seen first."""

    grid: Grid
    portions: tuple[Portion, ...]
    notes: tuple[str, ...] = ()
    """What belongs to the figures: the relation, what a score of 1 is."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Shares with their intervals: a row a group, a mark a series."""

    grid: Grid
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Portion, ...]], ...]


@dataclass(frozen=True, slots=True)
class Waterfall:
    """How stages, one after the other, take their part of all pairs; what is left comes last."""

    grid: Grid
    total: int
    """All pairs."""
    kinds: tuple[str, ...]
    stages: tuple[tuple[str, tuple[int, ...]], ...]
    """Each stage with how many it takes of each kind."""

    @property
    def left(self) -> int:
        """The pairs that no stage takes."""
        return self.total - sum(sum(taken) for _, taken in self.stages)


@dataclass(frozen=True, slots=True)
class Heat:
    """A table of which some cells are shares, to be shaded; None: no share."""

    grid: Grid
    shades: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """Pairs worth a look, by what they are cases of."""

    grid: Grid
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """A title, and the keys of records."""


Chart = Cards | Ranges | Waterfall | Heat | Cases
SectionPart = Block | Chart


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report under a heading."""

    name: str
    """What links lead to: lower-case letters."""
    title: str
    about: str
    """How to read it, in a sentence or two; '' if that is plain."""
    parts: tuple[SectionPart, ...]


def blocks_of(sections: Iterable[ReportSection]) -> Iterator[Block]:
    """The sections as blocks, every chart as its table."""
    for section in sections:
        yield Heading(section.title)
        for part in section.parts:
            yield part.grid if isinstance(part, Chart) else part
            if isinstance(part, Cards):
                yield from map(Text, part.notes)


Describe = Callable[[str], str]
"""The first sentence of a rule's documentation, by its name; '' where there is none."""

SORTS = {CANONICAL_ORDER: "Rename outputs and sort operands, so that equal trees look the same."}
"""What stands in derivations without being a rule."""


COUNTINGS = (
    Counting(
        "undecided by reason",
        "reason",
        lambda r: [r["reason"]] if r["verdict"] == "undecided" else [],
        meaning_in(Reason),
        shared=True,
    ),
    Counting(
        "unsupported, by construct (30 at most)",
        "construct",
        lambda r: [str(r["detail"] or "-")] if r["reason"] == "UNSUPPORTED" else [],
        most=30,
    ),
    Counting("queries that cannot be used", "failure", said("failure_code"), shared=True),
    *SHOWN,
)


def evidence_section(records: Sequence[Record], describe: Describe) -> ReportSection:
    """The section on evidence."""
    counted = (counting.grid_of(counting.counts_of(records), len(records)) for counting in COUNTINGS)
    grids = (*counted, _rules(records, describe), _facts(records))
    about = "Which pairs are undecided and why, what witnesses show, which rules and facts are used."
    return ReportSection("evidence", "Evidence", about, tuple(grid for grid in grids if grid.rows))


def rules_of(record: Record) -> list[str]:
    """The rules that a record's derivation applies, in order, each as often as it is applied."""
    evidence = record["evidence"] or {}
    return [str(step["rule"]) for step in evidence.get("steps", ())]


def _rules(records: Sequence[Record], describe: Describe) -> Grid:
    pairs: Counter[str] = Counter()
    applied: Counter[str] = Counter()
    for record in records:
        rules = rules_of(record)
        applied.update(rules)
        pairs.update(set(rules))
    ordered = sorted(pairs, key=lambda name: (-pairs[name], name))
    rows = tuple(
        (name, str(pairs[name]), str(applied[name]), describe(name) or SORTS.get(name, ""))
        for name in ordered
    )
    return Grid("rules used", ("rule", "pairs", "applications", "what it does"), rows)


def _facts(records: Sequence[Record]) -> Grid:
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        if record["verdict"] == "equivalent":
            counts.update({(str(fact["kind"]), str(fact["grade"])) for fact in record["facts"]})
    rows = tuple((kind, grade, str(count)) for (kind, grade), count in counts.most_common())
    return Grid("facts that equivalences rest on", ("fact", "grade", "pairs"), rows)


@dataclass(frozen=True, slots=True)
class Class:
    """Predictions of one question that are known to be equivalent."""

    question: QuestionId
    members: tuple[Record, ...]
    is_gold: bool
    """Whether they are proved equivalent to the gold query."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that predict so, once each."""
        return tuple(dict.fromkeys(str(record["source"]) for record in self.members))


def classes_in(records: Iterable[Record]) -> list[Class]:
    """The classes of every question, in order of appearance; a prediction that is not a query is in none."""
    queries = (record for record in records if record["verdict"] != "invalid")
    return [found for one in grouped_by(question_of, queries).items() for found in _classes(*one)]


def _classes(question: QuestionId, records: Sequence[Record]) -> list[Class]:
    """The connected components of the graph in which records hang together by what they share."""
    marks = [_marks(record) for record in records]
    members: dict[int, list[Record]] = {}
    groups = components(dict.fromkeys(mark for own in marks for mark in own), marks)
    number_of = {mark: number for number, group in enumerate(groups) for mark in group}
    for record, own in zip(records, marks, strict=True):
        members.setdefault(number_of[own[0]], []).append(record)
    gold = number_of.get(_GOLD)
    return [Class(question, tuple(own), number == gold) for number, own in members.items()]


_GOLD = ("gold", "")


def _marks(record: Record) -> list[tuple[str, str]]:
    """What a record shares with those of its class."""
    marks = [("text", str(record["predicted_sql"]).strip())]
    if record["verdict"] == "equivalent":
        marks.append(_GOLD)
    if name := (record["judge"] or {}).get("class"):
        marks.append(("class", str(name)))
    return marks


CLASSES_SHOWN = 20
"""How many classes are listed."""


def systems_section(records: Sequence[Record]) -> ReportSection | None:
    """The section on systems; nothing if there is one alone."""
    systems = list(dict.fromkeys(str(record["source"]) for record in records))
    if len(systems) < 2:
        return None
    classes = classes_in(records)
    side_by_side = SideBySide()
    for record in records:
        side_by_side.add(record)
    execution = {name for record in records for name in record.get("ex", {})}
    parts: list[SectionPart] = [_solved(records, systems), *side_by_side.blocks(", ".join(sorted(execution)))]
    parts += [_spread(records), _alike(records, classes, systems)]
    if (shared := _shared(classes)) is not None:
        parts.append(shared)
    about = (
        "A question counts with its database and gold query. Predictions are known to be equivalent if both"
        " are proved equivalent to the gold query, if their texts are equal, or if a judged run proved it;"
        " others may be equivalent too."
    )
    return ReportSection("systems", "Systems side by side", about, tuple(parts))


def _solvers(records: Sequence[Record]) -> dict[QuestionId, list[str]]:
    """The systems that score 1 on each question."""
    found: dict[QuestionId, list[str]] = {}
    for record in records:
        solvers = found.setdefault(question_of(record), [])
        if record["score"] == 1 and record["source"] not in solvers:
            solvers.append(record["source"])
    return found


def _solved(records: Sequence[Record], systems: Sequence[str]) -> Grid:
    solvers = _solvers(records)
    rows = []
    for system in systems:
        own = [record for record in records if record["source"] == system]
        verdicts = Counter(record["verdict"] for record in own)
        scored = portion_of(system, map(is_right, own))
        alone = sum(names == [system] for names in solvers.values())
        counts = (verdicts[name] for name in VERDICTS)
        rows.append((system, str(len(own)), str(scored.known), scored.text, *map(str, counts), str(alone)))
    columns = ("system", "pairs", "scored", "scored 1, percent of these", *VERDICTS, "solved alone")
    return Grid("systems", columns, tuple(rows))


def _spread(records: Sequence[Record]) -> Grid:
    """How many questions so many systems solve, of those on which each prediction has a score."""
    unscored = {question_of(record) for record in records if record["score"] is None}
    solvers = {question: own for question, own in _solvers(records).items() if question not in unscored}
    counts = Counter(map(len, solvers.values()))
    rows = tuple(
        (str(number), str(counts[number]), percent_of(counts[number], len(solvers)))
        for number in sorted(counts, reverse=True)
    )
    left = f" ({len(unscored):,} left out, which some system has no score for)" if unscored else ""
    return Grid(
        f"questions by how many systems score 1 on them{left}", ("systems", "questions", "share"), rows
    )


def _alike(records: Sequence[Record], classes: Sequence[Class], systems: Sequence[str]) -> Heat:
    """On what share of their common questions two systems are known to say the same."""
    asked: dict[str, set[QuestionId]] = {system: set() for system in systems}
    for record in records:
        asked[record["source"]].add(question_of(record))
    same: dict[frozenset[str], set[QuestionId]] = {}
    for each_class in classes:
        names = each_class.systems
        for place, one in enumerate(names):
            for other in names[place:]:
                same.setdefault(frozenset((one, other)), set()).add(each_class.question)

    def alike(one: str, other: str) -> float | None:
        common = asked[one] & asked[other]
        return len(same.get(frozenset((one, other)), set()) & common) / len(common) if common else None

    shades = tuple(tuple(None if a == b else alike(a, b) for b in systems) for a in systems)
    rows = tuple(
        (system, *("" if share is None else f"{100 * share:.1f}" for share in own))
        for system, own in zip(systems, shades, strict=True)
    )
    columns = ("system", *systems)
    title = "predictions known to be equivalent, percent of common questions"
    return Heat(Grid(title, columns, rows), tuple((None, *own) for own in shades))


def _shared(classes: Sequence[Class]) -> Grid | None:
    """The classes beside the gold query's that most systems share: common errors, or a faulty gold query."""
    wrong = [each_class for each_class in classes if not each_class.is_gold and len(each_class.systems) > 1]
    wrong.sort(key=lambda each_class: -len(each_class.systems))
    if not wrong:
        return None
    rows = tuple(
        (
            *(first["db_id"], text_of(first["question_id"]), str(len(each_class.systems))),
            *(", ".join(each_class.systems), first["predicted_sql"]),
        )
        for each_class in wrong[:CLASSES_SHOWN]
        for first in each_class.members[:1]
    )
    cut = f" (the first {CLASSES_SHOWN} of {len(wrong)})" if len(wrong) > CLASSES_SHOWN else ""
    title = f"classes that several systems share, and that are not proved equivalent to the gold query{cut}"
    return Grid(title, ("database", "question id", "number", "systems", "a member"), rows)
