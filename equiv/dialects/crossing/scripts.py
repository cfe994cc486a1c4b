"""Two scripts as one text, that of the prediction's engine first, and back."""

from __future__ import annotations

import re

from equiv.core.runner import RunnerError

_FIRST = re.compile(r"-- [^\n]*, (\d{1,9}) characters:\n")
_SECOND = re.compile(r"-- [^\n]*:\n")


def joined(pred: tuple[str, str], gold: tuple[str, str]) -> str:
    """One text of two scripts, each with the name of its engine."""
    (here, one), (there, other) = pred, gold
    return f"-- {here}, {len(one)} characters:\n{one}-- {there}:\n{other}"


def parted(script: str) -> tuple[str, str]:
    """The two scripts of a text of :func:`joined`.

    Raises:
        RunnerError: it is none.
    """
    first = _FIRST.match(script)
    middle = first.end() + int(first[1]) if first is not None else 0
    second = _SECOND.match(script, middle)
    if first is None or second is None:
        raise RunnerError("not a script for two engines")
    return script[first.end() : middle], script[second.end() :]
