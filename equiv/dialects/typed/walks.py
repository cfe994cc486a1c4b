"""Walks over typed trees: what a part holds, a tree with other parts, and a digest of all that it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import count
from operator import is_not
from typing import Any, TypeVar

from equiv.dialects.typed import tree as t

K = TypeVar("K")
T = TypeVar("T")
_NAMES = ("alias", "columns", "names", "renamed")


def shape_of(query: t.TypedQuery) -> str:
    """A digest of all that a query says but for the names of its columns and sources."""
    return sha256(repr(_nameless(query)).encode()).hexdigest()


def _nameless(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_nameless, value))
    if not is_dataclass(value):
        return value
    kept = (each.name for each in fields(value) if each.name not in _NAMES)
    named = ("name",) if isinstance(value, t.ResultColumn | t.CommonTable) else ()
    return type(value).__name__, *(_nameless(getattr(value, each)) for each in kept if each not in named)


def parts_of(value: object, *, queries: bool = True) -> Iterator[object]:
    """A part of a typed tree, and everything that it holds; without ``queries`` no insides of subqueries."""
    left = [value]
    while left:
        found = left.pop()
        yield found
        if queries or not isinstance(found, t.NestedQuery):
            left += reversed(children(found))


def found_in(value: object, kind: type[K]) -> Iterator[K]:
    """The parts of a kind that a part of a typed tree holds, itself among them."""
    return (each for each in parts_of(value) if isinstance(each, kind))


def children(value: object) -> Sequence[object]:
    """The direct children of a part of a typed tree; words and numbers only within tuples."""
    if isinstance(value, tuple):
        return value
    return [getattr(value, name) for name in _fields_of(type(value))]  # type: ignore[arg-type]


_HOLDS = re.compile(r"\b(?!Literal\b|None\b)[A-Z]")
"""In the annotation of a field that may hold a part of a tree, not words, numbers and truths alone."""


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields in which a part of a tree may hold others."""
    found = fields(kind) if is_dataclass(kind) else ()
    return tuple(each.name for each in found if _HOLDS.search(str(each.type)))


def with_children(value: T, change: Callable[[Any], Any]) -> T:
    """A part of a typed tree with what a function makes of each thing that it holds itself."""
    found: object = value
    if isinstance(found, tuple):
        parts = tuple(map(change, found))
        return parts if any(map(is_not, parts, found)) else value  # type: ignore[return-value]
    changed: dict[str, object] = {}
    for name in _fields_of(type(found)):  # type: ignore[arg-type]
        old = getattr(found, name)
        new = change(old)
        if new is not old:
            changed[name] = new
    return replace(found, **changed) if changed else value  # type: ignore[type-var,return-value]


def mapped(value: T, change: Callable[[Any], Any]) -> T:
    """A typed tree with what a function makes of each of its nodes, of inner ones first."""
    found: Any = with_children(value, partial(mapped, change=change))
    return change(found) if is_dataclass(found) else found  # type: ignore[no-any-return]


def exchanged(value: T, instead: Callable[[Any], Any]) -> T:
    """A part of a typed tree with other parts in the place of some, whose insides are left as they are.

    Args:
        instead: what stands in the place of a part; None: the part itself, of which the insides are asked.
    """
    found = instead(value)
    return with_children(value, partial(exchanged, instead=instead)) if found is None else found


def fresh_numbers(query: t.TypedQuery) -> Iterator[int]:
    """Numbers that no source, join or common table expression of a query has."""
    numbered = (each for each in parts_of(query) if isinstance(each, t.FromSource | t.Joined | t.CommonTable))
    return count(1 + max((each.number for each in numbered), default=0))


def numbers_in_from(query: t.Select) -> set[int]:
    """The numbers of all sources and joins that stand in the FROM of a SELECT."""
    return {
        each.number
        for item in query.items
        for each in parts_of(item)
        if isinstance(each, t.FromSource | t.Joined)
    }
