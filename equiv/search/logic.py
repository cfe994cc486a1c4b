"""Three-valued logic over a circuit.

That of :mod:`equiv.smt.logic` is another by right: its formulas are text for a solver, these are literals
that share a circuit; and a truth value says here when it is NULL, so that what never is costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.search.circuit import FALSE, Circuit, Literal
from equiv.search.values import Value, Values


@dataclass(frozen=True, slots=True)
class Truth:
    """A three-valued truth value as two literals: whether it is true, and whether it is NULL."""

    true: Literal
    null: Literal = FALSE


def as_truth(values: Values, value: Value) -> Truth:
    """A value as a condition."""
    is_true = values.cells.is_true
    true = values.circuit.any([literal for number, literal in value.cases.items() if is_true(number)])
    return Truth(true, values.null(value))


def of_truth(values: Values, truth: Truth) -> Value:
    """A truth value as a value: 1, 0 or NULL."""
    cells, false = values.cells, values.circuit.both(-truth.true, -truth.null)
    return values.gather([(cells.one, truth.true), (cells.zero, false), (cells.null, truth.null)])


def conjunction(circuit: Circuit, parts: Sequence[Truth]) -> Truth:
    """AND of some truth values."""
    true = circuit.all([part.true for part in parts])
    possible = circuit.all([circuit.either(part.true, part.null) for part in parts])
    return Truth(true, circuit.both(possible, -true))


def negated(circuit: Circuit, part: Truth) -> Truth:
    """NOT of a truth value."""
    return Truth(circuit.both(-part.true, -part.null), part.null)


def compared(values: Values, operator: str, left: Value, right: Value) -> Truth:
    """A comparison by one of the operators of the algebra: ``=``, ``<``, ``<=``, ``IS``."""
    circuit = values.circuit
    if operator == "IS":
        return Truth(values.is_(left, right))
    null = circuit.either(values.null(left), values.null(right))
    match operator:
        case "=":
            return Truth(values.equal(left, right), null)
        case "<":
            return Truth(values.less(left, right), null)
    # Of two values that are not NULL one sorts before the other, or they are equal.
    return Truth(circuit.both(-null, -values.less(right, left)), null)
