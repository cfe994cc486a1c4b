"""The rows of an answer of the algebra on a database: the semantics that every rewrite must keep.

Scalar functions, casts and affinities are SQLite's own, asked one call at a time, and so are sums of numbers
that may round; everything else is spelt out.  A truth value that is neither a number nor NULL is an error in
the algebra, not in the data, and raises.  Choices (:class:`Limited`, :class:`Numbered`, GROUP_CONCAT, which
of 1 and 1.0 a merge keeps) are made by a seed: the same for equal rows at one site, so that copies of a node
choose alike.

Arithmetic in which SQLite rounds, or overflows an integer, is detected.  A REAL stands for its shortest
decimal notation, as under ``exact_arithmetic``.  So 0.4 - 0.3 is inexact: binary arithmetic subtracts close
numbers without rounding, and gives 0.10000000000000003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from random import Random
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from equiv.algebra import terms as t
from equiv.answers.exact import stands_for
from equiv.core.functions.table import call_text
from equiv.core.model import Schema
from equiv.core.runner import Connection
from equiv.core.single_values import Calculator, key_of, sort_key

ConcreteValue: TypeAlias = int | float | str | bytes | None
ConcreteRow: TypeAlias = tuple[ConcreteValue, ...]


class MeaninglessError(Exception):
    """An expression without a value on the database: a text as truth value, a key with two rows."""


def exact_number(value: float) -> Fraction:
    """The number that an integer or a finite REAL stands for.

    Raises:
        OverflowError: an infinite REAL.
    """
    return Fraction(value) if isinstance(value, int) else stands_for(value)


def is_inexact(operator: str, values: Sequence[ConcreteValue], result: ConcreteValue) -> bool:
    """Whether an operation on numbers gives another number than exact arithmetic would."""
    left, right = (each if isinstance(each, int | float) else None for each in values)
    if left is None or right is None:
        return any(isinstance(each, str | bytes) for each in values) and isinstance(result, float)
    if result is None or not isinstance(result, int | float):
        return False
    if not all(isfinite(each) for each in (left, right, result)):
        return True
    if isinstance(left, int) and isinstance(right, int):
        return not isinstance(result, int)
    one, two, exact_result = exact_number(left), exact_number(right), exact_number(result)
    match operator:
        case "+":
            return one + two != exact_result
        case "-":
            return one - two != exact_result
        case "*":
            return one * two != exact_result
        case "/":
            return bool(two) and one / two != exact_result
    return True


def is_inexact_sum(node: t.Aggregate, rows: Sequence[ConcreteRow], result: ConcreteValue) -> bool:
    """Whether SUM, TOTAL or AVG gives another number than exact arithmetic would."""
    if not isinstance(result, int | float):
        return False
    present = [row[0] for row in rows if row[0] is not None]
    if any(isinstance(each, str | bytes) for each in present) or not isfinite(result):
        return True
    if any(isinstance(each, float) and not isfinite(each) for each in present):
        return True
    total = sum((exact_number(each) for each in present if isinstance(each, int | float)), Fraction(0))
    exact = total / len(present) if node.function == "AVG" and present else total
    return exact != exact_number(result)


def runs_over(number: ConcreteValue) -> bool:
    """Whether an integer has no room in SQLite."""
    return isinstance(number, int) and not -(2**63) <= number < 2**63


def exact_sum(rows: Sequence[ConcreteRow], *, whole: bool) -> Fraction:
    """The sum of the first columns.

    Raises:
        MeaninglessError: one of them is no number, or no integer although all are said to be.
    """
    total = Fraction(0)
    for row in rows:
        if not isinstance(row[0], int | float) or (whole and not isinstance(row[0], int)):
            raise MeaninglessError(f"LINEAR over {row[0]!r}")
        total += exact_number(row[0])
    return total


Environment: TypeAlias = dict[t.Variable, Mapping[str, ConcreteValue] | ConcreteRow]

_LONGEST = 1_000_000
"""Queries are hostile input: no value may be longer than so many bytes."""

_EXACT = frozenset(["+", "-", "*", "/", "%"])


@dataclass
class _Expressions:
    """An evaluator of expressions without bags on one database.

    Args:
        tables: the rows of each table, by its name in the schema; each row by column name.
        seed: decides all choices.
        values: those of parameters, by name.
    """

    tables: Mapping[str, Sequence[Mapping[str, ConcreteValue]]]
    seed: int = 0
    values: Mapping[str, ConcreteValue] = field(default_factory=dict)
    rounded: bool = False
    """Whether a number was rounded or ran over since :meth:`begin`."""
    patience: float = inf
    """How many rows may be looked at after :meth:`begin`; then :class:`TooMuchError` is raised."""
    ways: ClassVar[Mapping[type, Callable[[Any, Any, Environment], ConcreteValue]]]
    """How a node of each class is computed."""

    _looked_at: int = field(init=False, repr=False, default=0)
    _calculator: Calculator = field(init=False, repr=False)
    _cache: dict[object, ConcreteValue] = field(init=False, repr=False, default_factory=dict)
    _free: dict[int, tuple[object, frozenset[t.Variable]]] = field(
        init=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._calculator = Calculator(_LONGEST)

    def value(self, expression: t.Expression, around: Environment) -> ConcreteValue:
        """The value of an expression, its variables given."""
        return self.ways[type(expression)](self, expression, around)

    def truth(self, expression: t.Expression, around: Environment) -> bool | None:
        """The truth of a truth value.

        Raises:
            MeaninglessError: it is none.
        """
        found = self.value(expression, around)
        if isinstance(found, str | bytes):
            raise MeaninglessError(f"not a truth value: {found!r} of {expression}")
        return None if found is None else bool(found)

    def free(self, node: t.Expression) -> frozenset[t.Variable]:
        """The free variables of a node, kept for the next time."""
        if id(node) not in self._free:
            self._free[id(node)] = (node, frozenset(t.free(node)))
        return self._free[id(node)][1]

    def ask(self, sql: str, *arguments: ConcreteValue) -> ConcreteValue:
        """The value of a scalar SQL expression over parameters."""
        asked = (sql, *((type(each), each) for each in arguments))
        if asked not in self._cache:
            self._cache[asked] = self._calculator.value(sql, arguments)
        return self._cache[asked]

    def on_apply(self, node: t.Apply, around: Environment) -> ConcreteValue:
        values = [self.value(each, around) for each in node.arguments]
        name = node.function
        if name in self.values:
            return self.values[name]
        found = self.ask(call_text(name, len(values)), *values)
        self.rounded |= name in _EXACT and is_inexact(name, values, found)
        return found

    def on_convert(self, node: t.Convert, around: Environment) -> ConcreteValue:
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

    def _stored(self, affinity: Literal["NUMERIC", "TEXT"], value: ConcreteValue) -> ConcreteValue:
        asked = ("affinity", affinity, type(value), value)
        if asked not in self._cache:
            self._cache[asked] = self._calculator.stored(affinity, value)
        return self._cache[asked]

    def on_compare(self, node: t.Compare, around: Environment) -> ConcreteValue:
        left, right = self.value(node.left, around), self.value(node.right, around)
        if node.operator == "IS":
            return int(sort_key(left) == sort_key(right))
        if left is None or right is None:
            return None
        one, two = sort_key(left), sort_key(right)
        return int(one == two if node.operator == "=" else one < two if node.operator == "<" else one <= two)

    def junction(self, parts: Sequence[t.Expression], around: Environment, *, neutral: bool) -> ConcreteValue:
        """The AND of truth values, where a true one is neutral, or their OR."""
        found: ConcreteValue = int(neutral)
        for part in parts:
            truth = self.truth(part, around)
            if truth is not None and truth is not neutral:
                return int(truth)
            found = None if truth is None else found
        return found

    def on_not(self, node: t.Not, around: Environment) -> ConcreteValue:
        truth = self.truth(node.part, around)
        return None if truth is None else int(not truth)

    def on_case(self, node: t.Case, around: Environment) -> ConcreteValue:
        for condition, value in node.branches:
            if self.truth(condition, around):
                return self.value(value, around)
        return self.value(node.default, around)

    def matches(self, node: t.Found | t.Lookup, around: Environment) -> list[Mapping[str, ConcreteValue]]:
        values = [self.value(each, around) for each in node.values]
        if any(each is None for each in values):
            return []
        wanted = [sort_key(each) for each in values]
        rows = self.tables[node.table]
        found = [row for row in rows if [sort_key(row[name]) for name in node.key] == wanted]
        if len(found) > 1:
            raise MeaninglessError(f"{node.table} {node.key} is no key: {values}")
        return found

    def on_lookup(self, node: t.Lookup, around: Environment) -> ConcreteValue:
        found = self.matches(node, around)
        return found[0][node.column] if found else None


def _constant(_: _Expressions, node: t.Constant, __: Environment) -> ConcreteValue:
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


_Expressions.ways = {
    t.Constant: _constant,
    t.Field: lambda _, node, around: around[node.row][node.column],
    t.Apply: _Expressions.on_apply,
    t.Convert: _Expressions.on_convert,
    t.Compare: _Expressions.on_compare,
    t.And: lambda at, node, around: at.junction(node.parts, around, neutral=True),
    t.Or: lambda at, node, around: at.junction(node.parts, around, neutral=False),
    t.Not: _Expressions.on_not,
    t.IsTrue: lambda at, node, around: int(bool(at.truth(node.part, around))),
    t.IsNull: lambda at, node, around: int(at.value(node.value, around) is None),
    t.Case: _Expressions.on_case,
    t.Found: lambda at, node, around: int(bool(at.matches(node, around))),
    t.Lookup: _Expressions.on_lookup,
}


_Nested = TypeVar("_Nested", t.Exists, t.Aggregate)

__all__ = ["ConcreteRow", "ConcreteValue", "Environment", "Evaluator", "MeaninglessError", "TooMuchError"]


class TooMuchError(Exception):
    """A value takes more looking at rows than there is patience for."""


@dataclass
class Evaluator(_Expressions):
    """Computes on one database.

    Args:
        tables: the rows of each table, by its name in the schema; each row by column name.
        seed: decides all choices.
        values: those of parameters, by name.
    """

    _closed: dict[object, tuple[ConcreteValue, bool]] = field(init=False, repr=False, default_factory=dict)
    """Nested bags without free variables, and whether a number was rounded on the way."""

    @staticmethod
    def of(
        connection: Connection,
        schema: Schema,
        seed: int = 0,
        values: Mapping[str, ConcreteValue] | None = None,
    ) -> Evaluator:
        """An evaluator over the rows that a connection has for the tables of a schema."""
        tables: dict[str, list[Mapping[str, ConcreteValue]]] = {}
        for table in schema.tables:
            names = [column.name for column in table.columns]
            listed = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
            quoted = table.name.replace('"', '""')
            rows = connection.execute(f'SELECT {listed} FROM "{quoted}"')
            tables[table.name] = [dict(zip(names, row, strict=True)) for row in rows]
        return Evaluator(tables, seed, values or {})

    def begin(self) -> None:
        """Forget what was rounded and how much was looked at."""
        self.rounded, self._looked_at = False, 0

    def answer(self, answer: t.Answer) -> list[ConcreteRow]:
        """The rows of a query, in order, visible columns and keys."""
        found = self.ordered(self.bag(answer.bag), answer.visible, answer.directions, -1)
        return _cut(found, answer.limit, answer.offset)

    def rows(self, answer: t.Answer) -> list[ConcreteRow]:
        """The rows of a query, in order, visible columns only."""
        return [row[: answer.visible] for row in self.answer(answer)]

    def bag(self, bag: t.Bag, around: Environment | None = None) -> list[ConcreteRow]:
        """All rows of a bag, in no order that counts."""
        return list(self.rows_of(bag, around or {}))

    def rows_of(self, bag: t.Bag, around: Environment) -> Iterator[ConcreteRow]:
        """The rows of a bag one by one, in no order that counts."""
        for term in bag.terms:
            yield from self.term(term, around)

    def term(self, term: t.Term, around: Environment) -> Iterator[ConcreteRow]:
        """The rows of one summand."""
        for environment in self.choices(term.bindings, (term.condition,), around):
            yield tuple(self.value(output, environment) for output in term.outputs)

    def choices(
        self, bindings: Sequence[t.Binding], conditions: Iterable[t.Expression], around: Environment
    ) -> Iterator[Environment]:
        """All choices of rows for some variables for which all conditions are true."""
        waiting: list[list[t.Expression]] = [[] for _ in range(len(bindings) + 1)]
        own = {binding.row: place for place, binding in enumerate(bindings, 1)}
        for part in (part for condition in conditions for part in t.conjuncts(condition)):
            waiting[max((own.get(row, 0) for row in self.free(part)), default=0)].append(part)
        yield from self._choices(bindings, waiting, dict(around), 0)

    def _choices(
        self,
        bindings: Sequence[t.Binding],
        waiting: list[list[t.Expression]],
        around: Environment,
        place: int,
    ) -> Iterator[Environment]:
        self._looked_at += 1
        if self._looked_at > self.patience:
            raise TooMuchError
        if not all(self.truth(part, around) for part in waiting[place]):
            return
        if place == len(bindings):
            yield around
            return
        binding = bindings[place]
        for row in self.source(binding.source, around):
            yield from self._choices(bindings, waiting, around | {binding.row: row}, place + 1)

    def source(
        self, source: t.Source, around: Environment
    ) -> Sequence[Mapping[str, ConcreteValue] | ConcreteRow]:
        """The rows of a source."""
        match source:
            case t.Scan(table):
                return self.tables[table]
            case t.Squash(bag):
                return list(dict.fromkeys(self._shuffled(self.bag(bag, around), -2)))
            case t.Limited():
                return self.limited(source, around)
            case t.Numbered():
                return self._numbered(source, around)

    def limited(self, limited: t.Limited, around: Environment) -> list[ConcreteRow]:
        """The chosen rows, visible columns only, in order."""
        rows = self.bag(limited.bag, around)
        found = self.ordered(rows, limited.visible, limited.directions, limited.site)
        return [row[: limited.visible] for row in _cut(found, limited.limit, limited.offset)]

    def _numbered(self, numbered: t.Numbered, around: Environment) -> list[ConcreteRow]:
        rows = self.bag(numbered.bag, around)
        end = numbered.visible + numbered.partition
        counts: dict[ConcreteRow, int] = {}
        found = []
        for row in self.ordered(rows, end, numbered.directions, numbered.site):
            part = row[numbered.visible : end]
            counts[part] = counts.get(part, 0) + 1
            found.append((*row[: numbered.visible], counts[part]))
        return found

    def ordered(
        self, rows: list[ConcreteRow], start: int, directions: Sequence[t.Direction], site: int
    ) -> list[ConcreteRow]:
        """Rows by the keys that start at a column; ties as the site chooses."""
        found = self._shuffled(rows, site)
        for place in reversed(range(len(directions))):
            way = directions[place]
            present = [row for row in found if row[start + place] is not None]
            absent = [row for row in found if row[start + place] is None]
            present.sort(key=lambda row, at=start + place: sort_key(row[at]), reverse=way.descending)  # type: ignore[misc]
            found = absent + present if way.nulls_first else present + absent
        return found

    def _shuffled(self, rows: list[ConcreteRow], site: int) -> list[ConcreteRow]:
        """The rows in an order that is fixed by seed, site and the rows themselves."""
        found = sorted(rows, key=repr)
        Random(f"{self.seed} {site} {found!r}").shuffle(found)
        return found

    def on_exists(self, node: t.Exists, around: Environment) -> ConcreteValue:
        return self._once(node, around, self._exists)

    def on_aggregate(self, node: t.Aggregate, around: Environment) -> ConcreteValue:
        return self._once(node, around, self._aggregate)

    def _once(
        self, node: _Nested, around: Environment, compute: Callable[[_Nested, Environment], ConcreteValue]
    ) -> ConcreteValue:
        """What a node is in its surroundings, which one without free variables is everywhere."""
        if t.free(node):
            return compute(node, around)
        asked = (t.alpha(node), self.seed)
        if asked not in self._closed:
            before, self.rounded = self.rounded, False
            self._closed[asked] = compute(node, {}), self.rounded
            self.rounded = before
        value, is_rounded = self._closed[asked]
        self.rounded |= is_rounded
        return value

    def _exists(self, node: t.Exists, around: Environment) -> ConcreteValue:
        return int(any(True for term in node.bag.terms for _ in self.term(term, dict(around))))

    def _aggregate(self, node: t.Aggregate, around: Environment) -> ConcreteValue:
        rows = self._shuffled(self.bag(node.bag, around), node.site)
        present = [row[0] for row in rows if row[0] is not None]
        match node.function:
            case "COUNT":
                return len(present)
            case "MIN":
                return min(present, key=sort_key, default=None)
            case "MAX":
                return max(present, key=sort_key, default=None)
            case "LINEAR":
                total = exact_sum(rows, whole=node.whole)
                total_value = int(total) if node.whole else float(total)
                self.rounded |= exact_number(total_value) != total or runs_over(total_value)
                return total_value
        arguments = "v, w" if node.function == "GROUP_CONCAT" else "v"
        result: ConcreteValue = self._calculator.over(f"{node.function}({arguments})", rows)
        self.rounded |= node.function in ("SUM", "TOTAL", "AVG") and is_inexact_sum(node, rows, result)
        return result

    def on_first(self, node: t.First, around: Environment) -> ConcreteValue:
        rows = self.limited(node.rows, around)
        return rows[0][0] if rows else None


Evaluator.ways = {
    **_Expressions.ways,
    t.Exists: Evaluator.on_exists,
    t.Aggregate: Evaluator.on_aggregate,
    t.First: Evaluator.on_first,
}


def _cut(rows: list[ConcreteRow], limit: int | None, offset: int) -> list[ConcreteRow]:
    return rows[offset:] if limit is None else rows[offset : offset + limit]
