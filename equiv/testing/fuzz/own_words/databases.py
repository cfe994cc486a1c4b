"""Databases of a world on the engine of its dialect, pairs that part there, and texts that are misread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from equiv.answers.answers import Arithmetic, Finding, Plan, explains, find
from equiv.answers.choices import register
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Result, RunnerError
from equiv.dialects.protocol import DialectEngine, Session
from equiv.relation import Relation, Rows
from equiv.testing.fuzz.own_words.worlds import UNLESS_TAKEN, World
from equiv.tiers.bindings import signed
from equiv.tiers.trial_database import CAPS

Answers = tuple[Result, Result]
"""What the queries of a pair answer, or a text on the engine and its reading on the core."""

_EXACT = Arithmetic(exact=True, bounded=True)


@dataclass(frozen=True, slots=True)
class Parting:
    """A database, as a script, on which two answers part that should not."""

    script: str
    rows: tuple[tuple[Row, ...], tuple[Row, ...]]


class Asked:
    """An open database that is asked about texts, each once.

    Args:
        session: the database.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answers: dict[str, Result | Failure] = {}

    def parted(self, pair: Pair) -> Answers | None:
        """The answers of a pair where they part, whatever choices are made; None where one is an error."""
        pred, gold = (self._of(query.sql) for query in (pair.pred, pair.gold))
        if isinstance(pred, Failure) or isinstance(gold, Failure):
            return None
        if are_same(pair, pred.rows, gold.rows) or self._is_open(pair, (pred, gold)):
            return None
        return pred, gold

    def _is_open(self, pair: Pair, answers: Answers) -> bool:
        """Whether free choices or rounding explain that two answers part.

        The core then tells the queries not apart, and each answer is one that the core allows.
        """
        if any(plan.opaque for plan in pair.plans):
            return False
        core, exact = self._core, pair.exact_arithmetic
        if find(core, *pair.plans, pair.relation, CAPS, exact_arithmetic=exact) is Finding.APART:
            return False
        sides = zip((pair.pred, pair.gold), pair.plans, answers, strict=True)
        return all(explains(core, plan, CAPS, signed(found, query)) for query, plan, found in sides)

    def misread(self, query: Query, plan: Plan) -> Answers | None:
        """The answers of a text and of its reading, where the core does not allow what the engine answers.

        None also where either is an error, or rounding explains it.
        """
        found = self._of(query.sql)
        if plan.opaque or isinstance(found, Failure) or explains(self._core, plan, CAPS, found):
            return None
        ours = self._core.run(plan.sql, CAPS)
        if isinstance(ours, Failure) or (plan.computes and explains(self._core, plan, CAPS, found, _EXACT)):
            return None
        return found, ours

    @cached_property
    def _core(self) -> Guarded:
        found = self._session.core
        register(found.connection)
        return found

    def _of(self, text: str) -> Result | Failure:
        if text not in self._answers:
            self._answers[text] = self._session.run(text, CAPS)
        return self._answers[text]


def are_same(pair: Pair, pred: Sequence[Row], gold: Sequence[Row]) -> bool:
    """Whether the answers of a pair are the same under its relation."""
    rows = _told_apart(pred, pair.pred), _told_apart(gold, pair.gold)
    return same(*rows, pair.relation, (pair.pred.orders, pair.gold.orders))


def same(one: Sequence[Row], other: Sequence[Row], relation: Relation, orders: tuple[bool, bool]) -> bool:
    """Whether two answers are the same; a list only as far as both queries order their rows."""
    if relation.rows is not Rows.LIST or all(orders):
        return same_result(one, other, relation)
    if any(orders) and len(set(one)) > 1:
        return False
    return same_result(one, other, Relation(Rows.BAG, relation.columns))


def _told_apart(rows: Sequence[Row], query: Query) -> Sequence[Row]:
    """Rows whose values bear the name of their family, numbers apart: values of two are never equal."""
    families = [each.partition("(")[0] for each in query.types]
    marks = ["" if family == "number" else f"{family}: " for family in families]
    return [tuple(map(_marked, row, marks)) for row in rows] if any(marks) else rows


def _marked(cell: Cell, mark: str) -> Cell:
    return f"{mark}{cell!r}" if mark and cell is not None else cell


def kept_rows(world: World, rows: Sequence[str], engine: DialectEngine) -> list[str]:
    """The rows that the constraints of a world let in, in their order."""

    def runs(some: Sequence[str]) -> bool:
        try:
            engine.replay(script(world, some)).close()
        except RunnerError:
            return False
        return True

    if runs(rows):
        return list(rows)
    kept: list[str] = []
    for row in rows:
        if runs([*kept, row]):
            kept.append(row)
    return kept


def script(world: World, rows: Sequence[str]) -> str:
    """Tables and rows as one script."""
    return "\n".join((world.ddl, *rows)) + "\n"


Trial = Callable[[Asked], Answers | None]
"""What is wrong on a database; None if nothing is."""


def shrunk(
    trial: Trial, world: World, rows: Sequence[str], engine: DialectEngine, answers: Answers
) -> Parting:
    """The database on which answers part, without the rows that the difference does not need."""

    def tried(some: Sequence[str]) -> Parting | None:
        text = script(world, some)
        try:
            with engine.replay(text) as session:
                found = trial(Asked(session))
        except RunnerError:
            return None
        return None if found is None else Parting(text, (found[0].rows, found[1].rows))

    smallest, kept = Parting(script(world, rows), (answers[0].rows, answers[1].rows)), list(rows)
    for row in reversed(rows):  # first those that refer to others
        fewer = [each for each in kept if each is not row]
        smaller = tried(fewer)
        if smaller is not None:
            kept, smallest = fewer, smaller
    return tried([row.replace(UNLESS_TAKEN, "") for row in kept]) or smallest
