"""Uninterpreted functions: whatever SQLite computes, from the same arguments it computes the same.

The arguments carry all that a function can tell apart: that 1 is not 1.0 nor '1', and what is NULL.
(-0.0 and 0.0 are one number here: no function that is strict or never NULL tells them apart.)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from equiv.core.functions.traits import StorageClass
from equiv.smt.encoding.symbols import Script
from equiv.smt.encoding.values import Value
from equiv.smt.logic import FALSE, TRUE, Formula, and_, ite, not_

_KINDS: tuple[StorageClass, ...] = ("integer", "real", "text", "blob")


def argument(value: Value, *, nulls: bool) -> list[tuple[str, Formula]]:
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


def signature(value: Value, *, nulls: bool) -> Hashable:
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
) -> Value:
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
    return Value(null, tuple(classes), number, whole, rank)
