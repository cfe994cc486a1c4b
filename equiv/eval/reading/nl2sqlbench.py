"""What each module of a system gave for each question, in one form for all systems, and the pairs of it.

Source: NL2SQLBench, section 3.2 and appendix A.1: nodes ``{node_type, question, extracted_schema, SQL,
token_cost, llm_calls}``, and what its released code collects: one file ``<id>_<db>.json`` a question with
``{node_type, PREDICTED_SQL, GOLD_SQL, total_tokens, call_llm_times}``, called ``schema_extraction``,
``candidate_generation``, ``revision`` and ``evaluation``.  A system that logs otherwise needs an adapter
and nothing else; the one for ``{pred_sqls: […]}`` reads the candidates of sampling systems.

Logs are JSON lists or JSON lines of nodes, in files or folders; a question goes by its id, or by its
text.  Each query of a system makes a pair once for a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

from equiv.errors import InputError
from equiv.eval.plan import digest_of, temporary_tables
from equiv.eval.reading.golds import GoldBook, GoldQuestion, unreadable
from equiv.eval.reading.loading import Entry, TextFile, entries_of_lines, entries_of_list, load
from equiv.eval.reading.predictions import doubts_of, paired_item
from equiv.names import fold, folded
from equiv.records.record import Fault, FaultKind, Item, JsonValue


class Module(StrEnum):
    """The modules, in the order in which a question passes them."""

    SELECTION = "schema_selection"
    GENERATION = "candidate_generation"
    REVISION = "query_revision"


TYPES = {module.value: module for module in Module} | {
    "schema_extraction": Module.SELECTION,
    "revision": Module.REVISION,
}
"""Modules by ``node_type``: the paper's names and those of its code."""

INTERMEDIATE = frozenset({"align_correct"})
"""Types of nodes that are steps inside of a module, whose answer another node repeats."""

EVALUATION = "evaluation"
"""The type of the node in which the paper's code notes what execution came to, by module."""


@dataclass(frozen=True, slots=True)
class Executed:
    """The outcome of executing a query, as a log states it."""

    correct: bool
    trouble: str = ""
    """The error; '' if the query ran, whatever its result."""


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """The output of one module of one system for one question, with its cost."""

    system: str
    question_id: JsonValue
    """None where the log names a question by its text alone."""
    db_id: str
    module: Module
    candidates: tuple[str, ...] = ()
    """Queries, best first; a revision has one."""
    schema: Mapping[str, frozenset[str]] | None = None
    """Selected columns by table, in lower case."""
    gold_sql: str = ""
    question: str = ""
    difficulty: JsonValue = None
    tokens: int = 0
    calls: int = 0
    cost: float = 0.0
    gold_schema: Mapping[str, frozenset[str]] | None = None
    """Columns by table that the log says should have been selected."""
    executed: Executed | None = None
    """What the log says of the first candidate."""
    is_note: bool = False
    """Whether an evaluation tells of the module, which gave the query elsewhere or not at all."""

    @property
    def place(self) -> tuple[str, str, str]:
        """The question: system, database, id; its text where the log has no id."""
        name = self.question if self.question_id is None else str(self.question_id)
        return self.system, self.db_id, name


Adapter = Callable[[Mapping[str, Any], str], list[ModuleNode]]
"""Makes the nodes of an entry of a log, given the system's name; KeyError and the like for another form."""


def from_node(entry: Mapping[str, Any], system: str) -> list[ModuleNode]:
    """The node of an entry in NL2SQLBench's own form; upper and lower case of field names are one.

    An evaluation makes a note for each module that it tells of, a step inside of a module nothing.
    """
    own = {name.lower(): value for name, value in entry.items()}
    if own["node_type"] == EVALUATION:
        return _notes(own, system)
    return [] if own["node_type"] in INTERMEDIATE else [_node(own, system)]


def _node(own: Mapping[str, Any], system: str) -> ModuleNode:
    sql = own.get("predicted_sql", own.get("sql"))
    schema, real = own.get("extracted_schema"), own.get("real_schema")
    counted = (own.get("prompt_tokens") or 0) + (own.get("completion_tokens") or 0)
    return ModuleNode(
        str(own.get("method") or system),
        _id_of(own),
        str(own.get("db_id") or ""),
        _module(own["node_type"]),
        tuple(map(str, sql if isinstance(sql, list) else [] if sql is None else [sql])),
        None if schema is None else _lowered(schema),
        str(own.get("gold_sql") or ""),
        str(own.get("question") or ""),
        own.get("difficulty"),
        int(own.get("token_cost") or own.get("total_tokens") or counted),
        int(own.get("llm_calls") or own.get("call_llm_times") or 0),
        float(own.get("cost") or 0),
        None if real is None else _lowered(real),
        _executed(own),
    )


def _module(name: object) -> Module:
    if name not in TYPES:
        raise ValueError(f"no module is called {name!r}")
    return TYPES[str(name)]


