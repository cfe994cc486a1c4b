"""The expressions that true conditions make true, untrue, NULL or not NULL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from equiv.algebra.terms import (
    And,
    Expression,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    alpha,
)
from equiv.algebra.truths import not_null_if


@dataclass(frozen=True, slots=True)
class Known:
    """The expressions over the rows in scope that are known to be true, untrue, NULL or not NULL."""

    true: frozenset[Expression] = frozenset()
    """Keys of expressions that are true."""
    untrue: frozenset[Expression] = frozenset()
    """Keys of expressions that are false or NULL."""
    not_null: frozenset[Expression] = frozenset()
    null: frozenset[Expression] = frozenset()

    def and_also(self, conditions: Iterable[Expression]) -> Known:
        """The knowledge extended by the consequences of further true conditions."""
        true, untrue = set(self.true), set(self.untrue)
        not_null, null = set(self.not_null), set(self.null)
        for condition in _flat(conditions):
            true.add(alpha(condition))
            match condition:
                case Not(IsTrue(part)) | Not(part):
                    untrue.add(alpha(part))
                case IsNull(value):
                    null.add(alpha(value))
            not_null.update(not_null_if((condition,)))
        for value in not_null:
            if isinstance(value, Lookup):
                true.add(Found(value.table, value.key, value.values))
        return Known(frozenset(true), frozenset(untrue), frozenset(not_null), frozenset(null))


def _flat(conditions: Iterable[Expression]) -> Iterator[Expression]:
    for condition in conditions:
        match condition:
            case And(parts):
                yield from _flat(parts)
            case IsTrue(part):
                yield from _flat((part,))
            case _:
                yield condition
