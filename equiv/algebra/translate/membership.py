"""Subqueries inside expressions: IN, EXISTS and scalar subqueries.

IN over a subquery compares as ``=`` does with its column.  With row values it does so in every plan and
version of SQLite only where components need no conversion: see :class:`Membership`.
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
from equiv.algebra.translate.comparison import Operand, compared, comparing, is_left_alone, not_false
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null
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
        """The parts of an IN over a subquery.

        Raises:
            UnsupportedError: versions of SQLite or plans differ in whether it is true.
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
        fields = tuple((one, _column(one, nodes, symbols)) for one, nodes in zip(left, rights, strict=True))
        membership = Membership(bag, fields, symbols)
        if len(fields) > 1 and _may_be_index(subquery) and not membership._alike():
            raise UnsupportedError(
                "In", "a row value in the columns of a table, which an index may hold in turn"
            )
        return membership

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
        """Whether it is true or NULL.

        Raises:
            UnsupportedError: where a component is NULL, versions of SQLite compare the others differently.
        """
        if len(self.fields) > 1 and not all(map(self._compares_plainly, range(len(self.fields)))):
            raise UnsupportedError("In", "a row value with NULL, of which another component is converted")
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

    def _compares_plainly(self, place: int) -> bool:
        """Whether it makes no difference to a component that SQLite 3.40 leaves it as it is beside a NULL.

        It then is neither converted nor compared by the collation of the column; later versions do both.
        """
        left, right = self.fields[place]
        if is_left_alone(left, right, self.symbols):
            return True
        context = self.symbols.translation.context
        return all(
            never_null(each[0], context) is not None
            for at, field in enumerate(self.fields)
            for each in field
            if at != place
        )

    def _alike(self) -> bool:
        """Whether all components compare in one way: under one affinity and one collation."""
        ways = {comparing(left[0], right[0], self.symbols) for left, right in self.fields}
        return len(ways) == 1


def _may_be_index(subquery: exp.Expression) -> bool:
    """Whether SQLite may look a value up in an index of a table: in plain columns of all its rows.

    SQLite 3.40 then converts each component as the column at its place in the index asks for, whichever
    column that is.
    """
    select = subquery.unnest()
    if not isinstance(select, exp.Select) or len(sources(select)) != 1:
        return False
    clauses = ("where", "group", "having", "distinct", "limit", "offset")
    if any(select.args.get(clause) is not None for clause in clauses):
        return False
    return all(isinstance(each.unalias(), exp.Column) for each in select.expressions)


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
