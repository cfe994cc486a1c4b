"""Predictions of several systems for one gold query, with verdicts as they are told."""

from __future__ import annotations

from typing import cast

from kit.result_records import result_record

from equiv.eval.gold.catalogue import Predicted
from equiv.eval.gold.finding import GoldQuery
from equiv.eval.worker import Results, SideWorker
from equiv.records.record import Record


class Told:
    """Stands for the worker: which predictions are right on the data, and which are proven the same."""

    def __init__(self, right: tuple[str, ...] = (), same: frozenset[str] = frozenset()) -> None:
        self.right = right
        self.same = same

    def results(self, _db_id: str, pred: str, _gold: str, _relation: str = "") -> Results:
        return Results(equal=pred in self.right)

    def proves_same(self, _db_id: str, _gold: str, one: str, other: str) -> bool:
        return one == other or {one, other} <= self.same


def predicted(*verdicts: str, told: Told | None = None, agreeing: int = 2) -> Predicted:
    """One prediction a system: its verdict, and its text if it is not ``P`` with the system's number."""
    records: list[Record] = []
    for number, each in enumerate(verdicts):
        verdict, _, text = each.partition(" ")
        records.append(result_record(verdict, source=f"s{number}", predicted_sql=text or f"P{number}"))
    return Predicted(
        GoldQuery("zoo", 1, "SELECT 1"), tuple(records), cast(SideWorker, told or Told()), agreeing
    )
