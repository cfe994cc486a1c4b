"""Queries in the algebra: every construct of the supported subset as a sum of terms.

Derived tables and common table expressions become part of the terms that read them; outer joins become sums;
DISTINCT, UNION and the keys of GROUP BY become :class:`Squash`; subqueries, aggregates and windows become
nested bags; LIMIT below the top level becomes :class:`Limited`.  What has no exact counterpart is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.translate.comparison import same
from equiv.algebra.translate.symbol_table import (
    GROWTH,
    MAX_NODES,
    MAX_TERMS,
    NamedTable,
    SymbolTable,
    Translation,
    require_small,
)
from equiv.algebra.world import World
from equiv.core.claims.blocks import calls_of_aggregates, escapes, select_operands
from equiv.core.claims.choices import freeze_time, limits
from equiv.core.query import Opaque, UnsupportedError
from equiv.names import fold


@dataclass(frozen=True)
class TranslatedQuery:
    """A query: the rows of a bag, whose outputs are the visible columns and the keys of its order."""

    node: exp.Expression
    bag: t.Bag
    visible: int
    directions: tuple[t.Direction, ...] = ()
    limit: int | None = None
    offset: int = 0

    def rows(self, symbols: SymbolTable) -> t.Bag:
        """The rows as others see them: cut, without order."""
        if self.limit is None and not self.offset:
            return without_keys(self.bag, self.visible)
        # One site per LIMIT: readers of one CTE see the same choice among tied rows.
        site = symbols.translation.site(self.node, "limit")
        source = t.Limited(self.bag, self.visible, self.directions, self.limit, self.offset, site)
        return all_of(source, self.visible, symbols, "top")


def all_of(source: t.Source, width: int, symbols: SymbolTable, label: str) -> t.Bag:
    """The rows of a source, as a bag."""
    row = symbols.world.names.variable(label)
    return t.Bag((t.Term((t.Binding(row, source),), t.TRUE, tuple(t.Field(row, n) for n in range(width))),))


def without_keys(bag: t.Bag, visible: int) -> t.Bag:
    """A bag without the outputs after the visible ones."""
    return t.Bag(tuple(replace(term, outputs=term.outputs[:visible]) for term in bag.terms))


def query(node: exp.Expression, symbols: SymbolTable) -> TranslatedQuery:
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
        symbols = replace(symbols, tables={**symbols.tables, fold(cte.alias): table(cte.this, symbols)})
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
        raise UnsupportedError(type(node).__name__, "this kind of query")
    if len(bag.terms) > MAX_TERMS:
        raise UnsupportedError("Join", "too many outer joins or set operations")
    return TranslatedQuery(node, bag, visible, directions, limit, offset)


def table(node: exp.Expression, symbols: SymbolTable) -> NamedTable:
    """The rows of a query that is read as a table."""
    first = next(select_operands(node))
    names = tuple(each.alias_or_name for each in first.expressions)
    bag = query(node, symbols).rows(symbols)
    require_small(bag, MAX_NODES)
    return NamedTable(names, bag)


def _cut(node: exp.Expression) -> tuple[int | None, int]:
    try:
        start, stop = limits(node)
    except Opaque as error:
        raise UnsupportedError("Limit", error.why) from None
    return (None if stop is None else stop - start), start


def _compound(node: exp.Expression, symbols: SymbolTable) -> t.Bag:
    left, right = _operand(node.this, symbols), _operand(node.expression, symbols)
    width = len(left.terms[0].outputs)
    if width != len(right.terms[0].outputs):
        raise UnsupportedError("SetOperation", "operands with different numbers of columns")
    if isinstance(node, exp.Union):
        both = t.Bag((*left.terms, *right.terms))
        if not node.args.get("distinct"):
            return both
        _require_merging(node, symbols)
        return all_of(t.Squash(both), width, symbols, "distinct")
    if not node.args.get("distinct"):
        raise UnsupportedError(type(node).__name__, "INTERSECT ALL or EXCEPT ALL, which SQLite lacks")
    _require_merging(node, symbols)
    # INTERSECT and EXCEPT take NULLs for equal, other than IN and EXISTS with =.
    kept = all_of(t.Squash(left), width, symbols, "distinct").terms[0]
    terms = (
        t.Term(each.bindings, t.conjunction((each.condition, same(each.outputs, kept.outputs))), ())
        for each in right.terms
    )
    condition: t.Expression = t.Exists(t.Bag(tuple(terms)))
    return t.Bag(
        (replace(kept, condition=condition if isinstance(node, exp.Intersect) else t.Not(condition)),)
    )


def _operand(node: exp.Expression, symbols: SymbolTable) -> t.Bag:
    return query(node, symbols).rows(symbols)


def _require_merging(node: exp.Expression, symbols: SymbolTable) -> None:
    """Make sure that it does not matter which of equal rows a set operation keeps."""
    for column in _columns(node):
        symbols.translation.require_merging(column, "a set operation", shown=node is symbols.translation.tree)


def _columns(node: exp.Expression) -> list[list[exp.Expression]]:
    operands = [x.expressions for x in select_operands(node)]
    return [[each.unalias() for each in column] for column in zip(*operands, strict=True)]


def _ordered_compound(
    node: exp.Expression, bag: t.Bag, symbols: SymbolTable
) -> tuple[t.Bag, tuple[t.Direction, ...]]:
    """The bag with the keys of the ORDER BY of a compound, which are positions, as further outputs."""
    order = node.args.get("order")
    if order is None:
        return bag, ()
    columns = _columns(node)
    places = []
    for term in order.expressions:
        if not isinstance(term.this, exp.Literal) or term.this.is_string or not term.this.name.isdigit():
            raise UnsupportedError("Order", "ORDER BY an expression over a set operation")
        places.append(int(term.this.name) - 1)
        symbols.translation.require_binary(columns[places[-1]], "ORDER BY")
    terms = (
        replace(each, outputs=(*each.outputs, *(each.outputs[place] for place in places)))
        for each in bag.terms
    )
    return t.Bag(tuple(terms)), tuple(direction(term) for term in order.expressions)


def direction(term: exp.Expression) -> t.Direction:
    """How a term of ORDER BY sorts."""
    descending = bool(term.args.get("desc"))
    first = term.args.get("nulls_first")
    return t.Direction(descending, not descending if first is None else bool(first))


def translate(tree: exp.Expression, world: World) -> t.Answer:
    """The answer that a query denotes.

    Args:
        tree: a resolved tree, as resolution gives it or as the rules left it; it is left as it is.
        world: schema and facts; facts on which the translation rests are recorded as used.

    Raises:
        UnsupportedError: the algebra cannot say exactly what the query means.
    """
    _check(tree)
    translation = Translation(tree, world)
    try:
        result = query(tree, SymbolTable(translation))
        answer = t.Answer(result.bag, result.visible, result.directions, result.limit, result.offset)
        if result.limit == 0:
            answer = t.Answer(t.Bag(()), result.visible)
        require_small(answer, GROWTH * MAX_NODES)
        answer = _with_own_variables(answer, world.names)
    except RecursionError:
        raise UnsupportedError("Query", "nested too deeply") from None
    if translation.merges_numbers and translation.compares_as_text:
        raise UnsupportedError("Distinct", "equal numbers of different types compared as text")
    chooses = (answer.limit is not None or answer.offset > 0) and not answer.directions
    chosen = {node for node, _ in translation.sites}
    if any(chooses or not chosen <= set(map(id, inner.walk())) for inner in _ordered_sources(tree)):
        raise UnsupportedError("Order", "an ORDER BY of a subquery that may decide an outer choice of rows")
    return answer


def _check(tree: exp.Expression) -> None:
    if any(map(escapes, calls_of_aggregates(tree))):
        raise UnsupportedError("AggFunc", "an aggregate that belongs to an outer query")
    if any(text.is_string and text.name.lower() == "now" for text in tree.find_all(exp.Literal)):
        try:
            freeze_time(tree.copy())
        except Opaque as error:
            raise UnsupportedError("Literal", error.why) from None


def _ordered_sources(tree: exp.Expression) -> Iterator[exp.Expr]:
    """The derived tables and common table expressions that are ordered but not cut."""
    for node in tree.find_all(exp.Select, exp.SetOperation):
        if node.args.get("order") is None or node.parent is None:
            continue
        is_cut = node.args.get("limit") is not None or node.args.get("offset") is not None
        if not is_cut and _is_source(node) and not _is_sorted_again(node):
            yield node


def _is_sorted_again(node: exp.Query) -> bool:
    """Whether the query that reads an ordered source alone sorts its rows by the same keys first."""
    around = node.parent_select
    if around is None or around.args.get("order") is None or not isinstance(node.parent, exp.Subquery):
        return False
    if any(around.args.get(name) for name in ("joins", "group", "distinct")) or around.find(exp.Window):
        return False
    shown = {exp.column(each.alias_or_name, node.parent.alias): each.unalias() for each in node.selects}
    keys, own = around.args["order"].expressions, node.args["order"].expressions
    again = [each.transform(lambda part: shown.get(part, part)) for each in keys[: len(own)]]
    return bool(again == own)


def _is_source(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Subquery | exp.SetOperation):
        node, parent = parent, parent.parent
    return isinstance(parent, exp.From | exp.Join | exp.CTE)


def _with_own_variables(answer: t.Answer, names: t.FreshNames) -> t.Answer:
    """The answer with every variable bound once: expressions that were written twice get fresh ones."""
    seen: set[t.Variable] = set()

    def visit(node: t.Node, new: Mapping[t.Variable, t.Variable]) -> t.Node:
        if isinstance(node, t.Field):
            return t.Field(new[node.row], node.column) if node.row in new else node
        if not isinstance(node, t.Term):
            return t.map_children(node, lambda child: visit(child, new))
        bindings = []
        for binding in node.bindings:
            source = t.map_children(binding, lambda child: visit(child, new)).source  # noqa: B023
            row = binding.row
            if row in seen:
                row = names.variable(row.label)
                new = {**new, binding.row: row}
            elif row in new:
                new = {old: renamed_answer for old, renamed_answer in new.items() if old != row}
            seen.add(row)
            bindings.append(t.Binding(row, source))
        children = t.map_children(replace(node, bindings=()), lambda child: visit(child, new))
        return replace(children, bindings=tuple(bindings))

    renamed_answer = visit(answer, {})
    assert isinstance(renamed_answer, t.Answer)
    return renamed_answer
