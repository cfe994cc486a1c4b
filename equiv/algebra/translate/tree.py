"""From a resolved tree to the algebra: every construct of the supported subset as a sum of terms.

Derived tables and common table expressions become part of the terms that read them; outer joins become sums;
DISTINCT, UNION and the keys of GROUP BY become :class:`Squash`; subqueries, aggregates and windows become
nested bags; LIMIT below the top level becomes :class:`Limited`.  What has no exact counterpart is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlglot import exp

from equiv.algebra.terms import (
    Answer,
    Bag,
    Binding,
    Field,
    Names,
    Node,
    Term,
    Variable,
    map_children,
)
from equiv.algebra.translate.query import query
from equiv.algebra.translate.symbol_table import GROWTH, MAX_NODES, SymbolTable, Translation, require_small
from equiv.algebra.world import World
from equiv.core.claims.blocks import calls_of_aggregates, escapes
from equiv.core.claims.choices import freeze_time
from equiv.core.query import Opaque, UnsupportedError


def translate(tree: exp.Expression, world: World) -> Answer:
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
        answer = Answer(result.bag, result.visible, result.directions, result.limit, result.offset)
        if result.limit == 0:
            answer = Answer(Bag(()), result.visible)
        require_small(answer, GROWTH * MAX_NODES)
        answer = _with_own_variables(answer, world.names)
    except RecursionError:
        raise UnsupportedError("Query", "nested too deeply") from None
    if translation.merges_numbers and translation.compares_as_text:
        raise UnsupportedError("Distinct", "numbers of several types, of which one is compared as text")
    chooses = (answer.limit is not None or answer.offset > 0) and not answer.directions
    chosen = {node for node, _ in translation.sites}
    if any(chooses or not chosen <= set(map(id, inner.walk())) for inner in _ordered_sources(tree)):
        raise UnsupportedError("Order", "an ORDER BY inside that a choice further out may follow")
    return answer


def _check(tree: exp.Expression) -> None:
    if any(map(escapes, calls_of_aggregates(tree))):
        raise UnsupportedError("AggFunc", "an aggregate over the rows of an outer query")
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
        if node.args.get("limit") is None and node.args.get("offset") is None and _is_source(node):
            yield node


def _is_source(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Subquery | exp.SetOperation):
        node, parent = parent, parent.parent
    return isinstance(parent, exp.From | exp.Join | exp.CTE)


def _with_own_variables(answer: Answer, names: Names) -> Answer:
    """The answer with every variable bound once: expressions that were written twice get fresh ones."""
    seen: set[Variable] = set()

    def visit(node: Node, new: Mapping[Variable, Variable]) -> Node:
        if isinstance(node, Field):
            return Field(new[node.row], node.column) if node.row in new else node
        if not isinstance(node, Term):
            return map_children(node, lambda child: visit(child, new))
        bindings = []
        for binding in node.bindings:
            source = map_children(binding, lambda child: visit(child, new)).source  # noqa: B023
            row = binding.row
            if row in seen:
                row = names.variable(row.label)
                new = {**new, binding.row: row}
            elif row in new:
                new = {old: renamed_answer for old, renamed_answer in new.items() if old != row}
            seen.add(row)
            bindings.append(Binding(row, source))
        children = map_children(replace(node, bindings=()), lambda child: visit(child, new))
        return replace(children, bindings=tuple(bindings))

    renamed_answer = visit(answer, {})
    assert isinstance(renamed_answer, Answer)
    return renamed_answer
