"""Subqueries inside expressions: IN, EXISTS and scalar subqueries.

IN over a subquery compares as ``=`` does with its column, a row value component by component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from equiv.algebra.translate.comparison import Operand, compared, comparing, not_false
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.sources import select_operands
from equiv.core.unsupported import UnsupportedError


@dataclass(frozen=True)
class Membership:
    """``x IN (subquery)``, also for row values.

    It is true if a row equals x; else NULL if the comparison with some row is NULL; else false, so that over
    no rows it is false even for NULL.

    Attributes:
        bag: the rows of the subquery.
        fields: the operands on the left, each with an operand of the subquery's column, which fixes how the
            two compare; its translation does not count.
        symbols: where it stands.
    """

    bag: Bag
    fields: tuple[tuple[Operand, Operand], ...]
    symbols: SymbolTable

    @staticmethod
    def of(node: exp.Expression, symbols: SymbolTable) -> Membership:
        """The parts of an IN over a subquery."""
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
        fields = tuple((one, _column(one, nodes, symbols)) for one, nodes in zip(left, rights, strict=True))
        return Membership(bag, fields, symbols)

    @property
    def true(self) -> Expression:
        """The truth value that is true where the membership is true, and false otherwise."""
        return self._some(lambda term: conjunction(self._equations(term)))

    @property
    def false(self) -> Expression:
        """The truth value that is true where the membership is false, and false otherwise."""
        # NOT IN is true only if no comparison is true or NULL: a NULL in the subquery spoils it.
        return Not(self._unknown())

    @property
    def value(self) -> Expression:
        """1, 0 or NULL."""
        # True goes first: x IN (x, NULL) is true. Over no rows it is false, even for NULL.
        return Case(((self.true, TRUE), (self._unknown(), NULL)), FALSE)

    def _unknown(self) -> Expression:
        """Whether it is true or NULL."""
        values = [left[1] for left, _ in self.fields]
        return self._some(lambda term: not_false(values, term.outputs, conjunction(self._equations(term))))

    def _some(self, condition: Callable[[Term], Expression]) -> Expression:
        """Whether some row meets a condition."""
        terms = (Term(t.bindings, conjunction((t.condition, condition(t))), ()) for t in self.bag.terms)
        return self.symbols.world.names.copy_of(Exists(Bag(tuple(terms))))

    def _equations(self, term: Term) -> tuple[Expression, ...]:
        pairs = zip(self.fields, term.outputs, strict=True)
        return tuple(
            compared(exp.EQ, left, (right[0], value), self.symbols) for (left, right), value in pairs
        )


def _column(left: Operand, nodes: Sequence[exp.Expression], symbols: SymbolTable) -> Operand:
    """One of the operands of a subquery's column, if an operand compares with all of them in one way."""
    if len({comparing(left[0], node, symbols) for node in nodes}) > 1:
        raise UnsupportedError("In", "a compound subquery whose operands disagree in affinity")
    return nodes[0], NULL


def _projections(subquery: exp.Expression, width: int) -> list[list[exp.Expression]]:
    """For each column of a query the expressions of its operands."""
    operands = [x.expressions for x in select_operands(subquery) if isinstance(x, exp.Select)]
    if any(len(each) != width for each in operands):
        raise UnsupportedError("In", "a subquery with another number of columns")
    return [[each.unalias() for each in column] for column in zip(*operands, strict=True)]


def exists(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """``EXISTS (subquery)``: a limit matters only if it is 0, an offset always."""
    from equiv.algebra.translate.query import query

    result = query(node.this, symbols.around())
    if result.limit == 0:
        return FALSE
    # LIMIT 1 cannot make the rows fewer than one; OFFSET can.
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
