"""SQLite values as formulas: NULL and storage class are tracked outside these; and what is computed of them.

An uninterpreted function computes whatever SQLite does: from the same arguments the same.  The arguments
carry all that a function can tell apart: that 1 is not 1.0 nor '1', and what is NULL.
(-0.0 and 0.0 are one number here: no function that is strict or never NULL tells them apart.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from equiv.core.functions.traits import StorageClass
from equiv.smt import logic
from equiv.smt.logic import FALSE, TRUE, Formula, Script, Truth, and_, equal, ite, not_, or_

_NUMERIC: tuple[StorageClass, ...] = ("integer", "real")
_ORDER: tuple[tuple[StorageClass, ...], ...] = (_NUMERIC, ("text",), ("blob",))
"""Groups of storage classes, in the order in which SQLite sorts them."""


@dataclass(frozen=True, slots=True)
class Encoded:
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


NULL = Encoded(TRUE)


def of_whole(null: Formula, whole: Formula) -> Encoded:
    """An integer or NULL."""
    number = f"{whole}.0" if whole.isdigit() else f"(to_real {whole})"
    return Encoded(null, (("integer", TRUE),), number, whole)


def of_real(null: Formula, number: Formula) -> Encoded:
    """A REAL or NULL."""
    return Encoded(null, (("real", TRUE),), number)


def of_number(null: Formula, is_integer: Formula, number: Formula) -> Encoded:
    """A number of either class, or NULL."""
    if is_integer == FALSE:
        return of_real(null, number)
    return Encoded(null, (("integer", is_integer), ("real", not_(is_integer))), number)


def of_truth(truth: Truth) -> Encoded:
    """A truth value as 1, 0 or NULL."""
    return of_whole(truth.null, ite(truth.true, "1", "0"))


def with_null(value: Encoded, null: Formula) -> Encoded:
    """The value, but NULL exactly under a condition."""
    return Encoded(null, value.classes, value.number, value.whole, value.rank)


def choose(test: Formula, then: Encoded, other: Encoded) -> Encoded:
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
    return Encoded(
        null,
        classes,
        _either(test, then.number, other.number),
        _either(test, then.whole, other.whole) if _NUMERIC[1] not in common else "",
        _either(test, then.rank, other.rank),
    )


def _either(test: Formula, then: Formula, other: Formula) -> Formula:
    """A component that does not matter where a value lacks it."""
    return ite(test, then, other) if then and other else then or other


def same(left: Encoded, right: Encoded) -> Formula:
    """Whether two values that are not NULL are equal: 1 = 1.0, 1 is not '1'."""
    found = [
        and_(left.is_(*group), right.is_(*group), _component(equal, group, left, right))
        for group in _ORDER
        if left.kinds.intersection(group) and right.kinds.intersection(group)
    ]
    return or_(*found)


def not_distinct(left: Encoded, right: Encoded) -> Formula:
    """Whether two values are equal or both NULL: SQLite's IS."""
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), same(left, right)))


def indistinguishable(left: Encoded, right: Encoded) -> Formula:
    """Whether two values are the same also in storage class, so that no function can tell them apart."""
    mixed = left.kinds.union(right.kinds).issuperset(_NUMERIC)
    number = logic.iff(left.is_("integer"), right.is_("integer")) if mixed else TRUE
    alike = and_(same(left, right), number)
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), alike))


def precedes(left: Encoded, right: Encoded) -> Formula:
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
    relation: logic.FormulaComparison, group: tuple[StorageClass, ...], left: Encoded, right: Encoded
) -> Formula:
    if group is not _NUMERIC:
        return relation(left.rank, right.rank)
    if left.whole and right.whole:
        return relation(left.whole, right.whole)
    return relation(left.number, right.number)


def compared(operator: str, left: Encoded, right: Encoded) -> Truth:
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


def each_class_apart(value: Encoded, make: Callable[[Encoded], Encoded]) -> Encoded:
    """The image of a value under ``make``, made for each storage class and joined by the class conditions."""
    if len(value.classes) < 2:
        return make(value)
    image = NULL
    for kind, condition in reversed(value.classes):
        whole = f"(to_int {value.number})" if kind == "integer" and not value.whole else value.whole
        numeric = kind in _NUMERIC
        one = Encoded(
            value.null,
            ((kind, TRUE),),
            value.number if numeric else "",
            whole if kind == "integer" else "",
            "" if numeric else value.rank,
        )
        image = make(one) if image is NULL else choose(condition, make(one), image)
    return image


_KINDS: tuple[StorageClass, ...] = ("integer", "real", "text", "blob")


def argument(value: Encoded, *, nulls: bool) -> list[tuple[str, Formula]]:
    """The SMT sorts and terms that determine a value as an argument, its NULL flag included if ``nulls``."""
    sorted_terms: list[tuple[str, Formula]] = []
    known = TRUE
    if nulls:
        sorted_terms.append(("Bool", value.null))
        known = not_(value.null)
    sorted_terms += [("Bool", and_(known, condition)) for _, condition in value.classes[:-1]]
    if value.whole:
        sorted_terms.append(("Int", ite(and_(known, value.is_("integer")), value.whole, "0")))
    elif value.number:
        sorted_terms.append(("Real", ite(and_(known, value.is_("integer", "real")), value.number, "0.0")))
    if value.rank:
        sorted_terms.append(("Real", ite(and_(known, value.is_("text", "blob")), value.rank, "0.0")))
    return sorted_terms


def signature(value: Encoded, *, nulls: bool) -> Hashable:
    """A key for the sorts that :func:`argument` returns: values with equal keys have the same sorts."""
    return tuple(kind for kind, _ in value.classes), nulls


def symbolic(
    script: Script,
    key: Hashable,
    label: str,
    kinds: frozenset[StorageClass],
    arguments: Sequence[tuple[str, Formula]] = (),
    *,
    mark: object = None,
) -> Encoded:
    """A value of some storage classes of which nothing else is known but that it is fixed by the arguments.

    Args:
        script: where its symbols are declared.
        key: tells functions apart.
        label: for people.
        kinds: the classes, NULL included if it may be NULL.
        arguments: sorts and terms.
        mark: what a theory knows the symbols by.
    """
    sorts = tuple(sort for sort, _ in arguments)
    argument_terms = " ".join(term for _, term in arguments)

    def part(name: str, sort: str) -> Formula:
        symbol = script.declare((key, kinds, name), f"{label} {name}".rstrip(), sorts, sort, mark)
        return f"({symbol} {argument_terms})" if argument_terms else symbol

    possible = [kind for kind in _KINDS if kind in kinds]
    classes: list[tuple[StorageClass, Formula]] = []
    remaining = TRUE
    for kind in possible[:-1]:
        is_kind = part(f"is {kind}", "Bool")
        classes.append((kind, and_(remaining, is_kind)))
        remaining = and_(remaining, not_(is_kind))
    classes += [(kind, remaining) for kind in possible[-1:]]
    whole = part("", "Int") if "integer" in possible and "real" not in possible else ""
    number = f"(to_real {whole})" if whole else part("", "Real") if "real" in possible else ""
    rank = part("text", "Real") if "text" in possible or "blob" in possible else ""
    null = TRUE if not possible else part("null", "Bool") if "null" in kinds else FALSE
    return Encoded(null, tuple(classes), number, whole, rank)
