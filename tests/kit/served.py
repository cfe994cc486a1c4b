"""Pairs and schema of the tests of the service, and a desk whose worker is played.

Importing this skips a module of tests where the extra is not installed.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

for _library in ("starlette", "uvicorn", "prometheus_client"):
    pytest.importorskip(_library, reason="the extra 'server' is not installed")

from starlette.testclient import TestClient

from equiv.relation import resolve_relation
from equiv.server.dispatcher import Dispatcher, _Asked
from equiv.server.pair_task import PairAnswer, Task, answer_of
from equiv.server.settings import ServiceSettings
from equiv.verdict import Reason, Undecided
from equiv.workers.lanes import Lane

__all__ = ["DDL", "ENDLESS", "OTHER", "SAME", "PlayedDesk", "TestClient", "check", "task"]

DDL = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT, power INTEGER)"
SAME = {
    "pred": "SELECT name FROM hero WHERE id IN (1, 2)",
    "gold": "SELECT name FROM hero WHERE id = 1 OR id = 2",
}
OTHER = {"pred": "SELECT name FROM hero WHERE power > 1", "gold": "SELECT name FROM hero WHERE power >= 1"}
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"


def check(client: TestClient, **fields: Any) -> dict[str, Any]:
    """The record of a pair; on DDL unless a database is named."""
    given = {} if "db" in fields or "schema" in fields else {"schema": DDL}
    answer = client.post("/v1/check", json={**given, **fields})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def task(pred: str, gold: str = "SELECT name FROM hero") -> Task:
    """A pair on DDL."""
    settings = ServiceSettings()
    return Task(pred, gold, DDL, "", b"", settings.options)


class PlayedDesk(Dispatcher):
    """A desk whose worker answers when it is let, and tells what it was given."""

    def __init__(self, settings: ServiceSettings, metrics: Any) -> None:
        super().__init__(settings, metrics)
        self.begun: list[str] = []
        self.let = asyncio.Event()
        self.endless: set[str] = set()

    async def _warm(self, lane: Lane) -> None:
        pass

    async def _work(self, _: Lane, asked: _Asked) -> PairAnswer:
        self.begun.append(asked.task.pred)
        await self.let.wait()
        if asked.task.pred in self.endless:
            await asyncio.Event().wait()
        relation = resolve_relation("bag", gold_orders=False)
        return answer_of(
            asked.task, Undecided(relation=relation, reason=Reason.NO_PROOF, detail="played"), "x"
        )
