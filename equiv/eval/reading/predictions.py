"""The predictions of a file, on disk, and which questions of a gold book they are for.

They are joined by id, or line by line as Spider, SParC and CoSQL have them. Every question of the gold file
gets an item, with or without a prediction, and so does every prediction without a question.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.plan import OnDisk, Spool, as_bytes, as_text, packed, unpacked
from equiv.eval.reading.golds import (
    BookMark,
    GoldBook,
    GoldQuestion,
    db_of,
    item_of,
    source_of,
    source_of_all,
    unreadable,
)
from equiv.eval.reading.loading import Entry, TextFile, joined_operators, without_ends
from equiv.records.record import Fault, FaultKind, Item
from equiv.replies.extract import blocks_in

_TABLES = """
CREATE TABLE entry (
    place INTEGER PRIMARY KEY, system INTEGER, location BLOB, id BLOB, database BLOB, entry BLOB
);
CREATE INDEX by_system ON entry (system, place);
CREATE TABLE meant (gold INTEGER, entry INTEGER, several INTEGER);
CREATE INDEX by_gold ON meant (gold, entry);
"""
_MARKS = "SELECT place, location, id, database FROM entry WHERE system = ? ORDER BY place"
_MEANT = """
SELECT place, entry.entry, several FROM meant JOIN entry ON place = meant.entry WHERE gold IS ? ORDER BY place
"""

BookLookup = Callable[[str], list[BookMark]]
"""The questions that an id may mean."""

PredictionPlace = tuple[str, str, str]
"""Where a prediction stands, the database that it names or '', and that of its question."""


@dataclass(frozen=True, slots=True)
class PredictionMark:
    """The key by which a prediction is joined to a question."""

    place: int
    where: str
    id: str
    database: str


class Predictions(OnDisk):
    """Entries of a prediction file.

    Args:
        entries: in order.
        source: what the system is called that they do not name.
    """

    def __init__(self, entries: Iterable[Entry], source: str) -> None:
        super().__init__(_TABLES)
        self.systems: dict[str, int] = {}
        """Numbers by name, in order of appearance."""
        self.have_ids = False
        """Whether any of them has an id."""
        self._by_position = False
        for entry in entries:
            self._add(entry, source)

    def _add(self, entry: Entry, source: str) -> None:
        system, name = None, entry.id
        if not entry.trouble:
            system = self.systems.setdefault(source_of(entry.fields, source), len(self.systems))
        self.have_ids = self.have_ids or name is not None
        values = as_bytes(entry.where), as_bytes(name or ""), as_bytes(db_of(entry.fields)), packed(entry)
        self._tables.execute(
            "INSERT INTO entry (system, location, id, database, entry) VALUES (?, ?, ?, ?, ?)",
            (system, *values),
        )

    def __len__(self) -> int:
        return self._count("SELECT count(*) FROM entry")

    def go_by_position(self) -> None:
        """Take their positions for ids."""
        self._by_position = True

    def unreadable(self) -> Iterator[Entry]:
        """The predictions that could not be read."""
        rows = self._tables.execute("SELECT entry FROM entry WHERE system IS NULL ORDER BY place")
        return (unpacked(found) for (found,) in rows)

    def marks(self, source: str) -> Iterator[PredictionMark]:
        """The join keys of a system's predictions."""
        for place, where, name, database in self._tables.execute(_MARKS, (self.systems[source],)):
            id_ = str(place - 1) if self._by_position else as_text(name)
            yield PredictionMark(place, as_text(where), id_, as_text(database))

    def match(self, source: str, lookup: BookLookup) -> Iterator[PredictionPlace]:
        """Note what those of a system mean; each that means something, with the first of these."""
        self._tables.execute("DELETE FROM meant")
        for mark in self.marks(source):
            meant = lookup(mark.id)
            golds: list[int | None] = [gold for gold, _ in meant]
            rows = [(gold, mark.place, len(meant)) for gold in golds or [None]]
            self._tables.executemany("INSERT INTO meant VALUES (?, ?, ?)", rows)
            if meant:
                yield mark.where, mark.database, meant[0][1]

    def any_matched(self) -> bool:
        """Whether one of those noted means something."""
        found = self._tables.execute("SELECT 1 FROM meant WHERE gold IS NOT NULL LIMIT 1")
        return found.fetchone() is not None

    def for_gold(self, place: int | None) -> Iterator[tuple[Entry, int]]:
        """The noted predictions that may answer a question, each with how many questions it may answer."""
        for position, found, several in self._tables.execute(_MEANT, (place,)):
            entry: Entry = unpacked(found)
            if self._by_position:
                entry = replace(entry, fields={**entry.fields, "question_id": position - 1})
            yield entry, several

    def for_none(self) -> Iterator[Entry]:
        """The noted predictions that answer no question."""
        return (entry for entry, _ in self.for_gold(None))


def is_same_database(own: str, name: str) -> bool:
    """Whether a prediction on a database may be for a question on another; '' where one names none."""
    return not name or own in ("", name)


