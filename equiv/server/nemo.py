"""Rows in, rewards out, as NeMo-Gym asks resources servers (https://github.com/NVIDIA-NeMo/Gym)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from equiv.replies.extract import Prediction
from equiv.rewards.completion import query_of
from equiv.rewards.fields import GOLD_FIELDS, first_of
from equiv.rewards.policy import Outcome, Policy
from equiv.rewards.reward import Finding
from equiv.server.databases import Places
from equiv.server.pair_task import Task

GOLD = ("gt_sql", *GOLD_FIELDS)
NAMES = ("db_id", "db", "database")
SCHEMAS = ("sql_context", "schema", "ddl")

_POLICY = Policy()


def asked(row: Mapping[str, Any], places: Places) -> tuple[str, Task | Finding]:
    """The query of a model's response, and the pair that it makes, or what is plain without asking.

    Args:
        row: the fields of the row, and ``response``.
        places: where databases are.

    Raises:
        InputError: an option of the operator has no such value.
    """
    query = query_of("\n".join(_texts(row["response"])))
    gold = first_of(row, GOLD)
    if not isinstance(gold, str) or not gold.strip():
        return query, Finding(Outcome.TROUBLE, reason="GOLD_INVALID", detail="the row has no gold query")
    if not query:
        return query, Finding(Outcome.NO_QUERY, "invalid", "parse", failure_code="PRED_EMPTY")
    name, ddl = first_of(row, NAMES), first_of(row, SCHEMAS)
    if isinstance(name, str) and places.has(name):
        return query, places.tasks([(Prediction(query), gold)], name, "", {})[0]
    if isinstance(ddl, str) and ddl.strip():
        return query, places.tasks([(Prediction(query), gold)], "", ddl, {})[0]
    return query, trouble("the row names no database that is here, and has no schema")


def trouble(why: str) -> Finding:
    """The finding on a row or set-up that is wrong: no prediction's fault, and rewarded as such."""
    return Finding(Outcome.TROUBLE, reason="INTERNAL", detail=why)


def rewarded(row: Mapping[str, Any], query: str, found: Finding) -> dict[str, Any]:
    """The row with its reward and why, as NeMo-Gym wants it back."""
    told = asdict(found) | {"outcome": found.outcome.value}
    return {**row, "reward": _POLICY.worth(found.outcome), "extracted_sql": query, **told}


def _texts(response: Mapping[str, Any]) -> Iterator[str]:
    """What a response of the Responses API says: the texts of its messages, not its reasoning."""
    match response:
        case {"output": list(items)}:
            for item in items:
                match item:
                    case {"type": "message", "content": list(parts)}:
                        yield from (part["text"] for part in parts if _is_text(part))
                    case {"type": "message", "content": str(text)}:
                        yield text
        case {"output_text": str(text)}:
            yield text


def _is_text(part: object) -> bool:
    match part:
        case {"type": "output_text", "text": str()}:
            return True
    return False
