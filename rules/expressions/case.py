"""CASE, IIF, COALESCE and NULLIF.

A searched CASE takes the first branch whose condition is true; NULL counts as
false.  None of these calls has an affinity or a collation of its own, a column
has: so ``COALESCE(id, 0) = '5'`` is false where ``id = '5'`` is true, and a
call gives way to a column only where no comparison can tell.
"""

from __future__ import annotations

from itertools import pairwise

from sqlglot import exp

from equiv.core.claims.nullness import is_null_test, never_null
from equiv.core.claims.predicates import is_bit, is_boolean
from equiv.core.claims.value_types import Claim, is_repeatable, results
from equiv.core.context import Context
from equiv.rewrite.rule import rule
from rules.guards.expressions import (
    Node,
    chain,
    loses_no_aggregate,
    may_become,
    may_replace,
    same,
    subject_is_repeatable,
)

from .boolean import truth_of


@rule(on=exp.If)
def convert_iif_to_case(call: Node, ctx: Context) -> Node | None:
    """Write IIF as CASE.

    Before:  SELECT IIF(age > 3, 'old', 'new') FROM person
    After:   SELECT CASE WHEN age > 3 THEN 'old' ELSE 'new' END FROM person
    Refuse:  the WHEN of a CASE, which has the same node type
    Sound:   that is its definition (https://sqlite.org/lang_corefunc.html#iif)
    """
    if isinstance(call.parent, exp.Case) and call.arg_key == "ifs":
        return None
    return exp.Case(ifs=[exp.If(this=call.this, true=call.args["true"])], default=call.args.get("false"))


def has_operand(node: Node) -> bool:
    """``CASE x WHEN ...``."""
    return node.args.get("this") is not None


@rule(on=exp.Case, shape=(has_operand, subject_is_repeatable))
def convert_simple_case(case: Node, ctx: Context) -> Node | None:
    """Write CASE with an operand as a searched CASE.

    Before:  SELECT CASE age WHEN 1 THEN 'one' WHEN 2 THEN 'two' END FROM person
    After:   SELECT CASE WHEN age = 1 THEN 'one' WHEN age = 2 THEN 'two' END FROM person
    Refuse:  CASE (SELECT ...) WHEN ...: the subquery would be read several times
    Sound:   each WHEN compares as x = w does, affinity and collation included
    """
    operand = case.this
    for branch in case.args["ifs"]:
        branch.set("this", exp.EQ(this=operand.copy(), expression=branch.this))
    case.set("this", None)
    return case


def is_searched(node: Node) -> bool:
    """``CASE WHEN ...``."""
    return node.args.get("this") is None


@rule(on=exp.Case, shape=(is_searched, loses_no_aggregate))
def fold_case_condition(case: Node, ctx: Context) -> Node | None:
    """Drop the branches of CASE that literal conditions decide.

    Before:  SELECT CASE WHEN 0 THEN 'no' WHEN age > 3 THEN 'old' WHEN 1 THEN 'all' END FROM person
    After:   SELECT CASE WHEN age > 3 THEN 'old' ELSE 'all' END FROM person
    Refuse:  CASE WHEN age IS NULL OR NOT age IS NULL: not a literal
    Sound:   a branch with a false condition is never taken, none after a true one is reached
    """
    kept = []
    default = case.args.get("default")
    decided = False
    for branch in case.args["ifs"]:
        truth = truth_of(branch.this)
        if truth is None:
            kept.append(branch)
            continue
        decided = True
        if truth:
            default = branch.args["true"]
            break
    if not decided:
        return None
    if kept:
        return exp.Case(ifs=kept, default=default)
    value = default if default is not None else exp.Null()
    return value if may_become(case, value, ctx) else None


@rule(on=exp.Case, shape=(is_searched,))
def eliminate_null_default(case: Node, ctx: Context) -> Node | None:
    """Drop ELSE NULL.

    Before:  SELECT CASE WHEN age > 3 THEN 'old' ELSE NULL END FROM person
    After:   SELECT CASE WHEN age > 3 THEN 'old' END FROM person
    Refuse:  ELSE 0
    Sound:   a CASE without ELSE is NULL where no branch is taken
    """
    if not isinstance(case.args.get("default"), exp.Null):
        return None
    case.set("default", None)
    return case


