"""Queries whose results the engine of their dialect tells apart by types that the core has as one."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.core.printing import to_sql
from equiv.core.query import NOTHING, UNKNOWN, Query, Unsupported
from equiv.relation import Columns, Relation

_NUMBERS = frozenset(("boolean", "number"))


def told_apart_by_types(pred: Query, gold: Query, relation: Relation, *, alike: bool) -> tuple[Query, Query]:
    """Both queries; with signs for values in columns whose types have none in common, or without trees.

    The core, in which a boolean is 0 or 1 and a date a text, would take such values for equal.  Each value
    but NULL of such a column becomes a sign of its query: what rules, proofs and databases then say is true
    of the pair.  Where a row could become one with another by that, or a column may be compared with any
    other, no rule, no proof and no core text says anything.  Where types differ in the blanks alone that
    values show, nothing is proved, and what tells values apart without their blanks tells them apart.

    Args:
        pred: the prediction.
        gold: the gold query.
        relation: how results are compared.
        alike: whether a boolean equals 0 or 1.
    """
    if pred.columns != gold.columns or not pred.types or not gold.types:
        return pred, gold
    if alike:
        pred, gold = _as_numbers(pred), _as_numbers(gold)
    differing = [
        place
        for place, (one, other) in enumerate(zip(pred.types, gold.types, strict=True))
        if (one != other and NOTHING not in (one, other)) or (one.endswith(UNKNOWN) and pred.sql != gold.sql)
    ]
    if not differing:
        return pred, gold
    by_place = relation.columns is Columns.ORDERED
    if by_place and all(_family(pred, place) != _family(gold, place) for place in differing):
        signed = _signed(pred, differing, "pred"), _signed(gold, differing, "gold")
        if signed[0] is not None and signed[1] is not None:
            return signed[0], signed[1]
    place = differing[0]
    why = Unsupported(
        "Column", f"column {place + 1} is of {pred.types[place]} here and of {gold.types[place]} there"
    )
    if all(_family(pred, place) == _family(gold, place) for place in differing):
        return unproved(pred, why), unproved(gold, why)
    return untranslated(pred, why), untranslated(gold, why)


def _family(query: Query, place: int) -> str:
    return query.types[place].partition("(")[0]


def _as_numbers(query: Query) -> Query:
    return replace(query, types=tuple("number" if each in _NUMBERS else each for each in query.types))


def _signed(query: Query, places: list[int], sign: str) -> Query | None:
    """The query with a sign for each value of some columns; None if rows could become one by that."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or tree.find(exp.Parameter):
        return None
    found = tree.copy()
    for place in places:
        alias = found.expressions[place]
        there = exp.Not(this=exp.Is(this=alias.this, expression=exp.Null()))
        alias.set("this", exp.Case(ifs=[exp.If(this=there, true=exp.Literal.string(sign))]))
    core = to_sql(found)
    return replace(query, tree=found, core_text=core, apart=tuple(places), sign=sign, with_symbols=None)


def unproved(query: Query, why: Unsupported) -> Query:
    """The query with its tree, by which databases are searched, and a reason why nothing is proved of it."""
    return replace(query, unsupported=query.unsupported or why, with_symbols=None)


def untranslated(query: Query, why: Unsupported) -> Query:
    """The query without its tree and core text, so that its engine's own text alone says what it means."""
    return replace(query, tree=None, unsupported=why, core_text="", with_symbols=None)
