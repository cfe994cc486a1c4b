"""A row of the table of operators and functions, and a call that a row is for, at one place of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.numbers import is_cut, widened
from equiv.names import UniqueNames

Routines = Callable[[t.RoutineCall, "LoweringPlace"], exp.Expression]
"""Lowers a call, or raises UnsupportedError."""


@dataclass
class State:
    """The state of the lowering of one query.

    Attributes:
        names: gives aliases.
        cte_names: gives names of common table expressions, which are not table's.
        sources: by number, the alias of a source and the names of its columns.
        joins: by number, the joins whose columns expressions may name.
        ctes: by number, the name of a common table expression and those of its columns.
        routines: by schema, what lowers calls of routines that are not PostgreSQL's.
        kinds: by source and place, from 1, the types of the columns that are mentioned.
        symbols: by signature, the calls without a meaning that are symbols; None: they are refused.
        choosing: the recursive common table expressions that choose among rows, by number, counted.
    """

    schema: Schema
    names: UniqueNames
    cte_names: UniqueNames
    sources: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    joins: dict[int, t.Joined] = field(default_factory=dict)
    ctes: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    routines: Mapping[str, Routines] = field(default_factory=dict)
    kinds: Mapping[tuple[int, int], t.Type] = field(default_factory=dict)
    symbols: dict[str, t.Expr] | None = None
    choosing: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class LoweringPlace:
    """A place in a query.

    Attributes:
        subject: what CASE compares, within its branches.
        missing: keys of GROUP BY that the grouping set at hand lacks: there they are NULL.
        known: expressions that are columns of a derived table already.
    """

    state: State
    subject: t.Expr | None = None
    missing: frozenset[t.Expr] = frozenset()
    known: Mapping[t.Expr, exp.Expression] = field(default_factory=dict)

    def under(self, subject: t.Expr) -> LoweringPlace:
        """The place within the branches of CASE."""
        return replace(self, subject=subject)

    def inside(self) -> LoweringPlace:
        """The place within the arguments of an aggregate, where rows are not grouped yet."""
        return replace(self, missing=frozenset())

    def lowered(self, value: t.Expr) -> exp.Expression:
        """An expression in the core; conditions are 1, 0 or NULL.

        Raises:
            UnsupportedError: the core has nothing that agrees.
        """
        from equiv.dialects.typed.lowering.expressions import lowered

        return lowered(value, self)

    def query(self, query: t.TypedQuery) -> exp.Expression:
        """A query within others, with its common table expressions.

        Raises:
            UnsupportedError: the core has none that agrees.
        """
        from equiv.dialects.typed.lowering.queries import query_in

        return query_in(query, self)

    def column(self, field: t.SourceColumn) -> exp.Expression:
        """A column of a source."""
        found = self.state.sources.get(field.source)
        if found is None:
            raise UnsupportedError("Lateral", "a column of another item of FROM")
        alias, names = found
        return b.column(alias, names[field.position - 1])


Types = frozenset[str]
ANY_INT, NUMERIC, FLOAT, NUMBER = b.INTEGERS, frozenset(("numeric",)), b.FLOATS, b.NUMBERS
TEXT, BPCHAR, DATE, STAMP = b.TEXTS, frozenset(("bpchar",)), frozenset(("date",)), b.STAMPS
INTERVAL, BOOL, TIME = frozenset(("interval",)), frozenset(("bool",)), frozenset(("time",))


@dataclass(frozen=True)
class Given:
    """A call: its typed arguments, and how they are lowered."""

    call: t.RoutineCall
    place: LoweringPlace

    def value(self, index: int) -> exp.Expression:
        """An argument in the core."""
        value = self.call.arguments[index]
        found = self.place.lowered(value)
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
            raise UnsupportedError("Func", f"{self.call.routine.name} with a non-constant argument")
        return found.text


def constant_of(value: t.Expr) -> t.TypedConstant | None:
    """The constant that an expression is, under casts among integers."""
    while isinstance(value, t.RoutineCall) and value.cast and value.routine.name in b.INTEGERS:
        value = value.arguments[0]
        if value.type.name not in b.INTEGERS:
            return None
    return value if isinstance(value, t.TypedConstant) else None


@dataclass(frozen=True)
class Meaning:
    """A row: names, the types of the arguments, what the core computes, and why that agrees."""

    names: tuple[str, ...]
    arguments: tuple[Types, ...]
    build: Callable[[Given], exp.Expression]
    why: str = ""
    """'' where what is built says so by its name."""


class MeaningTable:
    """Rows by the names that they hold for; the first that has the types of a call says its meaning."""

    def __init__(self, rows: Iterable[Meaning]) -> None:
        self._by_name: dict[str, list[Meaning]] = {}
        for row in rows:
            for name in row.names:
                self._by_name.setdefault(name, []).append(row)
        self.names = frozenset(self._by_name)

    def meaning_of(self, routine: t.Routine) -> Meaning:
        """The row for a routine.

        Raises:
            UnsupportedError: there is none.
        """
        for row in self._by_name.get(routine.name, ()):
            if len(row.arguments) == len(routine.arguments) and all(
                name in types for name, types in zip(routine.arguments, row.arguments, strict=True)
            ):
                return row
        raise UnsupportedError("Operator" if routine.operator else "Func", str(routine))


def same(given: Given) -> exp.Expression:
    """The argument itself."""
    return given.value(0)


def binary(node: type[exp.Expression]) -> Callable[[Given], exp.Expression]:
    """A node of two arguments."""
    return lambda given: node(this=given.value(0), expression=given.value(1))


def function(name: str) -> Callable[[Given], exp.Expression]:
    """A function of the core of all arguments."""
    return lambda given: b.call(name, *given.values())
