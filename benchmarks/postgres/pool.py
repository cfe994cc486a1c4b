"""Databases of one schema, side by side on PostgreSQL, asked about many texts, each text's answers kept."""

from __future__ import annotations

from collections import OrderedDict
from random import Random

from benchmarks.postgres.worlds import World
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.dialects.postgres.embedded import databases
from equiv.dialects.postgres.embedded.wire import Answer, WireError
from equiv.dialects.postgres.values import Family, cell_of, family_of
from equiv.relation import Relation, Rows

KEPT = 400
"""Of how many texts the answers are kept."""

Answered = tuple[Row, ...] | None
"""The rows of an answer; None where PostgreSQL raises."""


class Pool:
    """So many databases of a world, each in a schema of its own, in a transaction that is rolled back."""

    def __init__(self, world: World, seed: int, number: int) -> None:
        self._wire = databases.borrow()
        self._wire.execute("BEGIN; SET LOCAL statement_timeout = 3000")
        self._answers: OrderedDict[str, tuple[Answered, ...]] = OrderedDict()
        self.scripts: list[list[str]] = []
        for place in range(number):
            self._wire.execute(f"CREATE SCHEMA d{place}; SET LOCAL search_path = d{place}; {world.ddl}")
            kept = [each for each in world.rows(Random(f"{seed} {place}")) if self._inserted(each)]
            self.scripts.append([world.ddl, *kept])

    def _inserted(self, statement: str) -> bool:
        try:
            self._wire.execute(f"SAVEPOINT row; {statement}")
        except WireError:
            self._wire.execute("ROLLBACK TO row; RELEASE row")
            return False
        self._wire.execute("RELEASE row")
        return True

    def __len__(self) -> int:
        return len(self.scripts)

    def close(self) -> None:
        """Roll all back."""
        databases.give_back(self._wire)

    def parting(self, pair: Pair) -> tuple[int, Answered, Answered] | None:
        """The first database on which both texts answer, and not the same, with their answers."""
        orders = pair.pred.orders, pair.gold.orders
        answers = zip(self._of(pair.pred.sql), self._of(pair.gold.sql), strict=True)
        for place, (one, other) in enumerate(answers):
            if one is not None and other is not None and not same(one, other, pair.relation, orders):
                return place, one, other
        return None

    def _of(self, text: str) -> tuple[Answered, ...]:
        if text not in self._answers:
            if len(self._answers) >= KEPT:
                self._answers.popitem(last=False)
            self._answers[text] = tuple(self._answer(place, text) for place in range(len(self)))
        return self._answers[text]

    def _answer(self, place: int, text: str) -> Answered:
        try:
            found = self._wire.execute(f"SAVEPOINT asked; SET LOCAL search_path = d{place}; {text}")
        except WireError:
            self._wire.execute("ROLLBACK TO asked; RELEASE asked")
            return None
        return tuple(_row(row, found) for row in found.rows)


def same(one: tuple[Row, ...], other: tuple[Row, ...], relation: Relation, orders: tuple[bool, bool]) -> bool:
    """Whether two answers are the same; a list only as far as both queries order their rows."""
    if relation.rows is not Rows.LIST or all(orders):
        return same_result(one, other, relation)
    if any(orders) and len(set(one)) > 1:
        return False
    return same_result(one, other, Relation(Rows.BAG, relation.columns))


def _row(row: tuple[str | None, ...], found: Answer) -> Row:
    return tuple(_cell(value, kind) for value, kind in zip(row, found.types, strict=True))


def _cell(value: str | None, kind: int) -> Cell:
    """The cell, with the name of its family but for numbers: values of two families are never equal."""
    cell = cell_of(None if value is None else value.encode(), kind)
    family = family_of(kind)
    return cell if cell is None or family == Family.NUMBER else f"{family}: {cell}"