def _id_of(own: Mapping[str, Any]) -> JsonValue:
    """The id of a question; None where its text has to do."""
    if own.get("question_id") is None and not own.get("question"):
        raise ValueError("neither question_id nor question")
    number: JsonValue = own.get("question_id")
    return number


def _notes(own: Mapping[str, Any], system: str) -> list[ModuleNode]:
    shared = {name: own[name] for name in NAMING if name in own}
    found = []
    for name, told in own.items():
        if name in TYPES and isinstance(told, Mapping) and told:
            lowered = {key.lower(): value for key, value in told.items()}
            kept = {key: lowered[key] for key in (*NAMING, *TOLD) if key in lowered}
            found.append(replace(_node({**shared, **kept, "node_type": name}, system), is_note=True))
    return found


NAMING = ("question_id", "db_id", "question", "method")
"""Fields that tell which question of which system an entry is about."""

TOLD = ("predicted_sql", "sql", "gold_sql", "exec_res", "exec_err")
"""What an evaluation tells of a module; costs stand with the module itself."""

RAN = frozenset({"", "--", "incorrect answer"})
"""What stands in the place of an error where the query ran."""


def _executed(own: Mapping[str, Any]) -> Executed | None:
    if own.get("exec_res") is None:
        return None
    trouble = str(own.get("exec_err") or "")
    correct = own["exec_res"] == 1
    return Executed(correct, "" if correct or trouble in RAN else trouble)


def from_samples(entry: Mapping[str, Any], system: str) -> list[ModuleNode]:
    """The candidates of a system that samples several: ``{pred_sqls, …}`` (Arctic-Text2SQL, OmniSQL)."""
    own = {name.lower(): value for name, value in entry.items()}
    gold = own.get("gold_sql") or own.get("sql") or own.get("query") or ""
    named = {"node_type": Module.GENERATION, "sql": list(own["pred_sqls"]), "gold_sql": gold}
    return from_node({**own, **named}, system)


