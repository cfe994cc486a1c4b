"""Evaluation of expressions of the algebra on rows of a database.

Scalar functions, casts and affinities are SQLite's own, asked one call at a time; everything else is spelt
out.  A truth value that is neither a number nor NULL is an error in the algebra, not in the data, and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, Literal, TypeAlias

from equiv.algebra.rounding import MeaninglessError, Row, Value, is_inexact
from equiv.algebra.terms import (
    And,
    Apply,
    Case,
    Compare,
    Constant,
    Convert,
    Expression,
    Field,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Variable,
    free,
)
from equiv.core.collation import key_of
from equiv.core.functions.nodes import call_text
from equiv.core.single_values import Calculator, sort_key

Environment: TypeAlias = dict[Variable, Mapping[str, Value] | Row]

_LONGEST = 1_000_000
"""Queries are hostile input: no value may be longer than so many bytes."""

_EXACT = frozenset(["+", "-", "*", "/", "%"])
_CURRENT = {
    "NOW_DATE": "CURRENT_DATE",
    "NOW_TIME": "CURRENT_TIME",
    "NOW_TIMESTAMP": "CURRENT_TIMESTAMP",
    "NOW_INSTANT": "JULIANDAY('now')",
}


@dataclass
class Expressions:
    """An evaluator of expressions without bags on one database.

    Args:
        tables: the rows of each table, by its name in the schema; each row by column name.
        seed: decides all choices.
        values: those of parameters, by name.
    """

    tables: Mapping[str, Sequence[Mapping[str, Value]]]
    seed: int = 0
    values: Mapping[str, Value] = field(default_factory=dict)
    rounded: bool = False
    """Whether a number was rounded or ran over since :meth:`begin`."""
    patience: float = inf
    """How many rows may be looked at after :meth:`begin`; then :class:`TooMuchError` is raised."""
    ways: ClassVar[Mapping[type, Callable[[Any, Any, Environment], Value]]]
    """How a node of each class is computed."""

    _looked_at: int = field(init=False, repr=False, default=0)
    _calculator: Calculator = field(init=False, repr=False)
    _cache: dict[object, Value] = field(init=False, repr=False, default_factory=dict)
    _free: dict[int, tuple[object, frozenset[Variable]]] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._calculator = Calculator(_LONGEST)

    def value(self, expression: Expression, around: Environment) -> Value:
        """The value of an expression, its variables given."""
        return self.ways[type(expression)](self, expression, around)

    def truth(self, expression: Expression, around: Environment) -> bool | None:
        """The truth of a truth value.

        Raises:
            MeaninglessError: it is none.
        """
        found = self.value(expression, around)
        if isinstance(found, str | bytes):
            raise MeaninglessError(f"not a truth value: {found!r} of {expression}")
        return None if found is None else bool(found)

    def free(self, node: Expression) -> frozenset[Variable]:
        """The free variables of a node, kept for the next time."""
        if id(node) not in self._free:
            self._free[id(node)] = (node, frozenset(free(node)))
        return self._free[id(node)][1]

    def ask(self, sql: str, *arguments: Value) -> Value:
        """The value of a scalar SQL expression over parameters."""
        asked = (sql, *((type(each), each) for each in arguments))
        if asked not in self._cache:
            self._cache[asked] = self._calculator.value(sql, arguments)
        return self._cache[asked]

    def on_apply(self, node: Apply, around: Environment) -> Value:
        values = [self.value(each, around) for each in node.arguments]
        name = node.function
        if name in self.values:
            return self.values[name]
        if name in _CURRENT and not values:
            return self.ask(_CURRENT[name])
        found = self.ask(call_text(name, len(values)), *values)
        self.rounded |= name in _EXACT and is_inexact(name, values, found)
        return found

    def on_convert(self, node: Convert, around: Environment) -> Value:
        value = self.value(node.value, around)
        if node.explicit:
            cast = self.ask(f"CAST(? AS {node.to})", value)
            if isinstance(value, int | float) and isinstance(cast, int | float):
                self.rounded |= cast != (int(value) if node.to == "INTEGER" else value)
            return cast
        if node.to in ("NOCASE", "RTRIM"):
            return key_of(node.to, value)
        if node.to in ("NUMERIC", "INTEGER", "REAL") and isinstance(value, str):
            return self._stored("NUMERIC", value)
        if node.to == "TEXT" and isinstance(value, int | float):
            return self._stored("TEXT", value)
        return value

    def _stored(self, affinity: Literal["NUMERIC", "TEXT"], value: Value) -> Value:
        asked = ("affinity", affinity, type(value), value)
        if asked not in self._cache:
            self._cache[asked] = self._calculator.stored(affinity, value)
        return self._cache[asked]

    def on_compare(self, node: Compare, around: Environment) -> Value:
        left, right = self.value(node.left, around), self.value(node.right, around)
        if node.operator == "IS":
            return int(sort_key(left) == sort_key(right))
        if left is None or right is None:
            return None
        one, two = sort_key(left), sort_key(right)
        return int(one == two if node.operator == "=" else one < two if node.operator == "<" else one <= two)

    def on_and(self, node: And, around: Environment) -> Value:
        found: Value = 1
        for part in node.parts:
            truth = self.truth(part, around)
            if truth is False:
                return 0
            found = None if truth is None else found
        return found

    def on_or(self, node: Or, around: Environment) -> Value:
        found: Value = 0
        for part in node.parts:
            truth = self.truth(part, around)
            if truth:
                return 1
            found = None if truth is None else found
        return found

    def on_not(self, node: Not, around: Environment) -> Value:
        truth = self.truth(node.part, around)
        return None if truth is None else int(not truth)

    def on_case(self, node: Case, around: Environment) -> Value:
        for condition, value in node.branches:
            if self.truth(condition, around):
                return self.value(value, around)
        return self.value(node.default, around)

    def matches(self, node: Found | Lookup, around: Environment) -> list[Mapping[str, Value]]:
        values = [self.value(each, around) for each in node.values]
        if any(each is None for each in values):
            return []
        wanted = [sort_key(each) for each in values]
        rows = self.tables[node.table]
        found = [row for row in rows if [sort_key(row[name]) for name in node.key] == wanted]
        if len(found) > 1:
            raise MeaninglessError(f"{node.table} {node.key} is no key: {values}")
        return found

    def on_lookup(self, node: Lookup, around: Environment) -> Value:
        found = self.matches(node, around)
        return found[0][node.column] if found else None


def _constant(_: Expressions, node: Constant, __: Environment) -> Value:
    match node.kind:
        case "null":
            return None
        case "integer":
            return int(node.text)
        case "real":
            return float(node.text)
        case "text":
            return node.text
        case "blob":
            return bytes.fromhex(node.text)


def _field(_: Expressions, node: Field, around: Environment) -> Value:
    return around[node.row][node.column]  # type: ignore[index]


Expressions.ways = {
    Constant: _constant,
    Field: _field,
    Apply: Expressions.on_apply,
    Convert: Expressions.on_convert,
    Compare: Expressions.on_compare,
    And: Expressions.on_and,
    Or: Expressions.on_or,
    Not: Expressions.on_not,
    IsTrue: lambda at, node, around: int(bool(at.truth(node.part, around))),
    IsNull: lambda at, node, around: int(at.value(node.value, around) is None),
    Case: Expressions.on_case,
    Found: lambda at, node, around: int(bool(at.matches(node, around))),
    Lookup: Expressions.on_lookup,
}
