"""Rows that a proof speaks of (of scans, key look-ups and derived tables), and nested bags.

A nested bag is a function of the fields that it takes from outside: two that differ only in the names of
bound variables and in those fields are one function.  What holds of an aggregate whatever the bag is said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from equiv.algebra import terms as t
from equiv.algebra.kinds import column_kinds, kinds, never_null
from equiv.core.model import Domain
from equiv.facts import Fact, FactKind
from equiv.schema.policy import format_fact
from equiv.smt.encoding.values import Encoded, argument, signature, symbolic, with_null
from equiv.smt.logic import (
    FALSE,
    TRUE,
    Axiom,
    Formula,
    Hypothesis,
    HypothesisOrigin,
    axiom,
    equal,
    iff,
    implies,
    less,
    not_,
    or_,
)

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


class EncodedRow:
    """A row of a base table or of something else; its columns are made on demand."""

    def __init__(self, encoder: Encoder, table: str, present: Formula, label: str) -> None:
        self.encoder = encoder
        self.table = table
        """The base table, or '' if it is a row of something else."""
        self.present = present
        """When there is such a row: what facts say of it holds only then."""
        self.label = label
        self.columns: dict[str | int, tuple[Encoded, dict[Fact, None]]] = {}

    def column(self, name: str | int) -> Encoded:
        """The value in a column; meaningless unless the row is present."""
        name = name.lower() if isinstance(name, str) else name
        return self.encoder.remembered(self.columns, name, lambda: self.made(name))

    def made(self, name: str | int) -> Encoded:
        """A fresh value for a column of the base table."""
        encoder, world = self.encoder, self.encoder.world
        classes = column_kinds(self.table, str(name), world)
        value = symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)
        fact = world.facts.find(FactKind.ISO_DATE, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_date(value, (fact,))
        fact = world.facts.find(FactKind.ISO_TIMESTAMP, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_timestamp(value, fact)
        typed = world.facts.find(FactKind.TYPE, self.table, str(name))
        if typed is not None and classes <= {"integer", "null"} and value.whole:
            table = world.schema.table(self.table)
            column = table.column(str(name)) if table is not None else None
            if column is not None and column.domain is Domain.BOOLEAN:
                world.use((typed,))
                stated = Hypothesis(f"(<= 0 {value.whole} 1)", HypothesisOrigin.FACT, format_fact(typed))
                encoder.script.axiom(value.whole, stated)
        return value


class ScannedRow(EncodedRow):
    """A row of a base table, over which a variable ranges."""

    def __init__(self, encoder: Encoder, variable: t.Variable, table: str, present: Formula) -> None:
        super().__init__(encoder, table, present, str(variable))
        self.variable = variable


class LookedUpRow(EncodedRow):
    """The row of a table with some key values, if there is one."""

    def __init__(self, encoder: Encoder, table: str, pairs: tuple[tuple[str, t.Expression], ...]) -> None:
        self.pairs = pairs
        self.key = tuple(name.lower() for name, _ in pairs)
        self.values = [encoder.value(value) for _, value in pairs]
        number = sum(isinstance(row, LookedUpRow) for row in encoder.rows.values())
        label = f"{table} by {', '.join(self.key)} #{number}"
        super().__init__(encoder, table, FALSE, label)
        if not any(value.null == TRUE for value in self.values):
            self.present = encoder.script.declare((self, "found"), f"{label} found", (), "Bool", self)


class DerivedRow(EncodedRow):
    """A row of a derived table."""

    def __init__(self, encoder: Encoder, variable: t.Variable, source: t.Source, present: Formula) -> None:
        super().__init__(encoder, "", present, str(variable))
        self.variable = variable
        self.source = source

    def made(self, name: str | int) -> Encoded:
        encoder = self.encoder
        column = t.Field(self.variable, name)
        classes = kinds(column, encoder.world, encoder.sources)
        return symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)


_PLACE = t.Variable(-1_000_000)


def skeleton(node: t.Node) -> tuple[t.Node, tuple[t.Field, ...]]:
    """The node with placeholders for the fields of free variables, and these fields in order.

    A node that makes a choice is left whole: its choice may depend on the rows around it.
    """
    inside = t.bound(node)
    if t.sites(node):
        # Renaming must not capture: numbers below zero are what alpha gives to bound variables.
        return (node if any(row.number < 0 for row in t.free(node)) else t.alpha(node)), ()
    numbers: dict[t.Field, int] = {}

    def place(field: t.Field) -> t.Expression:
        return field if field.row in inside else t.Field(_PLACE, numbers.setdefault(field, len(numbers)))

    placed = t.substitute(node, place)
    return t.alpha(placed), tuple(numbers)


def exists(bag: t.Bag, encoder: Encoder) -> Formula:
    """Whether a bag has a row."""
    terms = tuple(
        replace(term, outputs=()) for term in bag.terms if term.condition != t.Constant("integer", "0")
    )
    if not terms:
        return FALSE
    if len(terms) == 1 and isinstance(inner := _sole_squash(terms[0]), t.Bag):
        return exists(inner, encoder)
    key, fields = skeleton(t.Exists(t.Bag(terms)))
    values = [encoder.value(field) for field in fields]
    arguments = [each for value in values for each in argument(value, nulls=True)]
    signed = tuple(signature(value, nulls=True) for value in values)
    label = f"exists {_tables(bag)}"
    symbol = encoder.script.declare((key, signed), label, tuple(sort for sort, _ in arguments), "Bool")
    return f"({symbol} {' '.join(term for _, term in arguments)})" if arguments else symbol


def _sole_squash(term: t.Term) -> t.Bag | None:
    """The bag of which a term takes all distinct rows, if it does nothing else."""
    if len(term.bindings) != 1 or term.condition != t.Constant("integer", "1"):
        return None
    source = term.bindings[0].source
    return source.bag if isinstance(source, t.Squash) else None


def first(node: t.First, encoder: Encoder) -> Encoded:
    """A scalar subquery."""
    return _opaque(node, f"first of {_tables(node.rows.bag)}", encoder)


def aggregate(node: t.Aggregate, encoder: Encoder) -> Encoded:
    """An aggregate; it is tied to whether the bag has a row that counts."""
    label = f"{node.function} {_tables(node.bag)}"
    value = _opaque(node, label, encoder)
    some = exists(_counted(node, encoder), encoder)
    match node.function:
        case "COUNT":
            _count(value, some, encoder)
        case "LINEAR":
            zero = equal(value.whole, "0") if value.whole else equal(value.number, "0.0")
            stated = axiom(implies(not_(some), zero), Axiom.SUM_OVER_NO_ROWS_IS_ZERO)
            encoder.script.axiom(value.whole or value.number, stated)
            if value.whole and _is_count(node.bag):
                _count(value, some, encoder)
        case "MIN" | "MAX":
            return with_null(value, not_(some))
        case "SUM" | "AVG":
            # SUM of Infinity and -Infinity is NULL over rows that count.
            sure = value.kinds == {"integer"} or encoder.world.holds(FactKind.EXACT_ARITHMETIC)
            return with_null(value, not_(some) if sure else or_(not_(some), value.null))
    return value


def _count(value: Encoded, some: Formula, encoder: Encoder) -> None:
    encoder.script.axiom(value.whole, axiom(f"(>= {value.whole} 0)", Axiom.COUNT_IS_NOT_NEGATIVE))
    positive = iff(less("0", value.whole), some)
    encoder.script.axiom(value.whole, axiom(positive, Axiom.COUNT_IS_POSITIVE_IF_A_ROW_COUNTS))


def _is_count(bag: t.Bag) -> bool:
    return all(term.outputs[:1] == (t.Constant("integer", "1"),) for term in bag.terms)


def _counted(node: t.Aggregate, encoder: Encoder) -> t.Bag:
    """The rows of an aggregate's bag that it does not pass over."""
    terms = []
    for term in node.bag.terms:
        inner = {**encoder.sources, **{each.row: each.source for each in term.bindings}}
        value = term.outputs[0]
        condition = term.condition
        # Aggregates skip NULL arguments: a group of NULLs alone is as empty as no rows.
        if not never_null(value, encoder.world, inner):
            condition = t.conjunction((condition, t.Not(t.IsNull(value))))
        terms.append(t.Term(term.bindings, condition, ()))
    return t.Bag(tuple(terms))


def _opaque(node: t.Aggregate | t.First, label: str, encoder: Encoder) -> Encoded:
    key, fields = skeleton(node)
    values = [encoder.value(field) for field in fields]
    arguments = [each for value in values for each in argument(value, nulls=True)]
    signed = tuple(signature(value, nulls=True) for value in values)
    classes = kinds(node, encoder.world, encoder.sources)
    return symbolic(encoder.script, (key, signed), label, classes, arguments)


def _tables(bag: t.Bag) -> str:
    names = [getattr(binding.source, "table", "subquery") for term in bag.terms for binding in term.bindings]
    return ", ".join(names)
