"""A row of the table of operators and functions, and a call that a row is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import call
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.numbers.singles import is_cut, widened
from equiv.dialects.typed.lowering.types import FLOATS, INTEGERS, NUMBERS, STAMPS, TEXTS
from equiv.dialects.typed.tree import Call, Constant, Expr

Types = frozenset[str]
ANY_INT, NUMERIC, FLOAT, NUMBER = INTEGERS, frozenset(("numeric",)), FLOATS, NUMBERS
TEXT, BPCHAR, DATE, STAMP = TEXTS, frozenset(("bpchar",)), frozenset(("date",)), STAMPS
INTERVAL, BOOL, TIME = frozenset(("interval",)), frozenset(("bool",)), frozenset(("time",))


@dataclass(frozen=True)
class Given:
    """A call: its typed arguments, and how they are lowered."""

    call: Call
    place: Place

    def value(self, index: int) -> exp.Expression:
        """An argument in the core."""
        from equiv.dialects.typed.lowering.expressions import lowered

        value = self.call.arguments[index]
        found = lowered(value, self.place)
        mixes = {"float4", "float8"} == {*self.call.routine.arguments}
        return widened(value, found) if mixes or is_cut(self.call) else found

    def values(self) -> list[exp.Expression]:
        """All arguments in the core."""
        return [self.value(index) for index in range(len(self.call.arguments))]

    def literal(self, index: int) -> str:
        """The text of an argument that must be constant.

        Raises:
            UnsupportedError: it is none.
        """
        found = constant_of(self.call.arguments[index])
        if found is None or found.text is None:
            raise UnsupportedError("Func", f"{self.call.routine.name} with an argument that is no constant")
        return found.text


def constant_of(value: Expr) -> Constant | None:
    """The constant that an expression is, under casts among integers."""
    while isinstance(value, Call) and value.cast and value.routine.name in INTEGERS:
        value = value.arguments[0]
        if value.type.name not in INTEGERS:
            return None
    return value if isinstance(value, Constant) else None


@dataclass(frozen=True)
class Meaning:
    """A row: names, the types of the arguments, what the core computes, and why that agrees."""

    names: tuple[str, ...]
    arguments: tuple[Types, ...]
    build: Callable[[Given], exp.Expression]
    why: str


def same(given: Given) -> exp.Expression:
    """The argument itself."""
    return given.value(0)


def binary(node: type[exp.Expression]) -> Callable[[Given], exp.Expression]:
    """A node of two arguments."""
    return lambda given: node(this=given.value(0), expression=given.value(1))


def function(name: str) -> Callable[[Given], exp.Expression]:
    """A function of the core of all arguments."""
    return lambda given: call(name, *given.values())
