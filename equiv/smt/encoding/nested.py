"""Nested bags as opaque values, and what holds of aggregates whatever the bag.

A nested bag is a function of the fields that it takes from outside: two that differ only in the
names of bound variables and in those fields are one function.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from equiv.algebra.kinds import kinds, never_null
from equiv.algebra.terms import (
    Aggregate,
    Bag,
    Constant,
    Exists,
    Expression,
    Field,
    First,
    IsNull,
    Node,
    Not,
    Squash,
    Term,
    Variable,
    alpha,
    bound,
    conjunction,
    free,
    sites,
    substitute,
)
from equiv.facts import FactKind
from equiv.smt.encoding.opaque import argument, signature, symbolic
from equiv.smt.encoding.values import Value, with_null
from equiv.smt.hypotheses import Axiom, axiom
from equiv.smt.logic import FALSE, Formula, equal, iff, implies, less, not_, or_

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_PLACE = Variable(-1_000_000)


def skeleton(node: Node) -> tuple[Node, tuple[Field, ...]]:
    """The node with placeholders for the fields of free variables, and these fields in order.

    A node that makes a choice is left whole: its choice may depend on the rows around it.
    """
    inside = bound(node)
    if sites(node):
        # Renaming must not capture: numbers below zero are what alpha gives to bound variables.
        return (node if any(row.number < 0 for row in free(node)) else alpha(node)), ()
    numbers: dict[Field, int] = {}

    def place(field: Field) -> Expression:
        return field if field.row in inside else Field(_PLACE, numbers.setdefault(field, len(numbers)))

    placed = substitute(node, place)
    return alpha(placed), tuple(numbers)


def exists(bag: Bag, encoder: Encoder) -> Formula:
    """Whether a bag has a row."""
    terms = tuple(
        replace(term, outputs=()) for term in bag.terms if term.condition != Constant("integer", "0")
    )
    if not terms:
        return FALSE
    if len(terms) == 1 and isinstance(inner := _sole_squash(terms[0]), Bag):
        return exists(inner, encoder)
    key, fields = skeleton(Exists(Bag(terms)))
    values = [encoder.value(field) for field in fields]
    arguments = [each for value in values for each in argument(value, nulls=True)]
    signed = tuple(signature(value, nulls=True) for value in values)
    label = f"exists {_tables(bag)}"
    symbol = encoder.script.declare((key, signed), label, tuple(sort for sort, _ in arguments), "Bool")
    return f"({symbol} {' '.join(term for _, term in arguments)})" if arguments else symbol


def _sole_squash(term: Term) -> Bag | None:
    """The bag of which a term takes all distinct rows, if it does nothing else."""
    if len(term.bindings) != 1 or term.condition != Constant("integer", "1"):
        return None
    source = term.bindings[0].source
    return source.bag if isinstance(source, Squash) else None


def first(node: First, encoder: Encoder) -> Value:
    """A scalar subquery."""
    return _opaque(node, f"first of {_tables(node.rows.bag)}", encoder)


def aggregate(node: Aggregate, encoder: Encoder) -> Value:
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


def _count(value: Value, some: Formula, encoder: Encoder) -> None:
    encoder.script.axiom(value.whole, axiom(f"(>= {value.whole} 0)", Axiom.COUNT_IS_NOT_NEGATIVE))
    positive = iff(less("0", value.whole), some)
    encoder.script.axiom(value.whole, axiom(positive, Axiom.COUNT_IS_POSITIVE_IF_A_ROW_COUNTS))


def _is_count(bag: Bag) -> bool:
    return all(term.outputs[:1] == (Constant("integer", "1"),) for term in bag.terms)


def _counted(node: Aggregate, encoder: Encoder) -> Bag:
    """The rows of an aggregate's bag that it does not pass over."""
    terms = []
    for term in node.bag.terms:
        inner = {**encoder.sources, **{each.row: each.source for each in term.bindings}}
        value = term.outputs[0]
        condition = term.condition
        # Aggregates skip NULL arguments: a group of NULLs alone is as empty as no rows.
        if not never_null(value, encoder.world, inner):
            condition = conjunction((condition, Not(IsNull(value))))
        terms.append(Term(term.bindings, condition, ()))
    return Bag(tuple(terms))


def _opaque(node: Aggregate | First, label: str, encoder: Encoder) -> Value:
    key, fields = skeleton(node)
    values = [encoder.value(field) for field in fields]
    arguments = [each for value in values for each in argument(value, nulls=True)]
    signed = tuple(signature(value, nulls=True) for value in values)
    classes = kinds(node, encoder.world, encoder.sources)
    return symbolic(encoder.script, (key, signed), label, classes, arguments)


def _tables(bag: Bag) -> str:
    names = [getattr(binding.source, "table", "subquery") for term in bag.terms for binding in term.bindings]
    return ", ".join(names)
