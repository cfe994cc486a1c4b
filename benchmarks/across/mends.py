"""Changes to one text of a pair that make it mean what the other means, one a difference.

A pair that differs, and no longer does with one of them, differed by that.  Most make a text of PostgreSQL or
DuckDB mean what SQLite's meant; a text that was written anew by hand is met by a change of SQLite's.
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
        of_gold: whether SQLite's text is changed.
    """

    kind: str
    change: Change
    of_gold: bool = False


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


def _double(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Cast) and node.to.this is exp.DType.FLOAT:
        return exp.Cast(this=node.this.copy(), to=exp.DataType.build("DOUBLE"))
    return None


def _with_null(node: exp.Expr) -> exp.Expr | None:
    """A WHERE without its conditions that a value is given."""
    if not isinstance(node, exp.Where):
        return None
    parts = node.this.flatten() if isinstance(node.this, exp.And) else [node.this]
    kept = [part for part in parts if not _says_given(part)]
    return exp.Where(this=exp.and_(*kept) if kept else exp.true())


def _says_given(node: exp.Expr) -> bool:
    inner = node.this if isinstance(node, exp.Not) else None
    return isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null)


def _grouped(node: exp.Expr) -> exp.Expr | None:
    """A SELECT of aggregates and bare columns with its rows grouped by these."""
    if not isinstance(node, exp.Select) or node.args.get("group") is not None:
        return None
    bare = [each for each in node.selects if isinstance(each, exp.Column)]
    adds = any(each.find(exp.AggFunc) is not None for each in node.selects)
    return node.group_by(*(each.copy() for each in bare)) if bare and adds else None


def _counted_if(node: exp.Expr) -> exp.Expr | None:
    """SUM of a condition that adds 0 where the condition is NULL."""
    if isinstance(node, exp.Sum) and isinstance(node.this, exp.Predicate | exp.Connector):
        case = exp.Case(ifs=[exp.If(this=node.this.copy(), true=exp.Literal.number(1))])
        case.set("default", exp.Literal.number(0))
        return exp.Sum(this=case)
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
    Mend("a REAL has 32 bits", _double),
    Mend("rows without a value are left out, not ordered last", _with_null),
    Mend("bare columns are grouped by: of no rows there is no group", _grouped, of_gold=True),
    Mend("a condition that is added up adds 0 where it is NULL", _counted_if, of_gold=True),
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