@rule(on=exp.Case, shape=(is_searched,))
def merge_nested_default(case: Node, ctx: Context) -> Node | None:
    """Merge a CASE in the ELSE of another.

    Before:  SELECT CASE WHEN age > 3 THEN 'old' ELSE CASE WHEN age > 1 THEN 'mid' END END FROM person
    After:   SELECT CASE WHEN age > 3 THEN 'old' WHEN age > 1 THEN 'mid' END FROM person
    Refuse:  a CASE inside THEN
    Sound:   the inner branches are tried exactly when all outer ones have failed
    """
    inner = case.args.get("default")
    if not isinstance(inner, exp.Case) or has_operand(inner):
        return None
    return exp.Case(ifs=[*case.args["ifs"], *inner.args["ifs"]], default=inner.args.get("default"))


@rule(on=exp.Case, shape=(is_searched,))
def merge_equal_branches(case: Node, ctx: Context) -> Node | None:
    """Merge neighbouring branches with equal results.

    Before:  SELECT CASE WHEN age = 1 THEN 'a' WHEN score > 2 THEN 'a' ELSE 'b' END FROM person
    After:   SELECT CASE WHEN age = 1 OR score > 2 THEN 'a' ELSE 'b' END FROM person
    Refuse:  branches with another one between them
    Sound:   a OR b is true exactly where one of them is, whatever is NULL
    """
    branches = case.args["ifs"]
    for one, two in pairwise(branches):
        if same(one.args["true"], two.args["true"]):
            either = exp.If(this=chain(exp.Or, [one.this, two.this]), true=one.args["true"])
            kept = [either if b is one else b for b in branches if b is not two]
            return exp.Case(ifs=kept, default=case.args.get("default"))
    return None


@rule(on=exp.Case, shape=(is_searched, loses_no_aggregate))
def eliminate_last_branch(case: Node, ctx: Context) -> Node | None:
    """Drop a last branch that gives what ELSE gives.

    Before:  SELECT CASE WHEN age > 3 THEN 'old' WHEN age > 1 THEN 'new' ELSE 'new' END FROM person
    After:   SELECT CASE WHEN age > 3 THEN 'old' ELSE 'new' END FROM person
    Refuse:  the only branch, if its result is a column that a comparison may see through
    Sound:   taken or not, the value is the same
    """
    *kept, last = case.args["ifs"]
    default = case.args.get("default")
    value = default if default is not None else exp.Null()
    if not same(last.args["true"], value):
        return None
    if kept:
        return exp.Case(ifs=kept, default=default)
    return value if may_become(case, value, ctx) else None


def gives_bit(node: Node) -> bool:
    """``CASE WHEN p THEN 1 ELSE 0 END``, or 0 and 1 exchanged."""
    branches = node.args["ifs"]
    if len(branches) != 1 or node.args.get("default") is None or has_operand(node):
        return False
    values = (branches[0].args["true"], node.args["default"])
    return all(is_bit(value) for value in values) and values[0].name != values[1].name


def when_is_boolean(node: Node) -> bool:
    """The condition of the only branch is 0, 1 or NULL."""
    return is_boolean(node.args["ifs"][0].this)


def when_is_never_null(node: Node, ctx: Context) -> Claim:
    """The condition of the only branch is never NULL."""
    return never_null(node.args["ifs"][0].this, ctx)


@rule(on=exp.Case, shape=(gives_bit, when_is_boolean), needs=(when_is_never_null,))
def eliminate_bit_case(case: Node, ctx: Context) -> Node | None:
    """Read CASE WHEN p THEN 1 ELSE 0 END as p.

    Before:  SELECT CASE WHEN city = 'Bern' THEN 1 ELSE 0 END FROM person
    After:   SELECT city = 'Bern' FROM person
    Refuse:  age = 3 with age nullable: the CASE is 0 where the comparison is NULL
    Sound:   p is 0 or 1, and so is the CASE; neither has affinity
    """
    branch = case.args["ifs"][0]
    condition: Node = branch.this
    return condition if branch.args["true"].name == "1" else exp.Not(this=condition)


