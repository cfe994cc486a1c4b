"""What PostgreSQL's operators and functions of single values are in the core, and why they agree.

A row holds for the argument types that it names, and says what the core computes; where PostgreSQL raises an
error the core may give any value (see ``docs/postgres.md``).  What no row names is refused.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.own import PREFIX
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.typed.lowering.build import call
from equiv.dialects.typed.lowering.calls import (
    BOOL,
    BPCHAR,
    DATE,
    NUMBER,
    STAMP,
    TEXT,
    Given,
    Meaning,
    Types,
)
from equiv.dialects.typed.lowering.comparisons import NODES, compared
from equiv.dialects.typed.lowering.context import Place
from equiv.dialects.typed.lowering.date_calls import OF_DATES
from equiv.dialects.typed.lowering.number_calls import OF_NUMBERS
from equiv.dialects.typed.lowering.numbers.singles import is_cut
from equiv.dialects.typed.lowering.text_calls import OF_TEXTS
from equiv.dialects.typed.tree import Call


def _comparison(given: Given) -> exp.Expression:
    left, right = given.call.arguments
    return compared(given.call.routine, left, right, given.place)


_COMPARISONS = tuple(NODES)
_COMPARABLE: tuple[tuple[Types, Types], ...] = (
    *((group, group) for group in (NUMBER, TEXT, BPCHAR, DATE, STAMP, BOOL, frozenset(("time", "uuid")))),
    (DATE, STAMP),
    (STAMP, DATE),
)

TABLE: tuple[Meaning, ...] = (
    *(
        Meaning(_COMPARISONS, arguments, _comparison, "cells of one family compare as their values do")
        for arguments in _COMPARABLE
    ),
    Meaning(_COMPARISONS, (frozenset(("anyenum",)),) * 2, _comparison, "labels compare as they are declared"),
    *OF_NUMBERS,
    *OF_TEXTS,
    *OF_DATES,
)
"""All operators and functions of single values that are known, by name and types of arguments."""

_BY_NAME: dict[str, list[Meaning]] = {}
for _row in TABLE:
    for _name in _row.names:
        _BY_NAME.setdefault(_name, []).append(_row)


def meaning_of(value: Call) -> Meaning | None:
    """The row for a call."""
    routine = value.routine
    if routine.schema != "pg_catalog":
        return None
    declared = routine.arguments
    for row in _BY_NAME.get(routine.name, ()):
        if len(row.arguments) == len(declared) and all(
            name in types for name, types in zip(declared, row.arguments, strict=True)
        ):
            return row
    return None


def called(value: Call, place: Place) -> exp.Expression:
    """A call in the core.

    Raises:
        UnsupportedError: it is not known there.
    """
    found = _called(value, place)
    return call("SINGLE", found) if is_cut(value) and not _is_single(found) else found


def _is_single(found: exp.Expression) -> bool:
    return isinstance(found, exp.Anonymous) and found.name == f"{PREFIX}SINGLE"


def _called(value: Call, place: Place) -> exp.Expression:
    own = place.state.routines.get(value.routine.schema)
    if own is not None:
        return own(value, place)
    row = meaning_of(value)
    if row is None:
        raise UnsupportedError("Func" if not value.routine.operator else "Operator", str(value.routine))
    return row.build(Given(value, place))
