"""Representatives: equal cells that are not identical (1 and 1.0), of which a query keeps an arbitrary one.

DISTINCT, GROUP BY, UNION, MIN and MAX merge 'a' with 'A' under NOCASE, and 1
with 1.0; which one they keep is the engine's choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from sqlglot import exp

from equiv.core.claims import blocks
from equiv.core.claims.value_types import always_real, is_binary, results
from equiv.core.functions.table import cast_affinity, function_of
from equiv.core.functions.traits import NUMBERS, StorageClass
from equiv.core.model import Affinity, Column, Context, Table
from equiv.core.nodes import DenseRank, Rank
from equiv.facts import FactKind, Facts

_INT, _REAL, _NUMERIC, _ANY = "int", "real", "numeric", "any"
_OF_AFFINITY = {
    Affinity.INTEGER: {_INT},
    Affinity.REAL: {_REAL},
    Affinity.NUMERIC: {_NUMERIC},
    Affinity.TEXT: set[str](),
    Affinity.BLOB: {_ANY},
}
_OF_CLASS: dict[StorageClass, str] = {"integer": _INT, "real": _REAL}
_TELLS_TYPES = (exp.Div, exp.Typeof, exp.DPipe, exp.Cast, exp.GroupConcat, exp.Like, exp.Glob, exp.Func)
_TRUTHS = (exp.Predicate, exp.Not, exp.Connector, exp.Boolean)
_MERGING = (exp.Min, exp.Max)


def folds_text(root: exp.Expression, ctx: Context) -> bool:
    """Whether a collation other than BINARY is in use: by COLLATE, or as that of a column."""
    if any(node.expression.name.upper() != "BINARY" for node in root.find_all(exp.Collate)):
        return True
    columns = (blocks.base_column(column, ctx) for column in root.find_all(exp.Column))
    return any(base is not None and base[1].collation.upper() != "BINARY" for base in columns)


def free_representative(root: exp.Expression, ctx: Context) -> str:
    """The reason why a query may keep any one of several equal cells; '' if it may not."""
    if folds_text(root, ctx) and any(not is_binary(x, ctx) for _, xs in _merged(root) for x in xs):
        return "texts that are equal under a collation, one of which is kept"
    if tells_types(root, ctx):
        for block, expressions in _merged(root):
            if (
                block is not root
                and not _can_be_chosen(block, expressions)
                and mixes_numbers(expressions, ctx)
            ):
                return "equal numbers of different types, one of which is kept"
    return ""


def hands_on_any(query: exp.Expression, ctx: Context) -> bool:
    """Whether a part of a query passes an arbitrary one of several equal cells to the rest of the query.

    The part must stand in the whole, whose treatment of 1 and 1.0 counts.
    """
    merged = [expressions for _, expressions in _merged(query)]
    if folds_text(query, ctx) and any(not is_binary(x, ctx) for expressions in merged for x in expressions):
        return True
    whole = cast(exp.Expression, query.root())
    return tells_types(whole, ctx) and any(mixes_numbers(expressions, ctx) for expressions in merged)


def tells_types(root: exp.Expression, ctx: Context) -> bool:
    """Whether a query may treat 1 and 1.0 differently.

    A function of what is never a REAL that equals an integer does not, unless its own value is a REAL: with
    every other such REAL replaced by the integer, in rows and in the values of functions, answers are equal.
    It rests on no fact, which whoever asks could not name.
    """
    bare = without_facts(ctx)
    nodes = root.find_all(*_TELLS_TYPES)
    return any(_tells_types(node, bare) and not _has_one_class(node, bare) for node in nodes)


def without_facts(ctx: Context) -> Context:
    """The context of one who names no fact: what is found in it holds on every database."""
    return replace(ctx, facts=Facts())


def _has_one_class(node: exp.Expr, ctx: Context) -> bool:
    """Whether no argument of a call may be a REAL that equals an integer, and no value must be a REAL."""
    call = cast(exp.Expression, node)
    given = {kind for part in call.iter_expressions() for kind in _kinds(part, ctx)}
    return given <= {_INT, _NUMERIC} and _REAL not in _kinds(call, ctx)


def is_plain_distinct(select: exp.Expression) -> bool:
    """Whether a SELECT DISTINCT is the same with its projections as GROUP BY keys."""
    if not isinstance(select, exp.Select) or select.args.get("distinct") is None:
        return False
    outputs = [x.unalias() for x in select.expressions]
    windows = any(x.find(exp.Window) is not None for x in outputs)
    constants = any(x.find(exp.Column) is None for x in outputs)
    return not (blocks.is_grouped(select) or select.args.get("order") or windows or constants)


def is_plain_extreme(call: exp.Expression) -> bool:
    """Whether a call is an aggregate MIN or MAX of all rows: without DISTINCT, FILTER and OVER."""
    return (
        isinstance(call, _MERGING)
        and blocks.is_aggregate(call)
        and not isinstance(call.this, exp.Distinct)
        and not isinstance(call.parent, exp.Filter)
    )


def _can_be_chosen(block: exp.Expression, expressions: list[exp.Expression]) -> bool:
    """Whether the choice can be made at random: :mod:`equiv.answers.choices` then does so."""
    if isinstance(block, exp.Group):
        return all(isinstance(x, exp.Column) for x in expressions)
    return is_plain_extreme(block) or is_plain_distinct(block)


def _tells_types(node: exp.Expr, ctx: Context) -> bool:
    """Whether a node may make of 1 and 1.0 what is not equal."""
    match node:
        case exp.Cast():
            return cast_affinity(node) not in (Affinity.REAL, Affinity.INTEGER)
        case exp.Div():
            # An integer cuts off where the other side is one too.
            return always_real(node.this, ctx) is None and always_real(node.expression, ctx) is None
        case exp.Abs() | exp.Round():
            return False
    return not isinstance(node, (*_TRUTHS, exp.AggFunc, exp.Case, exp.If, exp.Coalesce)) or isinstance(
        node, exp.GroupConcat | exp.Like | exp.Glob
    )


def _merged(root: exp.Expression) -> Iterator[tuple[exp.Expression, list[exp.Expression]]]:
    """The expressions whose equal values are merged, with what merges them."""
    for select in root.find_all(exp.Select):
        if select.args.get("distinct") is not None:
            yield from ((select, [x.unalias()]) for x in select.expressions)
        group = select.args.get("group")
        if group is not None:
            yield from ((group, [x]) for x in group.expressions)
    for query in root.find_all(exp.SetOperation):
        if query.args.get("distinct"):
            operands = [x.expressions for x in blocks.select_operands(query) if isinstance(x, exp.Select)]
            yield from ((query, [x.unalias() for x in column]) for column in zip(*operands, strict=False))
    for call in cast(Iterator[exp.Expression], root.find_all(*_MERGING)):
        if not call.expressions and (blocks.is_aggregate(call) or isinstance(call.parent, exp.Window)):
            argument = call.this
            yield call, list(argument.expressions) if isinstance(argument, exp.Distinct) else [argument]


def mixes_numbers(expressions: list[exp.Expression], ctx: Context) -> bool:
    """Whether the expressions may give integers and REALs that are equal."""
    kinds = set[str]().union(*(_kinds(x, ctx) for x in expressions))
    return _ANY in kinds or (_REAL in kinds and len(kinds) > 1)


def _kinds(node: exp.Expression, ctx: Context) -> set[str]:
    """The classes of numbers (integer, real) that an expression may give."""
    match node:
        case exp.Literal():
            return set() if node.is_string else {_INT if node.is_int else _REAL}
        case exp.Null():
            return set()
        case exp.Cast() if cast_affinity(node) is not Affinity.NUMERIC:
            return _OF_AFFINITY[cast_affinity(node)]
        case exp.Column():
            base = blocks.base_column(node, ctx)
            if base is not None:
                return _kinds_of_column(*base, ctx)
            fed = blocks.feeds(node)
            return set[str]().union(*(_kinds(x, ctx) for x in fed)) if fed else {_ANY}
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
            kinds = [_kinds(side, ctx) for side in (node.this, node.expression)]
            if {_REAL} in kinds:
                return {_REAL}
            return {_INT} if kinds == [{_INT}, {_INT}] and _no_overflow(ctx) else {_ANY}
        case exp.Window(this=exp.RowNumber() | Rank() | DenseRank() | exp.Count()):
            return {_INT}
        case exp.Min() | exp.Max() | exp.Abs() | exp.Sum() if not isinstance(node.this, exp.Distinct):
            return _kinds(node.this, ctx) or {_ANY}
    return _kinds_of_call(node, ctx)


def _kinds_of_column(table: Table, column: Column, ctx: Context) -> set[str]:
    """NUMERIC columns hold no REAL that equals an integer, but for -2^63, which SQLite keeps as either."""
    is_row_number = table.rowid_alias == column.name
    if column.affinity in (Affinity.INTEGER, Affinity.NUMERIC) and not (is_row_number or _no_overflow(ctx)):
        return {_ANY}
    return _OF_AFFINITY[column.affinity]


def _no_overflow(ctx: Context) -> bool:
    return ctx.facts.find(FactKind.NO_OVERFLOW) is not None


def _kinds_of_call(node: exp.Expression, ctx: Context) -> set[str]:
    if isinstance(node, exp.Coalesce | exp.Case | exp.If):
        return set[str]().union(*(_kinds(branch, ctx) for branch in results(node)))
    if isinstance(node, _TRUTHS):
        return {_INT}
    function = function_of(node)
    numbers = NUMBERS if function is None else function.results & NUMBERS
    return {_ANY} if numbers == NUMBERS else {_OF_CLASS[each] for each in numbers}
