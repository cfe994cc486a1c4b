"""The one error of the boundary, that what the caller gave cannot be used, and the name that was meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar


class InputError(ValueError):
    """A file, name or option cannot be used; the message is one clear line that says which and why."""


def require_many(given: object, what: str) -> None:
    """Make sure that what a caller gave holds one item after the other; a text is no list of its letters.

    Raises:
        InputError: it is one text or one mapping, or nothing that can be gone through.
    """
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(f"{what} must be a list or another iterable, not {type(given).__name__}")


def about(path: object, said: str) -> str:
    """What is said of a file, which is named first, and once."""
    rest = said.removeprefix(f"{path}: ").replace(f": {path}", "", 1)
    return f"{path}: {rest}"


P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_LONGEST = 100
_NUMBER = 1_000
_CUTOFF = 0.6


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like a name, whatever its letters' case; None if none is alike."""
    if len(name) > _LONGEST:
        return None
    by_lower = {each.lower(): each for each, _ in zip(known, range(_NUMBER), strict=False)}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=_CUTOFF)
    return by_lower[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean x?`` if a known name is like a name; else ''."""
    found = nearest(name, known)
    return f"; did you mean {found}?" if found is not None and found.lower() != name.lower() else ""


def listed(names: Sequence[str], most: int = 12) -> str:
    """The first names in quotes, and how many more there are."""
    shown = ", ".join(repr(name[:_LONGEST]) for name in names[:most]) or "none"
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def suggesting(function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose error on a keyword that it does not take names the nearest that it takes."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @wraps(function)
    def suggested(*given: P.args, **named: P.kwargs) -> R:
        for name in named:
            if name not in known:
                hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
                raise TypeError(f"unknown option {name!r}{hint}")
        return function(*given, **named)

    return suggested


def suggesting_fields(kind: type[T]) -> type[T]:
    """The class, whose constructor is :func:`suggesting`."""
    kind.__init__ = suggesting(kind.__init__)  # type: ignore[method-assign]
    return kind
