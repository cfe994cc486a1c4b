"""The pairs that the modules of systems give: each query of a system once for a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.reading.gold_book import Gold, GoldBook
from equiv.eval.reading.loading import Entry
from equiv.eval.reading.nl2sqlbench_logs import logs_in, read_log
from equiv.eval.reading.nl2sqlbench_nodes import Module, Node
from equiv.eval.reading.predictions_by_id import doubts_of, paired_item
from equiv.eval.reading.question_index import Named, QuestionIndex
from equiv.eval.store.temporary_tables import digest_of, temporary_tables
from equiv.records.item import Fault, FaultKind, Item


def items_of_logs(files: Sequence[Path], golds: GoldBook | None = None) -> Iterator[Item]:
    """The pairs that logs hold; an entry that is no node makes an item with a fault.

    With questions given, theirs are the gold queries, and each has an item for each system.

    Raises:
        InputError: a file cannot be read, none of its entries is a node, or its questions cannot be told.
    """
    nodes = (each for file, system in logs_in(files) for each in _named(file, system, golds is not None))
    yield from _once(items_of(nodes) if golds is None else _Joined(golds, files).items(nodes))


def _named(file: Path, system: str, has_golds: bool) -> Iterator[Node | Item]:
    """The nodes of a log, whose questions must be known by id unless their gold file is at hand."""
    for found in read_log(file, system):
        if isinstance(found, Node) and found.question_id is None and not has_golds:
            names = "its questions by text alone, without question_id and db_id"
            raise InputError(
                f"{file}: names {names}: give their file with --gold, or call the log <id>_<db>.json"
            )
        yield found


def items_of(nodes: Iterable[Node | Item]) -> Iterator[Item]:
    """The pairs that nodes hold.

    A module that gave no query where it should makes an item with a fault.
    """
    for node in nodes:
        yield from [node] if isinstance(node, Item) else _items(node)


def _items(node: Node) -> Iterator[Item]:
    for sql, faults in _queries(node):
        yield Item(
            source=node.system,
            question_id=node.question_id,
            db_id=node.db_id,
            predicted_sql=sql,
            gold_sql=node.gold_sql,
            question=node.question,
            difficulty=node.difficulty,
            faults=tuple(faults),
        )


def _queries(node: Node) -> list[tuple[str, list[Fault]]]:
    if node.candidates or node.module is Module.SELECTION:
        return [(sql, []) for sql in node.candidates]
    return [("", [Fault(FaultKind.NO_PREDICTION, f"{node.module} gives no query")])]


def _once(items: Iterable[Item]) -> Iterator[Item]:
    with closing(temporary_tables("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")) as tables:
        for item in items:
            name = digest_of([item.source, item.db_id, str(item.question_id), item.predicted_sql])
            if tables.execute("INSERT OR IGNORE INTO seen VALUES (?)", (name,)).rowcount:
                yield item


@dataclass(slots=True)
class _Joined:
    """Nodes joined to the questions of a gold file by id, else by text."""

    golds: GoldBook
    files: Sequence[Path]
    answered: dict[str, set[int]] = field(default_factory=dict)
    """The questions for which some module of a system should have given a query."""

    def items(self, nodes: Iterable[Node | Item]) -> Iterator[Item]:
        index = QuestionIndex.of(
            Named((place, gold), gold.id, gold.db_id, _text(gold)) for place, gold in self.golds.placed()
        )
        any_met = False
        for node in nodes:
            if isinstance(node, Item):
                yield node
                continue
            id_ = None if node.question_id is None else str(node.question_id)
            met = index.find(id_, node.db_id, node.question)
            any_met = any_met or bool(met)
            yield from self._items(node, met)
        if not any_met:
            raise InputError(f"{self.files[0]}: the gold file has none of its questions")
        yield from self._missing()

    def _items(self, node: Node, met: Sequence[tuple[int, Gold]]) -> Iterator[Item]:
        seen = self.answered.setdefault(node.system, set())
        queries = _queries(node)
        seen.update(place for place, _ in met if queries)
        for sql, faults in queries:
            fields = {"predicted_sql": sql, "question": node.question, "difficulty": node.difficulty}
            entry = Entry(node.place[2], {**fields, "question_id": node.question_id, "db_id": node.db_id})
            for _, gold in met:
                doubts = doubts_of(gold, entry, len(met))
                yield paired_item(node.system, gold, entry, [*faults, *doubts])
            if not met:
                yield _without_gold(node, sql, faults)

    def _missing(self) -> Iterator[Item]:
        """The questions that a system was not asked, or did not log."""
        for system, seen in self.answered.items():
            for place, gold in self.golds.placed():
                if place not in seen:
                    fault = Fault(FaultKind.NO_PREDICTION, f"no module of {system} gives a query for it")
                    yield paired_item(system, gold, None, [fault])


def _text(gold: Gold) -> str:
    text = gold.entry.fields.get("question")
    return text if isinstance(text, str) else ""


def _without_gold(node: Node, sql: str, faults: Sequence[Fault]) -> Item:
    fault = Fault(FaultKind.NO_GOLD, f"the gold file has no question {node.place[2]}")
    return Item(
        source=node.system,
        question_id=node.question_id if node.question_id is not None else node.question,
        db_id=node.db_id,
        predicted_sql=sql,
        gold_sql="",
        question=node.question,
        faults=(*faults, fault),
    )