@rule(on=exp.Case, shape=(is_searched,))
def convert_case_to_coalesce(case: Node, ctx: Context) -> Node | None:
    """Write CASE WHEN x IS NULL THEN y ELSE x END as COALESCE(x, y).

    Before:  SELECT CASE WHEN age IS NULL THEN 0 ELSE age END FROM person
    After:   SELECT COALESCE(age, 0) FROM person
    Refuse:  CASE WHEN age IS NULL THEN 0 ELSE score END; a subquery for x, which is read twice
    Sound:   both are x where it is not NULL, else y, and neither has affinity
    """
    branches = case.args["ifs"]
    default = case.args.get("default")
    if len(branches) != 1 or default is None:
        return None
    test, value = branches[0].this, branches[0].args["true"]
    if isinstance(test, exp.Not) and is_null_test(test.this):
        test, value, default = test.this, default, value
    if not is_null_test(test) or not same(test.this, default) or not is_repeatable(default):
        return None
    return exp.Coalesce(this=default, expressions=[value])


@rule(on=exp.Coalesce, shape=(loses_no_aggregate,))
def merge_coalesce(call: Node, ctx: Context) -> Node | None:
    """Flatten nested COALESCE and drop NULL and repeated arguments.

    Before:  SELECT COALESCE(age, IFNULL(score, NULL), age) FROM person
    After:   SELECT COALESCE(age, score) FROM person
    Refuse:  COALESCE(age, NULL) = '5': a lone column brings its affinity to the comparison
    Sound:   the first value that is not NULL stays the first
    """
    arguments: list[Node] = []
    for argument in results(call):
        arguments += results(argument) if isinstance(argument, exp.Coalesce) else [argument]
    kept: list[Node] = []
    for argument in arguments:
        if not isinstance(argument, exp.Null) and not any(same(argument, other) for other in kept):
            kept.append(argument)
    if len(kept) == len(results(call)):
        return None
    if not kept:
        return exp.Null()
    if len(kept) == 1:
        return kept[0] if may_become(call, kept[0], ctx) else None
    return exp.Coalesce(this=kept[0], expressions=kept[1:])


def first_argument_suffices(node: Node, ctx: Context) -> Claim:
    """An argument before the last is never NULL."""
    claims = (never_null(argument, ctx) for argument in results(node)[:-1])
    return next((claim for claim in claims if claim is not None), None)


def affinity_makes_no_difference(node: Node, ctx: Context) -> Claim:
    """The first argument may stand for the call, if it will be the only one."""
    first = results(node)[0]
    return () if never_null(first, ctx) is None else may_replace(node, first, ctx)


@rule(
    on=exp.Coalesce,
    shape=(loses_no_aggregate,),
    needs=(first_argument_suffices, affinity_makes_no_difference),
)
def eliminate_unreached_argument(call: Node, ctx: Context) -> Node | None:
    """Drop the arguments of COALESCE behind one that is never NULL.

    Before:  SELECT COALESCE(city, 'none') FROM person
    After:   SELECT city FROM person
    Refuse:  a NOT NULL column behind a LEFT JOIN; COALESCE(id, 0) = '5', which compares without affinity
    Sound:   later arguments are never reached
    """
    arguments = results(call)
    last = next((n for n, argument in enumerate(arguments[:-1]) if never_null(argument, ctx) is not None), 0)
    if last == 0:
        return arguments[0]
    call.set("expressions", arguments[1 : last + 1])
    return call


def spares_nothing(node: Node) -> bool:
    """``NULLIF(x, NULL)``."""
    return isinstance(node.expression, exp.Null)


def first_operand_may_stand_alone(node: Node, ctx: Context) -> Claim:
    """Nothing reads an affinity or a collation that the first operand has and the call has not."""
    return may_replace(node, node.this, ctx)


@rule(on=exp.Nullif, shape=(spares_nothing,), needs=(first_operand_may_stand_alone,))
def eliminate_nullif_of_null(call: Node, ctx: Context) -> Node | None:
    """Drop a NULLIF that compares with NULL.

    Before:  SELECT NULLIF(nick, NULL) FROM person
    After:   SELECT nick FROM person
    Refuse:  NULLIF(id, NULL) = '5', which compares without affinity; NULLIF(NULL, x), which is NULL
    Sound:   nothing is equal to NULL, so the first operand is never spared
    """
    operand: Node = call.this
    return operand


RULES = (
    convert_iif_to_case,
    convert_simple_case,
    fold_case_condition,
    eliminate_null_default,
    merge_nested_default,
    merge_equal_branches,
    eliminate_last_branch,
    eliminate_bit_case,
    convert_case_to_coalesce,
    merge_coalesce,
    eliminate_unreached_argument,
    eliminate_nullif_of_null,
)
