"""Systems side by side: what each alone solves, and where they say the same, right or wrong.

Nothing is proved here: two predictions of one question are in one class if both are proved equivalent to
the gold query, if their texts are the same, or if the record of a judge puts them in one class. Equivalence
is transitive, so that classes are connected components; the facts they rest on are those of all the proofs
together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from equiv.eval.comparing.paired import SideBySide
from equiv.eval.metrics.measured import is_right, text_of
from equiv.eval.metrics.shares import portion_of
from equiv.eval.questions import QuestionId, question_of
from equiv.eval.sections.section import Heat, ReportSection, SectionPart
from equiv.graphs import components
from equiv.records.record import Record
from equiv.show.page import Grid


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
    """The classes of every question, in order of appearance; a prediction that is no query is in none."""
    questions: dict[QuestionId, list[Record]] = {}
    for record in records:
        if record["verdict"] != "invalid":
            questions.setdefault(question_of(record), []).append(record)
    return [found for question, own in questions.items() for found in _classes(question, own)]


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


SHOWN = 20
"""How many classes are listed."""


def section_of(records: Sequence[Record]) -> ReportSection | None:
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
        " are proved equivalent to the gold query, if they are one text, or if a judged run proved them so;"
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
        counts = (verdicts[name] for name in ("equivalent", "not_equivalent", "undecided", "invalid"))
        rows.append((system, str(len(own)), str(scored.known), scored.text, *map(str, counts), str(alone)))
    columns = (
        *("system", "pairs", "scored", "scored 1, percent of these"),
        *("equivalent", "not_equivalent", "undecided", "invalid", "solved alone"),
    )
    return Grid("systems", columns, tuple(rows))


def _spread(records: Sequence[Record]) -> Grid:
    """How many questions so many systems solve, of those on which each prediction has a score."""
    unscored = {question_of(record) for record in records if record["score"] is None}
    solvers = {question: own for question, own in _solvers(records).items() if question not in unscored}
    counts = Counter(map(len, solvers.values()))
    rows = tuple(
        (str(number), str(counts[number]), f"{100 * counts[number] / len(solvers):.1f} %")
        for number in sorted(counts, reverse=True)
    )
    left = f", {len(unscored):,} without a score of every system left out" if unscored else ""
    return Grid(f"questions by how many systems score 1{left}", ("systems", "questions", "share"), rows)


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
        for each_class in wrong[:SHOWN]
        for first in each_class.members[:1]
    )
    cut = f" (the first {SHOWN} of {len(wrong)})" if len(wrong) > SHOWN else ""
    title = f"classes that several systems share, and that are not proved equivalent to the gold query{cut}"
    return Grid(title, ("database", "question id", "number", "systems", "a member"), rows)
