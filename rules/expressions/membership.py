"""IN lists: x IN (a, b) stands for x = +a OR x = +b.

The plus strips the right side of its affinity and collation
(https://sqlite.org/datatype3.html section 4.2), so only literals may move
between IN and =; beside a column of another type, = may convert where IN does
not.  NULL in a list makes every miss unknown: ``x NOT IN (1, NULL)`` is never
true.  ``x IN ()`` is false even for NULL.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_literal
from equiv.core.claims.value_types import is_repeatable
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    Node,
    chain,
    is_listed,
    is_whole_chain,
    parts_of,
    unlike,
)


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


def _tested(part: Node) -> Node:
    """The operand of a comparison, IN or NOT IN."""
    operand: Node = part.this.this if isinstance(part, exp.Not) else part.this
    return operand


RULES = (eliminate_duplicate_member, convert_single_in, merge_equalities)
