"""Collecting: what each module of a system gave for each question, in one form for all systems.

Source: NL2SQLBench, section 3.2 and appendix A.1: nodes ``{node_type, question, extracted_schema, SQL,
token_cost, llm_calls}``, with its code's ``{question_id, db_id, PREDICTED_SQL, GOLD_SQL, prompt_tokens,
completion_tokens, cost}`` beside them.  A system that logs otherwise needs an adapter and
nothing else; the one for ``{pred_sqls: […]}`` reads the candidates of sampling systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.files import json_lines, load_json, read_text
from equiv.records.item import Item, JsonValue


class Module(StrEnum):
    """The modules, in the order in which a question passes them."""

    SELECTION = "schema_selection"
    GENERATION = "candidate_generation"
    REVISION = "query_revision"


@dataclass(frozen=True, slots=True)
class Node:
    """What one module of one system gave for one question, and what it took."""

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
    named = {"node_type": Module.GENERATION, "SQL": list(entry["pred_sqls"])}
    gold = entry.get("gold_sql") or entry.get("SQL") or entry.get("query") or ""
    rest = {name: value for name, value in entry.items() if name not in ("SQL", "query")}
    return from_node({**rest, **named, "gold_sql": gold}, system)


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


def items_of(nodes: Iterable[Node]) -> Iterator[Item]:
    """The pairs that nodes hold: each query of a system once for a question."""
    seen = set()
    for node in nodes:
        for sql in node.candidates:
            if (node.place, sql) not in seen:
                seen.add((node.place, sql))
                yield Item(
                    source=node.system,
                    question_id=node.question_id,
                    db_id=node.db_id,
                    predicted_sql=sql,
                    gold_sql=node.gold_sql,
                    question=node.question,
                    difficulty=node.difficulty,
                )
