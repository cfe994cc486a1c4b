"""Expressions that are never NULL, columns where NULL is rejected, parts that may raise an error.

A *condition* is a place where NULL and false have the same effect: WHERE,
HAVING, ON, FILTER, the WHEN of a searched CASE, and the operands of AND and
OR there.  A predicate *rejects* NULL in a column if it is false or NULL
whenever that column is NULL.

What a part raises is a trait of its function (:mod:`equiv.core.functions.table`).  SQLite evaluates what a
plan needs, in an order of its own: of two queries that are not alike to the letter, one may raise where the
other answers, although no value that either returns depends on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims import blocks
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import HoldingFacts, all_of, always_real, conforms, results
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import Nulls, Raises
from equiv.core.model import Context, Domain, Schema
from equiv.core.nodes import Ntile
from equiv.core.printing import key
from equiv.facts import Facts

_PASSING_NULL = (*blocks.COMPARISONS, exp.Not, exp.Between, exp.Cast, exp.Collate)
"""No functions, and NULL just if an operand is; Between only as far as its own subject."""


def is_strict(node: exp.Expression) -> bool:
    """Whether a node is NULL as soon as one operand is; Between only as far as its own subject."""
    function = function_of(node)
    return isinstance(node, _PASSING_NULL) or (function is not None and function.is_strict)


def is_never_null(node: exp.Expression) -> bool:
    """Whether a call is never NULL, whatever its arguments are."""
    function = function_of(node)
    return function is not None and function.nulls is Nulls.NEVER


def is_sure(node: exp.Expression) -> bool:
    """Whether a node is not NULL if no operand is.

    Not arithmetic: x / 0 is NULL, and so are infinity - infinity and 0 * infinity.
    """
    function = function_of(node)
    return isinstance(node, (*_PASSING_NULL, exp.And, exp.Or)) or (function is not None and function.is_sure)


def never_null(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """The facts by which an expression is never NULL where it stands, or None."""
    match node:
        case exp.Literal() | exp.Boolean() | exp.Is() | exp.NullSafeEQ() | exp.NullSafeNEQ() | exp.Exists():
            return ()
        case exp.Filter() | exp.Window():
            return () if is_never_null(node.this) else None
        case exp.Column():
            return _never_null_column(node, ctx)
        case exp.Coalesce():
            claims = (never_null(value, ctx) for value in results(node))
            return next((claim for claim in claims if claim is not None), None)
        case exp.Case():
            return all_of(*(never_null(value, ctx) for value in results(node)))
        case exp.In() if node.expressions:
            return all_of(never_null(node.this, ctx), *(never_null(value, ctx) for value in node.expressions))
    if is_never_null(node):
        return ()
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        # Infinity - Infinity and Infinity * 0 are NULL: only integers give no NULL of their own.
        whole = conforms(node, Domain.INTEGER, ctx)
        return all_of(whole, never_null(node.this, ctx), never_null(node.expression, ctx))
    if is_sure(node):
        operands = (o for o in node.iter_expressions() if not isinstance(o, exp.DataType))
        return all_of(*(never_null(operand, ctx) for operand in operands))
    return None


def _never_null_column(column: exp.Expression, ctx: Context) -> HoldingFacts:
    # NOT NULL binds stored rows: outer joins pad, and aggregates over no rows leave, NULL.
    if blocks.is_padded(column) or blocks.is_bare_in_ungrouped(column):
        return None
    base = blocks.base_column(column, ctx)
    if base is None:
        fed = blocks.feeds(column)
        return all_of(*(never_null(feed, ctx) for feed in fed)) if fed else None
    table, found = base
    fact = ctx.facts.not_null(table.name, found.name)
    return (fact,) if fact is not None else None


def is_condition(node: exp.Expression) -> bool:
    """Whether NULL has the effect of false where the node stands."""
    node = next(n for n in blocks.ancestry(node) if not isinstance(n.parent, exp.And | exp.Or))
    parent = node.parent
    if isinstance(parent, exp.Where | exp.Having):
        return True
    if isinstance(parent, exp.Join):
        return node.arg_key == "on"
    if isinstance(parent, exp.If):
        case = parent.parent if parent.arg_key == "ifs" else None
        # CASE x WHEN y compares values: NULL there is no condition.
        return node.arg_key == "this" and (case is None or case.args.get("this") is None)
    return False


def is_null_test(node: exp.Expression) -> bool:
    """Whether the node is ``x IS NULL``."""
    return isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)


def strict_columns(node: exp.Expression) -> frozenset[tuple[str, str]]:
    """(alias, column) pairs of which one being NULL makes the expression NULL."""
    if isinstance(node, exp.Column):
        return frozenset({(node.table, node.name)})
    if isinstance(node, exp.In):
        # NULL IN (a subquery without rows) is false, not NULL.
        return strict_columns(node.this) if node.expressions else frozenset()
    # A NULL bound need not give NULL: 9 BETWEEN NULL AND 5 is false.
    if isinstance(node, exp.Between):
        return strict_columns(node.this)
    if isinstance(node, exp.Escape):
        return strict_columns(node.this)
    if isinstance(node, exp.Like | exp.Glob):
        # A BLOB on either side gives 0 before NULL is looked at, in some builds.
        return strict_columns(node.this) if blocks.is_text(node.expression) else frozenset()
    if is_strict(node):
        columns: frozenset[tuple[str, str]] = frozenset()
        for operand in node.iter_expressions():
            columns |= strict_columns(operand)
        return columns
    return frozenset()


def rejected_nulls(predicate: exp.Expression) -> frozenset[tuple[str, str]]:
    """The columns in which a predicate rejects NULL, as (alias, column): it is not true if one is NULL."""
    match predicate:
        case exp.And():
            return rejected_nulls(predicate.this) | rejected_nulls(predicate.expression)
        case exp.Or():
            return rejected_nulls(predicate.this) & rejected_nulls(predicate.expression)
        case exp.Not() if is_null_test(predicate.this):
            return strict_columns(predicate.this.this)
        case exp.Is() | exp.NullSafeEQ() if blocks.is_literal(predicate.expression):
            return strict_columns(predicate.this)
        case exp.In():
            return strict_columns(predicate.this)
        case exp.Like() | exp.Glob():
            return strict_columns(predicate.this) | strict_columns(predicate.expression)
        case exp.Escape():
            return rejected_nulls(predicate.this)
    return strict_columns(predicate)


_SMALL = 2**31
"""No number of rows that a database holds adds integers below this beyond 64 bits."""

_LONG_PATTERN = 50_000
"""The bytes of the longest pattern that SQLite takes by default."""

_MUCH = 1_000_000
_PADDED = re.compile(r"\*|\d{5}")
_COUNTS = (exp.Length, exp.StrPosition, exp.Count)
_NOWHERE = Context(Schema(()), Facts())
"""Of no table and no fact: what is claimed there is so whatever rows hold."""


def raising_parts(tree: exp.Expression) -> Iterator[tuple[exp.Expression, Raises]]:
    """The parts of a resolved tree that may raise an error on some rows, each with when it does."""
    for node in tree.walk():
        raises = _raises(node)
        if raises is not Raises.NEVER and isinstance(node, exp.Expression):
            yield node, raises


def may_raise(tree: exp.Expression) -> bool:
    """Whether some rows may make SQLite raise an error for a resolved tree."""
    return next(raising_parts(tree), None) is not None


def only_sums_raise(tree: exp.Expression) -> bool:
    """Whether nothing but a SUM of integers that leaves 64 bits may make SQLite raise an error."""
    return all(isinstance(part, exp.Sum) for part, _ in raising_parts(tree))


def raise_alike(one: exp.Expression, other: exp.Expression) -> bool:
    """Whether two queries that are equivalent wherever neither raises an error raise one on the same rows.

    They do if nothing but names distinguishes them; and if what may raise is the same columns of the result,
    which no LIMIT or HAVING keeps from being computed: where values are the same, so is what cannot be one.
    """
    if not may_raise(one) and not may_raise(other):
        return True
    if key(_renamed(one)) == key(_renamed(other)):
        return True
    mine, theirs = _raising_columns(one), _raising_columns(other)
    return mine is not None and mine == theirs


def _raises(node: exp.Expr) -> Raises:
    match node:
        case exp.CTE():
            # A recursion may have no end.
            return Raises.NEVER if node.meta.get("recursion") is None else Raises.MAYBE
        case exp.Limit() | exp.Offset():
            return Raises.NEVER if blocks.is_integer_literal(node.expression) else Raises.MAYBE
        case exp.WindowSpec():
            bounds = (node.args.get("start"), node.args.get("end"))
            fixed = all(_is_whole(each) for each in bounds if isinstance(each, exp.Expression))
            return Raises.NEVER if fixed else Raises.MAYBE
        case exp.Escape():
            fits = blocks.is_text(node.expression) and len(node.expression.name) == 1
            return Raises.NEVER if fits else Raises.MAYBE
        case exp.Anonymous():
            row = function_of(node)
            if row is None or row.raises is not Raises.NEVER:
                return Raises.NEVER if row is not None and _is_harmless(node) else Raises.MAYBE
            return Raises.NEVER
    row = function_of(node)
    if row is None or row.raises is Raises.NEVER or not isinstance(node, exp.Expression):
        return Raises.NEVER
    return Raises.NEVER if _is_harmless(node) else row.raises


def _is_harmless(node: exp.Expression) -> bool:
    """Whether a call of a function that may raise an error raises none, by its literals."""
    match node:
        case exp.Sum() | exp.Abs():
            value = results(node)[0]
            return _is_small(value) or always_real(value, _NOWHERE) is not None
        case exp.Like() | exp.Glob():
            pattern = node.expression
            return blocks.is_text(pattern) and len(pattern.name.encode()) <= _LONG_PATTERN
        case Ntile():
            return _is_whole(node.this) and int(node.this.name) > 0
        case exp.NthValue():
            offset = node.args.get("offset")
            return offset is not None and _is_whole(offset) and int(offset.name) > 0
    name, arguments = uncall(node) or ("", [])
    match name, arguments:
        case "ZEROBLOB", [exp.Expression() as size]:
            return blocks.is_integer_literal(size) and (isinstance(size, exp.Neg) or int(size.name) <= _MUCH)
        case "PRINTF", [exp.Expression() as form, *_]:
            return blocks.is_text(form) and _PADDED.search(form.name) is None
        case "PRINTF", []:
            return True
    return False


def _is_whole(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and blocks.is_integer_literal(node)


def _is_small(node: exp.Expression) -> bool:
    """Whether a value is NULL or an integer too small for any sum of such to leave 64 bits."""
    match node:
        case exp.Null():
            return True
        case exp.Literal() | exp.Neg() if blocks.is_integer_literal(node):
            return int((node.this if isinstance(node, exp.Neg) else node).name) < _SMALL
        case exp.Case() | exp.If() | exp.Coalesce():
            return all(map(_is_small, results(node)))
    return blocks.is_boolean(node) or isinstance(node, _COUNTS)


def _renamed(tree: exp.Expression) -> exp.Expression:
    """A tree with its sources named by their places, and without the names of its own columns."""
    tree = tree.copy()
    names: dict[str, str] = {}
    for clause in list(tree.find_all(exp.From, exp.Join)):
        source, alias = clause.this, clause.this.alias_or_name
        names.setdefault(alias, f"s{len(names)}")
        source.set("alias", exp.TableAlias(this=exp.to_identifier(names[alias])))
    for column in tree.find_all(exp.Column):
        column.set("table", exp.to_identifier(names.get(column.table, column.table)))
    root = tree
    while isinstance(root, exp.SetOperation):
        root = root.this
    if isinstance(root, exp.Select) and root is tree:
        root.set("expressions", [each.unalias() for each in root.expressions])
    return tree


def _raising_columns(tree: exp.Expression) -> Counter[object] | None:
    """What may raise in a tree, as parts of the result that show each value; None if some is elsewhere."""
    if not isinstance(tree, exp.Select) or any(tree.args.get(each) for each in ("limit", "offset", "having")):
        return None
    tables = {each.alias_or_name: each.name for each in sources(tree) if isinstance(each, exp.Table)}
    named = {cte.alias for cte in tree.find_all(exp.CTE)}
    if len(set(tables.values())) < len(tables) or named & set(tables.values()):
        return None
    shown = {id(part): part for part in map(_shown_part, tree.expressions)}
    found: Counter[object] = Counter()
    for part, _ in raising_parts(tree):
        if id(part) not in shown or any(column.table not in tables for column in part.find_all(exp.Column)):
            return None
        own = part.copy()
        for column in own.find_all(exp.Column):
            column.set("table", exp.to_identifier(tables[column.table]))
        found[key(own), blocks.is_aggregate(part)] += 1
    return found


def _shown_part(node: exp.Expression) -> exp.Expression:
    """The part whose value a column of the result shows, or its number with another factor."""
    while True:
        match node:
            case exp.Alias() | exp.Coalesce() | exp.Round() | exp.Cast():
                node = node.this
            case exp.Mul() | exp.Div() if _is_factor(node.expression):
                node = node.this
            case exp.Mul() if _is_factor(node.this):
                node = node.expression
            case _:
                return node


def _is_factor(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and float(node.name) != 0