OF_A_PREDICTION = frozenset({"predicted_sql", "method", "source", "label", "confidence", "abstained"})
"""What a gold file does not say of a question, even where it holds predictions of its own."""


@dataclass(frozen=True, slots=True)
class Files:
    """A prediction file and its gold file."""

    predictions: Path
    golds: Path | None
    source: str
    """What the system is called that the entries do not name."""


def joined(files: Files, entries: Iterable[Entry], golds: GoldBook) -> Iterator[Item]:
    """The items of predictions, each joined to its question by id, system by system.

    An id is a question id of the gold file or, where more predictions fit so (a subset such as mini-dev
    keeps the ids of the whole), a 0-based position.

    Raises:
        InputError: nothing fits, or what fits is about other databases.
    """
    with Predictions(entries, files.source) as predictions:
        if not predictions.have_ids:
            _number(files, predictions, golds)
        nobody = source_of_all(predictions.systems, files.source)
        for entry in predictions.unreadable():
            yield unreadable(nobody, entry.where, entry.trouble)
        for source in predictions.systems:
            yield from _joined(files, source, predictions, golds)


def _number(files: Files, predictions: Predictions, golds: GoldBook) -> None:
    """Have predictions without ids go by position, if there are as many as questions."""
    if len(predictions) != golds.positions:
        counts = (
            f"{len(predictions)} predictions without ids, but {files.golds} has {golds.questions} questions"
        )
        raise InputError(f"{files.predictions}: {counts}: they cannot be matched")
    predictions.go_by_position()


def _joined(files: Files, source: str, predictions: Predictions, golds: GoldBook) -> Iterator[Item]:
    lookup = _lookup(predictions, source, golds)
    refuse_others(files, predictions.match(source, lookup))
    if not predictions.any_matched():
        mark = next(predictions.marks(source))
        ids = f"the ids there are such as {next(golds.placed())[1].id!r}, here {mark.id!r}"
        raise InputError(f"{files.predictions}: no gold query for {mark.where} ({files.golds}): {ids}")
    for place, gold in golds.placed():
        missing = True
        for entry, several in predictions.for_gold(place):
            missing = False
            yield paired_item(source, gold, entry, doubts_of(gold, entry, several))
        if missing:
            said = f"{files.predictions.name} has no prediction for this question"
            yield paired_item(source, gold, None, [Fault(FaultKind.NO_PREDICTION, said)])
    for entry in predictions.for_none():
        fault = Fault(FaultKind.NO_GOLD, f"{files.golds} has no question {entry.id or entry.where}")
        fields = {**entry.fields, "gold_sql": ""}
        yield item_of(fields, source, entry.where, [fault])


def _lookup(predictions: Predictions, source: str, golds: GoldBook) -> BookLookup:
    """By id or by position, whichever more predictions fit; by id if it is all the same."""

    def fitting(lookup: BookLookup) -> int:
        return sum(
            any(is_same_database(mark.database, name) for _, name in lookup(mark.id))
            for mark in predictions.marks(source)
        )

    return max((golds.of_id, golds.at_position), key=fitting)


def refuse_others(files: Files, matches: Iterable[PredictionPlace]) -> None:
    """Refuse predictions that are for other questions, by the databases that they name.

    Most name another one than their question, or each names that of the question before or after its own.
    """
    stated = clashing = 0
    first = before = None
    fits = {"previous": True, "next": True}
    for where, own, name in matches:
        stated += bool(own)
        if own and not is_same_database(own, name):
            clashing += 1
            first = first or (where, own, name)
        if before is not None:
            fits["previous"] = fits["previous"] and is_same_database(own, before[1])
            fits["next"] = fits["next"] and is_same_database(before[0], name)
        before = own, name
    beside = next((each for each in fits if fits[each] and clashing > 1), "")
    if first is not None and (beside or 2 * clashing > stated):
        where, own, name = first
        what = f"a prediction on {own!r}, its gold query is on {name!r} ({files.golds})"
        hint = f"; each fits the {beside} question: the ids seem to be off by one" if beside else ""
        raise InputError(f"{files.predictions}: {where}: {what}{hint}")


def doubts_of(gold: GoldQuestion, entry: Entry, several: int) -> list[Fault]:
    """The reasons to doubt that a prediction belongs to a question, where several questions have its id."""
    faults = []
    if not is_same_database(db_of(entry.fields), gold.db_id):
        text = f"the prediction is for {db_of(entry.fields)!r}, the gold query for {gold.db_id!r}"
        faults.append(Fault(FaultKind.OTHER_DATABASE, text))
    if several > 1:
        text = f"the gold file has {several} questions with the id {entry.id}"
        faults.append(Fault(FaultKind.AMBIGUOUS_ID, text))
    return faults


