"""Collecting: what each module of a system gave for each question, in one form for all systems.

Source: NL2SQLBench, section 3.2 and appendix A.1: nodes ``{node_type, question, extracted_schema, SQL,
token_cost, llm_calls}``, and what its released code collects: one file ``<id>_<db>.json`` a question with
``{node_type, PREDICTED_SQL, GOLD_SQL, total_tokens, call_llm_times}``, called ``schema_extraction``,
``candidate_generation``, ``revision`` and ``evaluation``.  A system that logs otherwise needs an adapter and
nothing else; the one for ``{pred_sqls: […]}`` reads the candidates of sampling systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from equiv.records.item import JsonValue


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
    """What a log says that executing a query came to."""

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
    return {table.lower(): frozenset(column.lower() for column in own) for table, own in schema.items()}


def adapter_for(entry: Mapping[str, Any]) -> Adapter | None:
    """The adapter for logs whose entries look like this one."""
    if "node_type" in entry:
        return from_node
    return from_samples if "pred_sqls" in entry else None
