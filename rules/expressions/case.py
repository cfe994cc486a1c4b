"""CASE, IIF and COALESCE.

A searched CASE takes the first branch whose condition is true; NULL counts as
false.  None of these calls has an affinity or a collation of its own, a column
has: so ``COALESCE(id, 0) = '5'`` is false where ``id = '5'`` is true, and a
call gives way to a column only where no comparison can tell.
"""

from __future__ import annotations

from itertools import pairwise

from sqlglot import exp

from equiv.core.claims.blocks import is_aggregate, is_bit, is_boolean, walk_block
from equiv.core.claims.fingerprint import chain
from equiv.core.claims.nullness import never_null
from equiv.core.claims.value_types import HoldingFacts, is_repeatable, results
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.expressions.logic import truth_of
from equiv.rules.guards.expressions import (
    Node,
    loses_no_aggregate,
    may_become,
    same,
    tests_for_null,
)


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


def when_is_never_null(node: Node, ctx: Context) -> HoldingFacts:
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


def tested_value(case: Node) -> tuple[Node, Node] | None:
    """The tested x and the other y of ``CASE WHEN x IS NULL THEN y ELSE x END``, either way round."""
    default = case.args.get("default")
    if default is None or has_operand(case) or len(case.args["ifs"]) != 1:
        return None
    test, taken = case.args["ifs"][0].this, case.args["ifs"][0].args["true"]
    if isinstance(test, exp.Not):
        test, taken, default = test.this, default, taken
    value = test.this if tests_for_null(test) else None
    return (value, taken) if value is not None and same(value, default) and is_repeatable(value) else None


def takes_another_for_null(case: Node) -> bool:
    """A value, and another one in its place where it is NULL."""
    return tested_value(case) is not None


@rule(on=exp.Case, shape=(takes_another_for_null,))
def convert_null_case_to_coalesce(case: Node, ctx: Context) -> Node | None:
    """Write CASE WHEN x IS NULL THEN y ELSE x END as COALESCE.

    Before:  SELECT CASE WHEN NOT age IS NULL THEN age ELSE 0 END FROM person
    After:   SELECT COALESCE(age, 0) FROM person
    Refuse:  CASE WHEN NOT age IS NULL THEN score ELSE 0 END
    Sound:   both are x unless it is NULL, then y; neither has affinity
    """
    found = tested_value(case)
    return None if found is None else exp.Coalesce(this=found[0], expressions=[found[1]])


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


def first_is_never_null(call: Node, ctx: Context) -> HoldingFacts:
    """The first argument is never NULL."""
    return never_null(results(call)[0], ctx)


def defaults_aggregate_nothing(call: Node) -> bool:
    """Only the first argument may be an aggregate, which stays."""
    return not any(is_aggregate(node) for other in results(call)[1:] for node in walk_block(other))


@rule(on=exp.Coalesce, shape=(defaults_aggregate_nothing,), needs=(first_is_never_null,))
def eliminate_default_of_never_null(call: Node, ctx: Context) -> Node | None:
    """Read COALESCE(x, y) as x where x is never NULL.

    Before:  SELECT COALESCE(COUNT(age), 0) FROM person
    After:   SELECT COUNT(age) FROM person
    Refuse:  COALESCE(age, 0) of a column that may be NULL; COALESCE(id, 0) = '5', as id brings its affinity
    Sound:   the first value that is not NULL is the first one
    """
    first = results(call)[0]
    return first if may_become(call, first, ctx) else None
