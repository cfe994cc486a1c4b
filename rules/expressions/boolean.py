"""AND, OR and NOT in three-valued logic.

SQLite has no boolean type: AND, OR and NOT read any value as a truth value
(text through its numeric prefix) and give 1, 0 or NULL.  So ``x AND 1`` is not
``x``: it is 1 where x is 7.  Such steps need an operand that is 0, 1 or NULL
already, or a place where only truth counts.  Most laws of the two-valued
algebra hold in Kleene's logic (De Morgan, absorption, distribution); the
excluded middle does not: ``x OR NOT x`` is NULL for NULL.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_boolean, is_number
from equiv.core.claims.nullness import is_condition
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import (
    Node,
    chain,
    dual,
    is_whole_chain,
    loses_no_aggregate,
    number,
    parts_of,
    stands_in_condition,
    unlike,
)


def truth_of(node: Node) -> bool | None:
    """The truth of a numeric literal; None for anything else."""
    if not is_number(node):
        return None
    return float((node.this if isinstance(node, exp.Neg) else node).name) != 0


def is_no_truth_test(node: Node) -> bool:
    """TRUE or FALSE other than in ``x IS TRUE``, which asks for any true value."""
    return not (isinstance(node.parent, exp.Is) and node.arg_key == "expression")


@rule(on=exp.Boolean, shape=(is_no_truth_test,))
def fold_boolean_keyword(keyword: Node, ctx: Context) -> Node | None:
    """Write TRUE and FALSE as 1 and 0.

    Before:  SELECT id FROM person WHERE active = TRUE
    After:   SELECT id FROM person WHERE active = 1
    Refuse:  x IS TRUE, which is true for 7, where x IS 1 is false
    Sound:   since 3.23 the two words are other spellings of the integers, except after IS
             (https://sqlite.org/lang_expr.html#boolean_expressions)
    """
    return number(1 if keyword.this else 0)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain, loses_no_aggregate))
def fold_literal_operand(node: Node, ctx: Context) -> Node | None:
    """Drop literals that do not matter to an AND or OR, and let those that decide it decide.

    Before:  SELECT id FROM person WHERE age > 3 AND 1
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT age AND 1, which is 1 where age is 7
    Sound:   1 is neutral and 0 absorbing for AND, the reverse for OR, also beside NULL; what is
             left over alone is 0, 1 or NULL, or only its truth counts
    """
    deciding = type(node) is exp.Or
    parts = parts_of(node)
    truths = [truth_of(part) for part in parts]
    if deciding in truths:
        return number(1 if deciding else 0)
    kept = [part for part, truth in zip(parts, truths, strict=True) if truth is None]
    if len(kept) == len(parts):
        return None
    if not kept:
        return number(0 if deciding else 1)
    if len(kept) == 1 and not (is_boolean(kept[0]) or is_condition(node)):
        return None
    return chain(type(node), kept)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,))
def eliminate_duplicate_operand(node: Node, ctx: Context) -> Node | None:
    """Keep equal operands of AND or OR once.

    Before:  SELECT id FROM person WHERE age > 3 AND age > 3
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT age AND age, which is 1 where age is 7
    Sound:   AND and OR are idempotent up to the reading as truth value
    """
    parts = parts_of(node)
    kept = unlike(parts)
    if len(kept) == len(parts) or (len(kept) == 1 and not (is_boolean(kept[0]) or is_condition(node))):
        return None
    return chain(type(node), kept)


@rule(on=(exp.And, exp.Or), shape=(is_whole_chain,))
def pull_common_operand(node: Node, ctx: Context) -> Node | None:
    """Pull operands that all parts of an OR (or AND) share out of it.

    Before:  SELECT id FROM person WHERE age > 3 AND active = 1 OR age > 3 AND city = 'Bern'
    After:   SELECT id FROM person WHERE age > 3 AND (active = 1 OR city = 'Bern')
    Refuse:  (a AND b) OR c: no operand is shared by all parts
    Sound:   AND and OR distribute over each other in three-valued logic
    """
    outer, inner = type(node), dual(type(node))
    parts = parts_of(node)
    if not all(type(part) is inner for part in parts):
        return None
    lists = [parts_of(part) for part in parts]
    shared = frozenset.intersection(*(frozenset(map(key, parts)) for parts in lists))
    rests = [[x for x in parts if key(x) not in shared] for parts in lists]
    if not shared or not all(rests):
        return None
    common = [part for part in lists[0] if key(part) in shared]
    return chain(inner, [*common, chain(outer, [chain(inner, rest) for rest in rests])])


def tests_truth(node: Node) -> bool:
    """X IS TRUE or x IS FALSE."""
    return isinstance(node.expression, exp.Boolean)


@rule(on=exp.Is, shape=(tests_truth, stands_in_condition))
def eliminate_truth_test(test: Node, ctx: Context) -> Node | None:
    """Drop IS TRUE where only truth counts; IS FALSE becomes NOT.

    Before:  SELECT id FROM person WHERE (age > 3) IS TRUE
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  SELECT (age > 3) IS TRUE, which is 0 where age is NULL
    Sound:   x IS TRUE is true exactly where x is; x IS FALSE exactly where NOT x is
    """
    inner: Node = test.this
    return inner if test.expression.this else exp.Not(this=inner)


def _holds_always(clause: Node | None) -> bool:
    return clause is not None and truth_of(clause.this) is True


def filters_nothing(select: Node) -> bool:
    """WHERE or, with GROUP BY, HAVING that is a true literal."""
    has_group = select.args.get("group") is not None
    return _holds_always(select.args.get("where")) or (has_group and _holds_always(select.args.get("having")))


@rule(on=exp.Select, shape=(filters_nothing,))
def eliminate_true_filter(select: Node, ctx: Context) -> Node | None:
    """Drop WHERE and HAVING that are a true literal.

    Before:  SELECT id FROM person WHERE 1
    After:   SELECT id FROM person
    Refuse:  HAVING 1 without GROUP BY, which makes the query an aggregate one
    Sound:   every row passes
    """
    for clause in ("where", "having"):
        if _holds_always(select.args.get(clause)) and (clause == "where" or select.args.get("group")):
            select.set(clause, None)
    return select


RULES = (
    fold_boolean_keyword,
    fold_literal_operand,
    eliminate_duplicate_operand,
    pull_common_operand,
    eliminate_truth_test,
    eliminate_true_filter,
)