def _lowered(schema: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {fold(table): folded(own) for table, own in schema.items()}


def adapter_for(entry: Mapping[str, Any]) -> Adapter | None:
    """The adapter for logs whose entries look like this one."""
    if "node_type" in entry:
        return from_node
    return from_samples if "pred_sqls" in entry else None


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NamedQuestion(Generic[T]):
    """A question with its names; '' where it has none."""

    found: T
    id: str
    db_id: str
    text: str


@dataclass(slots=True)
class QuestionIndex(Generic[T]):
    """Questions of one or several databases."""

    _by_id: dict[str, list[NamedQuestion[T]]] = field(default_factory=dict)
    _by_text: dict[str, list[NamedQuestion[T]]] = field(default_factory=dict)

    @classmethod
    def of(cls, questions: Iterable[NamedQuestion[T]]) -> QuestionIndex[T]:
        """The index of some questions."""
        index = cls()
        for question in questions:
            index._by_id.setdefault(question.id, []).append(question)
            index._by_text.setdefault(normal(question.text), []).append(question)
        return index

    def find(self, id_: str | None, db_id: str, text: str) -> list[T]:
        """The questions that an id means, else a text, on a database.

        Args:
            id_: None if only the text is known.
            db_id: '' if the database is not known.
            text: '' if only the id is known; a question of the id with another text is not meant.
        """
        wanted = normal(text)
        by_id = [] if id_ is None else self._by_id.get(id_, [])
        meant = [q for q in by_id if not (wanted and q.text) or normal(q.text) == wanted]
        chosen = _on(db_id, meant) or (_on(db_id, self._by_text.get(wanted, [])) if wanted else [])
        return [question.found for question in chosen]


def normal(text: str) -> str:
    """A question without what copying changes: white space and case."""
    return " ".join(text.split()).casefold()


def _on(db_id: str, questions: list[NamedQuestion[T]]) -> list[NamedQuestion[T]]:
    return [question for question in questions if not db_id or question.db_id in ("", db_id)]


OF_A_QUESTION = re.compile(r"(\d+)_(.+)")
"""How the paper's code names the file of a question: id and database."""


def read_nodes(files: Iterable[Path]) -> Iterator[ModuleNode]:
    """The nodes of logs; a folder means its ``.json`` and ``.jsonl`` files.

    The system is called as the entries say, else as the folder of the file.

    Raises:
        InputError: a file cannot be read, or an entry has none of the known forms.
    """
    for file, system in logs_in(files):
        for found in read_log(file, system):
            if isinstance(found, Item):
                raise InputError(f"{file}: {found.faults[0].text}")
            yield found


def logs_in(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """The log files with the names of their systems: folders, with more of the path where names coincide."""
    files = [file for path in paths for file in _files_of(path)]
    names = _names(list(dict.fromkeys(file.resolve().parent for file in files)))
    return ((file, names[file.resolve().parent]) for file in files)


def _files_of(path: Path) -> list[Path]:
    """The logs of a folder; where some are named as questions are, statistics beside them are none."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
    return [file for file in files if OF_A_QUESTION.fullmatch(file.stem)] or files


def _names(folders: Sequence[Path]) -> dict[Path, str]:
    """The shortest ends of paths that distinguish folders."""
    names = {folder: folder.name for folder in folders}
    length = 1
    while len(set(names.values())) < len(folders):
        length += 1
        names = {folder: "/".join(folder.parts[-length:]) for folder in folders}
    return names


def read_log(file: Path, system: str) -> Iterator[ModuleNode | Item]:
    """The nodes of a log; an entry that is not a node makes an item with a fault.

    Raises:
        InputError: the file cannot be read, or none of its entries is a node.
    """
    text = TextFile(file)
    listed = text.head.startswith("[")
    entries = (
        entries_of_list(file, load(file, text.whole())) if listed else entries_of_lines(file, text.lines())
    )
    trouble, has_entry = "no entry in it", False
    for _, own in groupby(_collected(file, system, entries), key=_place_of):
        for found in _with_notes(list(own)):
            if isinstance(found, Item):
                trouble = found.faults[0].text
            has_entry = has_entry or isinstance(found, ModuleNode)
            yield found
    if not has_entry:
        raise InputError(f"{file}: {trouble}")


def _collected(file: Path, system: str, entries: Iterable[Entry]) -> Iterator[ModuleNode | Item]:
    named = OF_A_QUESTION.fullmatch(file.stem)
    known = {"question_id": int(named[1]), "db_id": named[2]} if named else {}
    for entry in entries:
        adapter = adapter_for(entry.fields)
        if adapter is None:
            trouble = entry.trouble or f"{entry.where}: neither a node of NL2SQLBench nor a list of samples"
            yield unreadable(system, entry.where, trouble)
            continue
        # What the fields do not say of the question, the name of the file does.
        told = {name: value for name, value in entry.fields.items() if value is not None}
        try:
            yield from adapter({**known, **told}, system)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            kind = "" if type(error) is ValueError else f"{type(error).__name__}: "
            yield unreadable(system, entry.where, f"{entry.where}: {kind}{error}")


def _place_of(found: ModuleNode | Item) -> tuple[str, str, str]:
    return found.place if isinstance(found, ModuleNode) else (found.source, "", str(found.question_id))


def _with_notes(found: Sequence[ModuleNode | Item]) -> list[ModuleNode | Item]:
    """The nodes of a question with what its evaluation says of their modules; other notes stay nodes."""
    nodes = [each for each in found if isinstance(each, ModuleNode)]
    notes = {node.module: node for node in nodes if node.is_note}
    gold = next((node.gold_sql for node in nodes if node.gold_sql), "")
    given = {node.module for node in nodes if not node.is_note}
    return [
        _noted(each, notes.get(each.module), gold) if isinstance(each, ModuleNode) else each
        for each in found
        if isinstance(each, Item) or not each.is_note or each.module not in given
    ]


def _noted(node: ModuleNode, note: ModuleNode | None, gold: str) -> ModuleNode:
    executed = node.executed or (note.executed if note else None)
    return replace(node, gold_sql=node.gold_sql or gold, executed=executed)


def items_of_logs(files: Sequence[Path], golds: GoldBook | None = None) -> Iterator[Item]:
    """The pairs that logs hold; an entry that is not a node makes an item with a fault.

    With questions given, theirs are the gold queries, and each has an item for each system.

    Raises:
        InputError: a file cannot be read, none of its entries is a node, or its questions cannot be told.
    """
    nodes = (each for file, system in logs_in(files) for each in _named(file, system, golds is not None))
    yield from _once(items_of(nodes) if golds is None else _Joined(golds, files).items(nodes))


def _named(file: Path, system: str, has_golds: bool) -> Iterator[ModuleNode | Item]:
    """The nodes of a log, whose questions must be known by id unless their gold file is at hand."""
    for found in read_log(file, system):
        if isinstance(found, ModuleNode) and found.question_id is None and not has_golds:
            names = "its questions by text alone, without question_id and db_id"
            raise InputError(
                f"{file}: names {names}: give their file with --gold, or call the log <id>_<db>.json"
            )
        yield found


def items_of(nodes: Iterable[ModuleNode | Item]) -> Iterator[Item]:
    """The pairs that nodes hold.

    A module that gave no query where it should makes an item with a fault.
    """
    for node in nodes:
        yield from [node] if isinstance(node, Item) else _items(node)


def _items(node: ModuleNode) -> Iterator[Item]:
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


def _queries(node: ModuleNode) -> list[tuple[str, list[Fault]]]:
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

    def items(self, nodes: Iterable[ModuleNode | Item]) -> Iterator[Item]:
        index = QuestionIndex.of(
            NamedQuestion((place, gold), gold.id, gold.db_id, _text(gold))
            for place, gold in self.golds.placed()
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

    def _items(self, node: ModuleNode, met: Sequence[tuple[int, GoldQuestion]]) -> Iterator[Item]:
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


def _text(gold: GoldQuestion) -> str:
    text = gold.entry.fields.get("question")
    return text if isinstance(text, str) else ""


def _without_gold(node: ModuleNode, sql: str, faults: Sequence[Fault]) -> Item:
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
