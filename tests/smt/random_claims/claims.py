"""Random claims about rows: what is given and what is said to follow, and what is observed on a database."""

from __future__ import annotations

from math import isfinite
from typing import Any

from smt.random_claims.changes import Changes
from smt.random_claims.world import ABOVE, BOUND, DERIVED, DISTINCT, ONE, TWO

from equiv.algebra.evaluate import ConcreteValue, Evaluator, MeaninglessError
from equiv.algebra.terms import NULL, Compare, Constant, Expression, Field, IsTrue, Or, integer, walk
from equiv.core.runner import RunnerError


class Claims(Changes):
    """Makes claims."""

    def claim(self) -> tuple[Expression, tuple[Expression, ...]]:
        """A goal and what is given."""
        given = tuple(self.condition(1) for _ in range(self.random.choice((0, 0, 1, 1, 2))))
        kind = self.random.random()
        if kind < 0.25:
            left = self.value(2)
            return Compare("IS", left, self.varied(left)), given
        if kind < 0.6:
            condition = self.condition(2)
            return Compare("IS", IsTrue(condition), IsTrue(self.varied(condition))), given
        if kind < 0.8:
            strong = self.condition(2)
            return self.weaker(strong), (*given, strong)
        if kind < 0.9:
            parts = tuple(self.condition(1) for _ in range(3))
            return Or((*parts, self.opposite(parts[0]))), given
        return self.condition(2), given

    def observed(self) -> tuple[Expression, ...]:
        """What some expressions are on rows of a database, and maybe what the fields in them are."""
        expressions = [
            self.condition(2),
            self.value(2),
            self.varied(self.value(2)),
            self.varied(self.condition(1)),
        ]
        expressions = self.random.sample(expressions, self.random.randint(1, 3))
        fields = [
            each
            for node in expressions
            for each in walk(node)
            if isinstance(each, Field) and each.row in BOUND
        ]
        if self.random.random() < 0.7:
            expressions += dict.fromkeys(field for field in fields if self.random.random() < 0.85)
        tables = self.rows()
        evaluator = Evaluator(tables)  # type: ignore[arg-type]
        rows: Any = {ONE: self.random.choice(tables["child"]), TWO: self.random.choice(tables["child"])}
        rows[ABOVE] = self.random.choice(tables["parent"])
        derived = evaluator.source(DERIVED, {})
        if not derived:
            return ()
        rows[DISTINCT] = self.random.choice(derived)
        found = []
        for expression in expressions:
            try:
                cell = evaluator.value(expression, rows)
                if not (self.exact and _is_rounded(cell)):
                    found.append(Compare("IS", expression, _literal(cell)))
            except (MeaninglessError, RunnerError, OverflowError):
                continue
        return tuple(found)


def _is_rounded(cell: ConcreteValue) -> bool:
    """Whether a number may have been rounded, so that exact arithmetic has another one."""
    return isinstance(cell, float) and isfinite(cell) and cell * 1024 != int(cell * 1024)


def _literal(cell: ConcreteValue) -> Constant:
    match cell:
        case None:
            return NULL
        case int():
            return integer(cell)
        case float():
            if cell in (float("inf"), float("-inf")):
                raise OverflowError
            return Constant("real", repr(cell))
        case bytes():
            return Constant("blob", cell.hex())
    return Constant("text", cell)
