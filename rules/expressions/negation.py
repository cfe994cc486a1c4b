"""NOT in three-valued logic.

NOT gives 1 for zero, 0 for any other number and NULL for NULL; text counts by
its numeric prefix.  So ``NOT NOT x`` is not ``x`` for x = 7, unless only truth
counts.  De Morgan's laws hold, and a comparison has an opposite; IS, IN, LIKE
and EXISTS keep their NOT.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.expressions.boolean import truth_of
from equiv.rules.guards.expressions import Node, chain, dual, number, parts_of

NEGATED: dict[type[Node], type[Node]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}


@rule(on=exp.Not)
def fold_not_literal(negation: Node, ctx: Context) -> Node | None:
    """Evaluate NOT of a literal.

    Before:  SELECT id FROM person WHERE age > 3 OR NOT 1
    After:   SELECT id FROM person WHERE age > 3 OR 0
    Refuse:  NOT 'abc': text is left alone
    Sound:   NOT is 1 for zero, 0 for any other number, NULL for NULL
    """
    if isinstance(negation.this, exp.Null):
        return exp.Null()
    truth = truth_of(negation.this)
    return None if truth is None else number(0 if truth else 1)


@rule(on=exp.Not, esm_plus=20)
def push_not_into_comparison(negation: Node, ctx: Context) -> Node | None:
    """Turn a negated comparison round.

    Before:  SELECT id FROM person WHERE NOT age < 3
    After:   SELECT id FROM person WHERE age >= 3
    Refuse:  NOT age IS 3, which is true for NULL
    Sound:   values of all storage classes are totally ordered, and both forms are NULL for NULL
    """
    inner = negation.this
    opposite = NEGATED.get(type(inner))
    if opposite is None or isinstance(inner.this, exp.Tuple):
        return None
    return opposite(this=inner.this, expression=inner.expression)


@rule(on=exp.Not)
def push_not_into_chain(negation: Node, ctx: Context) -> Node | None:
    """Push NOT through AND and OR.

    Before:  SELECT id FROM person WHERE NOT (age < 3 AND active IS NULL)
    After:   SELECT id FROM person WHERE NOT age < 3 OR NOT active IS NULL
    Refuse:  NOT EXISTS (...): a subquery is no chain
    Sound:   De Morgan's laws hold in three-valued logic
    """
    inner = negation.this
    if type(inner) not in (exp.And, exp.Or):
        return None
    return chain(dual(type(inner)), [exp.Not(this=part) for part in parts_of(inner)])


RULES = (fold_not_literal, push_not_into_comparison, push_not_into_chain)
