"""Literals that have names, and AND and OR of parts."""

from __future__ import annotations

from collections.abc import Iterable

from equiv.algebra.terms.nodes import And, Constant, Expression, Or

NULL = Constant("null")

TRUE = Constant("integer", "1")

FALSE = Constant("integer", "0")


def integer(value: int) -> Constant:
    """An integer literal."""
    return Constant("integer", str(value))


def conjunction(parts: Iterable[Expression]) -> Expression:
    """The AND of some truth values, flattened, without TRUE; FALSE if one of them is."""
    flat: dict[Expression, None] = {}
    for part in parts:
        for each in part.parts if isinstance(part, And) else (part,):
            if each == FALSE:
                return FALSE
            if each != TRUE:
                flat[each] = None
    found = tuple(flat)
    if not found:
        return TRUE
    return found[0] if len(found) == 1 else And(found)


def disjunction(parts: Iterable[Expression]) -> Expression:
    """The OR of some truth values, without FALSE; TRUE if one of them is."""
    found = tuple(dict.fromkeys(part for part in parts if part != FALSE))
    if TRUE in found:
        return TRUE
    if not found:
        return FALSE
    return found[0] if len(found) == 1 else Or(found)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of a condition that must all be true."""
    if condition == TRUE:
        return ()
    return condition.parts if isinstance(condition, And) else (condition,)
