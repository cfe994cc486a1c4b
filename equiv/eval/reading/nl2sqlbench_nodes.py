"""Collecting: what each module of a system gave for each question, in one form for all systems.

Source: NL2SQLBench, section 3.2 and appendix A.1: nodes ``{node_type, question, extracted_schema, SQL,
token_cost, llm_calls}``, with its code's ``{question_id, db_id, PREDICTED_SQL, GOLD_SQL, prompt_tokens,
completion_tokens, cost}`` beside them.  A system that logs otherwise needs an adapter and
nothing else; the one for ``{pred_sqls: […]}`` reads the candidates of sampling systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.reading.entries import unreadable
from equiv.eval.reading.loading import entries_of_lines, entries_of_list, load
from equiv.eval.reading.text_file import TextFile
from equiv.eval.store.temporary_tables import digest_of, temporary_tables
from equiv.files import json_lines, load_json, read_text
from equiv.records.item import Fault, FaultKind, Item, JsonValue


class Module(StrEnum):
    """The modules, in the order in which a question passes them."""

    SELECTION = "schema_selection"
    GENERATION = "candidate_generation"
    REVISION = "query_revision"


@dataclass(frozen=True, slots=True)
class Node:
    """The output of one module of one system for one question, with its cost."""

    system: str
    question_id: JsonValue
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

    @property
    def place(self) -> tuple[str, str, str]:
        """The question: system, database, id."""
        return self.system, self.db_id, str(self.question_id)


Adapter = Callable[[Mapping[str, Any], str], Node]
"""Makes a node of an entry of a log and the system's name; raises KeyError and the like for another form."""


def from_node(entry: Mapping[str, Any], system: str) -> Node:
    """A node in NL2SQLBench's own form; upper and lower case of field names are one."""
    own = {name.lower(): value for name, value in entry.items()}
    sql = own.get("predicted_sql", own.get("sql"))
    schema = own.get("extracted_schema")
    tokens = own.get("token_cost") or (own.get("prompt_tokens") or 0) + (own.get("completion_tokens") or 0)
    return Node(
        str(own.get("method") or system),
        own["question_id"],
        str(own["db_id"]),
        Module(own["node_type"]),
        tuple(map(str, sql if isinstance(sql, list) else [] if sql is None else [sql])),
        None if schema is None else _lowered(schema),
        str(own.get("gold_sql") or ""),
        str(own.get("question") or ""),
        own.get("difficulty"),
        int(tokens),
        int(own.get("llm_calls") or 0),
        float(own.get("cost") or 0),
    )


def from_samples(entry: Mapping[str, Any], system: str) -> Node:
    """The candidates of a system that samples several: ``{pred_sqls, …}`` (Arctic-Text2SQL, OmniSQL)."""
    own = {name.lower(): value for name, value in entry.items()}
    gold = own.get("gold_sql") or own.get("sql") or own.get("query") or ""
    named = {"node_type": Module.GENERATION, "sql": list(own["pred_sqls"]), "gold_sql": gold}
    return from_node({**own, **named}, system)


def _lowered(schema: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {table.lower(): frozenset(column.lower() for column in own) for table, own in schema.items()}


def adapter_for(entry: Mapping[str, Any]) -> Adapter | None:
    """The adapter for logs whose entries look like this one."""
    if "node_type" in entry:
        return from_node
    return from_samples if "pred_sqls" in entry else None


def read_nodes(files: Iterable[Path]) -> Iterator[Node]:
    """The nodes of logs: JSON lists or JSON lines; a folder means its ``.json`` and ``.jsonl`` files.

    The system is called as the entries say, else as the folder of the file.

    Raises:
        InputError: a file cannot be read, or an entry has none of the known forms.
    """
    for path in files:
        for file in _logs_in(path):
            text = read_text(file)
            listed = text.lstrip()[:1] == "["
            entries = load_json(file, text) if listed else [entry for _, entry in json_lines(file, text)]
            for number, entry in enumerate(entries):
                yield _node(entry, file.resolve().parent.name, f"{file}: entry {number}")


def _logs_in(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))


def _node(entry: Any, system: str, where: str) -> Node:
    adapter = adapter_for(entry) if isinstance(entry, dict) else None
    if adapter is None:
        raise InputError(f"{where}: neither a node of NL2SQLBench nor a list of samples")
    try:
        return adapter(entry, system)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where}: {type(error).__name__}: {error}") from None


def items_of_logs(files: Iterable[Path]) -> Iterator[Item]:
    """The pairs that logs hold, see :func:`items_of`; an entry that is no node makes an item with a fault.

    Raises:
        InputError: a file cannot be read, or none of its entries is a node.
    """
    yield from items_of(each for path in files for file in _logs_in(path) for each in _read_log(file))


def _read_log(file: Path) -> Iterator[Node | Item]:
    text, system = TextFile(file), file.resolve().parent.name
    listed = text.head.startswith("[")
    entries = (
        entries_of_list(file, load(file, text.whole())) if listed else entries_of_lines(file, text.lines())
    )
    trouble, has_entry = "no entry in it", False
    for entry in entries:
        try:
            node = _node(entry.fields, system, entry.where)
        except InputError as error:
            trouble = entry.trouble or str(error)
            yield unreadable(system, entry.where, trouble)
        else:
            has_entry = True
            yield node
    if not has_entry:
        raise InputError(f"{file}: {trouble}")


def items_of(nodes: Iterable[Node | Item]) -> Iterator[Item]:
    """The pairs that nodes hold: each query of a system once for a question.

    A module that gave no query where it should makes an item with a fault.
    """
    with closing(temporary_tables("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")) as tables:
        for node in nodes:
            for item in [node] if isinstance(node, Item) else _items(node):
                name = digest_of([item.source, item.db_id, str(item.question_id), item.predicted_sql])
                if tables.execute("INSERT OR IGNORE INTO seen VALUES (?)", (name,)).rowcount:
                    yield item


def _items(node: Node) -> Iterator[Item]:
    missing = not node.candidates and node.module is not Module.SELECTION
    fault = Fault(FaultKind.NO_PREDICTION, f"{node.module} gives no query")
    for sql in node.candidates or ([""] if missing else []):
        yield Item(
            source=node.system,
            question_id=node.question_id,
            db_id=node.db_id,
            predicted_sql=sql,
            gold_sql=node.gold_sql,
            question=node.question,
            difficulty=node.difficulty,
            faults=(fault,) if missing else (),
        )
