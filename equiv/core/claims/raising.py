"""Where a query of SQLite may raise an error on some rows, and whether another raises one on just the same.

What a part raises is a trait of its function (:mod:`equiv.core.functions.table`).  SQLite evaluates what a
plan needs, in an order of its own: of two queries that are not alike to the letter, one may raise where the
other answers, although no value that either returns depends on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.block import is_aggregate
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.predicates import is_boolean, is_integer_literal, is_real_literal, is_text
from equiv.core.functions.nodes import function_of, uncall
from equiv.core.functions.traits import Raises
from equiv.core.printing.trees import key

_SMALL = 2**31
"""No number of rows that a database holds adds integers below this beyond 64 bits."""

_LONG_PATTERN = 50_000
"""The bytes of the longest pattern that SQLite takes by default."""

_MUCH = 1_000_000
_PADDED = re.compile(r"\*|\d{5}")
_COUNTS = (exp.Length, exp.StrPosition, exp.Count)


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

    They do if nothing but names tells them apart; and if what may raise is the same columns of the result,
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
        case exp.Limit() | exp.Offset():
            return Raises.NEVER if is_integer_literal(node.expression) else Raises.MAYBE
        case exp.WindowSpec():
            bounds = (node.args.get("start"), node.args.get("end"))
            fixed = all(_is_whole(each) for each in bounds if isinstance(each, exp.Expression))
            return Raises.NEVER if fixed else Raises.MAYBE
        case exp.Escape():
            fits = is_text(node.expression) and len(node.expression.name) == 1
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
            value = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
            return _is_small(value) or _is_real(value)
        case exp.Like() | exp.Glob():
            pattern = node.expression
            return is_text(pattern) and len(pattern.name.encode()) <= _LONG_PATTERN
        case exp.Ntile():
            return _is_whole(node.this) and int(node.this.name) > 0
        case exp.NthValue():
            offset = node.args.get("offset")
            return offset is not None and _is_whole(offset) and int(offset.name) > 0
    name, arguments = uncall(node) or ("", [])
    match name, arguments:
        case "ZEROBLOB", [exp.Expression() as size]:
            return is_integer_literal(size) and (isinstance(size, exp.Neg) or int(size.name) <= _MUCH)
        case "PRINTF", [exp.Expression() as form, *_]:
            return is_text(form) and _PADDED.search(form.name) is None
        case "PRINTF", []:
            return True
    return False


def _is_whole(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and is_integer_literal(node)


def _is_small(node: exp.Expression) -> bool:
    """Whether a value is NULL or an integer too small for any sum of such to leave 64 bits."""
    match node:
        case exp.Null():
            return True
        case exp.Literal() | exp.Neg() if is_integer_literal(node):
            return int((node.this if isinstance(node, exp.Neg) else node).name) < _SMALL
        case exp.Case():
            results = [branch.args["true"] for branch in node.args["ifs"]]
            return all(map(_is_small, [*results, *_given(node, "default")]))
        case exp.If():
            return all(map(_is_small, [*_given(node, "true"), *_given(node, "false")]))
        case exp.Coalesce():
            return all(map(_is_small, [node.this, *node.expressions]))
    return is_boolean(node) or isinstance(node, _COUNTS)


def _given(node: exp.Expression, name: str) -> list[exp.Expression]:
    value = node.args.get(name)
    return [value] if isinstance(value, exp.Expression) else []


def _is_real(node: exp.Expression) -> bool:
    """Whether a value is NULL or a REAL, whatever the rows are."""
    match node:
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
            return _is_real(node.this) or _is_real(node.expression)
        case exp.Cast():
            return bool(node.to.this is exp.DataType.Type.DOUBLE)
        case exp.Round() | exp.Avg():
            return True
    return is_real_literal(node)


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
        found[key(own), is_aggregate(part)] += 1
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
