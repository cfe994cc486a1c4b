"""Statements of a proof tried on a database: a choice of rows that breaks one shows that a prover is wrong.

A wrong statement is far easier to see than a wrong proof: it speaks of single rows, and breaks on databases
on which both queries happen to answer alike.  The evaluator shares nothing with what made the statements
but the terms of the algebra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from equiv.algebra.evaluate import (
    ConcreteRow,
    Environment,
    Evaluator,
    MeaninglessError,
    TooMuchError,
)
from equiv.algebra.terms import Answer, sites
from equiv.algebra.world import Alike, Claim, Stated
from equiv.core.runner import RunnerError

MAX_CHOICES = 200
"""How many choices of rows that meet its conditions one statement is tried on, a database."""

MAX_ROWS = 5_000
"""Bags of more rows than this are not compared."""

_ERRORS = (MeaninglessError, TooMuchError, RunnerError, OverflowError)
"""What a database may do to a statement that says nothing of it: overflow, or a value that has no meaning or
takes too long."""


@dataclass(frozen=True, slots=True)
class BrokenStatement:
    """A statement that is false for some choice of rows."""

    stated: Stated
    choice: str
    """The rows, for people."""


@dataclass(slots=True)
class Trials:
    """Counts of tried statements and choices of rows, and the statements that broke; trials add up."""

    statements: int = 0
    """Statements tried, once for each database."""
    choices: int = 0
    """Choices of rows that met the conditions of a statement."""
    broken: list[BrokenStatement] = field(default_factory=list)

    def add(self, other: Trials) -> None:
        """Add what came of other trials."""
        self.statements += other.statements
        self.choices += other.choices
        self.broken += other.broken


def try_statements(stated: Iterable[Stated], evaluator: Evaluator, limit: int = MAX_CHOICES) -> Trials:
    """Try statements on the evaluator's database, up to the first that breaks.

    Statements that speak of ties or of variables without a row say nothing of one database and are passed
    over, and so is a choice of rows for which SQLite's arithmetic rounds or overflows.

    Args:
        stated: the statements.
        evaluator: computes on a database that the facts allow.
        limit: how many choices of rows each is tried on.
    """
    trials = Trials()
    for each in stated:
        statement = each.statement
        if statement.makes_choices() or statement.unbound():
            continue
        trials.statements += 1
        evaluator.begin()
        choices = evaluator.choices(statement.rows, statement.given, {})
        for choice in islice(_until_error(choices), limit):
            trials.choices += 1
            if _breaks(statement, choice, evaluator):
                trials.broken.append(BrokenStatement(each, _shown(choice)))
                return trials
    return trials


def _until_error(choices: Iterable[Environment]) -> Iterable[Environment]:
    try:
        yield from choices
    except _ERRORS:
        return


def _breaks(statement: Claim | Alike, choice: Environment, evaluator: Evaluator) -> bool:
    evaluator.begin()
    try:
        holds = _holds(statement, choice, evaluator)
    except _ERRORS:
        return False
    return not holds and not evaluator.rounded


def _holds(statement: Claim | Alike, choice: Environment, evaluator: Evaluator) -> bool:
    match statement:
        case Claim(goal=goal):
            return evaluator.truth(goal, choice) is True
        case Alike(left=left, right=right):
            sides = [list(islice(evaluator.rows_of(bag, choice), MAX_ROWS)) for bag in (left, right)]
            return max(map(len, sides)) == MAX_ROWS or _are_alike(statement, sides[0], sides[1])


def _are_alike(statement: Alike, left: Sequence[ConcreteRow], right: Sequence[ConcreteRow]) -> bool:
    if statement.likeness == "exists":
        return not left or bool(right)
    mine, theirs = (Counter(_key(row, statement) for row in rows) for rows in (left, right))
    match statement.likeness:
        case "bag":
            return mine == theirs
        case "set":
            return set(mine) == set(theirs)
    return set(mine) <= set(theirs)


def _key(row: ConcreteRow, statement: Alike) -> tuple[object, ...]:
    cells = row[: statement.width]
    if statement.exactly:
        return tuple((type(cell), cell) for cell in cells)
    return tuple((int if isinstance(cell, float) else type(cell), cell) for cell in cells)


def _shown(choice: Environment) -> str:
    rows = ((row, cells if isinstance(cells, tuple) else cells.values()) for row, cells in choice.items())
    return "; ".join(f"{row} = {tuple(cells)}" for row, cells in rows)


def rows_of_answer(answer: Answer, evaluator: Evaluator) -> list[ConcreteRow] | None:
    """The rows of a query in the algebra, in any order; None if a free choice decides, or it takes too long.

    They are open where a choice among tied rows may make them, or where a REAL had to be rounded.
    """
    evaluator.begin()
    if sites(answer) or answer.limit is not None or answer.offset:
        return None
    try:
        found = evaluator.rows(answer)
    except _ERRORS:
        return None
    return None if evaluator.rounded else found
