"""IN lists: x IN (a, b) stands for x = +a OR x = +b.

The plus strips the right side of its affinity and collation
(https://sqlite.org/datatype3.html section 4.2), so only literals may move
between IN and =; beside a column of another type, = may convert where IN does
not.  NULL in a list makes every miss unknown: ``x NOT IN (1, NULL)`` is never
true.  ``x IN ()`` is false even for NULL.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.nullness import is_condition
from equiv.core.claims.predicates import COMPARISONS, is_literal
from equiv.core.claims.value_types import is_repeatable
from equiv.core.context import Context
from equiv.core.printing.trees import key
from equiv.rewrite.rule import rule
from rules.guards.expressions import (
    Node,
    chain,
    is_listed,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
    same,
    unlike,
)

from .bounds import Line, Point, order
from .constants import HOLDS


def lists_one_literal(node: Node) -> bool:
    """``x IN (5)``."""
    return len(node.expressions) == 1 and is_literal(node.expressions[0])


@rule(on=exp.In, shape=(lists_one_literal,), esm_plus=15)
def convert_single_in(membership: Node, ctx: Context) -> Node | None:
    """Write IN with one literal as =.

    Before:  SELECT id FROM person WHERE age IN (5)
    After:   SELECT id FROM person WHERE age = 5
    Refuse:  tag IN (age): = would give the right side's affinity a say
    Sound:   a literal has neither affinity nor collation to be stripped of
    """
    return exp.EQ(this=membership.this, expression=membership.expressions[0])


@rule(on=exp.In, shape=(is_listed,))
def eliminate_duplicate_member(membership: Node, ctx: Context) -> Node | None:
    """List a member once.

    Before:  SELECT id FROM person WHERE age IN (5, 7, 5)
    After:   SELECT id FROM person WHERE age IN (5, 7)
    Refuse:  tag IN (5, '5'): different values where nothing converts them
    Sound:   x = a OR x = a is x = a
    """
    kept = unlike(membership.expressions)
    if len(kept) == len(membership.expressions):
        return None
    membership.set("expressions", kept)
    return membership


def lists_null_in_condition(node: Node) -> bool:
    """A list with NULL, where NULL has the effect of false."""
    return is_condition(node) and any(isinstance(member, exp.Null) for member in node.expressions)


@rule(on=exp.In, shape=(lists_null_in_condition, loses_no_aggregate))
def eliminate_null_member(membership: Node, ctx: Context) -> Node | None:
    """Drop NULL from a list where only truth counts.

    Before:  SELECT id FROM person WHERE age IN (5, 7, NULL)
    After:   SELECT id FROM person WHERE age IN (5, 7)
    Refuse:  NOT age IN (5, 7, NULL): never true with the NULL, often true without
    Sound:   x = NULL is never true, and OR is monotone
    """
    kept = [member for member in membership.expressions if not isinstance(member, exp.Null)]
    if not kept:
        return number(0)
    membership.set("expressions", kept)
    return membership


def excludes_null_in_condition(node: Node) -> bool:
    """``NOT x IN (..., NULL)``, where NULL has the effect of false."""
    members = node.this.expressions if isinstance(node.this, exp.In) else []
    return is_condition(node) and any(isinstance(member, exp.Null) for member in members)


@rule(on=exp.Not, shape=(excludes_null_in_condition, loses_no_aggregate))
def fold_not_in_null(negation: Node, ctx: Context) -> Node | None:
    """NOT IN a list with NULL is never true.

    Before:  SELECT id FROM person WHERE NOT age IN (5, NULL)
    After:   SELECT id FROM person WHERE 0
    Refuse:  SELECT NOT age IN (5, NULL), which is NULL for most rows
    Sound:   a hit makes it false, a miss makes it NULL
    """
    return number(0)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,), esm_plus=15)
def merge_equalities(node: Node, ctx: Context) -> Node | None:
    """Collect equalities of one operand with literals into IN; under AND inequalities into NOT IN.

    Before:  SELECT id FROM person WHERE age = 5 OR age = 7 OR age IN (8, 9)
    After:   SELECT id FROM person WHERE age IN (5, 7, 8, 9)
    Refuse:  age = 5 OR score = 7; age = 5 OR age = score: not one operand, not a literal
    Sound:   IN is that OR; NOT IN is the AND of its negation, by De Morgan
    """
    parts = parts_of(node)
    wanted = exp.EQ if type(node) is exp.Or else exp.NEQ
    groups: dict[tuple[object, ...], list[Node]] = {}
    for part in parts:
        if _members(part, wanted) is not None:
            groups.setdefault(key(_tested(part)), []).append(part)
    for first, *others in groups.values():
        if not others or not is_repeatable(_tested(first)):
            continue
        listed: Node = exp.In(
            this=_tested(first).copy(),
            expressions=[
                member.copy() for part in (first, *others) for member in _members(part, wanted) or []
            ],
        )
        merged = listed if wanted is exp.EQ else exp.Not(this=listed)
        gone = set(map(id, others))
        return chain(
            type(node), [merged if part is first else part for part in parts if id(part) not in gone]
        )
    return None


def _members(part: Node, wanted: type[Node]) -> list[Node] | None:
    """The literals with which a part says that its operand is (or, for NEQ, is not) equal."""
    if type(part) is wanted:
        return [part.expression] if is_literal(part.expression) and not is_literal(part.this) else None
    if isinstance(part, exp.Not) is not (wanted is exp.NEQ):
        return None
    listed = part.this if isinstance(part, exp.Not) else part
    members = list(listed.expressions) if isinstance(listed, exp.In) else []
    return members if members and all(is_literal(member) for member in members) else None


@rule(on=exp.And, shape=(is_whole_chain, loses_no_aggregate))
def merge_bound_into_list(node: Node, ctx: Context) -> Node | None:
    """Let a bound or another list take members out of an IN list.

    Before:  SELECT id FROM person WHERE age IN (5, 7, 9) AND age > 6
    After:   SELECT id FROM person WHERE age IN (7, 9)
    Refuse:  nick IN (9, 10) AND nick > 5 on TEXT, where '10' < '5'
    Sound:   the operand can only be a member, and both are NULL for NULL; an empty list is false
             only where NULL has the effect of false
    """
    parts = parts_of(node)
    for listed in parts:
        members = (_members(listed, exp.EQ) or []) if isinstance(listed, exp.In) else []
        for other in parts:
            if not members or other is listed or not isinstance(other, (*COMPARISONS, exp.In)):
                continue
            verdicts = _admitted(other, _tested(listed), members, ctx)
            if None in verdicts or not (any(verdicts) or is_condition(node)):
                continue
            kept = [member.copy() for member, verdict in zip(members, verdicts, strict=True) if verdict]
            merged = exp.In(this=_tested(listed).copy(), expressions=kept) if kept else number(0)
            return chain(exp.And, [merged if p is listed else p for p in parts if p is not other])
    return None


def _admitted(other: Node, operand: Node, members: list[Node], ctx: Context) -> list[bool | None]:
    """Of which literals a predicate on the operand is true; None where that is not known."""
    if not same(other.this, operand):
        return [None]
    line = Line(operand, ctx)
    points = [line.point(member) for member in members]
    if isinstance(other, exp.In):
        listed = [line.point(x) for x in other.expressions]
        kinds = set(map(type, listed))
        known = len(kinds) == 1 and None not in listed
        values = set(listed)
        return [p in values if known and type(p) in kinds else None for p in points]
    bound = line.point(other.expression)
    return [_meets(other, p, bound) for p in points]


def _meets(bound: Node, point: Point | None, limit: Point | None) -> bool | None:
    turn = order(point, limit) if point is not None and limit is not None else None
    return None if turn is None else turn in HOLDS[type(bound)]


def _tested(part: Node) -> Node:
    """The operand of a comparison, IN or NOT IN."""
    operand: Node = part.this.this if isinstance(part, exp.Not) else part.this
    return operand


RULES = (
    eliminate_duplicate_member,
    eliminate_null_member,
    fold_not_in_null,
    convert_single_in,
    merge_equalities,
    merge_bound_into_list,
)
