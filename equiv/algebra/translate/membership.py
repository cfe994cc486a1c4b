"""Subqueries inside expressions: IN, EXISTS and scalar subqueries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Bag,
    Case,
    Exists,
    Expression,
    First,
    Limited,
    Not,
    Term,
    conjunction,
)
from equiv.algebra.translate.comparison import Operand, compared, not_false
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.sources import select_operands
from equiv.core.unsupported import UnsupportedError


@dataclass(frozen=True)
class Membership:
    """``x IN (subquery)``: its value, and two conditions that are true where it is true, and false."""

    value: Expression
    true: Expression
    false: Expression


def within(node: exp.Expression, symbols: SymbolTable) -> Membership:
    """``x IN (subquery)``, also for row values.

    It is true if a row equals x; else NULL if the comparison with some row is NULL; else false, so that over
    no rows it is false even for NULL.
    """
    from equiv.algebra.translate.expression import operand
    from equiv.algebra.translate.query import query

    subquery = node.args["query"]
    result = query(subquery, symbols.around())
    bag = result.rows(symbols)
    lefts = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
    if len(lefts) != result.visible:
        raise UnsupportedError("In", "a subquery with another number of columns")
    rights = _projections(subquery, result.visible)
    left = [operand(each, symbols) for each in lefts]

    def test(term: Term, *, loose: bool) -> Expression:
        pairs = list(zip(left, zip(rights, term.outputs, strict=True), strict=True))
        parts = tuple(_equal(one, two, symbols) for one, two in pairs)
        equality = conjunction(parts)
        return not_false([one[1] for one in left], term.outputs, equality) if loose else equality

    match = _some(bag, lambda term: test(term, loose=False), symbols)
    unknown = _some(bag, lambda term: test(term, loose=True), symbols)
    value = Case(((match, TRUE), (unknown, NULL)), FALSE)
    return Membership(value, match, Not(unknown))


def _equal(left: Operand, right: tuple[list[exp.Expression], Expression], symbols: SymbolTable) -> Expression:
    """An equality of a value with a column: under the affinity of the column, one for all operands."""
    found = {compared(exp.EQ, left, (node, right[1]), symbols) for node in right[0]}
    if len(found) > 1:
        raise UnsupportedError("In", "a compound subquery whose operands disagree in affinity")
    return found.pop()


def _projections(subquery: exp.Expression, width: int) -> list[list[exp.Expression]]:
    """For each column of a query the expressions of its operands."""
    operands = [x.expressions for x in select_operands(subquery) if isinstance(x, exp.Select)]
    if any(len(each) != width for each in operands):
        raise UnsupportedError("In", "a subquery with another number of columns")
    return [[each.unalias() for each in column] for column in zip(*operands, strict=True)]


def _some(bag: Bag, condition: Callable[[Term], Expression], symbols: SymbolTable) -> Expression:
    """Whether some row of a bag meets a condition."""
    terms = (Term(t.bindings, conjunction((t.condition, condition(t))), ()) for t in bag.terms)
    return symbols.world.names.copy_of(Exists(Bag(tuple(terms))))


def exists(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """``EXISTS (subquery)``: a limit matters only if it is 0, an offset always."""
    from equiv.algebra.translate.query import query

    result = query(node.this, symbols.around())
    if result.limit == 0:
        return FALSE
    if not result.offset:
        result = replace(result, limit=None)
    bag = result.rows(symbols)
    return Exists(Bag(tuple(Term(t.bindings, t.condition, ()) for t in bag.terms)))


def scalar(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """A subquery as a value: the first column of its first row, or NULL."""
    from equiv.algebra.translate.query import query

    result = query(node, symbols.around())
    if result.visible != 1:
        raise UnsupportedError("Subquery", "a row value that is not compared")
    if result.limit == 0:
        return NULL
    terms = result.bag.terms
    if len(terms) == 1 and not terms[0].bindings and not result.offset:
        term = terms[0]
        return term.outputs[0] if term.condition == TRUE else Case(((term.condition, term.outputs[0]),), NULL)
    site = symbols.translation.site(node, "first")
    return First(Limited(result.bag, 1, result.directions, 1, result.offset, site))