def paired_item(source: str, gold: GoldQuestion, entry: Entry | None, faults: list[Fault]) -> Item:
    """A question with its prediction; what the gold file says of the question goes first."""
    if gold.entry.trouble:
        faults = [*faults, Fault(FaultKind.UNREADABLE, f"in the gold file, {gold.entry.trouble}")]
    stated = {
        name: value
        for name, value in gold.entry.fields.items()
        if value is not None and name not in OF_A_PREDICTION
    }
    gold_fields = entry.fields if entry else {"abstained": False} if "feasible" in stated else {}
    fields = {**gold_fields, **stated}
    fields.pop("gold_sql", None)
    if "gold_sql" in gold.entry.fields:
        fields["gold_sql"] = gold.entry.fields["gold_sql"]
    fields["question_id"] = stated.get("question_id", gold.positions[0])
    return item_of(fields, source, gold.positions[0], faults)


NumberedText = tuple[str, str]
"""Where a prediction stands, and its text."""


def read_lines(files: Files, text: TextFile, golds: GoldBook, *, extract: bool) -> Iterator[Item]:
    """The items of a Spider, SParC or CoSQL prediction file, one query a line.

    The format has no keys, so lines are paired by position, and only if the
    counts leave no doubt.  Where the gold file has a blank line (the end of
    an interaction) so has the prediction file, or it has none of them at all;
    a blank line where the gold file has a query is an empty prediction.

    Args:
        files: where the texts come from.
        text: the predictions.
        golds: the gold queries.
        extract: where there is a fence for each question, each is a prediction.

    Raises:
        InputError: the counts do not fit, or most lines are about other databases.
    """
    yield from _paired(files, _predictions(text, golds, extract=extract), golds)


def read_list(files: Files, values: object, golds: GoldBook) -> Iterator[Item]:
    """The items of a JSON list of queries by position; null is an empty prediction.

    Args:
        files: where the texts come from.
        values: the list.
        golds: the gold queries.

    Raises:
        InputError: it holds something else, or as many queries as there are gold queries it does not.
    """
    if not isinstance(values, list):
        raise InputError(f"{files.predictions}: not a JSON list of queries")
    for place, value in enumerate(values):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{files.predictions}: entry {place}: {value!r:.40} in a list of queries")
    texts = ((f"entry {place}", text or "") for place, text in enumerate(values))
    yield from _paired(files, texts, golds, is_list=True)


def _paired(
    files: Files, predictions: Iterator[NumberedText], golds: GoldBook, *, is_list: bool = False
) -> Iterator[Item]:
    """The items that predictions make with gold queries by position."""
    with Spool(predictions) as lines, Spool(_aligned(files, lines, golds, is_list=is_list)) as pairs:
        refuse_others(files, ((entry.where, db_of(entry.fields), gold.db_id) for entry, gold in pairs))
        for entry, gold in pairs:
            blank = not str(entry.fields["predicted_sql"]).strip()
            trouble = f"{files.predictions.name}: {entry.where} is blank"
            faults = [Fault(FaultKind.NO_PREDICTION, trouble)] if blank else []
            yield paired_item(files.source, gold, entry, [*faults, *doubts_of(gold, entry, 1)])


def _predictions(text: TextFile, golds: GoldBook, *, extract: bool) -> Iterator[NumberedText]:
    """The queries in fences, if wanted and if there are as many as questions; else the lines."""
    lines: Iterable[str] = text.lines()
    if extract:
        whole = "".join(lines)
        fenced = blocks_in(whole)
        if fenced and len(fenced) == golds.questions:
            yield from ((f"query {number}", sql) for number, sql in enumerate(fenced, 1))
            return
        lines = io.StringIO(whole, newline="\n")
    yield from ((f"line {number}", line) for number, line in enumerate(without_ends(lines), 1))


def _aligned(
    files: Files, lines: Spool[NumberedText], golds: GoldBook, *, is_list: bool
) -> Iterator[tuple[Entry, GoldQuestion]]:
    """Predictions and gold queries, wherever the gold file has a query."""
    databases = golds.databases
    if len(lines) == len(golds):
        for (where, line), gold in zip(lines, golds, strict=True):
            if gold is not None:
                yield Entry(where, _split(line, databases)), gold
            elif line.strip():
                place = f"{files.predictions}:{where.removeprefix('line ')}"
                raise InputError(
                    f"{place}: a prediction where {files.golds} has a blank line, which ends an interaction"
                )
        return
    every = len(lines) == golds.questions
    if not every and golds.questions != sum(bool(line.strip()) for _, line in lines):
        unit, none = ("entries", "write null") if is_list else ("lines", "leave a blank line")
        counts = f"{len(lines)} {unit}, but {files.golds} has {golds.questions} gold queries"
        why = f"{unit} have no ids, so equiv cannot tell which are missing; {none} for each"
        raise InputError(f"{files.predictions}: {counts}: {why}")
    chosen = (each for each in lines if every or each[1].strip())
    for (where, line), (_, gold) in zip(chosen, golds.placed(), strict=True):
        yield Entry(where, _split(line, databases)), gold


def _split(line: str, databases: Collection[str]) -> dict[str, str]:
    """A prediction, and the database that may follow it after a tab."""
    sql, tab, last = line.rpartition("\t")
    if not tab or last.strip() not in databases or not last.strip():
        return {"predicted_sql": joined_operators(line)}
    return {"predicted_sql": joined_operators(sql), "db_id": last.strip()}
