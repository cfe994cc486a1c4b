"""Proof obligations: what was claimed, and the SMT-LIB script whose unsatisfiability shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Binding, Expression
from equiv.smt.logic import Formula
from equiv.smt.script import Symbol, text_of
from equiv.smt.show import shown


@dataclass(frozen=True, slots=True)
class Obligation:
    """One claim that was proved."""

    number: int
    text: str
    """The claim, for people."""
    smtlib: str
    """A complete script; it is unsatisfiable."""


def body(seen: dict[str, Symbol], asserted: Iterable[Formula]) -> str:
    """Declarations, definitions and assertions."""
    return "\n".join(text_of(seen, asserted))


def obligation(
    number: int, goal: Expression, given: Sequence[Expression], rows: Sequence[Binding], script: str
) -> Obligation:
    """An obligation from its parts."""
    where = ", ".join(f"{each.row} in {getattr(each.source, 'table', 'a derived table')}" for each in rows)
    lines = [f"for {where}" if where else "", *(f"if {shown(each)}" for each in given), f"then {shown(goal)}"]
    text = "\n".join(line for line in lines if line)
    return Obligation(number, text, f"(set-logic ALL)\n{script}\n(check-sat)\n")
