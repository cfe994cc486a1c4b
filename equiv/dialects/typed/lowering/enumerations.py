"""Values of enumerated types in the core: their labels, in the order in which the type declares them.

Labels are equal as texts.  Where their bytes sort as they are declared they are in order as texts too; of any
other type a label is compared by its rank, its place from 1 in the declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import is_null, number, string
from equiv.dialects.typed.tree import Constant, Expr, Type

_ORDERS: dict[str, tuple[type[exp.Expression], Callable[[int, int], bool]]] = {
    "<": (exp.LT, lt),
    "<=": (exp.LTE, le),
    ">": (exp.GT, gt),
    ">=": (exp.GTE, ge),
}


def sorts_otherwise(found: Type) -> bool:
    """Whether a type is an enumeration whose labels are not in the order of their bytes."""
    return found.sort == "e" and list(found.labels) != sorted(found.labels, key=str.encode)


def rank(value: exp.Expression, found: Type) -> exp.Expression:
    """What is in order as a type's values are: the rank of labels that their bytes do not put in order."""
    if not sorts_otherwise(found):
        return value
    inner = value.this if isinstance(value, exp.Case) else None
    if isinstance(inner, exp.Expression) and value == ranked_label(inner.copy(), found):
        return inner
    if isinstance(value, exp.Subquery) and isinstance(value.this, exp.Select):
        shown = value.this.expressions[0]
        if isinstance(shown.this, exp.Case):
            shown.set("this", rank(shown.this, found))
            return value
    ifs = [exp.If(this=string(label), true=number(str(at))) for at, label in enumerate(found.labels, 1)]
    return exp.Case(this=value, ifs=ifs)


def ranked_label(value: exp.Expression, found: Type) -> exp.Expression:
    """The label that has a rank, which :func:`rank` gave to a value of the type."""
    if not sorts_otherwise(found):
        return value
    ifs = [exp.If(this=number(str(at)), true=string(label)) for at, label in enumerate(found.labels, 1)]
    return exp.Case(this=value, ifs=ifs)


def ordered_labels(
    sign: str, left: tuple[Expr, exp.Expression], right: tuple[Expr, exp.Expression]
) -> exp.Expression:
    """A comparison by ``<``, ``<=``, ``>`` or ``>=`` of two values of an enumeration, each with its lowering.

    A constant chooses labels: the other value is one of them, or NULL.

    Raises:
        UnsupportedError: the values are of two types.
    """
    (one, first), (other, second) = left, right
    node, holds = _ORDERS[sign]
    if not one.type.labels or one.type.labels != other.type.labels:
        raise UnsupportedError("Type", "the order of two enumerated types")
    if not sorts_otherwise(one.type):
        return node(this=first, expression=second)
    labels = one.type.labels
    if isinstance(other, Constant) and other.text in labels:
        place = labels.index(other.text)
        return _one_of(first, [label for at, label in enumerate(labels) if holds(at, place)], one.type)
    if isinstance(one, Constant) and one.text in labels:
        place = labels.index(one.text)
        return _one_of(second, [label for at, label in enumerate(labels) if holds(place, at)], one.type)
    return node(this=rank(first, one.type), expression=rank(second, other.type))


def _one_of(value: exp.Expression, labels: list[str], found: Type) -> exp.Expression:
    """Whether a value is one of some labels of its type; NULL of NULL."""
    if len(labels) in (0, len(found.labels)):
        there = exp.false() if not labels else exp.true()
        return exp.Case(ifs=[exp.If(this=exp.Not(this=is_null(value)), true=there)])
    return exp.In(this=value, expressions=[string(label) for label in labels])
