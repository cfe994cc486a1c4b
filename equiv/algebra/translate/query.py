"""Queries: common table expressions, set operations, blocks, ORDER BY, LIMIT."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import (
    TRUE,
    Bag,
    Binding,
    Direction,
    Exists,
    Expression,
    Field,
    Limited,
    Not,
    Source,
    Squash,
    Term,
    conjunction,
)
from equiv.algebra.translate.comparison import same
from equiv.algebra.translate.symbol_table import MAX_NODES, MAX_TERMS, SymbolTable, Table, require_small
from equiv.core.claims.blocks import select_operands
from equiv.core.claims.choices import limits
from equiv.core.query import Opaque, UnsupportedError


@dataclass(frozen=True)
class Result:
    """A query: the rows of a bag, whose outputs are the visible columns and the keys of its order."""

    node: exp.Expression
    bag: Bag
    visible: int
    directions: tuple[Direction, ...] = ()
    limit: int | None = None
    offset: int = 0

    def rows(self, symbols: SymbolTable) -> Bag:
        """The rows as others see them: cut, without order."""
        if self.limit is None and not self.offset:
            return without_keys(self.bag, self.visible)
        # One site per LIMIT: readers of one CTE see the same choice among tied rows.
        site = symbols.translation.site(self.node, "limit")
        source = Limited(self.bag, self.visible, self.directions, self.limit, self.offset, site)
        return all_of(source, self.visible, symbols, "top")


def all_of(source: Source, width: int, symbols: SymbolTable, label: str) -> Bag:
    """The rows of a source, as a bag."""
    row = symbols.world.names.variable(label)
    return Bag((Term((Binding(row, source),), TRUE, tuple(Field(row, n) for n in range(width))),))


def without_keys(bag: Bag, visible: int) -> Bag:
    """A bag without the outputs after the visible ones."""
    return Bag(tuple(replace(term, outputs=term.outputs[:visible]) for term in bag.terms))


def query(node: exp.Expression, symbols: SymbolTable) -> Result:
    """Translate a query.

    Raises:
        UnsupportedError: the algebra cannot say it.
    """
    if isinstance(node, exp.Subquery):
        if any(node.args.get(name) for name in ("order", "limit", "offset", "with_")):
            raise UnsupportedError("Subquery", "a query in parentheses with clauses of its own")
        return query(node.this, symbols)
    clause = node.args.get("with_")
    for cte in clause.expressions if clause is not None else ():
        symbols = replace(symbols, tables={**symbols.tables, cte.alias.lower(): table(cte.this, symbols)})
    limit, offset = _cut(node)
    if isinstance(node, exp.SetOperation):
        bag = _compound(node, symbols)
        visible = len(bag.terms[0].outputs)
        bag, directions = _ordered_compound(node, bag, symbols)
    elif isinstance(node, exp.Select):
        from equiv.algebra.translate.block import block

        bag, directions = block(node, symbols)
        visible = len(node.expressions)
    else:
        raise UnsupportedError(type(node).__name__, "a query that the algebra does not know")
    if len(bag.terms) > MAX_TERMS:
        raise UnsupportedError("Join", "too many outer joins or set operations")
    return Result(node, bag, visible, directions, limit, offset)


def table(node: exp.Expression, symbols: SymbolTable) -> Table:
    """The rows of a query that is read as a table."""
    first = next(select_operands(node))
    names = tuple(each.alias_or_name for each in first.expressions)
    bag = query(node, symbols).rows(symbols)
    require_small(bag, MAX_NODES)
    return Table(names, bag)


def _cut(node: exp.Expression) -> tuple[int | None, int]:
    try:
        start, stop = limits(node)
    except Opaque as error:
        raise UnsupportedError("Limit", error.why) from None
    return (None if stop is None else stop - start), start


def _compound(node: exp.Expression, symbols: SymbolTable) -> Bag:
    left, right = _operand(node.this, symbols), _operand(node.expression, symbols)
    width = len(left.terms[0].outputs)
    if width != len(right.terms[0].outputs):
        raise UnsupportedError("SetOperation", "operands of different lengths")
    if isinstance(node, exp.Union):
        both = Bag((*left.terms, *right.terms))
        if not node.args.get("distinct"):
            return both
        _require_merging(node, symbols)
        return all_of(Squash(both), width, symbols, "distinct")
    if not node.args.get("distinct"):
        raise UnsupportedError(type(node).__name__, "a set operation with ALL that SQLite does not have")
    _require_merging(node, symbols)
    # INTERSECT and EXCEPT take NULLs for equal, other than IN and EXISTS with =.
    kept = all_of(Squash(left), width, symbols, "distinct").terms[0]
    terms = (
        Term(t.bindings, conjunction((t.condition, same(t.outputs, kept.outputs))), ()) for t in right.terms
    )
    condition: Expression = Exists(Bag(tuple(terms)))
    return Bag((replace(kept, condition=condition if isinstance(node, exp.Intersect) else Not(condition)),))


def _operand(node: exp.Expression, symbols: SymbolTable) -> Bag:
    return query(node, symbols).rows(symbols)


def _require_merging(node: exp.Expression, symbols: SymbolTable) -> None:
    """Make sure that it does not matter which of equal rows a set operation keeps."""
    for column in _columns(node):
        symbols.translation.require_merging(column, "a set operation", shown=node is symbols.translation.tree)


def _columns(node: exp.Expression) -> list[list[exp.Expression]]:
    operands = [x.expressions for x in select_operands(node)]
    return [[each.unalias() for each in column] for column in zip(*operands, strict=True)]


def _ordered_compound(
    node: exp.Expression, bag: Bag, symbols: SymbolTable
) -> tuple[Bag, tuple[Direction, ...]]:
    """The bag with the keys of the ORDER BY of a compound, which are positions, as further outputs."""
    order = node.args.get("order")
    if order is None:
        return bag, ()
    columns = _columns(node)
    places = []
    for term in order.expressions:
        if not isinstance(term.this, exp.Literal) or term.this.is_string or not term.this.name.isdigit():
            raise UnsupportedError("Order", "a term over a set operation that is no position")
        places.append(int(term.this.name) - 1)
        symbols.translation.require_binary(columns[places[-1]], "ORDER BY")
    terms = (replace(t, outputs=(*t.outputs, *(t.outputs[place] for place in places))) for t in bag.terms)
    return Bag(tuple(terms)), tuple(direction(term) for term in order.expressions)


def direction(term: exp.Expression) -> Direction:
    """How a term of ORDER BY sorts."""
    descending = bool(term.args.get("desc"))
    first = term.args.get("nulls_first")
    return Direction(descending, not descending if first is None else bool(first))
