"""Symbolic SQLite values: NULL and storage class are tracked outside the formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from equiv.core.functions.traits import StorageClass
from equiv.smt import logic
from equiv.smt.logic import FALSE, TRUE, Formula, Truth, and_, equal, ite, not_, or_

_NUMERIC: tuple[StorageClass, ...] = ("integer", "real")
_ORDER: tuple[tuple[StorageClass, ...], ...] = (_NUMERIC, ("text",), ("blob",))
"""Groups of storage classes, in the order in which SQLite sorts them."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of SQLite.

    ``number``, ``whole`` and ``rank`` say something only where the value is of a class that has them.
    """

    null: Formula
    """Bool: whether it is NULL."""
    classes: tuple[tuple[StorageClass, Formula], ...] = ()
    """The storage classes that it may have if it is not NULL: exactly one of the conditions then holds."""
    number: Formula = ""
    """Real: the value of a number."""
    whole: Formula = ""
    """Int: the same, if integer is the only numeric class."""
    rank: Formula = ""
    """Real: the place of a text or a blob in the order of its class."""

    def is_(self, *wanted: StorageClass) -> Formula:
        """The formula that the value, if not NULL, is of one of some storage classes."""
        if all(kind in wanted for kind, _ in self.classes):
            return TRUE if self.classes else FALSE
        return or_(*(condition for kind, condition in self.classes if kind in wanted))

    @property
    def kinds(self) -> frozenset[StorageClass]:
        """The storage classes that the value may have if it is not NULL."""
        return frozenset(kind for kind, _ in self.classes)


NULL = Value(TRUE)


def of_whole(null: Formula, whole: Formula) -> Value:
    """An integer or NULL."""
    number = f"{whole}.0" if whole.isdigit() else f"(to_real {whole})"
    return Value(null, (("integer", TRUE),), number, whole)


def of_real(null: Formula, number: Formula) -> Value:
    """A REAL or NULL."""
    return Value(null, (("real", TRUE),), number)


def of_number(null: Formula, is_integer: Formula, number: Formula) -> Value:
    """A number of either class, or NULL."""
    if is_integer == FALSE:
        return of_real(null, number)
    return Value(null, (("integer", is_integer), ("real", not_(is_integer))), number)


def of_truth(truth: Truth) -> Value:
    """A truth value as 1, 0 or NULL."""
    return of_whole(truth.null, ite(truth.true, "1", "0"))


def with_null(value: Value, null: Formula) -> Value:
    """The value, but NULL exactly under a condition."""
    return Value(null, value.classes, value.number, value.whole, value.rank)


def choose(test: Formula, then: Value, other: Value) -> Value:
    """One value or the other."""
    if test == TRUE or then == other:
        return then
    if test == FALSE:
        return other
    null = ite(test, then.null, other.null)
    if not then.classes or not other.classes:
        return with_null(then if then.classes else other, null)
    common = [kind for group in _ORDER for kind in group if kind in then.kinds | other.kinds]
    classes = tuple((kind, ite(test, then.is_(kind), other.is_(kind))) for kind in common)
    if len(classes) == 1:
        classes = ((common[0], TRUE),)
    return Value(
        null,
        classes,
        _either(test, then.number, other.number),
        _either(test, then.whole, other.whole) if _NUMERIC[1] not in common else "",
        _either(test, then.rank, other.rank),
    )


def _either(test: Formula, then: Formula, other: Formula) -> Formula:
    """A component that does not matter where a value lacks it."""
    return ite(test, then, other) if then and other else then or other


def same(left: Value, right: Value) -> Formula:
    """Whether two values that are not NULL are equal: 1 = 1.0, 1 is not '1'."""
    found = [
        and_(left.is_(*group), right.is_(*group), _component(equal, group, left, right))
        for group in _ORDER
        if left.kinds.intersection(group) and right.kinds.intersection(group)
    ]
    return or_(*found)


def not_distinct(left: Value, right: Value) -> Formula:
    """Whether two values are equal or both NULL: SQLite's IS."""
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), same(left, right)))


def indistinguishable(left: Value, right: Value) -> Formula:
    """Whether two values are the same also in storage class, so that no function can tell them apart."""
    mixed = left.kinds.union(right.kinds).issuperset(_NUMERIC)
    number = logic.iff(left.is_("integer"), right.is_("integer")) if mixed else TRUE
    alike = and_(same(left, right), number)
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), alike))


def precedes(left: Value, right: Value) -> Formula:
    """Whether a value sorts strictly before another, neither being NULL."""
    cases = []
    for place, group in enumerate(_ORDER):
        if not left.kinds.intersection(group):
            continue
        if right.kinds.intersection(group):
            cases.append(
                and_(left.is_(*group), right.is_(*group), _component(logic.less, group, left, right))
            )
        later = [kind for above in _ORDER[place + 1 :] for kind in above]
        if right.kinds.intersection(later):
            cases.append(and_(left.is_(*group), right.is_(*later)))
    return or_(*cases)


def _component(
    relation: logic.Comparison, group: tuple[StorageClass, ...], left: Value, right: Value
) -> Formula:
    if group is not _NUMERIC:
        return relation(left.rank, right.rank)
    if left.whole and right.whole:
        return relation(left.whole, right.whole)
    return relation(left.number, right.number)


def compared(operator: str, left: Value, right: Value) -> Truth:
    """A comparison of two values."""
    null = or_(left.null, right.null)
    match operator:
        case "IS":
            return logic.known(not_distinct(left, right))
        case "=":
            return logic.unless_null(null, same(left, right))
        case "<":
            return logic.unless_null(null, precedes(left, right))
        case _:
            return logic.unless_null(null, not_(precedes(right, left)))


def each_class_apart(value: Value, make: Callable[[Value], Value]) -> Value:
    """The image of a value under ``make``, made for each storage class and joined by the class conditions."""
    if len(value.classes) < 2:
        return make(value)
    image = NULL
    for kind, condition in reversed(value.classes):
        whole = f"(to_int {value.number})" if kind == "integer" and not value.whole else value.whole
        numeric = kind in _NUMERIC
        one = Value(
            value.null,
            ((kind, TRUE),),
            value.number if numeric else "",
            whole if kind == "integer" else "",
            "" if numeric else value.rank,
        )
        image = make(one) if image is NULL else choose(condition, make(one), image)
    return image
