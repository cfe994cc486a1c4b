"""The name that was probably meant where one is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

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
    return f"; did you mean {found}?" if found is not None and found != name else ""
