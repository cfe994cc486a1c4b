"""Changes to texts of PostgreSQL and DuckDB that make them mean what SQLite's meant, one a difference.

A pair that differs, and no longer does with one of them, differed by that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

Change = Callable[[exp.Expr], exp.Expr | None]
"""Takes a node, and gives what stands in its place, or None where it stays."""


@dataclass(frozen=True)
class Mend:
    """One kind of difference.

    Attributes:
        kind: what differs, in a few words.
        change: what undoes it.
    """

    kind: str
    change: Change


def _like(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Like):
        return exp.ILike(this=node.this, expression=node.expression)
    return None


def _whole_division(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Div):
        return exp.func("TRUNC", exp.Paren(this=node.copy()))
    return None


def _cut_off(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Cast) and node.to.this in (exp.DType.INT, exp.DType.BIGINT):
        return exp.Cast(this=exp.func("TRUNC", node.this.copy()), to=node.to.copy())
    return None


def _null_of_any(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Greatest | exp.Least) and node.find_ancestor(exp.Case) is None:
        parts = [node.this, *node.expressions]
        missing = exp.or_(*(exp.Is(this=each.copy(), expression=exp.Null()) for each in parts))
        return exp.Case(ifs=[exp.If(this=missing, true=exp.Null())], default=node.copy())
    return None


def _number_as_text(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.EQ) and isinstance(node.this, exp.Column):
        other = node.expression
        if isinstance(other, exp.Literal) and other.is_number:
            return exp.EQ(this=node.this.copy(), expression=exp.Literal.string(other.name))
    return None


def _nulls_as_sqlite(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Ordered):
        made = node.copy()
        made.set("nulls_first", not node.args.get("desc"))
        return made
    return None


def _end_of_text(node: exp.Expr) -> exp.Expr | None:
    match node:
        case exp.Substring(args={"start": exp.Neg(this=back)}) if node.args.get("length") is None:
            return exp.func("RIGHT", node.this.copy(), back.copy())
    return None


def _other_text(node: exp.Expr) -> exp.Expr | None:
    """SQLite compares an instant as the text that it is: none ends with a fraction of 0."""
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Literal):
        return exp.false() if _INSTANT.fullmatch(node.expression.name) else None
    return None


_INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.0")

MENDS = (
    Mend("LIKE tells letters of different case apart", _like),
    Mend("`/` of integers has a fraction", _whole_division),
    Mend("CAST of a number to an integer rounds", _cut_off),
    Mend("the greatest or least of several passes over NULL", _null_of_any),
    Mend("a text beside a number is read as a number", _number_as_text),
    Mend("NULL comes last in ORDER BY", _nulls_as_sqlite),
    Mend("SUBSTRING from a negative place is no end of a text", _end_of_text),
    Mend("an instant is no text: a fraction of 0 counts for nothing", _other_text),
)


def mended(tree: exp.Expr, mend: Mend) -> exp.Expr | None:
    """The tree with a mend wherever it applies; None if it applies nowhere."""
    made = tree.copy()
    changed = False
    for node in reversed(list(made.walk())):
        new = mend.change(node)
        if new is None or new == node:
            continue
        changed = True
        if node is made:
            made = new
        else:
            node.replace(new)
    return made if changed else None
